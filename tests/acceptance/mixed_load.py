"""A process that does everything one can do with a memory, until it is killed or has done enough.

It prints a JSON line before each call, and one with the state that it left behind after it, so that
whoever kills it knows what was acknowledged. Its model notes each request in a file before it
answers, so that what was asked twice is seen.
"""

import contextlib
import hashlib
import json
import random
import resource
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import lamina
from lamina.errors import BadInput, NotFound, StoreFull
from lamina.models.cache import request_digest
from lamina.ports import Failure, Reply, Request
from lamina.testing.encoder import WordEncoder

OWNERS = ("ann", "bo", "cy")
MODEL = "counted"
MOST = 1_000_000
CITIES = ("Oslo", "Rome", "Bern", "Kyiv", "Lima")
EVENTS = ("bought a red bicycle", "met an old friend", "baked some bread", "missed a train")


class CountedLLM:
    """Answers each request well, and writes down its digest beforehand."""

    model = MODEL

    def __init__(self, log: Path) -> None:
        self._log = log.open("a", encoding="utf-8")

    def cost_usd(self, input_tokens: int, output_tokens: int) -> float:
        return 0.0

    def complete(self, requests: Sequence[Request]) -> list[Reply | Failure]:
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Reply:
        self._log.write(f"{request_digest(self.model, request)}\n")
        self._log.flush()
        return Reply(text=json.dumps(answer(request)), model=self.model, cost_usd=0.0)


def answer(request: Request) -> Any:
    """A good answer, by the schema that is asked for."""
    asked = (request.schema or {}).get("properties", {})
    if "facts" in asked:
        shown = [parsed(line) for line in request.prompt.splitlines()]
        said = [line for line in shown if isinstance(line, list) and len(line) > 2]
        told = [line for line in said if isinstance(line[0], int)]
        facts = [{"source_id": id_, "fact": text} for id_, _, text, *_ in told]
        return {"facts": facts, "relations": []}
    if "summary" in asked:
        return {"summary": "They talked about their days.", "links": [], "revises": None}
    return {"pairs": list(judged(request.prompt))}


def judged(prompt: str) -> Iterator[dict[str, Any]]:
    """One lives in one place at a time; all else may hold beside what is known."""
    new: Any = None
    for line in map(parsed, prompt.splitlines()):
        if isinstance(line, list) and line[0] == "new":
            new = line
        elif isinstance(line, list) and line[0] == "known":
            about_home = all("I live in" in each[-1] for each in (new, line))
            verdict = "updates" if about_home else "unrelated"
            yield {"new": new[1], "known": line[1], "why": "moved", "verdict": verdict}


def parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def state(user: lamina.Handle) -> dict[str, Any]:
    """What there is of one owner: how much, and digests of what it says."""
    messages = [(m.id, m.text) for m in user.messages(limit=MOST)]
    notes = [(n.id, n.revision, n.text, n.sources) for n in user.list(limit=MOST, superseded=True)]
    return {
        "messages": len(messages),
        "said": digest(messages),
        "notes": digest(notes),
        "log": len(user.operations(limit=MOST)),
    }


def digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


class Load:
    """Draws what to do next, does it, and tells of it."""

    def __init__(self, memory: lamina.Memory, name: str) -> None:
        self.memory = memory
        self.name = name
        self.drawn = random.Random(name)
        self.count = 0

    def act(self) -> None:
        acts = (self.add, self.process, self.close, self.update, self.delete, self.roll_back,
                self.set_aside, self.forget)  # fmt: skip
        [act] = self.drawn.choices(acts, weights=(35, 12, 8, 8, 8, 18, 6, 5))
        owner = self.drawn.choice(OWNERS)
        # What there is nothing of, or not any longer, cannot be changed.
        with contextlib.suppress(BadInput, NotFound):
            act(owner, self.memory.user(owner))
        self.tell("left", owner, **state(self.memory.user(owner)))

    def finish(self) -> None:
        """Do all that waits."""
        for owner in OWNERS:
            user = self.memory.user(owner)
            self.process(owner, user)
            self.tell("left", owner, **state(user))

    def tell(self, what: str, owner: str, **more: Any) -> None:
        sys.stdout.write(json.dumps({"what": what, "owner": owner, **more}) + "\n")
        sys.stdout.flush()

    def text(self) -> str:
        self.count += 1
        if self.drawn.random() < 0.3:
            return f"I live in {self.drawn.choice(CITIES)} now ({self.name}/{self.count})."
        return f"I {self.drawn.choice(EVENTS)} ({self.name}/{self.count})."

    def add(self, owner: str, user: lamina.Handle) -> None:
        texts = [self.text() for _ in range(self.drawn.randint(1, 3))]
        self.tell("add", owner, texts=texts)
        stamp = f"2026-{self.drawn.randint(1, 12):02}-{self.drawn.randint(1, 28):02}T10:00:00Z"
        user.add(list(texts), session_id=self.drawn.choice("xyz"), timestamp=stamp)

    def process(self, owner: str, user: lamina.Handle) -> None:
        self.tell("process", owner)
        user.process()

    def close(self, owner: str, user: lamina.Handle) -> None:
        self.tell("close", owner)
        user.close_session(self.drawn.choice("xyz"))

    def update(self, owner: str, user: lamina.Handle) -> None:
        note = self.any_of(user.list(limit=20))
        text = self.text()
        self.tell("update", owner, id=note, text=text)
        user.update(note, text)

    def delete(self, owner: str, user: lamina.Handle) -> None:
        message = self.any_of(user.messages(limit=20))
        self.tell("delete", owner, id=message)
        user.delete(message)

    def roll_back(self, owner: str, user: lamina.Handle) -> None:
        operation = self.any_of(user.operations(limit=10))
        self.tell("rollback", owner, id=operation)
        user.rollback(operation)

    def set_aside(self, owner: str, user: lamina.Handle) -> None:
        message = self.any_of(user.messages(limit=20))
        self.tell("quarantine", owner, id=message)
        user.quarantine(message)
        if self.drawn.random() < 0.5:
            self.tell("left", owner, **state(user))
            self.tell("release", owner, id=message)
            user.release(message)

    def forget(self, owner: str, user: lamina.Handle) -> None:
        self.tell("forget", owner)
        user.forget(purge=self.drawn.random() < 0.5)

    def any_of(self, found: Sequence[Any]) -> str:
        if not found:
            raise NotFound("nothing yet")
        chosen: str = self.drawn.choice(found).id
        return chosen


class LaterClock:
    """The real time, so many hours on: what a killed process had leased is free again."""

    def __init__(self, hours: int) -> None:
        self._later = timedelta(hours=hours)

    def now(self) -> datetime:
        return datetime.now(UTC) + self._later


def main(path: str, log: str, name: str, hours: str, count: str, most_bytes: str) -> None:
    if int(most_bytes):
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(most_bytes), int(most_bytes)))
    llm, clock = CountedLLM(Path(log)), LaterClock(int(hours))
    memory = lamina.open(path, llm=llm, encoder=WordEncoder(), clock=clock)
    load = Load(memory, name)
    try:
        for _ in range(int(count)):
            load.act()
        load.finish()
        load.tell("done", "", failed=[str(trouble) for trouble in memory.stats().troubles])
    except StoreFull as error:
        load.tell("full", "", error=str(error))
    memory.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
