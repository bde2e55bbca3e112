"""What speaks for items, in words: notes, links, and what others did, who are not named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lamina.items import Evidence, Item, Pattern
from lamina.memory.lending import Facts
from lamina.memory.recommending import sharing
from lamina.memory.recommending.grounds import Grounds
from lamina.model import Note
from lamina.ports import ITEM_NOTE, USER_NOTE
from lamina.ranking import linked, shared
from lamina.ranking.histories import past
from lamina.ranking.together import own
from lamina.times import from_micros, to_micros
from lamina.work import keeping

CONTENT = ("alike", "alike_last", "words", "words_last", "words_liked", "kinds", "numbers")
OTHERS = ("together", "neighbours", "near", "following")
OWN_NOTES = 2
PATHS = 3
"""Of an item: the user's notes nearest to it, and links to it, that are told at most."""
LATEST = 200
"""Notes of the user that are looked through, the latest."""
_ALWAYS = to_micros(keeping.ALWAYS)
ROUNDED = 1e-6
"""Of a mean of ratings: equal ones are as usual."""
LAST = 10
"""Items of the user that others are counted for, the latest."""


def evidence(
    known: Grounds,
    user: str,
    signals: Mapping[str, Mapping[str, float]],
    chat: Facts = (),
    *,
    hops: int = 1,
    patterns: Sequence[Pattern] = (),
) -> dict[str, tuple[Evidence, ...]]:
    """Return what speaks for some items, by their ids, what adds most first.

    A path along links stays together.

    Args:
        known: What is known at the moment.
        user: For whom.
        signals: What each signal adds to the score, by the item's id.
        chat: What the user lets serve here of their conversations.
        hops: How many links may lie between a note of the user and one about the item, 1 or 2.
        patterns: What users share that was looked up for the user.
    """
    sight = _Sight(known, user)
    found = [_Item(sight, id_, shares, hops) for id_, shares in signals.items()]
    wanted = dict.fromkeys(id_ for each in found for id_ in each.notes)
    store, scope = known.engine.store, known.scope
    read = known.shown(user).notes(scope, list(wanted), at=known.at)
    notes = {note.id: note for note in read}
    linking = dict.fromkeys(end for each in found for pair in each.pairs for end in pair)
    relations = {
        frozenset((link.source, link.target)): link.relation
        for link in (store.links(scope, list(linking), at=known.at) if linking else ())
    }
    return {
        each.id: _heaviest_first(
            each, notes, relations, (*each.chat(chat), *each.agreeing(patterns))
        )
        for each in found
    }


def _heaviest_first(
    told: _Item,
    notes: Mapping[str, Note],
    relations: Mapping[frozenset[str], str],
    besides: Sequence[Evidence],
) -> tuple[Evidence, ...]:
    """Return all that is told of an item; its note once, where a path leads to it if one does."""
    paths = list(told.shared(notes, relations))
    led_to = {each.id for path in paths for each in path if each.id}
    alone = (*told.own(notes), *told.item(notes), *besides, *told.patterns())
    groups = [*paths, *([each] for each in alone if each.id not in led_to)]
    groups.sort(key=lambda group: -max(each.weight for each in group))
    return tuple(each for group in groups for each in group)


def _unnamed(note: Note, item: Item) -> str:
    """Return what somebody else's note is about, in words that the item's description has too."""
    told = keeping.described(item).casefold()
    words = {word.casefold(): word for word in (*note.keywords[::-1], *note.tags[::-1])}
    shared = [words[folded] for folded in reversed(words) if folded in told]
    return ", ".join(shared) or item.title or item.id


