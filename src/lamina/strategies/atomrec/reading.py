"""What of a recommender's memory matters to a user at a moment: their notes, and where links lead.

Notes and links are found in the arrays of a `Graph`; texts are fetched for the chosen ones alone.
Nothing that was not known before the moment is looked at. Relations are read, not weighed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

import numpy as np

from lamina.identity import digest
from lamina.model import At, Link, Note, Scope
from lamina.ports.graph import NEVER, Graph
from lamina.ports.stored import ITEM_NOTE, PROFILE, USER_NOTE
from lamina.strategies.atomrec import profiles
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.strategies.atomrec.stages import Card, Fields, Reading, Side
from lamina.times import from_micros, to_micros

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lamina.model import Vectors

    Rows = NDArray[np.intp]
    Mask = NDArray[np.bool_]
    Query = NDArray[np.float32] | None

PROFILED = 200
"""How many of the user's latest notes a profile is worked out from."""
MOST_RELATIONS = 2
"""Relations that are told of one link."""
ROUNDING = 6
"""Decimals of a cosine: what lies within rounding decides no order."""


class Kept(Protocol):
    """Where the texts of notes and links are; a store is one."""

    def notes(self, scope: Scope, ids: Sequence[str], *, at: At | None = None) -> list[Note]:
        """See `Notes.notes`."""
        ...

    def links(self, scope: Scope, note_ids: Sequence[str], *, at: At | None = None) -> list[Link]:
        """See `Notes.links`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """For whom it is read, and from when."""

    scope: Scope
    user: str
    instruction: str = ""
    as_of: datetime | None = None
    """Only what was known strictly before; `None`: all that counts now."""
    chat: tuple[Card, ...] = ()
    """Facts from the user's conversations, if they let them serve here."""

    @property
    def moment(self) -> int:
        """Microseconds; `NEVER`, if it is now."""
        return NEVER if self.as_of is None else to_micros(self.as_of)


def read(
    graph: Graph,
    kept: Kept,
    asking: Asking,
    encode: Callable[[Sequence[str]], Vectors],
    config: AtomRecConfig | None = None,
    serving: Mask | None = None,
) -> Reading:
    """Return what matters to a user.

    What is looked for is the instruction with the fields of the user's latest notes, encoded
    together; without an instruction it is the mean of the stored vectors of those notes. Found are
    the `top` nearest of the user's notes, and from them along links, either way, the `top` nearest
    of each hop, up to `hops`. Ties go by a hash. Nobody is named on another's note, and of its time
    only the day is told.

    Args:
        graph: All of the recommender.
        kept: The store that `graph` is of.
        asking: For whom, what they ask, and from which moment.
        encode: The encoder's.
        config: The parameters of the method.
        serving: Shape (n,), which rows of the graph's notes may serve this user; `None`: all.
    """
    chosen = config or AtomRecConfig()
    sight = _Sight(graph, asking, serving)
    latest = sight.latest()
    texts = _Texts(kept, asking)
    query = _query(sight, texts, latest[: chosen.recent], encode)
    own = sight.nearest(latest, query, chosen.top)
    steps = _along_links(sight, own, query, chosen)
    linked = np.array([row for row, _ in steps], dtype=np.intp)
    before = np.array([row for _, row in steps], dtype=np.intp)
    cosines = sight.cosines(np.concatenate([own, linked]), query)
    shown = texts.cards(sight, np.concatenate([own, linked]), cosines)
    relations = texts.relations([*sight.ids(before)])
    return Reading(
        instruction=asking.instruction,
        profile=_profile(sight, texts),
        counts=_counts(sight, texts, latest),
        own=tuple(shown[id_] for id_ in sight.ids(own) if id_ in shown),
        linked=tuple(
            _reached(shown[to], by, relations.get(frozenset((to, by)), ()))
            for to, by in zip(sight.ids(linked), sight.ids(before), strict=True)
            if to in shown and by in shown
        ),
        chat=asking.chat,
    )


