"""Counting and checking: see `lamina.ports.Upkeep`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lamina.adapters.in_memory.part import Part
from lamina.adapters.in_memory.state import State
from lamina.model import Scope
from lamina.ports import EncoderSpace


class InMemoryUpkeep(Part):
    """What operators ask."""

    def counts(self, scope: Scope | None = None) -> dict[str, int]:
        """See `Upkeep.counts`."""
        with self._lock:
            if scope:
                return _counts(self._read(scope))
            total = Counter(_counts(State()))
            for state in self._states.values():
                total.update(_counts(state))
            holding = sum(bool(state.messages) for state in self._states.values())
            return {**total, "scopes": holding, "unpurged": self._unpurged}

    def check(self) -> list[str]:
        """See `Upkeep.check`. There is no index here that could disagree, but for the vectors."""
        with self._lock:
            return [
                problem for state in self._states.values() for problem in _check(state, self._space)
            ]

    def close(self) -> None:
        """See `Upkeep.close`."""
        with self._lock:
            self._states.clear()


def _counts(state: State) -> dict[str, int]:
    visible = state.at()
    kinds = Counter(note.kind for note in visible.notes.values())
    progress = Counter(message.progress for message in visible.messages.values())
    return {
        "messages": len(visible.messages),
        "sessions": len(visible.sessions),
        "facts": kinds["fact"],
        "relations": kinds["relation"],
        "summaries": kinds["summary"],
        "documents": len(visible.documents),
        "pending": progress["pending"],
        "unextracted": progress["unextracted"],
        "unconsolidated": len(visible.buffer),
        "jobs": len(state.jobs),
    }


def _check(state: State, space: EncoderSpace | None) -> list[str]:
    turns = {document.ref for document in state.documents.values() if document.view == "turn"}
    unseen = [id_ for id_ in state.messages if id_ not in turns]
    blind = [id_ for id_ in state.documents if not space or (space.id, id_) not in state.vectors]
    found: dict[str, Sequence[object]] = {
        "messages without a turn": unseen,
        "documents without a vector": blind,
    }
    return [f"{what}: {len(ids)}" for what, ids in found.items() if ids]
