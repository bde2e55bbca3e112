"""What was run, so that a figure can be read, repeated and compared."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lamina.evaluation.datasets import SCORED, Question, Sample
from lamina.evaluation.storing import Stored
from lamina.models.roles import name_of
from lamina.recall.fusion import Weights

READING: dict[str, str] = {
    "ranked": "turns; a fact, relation or summary passes its score on to the turns it rests on",
    "overall": "categories 1 to 4: " + ", ".join(SCORED),
    "recall@k": "share of a question's evidence turns in the first k, mean over questions",
    "all@k": "whether all of them are",
    "session_hit@k": "whether one of its sessions is, sessions ranked by their best turn",
    "ties": "expected value over all orders of tied turns",
    "intervals": "95 % percentile, 10,000 seeded resamples of the questions, paired",
    "asked_at": "the time of the conversation's last turn",
}
"""How to read the figures."""
_LEFT_OUT = "each conversation's were fitted on all the others (conditional logit, ridge 1)"
_ALONE = "equal: there is no other conversation to fit them on"


def data(path: Path, samples: Sequence[Sample], corrections: Path | None) -> dict[str, Any]:
    """Return what the questions are, and what of them is left out."""
    questions = [question for sample in samples for question in sample.questions]
    return {
        "data": path.name,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest()[:16],
        "corrections": corrections.name if corrections else None,
        "conversations": [sample.name for sample in samples],
        "turns": sum(len(sample.turns) for sample in samples),
        "questions": _counts(questions),
    }


def _counts(questions: Sequence[Question]) -> dict[str, int]:
    return {
        "all": len(questions),
        "adversarial": sum(question.category not in SCORED for question in questions),
        "left_out_without_evidence": sum(not question.evidence for question in questions),
        "corrected": sum(question.corrected for question in questions),
        "evidence_repaired": sum(question.repaired for question in questions),
        "evidence_ids_left_out": sum(len(question.unreadable) for question in questions),
    }


def run(
    bench: Stored, weights: Sequence[Weights], names: Sequence[str], *, answered: bool
) -> dict[str, Any]:
    """Return what was done with them.

    Args:
        bench: What it was done with.
        weights: Of each conversation.
        names: The signals of the variant.
        answered: Whether a model answered the questions.
    """
    engine = bench.engine
    memory = engine.llm(bench.scopes[0], "memory", "evaluation")
    return {
        **READING,
        "encoder": engine.encoder.space.id,
        "strategy": engine.strategy.name,
        "memory_model": name_of(memory) if memory is not None else None,
        "answers": "see `answers`" if answered else "none: no language model is configured",
        "unfinished": dict(Counter(bench.unfinished)),
        "weights": _LEFT_OUT if len(weights) > 1 else _ALONE,
        "weights_used": {
            scope.id: {name: round(getattr(own, name), 4) for name in names}
            for scope, own in zip(bench.scopes, weights, strict=True)
        },
    }
