"""From messages and notes to the documents that recall can find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from lamina.model import Message, Note, View
from lamina.ports import Document, Encoder, Exchange, MessageDraft
from lamina.recall.analysis import terms
from lamina.recall.context import strip_recalled
from lamina.recall.time_words import resolve

if TYPE_CHECKING:
    from lamina.model import Vectors

PREVIOUS_CHARACTERS = 2000
"""How much of the end of the previous turn an exchange shows: enough to tell what is answered."""

TIMELESS = ("user_note", "item_note", "profile", "pattern")
"""Kinds of notes whose words name no times: they tell of when their event was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """What a document shows, before it is encoded."""

    view: View
    ref: str
    shown: str
    words: str
    """The part of `shown` whose time words count."""
    said_at: datetime
    previous: str | None = None


def turn(said: MessageDraft | Message) -> Text:
    """Return how a message is shown alone. What was recalled and came back is not shown again."""
    words = strip_recalled(said.text)
    ref = said.id if isinstance(said, Message) else ""
    shown = words if said.item is not None else f"{said.speaker}: {words}"
    return Text(view="turn", ref=ref, shown=shown, words=words, said_at=said.said_at)


def exchange(pair: Exchange) -> Text:
    """Return how a message is shown after the one before it."""
    words = strip_recalled(pair.message.text)
    before = strip_recalled(pair.previous.text)[-PREVIOUS_CHARACTERS:]
    return Text(
        view="exchange",
        ref=pair.message.id,
        shown=f"{pair.previous.speaker}: {before}\n{pair.message.speaker}: {words}",
        words=words,
        said_at=pair.message.said_at,
        previous=pair.previous.id,
    )


def note(formed: Note) -> Text:
    """Return how a note is shown; see `Note.shown`.

    Years in an atomic note name things, such as films, and a pattern tells of habits.
    """
    return Text(
        view="note",
        ref=formed.id,
        shown=formed.shown,
        words="" if formed.kind in TIMELESS else formed.text,
        said_at=formed.said_at,
    )


def documents(texts: Sequence[Text], encoder: Encoder) -> list[Document]:
    """Encode and analyse texts, in order.

    Raises:
        EncoderUnavailable: The encoder runs on a server that did not answer.
    """
    return shown_by(texts, encoder.encode([text.shown for text in texts]))


def shown_by(texts: Sequence[Text], vectors: Vectors) -> list[Document]:
    """Analyse texts that are encoded already, in order; vectors: shape (len(texts), dim)."""
    return [
        Document(
            view=text.view,
            ref=text.ref,
            terms=Counter(terms(text.shown)),
            vector=vector,
            refers_from=refers_from,
            refers_until=refers_until,
            previous=text.previous,
        )
        for text, vector in zip(texts, vectors, strict=True)
        for refers_from, refers_until in [_refers(text)]
    ]


def _refers(text: Text) -> tuple[int, int]:
    """Return the span from the first to the last time that the words name; (0, 0) without any."""
    ranges = resolve(text.words, text.said_at) if text.words else []
    if not ranges:
        return 0, 0
    return min(r.start for r in ranges), max(r.end for r in ranges)
