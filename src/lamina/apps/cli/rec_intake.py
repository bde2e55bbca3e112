"""Taking in data for recommending: read through first, then stored in parts.

What is stored already is passed over, so going on where it stopped is the same as beginning again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lamina.apps.cli.intake import DIGITS, LONGEST_FILE
from lamina.apps.cli.opening import opened_recommender
from lamina.apps.cli.options import Where
from lamina.apps.cli.progress import Advance, progress
from lamina.errors import FormatError
from lamina.formats.recommending import DataSet, Fault, Layout, Read, detect
from lamina.formats.recommending.records import Holds
from lamina.formats.recommending.statistics import MOST_FAULTS, Statistics, Tally
from lamina.identity import digest
from lamina.items import Interaction, Item
from lamina.model import Value

if TYPE_CHECKING:
    from lamina.memory import Added

T = TypeVar("T")

ITEMS_AT_ONCE, INTERACTIONS_AT_ONCE = 256, 2_000
"""In one transaction: what an interruption may undo. Items are encoded, which takes longer."""
TOLD_EVERY = 10_000
"""Lines between signs of life while a file is read through."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Data that were read through."""

    path: Path
    data: DataSet
    statistics: Statistics
    rows: int
    """Items and interactions to store."""
    limit: int | None

    def read(self, only: Holds) -> Iterator[Read]:
        """Yield what there is to store, from the files that hold such."""
        return _limited(self.data.read(only), self.limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported(Value):
    """What became of data."""

    recommender: str
    tenant: str
    """Empty where there is only one."""
    layout: Layout
    files: tuple[str, ...]
    ignored: tuple[str, ...]
    """Files of the folder that were not read."""
    items: int
    """Rows that describe items."""
    new_items: int
    """How many of them were not stored before."""
    interactions: int
    new_interactions: int
    operation: str | None
    """The id of what added them, by which they can be rolled back; `None` if nothing was new."""
    hidden: int = 0
    """How many rows were known and do not count, for they were undone or withdrawn."""
    undone_by: tuple[str, ...] = ()
    """The rollbacks that undid them; to restore them, roll these back."""
    statistics: Statistics


def survey(
    path: Path,
    layout: Layout | None,
    *,
    items: Sequence[Path] = (),
    strict: bool = False,
    limit: int | None = None,
    faults: int = MOST_FAULTS,
) -> Plan:
    """Read data through.

    Args:
        path: A file or a folder.
        layout: `None` to tell by the files.
        items: Further files, that describe items.
        strict: Whether one line that cannot be read is one too many.
        limit: Only so many interactions, from the first.
        faults: How many lines that cannot be read are named, if more than `MOST_FAULTS`.

    Raises:
        FormatError: It is in no layout that is known, nothing in it can be read, or, if `strict`,
            one line cannot.
    """
    data = detect(path, layout, items=items)
    tally, rows = Tally(max(faults, MOST_FAULTS)), 0
    with progress("reading") as advance:
        for read in _limited(data.read(), limit):
            if isinstance(read, Fault) and strict:
                raise FormatError(str(read))
            tally.add(read)
            rows += not isinstance(read, Fault)
            if rows % TOLD_EVERY == 0:
                advance(rows, rows)
    found = tally.statistics()
    if not rows:
        why = f": {found.faulty[0]}" if found.faulty else ""
        raise FormatError(f"{path.name}: nothing in it can be read{why}")
    return Plan(path, data, found, rows, limit)


def take(where: Where, plan: Plan, batch: str | None) -> Imported:
    """Store what data hold, all as one operation.

    Args:
        where: Which recommender; it is made if need be.
        plan: The data.
        batch: What names the import; `None`: the file's name and the digest of its content.
    """
    name = batch or _name(plan)
    with opened_recommender(where, create=True) as recommender, progress("importing") as advance:
        count = _Count(plan.rows, advance)
        for items in _parts(plan.read("items"), Item, ITEMS_AT_ONCE):
            count.items(len(items), recommender.add_items(items, batch=name))
        for done in _parts(plan.read("interactions"), Interaction, INTERACTIONS_AT_ONCE):
            given = [_given(each) for each in done]
            count.interactions(len(done), recommender.add_interactions(given, batch=name))
    return Imported(
        recommender=recommender.scope.id,
        tenant=recommender.scope.tenant,
        layout=plan.data.layout,
        files=tuple(source.path.name for source in plan.data.sources),
        ignored=plan.data.ignored,
        items=count.rows[Item],
        new_items=count.new[Item],
        interactions=count.rows[Interaction],
        new_interactions=count.new[Interaction],
        operation=count.operation,
        hidden=count.hidden,
        undone_by=tuple(count.undone_by),
        statistics=plan.statistics,
    )


class _Count:
    """How much was stored so far."""

    def __init__(self, rows: int, advance: Advance) -> None:
        self.rows: dict[type, int] = {Item: 0, Interaction: 0}
        self.new: dict[type, int] = {Item: 0, Interaction: 0}
        self.operation: str | None = None
        self.hidden = 0
        self.undone_by: dict[str, None] = {}
        self._whole, self._advance = rows, advance

    def items(self, rows: int, added: Added) -> None:
        self._add(Item, rows, added)

    def interactions(self, rows: int, added: Added) -> None:
        self._add(Interaction, rows, added)

    def _add(self, kind: type, rows: int, added: Added) -> None:
        self.rows[kind] += rows
        self.new[kind] += added.new
        self.operation = added.operation or self.operation
        self.hidden += added.hidden
        self.undone_by |= dict.fromkeys(added.undone_by)
        self._advance(sum(self.rows.values()), self._whole)


def _parts(read: Iterator[Read], kind: type[T], size: int) -> Iterator[list[T]]:
    chosen: Iterator[T] = (each for each in read if isinstance(each, kind))
    while some := list(islice(chosen, size)):
        yield some


def _given(done: Interaction) -> Interaction | dict[str, Any]:
    """Return an interaction as it is added; by its own name, where the data give it one."""
    if not done.id:
        return done
    return {
        "user": done.user,
        "item": done.item,
        "at": done.at,
        "action": done.action,
        "rating": done.rating,
        "text": done.text,
        "metadata": done.metadata,
        "key": done.id,
    }


def _limited(read: Iterator[Read], limit: int | None) -> Iterator[Read]:
    left = limit
    for each in read:
        if left is not None and isinstance(each, Interaction):
            if left == 0:
                return
            left -= 1
        yield each


def _name(plan: Plan) -> str:
    """Return what names the import of some files: all that is added from them is one operation."""
    contents = []
    for source in plan.data.sources:
        with source.path.open("rb") as file:
            contents.append(file_digest(file, "sha256").hexdigest())
    name = plan.path.resolve().name or "data"
    return f"{name[-LONGEST_FILE:]} {digest(*contents)[:DIGITS]}"
