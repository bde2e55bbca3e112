"""Files of lines, read one at a time: tables and JSON values, packed or not.

What a line is read into is made whole or not at all: where making it fails, its place and the
reason are yielded instead.
"""

from __future__ import annotations

import csv
import gzip
import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import DEFAULT_BUFFER_SIZE
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias, cast

from lamina.errors import FormatError
from lamina.formats.recommending.records import Fault, Read
from lamina.items import Interaction, Item

Made: TypeAlias = Iterable[Item | Interaction]
Cells: TypeAlias = dict[str, str]
FromCells: TypeAlias = Callable[[Cells, int], Made]
"""Given the cells by column and the line's number; raises `FormatError` if they will not do."""
FromFields: TypeAlias = Callable[[Sequence[str], int], Made]
FromValue: TypeAlias = Callable[[dict[str, Any], int], Made]

GZIP = b"\x1f\x8b"
LONGEST_VALUE = 1 << 24
"""Characters of one JSON value over several lines; what is longer is not one."""


def opened(path: Path) -> BinaryIO:
    """Open a file, unpacking it if it is gzip. Raises `FormatError` if it cannot be read."""
    try:
        with path.open("rb") as file:
            packed = file.read(len(GZIP)) == GZIP
        return cast("BinaryIO", gzip.open(path)) if packed else path.open("rb", DEFAULT_BUFFER_SIZE)
    except OSError as error:
        raise FormatError(f"{path}: cannot be read: {error.strerror or error}") from error


def numbered(path: Path, *, latin: bool = False) -> Iterator[tuple[int, str]]:
    """Yield each line with its number, from 1; what is not UTF-8 in it as lone surrogates.

    Args:
        path: The file.
        latin: Whether a line that is not UTF-8 is Latin-1.

    Raises:
        FormatError: It cannot be read, or breaks off where it is packed.
    """
    with opened(path) as file:
        lines = enumerate(file, 1)
        while True:
            try:
                number, line = next(lines)
            except StopIteration:
                return
            except (OSError, EOFError) as error:
                raise FormatError(f"{path.name}: cannot be read on: {error}") from error
            yield (
                number,
                _decoded(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line, latin),
            )


def _decoded(line: bytes, latin: bool) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("latin-1") if latin else line.decode("utf-8", "surrogateescape")


def fields(path: Path, separator: str, make: FromFields, *, latin: bool = False) -> Iterator[Read]:
    """Yield what is made of each line that is not blank, cut at a separator; nothing is quoted."""
    for number, line in numbered(path, latin=latin):
        if line.strip():
            cut = line.rstrip("\r\n").split(separator)
            yield from _made(path, number, _of_row, make, cut)


def table(
    path: Path, make: FromCells, *, separator: str | None = ",", quoted: bool = True
) -> Iterator[Read]:
    """Yield what is made of each row of a table whose first line names the columns.

    Args:
        path: The file.
        make: Given the cells by the names of the columns.
        separator: Between cells; `None`: what the first line has most of.
        quoted: Whether a cell in quotes may hold separators and ends of lines.

    Raises:
        FormatError: The file is empty, or a column occurs twice.
    """
    rows = _rows(path, separator) if quoted else _cut(path, separator or "\t")
    head = next(rows, None)
    if head is None or isinstance(head, Fault):
        raise FormatError(f"{path.name}: {head.what if head else 'the file is empty'}")
    columns = [name.strip() for name in head[1]]
    if twice := {name for name in columns if columns.count(name) > 1}:
        raise FormatError(f"{path.name}: the column {min(twice)!r} occurs twice")
    for row in rows:
        if isinstance(row, Fault):
            yield row
        elif any(row[1]):
            yield from _made(path, row[0], _of_cells, make, columns, row[1])


def values(path: Path, make: FromValue) -> Iterator[Read]:
    """Yield what is made of each JSON object: one a line, one over several, or in a list."""
    for number, text in _texts(path):
        yield from _made(path, number, _of_text, make, text)


