"""What every layout of data for recommending is read into, and how a file tells what it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from lamina.items import Interaction, Item
from lamina.model import Value

Layout = Literal[
    "movielens", "amazon", "goodreads", "yelp", "mind", "recbole", "csv", "jsonl",
]  # fmt: skip
LAYOUTS: tuple[Layout, ...] = get_args(Layout)
"""The last two are our own; the others are looked for before them."""
Holds = Literal["items", "interactions", "both"]
ORDER_ONLY = "order_only"
"""In the metadata of an interaction: its time is made up, to keep the order of the file."""


@dataclass(frozen=True, slots=True)
class Fault(Value):
    """A line that cannot be read, and why. Nothing of it is taken."""

    where: str
    """Such as `ratings.csv, line 3`."""
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


Read: TypeAlias = Item | Interaction | Fault


@dataclass(frozen=True, slots=True)
class Peek:
    """What a file shows at first sight."""

    name: str
    """In lower case, without `.gz`."""
    first: str
    """Its first line that is not blank; empty if there is none."""
    value: Mapping[str, Any] | None = None
    """Its first value, if that is a JSON object."""
    columns: tuple[str, ...] = ()
    """The cells of its first line, if it is a table."""

    def tells(self, *names: str) -> bool:
        """Whether its first value has all of these members."""
        return self.value is not None and all(name in self.value for name in names)


@dataclass(frozen=True, slots=True)
class Part:
    """One sort of file of a layout."""

    layout: Layout
    holds: Holds
    fits: Callable[[Peek], bool]
    read: Callable[[Path], Iterator[Read]]


@dataclass(frozen=True, slots=True)
class Source:
    """A file, and how it is read."""

    path: Path
    part: Part

    def read(self) -> Iterator[Read]:
        """Yield what is in it, a line at a time.

        Raises:
            FormatError: The file as a whole is not what it should be.
        """
        return self.part.read(self.path)


@dataclass(frozen=True, slots=True)
class DataSet:
    """The files that make up a set of data, items before interactions."""

    layout: Layout
    sources: tuple[Source, ...]
    ignored: tuple[str, ...] = field(default=())
    """Names of files of the folder that are not read."""

    def read(self, only: Holds = "both") -> Iterator[Read]:
        """Yield all items, interactions, and lines that cannot be read.

        Args:
            only: `items` or `interactions` to pass over the files that hold none of these.

        Raises:
            FormatError: A file as a whole is not what it should be.
        """
        for source in self.sources:
            if "both" in (only, source.part.holds) or source.part.holds == only:
                yield from source.read()
