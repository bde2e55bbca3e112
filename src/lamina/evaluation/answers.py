"""Every question answered by a model, from memory or from the whole conversation, and graded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from lamina.evaluation.contexts import Shown, remembered, whole
from lamina.evaluation.datasets import SCORED
from lamina.evaluation.grading import CEILING, Graded, Models, graded, prompt_digests, summary
from lamina.evaluation.progress import Told
from lamina.evaluation.recalling import Recalled
from lamina.model import Variant
from lamina.models.roles import name_of
from lamina.recall.fusion import Weights
from lamina.work.engine import Engine

OPERATION = "evaluation"
"""Under which answers and verdicts stand in the ledger."""

Reads = Callable[[Engine, Recalled, Sequence[str]], list[Shown]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """How questions are to be answered."""

    variant: Variant
    max_tokens: int
    full_context: bool


def answers(
    engine: Engine,
    found: Sequence[tuple[Recalled, Weights]],
    how: Answering,
    told: Told,
) -> dict[str, Any]:
    """Answer and grade every question, also those without usable evidence.

    Args:
        engine: With its models.
        found: Each conversation with the weights that were chosen on the others.
        how: What is shown to the model.
        told: Told how far it has come.

    Returns:
        Models, prompts, ceiling, the scores of `memory` and, if asked for, of `full_context`, and
        what it cost; empty if no model is configured.
    """
    models = [_models(engine, recalled) for recalled, _ in found]
    if any(m is None for m in models):
        return {}
    memory = partial(remembered, variant=how.variant, max_tokens=how.max_tokens)
    scores = {"memory": _scored(engine, found, memory, told)}
    if how.full_context:
        scores["full_context"] = _scored(engine, found, _all_of_it, told)
    return {**_protocol(models), **scores, "cost": _cost(engine, found)}


def _models(engine: Engine, recalled: Recalled) -> Models | None:
    answer = engine.llm(recalled.scope, "answer", OPERATION)
    judge = engine.llm(recalled.scope, "judge", OPERATION)
    return Models(answer=answer, judge=judge) if answer and judge else None


def _protocol(models: Sequence[Models | None]) -> dict[str, Any]:
    [first, *_] = [m for m in models if m is not None]
    return {
        "models": {"answer": name_of(first.answer), "judge": name_of(first.judge)},
        "prompts": prompt_digests(),
        "ceiling": CEILING,
    }


def _all_of_it(engine: Engine, recalled: Recalled, texts: Sequence[str]) -> list[Shown]:
    return [whole(engine, recalled)] * len(texts)


def _scored(
    engine: Engine, found: Sequence[tuple[Recalled, Weights]], reads: Reads, told: Told
) -> dict[str, Any]:
    grades: list[Graded] = []
    tokens: list[int] = []
    total = sum(len(recalled.asked) for recalled, _ in found)
    for recalled, weights in found:
        models = _models(engine, recalled)
        assert models is not None
        held_out = replace(engine, weights=weights)
        shown = reads(held_out, recalled, [question.text for question in recalled.asked])
        tokens += [context.tokens for context in shown]
        texts = [context.text for context in shown]
        progress = partial(_advance, told, len(grades), total)
        grades += graded(models, recalled.asked, texts, progress)
    return _grouped(grades) | {"context_tokens": sum(tokens) / max(len(tokens), 1)}


def _advance(told: Told, before: int, total: int, done: int, _known: int) -> None:
    told("answering", before + done, total)


def _grouped(grades: Sequence[Graded]) -> dict[str, Any]:
    def of(*categories: str) -> list[Graded]:
        return [grade for grade in grades if grade.question.category in categories]

    return {
        "overall": summary(of(*SCORED)),
        "by_category": {c: summary(of(c)) for c in SCORED if of(c)},
        "adversarial": summary(of("adversarial")),
    }


def _cost(engine: Engine, found: Sequence[tuple[Recalled, Weights]]) -> dict[str, int]:
    usages = [engine.store.usage(r.scope, operation=OPERATION) for r, _ in found]
    return {
        "calls": sum(usage.calls for usage in usages),
        "input_tokens": sum(usage.input_tokens for usage in usages),
        "output_tokens": sum(usage.output_tokens for usage in usages),
    }
