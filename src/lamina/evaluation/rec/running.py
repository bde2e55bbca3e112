"""All of `lamina eval rec`: data read, memory opened or built, methods asked, a report made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from lamina.evaluation.progress import Told, nobody
from lamina.evaluation.rec import (
    analyses,
    contests,
    drift,
    movers,
    pool_analyses,
    reading,
    remembering,
)
from lamina.evaluation.rec.chance import chosen
from lamina.evaluation.rec.cold import each_length
from lamina.evaluation.rec.contests import with_memory
from lamina.evaluation.rec.keeping import Kept
from lamina.evaluation.rec.logs import Log
from lamina.evaluation.rec.remembering import Building, Remembered
from lamina.evaluation.rec.reports import Report
from lamina.evaluation.rec.runs import Plan, classics
from lamina.evaluation.rec.runs import run as run_contest
from lamina.formats.recommending import Read, detect
from lamina.items import Interaction
from lamina.ports import LLM, Encoder
from lamina.ports.stored import Usage
from lamina.settings import Settings
from lamina.wiring import encoder_for

ANALYSED = 60
"""Users whose data variants of the method are built from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be evaluated, and how."""

    plan: Plan
    data: Path | None = None
    """A file or folder; `None`: made-up users."""
    drift: int | None = None
    """How many of those."""
    store: Path | None = None
    """A store with a recommender built from the data; `None`: one is built."""
    recommender: str = "eval"
    """Its name in that store."""
    memory: bool = True
    """Whether memory takes part."""
    pool: bool = True
    """Whether what users share takes part with it."""
    analyses: bool = False
    """Whether parts of the method are left out as well, and users told apart by how far their
    tastes moved. Memory is then built a dozen times."""
    pool_analyses: bool = False
    """The same of pools, of some users; two dozen are made."""


def run(
    wanted: Wanted,
    *,
    settings: Settings,
    encoder: Encoder | str | None = None,
    llm: LLM | None = None,
    told: Told = nobody,
) -> Report:
    """Evaluate, and return what was found.

    Raises:
        BadInput: The plan cannot be run on these data; `FormatError` if they cannot be read.
        NotFound: The store has no such recommender.
        Leak: A method saw what it may not see, or wrote into memory.
    """
    log = reading.logged(_values(wanted), seed=wanted.plan.seed)
    groups = _groups(wanted, log)
    if not wanted.memory:
        return each_length(
            wanted.plan, lambda plan: run_contest(log, plan, classics(), groups=groups, told=told)
        )
    with _memory(wanted, settings, encoder, llm, told) as remembered:
        remembered = replace(remembered, encoder=Kept(remembered.encoder))
        # A store cannot hide one target from the rest, so there a model is asked in a replay alone.
        sealed = remembered.sealed if wanted.plan.protocol == "replay" else None
        before = remembered.usage()
        report = each_length(
            wanted.plan,
            lambda plan: run_contest(
                log,
                plan,
                with_memory(log, remembered, plan, pool=wanted.pool),
                groups=groups,
                sealed=sealed,
                told=told,
            ),
        )
        remembered.unwritten.check()
        report = replace(report, memory={**remembered.growth, **_cost(report, remembered, before)})
        if wanted.pool_analyses:
            few = reading.logged(_few(wanted, log), seed=wanted.plan.seed)
            making = contests.making(few, remembered, wanted.plan)
            found = pool_analyses.run(making, remembered, wanted.plan, groups=groups, told=told)
            report = replace(report, pool=found)
    if not wanted.analyses:
        return report
    found = analyses.run(
        _few(wanted, log),
        wanted.plan,
        settings=settings,
        encoder=encoder_for(encoder, settings),
        told=told,
    )
    return replace(report, analyses=found)


def _cost(report: Report, remembered: Remembered, before: Usage) -> dict[str, object]:
    """Return what a model took to rank, where one did."""
    replies = report.protocol["model"]
    if replies is None:
        return {}
    return {"per_1000_rankings": remembering.taken(remembered.usage(), replies["rankings"], before)}


def _values(wanted: Wanted) -> Iterable[Read]:
    if wanted.data is not None:
        return detect(wanted.data).read()
    return drift.drifting(drift.Shape(users=wanted.drift or 200), wanted.plan.seed)


def _few(wanted: Wanted, log: Log) -> Iterator[Read]:
    """Yield the data of some users alone, by hash, so that variants can be built."""
    most = min(ANALYSED, wanted.plan.users or ANALYSED)
    some = {log.users[n] for n in chosen(log.users, most, wanted.plan.seed)}
    for value in _values(wanted):
        if not isinstance(value, Interaction) or value.user in some:
            yield value


def _groups(wanted: Wanted, log: Log) -> Mapping[str, frozenset[str]]:
    if wanted.data is None:
        shape = drift.Shape(users=wanted.drift or 200)
        moved = drift.drifting_users(shape, wanted.plan.seed)
        return {"drifting": moved, "steady": frozenset(log.users) - moved}
    if wanted.analyses or wanted.pool_analyses:
        return movers.movers(log)
    return {}


@contextmanager
def _memory(
    wanted: Wanted,
    settings: Settings,
    encoder: Encoder | str | None,
    llm: LLM | None,
    told: Told,
) -> Iterator[Remembered]:
    if wanted.store is not None:
        with remembering.opened(wanted.store, wanted.recommender, settings) as found:
            yield found
    else:
        building = Building(settings=settings, encoder=encoder, llm=llm)
        with remembering.built(_values(wanted), building, told) as found:
            yield found
