"""What may stand as a slot's value: a rule that finds anything else there says nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, TypeAlias

from lamina.strategies.supersession import known_names
from lamina.strategies.supersession.known_names import listed

Kind: TypeAlias = Literal["place", "name", "person", "number", "code", "title", "free", "clock"]

_CAPITAL = re.compile(r"(?:[A-ZÀ-Þ][\w'’&.\-]*|\d[\w&.\-]*|[a-z][A-Z]\w*)")
_INNER = listed("of the de la le da di del von van der den and & upon on y")
_LEADING = re.compile(
    r"^(?:the|downtown|central|upper|lower|inner|greater|north(?:ern)?|south(?:ern)?|"
    r"east(?:ern)?|west(?:ern)?)\s+",
    re.IGNORECASE,
)
_TITLED = re.compile(r"^(?:dr|mr|mrs|ms|prof|professor|doctor|sir|miss)\b\.?\s+", re.IGNORECASE)
_TIMELY = listed(
    "january february march april may june july august september october november december monday "
    "tuesday wednesday thursday friday saturday sunday spring summer autumn winter christmas "
    "easter"
)
_LOOSE = listed(
    "i me we us you he him she her they them it this that these those there here my your his our "
    "their is are was were be been am not no never so very really too quite pretty still always "
    "often sometimes usually when where what who which how because since until while after before "
    "if but or last next ago broken dead new old good bad great terrible awful nice fine ok okay "
    "late early due near far gone missing lost closed open stupid annoying amazing going coming "
    "now again anymore instead today nowadays currently since already tomorrow yesterday "
    "getting being having doing driving killing making something anything nothing someone anyone "
    "everything different similar same better worse best worst about like than as"
)
_NUMBER_WORDS = listed(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety "
    "hundred thousand million"
)
_UNITS = listed(
    "k m kg kilos kilo kilograms lbs lb pounds pound stone cm metres meters ft feet foot inches in "
    "dollars dollar euros euro usd eur gbp yuan rmb percent minutes minute min mins hours hour "
    "km miles mile month year week day per an tall years old bucks quid crowns kronor"
)


def accepted(value: str, kind: Kind) -> bool:
    """Whether `value` can be a value of this kind.

    >>> accepted("Rome", "place"), accepted("a small flat", "place"), accepted("broken", "code")
    (True, False, False)
    """
    value = value.strip()
    return 0 < len(value) <= 80 and _CHECKS[kind](value)


def _place(value: str) -> bool:
    return all(_proper(part) for part in re.split(r",\s*", value)) and not re.search(r"\d", value)


def _proper(value: str) -> bool:
    """Whether it is a name of up to four words, each with a capital or a small word between."""
    told = _LEADING.sub("", value.strip()).split()
    if not 0 < len(told) <= 4 or told[0].casefold() in _TIMELY | _LOOSE:
        return False
    if not _CAPITAL.fullmatch(told[0]) or not _CAPITAL.fullmatch(told[-1]):
        return False
    return all(_CAPITAL.fullmatch(word) or word.casefold() in _INNER - {"and"} for word in told)


def _name(value: str) -> bool:
    told = re.sub(r"^(?:a|an)\s+", "", value)
    return _proper(told) and told.casefold() not in known_names.PEOPLES


def _person(value: str) -> bool:
    told = _TITLED.sub("", value)
    return _name(told) and len(told.split()) <= 3 and not re.search(r"\d|['’]s\b", told)


def _number(value: str) -> bool:
    told = re.findall(r"[a-z]+|\d[\d.,:]*|[^\sa-z\d]", value.casefold().replace("-", " "))
    counts = [word for word in told if word[0].isdigit() or word in _NUMBER_WORDS]
    known = {
        *_NUMBER_WORDS,
        *_UNITS,
        "half",
        "and",
        "a",
        "point",
        "$",
        "€",
        "£",
        "¥",
        "%",
        "/",
        "'",
        '"',
        ".",
    }
    return bool(counts) and all(word[0].isdigit() or word in known for word in told)


def _code(value: str) -> bool:
    """Whether it is a number, an address, a word nobody says: one with a digit or an @."""
    return bool(re.search(r"\d|@", value)) and not _LOOSE & set(value.casefold().split())


def _title(value: str) -> bool:
    told = re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)?", value.casefold())
    head = told[-1] if told else ""
    if " of " in value:
        head = value.casefold().split(" of ", maxsplit=1)[0].split()[-1]
    return len(told) <= 5 and head in known_names.PROFESSIONS and not _LOOSE & set(told)


def _free(value: str) -> bool:
    told = value.casefold().split()
    return len(told) <= 5 and "and" not in told and "/" not in value and not _LOOSE & set(told)


def _clock(value: str) -> bool:
    from lamina.strategies.supersession import moments

    found = moments.read(value)
    return found is not None and bool(found.clock)


_CHECKS: dict[Kind, Callable[[str], bool]] = {
    "place": _place,
    "name": _name,
    "person": _person,
    "number": _number,
    "code": _code,
    "title": _title,
    "free": _free,
    "clock": _clock,
}
