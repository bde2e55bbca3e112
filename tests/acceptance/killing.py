"""Killing processes that use a memory, and judging what they leave behind."""

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import lamina
from lamina.adapters.sqlite import SqliteStore
from lamina.model import Scope
from lamina.testing.encoder import WordEncoder
from tests.acceptance.mixed_load import MOST, OWNERS, state

LOAD = Path(__file__).with_name("mixed_load.py")
ENDLESS = 1_000_000
State: TypeAlias = dict[str, Any]


def start(
    path: Path, name: str, *, hours: int = 0, count: int = ENDLESS, most_bytes: int = 0
) -> subprocess.Popen[str]:
    """Start a process that does `count` things, so many hours from now by its clock."""
    numbers = [str(number) for number in (hours, count, most_bytes)]
    given = [str(path), str(path.with_suffix(".asked")), name, *numbers]
    return subprocess.Popen(
        [sys.executable, str(LOAD), *given],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(LOAD.parents[2])},
    )


def lines(output: str) -> list[State]:
    """What a process told; a last line that was cut off is left out."""
    return [json.loads(line) for line in output.split("\n")[:-1]]


@dataclass
class Toll:
    """What is to be zero, whatever was killed."""

    lost: list[str] = field(default_factory=list)
    """Acknowledged states that are not there, and calls that were half done."""
    inconsistent: list[str] = field(default_factory=list)
    paid_twice: int = 0
    killed_during: Counter[str] = field(default_factory=Counter)
    acknowledged: int = 0
    asked: int = 0

    @property
    def clean(self) -> bool:
        return not (self.lost or self.inconsistent or self.paid_twice)


class Killer:
    """Kills one process after the other that works on the same store."""

    def __init__(self, path: Path, seed: int = 0) -> None:
        self.path = path
        self.toll = Toll()
        self._drawn = random.Random(seed)
        self._seed = seed
        self._left: dict[str, State] = {}
        self._paid: set[str] = set()
        self._read = 0

    def kill(self, number: int) -> None:
        """Start a process, kill it when it has begun, and judge what is there."""
        with start(self.path, f"{self._seed}-{number}", hours=number) as process:
            assert process.stdout
            assert process.stderr
            first = process.stdout.readline()
            time.sleep(self._drawn.uniform(0.0, 1.0))
            process.kill()
            # Not `communicate`: it would miss what `readline` has read ahead.
            output, errors = first + process.stdout.read(), process.stderr.read()
        assert errors == "", errors
        self.judge(lines(output))

    def finish(self) -> None:
        """Let one more process do all that still waits, and judge that too."""
        process = start(self.path, f"{self._seed}-last", hours=9_999, count=0)
        output, errors = process.communicate(timeout=100)
        assert errors == "", errors
        *told, done = lines(output)
        assert done == {"what": "done", "owner": "", "failed": []}
        self.judge(told)
        with lamina.open(self.path, encoder=WordEncoder()) as memory:
            waiting = memory.stats().counts["jobs"]
        if waiting:
            self.toll.lost.append(f"{waiting} jobs still wait")

    def judge(self, told: list[State]) -> None:
        """Compare what is there with what was acknowledged and what was under way."""
        under_way: dict[str, State] = {}
        for line in told:
            if line["what"] == "left":
                self._left[line["owner"]] = line
                under_way.pop(line["owner"], None)
                self.toll.acknowledged += 1
            else:
                under_way[line["owner"]] = line
        self.toll.killed_during.update([told[-1]["what"] if under_way else "nothing"])
        with lamina.open(self.path, encoder=WordEncoder()) as memory:
            for owner in OWNERS:
                user = memory.user(owner)
                self._compare(owner, user, under_way.get(owner))
                self._left[owner] = state(user)
            self.toll.inconsistent += memory.check()
        self._count_what_was_asked()

    def _compare(self, owner: str, user: lamina.Handle, doing: State | None) -> None:
        now, before = state(user), self._left.get(owner) or state_of_nothing()
        what = doing["what"] if doing else "nothing"
        if not fine(what, now, before) and not (what == "add" and whole(user, doing, before)):
            self.toll.lost.append(f"{owner}: {what}: {before} became {now}")

    def _count_what_was_asked(self) -> None:
        """See that nothing was asked whose answer had been kept; note what is kept now."""
        asked = self.path.with_suffix(".asked")
        digests = asked.read_text().split() if asked.exists() else []
        new = digests[self._read :]
        self._read = len(digests)
        self.toll.asked += len(new)
        self.toll.paid_twice += sum(digest in self._paid for digest in new)
        self.toll.paid_twice += len(new) - len(set(new))
        store = SqliteStore(self.path)
        for owner in OWNERS:
            self._paid.update(store.replies(Scope("", "user", owner), sorted(set(new))))
        store.close()


def fine(what: str, now: State, before: State) -> bool:
    """Whether a call that was under way has changed only what it may, as one operation or not."""
    same_words, same_notes = now["said"] == before["said"], now["notes"] == before["notes"]
    if same_words and same_notes:
        return True
    if what in ("process", "update"):
        return bool(same_words)
    if what == "forget":
        return now == state_of_nothing()
    return what not in ("nothing", "close", "add") and now["log"] == before["log"] + 1


def whole(user: lamina.Handle, doing: State | None, before: State) -> bool:
    """Whether all of an addition is there beside what was before."""
    texts = {message.text for message in user.messages(limit=MOST)}
    given = doing["texts"] if doing else []
    return texts.issuperset(given) and len(texts) == before["messages"] + len(given)


@cache
def state_of_nothing() -> State:
    """What `state` tells where nothing was ever said."""
    with lamina.open(":memory:", encoder=WordEncoder()) as memory:
        return state(memory.user("nobody"))
