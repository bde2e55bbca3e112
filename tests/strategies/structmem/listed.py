"""A memory of a few lists, for what a strategy does with a view."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from lamina.identity import note_id
from lamina.model import Changes, Event, Message, Note, NoteDraft, Role, Scope, Step
from lamina.ports import LLM, Batch, Found
from lamina.recall.analysis import terms
from lamina.strategies.structmem import past
from lamina.strategies.structmem.dialogue import words_of

if TYPE_CHECKING:
    from lamina.model import Vectors

NOON = datetime(2024, 3, 9, 12, 0, tzinfo=UTC)
TRUST: tuple[Role, ...] = ("user", "assistant", "tool", "system")
SCOPE = Scope(tenant="", kind="conversation", id="ann-and-bo")


def message(
    text: str,
    speaker: str = "Ann",
    *,
    position: int = 1,
    said_at: datetime | None = None,
    role: Role = "user",
    session: str = "s1",
) -> Message:
    """Return a message; those with higher positions are said a minute later each."""
    said_at = said_at or NOON + timedelta(minutes=position)
    return Message(
        id=f"{session}-{position}",
        session=session,
        role=role,
        speaker=speaker,
        text=text,
        said_at=said_at,
        recorded_at=said_at,
        position=position,
    )


def talk(*lines: tuple[str, str], session: str = "s1", said_at: datetime = NOON) -> list[Message]:
    """Return messages from (speaker, text), a minute apart."""
    return [
        message(text, who, position=n, session=session, said_at=said_at + timedelta(minutes=n))
        for n, (who, text) in enumerate(lines, start=1)
    ]


def note(draft: NoteDraft, messages: Sequence[Message]) -> Note:
    """Return the note that an engine would make of a draft."""
    sources = sorted(
        (m for m in messages if m.id in draft.sources), key=lambda m: (m.said_at, m.position)
    )
    return Note(
        id=draft.revises or note_id(SCOPE, draft),
        kind=draft.kind,
        text=draft.text,
        event=draft.event,
        sources=tuple(m.id for m in sources),
        parents=draft.parents,
        role=max((m.role for m in sources), key=TRUST.index),
        about=draft.about,
        said_by=draft.said_by,
        certainty=draft.certainty,
        supported=draft.supported,
        indexed=draft.indexed,
        began_at=sources[0].said_at,
        said_at=sources[-1].said_at,
        valid_at=draft.valid_at,
        known_at=sources[-1].said_at,
        recorded_at=sources[-1].said_at,
        revision=draft.base + 1,
        operation="op",
    )


class ListedView:
    """A `StepView` of listed messages and notes. Near is what shares the most terms."""

    def __init__(self, messages: Iterable[Message] = (), llm: LLM | None = None) -> None:
        self.messages = list(messages)
        self.notes: dict[str, Note] = {}
        self.llm = llm

    def apply(self, changes: Changes) -> None:
        """Do what an engine would: write the changes down."""
        for draft in changes.notes:
            made = note(draft, self.messages)
            self.notes[made.id] = made
        self.messages = [
            replace(
                m,
                progress=changes.progress.get(m.id, m.progress),
                consolidated=m.consolidated or m.id in changes.consolidated,
            )
            for m in self.messages
        ]

    def bind_batch(self, session: str = "s1", *, closed: bool = False) -> Batch:
        """Return what a bind step would get."""
        waiting = [
            m
            for m in self.messages
            if m.session == session and m.progress in ("pending", "unextracted")
        ]
        step = Step(kind="bind", subject=session)
        return Batch(step=step, messages=tuple(waiting), closed=closed)

    def buffer_batch(self, session: str = "s1", *, closed: bool = True) -> Batch:
        """Return what a consolidate step would get."""
        waiting = [
            m.id
            for m in self.messages
            if m.session == session
            and m.progress in ("bound", "unextracted")
            and not m.consolidated
        ]
        step = Step(kind="consolidate", subject=session)
        return Batch(step=step, events=tuple(self.events(waiting)), closed=closed)

    def preceding(self, message: Message, count: int) -> list[Message]:
        """See `StepView.preceding`."""
        place = (message.said_at, message.position)
        session = [m for m in self.messages if m.session == message.session]
        return [m for m in session if (m.said_at, m.position) < place][-count:]

    def following(self, message: Message, count: int) -> list[Message]:
        """Unused by these strategies."""
        raise NotImplementedError

    def nearest(
        self, texts: Sequence[str], k: int, *, before: datetime, exclude: Iterable[str] = ()
    ) -> list[list[Found]]:
        """See `StepView.nearest`."""
        left_out = set(exclude)
        entries: list[Note | Message] = [
            *(n for n in self.notes.values() if n.indexed and not left_out & set(n.sources)),
            *(m for m in self.messages if m.id not in left_out),
        ]
        earlier = [entry for entry in entries if entry.said_at < before]
        return [self._nearest(text, earlier, k) for text in texts]

    def near_to(self, message_ids: Sequence[str], k: int, *, before: datetime) -> list[Found]:
        """See `StepView.near_to`."""
        query = "\n".join(map(_sound_text, self.events(message_ids)))
        [found] = self.nearest([query], k, before=before, exclude=message_ids)
        return found

    def kin(self, notes: Sequence[Note], k: int) -> list[list[Found]]:
        """See `StepView.kin`."""
        facts = [n for n in self.notes.values() if n.kind == "fact"]
        return [
            self._nearest(note.text, [n for n in facts if n.id != note.id], k) for note in notes
        ]

    def _nearest(self, text: str, entries: Sequence[Note | Message], k: int) -> list[Found]:
        asked = set(terms(text))
        found = [
            Found(entry=e, similarity=len(asked & set(terms(e.text))) / (1 + len(asked)))
            for e in entries
        ]
        return sorted(found, key=lambda f: (-f.similarity, f.entry.id))[:k]

    def events(self, message_ids: Sequence[str]) -> list[Event]:
        """See `StepView.events`."""
        known = {m.id: m for m in self.messages}
        return [
            Event(message=known[i], notes=tuple(n for n in self.notes.values() if n.event == i))
            for i in message_ids
            if i in known
        ]

    def authors(self, message_ids: Sequence[str]) -> dict[str, str]:
        """See `StepView.authors`."""
        return {m.id: m.author for m in self.messages if m.id in message_ids and m.author}

    def refused(self, note_ids: Sequence[str]) -> dict[str, frozenset[str]]:
        """Unused by these strategies."""
        raise NotImplementedError

    def encode(self, texts: Sequence[str]) -> "Vectors":
        """Unused by these strategies."""
        return np.zeros((len(texts), 1), dtype=np.float32)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """A token for every four characters."""
        return [-(-len(text) // 4) for text in texts]


def _sound_text(event: Event) -> str:
    notes = [note.text for note in past.sound(event.notes)]
    return "\n".join(notes) if notes else words_of(event.message)
