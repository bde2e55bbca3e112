"""Filling a store quickly: one owner with real vectors, the others with random unit ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np

import lamina
from benchmarks.texts import messages
from lamina.model import Message, Note, Scope
from lamina.ports import (
    Document,
    Encoder,
    EncoderSpace,
    MessageDraft,
    Operation,
    Store,
    Writing,
)
from lamina.recall.analysis import terms
from lamina.work import indexing

if TYPE_CHECKING:
    from lamina.model import Vectors

START = datetime(2026, 1, 1, tzinfo=UTC)
AT_ONCE = 100
"""Messages that are stored, and worked on, together."""


class RandomEncoder:
    """Unit vectors from a text's hash, in another encoder's space: storage alone is measured."""

    def __init__(self, space: EncoderSpace) -> None:
        self.space = space
        self._random = np.random.default_rng(0)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return random unit rows, shape (len(texts), dim)."""
        rows = self._random.standard_normal((len(texts), self.space.dim), dtype=np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of words of each text."""
        return [len(text.split()) for text in texts]


def fill(path: Path, encoder: Encoder, owners: int, each: int) -> None:
    """Store `each` messages of each of `owners` users.

    The first has real vectors, exchanges and extractive notes; of the others only the messages.
    """
    with lamina.open(path, encoder=encoder) as memory:
        fill_one(memory, "owner-0", each)
    with lamina.open(path, encoder=RandomEncoder(encoder.space)) as memory:
        for number in range(1, owners):
            memory.user(f"owner-{number}").add(_said(each, seed=number), infer=False)


def fill_one(memory: lamina.Memory, name: str, each: int) -> None:
    """Store `each` messages of one user, a session every 25, and form memory from them."""
    user = memory.user(name)
    user.add(_said(each))
    user.process()


def _said(count: int, seed: int = 0) -> list[dict[str, Any]]:
    return [
        {"content": text, "timestamp": START + timedelta(minutes=n), "session_id": f"s{n // 25}"}
        for n, text in enumerate(messages(count, seed))
    ]


def fill_notes(store: Store, scope: Scope, encoder: Encoder, count: int, of_each: int) -> None:
    """Store messages a minute apart, their exchanges, and notes on each; revise a tenth of them."""
    store.set_space(encoder.space)
    said, before = list(messages(count)), list[Note]()
    for start in range(0, count, AT_ONCE):
        drafts = [
            MessageDraft(session=f"s{n // 25}", role="user", speaker="ann", text=text,
                         said_at=START + timedelta(minutes=n), timed=True)
            for n, text in enumerate(said[start : start + AT_ONCE], start=start)
        ]  # fmt: skip
        now = drafts[-1].said_at
        turns = _documents([indexing.turn(draft) for draft in drafts], encoder)
        added = store.append(scope, drafts, turns, steps=(), now=now)
        heard = store.messages(scope, [appended.id for appended in added])
        revised = [replace(note, text=f"{note.text} Or not.", revision=2) for note in before[::10]]
        before = _notes(heard, of_each)
        for notes in (before, revised):
            _write(store, scope, notes, [indexing.note(note) for note in notes], encoder)
        for session in dict.fromkeys(message.session for message in heard):
            pairs = store.stale_exchanges(scope, session, AT_ONCE)
            _write(store, scope, (), [indexing.exchange(pair) for pair in pairs], encoder)


def _notes(heard: Sequence[Message], of_each: int) -> list[Note]:
    return [
        Note(id=f"{message.id}-{n}", kind="fact", text=f"{message.text[6:]} Thing {n}.",
             event=message.id, sources=(message.id,), began_at=message.said_at,
             said_at=message.said_at, known_at=heard[-1].said_at, recorded_at=heard[-1].said_at,
             operation="")
        for message in heard
        for n in range(of_each)
    ]  # fmt: skip


def _write(
    store: Store,
    scope: Scope,
    notes: Sequence[Note],
    shown: Sequence[indexing.Text],
    encoder: Encoder,
) -> None:
    """Write in one operation, known and recorded when the last message was said."""
    [last] = store.latest(scope, 1)
    now = last.said_at
    operation = Operation(id=uuid4().hex, kind="bind", known_at=now, recorded_at=now)
    written = tuple(
        replace(n, operation=operation.id, known_at=now, recorded_at=now) for n in notes
    )
    documents = tuple(_documents(shown, encoder))
    store.apply(scope, Writing(operation=operation, notes=written, documents=documents), now=now)


def _documents(texts: Sequence[indexing.Text], encoder: Encoder) -> list[Document]:
    """Return documents as they are made, but for the times that their words name."""
    vectors = encoder.encode([text.shown for text in texts])
    return [
        Document(view=text.view, ref=text.ref, terms=Counter(terms(text.shown)), vector=vector,
                 previous=text.previous)
        for text, vector in zip(texts, vectors, strict=True)
    ]  # fmt: skip
