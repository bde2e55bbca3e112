"""Plain time phrases in French, Spanish and German."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from lamina.recall import calendar
from lamina.recall.calendar import Grain, Span
from lamina.recall.phrases import Grammar, Match, Rule, any_of, dated, last_words, number, rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Tongue:
    """The words and word orders of one language."""

    days: dict[str, int]
    """Words for days, to their distance from today."""
    units: dict[str, Grain]
    numbers: dict[str, int]
    months: tuple[str, ...]
    """January first."""
    ago: str
    """A pattern with `{n}` and `{unit}`."""
    ahead: str
    last: str
    """A pattern with `{unit}`."""
    following: str
    date: str
    """A pattern with `{d}`, `{m}` and `{y}`, the year left out or not."""
    month: str
    """A pattern with `{m}` and `{y}`."""
    triggers: tuple[str, ...] = ()
    """Words of phrases whose unit is too common a word in other languages."""


_FRENCH = Tongue(
    days={
        "avant-hier": -2,
        "hier soir": -1,
        "aujourd'hui": 0,
        "aujourd’hui": 0,
        "demain": 1,
        "après-demain": 2,
    },
    units={
        "jour": "day",
        "jours": "day",
        "semaine": "week",
        "semaines": "week",
        "mois": "month",
        "an": "year",
        "ans": "year",
        "année": "year",
    },
    numbers={
        "un": 1,
        "une": 1,
        "deux": 2,
        "trois": 3,
        "quatre": 4,
        "cinq": 5,
        "six": 6,
        "quelques": 3,
    },
    months=(
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ),
    ago="il y a {n} {unit}",
    ahead="dans {n} {unit}",
    last="{unit} (?:dernière?|passée?)",
    following="{unit} (?:prochaine?|suivante?)",
    date="{d}(?:er)? {m}(?: {y})?",
    month="en {m}(?: {y})?",
    triggers=("y", "dans"),
)
_SPANISH = Tongue(
    days={"anteayer": -2, "anoche": -1, "ayer": -1, "hoy": 0, "pasado mañana": 2},
    units={
        "día": "day",
        "días": "day",
        "semana": "week",
        "semanas": "week",
        "mes": "month",
        "meses": "month",
        "año": "year",
        "años": "year",
    },
    numbers={
        "un": 1,
        "una": 1,
        "dos": 2,
        "tres": 3,
        "cuatro": 4,
        "cinco": 5,
        "seis": 6,
        "unos": 3,
        "unas": 3,
    },
    months=(
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ),
    ago="hace {n} {unit}",
    ahead="dentro de {n} {unit}",
    last="{unit} pasad[oa]",
    following="próxim[oa] {unit}",
    date="{d} de {m}(?: (?:de|del) {y})?",
    month="en {m}(?: (?:de|del) {y})?",
)
_GERMAN = Tongue(
    days={"vorgestern": -2, "gestern": -1, "heute": 0, "übermorgen": 2},
    units={
        "tag": "day",
        "tage": "day",
        "tagen": "day",
        "woche": "week",
        "wochen": "week",
        "monat": "month",
        "monate": "month",
        "monaten": "month",
        "jahr": "year",
        "jahre": "year",
        "jahren": "year",
    },
    numbers={
        "einem": 1,
        "einer": 1,
        "zwei": 2,
        "drei": 3,
        "vier": 4,
        "fünf": 5,
        "sechs": 6,
        "ein paar": 3,
    },
    months=(
        "januar",
        "februar",
        "märz",
        "april",
        "mai",
        "juni",
        "juli",
        "august",
        "september",
        "oktober",
        "november",
        "dezember",
    ),
    ago="vor {n} {unit}",
    ahead="in {n} {unit}",
    last="(?:letzte|vergangene|vorige)[nrs]? {unit}",
    following="(?:nächste|kommende)[nrs]? {unit}",
    date=r"{d}\. ?{m}(?: {y})?",
    month="im {m}(?: {y})?",
)
_DAY = r"(?P<d>\d{1,2})"
_YEAR = r"(?P<y>(?:19|20)\d\d)"


def _rules(tongue: Tongue) -> tuple[Rule, ...]:
    months = {name: i for i, name in enumerate(tongue.months, start=1)}
    words = {
        "n": rf"(?P<n>\d{{1,3}}|{any_of(tongue.numbers)})",
        "unit": rf"(?P<unit>{any_of(tongue.units)})",
        "d": _DAY,
        "m": rf"(?P<m>{any_of(months)})",
        "y": _YEAR,
    }

    def day_word(match: Match, anchor: date, _past: bool) -> Span | None:
        return calendar.day(anchor, number(match.group(), tongue.days))

    def distant(sign: int, match: Match, anchor: date) -> Span | None:
        count = number(match["n"], tongue.numbers) if "n" in match.re.groupindex else 1
        return calendar.unit(anchor, tongue.units[match["unit"].casefold()], sign * count)

    def before(match: Match, anchor: date, _past: bool) -> Span | None:
        return distant(-1, match, anchor)

    def later(match: Match, anchor: date, _past: bool) -> Span | None:
        return distant(1, match, anchor)

    def in_month(match: Match, anchor: date, past: bool) -> Span | None:
        day = int(match["d"]) if "d" in match.re.groupindex else None
        year = int(match["y"]) if match["y"] else None
        return dated(anchor, months[match["m"].casefold()], day, year, past)

    def phrase(pattern: str) -> str:
        return rf"\b{pattern.format(**words)}\b"

    return (
        rule(rf"\b{any_of(tongue.days)}\b", day_word),
        rule(phrase(tongue.ago), before),
        rule(phrase(tongue.last), before),
        rule(phrase(tongue.ahead), later),
        rule(phrase(tongue.following), later),
        rule(phrase(tongue.date), in_month),
        rule(phrase(tongue.month), in_month),
    )


def _grammar(tongue: Tongue) -> Grammar:
    words = (*tongue.days, *tongue.months, *tongue.units, *tongue.triggers)
    return Grammar(triggers=last_words(words) - {"an"}, rules=_rules(tongue))


EUROPEAN: tuple[Grammar, ...] = tuple(_grammar(tongue) for tongue in (_FRENCH, _SPANISH, _GERMAN))
