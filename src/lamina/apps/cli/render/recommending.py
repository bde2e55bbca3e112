"""Data for recommending, rankings, and what speaks for an item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, cast

from rich.table import Table
from rich.text import Text

from lamina.apps.cli.naming import short
from lamina.apps.cli.render import sharing
from lamina.apps.cli.render.table import bold, dim, literal, table, unbroken
from lamina.apps.cli.render.text import brief, counted, day, days
from lamina.items import Evidence, Facet, Ranked, Ranking

if TYPE_CHECKING:
    from lamina.apps.cli.rec_intake import Imported
    from lamina.formats.recommending.statistics import Quantiles, Statistics
    from lamina.memory.recommending import Configuration, Explanation, Profile
    from lamina.memory.recommending.calibrating import Calibration

FAULTS = 5
"""Lines that cannot be read that are named."""
REASONS = 2
"""Pieces of evidence under an item of a ranking."""
REFRESH = "lamina rec refresh"
LEAST = 0.005
"""A smaller share of a signal is not told."""
_KINDS = {
    "own": "did",
    "item": "the item",
    "shared": "others",
    "chat": "said",
    "pattern": "others",
}


def read(layout: str, found: Statistics, shown: int = FAULTS) -> Iterator[Table | Text]:
    """Return what data are like that were read and not stored."""
    yield bold(f"{layout}: nothing is stored yet")
    yield statistics(found)
    yield from faults(found, shown)


def imported(found: Imported, shown: int = FAULTS) -> Iterator[Table | Text]:
    """Return what became of data."""
    yield bold(f"{found.layout} into recommender {found.recommender}: {', '.join(found.files)}")
    yield literal(
        f"{_taken(found.items, found.new_items, 'description')} of items;"
        f" {_taken(found.interactions, found.new_interactions, 'interaction')}"
    )
    if found.ignored:
        yield dim(f"not read: {', '.join(found.ignored)}")
    yield statistics(found.statistics)
    yield from faults(found.statistics, shown)


def faults(found: Statistics, shown: int = FAULTS) -> Iterator[Text]:
    """Return which lines could not be read; of many the first `shown`."""
    for fault in found.faulty[:shown]:
        yield Text("not read: ", style="yellow").append_text(literal(brief(str(fault))))
    if found.faults > shown:
        yield dim(
            f"{counted(found.faults, 'line')} in all could not be read;"
            f" --faults {found.faults} names them all"
        )


def statistics(found: Statistics) -> Table:
    """Return what data are like, a line each."""
    grid = Table.grid(padding=(0, 2))
    for name, value in _lines(found):
        grid.add_row(dim(name), literal(value))
    return grid


def ranking(found: Ranking, refresh: str = REFRESH) -> Iterator[Table | Text]:
    """Return items in their order with reasons, and what is to be known of it.

    Args:
        found: The ranking.
        refresh: The call that forms notes.
    """
    reasons = any(each.rationale or each.evidence for each in found.items)
    columns = ("#", "Item", "Title", "Score", *(("Why",) if reasons else ()))
    rows = (_ranked(place, each)[: len(columns)] for place, each in enumerate(found.items, 1))
    if found.items:
        yield table(columns, rows)
    else:
        unheard = "no candidate is known" if found.unknown else "there is nothing to rank"
        yield literal(f"{unheard} at that moment" if found.as_of else unheard)
    yield from sharing.looked_up(found.patterns)
    yield from map(dim, _remarks(found))
    if found.pending:
        yield unbroken(
            f"{counted(found.pending, 'interaction')} not formed into notes yet: {refresh}"
        )


def evidence(found: Evidence) -> Text:
    """Return one thing that speaks for an item, with its date and how it hangs together."""
    when = f"{day(found.at)} " if found.at is not None else ""
    told = literal(f"{when}{_KINDS.get(found.kind, found.kind)}: {brief(found.text)}")
    if found.relation:
        told = told.copy().append_text(dim(f" ({found.relation})"))
    return told.copy().append_text(dim(f"  {short(found.id)}")) if found.id else told


def facets(found: Sequence[Facet]) -> Table:
    """Return the sides of a taste."""
    return table(("Side", "Leans", "Sure", "Since", "Lasts", "Rests on"), map(_facet, found))


def configuration(found: Configuration) -> Table:
    """Return what a recommender keeps to."""
    grid = Table.grid(padding=(0, 2))
    for name, value in found.to_dict().items():
        grid.add_row(dim(name.replace("_", " ")), literal(_kept(name, value)))
    return grid


def _kept(name: str, value: object) -> str:
    if name == "keep_days":
        return "for ever" if value == 0 else str(value)
    if name == "keep_fields":
        return "all" if value is None else ", ".join(cast("Sequence[str]", value)) or "none"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def calibration(found: Calibration) -> Iterator[Text]:
    """Return what threshold is proposed, and what it and the present one let through."""
    yield bold(f"proposed for {found.encoder}: {found.tau:.3f}")
    yield literal(
        f"of {counted(found.unrelated, 'pair')} that share no tag and no keyword 1 in 100 exceed"
        f" it, of the others {found.related_above:.1%}"
    )
    yield dim(
        f"in use: {found.in_use:.3f}, exceeded by {found.unrelated_in_use:.1%} of the former and"
        f" {found.related_in_use:.1%} of the latter; {counted(found.notes, 'note')} looked at"
    )


def _taken(rows: int, new: int, thing: str) -> str:
    known = f" and {rows - new:,} known" if rows > new else ""
    return f"{new:,} new{known} {thing if rows == 1 else thing + 's'}"


def _lines(found: Statistics) -> Iterator[tuple[str, str]]:
    yield "users", f"{found.users:,}"
    yield "items", f"{found.items:,}, {found.without_words:,} of them without title or description"
    yield "interactions", f"{found.interactions:,} ({_counts(found.actions)})"
    if found.duplicates or found.repeated:
        yield "again", f"{found.duplicates:,} equal rows, {found.repeated:,} of a known pair"
    if not found.interactions:
        return
    yield "density", f"{found.density:.4%} of all pairs"
    yield "a user", _quantiles(found.per_user)
    yield "an item", _quantiles(found.per_item)
    yield "ratings", _counts(found.ratings) or "none"
    if found.order_only == found.interactions:
        yield "time", "none told; the order of the data is kept"
        return
    yield "time", _span(found.first_at, found.last_at, found.order_only)
    yield "users whose last two tie", f"{found.last_two_tie:.1%}"
    yield "users within one day", f"{found.within_one_day:.1%}"


def _counts(found: Mapping[str, int]) -> str:
    return ", ".join(f"{name}: {count:,}" for name, count in found.items())


def _quantiles(found: Quantiles | None) -> str:
    if found is None:
        return ""
    return (
        f"{found.least:,.0f} to {found.most:,.0f}, half of them {found.quarter:,.0f} to"
        f" {found.three_quarters:,.0f}, median {found.median:,.0f}"
    )


def _span(first: datetime | None, last: datetime | None, order_only: int) -> str:
    if first is None or last is None:
        return ""
    made = f"; {order_only:,} tell only their order" if order_only else ""
    return f"{days(first, last)}{made}"


def _ranked(place: int, found: Ranked) -> Sequence[str | Text]:
    return str(place), found.item, brief(found.title), f"{found.score:.3f}", _why(found)


def _why(found: Ranked) -> Text:
    told = literal(brief(found.rationale)).copy()
    if found.by == "fallback":
        told.append_text(dim(" (the model did not name it)"))
    for each in found.evidence[:REASONS]:
        told.append_text(Text("\n" if told else "")).append_text(evidence(each))
    return told


def _remarks(found: Ranking) -> Iterable[str]:
    if found.cold:
        yield "nothing is known of this user at that moment"
    if found.unknown:
        named = ", ".join(found.unknown[:FAULTS])
        yield f"{counted(len(found.unknown), 'candidate')} unknown and left out: {named}"
    if found.duplicates:
        yield f"{counted(found.duplicates, 'candidate')} given more than once"
    if found.narrowed_from:
        yield f"the model was shown the best of {found.narrowed_from:,}"
    if found.discarded:
        yield f"{found.failure}; the order is the extractive one"


def _facet(found: Facet) -> Sequence[str | Text]:
    since = days(found.first_at, found.last_at) if found.first_at and found.last_at else ""
    lasting = "yes" if found.lasting else "not yet"
    ids = ", ".join(map(short, found.supporting_notes[:3]))
    return found.facet, found.leaning, f"{found.confidence:.2f}", since, lasting, dim(ids)


def explanation(found: Explanation) -> Iterator[Table | Text]:
    """Return what speaks for and against an item."""
    known = ", had before" if found.known else ""
    yield bold(f"{found.item.title or found.item.id} for {found.user}").append_text(
        dim(f"  score {found.score:.3f}{known}")
    )
    if found.rationale:
        yield literal(found.rationale)
    if found.cold:
        yield dim("nothing is known of this user at that moment")
    for what, told in (("keeps", found.keeps), ("breaks", found.breaks)):
        if told:
            yield literal(f"{what} what is asked for: {', '.join(told)}")
    yield from map(evidence, found.evidence)
    if found.facets:
        yield facets(found.facets)
    yield dim(_signals(found.signals))


def profile(found: Profile) -> Iterator[Table | Text]:
    """Return what is known of a user."""
    if not found.interactions:
        yield literal(f"nothing is known of {found.user} at that moment")
        return
    span = _span(found.first_at, found.last_at, 0)
    much = f"{counted(found.interactions, 'interaction')}, {counted(found.notes, 'note')}"
    yield bold(found.user).append_text(dim(f"  {much}, {span}"))
    if found.text:
        yield literal(found.text)
    if found.facets:
        yield facets(found.facets)


def _signals(found: Mapping[str, float]) -> str:
    """Return each signal's share, greatest first."""
    shares = sorted(found.items(), key=lambda share: -share[1])
    return ", ".join(f"{name} {share:+.2f}" for name, share in shares if abs(share) >= LEAST)
