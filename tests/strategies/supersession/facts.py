"""Facts as they are without a model, whole messages, and a memory of them in lists."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

from lamina.model import Changes, Event, Link, Message, Note, NoteDraft, Step
from lamina.ports import LLM, Batch, Found
from lamina.recall.analysis import terms
from lamina.testing import factories
from lamina.testing.clock import NOON

if TYPE_CHECKING:
    from lamina.model import Vectors


def fact(id_: str, text: str, *, day: float = 0, speaker: str = "ann", **given: Any) -> Note:
    """Return a fact that is a whole message, said so many days after the first."""
    said_at = NOON + timedelta(days=day)
    defaults: dict[str, Any] = {
        "event": f"m-{id_}",
        "about": speaker,
        "said_by": speaker,
        "began_at": said_at,
        "said_at": said_at,
        "known_at": said_at,
        "indexed": False,
    }
    return factories.note(id_, text, **defaults | given)


class FactView:
    """A `StepView` of listed facts. Near is what shares the most words, then what is older."""

    def __init__(self, facts: Sequence[Note] = (), llm: LLM | None = None) -> None:
        self.facts = {each.id: each for each in facts}
        self.links: list[Link] = []
        self.llm = llm
        self.looked_up = 0
        self.positions: dict[str, int] = {}
        self.written_by: dict[str, str] = {}
        """Authors, by message."""
        self.taken_back: dict[str, frozenset[str]] = {}
        """What is refused, by fact."""

    def tell(self, *facts: Note) -> Batch:
        """Write facts down, and return what a step about them gets."""
        for each in facts:
            self.facts[each.id] = each
            self.positions.setdefault(each.event or "", len(self.positions) + 1)
        return Batch(step=Step(kind="supersede", subject="op"), notes=facts)

    def apply(self, changes: Changes) -> None:
        """Do what an engine would: write the changes down."""
        for draft in changes.notes:
            assert draft.revises is not None
            self.facts[draft.revises] = self._revised(draft, self.facts[draft.revises])
        self.links += changes.links
        for id_ in changes.withdraw:
            del self.facts[id_]

    def _revised(self, draft: NoteDraft, before: Note) -> Note:
        assert draft.base == before.revision
        said = [m.said_at for m in self._messages() if m.id in draft.sources]
        return replace(
            before,
            sources=draft.sources,
            parents=draft.parents,
            superseded_by=draft.superseded_by,
            invalid_at=draft.invalid_at,
            said_at=max([*said, before.began_at]),
            revision=before.revision + 1,
        )

    def kin(self, notes: Sequence[Note], k: int) -> list[list[Found]]:
        """See `StepView.kin`."""
        self.looked_up += len(notes)
        return [self._near(note)[:k] for note in notes]

    def _near(self, note: Note) -> list[Found]:
        told = set(terms(note.text))
        found = [
            Found(entry=each, similarity=len(told & set(terms(each.text))) / (1 + len(told)))
            for each in self.facts.values()
            if each.id != note.id
        ]
        return sorted(found, key=lambda f: (-f.similarity, f.entry.id))

    def _messages(self) -> list[Message]:
        return [
            Message(
                id=each.event or "",
                session="s1",
                role=each.role,
                speaker=each.said_by or "",
                text=each.text,
                said_at=each.began_at,
                recorded_at=each.began_at,
                position=self.positions.get(each.event or "", 0),
                author=self.written_by.get(each.event or ""),
            )
            for each in self.facts.values()
        ]

    def events(self, message_ids: Sequence[str]) -> list[Event]:
        """See `StepView.events`."""
        known = {message.id: message for message in self._messages()}
        notes = {each.event: (each,) for each in self.facts.values()}
        return [Event(message=known[i], notes=notes[i]) for i in message_ids if i in known]

    def preceding(self, message: Message, count: int) -> list[Message]:
        """See `StepView.preceding`."""
        ordered = sorted(self._messages(), key=lambda m: (m.said_at, m.position))
        before = [
            m for m in ordered if (m.said_at, m.position) < (message.said_at, message.position)
        ]
        return before[-count:]

    def following(self, message: Message, count: int) -> list[Message]:
        """See `StepView.following`."""
        ordered = sorted(self._messages(), key=lambda m: (m.said_at, m.position))
        place = (message.said_at, message.position)
        return [m for m in ordered if (m.said_at, m.position) > place][:count]

    def nearest(self, texts: Sequence[str], k: int, **_: Any) -> list[list[Found]]:
        """Unused by these strategies."""
        raise NotImplementedError

    def near_to(self, message_ids: Sequence[str], k: int, *, before: datetime) -> list[Found]:
        """Unused by these strategies."""
        raise NotImplementedError

    def authors(self, message_ids: Sequence[str]) -> dict[str, str]:
        """See `StepView.authors`."""
        return {id_: self.written_by[id_] for id_ in message_ids if id_ in self.written_by}

    def refused(self, note_ids: Sequence[str]) -> dict[str, frozenset[str]]:
        """See `StepView.refused`."""
        return {id_: self.taken_back[id_] for id_ in note_ids if id_ in self.taken_back}

    def encode(self, texts: Sequence[str]) -> "Vectors":
        """Unused by these strategies."""
        return np.zeros((len(texts), 1), dtype=np.float32)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """A token for every four characters."""
        return [-(-len(text) // 4) for text in texts]
