"""What each part of the pool adds: made anew without it, with other numbers, in other orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from lamina.evaluation.progress import Told, nobody
from lamina.evaluation.rec.graphs import without
from lamina.evaluation.rec.pools import Making
from lamina.evaluation.rec.reports import Report
from lamina.evaluation.rec.runs import Contest, Plan
from lamina.evaluation.rec.runs import run as run_contest
from lamina.evaluation.rec.scoring import Entry
from lamina.evaluation.rec.sharing import Patterns
from lamina.ports.graph import Graph
from lamina.ranking.catalogue import Catalogue
from lamina.ranking.shared import MEMBERS
from lamina.strategies.amem4rec.config import AMEM4RecConfig, Taus
from lamina.strategies.amem4rec.measures import doubts

FULL = "full"
TOLD = ("H@1", "H@5", "N@5", "N@10", "MRR", "n")
LOST = "N@5"
"""The metric of which the difference is told, with its interval."""
STEP = 0.05
"""By how much thresholds are moved."""
ORDERS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """The pool with something less, or something else."""

    name: str
    config: AMEM4RecConfig = field(default_factory=AMEM4RecConfig)
    passes: int = 1
    retrieving: Mapping[str, Any] = field(default_factory=dict)
    """What is other when patterns are looked up; pools are the same for that."""


def ablations() -> tuple[Variant, ...]:
    """Return the pool without one of its parts, with the code's table, and gone through twice."""
    return (
        Variant(name="no evolution", config=AMEM4RecConfig(evolves=False)),
        Variant(name="no similarity gate", config=AMEM4RecConfig(similarity_gate=False)),
        Variant(name="no semantic gate", config=AMEM4RecConfig(semantic_gate=False)),
        Variant(name="table of the code", config=AMEM4RecConfig(table="code")),
        Variant(name="second pass", passes=2),
    )


def sensitivity(taus: Taus) -> tuple[Variant, ...]:
    """Return the pool with other numbers. The full one has w 3, k 5, k_mem 5, and no half life.

    Args:
        taus: The thresholds of the full one.
    """
    low, high = taus
    numbers: list[tuple[str, dict[str, Any]]] = [
        *((f"w {w}", {"w": w}) for w in (2, 5)),
        *((f"k {k}", {"k": k}) for k in (3, 10)),
        *((f"tau_low {tau:.2f}", {"tau_low": tau}) for tau in _moved(low, high)),
        *((f"tau_high {tau:.2f}", {"tau_high": tau}) for tau in _moved(high, 1.0, low)),
        ("blocks", {"cut": "blocks"}),
    ]
    looked_up: list[tuple[str, dict[str, Any]]] = [
        *((f"k_mem {k}", {"k_mem": k}) for k in (1, 3, 10)),
        *((f"half life {days}", {"half_life_days": float(days)}) for days in (30, 90, 365)),
    ]
    return (
        *(Variant(name=name, config=AMEM4RecConfig(**other)) for name, other in numbers),
        *(Variant(name=name, retrieving=other) for name, other in looked_up),
    )


def orders() -> tuple[Variant, ...]:
    """Return the pool made in other orders of users; the full one has the first."""
    return tuple(
        Variant(name=_order(seed), config=AMEM4RecConfig(seed=seed)) for seed in range(1, ORDERS)
    )


def _order(seed: int) -> str:
    return f"order {seed + 1}"


def _moved(tau: float, most: float, least: float = -1.0) -> tuple[float, ...]:
    near = (round(min(most, max(least, tau + step)), 4) for step in (-STEP, STEP))
    return tuple(each for each in dict.fromkeys(near) if each != tau)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Grounds:
    """What pools are made of and held against."""

    making: Making
    graph: Graph
    catalogue: Catalogue


def of_users(making: Making, graph: Graph, catalogue: Catalogue) -> Grounds:
    """Return grounds on which nobody did anything but the users of the log that pools are made of.

    Args:
        making: How pools are made of the log of some users.
        graph: Of memory of all users.
        catalogue: As its items.
    """
    known = {user: n for n, user in enumerate(graph.users)}
    kept = [known[user] for user in making.log.users if user in known]
    return Grounds(
        making=making, graph=without(graph, ~np.isin(graph.by, kept)), catalogue=catalogue
    )


def run(
    grounds: Grounds,
    plan: Plan,
    variants: Sequence[Variant],
    *,
    groups: Mapping[str, frozenset[str]] = MappingProxyType({}),
    told: Told = nobody,
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return by set and variant how good the pool alone is, and how the pool stands by pass.

    Alone: by what its patterns say, and not by who contributes to them.
    `lost`, from `lost_low` to `lost_high`, is how much the full method is better in N@5, paired;
    `doubts` is what speaks against the encoder, in words, most often nothing.
    Everything is learnt once, not anew at each checkpoint.
    """
    every = (Variant(name=FULL), *variants)
    sources = _sources(grounds, plan, every)
    contest = Contest(
        sources=tuple(sources.values()),
        entries=tuple(
            Entry(name=name, columns=of.column(*MEMBERS), for_only=frozenset(of.column()))
            for name, of in sources.items()
        ),
        pairs=tuple((FULL, variant.name) for variant in every),
    )
    once = replace(plan, methods=(), candidates_out=None, checkpoints=1, cold=plan.cold[:1])
    report = run_contest(grounds.making.log, once, contest, groups=groups, told=told)
    return {
        where: {name: _figures(report, where, name, sources[name].making) for name in methods}
        for where, methods in report.methods.items()
    }


def _sources(grounds: Grounds, plan: Plan, variants: Sequence[Variant]) -> dict[str, Patterns]:
    makings: dict[tuple[AMEM4RecConfig, int], Making] = {}
    sources = {}
    for variant in variants:
        key = (variant.config, variant.passes)
        making = makings.setdefault(key, grounds.making.varied(*key))
        sources[variant.name] = Patterns(
            name=variant.name,
            making=making,
            graph=grounds.graph,
            catalogue=grounds.catalogue,
            clocked=plan.protocol == "replay",
            seed=plan.seed,
            retrieving=replace(variant.config, **variant.retrieving),
            audited=False,
        )
    return sources


def _figures(report: Report, where: str, name: str, making: Making) -> dict[str, Any]:
    of = report.methods[where][name]
    lost = next(
        one
        for one in report.comparisons
        if (one.b, one.candidates, one.metric) == (name, where, LOST)
    )
    last = next(reversed(making.kept.values()))
    return {
        **{metric: of[metric] for metric in TOLD},
        "lost": lost.difference,
        "lost_low": lost.interval[0],
        "lost_high": lost.interval[1],
        "passes": [asdict(each) for each in last.passes],
        "doubts": list(doubts(last.passes[-1])),
    }


def spread(
    found: Mapping[str, Mapping[str, Mapping[str, Any]]],
) -> dict[str, dict[str, float]]:
    """Return by set how far the orders lie apart in N@5, the full method's own among them."""
    names = (FULL, *(_order(seed) for seed in range(1, ORDERS)))
    told = {}
    for where, of in found.items():
        values = np.array([of[name][LOST] for name in names if name in of])
        told[where] = {
            "orders": len(values),
            "mean": float(values.mean()),
            "deviation": float(values.std(ddof=1)) if len(values) > 1 else 0.0,
            "least": float(values.min()),
            "greatest": float(values.max()),
        }
    return told
