"""The state of a recommender or pool as arrays: see `lamina.ports.Graph`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from lamina.adapters.in_memory.visible import Visible, said
from lamina.model import Message, Note
from lamina.ports import (
    ALWAYS,
    DESCRIPTION,
    NEVER,
    NOTE_KINDS,
    EncoderSpace,
    Graph,
    Support,
    VectorRows,
    is_interaction,
)
from lamina.times import to_micros

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Row:
    """What one document shows, for as long as it counts."""

    document: int
    ref: str
    kind: int
    owner: Message | None
    """Its event, or without one its last source; a description itself."""
    user: str | None
    item: str | None
    done_at: int
    since: int
    until: int


@dataclass(frozen=True, slots=True)
class Taken:
    """What a revision of a pattern took in, for as long as it counts."""

    note: Note
    part: Message
    since: int
    until: int


@dataclass(frozen=True)
class Gathered:
    """What a graph is made of."""

    visible: Visible

    @cached_property
    def interactions(self) -> list[Message]:
        """In the order done."""
        return sorted((m for m in self._messages if is_interaction(m)), key=said)

    @cached_property
    def _messages(self) -> list[Message]:
        """Those about items that count at any moment, as recorded."""
        return [
            message
            for message in self.visible.state.messages.values()
            if message.item is not None
            and self.visible.stands(message.operation)
            and self.until(message) != ALWAYS
        ]

    def until(self, message: Message) -> int:
        """Return until when a message is told."""
        return self.visible.ends.get(("message", message.id, 0), NEVER)

    @cached_property
    def rows(self) -> list[Row]:
        """By document, as they were written."""
        described = (self._description(m) for m in self._messages if not is_interaction(m))
        noted = (row for each in self.visible.of_note.values() for row in self._noted(each))
        return sorted((*described, *noted), key=lambda row: row.document)

    def _description(self, message: Message) -> Row:
        done_at = to_micros(message.said_at)
        return Row(
            document=self._turns[message.id],
            ref=message.id,
            kind=DESCRIPTION,
            owner=message,
            user=None,
            item=message.item,
            done_at=done_at,
            since=done_at,
            until=self.until(message),
        )

    @cached_property
    def _turns(self) -> dict[str, int]:
        documents = self.visible.state.documents.items()
        return {document.ref: id_ for id_, document in documents if document.view == "turn"}

    def _noted(self, revisions: Sequence[Note]) -> Iterator[Row]:
        """Yield a row for each stretch of time in which one document shows a note."""
        shown, ends = self.visible.state.shown, self.visible.ends
        first: dict[int | None, Note] = {}
        for note in revisions:
            end = ends.get(("revision", note.id, note.revision), NEVER)
            if end != ALWAYS and self.visible.stands(note.operation):
                first.setdefault(shown.get((note.id, note.revision)), note)
        stretches = self._stretches(revisions)
        for document, each in groupby(stretches, key=lambda stretch: stretch[0]):
            if document is not None:
                spans = list(each)
                yield self._note(first[document], document, spans[0][1], spans[-1][2])

    def _stretches(self, revisions: Sequence[Note]) -> Iterator[tuple[int | None, int, int]]:
        """Yield from when until when which document shows the latest revision."""
        shown = self.visible.state.shown
        spans = list(self._spans(revisions))
        moments = sorted({moment for span in spans for moment in span[:2]})
        for since, until in pairwise(moments):
            latest = [note for start, end, note in spans if start <= since and until <= end]
            last = latest[-1] if latest else None
            document = shown.get((last.id, last.revision)) if last else None
            yield document, since, until

    def _spans(self, revisions: Iterable[Note]) -> Iterator[tuple[int, int, Note]]:
        """Yield from when until when each revision counts, if it does at any moment."""
        ends = self.visible.ends
        for note in revisions:
            since = to_micros(note.known_at)
            until = min(
                ends.get(("note", note.id, 0), NEVER),
                ends.get(("revision", note.id, note.revision), NEVER),
            )
            if since < until and self.visible.stands(note.operation):
                yield since, until, note

    @cached_property
    def support(self) -> list[Taken]:
        """Of the patterns that have rows, as they were written."""
        state = self.visible.state
        taking = (n for n in state.revisions.values() if n.kind == "pattern" and n.sources)
        return [
            Taken(note, state.messages[note.sources[-1]], since, until)
            for since, until, note in self._spans(taking)
            if note.id in self.notes
        ]

    def _note(self, note: Note, document: int, since: int, until: int) -> Row:
        messages = self.visible.state.messages
        event = messages[note.event] if note.event is not None else None
        owner = event or (messages[note.sources[-1]] if note.sources else None)
        return Row(
            document=document,
            ref=note.id,
            kind=NOTE_KINDS.index(note.kind),
            owner=owner,
            user=_whose(note, owner),
            item=event.item if event else None,
            done_at=to_micros(owner.said_at if owner else note.said_at),
            since=since,
            until=until,
        )

    @cached_property
    def users(self) -> dict[str, int]:
        """Numbers of users."""
        spoke = [
            *self.interactions,
            *(r.owner for r in self.rows if r.user is not None and r.owner),
            *(taken.part for taken in self.support),
        ]
        return _numbered(message.speaker for message in sorted(spoke, key=_position))

    @cached_property
    def items(self) -> dict[str, int]:
        """Numbers of items."""
        owners = (row.owner for row in self.rows if row.item is not None)
        told = [*self._messages, *(owner for owner in owners if owner)]
        return _numbered(m.item for m in sorted(told, key=_position) if m.item is not None)

    @cached_property
    def actions(self) -> dict[str, int]:
        """Numbers of actions."""
        return _numbered(m.action or "" for m in sorted(self.interactions, key=_position))

    @cached_property
    def notes(self) -> dict[str, int]:
        """Numbers of notes."""
        return _numbered(row.ref for row in self.rows if row.kind >= 0)

    @cached_property
    def links(self) -> dict[tuple[str, str], int]:
        """From when on which two are known to be linked."""
        found: dict[tuple[str, str], int] = {}
        for link, by in self.visible.state.links:
            if self.visible.stands(by) and {link.source, link.target} <= self.notes.keys():
                known_at = to_micros(self.visible.state.operations[by].known_at)
                ends = (link.source, link.target)
                found[ends] = min(found.get(ends, NEVER), known_at)
        return found


def graph(visible: Visible, space: EncoderSpace | None) -> Graph:
    """Return all of a recommender or pool as arrays."""
    found = Gathered(visible)
    done, rows, links = found.interactions, found.rows, found.links
    return Graph(
        users=tuple(found.users),
        items=tuple(found.items),
        by=_array([found.users[m.speaker] for m in done], np.int32),
        of=_array([found.items[m.item or ""] for m in done], np.int32),
        said_at=_array([to_micros(m.said_at) for m in done], np.int64),
        gone_at=_array([found.until(m) for m in done], np.int64),
        ratings=_array([np.nan if m.rating is None else m.rating for m in done], np.float32),
        actions=_array([found.actions[m.action or ""] for m in done], np.int16),
        action_names=tuple(found.actions),
        messages=tuple(m.id for m in done),
        kinds=_array([row.kind for row in rows], np.int8),
        refs=tuple(row.ref for row in rows),
        whose=_array([-1 if r.user is None else found.users[r.user] for r in rows], np.int32),
        about=_array([-1 if r.item is None else found.items[r.item] for r in rows], np.int32),
        done_at=_array([row.done_at for row in rows], np.int64),
        known_from=_array([row.since for row in rows], np.int64),
        known_until=_array([row.until for row in rows], np.int64),
        vectors=_vectors(visible, rows, space),
        link_from=_array([found.notes[source] for source, _ in links], np.int32),
        link_to=_array([found.notes[target] for _, target in links], np.int32),
        link_known_from=_array(list(links.values()), np.int64),
        note_names=tuple(found.notes),
        notes=_array([found.notes[r.ref] if r.kind >= 0 else -1 for r in rows], np.int32),
        support=_support(found),
    )


def _support(found: Gathered) -> Support:
    rests = found.support
    return Support(
        of=_array([found.notes[each.note.id] for each in rests], np.int32),
        revisions=_array([each.note.revision for each in rests], np.int32),
        parts=tuple(each.part.id for each in rests),
        by=_array([found.users[each.part.speaker] for each in rests], np.int32),
        at=_array([to_micros(each.part.said_at) for each in rests], np.int64),
        known_from=_array([each.since for each in rests], np.int64),
        known_until=_array([each.until for each in rests], np.int64),
    )


def _vectors(visible: Visible, rows: Sequence[Row], space: EncoderSpace | None) -> VectorRows:
    """Return a row for each document; zeros, near to nothing, where one is missing."""
    vectors = np.zeros((len(rows), space.dim if space else 0), np.float32)
    stored = visible.state.vectors.get(space.id, {}) if space else {}
    for number, row in enumerate(rows):
        if row.document in stored:
            vectors[number] = stored[row.document]
    return VectorRows(vectors)


def _whose(note: Note, owner: Message | None) -> str | None:
    """Return which user's a note is; nobody's, if an item's."""
    if note.kind == "item_note" or owner is None:
        return None
    return owner.speaker if owner.item is None or is_interaction(owner) else None


def _position(message: Message) -> int:
    return message.position


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


def _array(values: Sequence[float], dtype: Any) -> NDArray[Any]:
    return np.array(values, dtype=dtype)
