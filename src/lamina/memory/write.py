"""From what callers pass to what is stored: messages, checked and in order."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate
from typing import Any, TypeAlias

from lamina.errors import BadInput, BadMessage, shown
from lamina.identity import digest, message_ids
from lamina.memory import hidden
from lamina.memory.values import Added
from lamina.model import LONGEST_NAME, ROLES, Role, Scope, Step
from lamina.ports import MessageDraft, Operation, Store
from lamina.times import Moment, parse
from lamina.work import indexing
from lamina.work.engine import Engine

Given: TypeAlias = str | Mapping[str, Any]
"""A message as callers pass it: text, or a mapping as chat models use it."""

MOST = 2**31 - 1
"""What may be asked for at once; every store can count so far."""
DEEPEST = 100
"""How deep metadata may be nested."""
_STEPS_DOWN = {"{": 1, "[": 1, "}": -1, "]": -1}
_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"')
READ = frozenset(
    {"role", "content", "text", "speaker", "name", "timestamp", "key", "metadata", "session_id"}
)
"""What is read of a mapping; the rest is kept as metadata."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """What a call to `add` says for all of its messages."""

    scope: Scope
    session: str
    timestamp: Moment | None
    key: str | None
    infer: bool
    now: datetime
    batch: str | None = None
    """The import that the messages belong to, if any."""
    author: str | None = None
    """Who writes them into a shared space, such as `user:alice`."""
    speakers: Mapping[Role, str] = field(default_factory=dict)
    """Who speaks in a role where the message does not say."""
    epoch: int | None = None
    """What the store said before the caller was let in, so that no erasure since goes unseen."""


def add(engine: Engine, given: Given | Sequence[Given], defaults: Defaults) -> Added:
    """Store messages; when this returns they are durable and recallable.

    Raises:
        BadMessage: A message cannot be stored as given; none of them was.
        StoreError: Nothing was written.
    """
    scope = defaults.scope
    epoch = engine.store.epoch(scope) if defaults.epoch is None else defaults.epoch
    drafts = read(given, defaults)
    ids = message_ids(scope, drafts)
    known = engine.store.known(scope, ids)
    if len(known) == len(set(ids)):
        return hidden.marked(engine.store, scope, Added(ids=tuple(ids), new=0), known)
    operation = _operation(engine.store, drafts, ids, defaults)
    appended = engine.store.append(
        scope,
        drafts,
        indexing.documents([indexing.turn(draft) for draft in drafts], engine.encoder),
        steps=_steps(drafts),
        now=defaults.now,
        epoch=epoch,
        operation=operation,
    )
    new = sum(a.new for a in appended)
    added = Added(
        ids=tuple(a.id for a in appended), new=new, operation=operation.id if new else None
    )
    return hidden.marked(engine.store, scope, added, known)


def read(given: Given | Sequence[Given], defaults: Defaults) -> list[MessageDraft]:
    """Check what was passed and return it as drafts, in order."""
    messages = [given] if isinstance(given, str | Mapping) else list(given)
    if not messages:
        raise BadInput("there is nothing to add; pass at least one message")
    if defaults.key is not None and len(messages) > 1:
        raise BadInput("one key names one message; give each message a `key` of its own")
    return [_draft(message, place, defaults) for place, message in enumerate(messages)]


def name(what: str, given: object) -> str:
    """Return a name (of a user, session, speaker, ...) if it can be one.

    Raises:
        BadInput: It is no text, blank, or too long.
    """
    if not isinstance(given, str) or not given.strip():
        raise BadInput(f"{what} must be a text that is not blank, not {shown(given)}")
    if len(given) > LONGEST_NAME:
        raise BadInput(f"{what} has {len(given)} characters; at most {LONGEST_NAME} are allowed")
    return given


def identifier(given: object) -> str:
    """Return the id of something that is asked for, if it can be one.

    Raises:
        BadInput: It is no text.
    """
    if not isinstance(given, str):
        raise BadInput(f"an id is a text, not {shown(given)}; `list` and `messages` show them")
    return given


def whole(what: str, given: object, least: int = 1) -> int:
    """Return a number of things (how many, from where) if it can be one.

    Raises:
        BadInput: It is no whole number from `least` to `MOST`.
    """
    if not isinstance(given, int) or isinstance(given, bool) or not least <= given <= MOST:
        raise BadInput(f"{what} must be a whole number from {least} to {MOST}, not {shown(given)}")
    return given


def _draft(given: Given, place: int, defaults: Defaults) -> MessageDraft:
    message: Mapping[str, Any] = {"content": given} if isinstance(given, str) else given
    if not isinstance(message, Mapping):
        raise BadMessage(f"message {place} is neither a text nor a mapping: {type(given).__name__}")
    role = _role(message.get("role", "user"), place)
    timestamp = message.get("timestamp", defaults.timestamp)
    key = message.get("key", defaults.key)
    return MessageDraft(
        session=name("session_id", message.get("session_id", defaults.session)),
        role=role,
        speaker=_speaker(message, role, defaults),
        text=_text(message, place),
        said_at=defaults.now if timestamp is None else parse(timestamp),
        timed=timestamp is not None,
        key=None if key is None else name("key", key),
        metadata=_metadata(message, place),
        infer=defaults.infer,
        author=defaults.author,
    )


def _role(given: object, place: int) -> Role:
    try:
        return ROLES[str(given).lower()]
    except KeyError:
        raise BadMessage(
            f"message {place} has the unknown role {shown(given)}; use one of {', '.join(ROLES)}"
        ) from None


def _speaker(message: Mapping[str, Any], role: Role, defaults: Defaults) -> str:
    """Return who speaks: as told, else who adds it or whose scope it is, else the role itself."""
    told = message.get("speaker", message.get("name"))
    if told is not None:
        return name("speaker", told)
    if role in defaults.speakers:
        return defaults.speakers[role]
    return defaults.scope.id if role == "user" and defaults.scope.kind == "user" else role


def _text(message: Mapping[str, Any], place: int) -> str:
    content = message.get("content", message.get("text"))
    parts = content if isinstance(content, list) else [content]
    lines = [shown for part in parts for shown in [_part(part, place)] if shown]
    lines += [_tool_call(call) for call in _tool_calls(message, place)]
    text = "\n".join(lines)
    if not text.strip():
        raise BadMessage(f"message {place} is blank; there is nothing to remember in it")
    return text


def _part(part: object, place: int) -> str:
    """Return one part of a message's content as text; what is not text is named in brackets."""
    if part is None or isinstance(part, str):
        return part or ""
    if isinstance(part, Mapping):
        told = part.get("text")
        return told if isinstance(told, str) else f"[{part.get('type', 'attachment')}]"
    raise BadMessage(f"message {place} has content that is not text: {type(part).__name__}")


