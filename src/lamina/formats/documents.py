"""JSON documents and JSON Lines, read strictly: every error says where, and what was expected."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from lamina import times
from lamina.errors import BadInput, FormatError
from lamina.model import LONGEST_NAME

Kind = TypeVar("Kind", str, dict[str, Any], list[Any])

MILLISECONDS_FROM = 1e11
"""Unix times from here on are milliseconds: as seconds they would lie past the year 5000."""

_NAMES: dict[type, str] = {
    str: "text", dict: "an object", list: "a list", bool: "true or false", int: "a number",
    float: "a number", type(None): "null",
}  # fmt: skip


def load(path: Path) -> Any:
    """Return the JSON document in a file; UTF-8 with or without a mark, or UTF-16.

    Raises:
        FormatError: It cannot be read, is empty, or is not JSON.
    """
    with _opened(path) as file:
        data = file.read()
    if not data.strip():
        raise FormatError(f"{path.name}: the file is empty")
    return _parse(data, path.name)


def lines(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield where it stands and its value for each line that is not blank.

    Raises:
        FormatError: The file cannot be read, or a line is not JSON.
    """
    with _opened(path) as file:
        for number, line in enumerate(file, 1):
            line = _unmarked(line) if number == 1 else line
            if line.strip():
                where = f"{path.name}, line {number}"
                yield where, _parse(line, where)


def values(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the values of a file that may be one document or a value a line.

    It is read by lines if its first line is a whole value.
    """
    if by_lines(path):
        yield from lines(path)
    else:
        yield f"{path.name}: $", load(path)


def by_lines(path: Path) -> bool:
    """Whether a file's first line that is not blank is a whole JSON value."""
    with _opened(path) as file:
        first = next((line for line in map(_unmarked, file) if line.strip()), b"")
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return True


def expect(value: Any, kind: type[Kind], where: str) -> Kind:
    """Return `value` if it is of `kind`: text, an object or a list. Raises `FormatError`."""
    if isinstance(value, kind):
        return value
    raise FormatError(f"{where}: expected {_NAMES[kind]}, found {_NAMES[type(value)]}")


def member(holder: dict[str, Any], name: str, kind: type[Kind], where: str) -> Kind:
    """Return the member `name` of an object. Raises `FormatError` if it is missing or not so."""
    if name not in holder:
        raise FormatError(f'{where}: expected "{name}", which is missing')
    return expect(holder[name], kind, f"{where}.{name}")


def moment(value: Any, where: str) -> datetime | None:
    """Return a time given as ISO 8601 text or as Unix seconds or milliseconds; `None` if absent.

    Raises:
        FormatError: It is neither.
    """
    if value is None or value == "":
        return None
    given = expect(value, str, where) if not _is_number(value) else value
    try:
        return times.parse(given) if isinstance(given, str) else _unix(given)
    except (BadInput, OverflowError, ValueError, OSError) as error:
        raise FormatError(
            f"{where}: expected a time like 2026-03-04T10:00:00+01:00 or Unix seconds,"
            f" found {value!r:.60}"
        ) from error


def name(value: Any, where: str) -> str:
    """Return a name of something (a speaker, a session, a key). Raises `FormatError`.

    Numbers will do; blank text, and text longer than a name may be, will not.
    """
    text = str(value) if _is_number(value) else expect(value, str, where)
    if not text.strip() or len(text) > LONGEST_NAME:
        raise FormatError(f"{where}: expected a name of 1 to {LONGEST_NAME} characters")
    return text


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _unix(number: float) -> datetime:
    seconds = number / 1000 if abs(number) >= MILLISECONDS_FROM else number
    return datetime.fromtimestamp(seconds, UTC)


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise FormatError(f"{path}: cannot be read: {error.strerror}") from error


def _unmarked(line: bytes) -> bytes:
    return line.removeprefix(b"\xef\xbb\xbf")


def _parse(data: bytes, where: str) -> Any:
    def refuse(constant: str) -> None:
        raise FormatError(f"{where}: expected JSON, which has no {constant}")

    try:
        return json.loads(data, parse_constant=refuse)
    except FormatError:
        raise
    except json.JSONDecodeError as error:
        at = "" if ", line " in where else f", line {error.lineno}"
        raise FormatError(
            f"{where}{at}, column {error.colno}: expected JSON ({error.msg})"
        ) from error
    except UnicodeDecodeError as error:
        raise FormatError(f"{where}: not UTF-8 text; save the file as UTF-8") from error
    except (RecursionError, ValueError) as error:
        raise FormatError(f"{where}: a value is nested too deeply or too long") from error
