"""Values with defaults for what a test does not care about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

from lamina.items import DESCRIBE, WINDOW
from lamina.model import (
    At,
    Gone,
    Link,
    Matter,
    Message,
    Note,
    NoteKind,
    Scope,
    ScopeKind,
    Step,
    View,
)
from lamina.ports import (
    Appended,
    Document,
    EncoderSpace,
    MessageDraft,
    Notes,
    Observations,
    Operation,
    Writing,
    is_interaction,
)
from lamina.testing.clock import NOON

if TYPE_CHECKING:
    from numpy.typing import NDArray

SPACE = EncoderSpace(id="tests/1", dim=8, max_tokens=64, languages=frozenset({"en"}))
STEPS = (Step(kind="index", subject="s1"), Step(kind="bind", subject="s1"))


def scope(id_: str = "alice", kind: ScopeKind = "user", tenant: str = "") -> Scope:
    """Return a scope."""
    return Scope(tenant, kind, id_)


def at(minutes: float) -> datetime:
    """Return a moment so many minutes after the noon at which tests begin."""
    return NOON + timedelta(minutes=minutes)


def known(minutes: float) -> At:
    """Return the moment at which only what was known before then shows."""
    return At(as_of=at(minutes))


def recorded(minutes: float) -> At:
    """Return the moment at which only what was recorded before then shows."""
    return At(recorded_as_of=at(minutes))


def draft(text: str = "I moved to Oslo.", **given: Any) -> MessageDraft:
    """Return a message to be stored, said at noon by alice in session s1 unless told otherwise."""
    defaults: dict[str, Any] = {
        "session": "s1",
        "role": "user",
        "speaker": "alice",
        "said_at": NOON,
        "timed": True,
    }
    return MessageDraft(text=text, **defaults | given)


def description(item: str = "m1", text: str = "Alien. Horror.", **given: Any) -> MessageDraft:
    """Return what says what an item is, known at all times unless told otherwise."""
    defaults: dict[str, Any] = {
        "session": "items",
        "role": "tool",
        "speaker": "catalogue",
        "said_at": datetime(1, 1, 1, tzinfo=UTC),
        "infer": False,
        "item": item,
        "action": DESCRIBE,
    }
    return draft(text, **defaults | given)


def act(user: str = "ann", item: str = "m1", minute: float = 0, **given: Any) -> MessageDraft:
    """Return what says that a user rated an item 4, so many minutes after noon."""
    defaults: dict[str, Any] = {
        "session": f"user:{user}",
        "speaker": user,
        "author": f"user:{user}",
        "said_at": at(minute),
        "item": item,
        "action": "rate",
        "rating": 4.0,
    }
    return draft(given.pop("text", "rate 4"), **defaults | given)


def part(user: str = "ann", text: str = "Turns to horror.", **given: Any) -> MessageDraft:
    """Return what says in general terms what a user did in one stretch that ended at noon.

    It is theirs in the pool of the recommender "films".
    """
    defaults: dict[str, Any] = {
        "session": f"user:{user}",
        "speaker": user,
        "author": f"user:{user}",
        "item": "films",
        "action": WINDOW,
    }
    return draft(text, **defaults | given)


def vector(text: str, dim: int = SPACE.dim) -> NDArray[np.float32]:
    """Return a unit vector that depends on `text` alone, shape (dim,)."""
    seed = int.from_bytes(text.encode("utf-8", "surrogatepass")[-32:], "big")
    drawn = np.random.default_rng(seed).normal(size=dim)
    return (drawn / np.linalg.norm(drawn)).astype(np.float32)


def document(view: View, ref: str, text: str, **given: Any) -> Document:
    """Return what recall finds of `text`: its words in lower case, and its vector."""
    terms = Counter(text.lower().replace(".", "").split())
    return Document(view=view, ref=ref, terms=terms, vector=vector(text), **given)


def turn(text: str) -> Document:
    """Return the turn of a message that has no id yet."""
    return document("turn", "", text)


def shown(told: Note) -> str:
    """Return what the document of a note shows: its text, keywords, tags and context.

    Of a pattern text and context alone.
    """
    words = () if told.kind == "pattern" else (*told.keywords, *told.tags)
    return " ".join([told.text, *words, *filter(None, [told.context])])


def operation(
    id_: str = "op1", kind: str = "bind", *, minute: float = 0, **given: Any
) -> Operation:
    """Return an operation, known and recorded so many minutes after noon unless told otherwise."""
    defaults: dict[str, Any] = {"known_at": at(minute), "recorded_at": at(minute)}
    return Operation(id=id_, kind=kind, **defaults | given)


def note(id_: str, text: str = "Alice lives in Oslo.", **given: Any) -> Note:
    """Return a note; it rests on its event unless told otherwise."""
    event = given.get("event")
    kind: NoteKind = "fact"
    defaults: dict[str, Any] = {
        "kind": kind,
        "event": None,
        "sources": (event,) if event else (),
        "began_at": NOON,
        "said_at": NOON,
        "known_at": NOON,
        "recorded_at": NOON,
        "operation": "op1",
    }
    return Note(id=id_, text=text, **defaults | given)


def pattern(id_: str, taken_in: str, text: str = "Turns to horror.", **given: Any) -> Note:
    """Return a pattern, or a revision of one, that takes in one part."""
    kind: NoteKind = "pattern"
    defaults: dict[str, Any] = {"kind": kind, "sources": (taken_in,), "context": "step by step"}
    return note(id_, text, **defaults | given)


def link(source: str, target: str, relation: str = "because") -> Link:
    """Return a link between two notes."""
    return Link(source=source, target=target, relation=relation)


def gone(what: Matter, *ids: str, **given: Any) -> tuple[Gone, ...]:
    """Return the marks that put these out of force, at every moment unless told otherwise."""
    return tuple(Gone(what=what, id=id_, **given) for id_ in ids)


def writing(*notes: Note, id_: str = "op1", minute: float = 0, **given: Any) -> Writing:
    """Return one operation that writes `notes`, with a document for each that is indexed.

    The notes get its id, and are known and recorded when it is.
    """
    made = given.pop("operation", None) or operation(id_, minute=minute)
    known_at, recorded_at = made.known_at, made.recorded_at
    stamped = (
        replace(n, operation=made.id, known_at=known_at, recorded_at=recorded_at) for n in notes
    )
    documents = tuple(document("note", n.id, shown(n)) for n in notes if n.indexed)
    return Writing(
        operation=made,
        notes=tuple(stamped),
        documents=given.pop("documents", documents),
        **given,
    )


def write(store: Notes, owner: Scope, *notes: Note, id_: str, **given: Any) -> None:
    """Apply one `writing`, now."""
    store.apply(owner, writing(*notes, id_=id_, **given), now=NOON)


def undo(store: Notes, owner: Scope, undone: str, *, by: str, minute: float = 0) -> None:
    """Undo an operation by another one."""
    write(store, owner, id_=by, minute=minute, gone=gone("operation", undone))


def exchange(previous: Message, message: Message) -> Document:
    """Return the exchange of two messages."""
    shown = f"{previous.text} {message.text}"
    return document("exchange", message.id, shown, previous=previous.id)


def say(
    store: Observations, owner: Scope, *drafts: MessageDraft | str, steps: Sequence[Step] = STEPS
) -> list[str]:
    """Store messages in one call and return their ids; texts are said a minute apart."""
    return [a.id for a in append(store, owner, drafts, steps=steps)]


def append(
    store: Observations,
    owner: Scope,
    drafts: Iterable[MessageDraft | str],
    **given: Any,
) -> list[Appended]:
    """Store messages in one call; texts are said a minute apart."""
    said = [draft(d, said_at=at(i)) if isinstance(d, str) else d for i, d in enumerate(drafts)]
    defaults: Mapping[str, Any] = {"steps": STEPS, "now": NOON}
    turns = [turn(d.text) for d in said if not is_interaction(d)]
    return store.append(owner, said, turns, **{**defaults, **given})
