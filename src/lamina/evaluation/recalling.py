"""Every signal of every turn for every question, from the code that `search` runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation import baselines
from lamina.evaluation.datasets import SCORED, Question
from lamina.evaluation.fitting import Signals
from lamina.evaluation.metrics import Scores, gold
from lamina.evaluation.reports import Percentiles
from lamina.evaluation.scores import Targets
from lamina.memory import read
from lamina.model import Message, Scope, Variant
from lamina.ports import Documents, Postings, Snapshot
from lamina.recall import scoring, signals
from lamina.recall.fusion import NAMES
from lamina.recall.layout import layout
from lamina.work import indexing
from lamina.work.engine import Engine

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What one conversation gives for its questions."""

    scope: Scope
    asked_at: datetime
    """The time of its last turn, from which a question's "last month" is counted."""
    asked: tuple[Question, ...]
    """All of its questions, for answers."""
    questions: tuple[Question, ...]
    """Those with usable evidence; the rest of what is here is about these."""
    targets: Targets
    values: NDArray[np.float32]
    """Shape (signals, questions, turns), in the order of `fusion.NAMES`."""
    comparators: Mapping[str, Scores]
    """Name of a method to its scores, (questions, turns)."""

    def of(self, variant: Variant) -> Signals:
        """Return a variant's signals."""
        chosen = [NAMES.index(name) for name in scoring.SIGNALS[variant]]
        return Signals(values=self.values[chosen], gold=self.targets.gold)

    def scored(self, variant: Variant) -> Signals:
        """Return a variant's signals for the questions of categories 1 to 4: to fit weights on."""
        kept = [i for i, question in enumerate(self.questions) if question.category in SCORED]
        signals = self.of(variant)
        return Signals(values=signals.values[:, kept], gold=signals.gold.only(kept))


def recalled(engine: Engine, scope: Scope, questions: Sequence[Question]) -> Recalled:
    """Search for every question that has usable evidence, in one state of the store.

    The questions are encoded in one batch; the encoder's vectors do not depend on that.
    """
    usable = tuple(question for question in questions if question.evidence)
    vectors = engine.encoder.encode([question.text for question in usable])
    with engine.store.snapshot(scope) as snapshot:
        documents = snapshot.documents
        turns = engine.store.messages(scope, documents.turn_refs)
        asked_at = max(turn.said_at for turn in turns)
        languages = engine.encoder.space.languages
        values = [
            _signals(signals.query(q.text, vector, now=asked_at, languages=languages), snapshot)
            for q, vector in zip(usable, vectors, strict=True)
        ]
    texts = tuple(indexing.turn(turn).shown for turn in turns)
    return Recalled(
        scope=scope,
        asked_at=asked_at,
        asked=tuple(questions),
        questions=usable,
        targets=_targets(usable, turns, documents),
        values=np.ascontiguousarray(np.stack(values).transpose(2, 0, 1)),
        comparators=_comparators(texts, usable, _vectors(documents), vectors),
    )


def _signals(query: signals.Query, snapshot: Snapshot) -> NDArray[np.float32]:
    found = signals.signals(query, snapshot.documents, snapshot.postings(query.terms))
    return found.turns


def _targets(
    questions: Sequence[Question], turns: Sequence[Message], documents: Documents
) -> Targets:
    numbers = {turn.metadata["dia_id"]: number for number, turn in enumerate(turns)}
    return Targets(
        categories=tuple(question.category for question in questions),
        gold=gold([[numbers[name] for name in q.evidence] for q in questions]),
        sessions=layout(documents).sessions,
    )


def _vectors(documents: Documents) -> NDArray[np.float32]:
    """Return the turns' own vectors, in the order of the turns."""
    return documents.vectors[layout(documents).turn_rows]


def _comparators(
    texts: Sequence[str],
    questions: Sequence[Question],
    turns: NDArray[np.float32],
    vectors: NDArray[np.float32],
) -> dict[str, Scores]:
    lexical = baselines.bm25(texts, [question.text for question in questions])
    dense = baselines.dense(turns, vectors)
    return {"bm25": lexical, "dense": dense, "hybrid": baselines.hybrid(lexical, dense)}


def timed(engine: Engine, sample: Sequence[tuple[Scope, str]]) -> dict[str, Percentiles]:
    """Time a search for each (scope, question), stage by stage, and as a whole.

    Returns:
        `encode` the question, `fetch` documents and postings, `signals` lexical and dense, `fuse`
        them into a ranking, `build` the hits; `total` is a whole `search`, timed apart.
    """
    laps: dict[str, list[float]] = {}
    for scope, text in sample:
        _search(engine, scope, text, laps)
        _lap(laps, "total", partial(read.search, engine, scope, text, read.Wanted()))
    return {stage: _percentiles(seconds) for stage, seconds in laps.items()}


def _search(engine: Engine, scope: Scope, text: str, laps: dict[str, list[float]]) -> None:
    wanted = read.Wanted()
    asked = _lap(laps, "encode", lambda: read.take_apart(engine, text, wanted))

    def fetched() -> tuple[Documents, Postings]:
        with engine.store.snapshot(scope) as snapshot:
            return snapshot.documents, snapshot.postings(asked.terms)

    documents, postings = _lap(laps, "fetch", fetched)
    found = _lap(laps, "signals", lambda: signals.signals(asked, documents, postings))
    ranked = _lap(laps, "fuse", lambda: scoring.rank(found, documents, engine.weights))
    ranking = read.Ranking(asked=asked, documents=documents, ranked=ranked)
    _lap(laps, "build", lambda: read.told(engine, scope, ranking, wanted))


def _lap(laps: dict[str, list[float]], stage: str, run: Callable[[], T]) -> T:
    began = time.perf_counter()
    result = run()
    laps.setdefault(stage, []).append(time.perf_counter() - began)
    return result


def _percentiles(seconds: Sequence[float]) -> Percentiles:
    p50, p95 = np.percentile(seconds, [50, 95]) * 1000.0
    return Percentiles(p50=float(p50), p95=float(p95))
