"""A message as chat programs write it: role, content or text, and what else they tell."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from lamina.errors import FormatError
from lamina.formats.documents import expect, moment, name
from lamina.model import ROLES, Role

TIME_FIELDS = ("timestamp", "created_at", "create_time", "created", "time")
_TEXT_FIELDS = ("content", "text")
_SPEAKER_FIELDS = ("speaker", "name")
_TEXT_PARTS = ("text", "input_text", "output_text", "refusal")


def message(value: Any, where: str, *, apart: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a message as `add` takes it. What has no place of its own goes into its metadata.

    Args:
        value: The object read.
        where: Its place, for errors.
        apart: Fields that the caller deals with.

    Raises:
        FormatError: It is no message.
    """
    given = expect(value, dict, where)
    read: dict[str, Any] = {"role": _role(given, where), "content": _content(given, where)}
    if speaker := first_name(given, _SPEAKER_FIELDS, where):
        read["speaker"] = speaker
    if said_at := first_time(given, where):
        read["timestamp"] = said_at
    if given.get("tool_calls"):
        read["tool_calls"] = expect(given["tool_calls"], list, f"{where}.tool_calls")
    if metadata := _metadata(given, where, apart):
        read["metadata"] = metadata
    return read


def first_time(given: dict[str, Any], where: str) -> datetime | None:
    """Return the time that an object tells under one of the usual names, or `None`."""
    field = _first(given, TIME_FIELDS)
    return moment(given[field], f"{where}.{field}") if field else None


def first_name(given: dict[str, Any], fields: tuple[str, ...], where: str) -> str | None:
    """Return the name that an object tells in the first of `fields` that it has, or `None`."""
    field = _first(given, fields)
    return name(given[field], f"{where}.{field}") if field else None


def said(read: dict[str, Any]) -> tuple[str, ...]:
    """Return what tells one message from another, but for its session."""
    calls = json.dumps(read["tool_calls"], sort_keys=True) if "tool_calls" in read else ""
    return read["role"], read.get("speaker", ""), read["content"], calls


def _first(given: dict[str, Any], fields: tuple[str, ...]) -> str | None:
    return next((field for field in fields if given.get(field) not in (None, "")), None)


def _role(given: dict[str, Any], where: str) -> Role:
    written = expect(given.get("role") or "user", str, f"{where}.role")
    role = ROLES.get(written.lower())
    if role is None:
        raise FormatError(
            f"{where}.role: expected user, assistant, tool or system, found {written!r}"
        )
    return role


def _content(given: dict[str, Any], where: str) -> str:
    field = _first(given, _TEXT_FIELDS)
    if field is None:
        if given.get("tool_calls") or any(f in given for f in _TEXT_FIELDS):
            return ""
        raise FormatError(f'{where}: expected "content" or "text"')
    value = given[field]
    if isinstance(value, list):
        parts = [_part(part, f"{where}.{field}[{i}]") for i, part in enumerate(value)]
        return "\n".join(part for part in parts if part)
    return expect(value, str, f"{where}.{field}")


def _part(part: Any, where: str) -> str:
    if isinstance(part, str):
        return part
    kind = expect(expect(part, dict, where).get("type") or "text", str, f"{where}.type")
    if kind in _TEXT_PARTS:
        text = part.get("text") or part.get("refusal") or ""
        return expect(text, str, f"{where}.text")
    return f"[{kind.removeprefix('input_').removesuffix('_url')}]"


def _metadata(given: dict[str, Any], where: str, apart: tuple[str, ...]) -> dict[str, Any]:
    placed = {"role", "tool_calls", "metadata", *_TEXT_FIELDS, *_SPEAKER_FIELDS, *TIME_FIELDS}
    told = given.get("metadata")
    metadata = {} if told is None else expect(told, dict, f"{where}.metadata")
    rest = {k: v for k, v in given.items() if k not in placed and k not in apart}
    return {**metadata, **{k: v for k, v in rest.items() if v is not None}}
