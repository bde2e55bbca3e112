"""`lamina eval locomo`: how well the turns that answer a question are found."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lamina.errors import BadInput, FormatError
from lamina.evaluation import protocol, scores
from lamina.evaluation.answers import Answering, answers
from lamina.evaluation.bootstrap import Estimate
from lamina.evaluation.contexts import remembered, whole
from lamina.evaluation.datasets import Sample, read, read_corrections
from lamina.evaluation.fitting import leave_one_out
from lamina.evaluation.progress import Told, nobody
from lamina.evaluation.recalling import Recalled, recalled, timed
from lamina.evaluation.reports import Report
from lamina.evaluation.scores import Measured
from lamina.evaluation.storing import Stored, stored
from lamina.model import Variant
from lamina.ports import LLM, Encoder
from lamina.recall.fusion import NAMES, Weights
from lamina.recall.scoring import SIGNALS
from lamina.settings import Settings

SAMPLE = 60
"""Questions, evenly spread, whose search is timed and whose context is measured."""
METHODS = ("bm25", "dense", "hybrid")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to run."""

    variant: Variant = "full"
    """Which figures are the report's own; the others are in its `structure`."""
    ks: tuple[int, ...] = (5, 10, 20)
    """Where rankings are cut, each at least 1."""
    corrections: Path | None = None
    """A file of audited answers and evidence."""
    conversations: int | None = None
    """Only so many, from the first."""
    max_tokens: int = 2000
    """Of the context that a question is answered from."""
    full_context: bool = False
    """Whether questions are also answered from their whole conversation."""


def run(
    path: str | Path,
    plan: Plan | None = None,
    *,
    encoder: Encoder | str | None = None,
    llm: LLM | None = None,
    settings: Settings | None = None,
    told: Told = nobody,
) -> Report:
    """Evaluate recall, and with a model answers, on a LoCoMo file.

    Args:
        path: The file, in the official schema.
        plan: What to run.
        encoder: One of your own or its name; without it what the settings say.
        llm: One of your own, for every role; without it what the settings say, which may be none.
        settings: Without them they are read from the environment and `lamina.toml`.
        told: Told how far it has come.

    Raises:
        BadInput: The plan cannot be run; `FormatError` if a file is not in its schema.
        EncoderError: The encoder cannot be used.
        ModelError: A model is configured that cannot be used.
    """
    began = time.perf_counter()
    path, plan = Path(path), _checked(plan or Plan())
    settings = settings or Settings.read(os.environ)
    samples = _samples(path, plan)
    usable = [s for s in samples if any(question.evidence for question in s.questions)]
    if not usable:
        raise FormatError(f"{path.name}: no question in it names a turn as its evidence")
    with stored(usable, told, encoder=encoder, llm=llm, settings=settings) as bench:
        report = _report(plan, bench, usable, told)
    seconds = {"seconds": round(time.perf_counter() - began, 1)}
    about = protocol.data(path, samples, plan.corrections)
    return replace(report, protocol={**about, **report.protocol, **seconds})


def _checked(plan: Plan) -> Plan:
    if plan.variant not in SIGNALS:
        raise BadInput(f"there is no variant {plan.variant!r}; use one of {', '.join(SIGNALS)}")
    if not plan.ks or min(plan.ks) < 1:
        raise BadInput("rankings are cut at whole numbers, at least 1, such as 5,10,20")
    if plan.conversations is not None and plan.conversations < 1:
        raise BadInput("at least one conversation is needed")
    return replace(plan, ks=tuple(sorted(set(plan.ks))))


def _samples(path: Path, plan: Plan) -> list[Sample]:
    corrections = read_corrections(plan.corrections) if plan.corrections else None
    return read(path, corrections)[: plan.conversations]


