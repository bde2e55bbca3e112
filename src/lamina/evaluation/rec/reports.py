"""What an evaluation of recommending found: as data, and as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lamina.evaluation.rec.pool_tables import tables
from lamina.model import Value

Shares = dict[str, float]
"""By metric; `n` is how many questions."""
SHOWN = ("H@1", "H@3", "H@5", "H@10", "N@1", "N@3", "N@5", "N@10", "MRR")
TABLED = ("N@5",)
"""Metrics whose differences are in tables; all are in the data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Value):
    """By how much one method is better than another, on the same questions."""

    a: str
    b: str
    candidates: str
    """Which set of candidates."""
    metric: str
    difference: float
    """Mean of a less that of b."""
    interval: tuple[float, float]
    """Where 95 of 100 resampled differences lie."""

    @property
    def verdict(self) -> str:
        """Whether a is better: the interval may leave that open."""
        low, high = self.interval
        return "better" if low > 0 else "worse" if high < 0 else "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(Value):
    """What was run and what was found."""

    protocol: Mapping[str, Any]
    methods: Mapping[str, Mapping[str, Shares]]
    """By set of candidates, then by method."""
    comparisons: tuple[Comparison, ...] = ()
    memory: Mapping[str, Any] = field(default_factory=dict)
    """How the memory grew and what it cost, where there is one."""
    analyses: Mapping[str, Mapping[str, Mapping[str, float]]] = field(default_factory=dict)
    """By set of candidates and variant of the method, built from some users' data."""
    pool: Mapping[str, Any] = field(default_factory=dict)
    """What pools with less, or in other orders, come to, and how far they contaminate."""

    def to_dict(self) -> dict[str, Any]:
        """Return this as JSON-ready data; with one set of candidates, `methods` are by name."""
        told = Value.to_dict(self)
        sets = told["methods"]
        if len(sets) == 1:
            told["methods"] = next(iter(sets.values()))
        else:
            told["methods"] = _by_method(sets)
        return told


def _by_method(sets: Mapping[str, Mapping[str, Shares]]) -> dict[str, dict[str, Any]]:
    """Return figures by method: those of the first set, and of all by the set's name."""
    first = next(iter(sets.values()))
    return {
        name: {**figures, "by_candidates": {where: of[name] for where, of in sets.items()}}
        for name, figures in first.items()
    }


def lines(report: Report) -> Iterator[str]:
    """Yield the report as text: tables, and what is to be known to read them."""
    protocol = report.protocol
    leak = "; LEAKY: what others did later serves too" if protocol["leaky"] else ""
    yield (
        f"{protocol['name']}: {protocol['questions']} questions, weights fitted on"
        f" {protocol['validation_questions']}, {protocol['checkpoints']} checkpoints{leak}"
    )
    if protocol["histories_cut_to"]:
        kept = ", ".join(map(str, protocol["histories_cut_to"]))
        yield f"of those asked about only the last {kept} before the target are known to anybody"
    yield from _foretold(protocol)
    for where, methods in report.methods.items():
        yield ""
        yield from grid([(f"candidates: {where}", *SHOWN), *_rows(methods)])
    if protocol["methods"]:
        yield ""
        yield from grid([("method", "what it is"), *protocol["methods"].items()], left=2)
    if report.comparisons:
        yield ""
        yield from grid(list(_compared(report.comparisons)))
        best = ", ".join(f"{name} ({where})" for where, name in protocol["best_baseline"].items())
        yield f"best baseline, by N@5 of the test: {best}"
    if report.memory:
        yield ""
        yield "memory: " + ", ".join(_told(report.memory))
    for where, variants in report.analyses.items():
        yield ""
        yield from grid(list(variant_rows(where, variants)))
    for rows in tables(report.pool) if report.pool else ():
        yield ""
        yield from grid(rows)
    yield ""
    sees = [(one["stage"], one["sees"], one["writes"]) for one in protocol["sees"]]
    yield from grid([("stage", "sees", "writes"), *sees], left=3)


def _foretold(protocol: Mapping[str, Any]) -> Iterator[str]:
    for part in ("validation", "test"):
        one = protocol[part]
        when = f", {one['from'][:10]} to {one['to'][:10]}" if "from" in one else ""
        asked = f"{one['questions']} questions of {one.get('users', 0)} users{when}"
        yield f"{part}: {one['foretells']} ({asked})"


VARIED = (
    "H@3", "N@3", "H@5", "N@5", "loss", "links_per_note", "evolutions_per_interaction",
)  # fmt: skip


def variant_rows(
    where: str, variants: Mapping[str, Mapping[str, float]]
) -> Iterator[Sequence[str]]:
    """Yield a head and a row for each variant."""
    yield (f"variants, candidates: {where}", *VARIED, "n", "full better by, N@5")
    for name, figures in variants.items():
        lost = f"{figures['lost']:+.3f} [{figures['lost_low']:+.3f}, {figures['lost_high']:+.3f}]"
        shown = (f"{figures[column]:.3f}" for column in VARIED)
        yield (name, *shown, f"{figures['n']:.0f}", lost)


def _told(memory: Mapping[str, Any]) -> Iterator[str]:
    for name, value in memory.items():
        if isinstance(value, Mapping):
            yield f"{name} ({', '.join(_told(value))})"
        else:
            yield f"{name} {value:.4g}" if isinstance(value, float) else f"{name} {value}"


def _rows(methods: Mapping[str, Shares]) -> Iterator[Sequence[str]]:
    for name, figures in methods.items():
        yield (name, *(f"{figures[metric]:.3f}" for metric in SHOWN))


def _compared(comparisons: Sequence[Comparison]) -> Iterator[Sequence[str]]:
    yield ("difference", "candidates", "metric", "mean", "95 % interval", "is it better")
    for one in comparisons:
        if one.metric not in TABLED:
            continue
        low, high = one.interval
        told = f"[{low:+.3f}, {high:+.3f}]"
        mean = f"{one.difference:+.3f}"
        yield (f"{one.a} - {one.b}", one.candidates, one.metric, mean, told, one.verdict)


def grid(rows: Sequence[Sequence[str]], *, left: int = 1) -> Iterator[str]:
    """Yield rows with columns aligned: the first `left` to the left, others to the right."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.ljust(width) if n < left else cell.rjust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