class _Sight:
    """The rows of a graph that may serve a user at a moment."""

    def __init__(self, known: Grounds, user: str) -> None:
        self.known, self.graph = known, known.graph
        self.user = linked.places(known.graph).users.get(user, -1)
        serving = known.serving(user)
        if serving is not None and self.user >= 0:
            serving = serving.copy()
            serving[self.user] = True
        self.serving = serving
        counts = linked.visible(known.graph, known.t, serving)
        rows = known.rows(user)
        self.counts = counts if rows is None else counts & rows

    @cached_property
    def mine(self) -> NDArray[np.intp]:
        """Return the rows of the user's latest notes, latest first."""
        graph = self.graph
        rows = np.flatnonzero(self.counts & (graph.whose == self.user) & (graph.kinds == USER_NOTE))
        rows = rows if self.user >= 0 else rows[:0]
        return rows[np.argsort(-graph.done_at[rows], kind="stable")][:LATEST]

    @cached_property
    def ends(self) -> NDArray[np.intp]:
        """Return shape (2, m): the rows that links lie between, once each way."""
        graph = self.graph
        rows = np.full(len(graph.note_names), -1, dtype=np.intp)
        seen = np.flatnonzero(self.counts & (graph.notes >= 0))
        rows[graph.notes[seen]] = seen
        ends = np.stack([rows[graph.link_from], rows[graph.link_to]])
        ends = ends[:, (graph.link_known_from < self.known.t) & (ends >= 0).all(axis=0)]
        return np.concatenate([ends, ends[::-1]], axis=1)

    @cached_property
    def is_mine(self) -> NDArray[np.bool_]:
        """Return shape (n,): which rows are the user's own notes."""
        found = np.zeros(len(self.graph.kinds), dtype=np.bool_)
        found[self.mine] = True
        return found

    @cached_property
    def speaking(self) -> NDArray[np.bool_]:
        """Return shape (n,): which of those speak for their items, rated no lower than usual."""
        graph = self.graph
        acts = np.flatnonzero(graph.by == self.user)
        keys = zip(graph.of[acts].tolist(), graph.said_at[acts].tolist(), strict=True)
        given = dict(zip(keys, graph.ratings[acts].astype(np.float64).tolist(), strict=True))
        done = zip(graph.about[self.mine].tolist(), graph.done_at[self.mine].tolist(), strict=True)
        ratings = np.array([given.get(each, np.nan) for each in done], dtype=np.float64)
        rated = np.isfinite(ratings)
        usual = float(ratings[rated].mean()) if rated.any() else 0.0
        found = np.zeros(len(graph.kinds), dtype=np.bool_)
        found[self.mine] = ~rated | (ratings >= usual - ROUNDED)
        return found

    @cached_property
    def items(self) -> NDArray[np.intp]:
        """Return the row that stands for each item."""
        nothing = np.zeros(0, dtype=np.int32)
        return linked.vectors(self.graph, self.counts, self.user, nothing).items

    @cached_property
    def others(self) -> list[tuple[int, NDArray[np.bool_]]]:
        """Return the user's latest items, each with which other users had to do with it."""
        before = past(self.graph, self.known.t, self.serving)
        found = []
        for item in own(before, self.user).latest(LAST).tolist():
            users = np.zeros(len(self.graph.users), dtype=np.bool_)
            users[before.histories.by[before.histories.of_item(item, before.until)]] = True
            users[self.user] = False
            found.append((item, users))
        return found

    def of_item(self, item: int) -> NDArray[np.int32]:
        """Return the users who had to do with an item."""
        before = past(self.graph, self.known.t, self.serving)
        return np.unique(before.histories.by[before.histories.of_item(item, before.until)])


@dataclass(slots=True)
class _Path:
    """Rows from a note of the user to one about an item."""

    rows: tuple[int, ...]


