"""What search reads: see `lamina.ports.Recall`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lamina.adapters.in_memory import arrays
from lamina.adapters.in_memory.part import Part
from lamina.adapters.in_memory.visible import Visible
from lamina.errors import BadInput, EncoderMismatch
from lamina.model import At, Scope
from lamina.ports import Documents, EncoderSpace, Exchange, Indexed, Postings, Snapshot

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class InMemorySnapshot:
    """See `Snapshot`."""

    def __init__(self, visible: Visible, space: EncoderSpace | None) -> None:
        self._visible = visible
        self.documents: Documents = arrays.documents(visible, space)

    def postings(self, terms: Sequence[str]) -> Postings:
        """See `Snapshot.postings`."""
        return arrays.postings(self._visible, terms)


class InMemoryRecall(Part):
    """Documents, postings and vectors."""

    @contextmanager
    def snapshot(self, scope: Scope, *, at: At | None = None) -> Iterator[Snapshot]:
        """See `Recall.snapshot`."""
        with self._lock:
            visible = self._see(scope, at)
            if visible.snapshot is None:
                visible.snapshot = InMemorySnapshot(visible, self._space)
        yield visible.snapshot

    def space(self) -> EncoderSpace | None:
        """See `Recall.space`."""
        return self._space

    def set_space(self, space: EncoderSpace) -> None:
        """See `Recall.set_space`."""
        with self._lock:
            known = self._space
            if known and (known.id, known.dim) != (space.id, space.dim):
                raise EncoderMismatch(
                    f"the store's vectors were made by {known.id} (dimension {known.dim}), not by "
                    f"{space.id} (dimension {space.dim}); reencode it, or use that encoder"
                )
            self._space = known or space

    def stale_exchanges(self, scope: Scope, session: str, limit: int) -> list[Exchange]:
        """See `Recall.stale_exchanges`."""
        return self._see(scope).stale_exchanges(session)[:limit]

    def documents_of(self, scope: Scope, after: int, limit: int) -> list[Indexed]:
        """See `Recall.documents_of`."""
        documents = sorted(self._read(scope).documents.items(), key=lambda item: item[0])
        return [
            Indexed(id_, d.view, d.ref, d.revision or 0, d.previous)
            for id_, d in documents
            if id_ > after
        ][:limit]

    def reencode(
        self, scope: Scope, vectors: Mapping[int, NDArray[np.float32]], space: EncoderSpace
    ) -> None:
        """See `Recall.reencode`. Documents that are gone meanwhile are passed over."""
        if any(vector.shape != (space.dim,) for vector in vectors.values()):
            raise BadInput(f"vectors of {space.id} have the shape ({space.dim},)")
        with self._writing(scope) as state:
            known = [id_ for id_ in vectors if id_ in state.documents]
            state.graph = None
            held = state.vectors.setdefault(space.id, {})
            held.update({id_: vectors[id_].copy() for id_ in known})

    def switch_space(self, space: EncoderSpace) -> None:
        """See `Recall.switch_space`."""
        with self._lock:
            lacking = [
                id_
                for state in self._states.values()
                for id_ in state.documents
                if id_ not in state.vectors.get(space.id, {})
            ]
            if lacking:
                raise EncoderMismatch(f"{len(lacking)} documents have no vector by {space.id} yet")
            self._space = space
            for scope in self._states:
                with self._writing(scope) as state:
                    state.graph = None
                    state.vectors = {
                        id_: held for id_, held in state.vectors.items() if id_ == space.id
                    }
