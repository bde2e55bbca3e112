"""Taking a scope out and putting it in: see `lamina.ports.Transfer`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from lamina.adapters.in_memory.loading import load
from lamina.adapters.in_memory.part import Part
from lamina.errors import BadInput, Conflict
from lamina.model import Scope, Step
from lamina.ports import Archive, Document


class InMemoryTransfer(Part):
    """Archives."""

    def dump(self, scope: Scope) -> Archive:
        """See `Transfer.dump`."""
        visible = self._see(scope)
        state = visible.state
        numbers = {id_: operation.number for id_, operation in state.operations.items()}
        return Archive(
            messages=tuple(visible.recorded(state.messages)),
            closed=tuple(session for session, closed in state.closed.items() if closed),
            operations=tuple(visible.operation(id_) for id_ in state.operations),
            revisions=tuple(state.revisions.values()),
            links=tuple(state.links),
            gone=tuple(sorted(state.gone, key=lambda mark: numbers[mark[1]])),
            consolidated=dict(state.consolidated),
            grants=tuple(state.grants[principal] for principal in sorted(state.grants)),
            configuration=dict(state.configuration),
        )

    def load(
        self,
        scope: Scope,
        archive: Archive,
        documents: Sequence[Document],
        *,
        steps: Sequence[Step],
        now: datetime,
    ) -> None:
        """See `Transfer.load`."""
        with self._pen(scope, now) as pen:
            held = pen.state
            if held.messages or held.operations or held.revisions:
                raise Conflict("there is something in this scope already; load into an empty one")
            load(held, pen.index, archive, documents)
            pen.ask(steps)

    def backup(self, path: Path) -> None:
        """See `Transfer.backup`."""
        raise BadInput(f"the store is in memory: there is no file to copy to {path}")
