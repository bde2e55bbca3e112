"""Invented facts to be held against each other, and what becomes of them is expected."""

import json
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from lamina.model import Note
from lamina.models.replies import Question, read
from lamina.ports import Reply, Request
from lamina.strategies.supersession.candidates import Pairing
from lamina.strategies.supersession.judgement import Judged, parser, request
from lamina.testing import factories

FOLDER = Path(__file__).parent / "comparisons"
CASES = ("compare-en-1", "compare-en-2", "compare-zh-1", "compare-zh-2")


@cache
def told(case: str) -> tuple[dict[str, Any], ...]:
    """Return the new facts of a case, each with known ones and the verdict that is expected."""
    lines = (FOLDER / f"{case}.jsonl").read_text("utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


@cache
def pairings(case: str) -> tuple[Pairing, ...]:
    """Return what is asked about in a case."""
    return tuple(
        Pairing(
            new=_note(f"new-{n}", each["new"]),
            known=tuple(_note(f"known-{n}-{i}", fact) for i, fact in enumerate(each["known"])),
            weight=1.0,
        )
        for n, each in enumerate(told(case))
    )


def asked(case: str) -> Request:
    """Return the prompt of a case as it is now."""
    return request(pairings(case))


def expected(case: str) -> dict[tuple[str, str], str]:
    """Return the verdict that is expected of each pair of ids."""
    return {
        (f"new-{n}", f"known-{n}-{i}"): fact["verdict"]
        for n, each in enumerate(told(case))
        for i, fact in enumerate(each["known"])
    }


def judged(case: str, reply: str) -> list[Judged]:
    """Return what a recorded answer says."""
    question = Question(request=asked(case), parse=parser(pairings(case)))
    return read(Reply(text=reply, model="recorded"), question).value


def _note(id_: str, fact: dict[str, Any]) -> Note:
    day = datetime.fromisoformat(fact["day"]).replace(tzinfo=UTC)
    said_at = day + timedelta(hours=9, minutes=int(id_.split("-")[1]))
    return factories.note(
        id_,
        fact["text"],
        event=f"m-{id_}",
        about=fact.get("about", fact["said_by"]),
        said_by=fact["said_by"],
        role=fact.get("role", "user"),
        began_at=said_at,
        said_at=said_at,
    )