def first_value(path: Path) -> dict[str, Any] | None:
    """Return the first JSON object of a file, or `None` if it does not begin with one."""
    try:
        _, text = next(iter(_texts(path)), (0, ""))
        value = _parsed(text)
    except FormatError:
        return None
    value = value[0] if isinstance(value, list) and value else value
    return value if isinstance(value, dict) else None


def _made(path: Path, number: int, make: Callable[..., Made], *given: Any) -> Iterator[Read]:
    try:
        made = tuple(make(number, *given))
    except FormatError as error:
        yield Fault(f"{path.name}, line {number}", str(error))
    else:
        yield from made


def _of_row(number: int, make: FromFields, row: list[str]) -> Made:
    return make(_whole(row), number)


def _of_cells(number: int, make: FromCells, columns: list[str], row: list[str]) -> Made:
    return make(_cells(columns, row), number)


def _of_text(number: int, make: FromValue, text: str) -> Made:
    value = _parsed(text)
    for each in value if isinstance(value, list) else [value]:
        if not isinstance(each, dict):
            raise FormatError(f"expected a JSON object, found {each!r:.60}")
        yield from make(each, number)


def _cells(columns: list[str], row: list[str]) -> Cells:
    if len(row) != len(columns):
        raise FormatError(f"expected {len(columns)} columns, found {len(row)}")
    return dict(zip(columns, _whole(row), strict=True))


def _whole(row: list[str]) -> list[str]:
    """Return the cells as they are. Raises `FormatError` if one is not text."""
    for cell in row:
        if not cell.isascii() and any("\ud800" <= char <= "\udfff" for char in cell):
            raise FormatError("not UTF-8 text")
    return row


def _rows(path: Path, separator: str | None) -> Iterator[tuple[int, list[str]] | Fault]:
    """Yield the rows of a table, each with the number of its first line."""
    lines = (line for _, line in numbered(path))
    first = next(lines, "")
    between = separator or max(",\t;", key=first.count)
    reader = csv.reader(_with(first, lines), delimiter=between, strict=True)
    while True:
        began = reader.line_num + 1
        try:
            yield began, next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield Fault(f"{path.name}, line {began}", f"cannot be cut into columns: {error}")


def _cut(path: Path, separator: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in numbered(path):
        if line.strip():
            yield number, line.rstrip("\r\n").split(separator)


def _with(first: str, rest: Iterator[str]) -> Iterator[str]:
    if first:
        yield first
        yield from rest


def _texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the text of each JSON value with the number of its first line.

    A value ends on the line that it begins on, or on the first line that is indented alike and
    closes it; where neither comes before the next value, it is yielded as far as it goes.
    """
    began, held, indent = 0, "", ""
    for number, line in numbered(path):
        bare = line.strip()
        if held and not _begins(line, indent, bare):
            held += line
            if line.startswith((f"{indent}}}", f"{indent}]")) or len(held) > LONGEST_VALUE:
                yield began, held
                held = ""
            continue
        if held:
            yield began, held
            held = ""
        if bare in ("", "[", "]", ","):
            continue
        if bare.rstrip(",").endswith(("}", "]")) or not bare.startswith(("{", "[")):
            yield number, bare
        else:
            began, held, indent = number, line, line[: len(line) - len(line.lstrip())]
    if held:
        yield began, held


def _begins(line: str, indent: str, bare: str) -> bool:
    """Whether a line begins the next value, seen from an open one that is indented so."""
    return bare.startswith("{") and line.startswith(f"{indent}{{")


def _parsed(text: str) -> Any:
    try:
        return json.loads(
            text.strip().rstrip(","), parse_constant=_no_constant, parse_float=_finite
        )
    except json.JSONDecodeError as error:
        raise FormatError(f"expected a JSON object ({error.msg})") from error
    except (RecursionError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError("a value is nested too deeply or too long") from error


def _no_constant(constant: str) -> None:
    raise FormatError(f"expected JSON, which has no {constant}")


def _finite(written: str) -> float:
    found = float(written)
    if not math.isfinite(found):
        raise FormatError(f"expected a number of a size that can be, found {written:.60}")
    return found
