"""What the demo does, and how it tells it."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lamina.apps.cli.naming import program, short
from lamina.apps.cli.opening import handle, opened
from lamina.apps.cli.options import Where
from lamina.apps.cli.progress import progress
from lamina.apps.cli.render import entries, hits, story
from lamina.apps.cli.render.table import bold, dim, literal, unbroken
from lamina.apps.cli.render.text import counted
from lamina.errors import FormatError, NotFound
from lamina.formats import Turn, documents, locomo
from lamina.memory.values import Moment, Stats, Why
from lamina.model import Hit, Revision, Value

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lamina.memory import Handle

QUESTIONS = 5
EVIDENCE = 3
"""Hits shown for a question."""
CONTEXT_TOKENS = 160
MOMENTS = 6


@dataclass(frozen=True, slots=True)
class Script:
    """What is shown."""

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[str, ...]
    topic: str
    correction: str
    """What a person says of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(Value):
    """A question and what was found, best first."""

    question: str
    hits: tuple[Hit, ...]
    milliseconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown(Value):
    """Everything that the demo found."""

    conversation: str
    import_seconds: float
    process_seconds: float
    stats: Stats
    asked: tuple[Asked, ...]
    topic: str
    timeline: tuple[Moment, ...]
    context: str
    why: Why | None
    history: tuple[Revision, ...]


def script(file: Path, name: str | None) -> Script:
    """Choose a conversation of a LoCoMo file, questions of every kind about it, and a topic.

    Raises:
        FormatError: It is no LoCoMo file.
        NotFound: There is no conversation of that name in it.
    """
    document = documents.load(file)
    samples = document if isinstance(document, list) else [document]
    for sample, found in zip(samples, locomo.read(file), strict=False):
        if name in (None, found.name):
            questions = _questions(sample, file.name)
            return Script(
                found.name or "",
                tuple(found.turns),
                questions[:QUESTIONS],
                str(sample.get("topic") or questions[0]),
                str(sample.get("correction") or "A person has read this and found it right."),
            )
    raise NotFound(f"{file.name} has no conversation {name!r}")


def run(where: Where, script: Script) -> Shown:
    """Import, form memory, ask, and look closely."""
    with opened(where, create=True) as memory:
        owner = handle(memory, replace(where, conversation=script.name))
        import_seconds = _import(owner, script.turns)
        began = time.perf_counter()
        with progress("forming memory") as advance:
            owner.process(progress=advance)
        process_seconds = time.perf_counter() - began
        asked = tuple(_ask(owner, question) for question in script.questions)
        why, history = _look_closely(owner, script)
        return Shown(
            conversation=script.name,
            import_seconds=import_seconds,
            process_seconds=process_seconds,
            stats=owner.stats(),
            asked=asked,
            topic=script.topic,
            timeline=tuple(owner.timeline(script.topic, limit=MOMENTS)),
            context=owner.context(script.questions[0], max_tokens=CONTEXT_TOKENS),
            why=why,
            history=history,
        )


def render(shown: Shown) -> Iterator[RenderableType]:
    """Tell it, part by part."""
    yield from _remembered(shown)
    for asked in shown.asked:
        yield bold(f"? {asked.question}").append_text(dim(f"  ({asked.milliseconds:.0f} ms)"))
        yield hits.hits_table(asked.hits)
    yield bold(f"The story of: {shown.topic}")
    yield story.timeline_table(shown.timeline)
    yield bold("A block for a prompt: what matters and fits, numbered and dated")
    yield dim(f"{shown.context.rstrip()}\n")
    yield from _looked_closely(shown)


def _questions(sample: dict[str, Any], file: str) -> tuple[str, ...]:
    """Return questions, one of each category in turn, the unanswerable ones left out."""
    rows = [row for row in sample.get("qa") or () if isinstance(row, dict) and row.get("question")]
    by_category: dict[Any, list[str]] = {}
    for row in rows:
        if row.get("category") != 5:
            by_category.setdefault(row.get("category"), []).append(str(row["question"]))
    if not by_category:
        raise FormatError(f'{file}: expected "qa", questions about the conversation')
    longest = max(map(len, by_category.values()))
    turns = (kind[n] for n in range(longest) for kind in by_category.values() if n < len(kind))
    return tuple(turns)


def _import(owner: Handle, turns: tuple[Turn, ...]) -> float:
    began = time.perf_counter()
    owner.add([{**turn.message, "session_id": turn.session} for turn in turns])
    for session in owner.sessions():
        if not session.closed:
            owner.close_session(session.id)
    return time.perf_counter() - began


def _ask(owner: Handle, question: str) -> Asked:
    began = time.perf_counter()
    found = owner.search(question, top_k=EVIDENCE)
    took = (time.perf_counter() - began) * 1000
    return Asked(question=question, hits=tuple(found), milliseconds=took)


def _look_closely(owner: Handle, script: Script) -> tuple[Why | None, tuple[Revision, ...]]:
    """Take the note that matters most to the topic; let a person correct it."""
    notes = owner.search(script.topic, top_k=1, kinds=("summary", "fact", "relation"))
    if not notes:
        return None, ()
    why = owner.why(notes[0].id)
    owner.update(notes[0].id, script.correction)
    return why, tuple(owner.history(notes[0].id))


def _remembered(shown: Shown) -> Iterable[RenderableType]:
    counts = shown.stats.counts
    yield bold(f"{shown.conversation}")
    yield literal(
        f"{counted(counts['messages'], 'message')} in {counted(counts['sessions'], 'session')}"
        f" stored word for word in {shown.import_seconds:.1f} s; memory formed in"
        f" {shown.process_seconds:.1f} s: {counted(counts['facts'], 'fact')},"
        f" {counted(counts['relations'], 'relation')},"
        f" {counted(counts['summaries'], 'summary', 'summaries')}."
    )
    calls = shown.stats.usage.calls
    told = f"{counted(calls, 'model call')}." if calls else "No language model, no network."
    yield dim(f"{told}\n")


def _looked_closely(shown: Shown) -> Iterable[RenderableType]:
    if shown.why is None:
        return
    yield bold("What a summary rests on, down to what was said")
    yield story.why_tree(shown.why)
    yield literal("")
    yield bold("Corrected by a person: nothing that it was is lost")
    yield entries.revisions_table(shown.history)


def further(shown: Shown, kept: str | None) -> Iterable[RenderableType]:
    """Tell how to go on."""
    if kept is None:
        yield unbroken(f"To go on with it: {program()} demo --db demo.db")
        return
    db = shlex.quote(kept)
    best = next((hit for asked in shown.asked for hit in asked.hits), None)
    yield unbroken(f'Go on: {program()} search --db {db} "{shown.asked[0].question}" --explain')
    if best is not None:
        yield unbroken(f"       {program()} why --db {db} {short(best.id)}")
