"""Letting a pool hold what users did by now: what is new is told and taken in, the rest withdrawn.

Windows are told in general terms in threads, the rest is done in sequence; the order in which parts
are kept, and all that comes of it, does not depend on the threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from lamina.errors import StaleEpoch
from lamina.identity import digest
from lamina.memory.pooling import cutting, revisiting, withdrawing
from lamina.memory.pooling.cutting import Todo, part, place_of
from lamina.memory.write import whole
from lamina.memory.writes import processed
from lamina.model import Message, Scope, Value
from lamina.ports import Failure, MessageDraft, Operation
from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.strategies.amem4rec.stages import Abstraction, Forming, Window
from lamina.work.engine import Engine
from lamina.work.pooling import WAITING
from lamina.work.pools import asks, begin, config_of, last_number

AT_ONCE = 2_000
"""Windows that are told and kept at once where no model is asked."""
MOST_WORKERS = 64

Progress = Callable[[int, int], None]
Said = Sequence[Abstraction | Failure | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """How a pool is to be refreshed; see `Pool.refresh`."""

    workers: int = 1
    dry_run: bool = False
    again: bool = False
    progress: Progress | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refreshed(Value):
    """What a refresh did, or with `dry_run` what it would do."""

    windows: int
    """How many there are now of users who have a part in the pool."""
    new: int
    """Windows that had no part before, and have one now."""
    withdrawn: int
    """Parts that were withdrawn, for their window is there no longer."""
    redone: int = 0
    """Parts that a model had failed to tell, and has told now."""
    raw: int = 0
    """Windows whose part is selected, for what a model replied could not be used; the next refresh
    asks again, once."""
    silent: int = 0
    """Windows that tell nothing in general terms, and have no part."""
    removed: int = 0
    """Windows whose part somebody deleted, undid or set aside: they get none."""
    left: int = 0
    """Users who left, and have no windows here."""
    failed: int = 0
    """Windows that are left to the next refresh, for the model gave no reply."""
    revisited: int = 0
    """Patterns of one contributor whose parts were held against the pool once more."""
    taken_in: int = 0
    """Parts that were taken in."""
    waiting: int = 0
    """Parts that wait to be taken in."""
    troubles: tuple[str, ...] = ()
    """Why something failed or waits, each reason once."""
    calls: int = 0
    """Of a model, by the ledger, as are the others."""
    input_tokens: int = 0
    output_tokens: int = 0
    dry_run: bool = False


@dataclass(slots=True)
class _Tally:
    """What became of the windows so far."""

    new: int = 0
    redone: list[Message] = field(default_factory=list)
    """The raw parts in place of which there are others now."""
    untold: int = 0
    raw: int = 0
    failures: list[Failure] = field(default_factory=list)
    seen: int = 0

    def troubles(self) -> Iterator[str]:
        """Yield why windows were not told, or not by the model that was asked."""
        yield from (f"{each.reason}: {each.detail}" for each in self.failures)
        if self.raw:
            yield (
                f"what the model replied could not be used: {self.raw} window(s) are told by what "
                "was selected"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    windows: Sequence[Window]
    stages: Forming
    operation: str
    """The id of the one that adds its parts, under which what it costs is on record."""


def refresh(engine: Engine, scope: Scope, wanted: Wanted) -> Refreshed:
    """Let a pool hold what users did by now; see `Pool.refresh`."""
    workers = min(whole("workers", wanted.workers), MOST_WORKERS)
    config = config_of(engine, scope)
    asked = asks(engine, scope)
    if wanted.dry_run:
        return _counted(cutting.compare(engine.store, scope, config), asked=asked)
    begin(engine.store, scope)
    before = engine.store.usage(scope)
    filling = _Filling(engine, scope, config, asked=asked)
    tally = filling.fill(workers, wanted.progress)
    withdrawing.withdraw(engine, scope, [*filling.todo.gone, *tally.redone])
    taken_in, troubles = _take_in(engine, scope)
    revisited = revisiting.revisit(engine, scope) if wanted.again else 0
    if revisited:
        more, later = _take_in(engine, scope)
        taken_in, troubles = taken_in + more, (*troubles, *later)
    after = engine.store.usage(scope)
    return Refreshed(
        windows=filling.todo.windows,
        new=tally.new,
        withdrawn=len(filling.todo.gone),
        redone=len(tally.redone),
        raw=tally.raw,
        silent=tally.untold,
        removed=filling.todo.removed,
        left=filling.todo.left,
        failed=len(tally.failures),
        revisited=revisited,
        taken_in=taken_in,
        waiting=engine.store.unformed(scope),
        troubles=tuple(dict.fromkeys((*tally.troubles(), *troubles))),
        calls=after.calls - before.calls,
        input_tokens=after.input_tokens - before.input_tokens,
        output_tokens=after.output_tokens - before.output_tokens,
    )


def _counted(todo: Todo, *, asked: bool) -> Refreshed:
    """Return what there is to do; raw parts are told anew where a model is asked."""
    return Refreshed(
        windows=todo.windows,
        new=len(todo.new),
        withdrawn=len(todo.gone),
        redone=len(todo.raw) if asked else 0,
        removed=todo.removed,
        left=todo.left,
        dry_run=True,
    )


def _take_in(engine: Engine, scope: Scope) -> tuple[int, tuple[str, ...]]:
    """Take in what waits; return how much was, and why some was not."""
    before = engine.store.unformed(scope)
    done = processed(engine, scope, None, None)
    busy = ("another worker holds the pool, or a part was erased meanwhile",) if done.busy else ()
    return before - engine.store.unformed(scope), (*done.failed, *busy)


class _Filling:
    """Tells windows in general terms and keeps them as parts."""

    def __init__(
        self, engine: Engine, scope: Scope, config: AMEM4RecConfig, *, asked: bool
    ) -> None:
        """Look at what there is to do.

        The epoch is read before what users did, so that no erasure since goes unseen.
        """
        self._engine, self._scope, self._config, self._asked = engine, scope, config, asked
        self._epoch = engine.store.epoch(scope)
        self.todo = cutting.compare(engine.store, scope, config)

    def fill(self, workers: int, progress: Progress | None) -> _Tally:
        """Tell and keep all that is to be told, batch by batch, in order.

        Raises:
            StaleEpoch: The pool, or somebody's part in it, was erased meanwhile; what was kept
                before that stays as it is.
        """
        windows = [*self.todo.new, *(self.todo.raw if self._asked else ())]
        batches = self._batches(windows)
        tally = _Tally()
        for batch, said in zip(batches, self._told(batches, workers), strict=True):
            self._keep(batch, said, tally)
            tally.seen += len(batch.windows)
            if progress:
                progress(tally.seen, len(windows))
        return tally

    def _batches(self, windows: Sequence[Window]) -> list[_Batch]:
        """Return the windows in batches, each with the model that it is told by."""
        size = self._config.at_once if self._asked else AT_ONCE
        number = last_number(self._engine.store, self._scope)
        place = (self._scope.tenant, self._scope.kind, self._scope.id)
        batches: list[_Batch] = []
        for start in range(0, len(windows), size):
            some = windows[start : start + size]
            ids = (id_ for window in some for id_ in window.interactions)
            name = digest(*place, "add", number, len(batches), *ids)
            llm = self._engine.llm(self._scope, "memory", name)
            stages = self._engine.pool_stages(self._config, llm)
            batches.append(_Batch(windows=some, stages=stages, operation=name))
        self._check()  # that no model was given to keep replies after an erasure
        return batches

    def _told(self, batches: Sequence[_Batch], workers: int) -> Iterator[Said]:
        """Yield what each batch says, in order; several are asked for at once."""
        if workers == 1 or not self._asked:
            yield from map(self._tell, batches)
            return
        with ThreadPoolExecutor(workers, thread_name_prefix="lamina-refresh") as threads:
            yield from threads.map(self._tell, batches)

    def _tell(self, batch: _Batch) -> Said:
        self._check()
        return batch.stages.abstract(batch.windows)

    def _check(self) -> None:
        if self._engine.store.epoch(self._scope) != self._epoch:
            raise StaleEpoch

    def _keep(self, batch: _Batch, said: Said, tally: _Tally) -> None:
        """Keep what a batch says, and count what became of it."""
        drafts: list[MessageDraft] = []
        for window, each in zip(batch.windows, said, strict=True):
            old = self.todo.old.get(place_of(window))
            tally.raw += isinstance(each, Abstraction) and each.raw
            if each is None:
                tally.untold += 1
            elif isinstance(each, Failure):
                tally.failures.append(each)
            elif old is None or not each.raw:
                time = self.todo.times.get(place_of(window), 0)
                drafts.append(part(self._scope, window, each, time))
                tally.redone += [old] if old else []
                tally.new += old is None
        if drafts:
            self._append(batch, drafts)

    def _append(self, batch: _Batch, drafts: Sequence[MessageDraft]) -> None:
        now, stages = self._engine.clock.now(), batch.stages
        operation = Operation(
            id=batch.operation,
            kind="add",
            strategy=stages.name,
            model=stages.model,
            prompt_digest=None if stages.model is None else _prompts(),
            cause="refresh",
            known_at=max(draft.said_at for draft in drafts),
            recorded_at=now,
        )
        self._engine.store.append(
            self._scope,
            drafts,
            (),
            steps=(WAITING,),
            now=now,
            epoch=self._epoch,
            operation=operation,
        )


def _prompts() -> str:
    from lamina.strategies.amem4rec.prompted import prompt_digest

    return prompt_digest("abstract")
