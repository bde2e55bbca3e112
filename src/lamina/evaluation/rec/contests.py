"""Which methods meet: those without memory, memory, what is no memory, and memory with less."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.rec.asking import FALLBACK
from lamina.evaluation.rec.graphs import append_only
from lamina.evaluation.rec.logs import Log
from lamina.evaluation.rec.memories import NOTED, Memory, controls
from lamina.evaluation.rec.remembering import Remembered
from lamina.evaluation.rec.runs import BEST, Contest, Plan, classics
from lamina.evaluation.rec.scoring import Entry
from lamina.evaluation.rec.sources import BLENDED
from lamina.ranking import weights
from lamina.ranking.features import FITTED
from lamina.ranking.features import NAMES as FEATURES
from lamina.ranking.weights import Kind

LAMINA = "lamina"
"""The extractive ranker, with weights fitted on the validation."""
SHIPPED = "lamina-shipped"
"""The same with the weights in the package, as `Recommender.rank` has them."""
JOINED = "blend+memory"
HISTORY = "history"
"""The ranker without notes, links and descriptions' vectors."""
BESIDE = "blend+history"
WORDS = {
    LAMINA: "what the ranker goes by: notes, links, descriptions, others' histories, metadata;"
    " weights fitted on the validation",
    SHIPPED: "the same with the weights in the package, which were fitted once on what each user of"
    " ml-latest-small did last but one, whenever that was: of a replay of those data they have seen"
    " the questions that are their user's last but one",
    JOINED: "blend, and all that lamina goes by",
    HISTORY: "lamina without notes, links and descriptions' vectors: interactions and metadata;"
    " what lamina is better by is what atomic notes add",
    BESIDE: "blend, and all that history goes by: what blend+memory is better by is what notes add",
    "no-links": "lamina without links: no link-aware retrieval",
    "append-only": "lamina with every note as it was first: nothing evolves",
    "null": "lamina's weights, and nobody's memory",
    "shuffled": "lamina's weights, and another user's memory",
    "filler": "lamina's weights, and notes about nothing",
}
"""What methods with memory are."""


def with_memory(log: Log, remembered: Remembered, plan: Plan) -> Contest:
    """Return the classics, memory alone and with them, and what is no memory."""
    real = Memory(
        name=LAMINA,
        log=log,
        graph=remembered.graph,
        catalogue=remembered.catalogue,
        clocked=plan.protocol == "replay",
        seed=plan.seed,
    )
    fakes = controls(real)
    less = _less(real)
    simple = classics()
    own = real.column()
    return Contest(
        sources=(*simple.sources, real, *fakes.values(), less),
        entries=(
            *simple.entries,
            Entry(name=LAMINA, columns=own),
            Entry(name=SHIPPED, columns=own, fixed=shipped),
            Entry(name=JOINED, columns=(*BLENDED, *own)),
            Entry(name=HISTORY, columns=real.column(*NOTED)),
            Entry(name=BESIDE, columns=(*BLENDED, *real.column(*NOTED))),
            *(Entry(name=n, columns=fake.column(), like=LAMINA) for n, fake in fakes.items()),
            Entry(name="no-links", columns=real.column("linked")),
            Entry(name=less.name, columns=less.column()),
        ),
        pairs=(
            (LAMINA, BEST),
            (JOINED, "blend"),
            *((LAMINA, name) for name in fakes),
            *((LAMINA, name) for name in (HISTORY, "no-links", less.name)),
            (JOINED, BESIDE),
            (LAMINA, "blend"),
            (SHIPPED, "blend"),
            *((name, BEST) for name in (SHIPPED, JOINED)),
            *((FALLBACK, name) for name in (LAMINA, BEST)),
            *((LAMINA, name) for name in BLENDED),
            *simple.pairs,
        ),
        words={**simple.words, **WORDS},
    )


def shipped(where: str) -> NDArray[np.float64]:
    """Return the weights in the package for a set of candidates, by its name."""
    kind: Kind = "shortlist"
    if where == "all":
        kind = "catalogue"
    elif where.startswith("popularity"):
        kind = "personal"
    every = dict(zip(FEATURES, weights.of(kind).tolist(), strict=True))
    return np.array([every[name] for name in FITTED])


def _less(real: Memory) -> Memory:
    """Return memory in which no note changed after it was written."""
    return replace(real, name="append-only", graph=append_only(real.graph), audited=False)
