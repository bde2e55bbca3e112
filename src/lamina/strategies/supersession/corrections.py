"""Corrections that only make sense after what they correct: "Sorry, I meant Thursday."."""

from __future__ import annotations

import re
from dataclasses import replace

from lamina.strategies.supersession import chinese, english, moments
from lamina.strategies.supersession.claims import ELLIPTIC, Claim, same_value

_MEANT = re.compile(
    r"(?:(?:i meant|i mean|should be|it's|it is|that's|make (?:that|it)|i should have said)"
    r"(?: to say)?(?: actually| on| at| in| to)* )?(?P<v>[^,;.!?]{1,40}?)"
    r"(?:[,;]? (?:not|rather than|instead of)(?: on| at| in)* (?P<old>[^,;]{1,40}))?",
    re.IGNORECASE,
)
_NOT_BUT = re.compile(
    r"(?:(?:it's |it is |that's )?not|i said) (?:on |at |in )?(?P<old>[^,;]{1,40}?)(?:[,;]|,? "
    r"but)(?: it's| i meant| meant)? "
    r"(?:on |at |in )?(?P<v>[^,;]{1,40})",
    re.IGNORECASE,
)
_HAN_MEANT = re.compile(
    r"(?:(?:应该)?(?:是|在)|我是说|"
    r"我的意思是)?(?P<v>[^，,不]{1,15}?)(?:[，,]?(?:而)?不是(?P<old>[^，,]{1,15}))?"
)
_HAN_NOT_BUT = re.compile(
    r"不是(?P<old>[^，,]{1,15})[，,](?:而|应该)?(?:是|在)(?P<v>[^，,]{1,15}?)(?:才对)?"
)
_TAIL = re.compile(r"[\s。.!！~～]+$|(?:, )?sorry$|才对$", re.IGNORECASE)


def elliptic(text: str) -> Claim | None:
    """Return what a correction puts in place of what was said before; `None` if it is none.

    >>> elliptic("Sorry, I meant Thursday.").value, elliptic("Thursday it is.")
    ('Thursday', None)
    """
    han = re.search("[\u3400-\u9fff]", text)
    rest, corrects = (chinese if han else english).opened(text)
    rest = _TAIL.sub("", rest)
    exact = (_HAN_NOT_BUT if han else _NOT_BUT).fullmatch(rest)
    found = exact or ((_HAN_MEANT if han else _MEANT).fullmatch(rest) if corrects else None)
    if found is None:
        return None
    value = found["v"].strip()
    return Claim(slot=ELLIPTIC, value=value, moment=moments.read(value),
                 denied=(found["old"] or "").strip(), marked=True)  # fmt: skip


def resolved(correction: Claim, stated: Claim) -> Claim | None:
    """Return what a correction claims after the statement before it; `None` if it does not fit.

    It fits if it denies the very value that was stated, or is a value of the same kind: a time
    for a time, a number for a number, a name for a name.
    """
    if stated.ends or (stated.moment and not correction.moment):
        return None
    if correction.denied:
        fits = same_value(correction.denied, stated.value) or _same_moment(correction, stated)
    elif stated.moment or correction.moment:
        fits = bool(stated.moment and correction.moment)
    else:
        fits = _shape(correction.value) == _shape(stated.value) != "words"
    if not fits:
        return None
    return replace(
        stated, value=correction.value, moment=correction.moment if stated.moment else None,
        denied=stated.value, marked=True, moved=True, sole=True,
    )  # fmt: skip


def _same_moment(correction: Claim, stated: Claim) -> bool:
    denied = moments.read(correction.denied)
    return (
        denied is not None
        and stated.moment is not None
        and (denied == stated.moment or not moments.excludes(stated.moment, denied, moved=True))
    )


def _shape(value: str) -> str:
    """Return what kind of word a value is: a number, a name, or just words."""
    if re.search(r"\d", value):
        return "number"
    told = value.split()
    capital = bool(told) and len(told) <= 3 and all(word[0].isupper() for word in told)
    han = re.fullmatch("[\u3400-\u9fff]{2,4}", value)
    return "name" if capital or han else "words"
