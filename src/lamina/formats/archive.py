r"""Archives: all that a scope has, as JSON Lines that lose nothing.

The first line says what it is: `{"lamina": "archive", "version": 2, "scope": {...}, "encoder":
"...", "lines": 17}`; each of the lines after it holds one thing under the name of its sort, such
as `{"message": {...}}`. Lines are ASCII: what JSON writes as `\u...` is read back exactly, NUL
and lone surrogates too.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, dataclass, fields
from datetime import datetime
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from lamina import times
from lamina.errors import BadInput, FormatError
from lamina.formats.documents import expect, member
from lamina.model import Gone, Link, Message, Note, Scope, Value
from lamina.ports import Archive, Grant, Operation

VERSION = 2
OLDER = (1,)
"""Versions that are read too. The first had no items and nothing of atomic notes."""
BYTES = "utf-8"
"""The name under which a text stands as hexadecimal UTF-8 that JSON would change: one in which the
two halves of a surrogate pair follow each other."""

Kind = TypeVar("Kind")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Header(Value):
    """What the first line of an archive says."""

    scope: Scope
    """Whose it was."""
    encoder: str
    """The id of the encoder's space in the store it comes from; vectors are made anew."""
    lines: int
    """How many follow."""


def write(scope: Scope, encoder: str, archive: Archive) -> Iterator[str]:
    """Yield the lines of an archive, each with its line end."""
    held = _held(archive)
    lines = sum(map(len, held.values()))
    header = Header(scope=scope, encoder=encoder, lines=lines).to_dict()
    owner = _packed(scope.to_dict())
    yield _line({"lamina": "archive", "version": VERSION, **header, "scope": owner})
    for sort, records in held.items():
        for record in records:
            yield _line({sort: _packed(_told(record))})


def read(lines: Iterable[str]) -> tuple[Header, Archive]:
    """Return what an archive holds.

    Raises:
        FormatError: A line is not what `write` makes, or some are missing; it says which.
    """
    numbered = ((number, line) for number, line in enumerate(lines, 1) if line.strip())
    first = next(numbered, None)
    if first is None:
        raise FormatError("the archive is empty")
    header = _header(_parsed(first[1], f"line {first[0]}"), f"line {first[0]}")
    held: dict[str, list[Any]] = {sort: [] for sort in _SORTS}
    found = 0
    for number, line in numbered:
        sort, record = _record(_parsed(line, f"line {number}"), f"line {number}")
        held[sort].append(record)
        found += 1
    if found != header.lines:
        raise FormatError(f"the archive has {found} lines after the first, not {header.lines}")
    return header, _archive(held)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Closed(Value):
    session: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Consolidated(Value):
    message: str
    operation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Configuration(Value):
    kept: Mapping[str, Any]


_SORTS: dict[str, type[Value]] = {
    "operation": Operation,
    "message": Message,
    "closed": _Closed,
    "revision": Note,
    "link": Link,
    "gone": Gone,
    "consolidated": _Consolidated,
    "grant": Grant,
    "configuration": _Configuration,
}
"""What lines hold, in their order: what is named comes before what names it."""
_BY_AN_OPERATION = ("link", "gone")


def _held(archive: Archive) -> dict[str, Sequence[Any]]:
    """Return what an archive holds by its sort, in the order of `_SORTS`."""
    consolidated = sorted(archive.consolidated.items())
    return {
        "operation": archive.operations,
        "message": archive.messages,
        "closed": [_Closed(session=session) for session in archive.closed],
        "revision": archive.revisions,
        "link": archive.links,
        "gone": archive.gone,
        "consolidated": [_Consolidated(message=m, operation=by) for m, by in consolidated],
        "grant": archive.grants,
        "configuration": [_Configuration(kept=archive.configuration)] * bool(archive.configuration),
    }


def _told(record: Any) -> dict[str, Any]:
    """Return a thing as plain data, with the operation that made it where that is told beside."""
    if isinstance(record, tuple):
        value, by = record
        return {**value.to_dict(), "operation": by}
    told: dict[str, Any] = record.to_dict()
    return told


def _record(line: dict[str, Any], where: str) -> tuple[str, Any]:
    """Return the name of a sort and what a line holds of it."""
    if len(line) != 1:
        raise FormatError(f"{where}: expected one thing a line, found {len(line)}")
    [(sort, given)] = line.items()
    if sort not in _SORTS:
        raise FormatError(f"{where}: an archive holds no {sort!r:.60}")
    record, where = expect(given, dict, where), f"{where}: {sort}"
    if sort not in _BY_AN_OPERATION:
        return sort, _decoded(_SORTS[sort], record, where)
    rest = {name: value for name, value in record.items() if name != "operation"}
    by = member(record, "operation", str, where)
    return sort, (_decoded(_SORTS[sort], rest, where), by)