def _tool_calls(message: Mapping[str, Any], place: int) -> list[object]:
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list | tuple):
        raise BadMessage(f"message {place} has tool_calls that are no list: {type(calls).__name__}")
    return list(calls)


def _tool_call(call: object) -> str:
    function = call.get("function", call) if isinstance(call, Mapping) else {}
    called = function if isinstance(function, Mapping) else {}
    return f"[calls {called.get('name', 'a tool')}({called.get('arguments', '')})]"


def _metadata(message: Mapping[str, Any], place: int) -> Mapping[str, Any]:
    rest = {k: v for k, v in message.items() if k not in READ}
    told = message.get("metadata") or {}
    if not isinstance(told, Mapping):
        raise BadMessage(f"message {place} has metadata that is no mapping: {type(told).__name__}")
    metadata = {**told, **rest}
    if wrong := no_json(metadata):
        raise BadMessage(f"message {place} has metadata that is no JSON: {wrong}")
    return metadata


def no_json(given: Mapping[str, Any]) -> str:
    """Return why a mapping cannot be kept as JSON; empty if it can."""
    try:
        told = json.dumps(dict(given), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        return str(error)
    depth = max(accumulate(_STEPS_DOWN.get(c, 0) for c in _STRINGS.sub("", told)), default=0)
    return f"it is nested {depth} deep; {DEEPEST} is the most" if depth > DEEPEST else ""


def _steps(drafts: Sequence[MessageDraft]) -> list[Step]:
    """Return the work that messages cause: exchanges always, memory where it is asked for."""
    sessions = dict.fromkeys(d.session for d in drafts)
    formed = dict.fromkeys(d.session for d in drafts if d.infer)
    return [
        *(Step(kind="index", subject=s) for s in sessions),
        *(Step(kind="bind", subject=s) for s in formed),
    ]


def _operation(
    store: Store, drafts: Sequence[MessageDraft], ids: Sequence[str], defaults: Defaults
) -> Operation:
    """Return what adds the messages: the call, or the import of which the call is a part."""
    cause = defaults.author or "a person"
    if defaults.batch is None:
        kind, id_ = "add", _id(defaults.scope, "add", defaults.now.isoformat(), *ids)
    else:
        batch = name("batch", defaults.batch)
        kind, id_, cause = "import", import_id(store, defaults.scope, cause, batch), batch
    return Operation(
        id=id_,
        kind=kind,
        cause=cause,
        known_at=max(draft.said_at for draft in drafts),
        recorded_at=defaults.now,
    )


def import_id(store: Store, scope: Scope, who: str, batch: str) -> str:
    """Return the id of an import of this name; of a further one, if those before were undone."""
    attempt = 1
    while True:
        id_ = _id(scope, "import", who, batch, attempt)
        found = store.operations(scope, [id_])
        if not found or found[0].undone_by is None:
            return id_
        attempt += 1


def _id(scope: Scope, *parts: str | int) -> str:
    return digest(scope.tenant, scope.kind, scope.id, *parts)