class _Sight:
    """The rows of a graph that can be seen from a moment."""

    def __init__(self, graph: Graph, asking: Asking, serving: Mask | None) -> None:
        self.graph = graph
        self.moment = asking.moment
        counts = (graph.known_from < self.moment) & (graph.known_until >= self.moment)
        self.counts: Mask = counts if serving is None else counts & serving
        self.user = graph.users.index(asking.user) if asking.user in graph.users else -1

    def latest(self) -> Rows:
        """Return the rows of the user's notes, latest done first."""
        return self._mine(USER_NOTE, self.graph.done_at)

    def profile(self) -> Rows:
        """Return the rows of the user's profiles, latest known first."""
        return self._mine(PROFILE, self.graph.known_from)

    def _mine(self, kind: int, times: NDArray[np.int64]) -> Rows:
        if self.user < 0:
            return np.empty(0, dtype=np.intp)
        mine = (self.graph.whose == self.user) & (self.graph.kinds == kind)
        rows = np.flatnonzero(mine & self.counts)
        return self._sorted(rows, times[rows])

    def _sorted(self, rows: Rows, values: NDArray[np.float64] | NDArray[np.int64]) -> Rows:
        """Return rows, greatest value first; ties by a hash of the note."""
        ties = np.array([digest(self.graph.refs[row]) for row in rows], dtype="U32")
        ascending = np.lexsort((ties, -values))
        return rows[ascending]

    def ids(self, rows: Rows) -> list[str]:
        """Return the ids of the notes of rows."""
        return [self.graph.refs[row] for row in rows]

    def cosines(self, rows: Rows, query: Query) -> NDArray[np.float64]:
        """Return the cosine of each row with what is looked for, rounded; 0 without that."""
        if query is None or not len(rows):
            return np.zeros(len(rows))
        exact = np.asarray(self.graph.vectors[rows] @ query, dtype=np.float64)
        return exact.round(ROUNDING)

    def nearest(self, rows: Rows, query: Query, most: int) -> Rows:
        """Return the rows nearest to what is looked for, nearest first."""
        return self._sorted(rows, self.cosines(rows, query))[:most]

    def rows_of_notes(self) -> Rows:
        """Return shape (number of notes,): the row that shows each; -1 where none is seen."""
        seen = np.flatnonzero(self.counts & (self.graph.notes >= 0))
        found = np.full(len(self.graph.note_names), -1, dtype=np.intp)
        found[self.graph.notes[seen]] = seen
        return found

    def rating(self, row: int) -> float | None:
        """Return how what a row tells was rated, if it was."""
        graph = self.graph
        if graph.whose[row] < 0:
            return None
        acts = (graph.by == graph.whose[row]) & (graph.of == graph.about[row])
        given = graph.ratings[acts & (graph.said_at == graph.done_at[row])]
        return float(given[-1]) if len(given) and not np.isnan(given[-1]) else None

    def side(self, row: int) -> Side:
        """Return whose note a row shows."""
        if self.graph.kinds[row] == ITEM_NOTE:
            return "item"
        return "own" if self.graph.whose[row] == self.user else "other"


class _Texts:
    """What notes and links say, as they said it at the moment."""

    def __init__(self, kept: Kept, asking: Asking) -> None:
        self._kept = kept
        self._scope = asking.scope
        self._at = None if asking.as_of is None else At(as_of=asking.as_of)
        self.instruction = asking.instruction
        self._read: dict[str, Note] = {}

    def notes(self, ids: Sequence[str]) -> dict[str, Note]:
        """Return notes by id; each is fetched once."""
        lacking = [id_ for id_ in ids if id_ not in self._read]
        if lacking:
            fetched = self._kept.notes(self._scope, lacking, at=self._at)
            self._read |= {note.id: note for note in fetched}
        return {id_: self._read[id_] for id_ in ids if id_ in self._read}

    def cards(self, sight: _Sight, rows: Rows, cosines: NDArray[np.float64]) -> dict[str, Card]:
        """Return how rows are shown, by the id of the note."""
        notes = self.notes(sight.ids(rows))
        return {
            notes[id_].id: _card(notes[id_], sight, int(row), float(cosine))
            for id_, row, cosine in zip(sight.ids(rows), rows, cosines, strict=True)
            if id_ in notes
        }

    def relations(self, ids: Sequence[str]) -> Mapping[frozenset[str], tuple[str, ...]]:
        """Return what links of these notes say, by their two ends."""
        asked = list(dict.fromkeys(ids))
        found: dict[frozenset[str], dict[str, None]] = {}
        links = self._kept.links(self._scope, asked, at=self._at) if asked else []
        for link in sorted(links, key=lambda each: (each.source, each.target, each.relation)):
            if link.relation:
                found.setdefault(frozenset((link.source, link.target)), {})[link.relation] = None
        return {ends: tuple(told)[:MOST_RELATIONS] for ends, told in found.items()}