def _report(plan: Plan, bench: Stored, samples: Sequence[Sample], told: Told) -> Report:
    found = _recalled(bench, samples, told)
    weights = {variant: _weights(found, variant) for variant in SIGNALS}
    measured = {variant: _measured(found, variant, weights[variant], plan) for variant in SIGNALS}
    own, chosen = measured[plan.variant], weights[plan.variant]
    how = Answering(
        variant=plan.variant, max_tokens=plan.max_tokens, full_context=plan.full_context
    )
    graded = answers(bench.engine, list(zip(found, chosen, strict=True)), how, told)
    return Report(
        protocol=protocol.run(bench, chosen, SIGNALS[plan.variant], answered=bool(graded)),
        variant=plan.variant,
        overall={**scores.shares(own), "context_tokens": _context(plan, bench, found, chosen)},
        by_category=scores.by_category(own),
        adversarial=scores.shares(own, ["adversarial"]),
        structure=_structure(measured, plan),
        latency_ms=timed(bench.engine, [(one.scope, text) for one, text in _sampled(found)]),
        cost=bench.cost,
        comparators=_comparators(plan, bench, found),
        answers=graded,
    )


def _recalled(bench: Stored, samples: Sequence[Sample], told: Told) -> list[Recalled]:
    found = []
    for scope, sample in zip(bench.scopes, samples, strict=True):
        found.append(recalled(bench.engine, scope, sample.questions))
        told("searching", len(found), len(samples))
    return found


def _weights(found: Sequence[Recalled], variant: Variant) -> list[Weights]:
    """Return weights for each conversation, chosen on all the others; 0 outside the variant."""
    names = SIGNALS[variant]
    absent = dict.fromkeys(NAMES, 0.0)
    chosen = leave_one_out([one.scored(variant) for one in found])
    return [Weights(**absent | dict(zip(names, w.tolist(), strict=True))) for w in chosen]


def _measured(
    found: Sequence[Recalled], variant: Variant, weights: Sequence[Weights], plan: Plan
) -> Measured:
    names = SIGNALS[variant]
    return scores.joined(
        [
            scores.measure(one.of(variant).fused(own.of(names)), one.targets, plan.ks)
            for one, own in zip(found, weights, strict=True)
        ]
    )


def _structure(
    measured: Mapping[Variant, Measured], plan: Plan
) -> dict[str, dict[str, dict[str, Estimate]]]:
    k = 10 if 10 in plan.ks else plan.ks[-1]
    names = (f"recall@{k}", f"all@{k}")
    return {
        f"{better}_minus_flat": scores.gains(measured[better], measured["flat"], names)
        for better in ("full", "events")
    }


def _sampled(found: Sequence[Recalled]) -> Iterator[tuple[Recalled, str]]:
    """Yield questions, evenly spread, each with its conversation."""
    every = [(one, question.text) for one in found for question in one.questions]
    yield from every[:: max(1, len(every) // SAMPLE)]


def _context(
    plan: Plan, bench: Stored, found: Sequence[Recalled], weights: Sequence[Weights]
) -> float:
    """Return the mean tokens of a context, over a sample of the questions."""
    engines = {
        id(one): replace(bench.engine, weights=own) for one, own in zip(found, weights, strict=True)
    }
    shown = [
        remembered(engines[id(one)], one, [text], plan.variant, plan.max_tokens)[0].tokens
        for one, text in _sampled(found)
    ]
    return sum(shown) / len(shown)


def _comparators(plan: Plan, bench: Stored, found: Sequence[Recalled]) -> dict[str, Any]:
    compared: dict[str, Any] = {}
    for method in METHODS:
        measured = scores.joined(
            [scores.measure(one.comparators[method], one.targets, plan.ks) for one in found]
        )
        compared[method] = {
            **scores.shares(measured),
            "by_category": scores.by_category(measured),
        }
    asked = [len(one.questions) for one in found]
    tokens = [whole(bench.engine, one).tokens for one in found]
    mean = sum(n * size for n, size in zip(asked, tokens, strict=True)) / sum(asked)
    return {**compared, "full_context": {"n": sum(asked), "context_tokens": mean}}
