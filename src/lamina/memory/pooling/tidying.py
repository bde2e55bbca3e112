"""Keeping a pool in order: what says the same is merged, what serves nobody is withdrawn.

All of it can be rolled back. The parts of a pattern that was withdrawn stay what they are, and are
not taken in again by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from lamina.errors import Conflict
from lamina.memory import edit
from lamina.memory.pooling import withdrawing
from lamina.memory.pooling.configuring import configured
from lamina.memory.pooling.inventory import Inventory, inventory
from lamina.model import Gone, Note, Scope, Value
from lamina.ports import Failure, Operation, Writing
from lamina.strategies.amem4rec.stages import Candidate, Forming, Judging, Standing
from lamina.strategies.amem4rec.upkeep import Twin, Why, surplus, twins
from lamina.times import to_micros
from lamina.work.engine import Engine
from lamina.work.pools import config_of, said_by

AT_ONCE = 100
"""Patterns that are merged into others by one operation."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidied(Value):
    """What was tidied, or with `dry_run` what would be."""

    merged: Mapping[str, str]
    """The id of each pattern that was withdrawn as a near-twin, to that of the one that took in its
    parts."""
    withdrawn: Mapping[str, Why]
    """The id of each other pattern that was withdrawn, and why."""
    operations: tuple[str, ...] = ()
    """Ids of what merged patterns, some at once, and of what withdrew the others; to be rolled
    back, the last first."""
    dry_run: bool = False


def tidy(
    engine: Engine, scope: Scope, *, dry_run: bool = False, progress: Progress | None = None
) -> Tidied:
    """Merge near-twins, then withdraw what serves nobody; see `Pool.tidy`.

    Raises:
        Conflict: Others kept changing the pool.
    """
    told = progress or _nobody
    pairs, seen = _twins(engine, scope, inventory(engine.store.graph(scope)), told)
    done: list[Operation] = []
    if not dry_run:
        done += _merged(engine, scope, pairs, lambda some, all_: told(seen + some, seen + all_))
    merged = {twin: heir for heir, twin in pairs}
    gone = _surplus(engine, scope, merged)
    if gone and not dry_run:
        done.append(_withdraw(engine, scope, gone))
    ids = tuple(operation.id for operation in done)
    return Tidied(merged=merged, withdrawn=gone, operations=ids, dry_run=dry_run)


def _merged(
    engine: Engine, scope: Scope, pairs: Sequence[tuple[str, str]], told: Progress
) -> list[Operation]:
    """Merge pairs of patterns, in batches; return an operation for each batch.

    Between two of them the arrays of the pool are made anew: that takes longer than merging.
    """
    done: list[Operation] = []
    for start in range(0, len(pairs), AT_ONCE):
        groups: dict[str, list[str]] = {}
        for heir, twin in pairs[start : start + AT_ONCE]:
            groups.setdefault(heir, []).append(twin)
        done.append(_merge(engine, scope, groups))
        told(min(start + AT_ONCE, len(pairs)), len(pairs))
    return done


def _nobody(done: int, whole: int) -> None:
    """Take note of how much is done, where nobody asks."""


def _surplus(engine: Engine, scope: Scope, merged: Mapping[str, str]) -> dict[str, Why]:
    """Return what is to go of what is left once twins are merged."""
    keeps = configured(engine, scope)
    held = inventory(engine.store.graph(scope)).held
    return surplus(
        [each for each in held if each.id not in merged],
        to_micros(engine.clock.now()),
        lone=not engine.store.unformed(scope),
        keep_days=keeps.keep_days or None,
        cap=keeps.cap or None,
    )


def _withdraw(engine: Engine, scope: Scope, why: Mapping[str, Why]) -> Operation:
    def attempt() -> tuple[Operation, Writing]:
        notes = engine.store.notes(scope, list(why))
        if not notes:
            raise Conflict("these patterns are gone already")
        read = max(note.known_at for note in notes)
        cause = ", ".join(dict.fromkeys(why.values()))
        ids = [note.id for note in notes]
        made = withdrawing.operation(engine, scope, "tidy", ids, cause=cause, read=read)
        gone = tuple(Gone(what="note", id=id_, always=False) for id_ in ids)
        return made, Writing(operation=made, gone=gone)

    return edit.retried(engine, scope, attempt)


