"""Tell which layout data are in, by the names of the files and their first lines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lamina.errors import FormatError
from lamina.formats.recommending import amazon, goodreads, mind, movielens, own, recbole, yelp
from lamina.formats.recommending.lines import first_value, numbered
from lamina.formats.recommending.records import LAYOUTS, DataSet, Layout, Part, Peek, Source

PARTS: tuple[Part, ...] = (
    *movielens.PARTS, *mind.PARTS, *recbole.PARTS, *amazon.PARTS, *yelp.PARTS, *goodreads.PARTS,
    *own.PARTS,
)  # fmt: skip
OWN: tuple[Layout, ...] = ("csv", "jsonl")
"""These go together, and give way to the others."""
_ORDER = {"items": 0, "both": 1, "interactions": 2}


def detect(path: Path, layout: Layout | None = None, *, items: Sequence[Path] = ()) -> DataSet:
    """Return the files of a data set, and how they are read.

    Args:
        path: A file, or a folder whose files are looked at; those in folders below it are not.
        layout: Which one it is; `None` to tell by the files.
        items: Further files, that describe items.

    Raises:
        FormatError: There is nothing to read in it, or it could be of several layouts.
    """
    files = [path] if path.is_file() else _files(path)
    sources = _sources(files, layout)
    if not sources:
        raise FormatError(_nothing(path, layout))
    chosen = layout or _only(path, sources)
    read = [source for source in sources if source.part.layout in _alike(chosen)]
    read += [each for each in map(_describing, items) if each not in read]
    read.sort(key=lambda source: _ORDER[source.part.holds])
    there = {source.path for source in read}
    return DataSet(chosen, tuple(read), tuple(f.name for f in files if f not in there))


def _sources(files: Sequence[Path], layout: Layout | None) -> list[Source]:
    """Return the files that are known, of one layout or of any."""
    parts = {file: _part(file, layout) for file in files}
    return [Source(file, part) for file, part in parts.items() if part is not None]


def _describing(file: Path) -> Source:
    """Return a further file that describes items, in whatever layout."""
    for source in _sources([file], None):
        return source
    raise FormatError(_nothing(file, None))


def peek(path: Path) -> Peek:
    """Return what a file shows at first sight. Raises `FormatError` if it cannot be read."""
    name = path.name.lower().removesuffix(".gz")
    first = next((line.rstrip("\r\n") for _, line in numbered(path) if line.strip()), "")
    if first.lstrip()[:1] in ("{", "["):
        return Peek(name, first, value=first_value(path))
    between = max("\t,;", key=first.count)
    columns = tuple(cell.strip().strip('"') for cell in first.split(between))
    return Peek(name, first, columns=columns if len(columns) > 1 else ())


def _files(path: Path) -> list[Path]:
    try:
        return sorted(file for file in path.iterdir() if file.is_file())
    except OSError as error:
        raise FormatError(f"{path}: cannot be read: {error.strerror}") from error


def _part(file: Path, layout: Layout | None) -> Part | None:
    seen = peek(file)
    allowed = None if layout is None else _alike(layout)
    for part in PARTS:
        if (allowed is None or part.layout in allowed) and part.fits(seen):
            return part
    return None


def _alike(layout: Layout) -> tuple[Layout, ...]:
    return OWN if layout in OWN else (layout,)


def _only(path: Path, sources: Sequence[Source]) -> Layout:
    """Return the one layout that the files are of; our own give way to any other."""
    found = [layout for layout in LAYOUTS if any(s.part.layout == layout for s in sources)]
    foreign = [layout for layout in found if layout not in OWN]
    if len(foreign) > 1:
        raise FormatError(
            f"{path}: could be {' or '.join(foreign)}; name one with --format, or a single file"
        )
    return foreign[0] if foreign else found[0]


def _nothing(path: Path, layout: Layout | None) -> str:
    known = ", ".join(LAYOUTS) if layout is None else layout
    return (
        f"{path.name or path}: no data in a layout that is known ({known}); a table needs a first"
        " line such as user,item,timestamp,rating or id,title,description; JSON, objects such as"
        ' {"user": "ann", "item": "a", "rating": 4}'
    )
