"""Bind: read each batch of dialogue from two perspectives, and tie every entry to its message."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lamina.errors import NoModel
from lamina.identity import digest
from lamina.model import Changes, Message, NoteDraft, Progress
from lamina.models.replies import Parsed, Question, ask
from lamina.ports import Batch, Failure, Request, StepView
from lamina.strategies.structmem import batches, prompts
from lamina.strategies.structmem.batches import DialogueBatch
from lamina.strategies.structmem.config import StructMemConfig
from lamina.strategies.structmem.dialogue import Shown, prompt, words_of
from lamina.strategies.structmem.entries import drafts
from lamina.strategies.structmem.extraction import Entry, Perspective, parser, schema
from lamina.strategies.structmem.triggers import after_binding

MOST_OUTPUT = 4096
"""Tokens of a reply at most: a batch of 1,024 yields about 2,000."""
SMALLER = 4
"""By which the batches of what could not be read before are smaller."""
_PROMPTS: dict[tuple[Perspective, ...], tuple[str, ...]] = {
    ("fact", "relation"): ("dialogue", "facts", "relations", "reply_both"),
    ("fact",): ("dialogue", "facts", "reply_facts"),
    ("relation",): ("dialogue", "relations", "reply_relations"),
}
"""The prompt of a call, by the perspectives that it reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One batch and what is shown before it."""

    batch: DialogueBatch
    before: tuple[Message, ...]

    def request(self, perspectives: Sequence[Perspective], config: StructMemConfig) -> Request:
        """Return what is asked about it."""
        return Request(
            role="memory",
            system=prompts.load(*_PROMPTS[tuple(perspectives)]),
            prompt=prompt(self.batch.shown, _shortened(self.before, config)),
            schema=schema(perspectives),
            max_output_tokens=MOST_OUTPUT,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one reading."""

    reading: Reading
    answers: tuple[Parsed[list[Entry]] | Failure, ...]
    """One for each call."""

    @property
    def failure(self) -> Failure | None:
        """Why it failed: one call that fails is enough, or the event would be half told."""
        return next((answer for answer in self.answers if isinstance(answer, Failure)), None)

    @property
    def entries(self) -> list[Entry]:
        """What was read."""
        return [e for answer in self.answers if isinstance(answer, Parsed) for e in answer.value]


def calls(config: StructMemConfig) -> tuple[tuple[Perspective, ...], ...]:
    """Return for each call about a batch the perspectives that it reads."""
    if not config.relations:
        return (("fact",),)
    return (("fact", "relation"),) if config.calls == "one" else (("fact",), ("relation",))


def plan(
    messages: Sequence[Message], view: StepView, config: StructMemConfig
) -> tuple[list[Reading], bool]:
    """Return how the next step reads the messages of one session, and whether any are left.

    What waits comes first. What could not be read before follows, in smaller batches: a reply
    that was cut off may fit then, and one bad message no longer holds up the others.
    """
    waiting = [m for m in messages if m.progress != "unextracted"]
    failed = [m for m in messages if m.progress == "unextracted"]
    smaller = max(1, config.batch_tokens // SMALLER)
    cut = [
        *batches.cut(waiting[: config.messages_a_step], config.batch_tokens, view.count_tokens),
        *batches.cut(failed[: config.messages_a_step], smaller, view.count_tokens),
    ]
    now, later = batches.first_step(cut, config.batches_a_step)
    readings = [
        Reading(batch=each, before=tuple(view.preceding(each.messages[0], config.preceding)))
        for each in now
    ]
    return readings, bool(later) or max(len(waiting), len(failed)) > config.messages_a_step


def bind(batch: Batch, view: StepView, config: StructMemConfig) -> Changes:
    """Read what waits in a session.

    Where no good reply can be had, its messages become `unextracted`, the others are kept, and
    the step is to be tried again later.

    Raises:
        NoModel: The view has none.
    """
    readings, left = plan(batch.messages, view, config)
    outcomes = _read(readings, view, config)
    progress = _progress(batch.messages, outcomes)
    failures = [o.failure for o in outcomes if o.failure]
    goes_on = left and len(failures) < len(outcomes)
    redo = _reason(failures, outcomes) if failures and not goes_on else None
    return Changes(
        notes=tuple(n for n in _notes(outcomes, config) if progress[n.event or ""] == "bound"),
        progress=progress,
        next=() if redo else after_binding(batch.step, config, left=goes_on),
        redo=redo,
        model=_model(outcomes),
        prompt_digest=prompt_digest(config),
    )


def prompt_digest(config: StructMemConfig) -> str:
    """Return a digest of the wording that binding uses."""
    return digest(*(prompts.load(*_PROMPTS[call]) for call in calls(config)))


def _read(readings: Sequence[Reading], view: StepView, config: StructMemConfig) -> list[Outcome]:
    """Ask about all readings at once."""
    if not readings:
        return []
    if view.llm is None:
        raise NoModel
    each = calls(config)
    answers = ask(view.llm, [_question(r, call, config) for r in readings for call in each])
    return [
        Outcome(reading=reading, answers=tuple(answers[i * len(each) : (i + 1) * len(each)]))
        for i, reading in enumerate(readings)
    ]


def _question(
    reading: Reading, call: tuple[Perspective, ...], config: StructMemConfig
) -> Question[list[Entry]]:
    return Question(request=reading.request(call, config), parse=parser(reading.batch.shown, call))


def _progress(messages: Sequence[Message], outcomes: Sequence[Outcome]) -> dict[str, Progress]:
    """Return what became of the messages that were read, and of those that say nothing."""
    progress: dict[str, Progress] = {m.id: "bound" for m in messages if not words_of(m)}
    for outcome in sorted(outcomes, key=lambda o: o.failure is not None):
        # A message in parts is bound only if every part was read: failures come last.
        became: Progress = "unextracted" if outcome.failure else "bound"
        progress.update((m.id, became) for m in outcome.reading.batch.messages)
    return progress


def _notes(outcomes: Sequence[Outcome], config: StructMemConfig) -> Iterator[NoteDraft]:
    for outcome in outcomes:
        reading = outcome.reading
        yield from drafts(outcome.entries, reading.batch.messages, reading.before, config.preceding)


def _reason(failures: Sequence[Failure], outcomes: Sequence[Outcome]) -> str:
    kinds = ", ".join(sorted({f"{f.reason} ({f.detail})" for f in failures}))
    return f"{len(failures)} of {len(outcomes)} batches could not be read: {kinds}"


def _model(outcomes: Sequence[Outcome]) -> str | None:
    read = (a for o in outcomes for a in o.answers if isinstance(a, Parsed))
    return next((answer.reply.model for answer in read), None)


def _shortened(messages: Sequence[Message], config: StructMemConfig) -> list[Shown]:
    """Return the ends of what was said before: what is taken up again is said last."""
    most = config.preceding_characters
    told = [(message, words_of(message)) for message in messages]
    return [
        Shown(message=m, text=words if len(words) <= most else f"…{words[-most:]}")
        for m, words in told
        if words
    ]
