"""What an evaluation found: figures with the protocol beside them, as JSON and as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lamina.evaluation.bootstrap import Estimate
from lamina.model import Value

Shares = Mapping[str, float]
"""`n`, and measures in [0, 1] such as `recall@10`, by name."""

_SHOWN = (
    "data",
    "questions",
    "encoder",
    "memory_model",
    "answers",
    "unfinished",
    "overall",
    "ties",
    "weights",
    "intervals",
    "seconds",
)
"""What of the protocol people are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Percentiles(Value):
    """How long something takes, in milliseconds."""

    p50: float
    p95: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost(Value):
    """What forming the memory took."""

    calls: int
    input_tokens: int
    output_tokens: int
    turns: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(Value):
    """One run of `lamina eval locomo`."""

    protocol: Mapping[str, Any]
    """What was run, on what, and how to read the figures."""
    variant: str
    overall: Shares
    """Categories 1 to 4, as in published scores."""
    by_category: Mapping[str, Shares]
    """The same four, by their official names."""
    adversarial: Shares
    """Category 5, apart: whether the turns that its questions twist are found."""
    structure: Mapping[str, Mapping[str, Mapping[str, Estimate]]]
    """Comparison, such as `full_minus_flat`, to category or `overall`, to measure, to gain."""
    latency_ms: Mapping[str, Percentiles]
    """By stage of a search, over a sample of the questions."""
    cost: Cost
    comparators: Mapping[str, Mapping[str, Any]]
    """Other methods on the same questions."""
    answers: Mapping[str, Any] = field(default_factory=dict)
    """With a model: token F1 and the judge's verdicts; empty without one."""


def table(report: Report) -> str:
    """Return the report for people: plain text, no colours. What it leaves out is in the JSON."""
    blocks = [
        _grid(_recall_rows(report)),
        *(_grid(_gain_rows(name, groups)) for name, groups in report.structure.items()),
        _grid(_answer_rows(report)),
        _grid(_latency_rows(report)),
        "\n".join(_remarks(report)),
    ]
    return "\n\n".join(block for block in blocks if block)


def _recall_rows(report: Report) -> Iterator[Sequence[str]]:
    measures = [name for name in report.overall if name.startswith(("recall@", "all@"))]
    yield ["method", "questions", "n", *measures]
    yield [report.variant, "overall", *_cells(report.overall, measures)]
    for category, shares in report.by_category.items():
        yield ["", category, *_cells(shares, measures)]
    if report.adversarial:
        yield ["", "adversarial", *_cells(report.adversarial, measures)]
    for name, shares in report.comparators.items():
        if measures[0] in shares:
            yield [name, "overall", *_cells(shares, measures)]


def _gain_rows(name: str, groups: Mapping[str, Mapping[str, Estimate]]) -> Iterator[Sequence[str]]:
    measures = list(groups["overall"])
    yield [name.replace("_", " "), *(f"{m} [95 %]" for m in measures)]
    for group, found in groups.items():
        yield [group, *(_interval(found[m]) for m in measures)]


def _answer_rows(report: Report) -> Iterator[Sequence[str]]:
    for context in ("memory", "full_context"):
        found = report.answers.get(context)
        if found:
            groups = {"overall": found["overall"], **found["by_category"]}
            groups["adversarial"] = found["adversarial"]
            yield [f"answers from {context.replace('_', ' ')}", *found["overall"]]
            for group, scores in groups.items():
                yield [group, *map(_number, scores.values())]


def _answer_remarks(report: Report) -> Iterator[str]:
    found = report.answers
    yield f"models: {_plain(found['models'])}; prompts: {_plain(found['prompts'])}"
    yield f"of the data's own gold answers {found['ceiling']:.1%} are right: higher is not better"
    yield f"answering took: {_plain(found['cost'])}"


def _latency_rows(report: Report) -> Iterator[Sequence[str]]:
    if report.latency_ms:
        yield ["stage", "p50 ms", "p95 ms"]
    for stage, found in report.latency_ms.items():
        yield [stage, f"{found.p50:.2f}", f"{found.p95:.2f}"]


def _remarks(report: Report) -> Iterator[str]:
    cost = report.cost
    yield (
        f"memory of {cost.turns} turns: {cost.seconds:.1f} s, {cost.calls} model calls,"
        f" {cost.input_tokens} tokens in, {cost.output_tokens} out"
    )
    whole = report.comparators["full_context"]["context_tokens"]
    yield (
        f"a context of memory has {report.overall['context_tokens']:.0f} tokens on average,"
        f" the whole conversation {whole:.0f}"
    )
    if report.answers:
        yield from _answer_remarks(report)
    for key in _SHOWN:
        if key in report.protocol:
            yield f"{key}: {_plain(report.protocol[key])}"


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_plain(item)}" for key, item in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _cells(shares: Shares, measures: Sequence[str]) -> list[str]:
    return [str(shares["n"]), *(f"{shares[m]:.3f}" for m in measures if m in shares)]


def _interval(found: Estimate) -> str:
    return f"{found.mean:+.3f} [{found.low:+.3f}, {found.high:+.3f}]"


def _number(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _grid(rows: Iterator[Sequence[str]]) -> str:
    """Align columns: the first to the left, the others to the right."""
    lines = list(rows)
    if not lines:
        return ""
    columns = range(max(len(line) for line in lines))
    widths = [max((len(line[c]) for line in lines if c < len(line)), default=0) for c in columns]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if c < 2 else cell.rjust(width)
            for c, (cell, width) in enumerate(zip(line, widths, strict=False))
        ).rstrip()
        for line in lines
    )
