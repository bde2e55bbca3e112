"""What rankings rest on: all that a recommender knows at a moment."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from lamina.items import Item, Method
from lamina.memory.pooling import retrieving
from lamina.memory.pooling.retrieving import NOTHING, LookedUp
from lamina.memory.pooling.showing import sight
from lamina.memory.recommending.showing import Shown
from lamina.model import At, Note, Scope
from lamina.ports import DESCRIPTION, ITEM_NOTE, Graph, Store, moment
from lamina.ranking import linked
from lamina.ranking.catalogue import Catalogue, Words, cut_up, words
from lamina.ranking.features import Asked
from lamina.ranking.wording import wanted
from lamina.work import keeping, visibility
from lamina.work.engine import Engine
from lamina.work.pools import pool_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOMENTS = 4
"""Catalogues that are kept of one graph."""


@dataclass(slots=True)
class _Cut:
    """The descriptions of a scope, cut up, by the ids of their messages."""

    words: dict[str, Words]


_cut: WeakKeyDictionary[Store, dict[Scope, _Cut]] = WeakKeyDictionary()
_catalogues: WeakKeyDictionary[Graph, OrderedDict[bytes, Catalogue]] = WeakKeyDictionary()


@dataclass(frozen=True, kw_only=True, eq=False)
class Grounds:
    """All that a recommender knows at a moment."""

    engine: Engine
    scope: Scope
    at: At | None
    graph: Graph

    @property
    def t(self) -> int:
        """Microseconds; `NEVER`: now."""
        return moment(self.at)

    @cached_property
    def described(self) -> NDArray[np.intp]:
        """Return the row of each item's description that counts, shape (i,); -1 without one."""
        graph = self.graph
        rows = np.flatnonzero(
            (graph.kinds == DESCRIPTION)
            & (graph.known_from < self.t)
            & (graph.known_until >= self.t)
        )
        rows = rows[np.argsort(graph.known_from[rows], kind="stable")]
        found = np.full(len(graph.items), -1, dtype=np.intp)
        found[graph.about[rows]] = rows
        return found

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Return which items were described or interacted with by then, shape (i,)."""
        graph = self.graph
        known = self.described >= 0
        known[graph.of[(graph.said_at < self.t) & (graph.gone_at >= self.t)]] = True
        return known

    @cached_property
    def catalogue(self) -> Catalogue:
        """Return the descriptions, cut up; those of one graph and moment once."""
        kept = _catalogues.setdefault(self.graph, OrderedDict())
        key = self.described.tobytes()
        if key not in kept:
            kept[key] = self._catalogue()
            while len(kept) > _MOMENTS:
                kept.popitem(last=False)
        kept.move_to_end(key)
        return kept[key]

    def _catalogue(self) -> Catalogue:
        refs = self.graph.refs
        cut = self._words()
        return Catalogue(
            described=tuple(None if row < 0 else cut.get(refs[row]) for row in self.described)
        )

    def _words(self) -> dict[str, Words]:
        """Return every description of the graph, cut up; those that are no longer in it go."""
        scopes = _cut.setdefault(self.engine.store, {})
        kept = scopes.setdefault(self.scope, _Cut({})).words
        rows = np.flatnonzero(self.graph.kinds == DESCRIPTION)
        refs = [self.graph.refs[row] for row in rows.tolist()]
        lacking = [ref for ref in refs if ref not in kept]
        read = self.engine.store.recorded(self.scope, lacking) if lacking else []
        fresh = {said.id: words(keeping.item(said)) for said in read}
        found = {ref: each for ref in refs if (each := kept.get(ref) or fresh.get(ref))}
        scopes[self.scope] = _Cut(found)
        return found

    def item(self, place: int) -> Item:
        """Return an item; of one without a description its id is known."""
        told = self.catalogue.described[place]
        return Item(id=self.graph.items[place]) if told is None else told.item

    def item_notes(self, user: str, places: Sequence[int]) -> dict[int, Note]:
        """Return the notes of some items as a user may see them, by the item's place."""
        graph, wanted = self.graph, np.zeros(len(self.graph.items), dtype=np.bool_)
        wanted[list(places)] = True
        rows = np.flatnonzero(
            linked.visible(graph, self.t) & (graph.kinds == ITEM_NOTE) & (graph.about >= 0)
        )
        rows = rows[wanted[graph.about[rows]]]
        serving = self.rows(user)
        rows = rows if serving is None else rows[serving[rows]]
        about = {graph.refs[row]: int(graph.about[row]) for row in rows.tolist()}
        notes = self.shown(user).notes(self.scope, list(about), at=self.at) if about else []
        return {about[note.id]: note for note in notes}

    @cached_property
    def configuration(self) -> dict[str, object]:
        """Return what the recommender keeps to."""
        return self.engine.store.configuration(self.scope)

    def serving(self, user: str) -> NDArray[np.bool_] | None:
        """Return whose notes and interactions may serve a user, shape (users,); `None`: all."""
        return visibility.visible(self.graph, self.configuration, self.groups, user)

    def rows(self, user: str) -> NDArray[np.bool_] | None:
        """Return which states of notes may serve a user, shape (n,); `None`: all."""
        return visibility.rows(self.graph, self.configuration, self.groups, user, self.t)

    def shown(self, user: str) -> Shown:
        """Return the notes as a user may see them."""
        return Shown(
            store=self.engine.store,
            user=user,
            configuration=self.configuration,
            groups=self.groups,
        )

    @cached_property
    def groups(self) -> dict[str, str]:
        """Return the group of each user who is in one, where that matters."""
        return visibility.groups_of(self.engine.store, self.scope, self.configuration, self.at)

    def asked(
        self,
        user: str,
        places: Sequence[int],
        instruction: str = "",
        chat: NDArray[np.float32] | None = None,
    ) -> Asked:
        """Return what is to be ranked; what an instruction refuses is not what is asked for."""
        asked_for = wanted(instruction).strip()
        return Asked(
            graph=self.graph,
            catalogue=self.catalogue,
            user=user,
            t=self.t,
            candidates=np.asarray(places, dtype=np.intp),
            instruction=self.engine.encoder.encode([asked_for])[0] if asked_for else None,
            terms=cut_up(asked_for),
            chat=chat,
            serving=self.serving(user),
            rows=self.rows(user),
            least=visibility.least(self.configuration),
            hops=self.engine.atomrec.hops,
        )

    def looked_up(self, user: str, method: Method = "lamina") -> LookedUp:
        """Return the patterns that tell of a user's recent history; nothing where none may."""
        if method == "atomrec":
            return NOTHING
        seen = sight(self.engine, pool_of(self.scope), user, self.at)
        if not len(seen.graph.note_names):
            return NOTHING
        k = self.engine.amem4rec.k_mem
        found = retrieving.for_ranking(seen, self.graph, user, self.item, k)
        return found if found.patterns else NOTHING

    @property
    def pending(self) -> int:
        """Return how many interactions have no note yet."""
        return self.engine.store.unformed(self.scope)

    def own(self, user: str) -> NDArray[np.intp]:
        """Return which items a user had to do with by then, each once."""
        graph, place = self.graph, linked.places(self.graph).users.get(user, -1)
        mine = (graph.by == place) & (graph.said_at < self.t) & (graph.gone_at >= self.t)
        return np.unique(graph.of[mine]).astype(np.intp)


def grounds(engine: Engine, scope: Scope, at: At | None) -> Grounds:
    """Return what a recommender knows at a moment."""
    return Grounds(engine=engine, scope=scope, at=at, graph=engine.store.graph(scope))
