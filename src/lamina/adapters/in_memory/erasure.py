"""Forgetting: see `lamina.ports.Erasure`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from lamina.adapters.in_memory.part import Part
from lamina.adapters.in_memory.parting import Parting
from lamina.adapters.in_memory.state import State
from lamina.model import Message, Scope, Step
from lamina.ports import Receipt


class InMemoryErasure(Part):
    """Erasing scopes and parts of them. There are no files, but purges are asked for all the same.

    So whoever erases goes the same way whatever the store.
    """

    def forget(self, scope: Scope, *, now: datetime) -> Receipt:
        """See `Erasure.forget`."""
        with self._lock:
            state = self._read(scope)
            self._spent += tuple(replace(call, operation="") for call in state.calls)
            self._states.pop(scope, None)
            left = State(epoch=state.epoch + 1, fence=state.fence)
            self._erased[scope] = left
            self._unpurged += 1
        return _receipt(scope, state, left, now)

    def parts(self, tenant: str, author: str, speaker: str) -> list[Scope]:
        """See `Erasure.parts`."""
        with self._lock:
            return [
                scope
                for scope, state in self._states.items()
                if scope.tenant == tenant
                and any(_is_of(m, scope, author, speaker) for m in state.messages.values())
            ]

    def forget_part(
        self, scope: Scope, *, author: str, speaker: str, now: datetime, steps: Sequence[Step]
    ) -> Receipt:
        """See `Erasure.forget_part`."""
        with self._lock:
            before = self._read(scope)
            with self._pen(scope, now) as pen:
                messages = before.messages.values()
                part = {m.id for m in messages if _is_of(m, scope, author, speaker)}
                Parting(pen.state, pen.index).erase(scope, part, now)
                pen.state.operations = {
                    id_: replace(operation, cause="") if operation.cause == author else operation
                    for id_, operation in pen.state.operations.items()
                }
                pen.ask(steps)
            self._unpurged += 1
            return replace(_receipt(scope, before, pen.state, now), author=author)

    def purge(self) -> bool:
        """See `Erasure.purge`."""
        with self._lock:
            self._unpurged = 0
        return True

    def occurrences(self, needles: Sequence[bytes]) -> list[int]:
        """See `Erasure.occurrences`."""
        return [0 for _ in needles]

    def own_words(self) -> list[str]:
        """See `Erasure.own_words`."""
        return []


def _is_of(message: Message, scope: Scope, author: str, speaker: str) -> bool:
    """Whether a message is somebody's part of a shared scope."""
    if scope.kind in ("space", "recommender", "pool"):
        return message.author == author
    return scope.kind == "conversation" and message.speaker == speaker


def _receipt(scope: Scope, before: State, left: State, now: datetime) -> Receipt:
    return Receipt(
        scope=scope,
        stage="logical",
        epoch=left.epoch,
        messages=len(before.messages) - len(left.messages),
        notes=len(before.at().of_note) - len(left.at().of_note),
        documents=len(before.documents) - len(left.documents),
        recorded_at=now,
    )
