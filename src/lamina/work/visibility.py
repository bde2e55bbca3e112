"""Whose notes may serve whom, when notes are formed and when they are read.

Everybody's, where a recommender is open. Else a user's notes serve themself and, by `group`, those
of the same group; a note of an item serves others only if `k` users support it; before that the
item's description stands for it. What is configured counts when something is read as much as when
it is formed, so that what is no longer allowed is hidden at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from lamina.model import At, Note, Scope
from lamina.ports import ITEM_NOTE, NEVER, Graph, Store, counting
from lamina.work.provenance import Provenance

if TYPE_CHECKING:
    from numpy.typing import NDArray

GROUPS = "groups"
"""The session of what users say of the group that they are in."""
JOIN = "join"
"""The action of such a message."""
K = 5
"""Users that must support what serves all, where nothing else is configured."""
_MOST = 2**31 - 1


def is_open(configuration: Mapping[str, Any]) -> bool:
    """Whether everybody's notes may serve everybody."""
    return bool(configuration.get("privacy", "open") == "open")


def least(configuration: Mapping[str, Any]) -> int:
    """Return how many users must support what serves all; 1 where everything may."""
    return 1 if is_open(configuration) else int(configuration.get("k", K))


def groups_of(
    store: Store, scope: Scope, configuration: Mapping[str, Any], at: At | None = None
) -> dict[str, str]:
    """Return the group of each user who is in one, as they said last; none where none matters."""
    if configuration.get("privacy") != "group":
        return {}
    found: dict[str, str] = {}
    for said in store.latest(scope, _MOST, session=GROUPS, at=at):
        if said.action == JOIN and said.author == f"user:{said.speaker}":
            found[said.speaker] = str(said.metadata.get("group") or "")
    return {user: group for user, group in found.items() if group}


def groups_by(
    store: Store, scope: Scope, configuration: Mapping[str, Any], moment: datetime
) -> dict[str, str]:
    """Return the group of each user who was in it before a moment and still is.

    What is formed of something is formed by what was known by then; who has left since is hidden.
    """
    now = groups_of(store, scope, configuration)
    then = groups_of(store, scope, configuration, At(as_of=moment)) if now else {}
    return {user: group for user, group in then.items() if now.get(user) == group}


def may_serve(
    configuration: Mapping[str, Any], groups: Mapping[str, str], user: str, other: str
) -> bool:
    """Whether a user's notes may serve another user."""
    if is_open(configuration) or user == other:
        return True
    own = groups.get(user)
    return configuration.get("privacy") == "group" and own is not None and groups.get(other) == own


class Showing:
    """Which notes of a recommender, and of what they ever said, may be shown to whom."""

    def __init__(
        self,
        store: Store,
        scope: Scope,
        configuration: Mapping[str, Any],
        groups: Mapping[str, str],
    ) -> None:
        self._store, self._scope = store, scope
        self._configuration, self._groups = configuration, groups
        self._by_user: dict[str, Provenance] = {}

    def to(self, user: str, notes: Sequence[Note]) -> list[Note]:
        """Return notes as their last revision says that may be shown; others are left out."""
        if is_open(self._configuration):
            return list(notes)
        if user not in self._by_user:
            self._by_user[user] = Provenance(
                self._store,
                self._scope,
                lambda other: may_serve(self._configuration, self._groups, user, other),
                least(self._configuration),
            )
        return self._by_user[user].shown(notes)


def visible(
    graph: Graph, configuration: Mapping[str, Any], groups: Mapping[str, str], user: str
) -> NDArray[np.bool_] | None:
    """Return whose notes may serve a user, besides notes of items.

    Args:
        graph: All of the recommender.
        configuration: What it keeps to, see `Store.configuration`.
        groups: User to group, of those that are in one.
        user: For whom something is formed or ranked.

    Returns:
        Shape (users,), by `graph.users`; `None`: everybody's.
    """
    if is_open(configuration):
        return None
    serving = {user}
    if configuration.get("privacy") == "group" and user in groups:
        serving |= {other for other, group in groups.items() if group == groups[user]}
    return np.fromiter(map(serving.__contains__, graph.users), np.bool_, len(graph.users))


def support(graph: Graph, t: int = NEVER) -> NDArray[np.int64]:
    """Return how many users had to do with each item before a moment, shape (items,)."""
    counts = counting(graph.said_at, graph.gone_at, t)
    pairs = np.unique(graph.by[counts].astype(np.int64) * max(len(graph.items), 1)
                      + graph.of[counts])  # fmt: skip
    return np.bincount(pairs % max(len(graph.items), 1), minlength=len(graph.items))


def metadata_only(
    graph: Graph, configuration: Mapping[str, Any], item: int, t: int = NEVER
) -> bool:
    """Whether an item's note may tell only what the item's description says.

    Args:
        graph: All of the recommender.
        configuration: What it keeps to.
        item: Index into `graph.items`.
        t: Microseconds: only who had to do with it before counts.
    """
    if is_open(configuration):
        return False
    counts = (graph.of == item) & (graph.said_at < t) & (graph.gone_at == NEVER)
    return len(np.unique(graph.by[counts])) < least(configuration)


def rows(
    graph: Graph,
    configuration: Mapping[str, Any],
    groups: Mapping[str, str],
    user: str,
    t: int = NEVER,
) -> NDArray[np.bool_] | None:
    """Return which states of notes and descriptions may serve a user at a moment.

    Args:
        graph: All of the recommender.
        configuration: What it keeps to.
        groups: User to group.
        user: For whom something is read.
        t: Microseconds; `NEVER`: now.

    Returns:
        Shape (n,); `None`: all.
    """
    users = visible(graph, configuration, groups, user)
    if users is None:
        return None
    whose = graph.whose
    serving = np.where(whose >= 0, users[whose] if len(users) else False, True)
    of_items = graph.kinds == ITEM_NOTE
    supported = support(graph, t) >= least(configuration)
    serving[of_items] = supported[graph.about[of_items]]
    return serving
