"""What somebody took back of comparing facts: it is not done again unless that is undone too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lamina.model import Revision, Scope
from lamina.ports import Store


def refused(store: Store, scope: Scope, ids: Sequence[str]) -> dict[str, frozenset[str]]:
    """Return for each fact those that are not to take its place or confirm it, by id.

    Those are what revisions of it were formed from whose operations were rolled back themselves,
    not with something that they rested on.
    """
    if not store.list_operations(scope, kinds=("rollback",), limit=1):
        return {}
    told = {id_: store.history(scope, id_) for id_ in ids}
    lost = {r.operation for revisions in told.values() for r in revisions if r.undone_by}
    back = set(_rolled_back(store, scope, sorted(lost))) if lost else set()
    found = {id_: _parents(revisions, back) for id_, revisions in told.items()}
    return {id_: others for id_, others in found.items() if others}


def _rolled_back(store: Store, scope: Scope, ids: Sequence[str]) -> Iterator[str]:
    """Yield which of these operations a rollback was about."""
    undone = [(each.id, each.undone_by) for each in store.operations(scope, ids) if each.undone_by]
    by = {each.id: each for each in store.operations(scope, sorted({by for _, by in undone}))}
    for id_, undone_by in undone:
        marks = store.gone_by(scope, undone_by) if by[undone_by].kind == "rollback" else []
        if marks and (marks[0].what, marks[0].id) == ("operation", id_):
            yield id_


def _parents(revisions: Sequence[Revision], back: set[str]) -> frozenset[str]:
    counting = {p for r in revisions if not r.withdrawn for p in r.parents}
    return frozenset(p for r in revisions if r.operation in back for p in r.parents) - counting