def _query(
    sight: _Sight,
    texts: _Texts,
    latest: Rows,
    encode: Callable[[Sequence[str]], Vectors],
) -> Query:
    """Return what is looked for, a unit vector; `None` if nothing is known and nothing asked."""
    if texts.instruction.strip():
        notes = texts.notes(sight.ids(latest)).values()
        vectors = encode(["\n".join((texts.instruction, *(note.shown for note in notes)))])
        asked: NDArray[np.float32] = vectors[0]
        return asked
    if not len(latest):
        return None
    mean: NDArray[np.float32] = sight.graph.vectors[latest].mean(axis=0)
    length = np.float32(np.linalg.norm(mean))
    return mean / length if length else None


def _along_links(
    sight: _Sight, own: Rows, query: Query, config: AtomRecConfig
) -> list[tuple[int, int]]:
    """Return the rows that links lead to, nearest hop first, each with the row before it."""
    graph, rows = sight.graph, sight.rows_of_notes()
    known = graph.link_known_from < sight.moment
    ends = np.stack([graph.link_from[known], graph.link_to[known]]).astype(np.intp)
    seen = np.zeros(len(graph.note_names), dtype=bool)
    frontier, found = own, list[tuple[int, int]]()
    seen[graph.notes[own]] = True
    for _ in range(config.hops):
        before = _neighbours(ends, graph.notes[frontier], seen)
        before = {rows[note]: rows[by] for note, by in before.items() if rows[note] >= 0}
        frontier = sight.nearest(np.array([*before], dtype=np.intp), query, config.top)
        found += [(int(row), int(before[row])) for row in frontier]
        seen[graph.notes[frontier]] = True
        if not len(frontier):
            break
    return found


def _neighbours(ends: Rows, frontier: NDArray[np.integer], seen: Mask) -> dict[int, int]:
    """Return what is linked with the frontier and not seen yet, by note, with the note before it.

    Where several lead to it, that is the first of the frontier.

    Args:
        ends: Shape (2, m): the notes that links are between.
        frontier: Notes, nearest first.
        seen: Shape (number of notes,).
    """
    place = np.full(len(seen), len(frontier), dtype=np.intp)
    place[frontier[::-1]] = np.arange(len(frontier))[::-1]
    found: dict[int, int] = {}
    for here, there in (ends, ends[::-1]):
        leads = np.flatnonzero((place[here] < len(frontier)) & ~seen[there])
        for by, note in zip(here[leads].tolist(), there[leads].tolist(), strict=True):
            if note not in found or place[by] < place[found[note]]:
                found[note] = by
    return found


def _profile(sight: _Sight, texts: _Texts) -> str:
    """Return what the latest profile says; "" without one."""
    written = texts.notes(sight.ids(sight.profile()[:1]))
    for note in written.values():
        return " ".join(part for part in (note.text, note.context) if part)
    return ""


def _counts(sight: _Sight, texts: _Texts, latest: Rows) -> str:
    rows = latest[:PROFILED]
    return profiles.told([*texts.cards(sight, rows, np.zeros(len(rows))).values()])


def _card(note: Note, sight: _Sight, row: int, cosine: float) -> Card:
    side, done = sight.side(row), from_micros(int(sight.graph.done_at[row]))
    about = int(sight.graph.about[row])
    return Card(
        id=note.id,
        side=side,
        fields=Fields(
            content=note.text, keywords=note.keywords, tags=note.tags, context=note.context
        ),
        at=done if side == "own" else done.replace(hour=0, minute=0, second=0, microsecond=0),
        item=sight.graph.items[about] if about >= 0 else "",
        rating=sight.rating(row),
        similarity=cosine,
    )


def _reached(card: Card, by: str, relations: Sequence[str]) -> Card:
    return replace(card, relation="; ".join(relations) or None, after=by)
