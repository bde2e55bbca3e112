"""Plans of half a year ago and habits of every year: found with the sweep, against without."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

import lamina
from benchmarks.timing import quartiles
from lamina.adapters.encoders import open_encoder

if TYPE_CHECKING:
    from lamina.model import Vectors
    from lamina.ports import Encoder

WORDINGS = Path(__file__).with_name("gaps") / "wordings.json"
CUTS = (1, 3, 5, 10)
BLOCK = 120
"""Tokens of a context."""
FILLERS, DISTRACTORS, A_SESSION = 40, 12, 6
END = datetime(2026, 11, 1, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Case:
    """A question, and the messages that answer it together."""

    sort: str
    asked: str
    told: tuple[tuple[datetime, str], ...]


class Remembering:
    """An encoder that encodes each text once: cases share their fillers."""

    def __init__(self, encoder: Encoder) -> None:
        self.space = encoder.space
        self.count_tokens = encoder.count_tokens
        self._one = cache(lambda text: encoder.encode([text])[0])

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder.encode`."""
        return np.array([self._one(text) for text in texts]).reshape(-1, self.space.dim)


def cases() -> Iterator[Case]:
    """Yield 80 plans in English, 40 in Chinese, and 80 yearly habits."""
    wordings = json.loads(WORDINGS.read_text(encoding="utf-8"))
    drawn = random.Random(0)
    for sort, name in (("plan", "plans"), ("plan, Chinese", "plans_zh")):
        for topic in wordings[name]:
            for plan, outcome in itertools.product(topic["plan"], topic["outcome"]):
                ended = END - timedelta(days=drawn.randint(10, 90))
                began = ended - timedelta(days=drawn.randint(150, 240))
                yield Case(sort, topic["asked"], ((began, plan), (ended, outcome)))
    for topic in wordings["habits"]:
        for told in itertools.combinations(topic["told"], 3):
            years = (END.year - 2, END.year - 1, END.year)
            days = [datetime(y, topic["month"], drawn.randint(1, 28), tzinfo=UTC) for y in years]
            yield Case("habit", topic["asked"], tuple(zip(days, told, strict=True)))


def main() -> None:
    """Fill a scope for each case, ask, sweep, ask again."""
    wordings = json.loads(WORDINGS.read_text(encoding="utf-8"))
    found: dict[str, list[list[bool]]] = {}
    useful, idle = [], 0
    encoder = Remembering(open_encoder("minilm"))
    with TemporaryDirectory() as folder, lamina.open(f"{folder}/m.db", encoder=encoder) as memory:
        for number, case in enumerate(cases()):
            user = memory.user(f"u{number}")
            ids = _tell(user, case, wordings, random.Random(number))
            without = _found(user, case, ids)
            user.sweep()
            found.setdefault(case.sort, []).append([*without, *_found(user, case, ids)])
            for note in user.list(kind="summary", limit=1000):
                if ids.issuperset(note.sources):
                    useful.append((note.said_at - note.began_at).days)
                else:
                    idle += 1
    _report(found)
    print(f"summaries of the case's messages alone: {len(useful)}, of others too: {idle}")
    print(f"days between their first and last: {quartiles(useful)}")


def _tell(
    user: lamina.Handle, case: Case, wordings: dict[str, Any], drawn: random.Random
) -> set[str]:
    """Store a case among fillers and what belongs to other topics; return its messages' ids."""
    others = [s for t in wordings["plans"] + wordings["habits"] if t["asked"] != case.asked
              for s in t.get("plan", t.get("told"))]  # fmt: skip
    noise = drawn.sample(wordings["fillers"], FILLERS) + drawn.sample(others, DISTRACTORS)
    said = [*case.told, *((END - timedelta(days=drawn.randint(1, 800)), text) for text in noise)]
    for number, (at, text) in enumerate(sorted(said)):
        message = {"content": text, "speaker": "Ann", "timestamp": at}
        user.add(message, session_id=f"s{number // A_SESSION}")
    for number in range(len(said) // A_SESSION + 1):
        user.close_session(f"s{number}")
    user.process()
    texts = {text for _, text in case.told}
    return {message.id for message in user.messages(limit=1000) if message.text in texts}


def _found(user: lamina.Handle, case: Case, ids: set[str]) -> list[bool]:
    """Whether all of a case's messages are among the evidence of the first hits."""
    hits = user.search(case.asked, top_k=max(CUTS))
    told = [{*hit.sources, *(s for note in hit.kin for s in note.sources)} for hit in hits]
    block = user.context(case.asked, max_tokens=BLOCK)
    quoted = all(text in block for _, text in case.told)
    return [*(ids <= set().union(*told[:k]) for k in CUTS), quoted]


def _report(found: dict[str, list[list[bool]]]) -> None:
    heads = [*(f"all@{k}" for k in CUTS), f"{BLOCK} tokens"]
    print(f"{'':16}{'n':>5}{'':10}{''.join(f'{head:>12}' for head in heads)}")
    for sort, rows in [*found.items(), ("all", [row for each in found.values() for row in each])]:
        shares = np.mean(rows, axis=0).reshape(2, -1)
        for when, line in zip(("without", "with"), shares, strict=True):
            cells = "".join(f"{share:12.3f}" for share in line)
            print(f"{sort:16}{len(rows):5}  {when:8}{cells}")