def _twins(
    engine: Engine, scope: Scope, held: Inventory, told: Progress
) -> tuple[list[tuple[str, str]], int]:
    """Return pairs of patterns that say the same, by both gates, and how many were looked at.

    Of each pair first the one that stays.
    """
    found = twins(held.held, held.vectors) if len(held.held) > 1 else []
    if not found:
        return [], 0
    config = config_of(engine, scope)
    llm = engine.llm(scope, "memory", f"twins {found[0].heir}")
    stages = engine.pool_stages(config, llm)
    ids = list(dict.fromkeys(id_ for twin in found for id_ in (twin.heir, twin.twin)))
    notes = {note.id: note for note in engine.store.notes(scope, ids)}
    pairs: list[tuple[str, str]] = []
    for place, twin in enumerate(found, 1):
        pairs += [(twin.heir, twin.twin)] if _agree(stages, notes, twin) else []
        told(place, len(found))
    return pairs, len(found)


def _agree(stages: Forming, notes: Mapping[str, Note], twin: Twin) -> bool:
    """Whether two patterns that are near to each other also mean the same."""
    if twin.heir not in notes or twin.twin not in notes:
        return False
    heir = Standing(id=twin.heir, said=said_by(notes[twin.heir]), evolution_count=0)
    candidate = Candidate(pattern=heir, similarity=twin.cosine, weight=0.0)
    judged = stages.judge(Judging(new=said_by(notes[twin.twin]), candidates=(candidate,)))
    return not isinstance(judged, Failure) and any(each.id == twin.heir for each in judged)


def _merge(engine: Engine, scope: Scope, groups: Mapping[str, Sequence[str]]) -> Operation:
    """Let patterns take in the parts of others, which are withdrawn, as one operation.

    Args:
        engine: Whose store it is.
        scope: The pool.
        groups: By pattern that stays: those that go into it.
    """
    ids = [id_ for heir, others in groups.items() for id_ in (heir, *others)]

    def attempt() -> tuple[Operation, Writing]:
        held = inventory(engine.store.graph(scope))
        notes = {note.id: note for note in engine.store.notes(scope, ids)}
        if len(notes) < len(ids):
            raise Conflict("a pattern that says the same as another is gone already")
        read = max(note.known_at for note in notes.values())
        made = withdrawing.operation(engine, scope, "merge", ids, cause="near-twins", read=read)
        revisions = [
            revision
            for heir, others in groups.items()
            for revision in _taking_in(engine, scope, notes[heir], _new(held, heir, others), made)
        ]
        gone = [
            Gone(what="note", id=twin, always=False)
            for others in groups.values()
            for twin in others
        ]
        return made, Writing(operation=made, notes=tuple(revisions), gone=tuple(gone))

    return edit.retried(engine, scope, attempt)


def _new(held: Inventory, heir: str, others: Sequence[str]) -> list[str]:
    """Return the parts of others that a pattern has not taken in, each once, in order."""
    found = dict.fromkeys(part for twin in others for part in held.parts[twin])
    return [part for part in found if part not in held.parts[heir]]


def _taking_in(
    engine: Engine, scope: Scope, first: Note, parts: Sequence[str], made: Operation
) -> tuple[Note, ...]:
    """Return the revisions by which a pattern takes parts in without new words."""
    last = max(note.revision for note in engine.store.revisions(scope, first.id))
    said = {message.id: message.said_at for message in engine.store.messages(scope, parts)}
    numbers = [first.revision + 1, *range(last + 2, last + len(parts) + 1)]
    live = [part for part in parts if part in said]
    return tuple(
        replace(
            first,
            sources=(part,),
            revision=number,
            began_at=said[part],
            said_at=said[part],
            known_at=made.known_at,
            recorded_at=made.recorded_at,
            operation=made.id,
        )
        for number, part in zip(numbers, live, strict=False)
    )
