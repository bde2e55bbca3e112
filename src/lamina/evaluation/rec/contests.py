"""Which methods meet: those without memory, memory, what is no memory, and memory with less."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.rec import memories, sharing
from lamina.evaluation.rec.asking import FALLBACK
from lamina.evaluation.rec.graphs import append_only
from lamina.evaluation.rec.logs import Log
from lamina.evaluation.rec.memories import NOTED, Memory
from lamina.evaluation.rec.pools import Making
from lamina.evaluation.rec.remembering import Remembered
from lamina.evaluation.rec.runs import BEST, Contest, Plan, classics
from lamina.evaluation.rec.scoring import Entry
from lamina.evaluation.rec.sharing import Patterns
from lamina.evaluation.rec.sources import BLENDED, Source
from lamina.items import Item
from lamina.ranking import weights
from lamina.ranking.features import FITTED
from lamina.ranking.shared import MEMBERS
from lamina.ranking.shared import NAMES as PATTERNS
from lamina.ranking.weights import Kind

LAMINA = "lamina"
"""The extractive ranker, with weights fitted on the validation."""
ATOMS = "atoms"
"""The same without what users share."""
SHARED = "amem4rec"
"""What users share alone."""
SHIPPED = "lamina-shipped"
"""The same with the weights in the package, as `Recommender.rank` has them."""
UNPOOLED = "atoms-shipped"
JOINED = "blend+memory"
HISTORY = "history"
"""The ranker without notes, links, descriptions' vectors and patterns."""
BESIDE = "blend+history"
WORDS = {
    LAMINA: "what the ranker goes by: notes, links, descriptions, others' histories, metadata, and"
    " the patterns that users share, which may speak for an item and not against it; weights fitted"
    " on the validation",
    ATOMS: "lamina without the pool of patterns; what lamina is better by is what the pool adds",
    SHARED: "the pool of patterns alone: what those say that are looked up for what the user did"
    " last, and not who contributes to them",
    "null pool": "amem4rec's weights, and a pool without patterns",
    "shuffled pool": "amem4rec's weights, and the patterns looked up for another user",
    SHIPPED: "lamina with the weights in the package, which were fitted once on what each user of"
    " ml-latest-small did last but one, whenever that was: of a replay of those data they have seen"
    " the questions that are their user's last but one",
    UNPOOLED: "atoms with the weights in the package, as it ranks where there is no pool",
    JOINED: "blend, and all that lamina goes by",
    HISTORY: "lamina without notes, links, descriptions' vectors and patterns: interactions and"
    " metadata; what atoms is better by is what atomic notes add",
    BESIDE: "blend, and all that history goes by: what blend+memory is better by is what notes and"
    " patterns add",
    "no-links": "atoms without links: no link-aware retrieval",
    "append-only": "atoms with every note as it was first: nothing evolves",
    "null": "lamina's weights, nobody's memory, and no patterns",
    "shuffled": "lamina's weights, another user's memory, and the patterns looked up for another",
    "filler": "lamina's weights, notes about nothing, and no patterns",
}
"""What methods with memory are."""
FAKES = {"null": "null pool", "shuffled": "shuffled pool", "filler": "null pool"}
"""Memories that are none, and the pools that they go with."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Sides:
    """Memory and pool as sources: what they are, and what is none."""

    real: Memory
    fakes: dict[str, Memory]
    less: Memory
    """Memory in which no note changed after it was written."""
    pools: dict[str, Patterns]
    """By name, the real one first; empty: none takes part."""
    had: int
    """What users had to do with at least, as the weights in the package heed it."""

    @property
    def sources(self) -> tuple[Source, ...]:
        """All of them."""
        return (self.real, *self.fakes.values(), self.less, *self.pools.values())

    def pool(self, name: str, *features: str) -> tuple[str, ...]:
        """Return the columns of a pool but those of `features`; none, where none takes part."""
        return self.pools[name].column(*features) if self.pools else ()

    def entries(self) -> Iterable[Entry]:
        """Yield the methods."""
        own, real, shared = self.real.column(), self.real, self.pool(SHARED)
        only = frozenset(shared)
        yield Entry(name=LAMINA, columns=(*own, *shared), for_only=only)
        if self.pools:
            yield Entry(name=ATOMS, columns=own)
            yield Entry(name=SHARED, columns=self.pool(SHARED, *MEMBERS), for_only=only)
            for name in dict.fromkeys(FAKES.values()):
                yield Entry(name=name, columns=self.pool(name, *MEMBERS), like=SHARED)
        names = (*FITTED, *(PATTERNS if self.pools else ()))
        fixed = partial(shipped, names=names, had=self.had)
        yield Entry(name=SHIPPED, columns=(*own, *shared), fixed=fixed)
        if self.pools:
            yield Entry(name=UNPOOLED, columns=own, fixed=partial(shipped, had=self.had))
        yield Entry(name=JOINED, columns=(*BLENDED, *own, *shared), for_only=only)
        yield Entry(name=HISTORY, columns=real.column(*NOTED))
        yield Entry(name=BESIDE, columns=(*BLENDED, *real.column(*NOTED)))
        for name, fake in self.fakes.items():
            columns = (*fake.column(), *self.pool(FAKES[name]))
            yield Entry(name=name, columns=columns, like=LAMINA)
        yield Entry(name="no-links", columns=real.column("linked"))
        yield Entry(name=self.less.name, columns=self.less.column())


def with_memory(log: Log, remembered: Remembered, plan: Plan, *, pool: bool = True) -> Contest:
    """Return the classics, memory alone and with them, and what is no memory.

    Args:
        log: What happened.
        remembered: Memory of it.
        plan: What is run.
        pool: Whether what users share takes part: pools are made anew for every lesson.
    """
    sides, simple = _sides(log, remembered, plan, pool), classics()
    atoms = ATOMS if pool else LAMINA
    entries = tuple(sides.entries())
    return Contest(
        sources=(*simple.sources, *sides.sources),
        entries=(*simple.entries, *entries),
        pairs=(
            *(((LAMINA, ATOMS), *((SHARED, name) for name in _none(sides))) if pool else ()),
            (LAMINA, BEST),
            (JOINED, "blend"),
            *((LAMINA, name) for name in sides.fakes),
            (LAMINA, HISTORY),
            *(((atoms, HISTORY),) if pool else ()),
            *((atoms, name) for name in ("no-links", sides.less.name)),
            (JOINED, BESIDE),
            (LAMINA, "blend"),
            *(((SHIPPED, UNPOOLED),) if pool else ()),
            (SHIPPED, "blend"),
            *((name, BEST) for name in (SHIPPED, JOINED, *((atoms, SHARED) if pool else ()))),
            *((FALLBACK, name) for name in (LAMINA, BEST)),
            *((LAMINA, name) for name in BLENDED),
            *simple.pairs,
        ),
        words={**simple.words, **{each.name: WORDS[each.name] for each in entries}},
    )


def _none(sides: _Sides) -> tuple[str, ...]:
    return tuple(name for name in sides.pools if name != SHARED)


def _sides(log: Log, remembered: Remembered, plan: Plan, pool: bool) -> _Sides:
    clocked = plan.protocol == "replay"
    real = Memory(
        name="memory",
        log=log,
        graph=remembered.graph,
        catalogue=remembered.catalogue,
        clocked=clocked,
        seed=plan.seed,
    )
    shared = Patterns(
        name=SHARED,
        making=making(log, remembered, plan),
        graph=remembered.graph,
        catalogue=remembered.catalogue,
        clocked=clocked,
        seed=plan.seed,
    )
    return _Sides(
        real=real,
        fakes=dict(memories.controls(real)),
        less=replace(real, name="append-only", graph=append_only(real.graph), audited=False),
        pools={SHARED: shared, **sharing.controls(shared)} if pool else {},
        had=plan.cold[0] if plan.cold else weights.ENOUGH,
    )


def making(log: Log, remembered: Remembered, plan: Plan) -> Making:
    """Return how pools are made of a log, from what memory knows of its items."""
    known = zip(remembered.graph.items, remembered.catalogue.described, strict=True)
    told = {item: words.item for item, words in known if words is not None}
    items = tuple(told.get(item, Item(id=item)) for item in log.catalogue.items)
    return Making(log=log, items=items, encoder=remembered.encoder, most=plan.windows)


def shipped(
    where: str, names: Sequence[str] = FITTED, had: int = weights.ENOUGH
) -> NDArray[np.float64]:
    """Return the weights in the package for a set of candidates, by its name.

    Args:
        where: The set.
        names: Of which features; with those of patterns the weights are those fitted beside them.
        had: With how many items those who are asked about had to do.
    """
    kind: Kind = "shortlist"
    if where == "all":
        kind = "catalogue"
    elif where.startswith("popularity"):
        kind = "personal"
    return weights.of(kind, had=had, names=names)
