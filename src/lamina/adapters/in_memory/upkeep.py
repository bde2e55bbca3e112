"""Forgetting, counting and checking: see `lamina.ports.Erasure` and `lamina.ports.Upkeep`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from lamina.adapters.in_memory.part import Part
from lamina.adapters.in_memory.state import State
from lamina.model import Scope
from lamina.ports import EncoderSpace, Receipt


class InMemoryUpkeep(Part):
    """What operators ask."""

    def forget(self, scope: Scope, *, now: datetime) -> Receipt:
        """See `Erasure.forget`."""
        with self._lock:
            state = self._read(scope)
            self._spent += tuple(replace(call, operation="") for call in state.calls)
            self._states.pop(scope, None)
            self._erased[scope] = State(epoch=state.epoch + 1, fence=state.fence)
        return Receipt(
            scope=scope,
            stage="physical",
            epoch=state.epoch + 1,
            messages=len(state.messages),
            notes=len(state.notes),
            documents=len(state.documents),
            recorded_at=now,
        )

    def counts(self, scope: Scope | None = None) -> dict[str, int]:
        """See `Upkeep.counts`."""
        with self._lock:
            if scope:
                return _counts(self._read(scope))
            total = Counter(_counts(State()))
            for state in self._states.values():
                total.update(_counts(state))
            holding = sum(bool(state.messages) for state in self._states.values())
            return {**total, "scopes": holding}

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
    kinds = Counter(note.kind for note in state.live_notes())
    progress = Counter(message.progress for message in state.live)
    return {
        "messages": len(state.live),
        "sessions": len(state.sessions),
        "facts": kinds["fact"],
        "relations": kinds["relation"],
        "summaries": kinds["summary"],
        "documents": len(state.shown),
        "pending": progress["pending"],
        "unextracted": progress["unextracted"],
        "unconsolidated": len(state.buffer()),
        "jobs": len(state.jobs),
    }


def _check(state: State, space: EncoderSpace | None) -> list[str]:
    turns = {document.ref for document in state.documents.values() if document.view == "turn"}
    unseen = [id_ for id_ in state.messages if id_ not in turns]
    blind = [id_ for id_, _ in state.shown if not space or (space.id, id_) not in state.vectors]
    found: dict[str, Sequence[object]] = {
        "messages without a turn": unseen,
        "documents without a vector": blind,
    }
    return [f"{what}: {len(ids)}" for what, ids in found.items() if ids]
