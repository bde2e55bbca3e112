"""Counts and costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from lamina.apps.cli.render import wording
from lamina.apps.cli.render.table import dim, literal, table
from lamina.apps.cli.render.text import brief, counted

if TYPE_CHECKING:
    from lamina.apps.cli.costing import Cost
    from lamina.apps.cli.intake import Imported
    from lamina.memory.transfer import Restored
    from lamina.memory.values import Processed, Stats
    from lamina.memory.verifying import Finding, Verification

STOPPED_WORKER = "if that one was killed, its hold ends within five minutes"


def stats(found: Stats) -> Iterable[Table | Text]:
    """Return how much there is, what waits, and what it took."""
    grid = Table.grid(padding=(0, 2))
    for name, value in _lines(found):
        grid.add_row(dim(name), literal(value))
    yield grid
    for trouble in found.troubles:
        yield Text("waits because: ", style="yellow").append_text(literal(trouble))


def processed(done: Processed) -> Iterable[Text]:
    """Return what was done, and why some of it was not."""
    yield literal(f"{counted(done.done, 'step')} done")
    yield from shortfalls(done)


def shortfalls(done: Processed) -> Iterable[Text]:
    """Return why some of what waited was not done."""
    if done.busy:
        held = counted(done.busy, "memory", "memories")
        yield literal(f"{held} left to another worker; {STOPPED_WORKER}")
    for reason, times in Counter(done.failed).items():
        told = f"{reason} ({times} times)" if times > 1 else reason
        yield Text("to be tried again: ", style="yellow").append_text(literal(told))


def _lines(found: Stats) -> Iterable[tuple[str, str]]:
    for name, count in found.counts.items():
        yield name.replace("_", " "), f"{count:,}"
    waiting = ", ".join(f"{n:,} {wording.awaited(kind)}" for kind, n in found.waiting.items())
    yield "waiting", waiting or "nothing"
    if found.encoder is not None:
        yield "encoder", f"{found.encoder.id} ({found.encoder.dim} numbers a vector)"
    usage = found.usage
    failed = f", {usage.failed:,} failed" if usage.failed else ""
    yield "model calls", f"{usage.calls:,}, {usage.cached:,} from the cache{failed}"
    if usage.calls:
        yield "tokens", f"{usage.input_tokens:,} in, {usage.output_tokens:,} out"
        unpriced = f", and {counted(usage.unpriced, 'call')} of unknown price"
        yield "cost", f"{usage.cost_usd:.4f} USD{unpriced if usage.unpriced else ''}"


def imported(found: Imported) -> Iterable[Table | Text]:
    """Return what became of a file, a row for each conversation."""
    yield table(
        ("Memory", "Sessions", "Turns", "New"),
        (
            (f"{t.kind} {t.id}", f"{t.sessions:,}", f"{t.turns:,}", f"{t.new:,}")
            for t in found.conversations
        ),
    )
    yield from processed(found.processed) if found.processed else ()


def restored(found: Restored) -> Iterable[Text]:
    """Return what was put in from an archive."""
    held = ", ".join(
        (
            counted(found.messages, "message"),
            counted(found.revisions, "revision"),
            counted(found.operations, "operation"),
        )
    )
    yield literal(f"{held} put into {found.scope.kind} {found.scope.id}")


def verification(found: Verification) -> Iterable[Table | Text]:
    """Return what is left of what was to be erased."""
    looked = f"{counted(found.looked_for, 'byte string')} looked for"
    if found.findings:
        columns = ("Sort", "Text", "Found", "Whose")
        yield table(columns, map(_finding, found.findings))
        left = "nothing but what others use as well" if found.clean else "not all of it is gone"
        yield literal(f"{looked}: {left}")
    else:
        yield literal(f"{looked}: nothing of it is in the store's files")
    if found.unpurged:
        waiting = counted(found.unpurged, "erasure")
        yield literal(f"the bytes of {waiting} are still there; run `lamina compact`")


def _finding(found: Finding) -> Sequence[str]:
    whose = "also somebody's who is not erased" if found.used_by_others else "nobody else's"
    return found.sort, brief(found.of), f"{found.occurrences:,}", whose


def cost(found: Cost) -> Iterable[Text]:
    """Return what forming the memory would cost."""
    yield literal(
        f"{counted(found.turns, 'turn')}: {counted(found.calls, 'model call')},"
        f" {found.input_tokens:,} tokens in, {found.output_tokens:,} out"
    )
    if found.model is None:
        yield dim("no model is configured: as it stands, nothing is called and it costs nothing")
    elif found.missing is not None:
        yield dim(f"what that costs with {found.model} is not known yet: {found.missing}")
    elif found.cost_usd is None:
        yield dim(f"the price of {found.model} is not known; LAMINA_PRICE sets it")
    else:
        yield literal(f"about {found.cost_usd:.4f} USD with {found.model}")
