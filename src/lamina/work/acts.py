"""The interactions of a batch, by their numbers in a graph: what their users did before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from lamina.errors import Conflict
from lamina.model import Message
from lamina.ports import ITEM_NOTE, NEVER, PROFILE, USER_NOTE, Graph
from lamina.times import to_micros

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """An interaction by its numbers."""

    row: int
    """Its row among the graph's interactions."""
    user: int
    item: int
    at: int
    """Microseconds."""


class Acts:
    """The interactions of a batch, in (said_at, position) order, in a graph."""

    def __init__(self, graph: Graph, messages: Sequence[Message]) -> None:
        """Find them.

        Raises:
            Conflict: One of them is not there, or there no longer.
        """
        self._graph = graph
        rows = _rows(graph, messages)
        if len(rows) < len(messages):
            raise Conflict("an interaction was withdrawn while it was read")
        self.all = [
            Act(
                row=rows[message.id],
                user=int(graph.by[rows[message.id]]),
                item=int(graph.of[rows[message.id]]),
                at=to_micros(message.said_at),
            )
            for message in messages
        ]

    def recent(self, act: Act, count: int) -> list[int]:
        """Return the rows of the user's latest notes known by then, the latest last."""
        rows = self._notes.get(act.user)
        if rows is None or count < 1:
            return []
        known = rows[self._graph.known_from[rows] <= act.at]
        return [int(row) for row in known[-count:]]

    def usual(self, act: Act) -> tuple[float | None, int]:
        """Return the mean of what the user rated before, `None` if nothing, and of how many."""
        rows = self._done[act.user]
        ratings = self._graph.ratings[rows[: int(np.searchsorted(rows, act.row))]]
        given = ratings[~np.isnan(ratings)]
        return (float(given.mean(dtype=np.float64)) if len(given) else None), len(given)

    def linked(self, act: Act, note: str) -> dict[str, int]:
        """Return the ids of the notes that one was linked with by then, and since when each was."""
        graph = self._graph
        if note not in graph.note_names:
            return {}
        number = graph.note_names.index(note)
        found: dict[str, int] = {}
        for here, there in ((graph.link_from, graph.link_to), (graph.link_to, graph.link_from)):
            for row in np.flatnonzero((here == number) & (graph.link_known_from <= act.at)):
                found[graph.note_names[there[row]]] = int(graph.link_known_from[row])
        return found

    def rating(self, message: str) -> float | None:
        """Return the rating of an interaction of one of the batch's users, if it has one."""
        return self._ratings.get(message)

    def item_note(self, act: Act) -> int | None:
        """Return the row of the note of its item, if there is one."""
        return self._item_notes.get(act.item)

    def profile(self, act: Act) -> int | None:
        """Return the row of what is known of its user in all, by then, if anything is."""
        graph = self._graph
        found = np.flatnonzero(
            (graph.kinds == PROFILE) & (graph.whose == act.user) & (graph.known_until == NEVER)
        )
        return int(found[-1]) if len(found) and graph.known_from[found[-1]] <= act.at else None

    @cached_property
    def _users(self) -> list[int]:
        return sorted({act.user for act in self.all})

    @cached_property
    def _done(self) -> dict[int, NDArray[np.int64]]:
        """By user: the rows of their interactions that count, ascending."""
        graph = self._graph
        rows = np.flatnonzero(np.isin(graph.by, self._users) & (graph.gone_at == NEVER))
        return {user: rows[graph.by[rows] == user] for user in self._users}

    @cached_property
    def _ratings(self) -> dict[str, float]:
        graph = self._graph
        rows = np.concatenate([*self._done.values(), np.zeros(0, np.int64)])
        rated = rows[~np.isnan(graph.ratings[rows])]
        return {graph.messages[row]: float(graph.ratings[row]) for row in rated}

    @cached_property
    def _notes(self) -> dict[int, NDArray[np.int64]]:
        """By user: the rows of their notes that count, by when that was done."""
        graph = self._graph
        rows = np.flatnonzero(
            np.isin(graph.whose, self._users)
            & (graph.kinds == USER_NOTE)
            & (graph.known_until == NEVER)
        )
        rows = rows[np.lexsort((rows, graph.done_at[rows]))]
        return {user: rows[graph.whose[rows] == user] for user in self._users}

    @cached_property
    def _item_notes(self) -> dict[int, int]:
        graph = self._graph
        rows = np.flatnonzero((graph.kinds == ITEM_NOTE) & (graph.known_until == NEVER))
        wanted = np.isin(graph.about[rows], [act.item for act in self.all])
        return {int(graph.about[row]): int(row) for row in rows[wanted]}


def _rows(graph: Graph, messages: Sequence[Message]) -> dict[str, int]:
    """Return where some interactions are in the graph, if they count."""
    wanted = {message.id for message in messages}
    times = [to_micros(message.said_at) for message in messages] or [0]
    first = int(np.searchsorted(graph.said_at, min(times), side="left"))
    last = int(np.searchsorted(graph.said_at, max(times), side="right"))
    return {
        graph.messages[row]: row
        for row in range(first, last)
        if graph.messages[row] in wanted and graph.gone_at[row] == NEVER
    }
