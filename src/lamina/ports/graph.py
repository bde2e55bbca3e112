"""A recommender's memory as arrays: who did what, the notes made of it, and what links them.

A pool is kept in the same way; see `Recommending`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from lamina.items import DESCRIBE
from lamina.model import At, Message, Scope
from lamina.times import to_micros

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lamina.ports.rows import VectorRows
    from lamina.ports.stored import MessageDraft

ALWAYS = -(2**63)
"""`known_from` of what was known at all times."""
NEVER = 2**63 - 1
"""`known_until` of what still counts."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Support:
    """Whose parts the patterns of a pool rest on: s rows, one for each revision of a pattern.

    They are in the order written. A row counts at a moment as those of a `Graph` do.
    """

    of: NDArray[np.int32]
    """Shape (s,), index into `Graph.note_names`: the pattern."""
    revisions: NDArray[np.int32]
    """Shape (s,): the number of the revision."""
    parts: Sequence[str]
    """s ids of messages: the part that the revision took in."""
    by: NDArray[np.int32]
    """Shape (s,), index into `Graph.users`: whose it is."""
    at: NDArray[np.int64]
    """Shape (s,): when the last of what that part tells was done."""
    known_from: NDArray[np.int64]
    known_until: NDArray[np.int64]
    """Shape (s,)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, weakref_slot=True)
class Graph:
    """All of a recommender or pool, of all times: i interactions, n notes' states, m links.

    A thing counts at a moment t if known_from < t <= known_until; now, if known_until is `NEVER`.
    (What was known from t on is not known at t; what went at t is still told of t.) What was
    rolled back or quarantined is not in it, nor is anybody or anything that only that names. Rows
    that count at no moment (known_from >= known_until) may be in it or not. Times are microseconds.
    One object is one state: it is compared by identity, and what is derived from it can be kept.
    """

    users: Sequence[str]
    """Ids of the users with interactions, in the order of their first, as recorded; and, in any
    place, of those who only said what a note rests on, such as an interaction that was hidden."""
    items: Sequence[str]
    """Ids of the items that were described or interacted with, in the order recorded; and, in any
    place, of those that only the hidden event of a note is about."""

    by: NDArray[np.int32]
    """Shape (i,), index into `users`. Interactions are in (said_at, position) order."""
    of: NDArray[np.int32]
    """Shape (i,), index into `items`."""
    said_at: NDArray[np.int64]
    """Shape (i,): when it was done, and known from."""
    gone_at: NDArray[np.int64]
    """Shape (i,): known until."""
    ratings: NDArray[np.float32]
    """Shape (i,), NaN where none was given."""
    actions: NDArray[np.int16]
    """Shape (i,), index into `action_names`."""
    action_names: Sequence[str]
    """In the order recorded; empty text where none was given."""
    messages: Sequence[str]
    """i ids."""

    kinds: NDArray[np.int8]
    """Shape (n,), index into `NOTE_KINDS`; -1 for the description of an item."""
    refs: Sequence[str]
    """n ids of notes, or of the messages that describe items. A note has a row for each of its
    documents, for as long as a revision that it shows is the latest; they are in the order written.
    Each description has a row, also once the item is described otherwise (see `described`)."""
    whose: NDArray[np.int32]
    """Shape (n,), index into `users`: by whom its event, or without one its last source, was said;
    -1 for items' notes and descriptions. It and `done_at` are told by the first revision that the
    row's document shows."""
    about: NDArray[np.int32]
    """Shape (n,), index into `items`: what its event is about; -1 for what has none, such as a
    profile."""
    done_at: NDArray[np.int64]
    """Shape (n,): when its event, or without one its last source, was said."""
    known_from: NDArray[np.int64]
    known_until: NDArray[np.int64]
    """Shape (n,)."""
    vectors: VectorRows
    """Shape (n, dim), unit rows."""

    link_from: NDArray[np.int32]
    link_to: NDArray[np.int32]
    """Shape (m,), index into `note_names`. The same two ends are linked once, whatever relations
    there are between them."""
    link_known_from: NDArray[np.int64]
    """Shape (m,): of the operation that made it and was known first. It goes with either end."""
    note_names: Sequence[str]
    """Ids of the notes that have rows, one each."""
    notes: NDArray[np.int32]
    """Shape (n,), index into `note_names`; -1 for descriptions."""

    support: Support = field(default_factory=lambda: _nothing())
    """Of a pool."""


def _nothing() -> Support:
    import numpy as np

    whose, when = np.zeros(0, np.int32), np.zeros(0, np.int64)
    return Support(
        of=whose, revisions=whose, parts=(), by=whose, at=when, known_from=when, known_until=when
    )


def moment(at: At | None) -> int:
    """Return the moment that a graph is looked at from, in microseconds; `NEVER`: now."""
    return NEVER if at is None or at.as_of is None else to_micros(at.as_of)


def counting(
    known_from: NDArray[np.int64], known_until: NDArray[np.int64], t: int
) -> NDArray[np.bool_]:
    """Return which rows count at a moment, of columns of one shape; see `Graph`.

    Args:
        known_from: Microseconds; of interactions `said_at`.
        known_until: Microseconds; of interactions `gone_at`.
        t: Microseconds; `NEVER`: now.
    """
    counts: NDArray[np.bool_] = (known_from < t) & (known_until >= t)
    return counts


def is_interaction(said: Message | MessageDraft) -> bool:
    """Whether a message of a recommender says what somebody did with an item."""
    return said.item is not None and said.action != DESCRIBE


class Recommending(Protocol):
    """What a recommender keeps and reads. Its scope is of kind `recommender`.

    Its messages are of two kinds. A description (`action` is `describe`, `item` says of what) is
    in session `items`, by speaker `catalogue`, role `tool`, without an author; it has a turn as its
    document, and the latest said counts. An interaction (any other action) is in session
    `user:ID`, by speaker ID, author `user:ID`; it has no document of its own, for its note has.
    Neither has an exchange, nor is it in another's. A message without an item is something else
    that a user said, such as which group they belong to.

    A pool, of kind `pool`, has the name of its recommender. Its interactions are the parts that
    users have in it: one says in general terms what a user did in one stretch (`action` is
    `window`, `item` the recommender's name). Its notes are patterns. Each revision of one takes in
    one part, its only source; where it says nothing new it has no document of its own. What waits
    there waits as recorded, which is the order in which users are gone through.
    """

    def graph(self, scope: Scope) -> Graph:
        """Return all of a recommender as it is now; an unknown scope is empty."""
        ...

    def waiting(self, scope: Scope, limit: int) -> list[Message]:
        """Return live interactions that are pending, oldest first by (said_at, position).

        In a pool by position alone.
        """
        ...

    def unformed(self, scope: Scope) -> int:
        """Return how many live interactions have no notes yet: pending, or left for later."""
        ...

    def described(
        self, scope: Scope, items: Sequence[str], *, at: At | None = None
    ) -> dict[str, Message]:
        """Return by item the live description that was said last; of those at once, recorded last.

        Items that were not described are left out.
        """
        ...

    def configure(self, scope: Scope, configuration: Mapping[str, Any]) -> None:
        """Keep what a recommender is to keep to, JSON-ready, in place of what was kept."""
        ...

    def configuration(self, scope: Scope) -> dict[str, Any]:
        """Return what was kept by `configure`; empty if nothing was."""
        ...
