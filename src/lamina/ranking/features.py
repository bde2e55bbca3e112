"""What speaks for each candidate at a moment, as numbers: shape (c, f), a column a feature.

Nothing that was known at the moment or later is looked at. What a user had to do with already is
a candidate like the others. A feature's greatest value over all items is made 1 (`greatest`), or
it is told as it is, where it is a share or a cosine; what is absent is 0. So a candidate's numbers
do not depend on which others there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from lamina.ports.graph import NEVER, Graph
from lamina.ranking import linked, together
from lamina.ranking.catalogue import Catalogue
from lamina.ranking.histories import Floats, Past, past
from lamina.ranking.linked import Vectors, places, vectors, visible
from lamina.ranking.together import Own, own

Indexes = NDArray[np.intp]
SAYS = MappingProxyType(
    {
        "alike": "Mean of the 3 greatest cosines of the item with the user's last 20 notes.",
        "alike_last": "Cosine of the item with the user's last note.",
        "words": "Cosine of tf-idf: the item's words with the mean of the user's last 10 items.",
        "words_last": "The same with the user's last item.",
        "words_liked": "The same with the last 20 that the user rated at least as their mean.",
        "kinds": "Mean cosine of tf-idf of the categories with each of the user's last 10 items.",
        "numbers": "Mean over attributes and the last 10 items of exp(-|difference| / closeness).",
        "together": "In others' histories with the last 10 items; `lamina.ranking.together`.",
        "neighbours": "In the histories of those whose history is like the user's.",
        "near": "Close to the last 10 items in others' histories, over the root of n_j.",
        "following": "Soon after the last 5 items in others' histories, over the root of n_j.",
        "season": "log(1 + how many had to do with it about when the user was last here).",
        "in_season": "The share of all its interactions that was about then.",
        "esteem": "Its mean rating against that of all, shrunk.",
        "popularity": "log(1 + how many had to do with it).",
        "linked": "What reaches the item's notes along links from the user's last 20 notes.",
        "asked_for": "Cosine of the item with what is asked for.",
        "asked_words": "Cosine of tf-idf: the item's words with those of what is asked for.",
        "chat": "The greatest cosine of the item with what the user said in conversation.",
    }
)
"""Each feature by name, and what it is."""
NAMES = tuple(SAYS)
ROUNDING = 9
"""Decimals: what a product rounds to depends on what is multiplied beside it."""
LATEST = 20
"""Notes of the user that are looked at, the latest."""
OF_OTHERS = (
    "together", "neighbours", "near", "following", "season", "in_season", "esteem", "popularity",
)  # fmt: skip
"""Those that tell what others did."""
FITTED = NAMES[: NAMES.index("linked") + 1]
"""Those that need no instruction and no conversation."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Asked:
    """What is ranked for whom, from what is known."""

    graph: Graph
    catalogue: Catalogue
    user: str
    t: int
    """Microseconds; only what was known before counts. `NEVER`: now."""
    candidates: Indexes
    """Shape (c,), into `graph.items`."""
    instruction: NDArray[np.float32] | None = None
    """Shape (dim,), unit length."""
    terms: Sequence[str] = ()
    """Of the instruction, by `lamina.recall.analysis.terms`."""
    chat: NDArray[np.float32] | None = None
    """Shape (n, dim), unit rows: facts from the user's conversations."""
    serving: NDArray[np.bool_] | None = None
    """Shape (users,): whose interactions and notes may serve; everybody's, if `None`."""
    rows: NDArray[np.bool_] | None = None
    """Shape (n,): which states of notes may serve besides; all, if `None`."""
    least: int = 1
    """What everybody did serves as well, where at least so many others support it, if over 1."""
    hops: int = 2
    """How far links are followed; 0: not at all."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Features:
    """A row a candidate, a column a name."""

    values: Floats
    """Shape (c, f)."""
    names: tuple[str, ...] = field(default=NAMES)
    had: int = 0
    """With how many items the user had to do."""

    @property
    def cold(self) -> bool:
        """Whether nothing had been done by the user."""
        return not self.had


def features(asked: Asked) -> Features:
    """Return what speaks for each candidate.

    Where only some may serve, what at least `least` others did alike counts too: of either the
    greater number.
    """
    found = _features(asked)
    if asked.serving is None or asked.least <= 1:
        return found
    shared = _features(replace(asked, serving=None))
    of_others = [NAMES.index(name) for name in OF_OTHERS]
    found.values[:, of_others] = np.maximum(found.values[:, of_others], shared.values[:, of_others])
    return found


def _features(asked: Asked) -> Features:
    before = past(asked.graph, asked.t, with_self(asked))
    found = _Found(asked, before)
    columns = [getattr(found, name) for name in NAMES]
    return Features(values=np.column_stack(columns), had=len(found.mine.items))


def with_self(asked: Asked) -> NDArray[np.bool_] | None:
    """Return shape (users,): who may serve, the user among them; `None`: everybody."""
    user = places(asked.graph).users.get(asked.user)
    if asked.serving is None or user is None:
        return asked.serving
    serving = asked.serving.copy()
    serving[user] = True
    return serving


@dataclass(eq=False)
class _Found:
    """What is worked out for one ranking; each feature is a property of its name, shape (c,)."""

    asked: Asked
    past: Past

    @cached_property
    def user(self) -> int:
        """Where the user stands; -1: somebody new."""
        return places(self.asked.graph).users.get(self.asked.user, -1)

    @cached_property
    def mine(self) -> Own:
        return own(self.past, self.user)

    @cached_property
    def counts(self) -> NDArray[np.bool_]:
        counts = visible(self.asked.graph, self.asked.t, with_self(self.asked))
        return counts if self.asked.rows is None else counts & self.asked.rows

    @cached_property
    def fewest(self) -> int:
        """How many others must support what they say."""
        return 1 if self.asked.serving is not None else self.asked.least

    def _supported(self, values: Floats) -> Floats:
        """Return the candidates' share of the greatest; 0 where too few had to do with them."""
        if self.fewest <= 1:
            return self._of(values)
        return self._of(np.where(self.past.others(self.user) >= self.fewest, values, 0.0))

    @cached_property
    def rows(self) -> Vectors:
        return vectors(self.asked.graph, self.counts, self.user, self.mine.items)

    @cached_property
    def candidate_vectors(self) -> Floats:
        return self._vectors(self.rows.items[self.asked.candidates])

    @cached_property
    def to_own(self) -> Floats:
        """Return shape (c, at most 20): cosines with the user's last notes, latest first."""
        latest = self._vectors(self.rows.own[::-1][:LATEST])
        return (self.candidate_vectors @ latest.T).round(ROUNDING)

    def _vectors(self, rows: Indexes) -> Floats:
        """Return the vectors of some rows, to be multiplied exactly; zeros for -1."""
        kept = self.asked.graph.vectors
        found = np.zeros((len(rows), kept.shape[1]))
        there = rows >= 0
        if there.any():
            found[there] = kept[rows[there]]
        return found

    def _of(self, values: Floats) -> Floats:
        """Return the candidates' share of the greatest of all."""
        high = float(np.abs(values).max(initial=0.0))
        return values[self.asked.candidates] / (high if high > 0 else 1.0)

    @property
    def alike(self) -> Floats:
        best = np.sort(self.to_own, axis=1)[:, -3:]
        return best.mean(axis=1) if best.shape[1] else np.zeros(len(best))

    @property
    def alike_last(self) -> Floats:
        return self.to_own[:, 0] if self.to_own.shape[1] else np.zeros(len(self.to_own))

    @property
    def words(self) -> Floats:
        return self._said_like(self.mine.latest(10))

    @property
    def words_last(self) -> Floats:
        return self._said_like(self.mine.latest(1))

    @property
    def words_liked(self) -> Floats:
        ratings = self.mine.ratings
        given = np.isfinite(ratings)
        liked = ~given if not given.any() else ratings >= ratings[given].mean()
        return self._said_like(self.mine.items[liked][::-1][:LATEST])

    def _said_like(self, items: NDArray[np.int32]) -> Floats:
        texts = self.asked.catalogue.texts
        return texts.cosines(texts.mean(items), self.asked.candidates)

    @property
    def kinds(self) -> Floats:
        kinds = self.asked.catalogue.kinds
        latest = self.mine.latest(10)
        return kinds.cosines(kinds.total(latest), self.asked.candidates) / max(len(latest), 1)

    @property
    def numbers(self) -> Floats:
        return self.asked.catalogue.closeness(self.asked.candidates, self.mine.latest(10))

    @property
    def together(self) -> Floats:
        return self._of(together.together(self.past, self.mine, 10, self.fewest))

    @property
    def neighbours(self) -> Floats:
        return self._of(together.neighbours(self.past, self.mine, self.fewest))

    @property
    def near(self) -> Floats:
        found = together.near(self.past, self.mine, self.fewest)
        return self._of(found / np.sqrt(self.past.reach))

    @property
    def following(self) -> Floats:
        found = together.following(self.past, self.mine, self.fewest)
        return self._of(found / np.sqrt(self.past.reach))

    @cached_property
    def around_now(self) -> Floats:
        """Return shape (i,): how many had to do with each about when the user was last here."""
        if len(self.mine.said_at):
            now = int(self.mine.said_at[-1])
        elif self.asked.t != NEVER or not len(self.past.said_at):
            now = self.asked.t
        else:
            now = int(self.past.said_at[-1])
        return together.season(self.past, self.mine, now)

    @property
    def season(self) -> Floats:
        return self._supported(np.log1p(self.around_now))

    @property
    def in_season(self) -> Floats:
        return self._supported(self.around_now / (self.past.reach + 1.0))

    @property
    def esteem(self) -> Floats:
        return self._supported(self.past.esteem)

    @property
    def popularity(self) -> Floats:
        return self._supported(self.past.popularity)

    @property
    def linked(self) -> Floats:
        asked, rows = self.asked, self.rows.own[::-1][:LATEST]
        rows = rows[rows >= 0]
        rows = rows[asked.graph.notes[rows] >= 0]
        return self._of(linked.along_links(asked.graph, asked.t, self.counts, rows, asked.hops))

    @property
    def asked_for(self) -> Floats:
        if self.asked.instruction is None:
            return np.zeros(len(self.asked.candidates))
        wanted = self.asked.instruction.astype(np.float64)
        return (self.candidate_vectors @ wanted).round(ROUNDING)

    @property
    def asked_words(self) -> Floats:
        texts = self.asked.catalogue.texts
        return texts.cosines(texts.query(self.asked.terms), self.asked.candidates)

    @property
    def chat(self) -> Floats:
        if self.asked.chat is None or not len(self.asked.chat):
            return np.zeros(len(self.asked.candidates))
        cosines = (self.candidate_vectors @ self.asked.chat.T.astype(np.float64)).round(ROUNDING)
        found: Floats = cosines.max(axis=1)
        return found