def _archive(held: Mapping[str, list[Any]]) -> Archive:
    return Archive(
        messages=tuple(held["message"]),
        closed=tuple(each.session for each in held["closed"]),
        operations=tuple(held["operation"]),
        revisions=tuple(held["revision"]),
        links=tuple(held["link"]),
        gone=tuple(held["gone"]),
        consolidated={each.message: each.operation for each in held["consolidated"]},
        grants=tuple(held["grant"]),
        configuration=held["configuration"][-1].kept if held["configuration"] else {},
    )


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, allow_nan=False) + "\n"


def _packed(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _pack(value) for name, value in record.items()}


def _pack(value: Any) -> Any:
    if isinstance(value, list):
        return [_pack(each) for each in value]
    if isinstance(value, str) and _PAIR.search(value):
        return {BYTES: value.encode("utf-8", "surrogatepass").hex()}
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, dict):
        return expect(value, str, where)
    try:
        return bytes.fromhex(member(value, BYTES, str, where)).decode("utf-8", "surrogatepass")
    except ValueError as error:
        raise FormatError(f"{where}: expected the hexadecimal UTF-8 of a text") from error


def _parsed(line: str, where: str) -> dict[str, Any]:
    def refuse(constant: str) -> None:
        raise FormatError(f"{where}: expected JSON, which has no {constant}")

    try:
        return expect(json.loads(line, parse_constant=refuse), dict, where)
    except FormatError:
        raise
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{where}: expected JSON ({error})") from error


def _header(given: dict[str, Any], where: str) -> Header:
    if given.get("lamina") != "archive":
        raise FormatError(f'{where}: expected the first line of an archive, "lamina": "archive"')
    if given.get("version") not in (*OLDER, VERSION):
        raise FormatError(
            f"{where}: an archive of version {given.get('version')!r}; this Lamina reads "
            f"up to {VERSION}: upgrade with pip install -U lamina"
        )
    told = {name: value for name, value in given.items() if name not in ("lamina", "version")}
    scope = _decoded(Scope, member(told, "scope", dict, where), f"{where}: scope")
    return _decoded(Header, {**told, "scope": scope}, where)


def _decoded(kind: type[Kind], record: dict[str, Any], where: str) -> Kind:
    """Return a value from what its `to_dict` gave."""
    hints = get_type_hints(kind)
    if unknown := record.keys() - hints.keys():
        raise FormatError(f'{where}: there is no "{min(unknown)}" in it')
    for each in fields(kind):  # type: ignore[arg-type]  # every kind that is read is a dataclass
        if each.name not in record and each.default is each.default_factory is MISSING:
            raise FormatError(f'{where}: expected "{each.name}", which is missing')
    return kind(
        **{name: _value(hints[name], given, f"{where}.{name}") for name, given in record.items()}
    )


def _value(hint: Any, given: Any, where: str) -> Any:
    """Return one member as its type hint says."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is UnionType:
        return None if given is None else _value(inner[0], given, where)
    if origin is Literal:
        if given not in inner:
            raise FormatError(f"{where}: expected one of {', '.join(inner)}, found {given!r:.60}")
        return given
    if origin is tuple:
        items = enumerate(expect(given, list, where))
        return tuple(_value(inner[0], item, f"{where}[{i}]") for i, item in items)
    if hint is str:
        return _text(given, where)
    if hint is datetime:
        return _moment(given, where)
    return _plain(hint if origin is None else dict, given, where)


def _plain(hint: Any, given: Any, where: str) -> Any:
    if hint is float:
        return _number(given, where)
    if not isinstance(given, hint) or (hint is int and isinstance(given, bool)):
        raise FormatError(f"{where}: expected {_NAMES[hint]}, found {given!r:.60}")
    return given


def _number(given: Any, where: str) -> float:
    if isinstance(given, int | float) and not isinstance(given, bool):
        with suppress(OverflowError):
            if math.isfinite(given):
                return float(given)
    raise FormatError(f"{where}: expected a finite number, found {given!r:.60}")


_NAMES = {bool: "true or false", int: "a whole number", dict: "an object", Scope: "an object"}


def _moment(given: Any, where: str) -> datetime:
    try:
        return times.parse(expect(given, str, where))
    except FormatError:
        raise
    except BadInput as error:
        raise FormatError(f"{where}: {error}") from error
