"""Keeping a pool in order: what says the same is merged, what serves nobody is withdrawn.

All of it can be rolled back. The parts of a pattern that was withdrawn stay what they are, and are
not taken in again by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidied(Value):
    """What was tidied, or with `dry_run` what would be."""

    merged: Mapping[str, str]
    """The id of each pattern that was withdrawn as a near-twin, to that of the one that took in its
    parts."""
    withdrawn: Mapping[str, Why]
    """The id of each other pattern that was withdrawn, and why."""
    operations: tuple[str, ...] = ()
    """Ids, to be rolled back."""
    dry_run: bool = False


def tidy(engine: Engine, scope: Scope, *, dry_run: bool = False) -> Tidied:
    """Merge near-twins, then withdraw what serves nobody; see `Pool.tidy`.

    Raises:
        Conflict: Others kept changing the pool.
    """
    pairs = _twins(engine, scope, inventory(engine.store.graph(scope)))
    done = [] if dry_run else [_merge(engine, scope, heir, twin) for heir, twin in pairs]
    merged = {twin: heir for heir, twin in pairs}
    gone = _surplus(engine, scope, merged)
    if gone and not dry_run:
        done.append(_withdraw(engine, scope, gone))
    ids = tuple(operation.id for operation in done)
    return Tidied(merged=merged, withdrawn=gone, operations=ids, dry_run=dry_run)


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


def _twins(engine: Engine, scope: Scope, held: Inventory) -> list[tuple[str, str]]:
    """Return pairs of patterns that say the same, by both gates: the one that stays, the other."""
    found = twins(held.held, held.vectors) if len(held.held) > 1 else []
    if not found:
        return []
    config = config_of(engine, scope)
    llm = engine.llm(scope, "memory", f"twins {found[0].heir}")
    stages = engine.pool_stages(config, llm)
    ids = list(dict.fromkeys(id_ for twin in found for id_ in (twin.heir, twin.twin)))
    notes = {note.id: note for note in engine.store.notes(scope, ids)}
    return [(twin.heir, twin.twin) for twin in found if _agree(stages, notes, twin)]


def _agree(stages: Forming, notes: Mapping[str, Note], twin: Twin) -> bool:
    """Whether two patterns that are near to each other also mean the same."""
    if twin.heir not in notes or twin.twin not in notes:
        return False
    heir = Standing(id=twin.heir, said=said_by(notes[twin.heir]), evolution_count=0)
    candidate = Candidate(pattern=heir, similarity=twin.cosine, weight=0.0)
    judged = stages.judge(Judging(new=said_by(notes[twin.twin]), candidates=(candidate,)))
    return not isinstance(judged, Failure) and any(each.id == twin.heir for each in judged)


def _merge(engine: Engine, scope: Scope, heir: str, twin: str) -> Operation:
    """Let one pattern take in the parts of another one, which is withdrawn."""

    def attempt() -> tuple[Operation, Writing]:
        held = inventory(engine.store.graph(scope))
        notes = engine.store.notes(scope, [heir, twin])
        if len(notes) < 2:
            raise Conflict("one of two patterns that say the same is gone already")
        first, other = notes
        read = max(first.known_at, other.known_at)
        made = withdrawing.operation(
            engine, scope, "merge", [heir, twin], cause="near-twins", read=read
        )
        new = [part for part in held.parts[twin] if part not in held.parts[heir]]
        revisions = _taking_in(engine, scope, first, new, made)
        gone = (Gone(what="note", id=twin, always=False),)
        return made, Writing(operation=made, notes=revisions, gone=gone)

    return edit.retried(engine, scope, attempt)


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
