"""Taking in a file: read all of it first, so that what is malformed leaves nothing behind.

Then its turns are added in batches, in order. A batch that is stored already costs next to
nothing, so going on where it stopped is the same as beginning again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import file_digest
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lamina.apps.cli.opening import Kept, handle, opened
from lamina.apps.cli.options import Where
from lamina.apps.cli.progress import Advance, progress
from lamina.errors import FormatError
from lamina.formats import Format, Turn, detect, read
from lamina.model import Value

if TYPE_CHECKING:
    from lamina.memory import Handle, Memory, Processed

BATCH = 128
"""Messages in one transaction: what an interruption may undo."""

LONGEST_FILE, DIGITS = 200, 12
"""Characters of a file's name, and digits of the digest of its content, that name its import."""

EXAMPLE = '[{"role": "user", "content": "..."}]'
"""The simplest file that can be imported."""


@dataclass(frozen=True, slots=True)
class Part(Value):
    """One conversation of a file."""

    name: str | None
    turns: int
    sessions: tuple[str, ...]
    """In the order they began."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A file that was read whole and found good."""

    path: Path
    format: Format
    parts: tuple[Part, ...]

    @property
    def turns(self) -> int:
        """How many messages there are to import."""
        return sum(part.turns for part in self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken(Value):
    """What became of one conversation."""

    kind: str
    id: str
    turns: int
    new: int
    """How many were not stored before."""
    sessions: int
    operation: str | None = None
    """The id of what added them, by which they can be rolled back; `None` if nothing was new."""
    hidden: int = 0
    """How many were known and do not count, for they were undone or withdrawn."""
    undone_by: tuple[str, ...] = ()
    """The rollbacks that undid them; to restore them, roll these back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported(Value):
    """What became of a file."""

    format: Format
    conversations: tuple[Taken, ...]
    turns: int
    new: int
    processed: Processed | None
    """`None` if memory is to be formed later."""


def survey(path: Path, format: Format | None = None) -> Plan:
    """Read a whole file.

    Raises:
        FormatError: It is malformed, or holds nothing to remember.
    """
    known = format or _detected(path)
    parts = tuple(_part(found.name, said(found.turns)) for found in read(path, known))
    plan = Plan(path, known, parts)
    if not plan.turns:
        raise FormatError(f"{path.name}: there is no message in it that says anything")
    return plan


def _detected(path: Path) -> Format:
    try:
        return detect(path)
    except FormatError as error:
        raise FormatError(f"{error}; what works is, for example, {EXAMPLE}") from error


def said(turns: Iterable[Turn]) -> Iterator[Turn]:
    """Leave out the turns that say nothing: chat programs write such while they wait."""
    for turn in turns:
        if turn.message["content"].strip() or turn.message.get("tool_calls"):
            yield turn


def owners(plan: Plan, where: Where) -> list[Where]:
    """Return whose each conversation becomes.

    Raises:
        click.UsageError: The file does not say, and neither does the call.
    """
    several = len(plan.parts) > 1
    if where.recommender is not None or where.pool is not None:
        raise click.UsageError(
            "a conversation does not go into a recommender; items and interactions do, with:"
            " lamina rec import"
        )
    if where.user is not None or where.space is not None:
        if several:
            [(kind, _)] = where.owners
            raise click.UsageError(
                f"{plan.path.name} holds {len(plan.parts)} conversations; import them with"
                f" --conversation, or without, not as one --{kind}"
            )
        return [where]
    return [_owner(part, where, several) for part in plan.parts]


def take(where: Where, plan: Plan, owners: list[Where], *, process: bool) -> Imported:
    """Store what the plan holds, and form memory from it unless told not to."""
    with opened(where, create=True) as memory:
        handles = [handle(memory, owner) for owner in owners]
        with progress("importing") as advance:
            taken = _take_all(plan, handles, advance)
        processed = form(memory, handles) if process else None
    return Imported(
        format=plan.format,
        conversations=taken,
        turns=plan.turns,
        new=sum(t.new for t in taken),
        processed=processed,
    )


def _part(name: str | None, turns: Iterator[Turn]) -> Part:
    sessions: dict[str, None] = {}
    count = 0
    for turn in turns:
        sessions[turn.session] = None
        count += 1
    return Part(name, count, tuple(sessions))


def _owner(part: Part, where: Where, several: bool) -> Where:
    prefix = where.conversation
    if part.name is None and prefix is None:
        raise click.UsageError("whose messages are these? Give --user, --conversation or --space")
    named = part.name if prefix is None else f"{prefix}/{part.name}" if several else prefix
    return replace(where, conversation=named)


def _take_all(plan: Plan, handles: list[Handle], advance: Advance) -> tuple[Taken, ...]:
    taken: list[Taken] = []
    before, name = 0, _name(plan.path)
    for found, part, owner in zip(read(plan.path, plan.format), plan.parts, handles, strict=True):
        done, new, hidden, operation, undone = 0, 0, 0, None, dict[str, None]()
        for batch in _batches(said(found.turns)):
            added = owner.add(batch, batch=name)
            operation = added.operation or operation
            new += added.new
            hidden += added.hidden
            undone |= dict.fromkeys(added.undone_by)
            done += len(batch)
            advance(before + done, plan.turns)
        _close(owner, part.sessions)
        before += done
        taken.append(
            Taken(
                kind=owner.scope.kind,
                id=owner.scope.id,
                turns=done,
                new=new,
                sessions=len(part.sessions),
                operation=operation,
                hidden=hidden,
                undone_by=tuple(undone),
            )
        )
    return tuple(taken)


def _name(path: Path) -> str:
    """Return what names the import of a file: all that is added from it is one operation."""
    with path.open("rb") as file:
        content = file_digest(file, "sha256").hexdigest()
    return f"{path.name[-LONGEST_FILE:]} {content[:DIGITS]}"


def _batches(turns: Iterator[Turn]) -> Iterator[list[Mapping[str, Any]]]:
    messages: Iterator[Mapping[str, Any]]
    messages = ({**turn.message, "session_id": turn.session} for turn in turns)
    while batch := list(islice(messages, BATCH)):
        yield batch


def _close(owner: Handle, sessions: tuple[str, ...]) -> None:
    """Close what is not closed yet."""
    open_ = {session.id for session in owner.sessions() if not session.closed}
    for session in sessions:
        if session in open_:
            owner.close_session(session)


def form(memory: Memory, handles: Sequence[Kept]) -> Processed:
    """Form memory from what waits in some handles."""
    from lamina.memory.values import Processed

    with progress("forming memory") as advance:
        if len(memory.handles()) + len(memory.recommenders()) == len(handles):
            return memory.process(progress=advance)
        done = [owner.process(progress=advance) for owner in handles]
    return Processed(
        done=sum(d.done for d in done),
        failed=tuple(reason for d in done for reason in d.failed),
        busy=sum(d.busy for d in done),
    )
