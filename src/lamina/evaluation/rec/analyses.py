"""What each part of the method adds: memory built anew without it, or with other numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lamina.evaluation.progress import Told, nobody
from lamina.evaluation.rec.keeping import Kept
from lamina.evaluation.rec.logs import Log
from lamina.evaluation.rec.memories import Memory
from lamina.evaluation.rec.reading import logged
from lamina.evaluation.rec.remembering import Building, Remembered, built
from lamina.evaluation.rec.reports import Report
from lamina.evaluation.rec.runs import Contest, Plan
from lamina.evaluation.rec.runs import run as run_contest
from lamina.evaluation.rec.scoring import Entry
from lamina.formats.recommending import Read
from lamina.ports import LLM, Encoder, Failure
from lamina.settings import Settings
from lamina.strategies.atomrec.catalogue import Catalogue
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.strategies.atomrec.stages import Click, Fields, Forming, Written
from lamina.work.engine import MakeStages, without_a_model

LOSSES = ("H@3", "N@3", "H@5", "N@5")
"""Metrics whose relative losses are averaged."""
LOST = "N@5"
"""The metric of which the difference is told, with its interval."""
FULL = "full"


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """The method with something less, or something else."""

    name: str
    config: AtomRecConfig = field(default_factory=AtomRecConfig)
    without: frozenset[str] = frozenset()
    """Fields that notes are written without."""
    blind: tuple[str, ...] = ()
    """Features that the ranker goes without."""
    hops: int = 2
    """How far the ranker follows links."""


ABLATIONS: tuple[Variant, ...] = (
    Variant(name="no atomic fields", without=frozenset({"keywords", "tags", "context"})),
    Variant(name="no keywords and tags", without=frozenset({"keywords", "tags"})),
    Variant(name="no context", without=frozenset({"context"})),
    Variant(name="embedding-only links", config=AtomRecConfig(links="embedding")),
    Variant(name="append-only", config=AtomRecConfig(evolves=False)),
    Variant(name="no link-aware retrieval", blind=("linked",)),
)
SENSITIVITY: tuple[Variant, ...] = (
    *(Variant(name=f"k_link {k}", config=AtomRecConfig(k_link=k)) for k in (5, 10, 40)),
    *(Variant(name=f"tau_evo {t}", config=AtomRecConfig(tau_evo=t)) for t in (0.6, 0.7, 0.8, 0.9)),
    *(Variant(name=f"h {h}", hops=h) for h in (0, 1, 2, 3)),
)
"""The full method has k_link 20, the encoder's own tau_evo, and h 2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Without:
    """Stages whose notes lack some fields."""

    stages: Forming
    fields: frozenset[str]

    def write(self, clicks: Sequence[Click]) -> Sequence[Written | Failure]:
        """See `Forming.write`."""
        return [self._less(one) for one in self.stages.write(clicks)]

    def _less(self, one: Written | Failure) -> Written | Failure:
        if isinstance(one, Failure):
            return one
        item = None if one.item is None else self._bare(one.item)
        return replace(one, user=self._bare(one.user), item=item)

    def _bare(self, fields: Fields) -> Fields:
        return Fields(
            content=fields.content,
            keywords=() if "keywords" in self.fields else fields.keywords,
            tags=() if "tags" in self.fields else fields.tags,
            context="" if "context" in self.fields else fields.context,
        )

    def __getattr__(self, name: str) -> object:
        return getattr(self.stages, name)


def run(
    values: Iterable[Read],
    plan: Plan,
    *,
    settings: Settings,
    encoder: Encoder,
    variants: Sequence[Variant] = (*ABLATIONS, *SENSITIVITY),
    told: Told = nobody,
) -> dict[str, dict[str, dict[str, float]]]:
    """Return by set and variant how good it is; memory is built anew where that must differ.

    `loss` is the mean relative loss against the full method over H@3, N@3, H@5 and N@5; `lost`,
    from `lost_low` to `lost_high`, is how much the full method is better in N@5, paired.
    """
    every = list(values)
    log, kept = logged(every, seed=plan.seed), Kept(encoder)
    every_one = (Variant(name=FULL), *variants)
    known: dict[str, Remembered] = {}
    for alike in _built_alike(every_one):
        told("variants", len(known), len(every_one))
        config, stages = alike[0].config, _stages(alike[0])
        building = Building(settings=settings, encoder=kept, config=config, stages=stages)
        with built(every, building, told) as remembered:
            known.update((variant.name, remembered) for variant in alike)
    contest = _contest(log, known, every_one, plan)
    report = run_contest(log, replace(plan, methods=(), candidates_out=None), contest, told=told)
    return {
        where: {name: _figures(report, known[name].growth, where, name) for name in methods}
        for where, methods in report.methods.items()
    }


def _built_alike(variants: Sequence[Variant]) -> list[list[Variant]]:
    """Return the variants by what memory they need."""
    found: dict[tuple[AtomRecConfig, frozenset[str]], list[Variant]] = {}
    for variant in variants:
        found.setdefault((variant.config, variant.without), []).append(variant)
    return list(found.values())


def _stages(variant: Variant) -> MakeStages | None:
    if not variant.without:
        return None

    def stages(config: AtomRecConfig, llm: LLM | None, catalogue: Catalogue) -> Forming:
        made = without_a_model(config, llm, catalogue)
        less: Forming = Without(stages=made, fields=variant.without)  # type: ignore[assignment]
        return less

    return stages


def _contest(
    log: Log, known: Mapping[str, Remembered], variants: Sequence[Variant], plan: Plan
) -> Contest:
    memories = [
        Memory(
            name=variant.name,
            log=log,
            graph=known[variant.name].graph,
            catalogue=known[variant.name].catalogue,
            clocked=plan.protocol == "replay",
            seed=plan.seed,
            hops=variant.hops,
            audited=False,
        )
        for variant in variants
    ]
    return Contest(
        sources=tuple(memories),
        entries=tuple(
            Entry(name=variant.name, columns=memory.column(*variant.blind))
            for variant, memory in zip(variants, memories, strict=True)
        ),
        pairs=tuple((FULL, variant.name) for variant in variants),
    )


def _figures(report: Report, growth: Mapping[str, Any], where: str, name: str) -> dict[str, float]:
    of = report.methods[where]
    lost = next(
        one
        for one in report.comparisons
        if (one.b, one.candidates, one.metric) == (name, where, LOST)
    )
    return {
        **of[name],
        **{each: float(growth[each]) for each in ("links_per_note", "evolutions_per_interaction")},
        "loss": _loss(of[FULL], of[name]),
        "lost": lost.difference,
        "lost_low": lost.interval[0],
        "lost_high": lost.interval[1],
    }


def _loss(full: Mapping[str, float], less: Mapping[str, float]) -> float:
    losses = [(full[m] - less[m]) / full[m] for m in LOSSES if full[m] > 0]
    return sum(losses) / len(losses) if losses else 0.0
