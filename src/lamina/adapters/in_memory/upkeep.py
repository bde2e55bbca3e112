"""Counting and checking: see `lamina.ports.Upkeep`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from lamina.adapters.in_memory.part import Part
from lamina.adapters.in_memory.state import State
from lamina.model import Scope, Step, View
from lamina.ports import EncoderSpace, Repaired, is_interaction


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

    def repair(self, *, now: datetime) -> Repaired:
        """See `Upkeep.repair`. Nothing derived is kept here, but for the documents."""
        lacking, asked = [], 0
        with self._lock:
            for scope, state in list(self._states.items()):
                lacking += [(scope, *each) for each in _lacking(state, self._space)]
                steps = _lost_steps(state)
                asked += len(steps)
                if steps:
                    with self._pen(scope, now) as pen:
                        pen.ask(steps)
        return Repaired(rebuilt={"steps": asked} if asked else {}, lacking=tuple(lacking))

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
        "user_notes": kinds["user_note"],
        "item_notes": kinds["item_note"],
        "patterns": kinds["pattern"],
        "documents": len(visible.documents),
        "pending": progress["pending"],
        "unextracted": progress["unextracted"],
        "unconsolidated": sum(message.item is None for message in visible.buffer),
        "jobs": len(state.jobs),
    }


def _check(state: State, space: EncoderSpace | None) -> list[str]:
    found: dict[str, Sequence[object]] = {
        "messages without a turn": _unseen(state),
        "documents without a vector": _blind(state, space),
    }
    return [f"{what}: {len(ids)}" for what, ids in found.items() if ids]


def _unseen(state: State) -> list[str]:
    """Return the messages that no turn shows, though one should."""
    turns = {document.ref for document in state.documents.values() if document.view == "turn"}
    messages = state.messages.values()
    return [m.id for m in messages if m.id not in turns and not is_interaction(m)]


def _blind(state: State, space: EncoderSpace | None) -> list[int]:
    """Return the documents that have no vector in the present space."""
    held = state.vectors.get(space.id, {}) if space else {}
    return [id_ for id_ in state.documents if id_ not in held]


def _lacking(state: State, space: EncoderSpace | None) -> list[tuple[View, str, int]]:
    """Return what is to be encoded anew."""
    turns: list[tuple[View, str, int]] = [("turn", id_, 0) for id_ in _unseen(state)]
    notes: list[tuple[View, str, int]] = [
        ("note", *place)
        for place, note in state.revisions.items()
        if note.indexed and place not in state.shown
    ]
    blind = [state.documents[id_] for id_ in _blind(state, space)]
    return [*turns, *notes, *((d.view, d.ref, d.revision or 0) for d in blind)]


def _lost_steps(state: State) -> list[Step]:
    """Return the steps that sessions need and nobody would do."""
    visible = state.at()
    buffered = {message.session for message in visible.buffer if message.item is None}
    needed: list[Step] = []
    for session in visible.sessions:
        if visible.stale_exchanges(session.id):
            needed.append(Step(kind="index", subject=session.id))
        waiting = [m for m in visible.of_session[session.id] if m.progress == "pending"]
        if any(is_interaction(m) for m in waiting):
            needed.append(Step(kind="write", subject=""))
        if any(m.item is None for m in waiting):
            needed.append(Step(kind="bind", subject=session.id))
        if session.closed and session.id in buffered:
            needed.append(Step(kind="consolidate", subject=session.id))
    return [step for step in dict.fromkeys(needed) if (step.kind, step.subject) not in state.jobs]
