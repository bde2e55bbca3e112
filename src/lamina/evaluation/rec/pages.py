"""The report as a page of HTML with plots in it: one file, nothing to fetch."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lamina.errors import MissingExtra
from lamina.evaluation.rec.pool_tables import tables
from lamina.evaluation.rec.reports import SHOWN, Comparison, Report, Shares, variant_rows

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STYLE = (
    "body{font:15px/1.5 sans-serif;max-width:70em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse;margin:1em 0}td,th{padding:.2em .7em;text-align:right}"
    "td:first-child,th:first-child{text-align:left}tr:nth-child(even){background:#f4f4f4}"
    "img{max-width:100%}.leak{color:#a00}"
)
PLOTTED = "N@5"


def write(path: Path, report: Report) -> None:
    """Write a report as a page.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    path.write_text("\n".join(_page(report)), encoding="utf-8")


def _page(report: Report) -> Iterator[str]:
    protocol = report.protocol
    yield "<!doctype html><meta charset=utf-8><title>lamina eval rec</title>"
    yield f"<style>{_STYLE}</style>"
    yield f"<h1>{escape(str(protocol['name']))}</h1>"
    if protocol["leaky"]:
        yield "<p class=leak>Leaky: what others did later serves too.</p>"
    yield (
        f"<p>{protocol['questions']} questions; weights fitted on"
        f" {protocol['validation_questions']} of the validation.</p>"
    )
    for where, methods in report.methods.items():
        yield f"<h2>Candidates: {escape(where)}</h2>"
        yield _image(_bars(methods, where))
        rows = [(name, *(f"{of[m]:.3f}" for m in SHOWN)) for name, of in methods.items()]
        yield _table(("method", *SHOWN), rows)
    if protocol["methods"]:
        yield _table(("method", "what it is"), list(protocol["methods"].items()))
    if report.comparisons:
        yield "<h2>Differences, paired</h2>"
        yield _image(_intervals(report.comparisons))
        yield _table(("difference", "candidates", "metric", "mean", "95 %", ""), _compared(report))
    if report.memory:
        yield "<h2>Memory</h2>"
        yield _table(("what", "how much"), list(_flat(report.memory)))
    for where, variants in report.analyses.items():
        head, *varied = variant_rows(where, variants)
        yield _table(head, varied)
    for head, *told in tables(report.pool) if report.pool else ():
        yield _table(head, told)
    yield "<h2>What each stage may see</h2>"
    sees = [(one["stage"], one["sees"], one["writes"]) for one in protocol["sees"]]
    yield _table(("stage", "sees", "writes"), sees)
    yield "<h2>Protocol</h2>"
    rest = {key: value for key, value in protocol.items() if key not in ("sees", "methods")}
    yield _table(("what", "value"), list(_flat(rest)))


def _compared(report: Report) -> list[Sequence[str]]:
    return [
        (
            f"{one.a} - {one.b}", one.candidates, one.metric, f"{one.difference:+.3f}",
            f"[{one.interval[0]:+.3f}, {one.interval[1]:+.3f}]", one.verdict,
        )
        for one in report.comparisons
    ]  # fmt: skip


def _flat(told: Mapping[str, Any], above: str = "") -> Iterator[Sequence[str]]:
    for key, value in told.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{key}: ")
        else:
            shown = f"{value:.3f}" if isinstance(value, float) else str(value)
            yield (f"{above}{key}", shown)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    titles = "".join(f"<th>{escape(cell)}" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}" for cell in row) for row in rows)
    return f"<table><tr>{titles}{body}</table>"


def _bars(methods: Mapping[str, Shares], where: str) -> Figure:
    names = list(methods)[::-1]
    figure = _figure(0.3 * len(names) + 1.2)
    axes = figure.subplots()
    axes.barh(names, [methods[name][PLOTTED] for name in names], color="#4878a8")
    axes.set_xlabel(f"{PLOTTED}, candidates: {where}")
    return figure


def _intervals(comparisons: Sequence[Comparison]) -> Figure:
    shown = [one for one in comparisons if one.metric == PLOTTED][::-1]
    figure = _figure(0.24 * len(shown) + 1.2)
    axes = figure.subplots()
    for place, one in enumerate(shown):
        axes.plot(one.interval, (place, place), color="#4878a8")
        axes.plot(one.difference, place, "o", color="#4878a8")
    axes.set_yticks(range(len(shown)), [f"{o.a} - {o.b} ({o.candidates})" for o in shown])
    axes.axvline(0.0, color="#888888", linewidth=1)
    axes.set_xlabel(f"difference of {PLOTTED}, 95 % interval")
    return figure


def _figure(height: float) -> Figure:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("plots need matplotlib: pip install 'lamina[eval]'") from error
    return Figure(figsize=(9.0, height), layout="constrained")


def _image(figure: Figure) -> str:
    written = io.BytesIO()
    figure.savefig(written, format="png", dpi=110, metadata={"Software": None})
    told = base64.b64encode(written.getvalue()).decode("ascii")
    return f'<img alt="" src="data:image/png;base64,{told}">'
