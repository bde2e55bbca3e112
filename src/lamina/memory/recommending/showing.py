"""What a user may be shown of notes, whatever was allowed when they were formed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lamina.model import At, Link, Note, Scope
from lamina.ports import Store
from lamina.work import visibility


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The notes of a store as one user may see them, and their links."""

    store: Store
    user: str
    configuration: Mapping[str, Any]
    groups: Mapping[str, str]

    def notes(self, scope: Scope, ids: Sequence[str], *, at: At | None = None) -> list[Note]:
        """Return notes as their last revision says that may serve the user; see `Store.notes`."""
        found = self.store.notes(scope, ids, at=at)
        rules = self.configuration, self.groups
        return visibility.Showing(self.store, scope, *rules).to(self.user, found)

    def links(self, scope: Scope, note_ids: Sequence[str], *, at: At | None = None) -> list[Link]:
        """See `Store.links`."""
        return self.store.links(scope, note_ids, at=at)
