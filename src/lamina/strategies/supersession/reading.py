"""From a message to what it claims: questions tell nothing, and several claims are none."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lamina.strategies.supersession import chinese, english
from lamina.strategies.supersession.claims import Claim, together
from lamina.strategies.supersession.corrections import elliptic

MOST_SENTENCES = 6
LONGEST_TEXT = 300
"""Characters: what is longer makes several claims, or tells a story."""
_HAN = re.compile("[\u3400-\u9fff]")
_QUOTED = re.compile(r"[\"“”「」『』]|```|^>|^\s*(?:[-*•]|\d+[.)])\s", re.MULTILINE)
_ENGLISH_GATE = re.compile(
    r"\b(?:i|i'm|i've|im|we|we're|we've|my|our|the|home)\b|[\w-]'s \w|"
    r"^(?:no|not|sorry|correction|wait|actually|oops|whoops|make)\b",
    re.IGNORECASE,
)
_CHINESE_GATE = re.compile(r"[我咱俺]|[改推延挪换移定]|[周期拜月日号点]|错|不对|其实|更正|不是")
_ENDS = re.compile(
    r"(?<=[!?…])\s+|(?<!\b[A-Z]\.)(?<!\b[DM]r\.)(?<!\bM[sx]\.)(?<!\bMrs\.)(?<!\bSt\.)(?<!\bProf\.)"
    r"(?<=\.)\s+|\n+"
)
_CHINESE_ENDS = re.compile(r"(?<=[。！？!?；])|\n+")
_ASKS = re.compile(r"[?？][\s\"'”’)）]*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """What the sentences of a message say together."""

    claims: list[Claim]
    alone: bool


def read(text: str) -> Claim | None:
    """Return the one claim of a message; `None` if it makes none, or several.

    >>> read("I moved to Rome last week!").value, read("Do I live in Rome?")
    ('Rome', None)
    """
    if len(text) > LONGEST_TEXT or _QUOTED.search(text):
        return None
    han = _HAN.search(text) is not None
    if not (_CHINESE_GATE if han else _ENGLISH_GATE).search(text):
        return None
    spoken = " ".join(text.replace("’", "'").split(" ")).strip()
    told = _chinese(spoken) if han else _english(spoken)
    if not told.claims:
        return elliptic(spoken)
    claim = together(told.claims, alone=told.alone)
    return None if claim and is_remark(claim) else claim


def is_remark(claim: Claim) -> bool:
    """Whether something is only mentioned amid other things: a habit that is no news."""
    return claim.slot.startswith("does ") and not (claim.sole or claim.marked)


def _english(text: str) -> _Told:
    parts = [part.strip() for part in _ENDS.split(text) if part.strip()]
    claims: list[Claim] = []
    alone, corrects = True, False
    if len(parts) > MOST_SENTENCES:
        return _Told(claims=[], alone=False)
    for part in parts:
        if _ASKS.search(part):
            continue
        bare, marks = english.opened(part.rstrip(" .!…"))
        corrects = corrects or marks
        if not bare:
            continue
        found, sole = english.claims_of(f"actually {part}" if corrects else part)
        claims += found
        alone = alone and (sole if found else english.is_filler(bare.strip()))
    return _Told(claims=claims, alone=alone)


def _chinese(text: str) -> _Told:
    parts = [part.strip() for part in _CHINESE_ENDS.split(text) if part and part.strip()]
    said = [part for part in parts if not _ASKS.search(part)]
    claims, alone = chinese.claims_of("，".join(part.rstrip("。！!；") for part in said))
    return _Told(claims=claims, alone=alone)