class _Item:
    """What speaks for one item."""

    def __init__(self, sight: _Sight, id_: str, signals: Mapping[str, float], hops: int) -> None:
        self.id, self._sight, self._signals = id_, sight, signals
        self._place = linked.places(sight.graph).items[id_]
        self._near = self._nearest()
        self._paths = self._found(hops)

    def _nearest(self) -> list[tuple[int, float]]:
        """Return the rows of the user's notes nearest to the item, with their cosines.

        What was rated below usual speaks for nothing; a note about the item itself is told even so.
        """
        sight, row = self._sight, self._sight.items[self._place]
        if row < 0 or not len(sight.mine):
            return []
        cosines = sight.graph.vectors[sight.mine] @ sight.graph.vectors[int(row)]
        about = sight.graph.about[sight.mine] == self._place
        speaking = sight.speaking[sight.mine]
        first = [at for at in np.lexsort((-cosines, ~about)) if speaking[at] or about[at]]
        return [
            (int(sight.mine[at]), float(cosines[at]) if speaking[at] else 0.0)
            for at in first[:OWN_NOTES]
            if cosines[at] > 0
        ]

    def _found(self, hops: int) -> list[_Path]:
        """Return links from the user's notes to notes about the item that are not theirs."""
        sight = self._sight
        here, there = sight.ends
        about = (sight.graph.about == self._place) & ~sight.is_mine
        direct = np.flatnonzero(sight.speaking[here] & about[there])
        paths = [_Path((int(here[at]), int(there[at]))) for at in direct[:PATHS]]
        if hops < 2 or len(paths) >= PATHS:
            return paths
        last = np.flatnonzero(about[there] & ~sight.is_mine[here] & ~about[here])
        over = dict(zip(here[last].tolist(), there[last].tolist(), strict=True))
        first = np.flatnonzero(sight.speaking[here] & np.isin(there, list(over)))
        paths += [_Path((int(here[a]), int(there[a]), over[int(there[a])])) for a in first]
        return paths[:PATHS]

    @property
    def notes(self) -> Iterator[str]:
        """Yield the ids of all notes that are told of."""
        refs = self._sight.graph.refs
        yield from (refs[row] for row, _ in self._near)
        yield from (refs[row] for path in self._paths for row in path.rows)
        if (row := self._item_row) is not None:
            yield refs[row]

    @property
    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield the ids of both ends of each link that is told of."""
        refs = self._sight.graph.refs
        for path in self._paths:
            for one, other in zip(path.rows, path.rows[1:], strict=False):
                yield refs[one], refs[other]

    @property
    def _item_row(self) -> int | None:
        row = int(self._sight.items[self._place])
        return row if row >= 0 and self._sight.graph.kinds[row] == ITEM_NOTE else None

    def _share(self, names: Sequence[str]) -> float:
        return sum(self._signals.get(name, 0.0) for name in names)

    def own(self, notes: Mapping[str, Note]) -> Iterator[Evidence]:
        """Yield the user's notes that are nearest; what content adds is parted by cosine."""
        whole = sum(cosine for _, cosine in self._near) or 1.0
        for row, cosine in self._near:
            if (note := notes.get(self._sight.graph.refs[row])) is not None:
                share = self._share(CONTENT) * cosine / whole
                yield self._told("own", row, note, None, share)

    def item(self, notes: Mapping[str, Note]) -> Iterator[Evidence]:
        """Yield the item's note; without one its description."""
        graph, row = self._sight.graph, int(self._sight.items[self._place])
        if self._item_row is not None and graph.refs[row] in notes:
            yield self._told("item", row, notes[graph.refs[row]], None, 0.0)
        elif self._sight.known.described[self._place] >= 0:
            told = self._sight.known.item(self._place)
            ref = graph.refs[self._sight.known.described[self._place]]
            text = ". ".join(
                filter(None, (told.title, ", ".join(told.categories), told.description))
            )
            yield Evidence(kind="item", id=ref, text=text, at=told.known_since)

    def shared(
        self, notes: Mapping[str, Note], relations: Mapping[frozenset[str], str]
    ) -> Iterator[list[Evidence]]:
        """Yield paths: the notes that links lead to, after the user's own that they start from."""
        refs = self._sight.graph.refs
        told: set[int] = {row for row, _ in self._near}
        for path in self._paths:
            relation: str | None = None
            found: list[Evidence] = []
            for before, row in zip((None, *path.rows), path.rows, strict=False):
                if before is not None:
                    relation = relations.get(frozenset((refs[before], refs[row])))
                if row not in told and (note := notes.get(refs[row])) is not None:
                    told.add(row)
                    share = self._share(("linked",)) / len(self._paths)
                    last = row == path.rows[-1]
                    weight = share if last else 0.0
                    found.append(self._told(self._kind(row), row, note, relation, weight))
            if found:
                yield found

    def _kind(self, row: int) -> str:
        if self._sight.is_mine[row]:
            return "own"
        return "item" if self._sight.graph.kinds[row] == ITEM_NOTE else "shared"

    def _told(
        self, kind: str, row: int, note: Note, relation: str | None, weight: float
    ) -> Evidence:
        micros = int(self._sight.graph.done_at[row])
        done = from_micros(micros) if micros > _ALWAYS else None
        if kind == "shared":
            day = done and done.replace(hour=0, minute=0, second=0, microsecond=0)
            item = self._sight.known.item(int(self._sight.graph.about[row]))
            text = _unnamed(note, item)
            return Evidence(
                kind="shared", id="", text=text, at=day, relation=relation, weight=weight
            )
        return Evidence(
            kind="own" if kind == "own" else "item",
            id=note.id,
            text=note.text,
            at=done,
            relation=relation,
            weight=weight,
        )

    def chat(self, chat: Facts) -> Iterator[Evidence]:
        """Yield the fact from a conversation that is nearest, if any is."""
        row = int(self._sight.items[self._place])
        if not chat or row < 0:
            return
        vector = self._sight.graph.vectors[row]
        note, cosine = max(
            ((note, float(given @ vector)) for note, given in chat), key=lambda each: each[1]
        )
        if cosine > 0:
            share = self._share(("chat",))
            yield Evidence(kind="chat", id=note.id, text=note.text, at=note.said_at, weight=share)

    def agreeing(self, patterns: Sequence[Pattern]) -> Iterator[Evidence]:
        """Yield the patterns that the item's categories agree with."""
        if patterns:
            item = self._sight.known.item(self._place)
            yield from sharing.agreeing(item, patterns, self._share(shared.NAMES))

    def patterns(self) -> Iterator[Evidence]:
        """Yield how many others had to do with the item and with one of the user's latest."""
        if not self._sight.others:
            return
        users = self._sight.of_item(self._place)
        counted = [
            (int(who[users].sum()), item) for item, who in self._sight.others if item != self._place
        ]
        count, item = max(counted, key=lambda each: each[0], default=(0, -1))
        if count:
            known = self._sight.known
            title = known.item(item).title or known.graph.items[item]
            text = f"{count} of {len(users)} who chose it also chose {title}"
            yield Evidence(kind="pattern", id="", text=text, weight=self._share(OTHERS))
