"""Claims: what a statement says of a subject's slot, and whether two of them can both hold.

A slot is an attribute that has one value at a time: where somebody lives, what their dog is called,
on which day a meeting is, whether they drink coffee.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from lamina.strategies.supersession import moments
from lamina.strategies.supersession.moments import Moment

ANY = "*"
"""The slot of a claim that ends a value, whichever slot has it: "I switched from tea to …"."""
ELLIPTIC = "~"
"""The slot of a correction that only makes sense after the statement it corrects."""

Verdict: TypeAlias = Literal["same", "replaces", "doubts"]

_WORD = re.compile(r"[^\W_]+")
_ARTICLES = frozenset(["the", "a", "an", "my", "our", "your", "to", "of", "in", "at", "de", "la"])
_HAN = re.compile("[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """That a slot of the speaker has a value, or has it no longer."""

    slot: str
    """Such as `home` or `favourite colour`."""
    value: str
    """As told, without what stands around it."""
    moment: Moment | None = None
    """The value as a time, if it is one: the slot is then of an event."""
    denied: str = ""
    """A value that it says does not hold: "Rome, not Paris"."""
    ends: bool = False
    """Whether it says that the value holds no longer."""
    marked: bool = False
    """Whether it says itself that it tells of a change or corrects something."""
    moved: bool = False
    """Whether it says that an event was moved to another time."""
    fixed: bool = False
    """Whether the slot never changes, so that another value is a change of mind or a mistake."""
    sole: bool = True
    """Whether its message says nothing else."""
    level: str = ""
    """Of a place: what kind it is. A town and its country both hold."""


UNTOLD = Claim(slot="", value="")
"""Of a fact whose words fill no slot that is known."""


def compare(old: Claim, new: Claim) -> Verdict | None:
    """Return what a claim does to another one that the same speaker made before.

    `None`: they have nothing to do with each other, or both hold.
    """
    if new.slot == ANY:
        return "replaces" if _names(new.value, old) else None
    if old.slot != new.slot or ELLIPTIC in (old.slot, new.slot):
        return None
    verdict = _same_slot(old, new)
    if verdict == "replaces" and (not old.sole or not _sure(old, new)):
        return "doubts"
    return verdict


def _names(value: str, old: Claim) -> bool:
    """Whether an old claim that says nothing else has this value."""
    has = not old.ends and old.moment is None and old.slot != ANY
    return (
        has
        and old.sole
        and same_value(old.value.rsplit(" ", 1)[-1], value) | same_value(old.value, value)
    )


def _same_slot(old: Claim, new: Claim) -> Verdict | None:
    if old.moment and new.moment:
        return _times(old.moment, new.moment, moved=new.moved)
    alike = same_value(old.value, new.value)
    if old.ends or new.ends:
        if not alike:
            return None
        return "same" if old.ends == new.ends else "replaces"
    if new.denied and same_value(old.value, new.denied):
        return "replaces"
    if alike:
        return "same"
    if _contained(old.value, new.value):
        return "replaces" if new.slot == "job" and new.marked else None
    if old.level != new.level and not new.marked:
        return None
    return "replaces"


def _times(old: Moment, new: Moment, *, moved: bool) -> Verdict | None:
    if old == new:
        return "same"
    return "replaces" if moments.excludes(old, new, moved=moved) else None


def _sure(old: Claim, new: Claim) -> bool:
    """Whether the new claim is enough to let the old one go."""
    if old.fixed or new.fixed or new.moment:
        return new.marked
    if new.slot == "age":
        return new.marked or _number(new.value) > _number(old.value)
    return True


def _number(value: str) -> float:
    digits = re.search(r"\d+", value)
    return float(digits.group()) if digits else 0.0


def same_value(one: str, other: str) -> bool:
    """Whether two values are the same but for case, articles and marks.

    >>> same_value("the Alps", "alps"), same_value("Rome", "Rome, Italy")
    (True, False)
    """
    return words(one) == words(other)


def _contained(one: str, other: str) -> bool:
    """Whether one value only says more precisely what the other says."""
    if _HAN.search(one) and _HAN.search(other):
        return one in other or other in one
    ours, theirs = set(words(one)), set(words(other))
    return ours <= theirs or theirs <= ours


def words(value: str) -> tuple[str, ...]:
    """Return the words of a value in lower case, articles left out unless there is nothing else."""
    found = tuple(_WORD.findall(value.casefold()))
    return tuple(word for word in found if word not in _ARTICLES) or found


def together(claims: list[Claim], *, alone: bool) -> Claim | None:
    """Return the one claim of a message; `None` if it makes several, or none.

    Args:
        claims: Those of its clauses. One that ends a value and one that tells the next one of the
            same slot are one claim.
        alone: Whether the message says nothing else.
    """
    slots = {claim.slot for claim in claims}
    if len(slots) != 1:
        return None
    standing = [claim for claim in claims if not claim.ends]
    if len(standing) > 1 or (not standing and len(claims) > 1):
        return None
    chosen = (standing or claims)[0]
    ended = next((claim.value for claim in claims if claim.ends), "") if standing else ""
    marked = any(claim.marked for claim in claims)
    return replace(chosen, sole=alone, marked=marked or bool(ended), denied=chosen.denied or ended)
