"""Consolidate: put the buffer beside what is near to it in the history, and keep a summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from lamina.errors import NoModel
from lamina.identity import digest
from lamina.model import Changes, Event, Note, NoteDraft
from lamina.models.replies import Parsed, Question, ask
from lamina.ports import Batch, Failure, Request, StepView
from lamina.strategies.structmem import far_kin, past, prompts
from lamina.strategies.structmem.config import StructMemConfig
from lamina.strategies.structmem.dialogue import line, timed, words_of
from lamina.strategies.structmem.far_kin import Cluster
from lamina.strategies.structmem.lengths import summary_words
from lamina.strategies.structmem.summary_reply import SCHEMA, Summary, parser
from lamina.strategies.structmem.support import Evidence, supported
from lamina.strategies.structmem.triggers import fires, portion

MOST_OUTPUT = 2048
"""Tokens of a reply at most: 350 words are about 500, and more in other scripts."""
LONGEST_TEXT = 2000
"""Characters that are shown of a message without entries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What is shown of one event or summary: its source, its notes, and their words."""

    entry: Event | Note
    notes: tuple[Note, ...]
    texts: tuple[str, ...]
    """The notes' words, or those of a message that has none."""

    @property
    def said_at(self) -> datetime:
        """When it was said, or last said."""
        return self.entry.message.said_at if isinstance(self.entry, Event) else self.entry.said_at

    @property
    def messages(self) -> tuple[str, ...]:
        """Ids of the messages it rests on."""
        if isinstance(self.entry, Event):
            return (self.entry.message.id,)
        return self.entry.sources

    def shown(self, number: int | None = None) -> str:
        """Return it as a JSON line: numbered and dated where it is history."""
        numbered = () if number is None else (number,)
        if isinstance(self.entry, Note):
            began, ended = self.entry.began_at.date(), self.entry.said_at.date()
            summary = {"summary": " ".join(self.texts)}
            return line(*numbered, began.isoformat(), ended.isoformat(), summary)
        message = self.entry.message
        dated = () if number is None else (number, message.said_at.date().isoformat())
        role = "" if message.role == "user" else f" ({message.role})"
        return line(*dated, f"{message.speaker}{role}", *self.texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """All that is put before the model for one summary."""

    buffer: tuple[Line, ...]
    earlier: tuple[Line, ...]
    words: tuple[int, int]

    def request(self) -> Request:
        """Return what is asked."""
        return Request(
            role="memory",
            system=prompts.load("consolidate"),
            prompt="\n".join(self._lines()),
            schema=SCHEMA,
            max_output_tokens=MOST_OUTPUT,
        )

    def _lines(self) -> Iterator[str]:
        yield line("words", *self.words)
        yield "new"
        yield from timed((each.said_at, each.shown()) for each in self.buffer)
        if self.earlier:
            yield "earlier"
            yield from (each.shown(number) for number, each in enumerate(self.earlier, start=1))

    def grounds(self) -> Evidence:
        """Return what the summary may rest on."""
        read = (*self.earlier, *self.buffer)
        events = [each.entry for each in read if isinstance(each.entry, Event)]
        return Evidence(
            said=tuple((text, each.said_at) for each in read for text in each.texts),
            speakers=frozenset(event.message.speaker for event in events),
        )


def consolidate(batch: Batch, view: StepView, config: StructMemConfig) -> Changes:
    """Sum up the oldest part of the buffer if a trigger fires; all of it or nothing.

    Raises:
        NoModel: The view has none.
    """
    if not fires(batch.events, closed=batch.closed, triggers=config.triggers):
        return Changes()
    covered, sheet = prepare(batch.events, view, config)
    done = Changes(
        consolidated=tuple(event.message.id for event in covered),
        next=(batch.step,) if len(covered) < len(batch.events) else (),
    )
    if sheet is None:
        return done
    answer = _ask(sheet, view, config)
    if isinstance(answer, Failure):
        return Changes(redo=f"no summary was had: {answer.reason} ({answer.detail})")
    return Changes(
        notes=(_draft(answer.value, sheet),),
        consolidated=done.consolidated,
        next=done.next,
        model=answer.reply.model,
        prompt_digest=digest(prompts.load("consolidate")),
    )


def join(batch: Batch, view: StepView, config: StructMemConfig) -> Changes:
    """Sum up what nothing links to with its kin of other times, a call each.

    Raises:
        NoModel: The view has none.
    """
    found = far_kin.clusters(batch.events, view, config)
    notes = []
    for cluster in found:
        sheet = _sheet_of(cluster, config)
        if sheet is None:
            continue
        answer = _ask(sheet, view, config)
        if isinstance(answer, Failure):
            return Changes(redo=f"no summary was had: {answer.reason} ({answer.detail})")
        draft = replace(_draft(answer.value, sheet), links=far_kin.links(cluster))
        notes.append((draft, answer.reply.model))
    return Changes(
        notes=tuple(draft for draft, _ in notes),
        model=notes[0][1] if notes else None,
        prompt_digest=digest(prompts.load("consolidate")) if notes else None,
    )


def _sheet_of(cluster: Cluster, config: StructMemConfig) -> Sheet | None:
    told = _of_event(cluster.event)
    earlier = [each for event in cluster.kin if (each := _of_event(event))]
    if told is None or not earlier:
        return None
    return Sheet(
        buffer=(told,),
        earlier=tuple(sorted(earlier, key=lambda each: each.said_at)),
        words=summary_words((text for each in (told, *earlier) for text in each.texts), config),
    )


def prepare(
    events: Sequence[Event], view: StepView, config: StructMemConfig
) -> tuple[Sequence[Event], Sheet | None]:
    """Return which events are covered now, and what is shown; `None` if they tell nothing."""
    lines = [_of_event(event) for event in events]
    costs = view.count_tokens([each.shown() if each else "" for each in lines])
    count = portion(costs, config.buffer_tokens)
    told = _fitting([each for each in lines[:count] if each], view, config.buffer_tokens)
    if not told:
        return events[:count], None
    buffer = [each.entry for each in told if isinstance(each.entry, Event)]
    found = past.near(buffer, view, config.seeds).entries
    earlier = _fitting([each for e in found if (each := _of(e))], view, config.history_tokens)
    texts = (text for each in told for text in each.texts)
    sheet = Sheet(
        buffer=tuple(told),
        earlier=tuple(sorted(earlier, key=lambda each: each.said_at)),
        words=summary_words(texts, config),
    )
    return events[:count], sheet


def _ask(sheet: Sheet, view: StepView, config: StructMemConfig) -> Parsed[Summary] | Failure:
    if view.llm is None:
        raise NoModel
    told = " ".join(text for each in sheet.buffer for text in each.texts)
    parse = parser(count=len(sheet.earlier), told=told, longest_words=config.longest_words)
    [answer] = ask(view.llm, [Question(request=sheet.request(), parse=parse)])
    return answer


def _draft(summary: Summary, sheet: Sheet) -> NoteDraft:
    """Return the summary as a note, or as a revision of the one that it says it replaces."""
    revised = _revisable(summary.revises, sheet)
    linked = [(sheet.earlier[i], relation) for i, relation in summary.links.items()]
    used = [each for each, _ in linked if isinstance(each.entry, Event)]
    rests_on = [*([revised.sources] if revised else []), *(e.messages for e in used)]
    rests_on += [each.messages for each in sheet.buffer]
    read = (*sheet.earlier, *sheet.buffer)
    return NoteDraft(
        kind="summary",
        text=summary.text,
        sources=tuple(dict.fromkeys(source for sources in rests_on for source in sources)),
        parents=tuple(dict.fromkeys(note.id for each in read for note in each.notes)),
        supported=supported(summary.text, sheet.grounds()),
        links=tuple(
            (each.notes[0].id, relation)
            for each, relation in linked
            if each.notes and each.entry is not revised
        ),
        revises=revised.id if revised else None,
        base=revised.revision if revised else 0,
    )


def _revisable(index: int | None, sheet: Sheet) -> Note | None:
    """Return the summary to revise, if it is one and no person has written it."""
    entry = None if index is None else sheet.earlier[index].entry
    return entry if isinstance(entry, Note) and not entry.by_person else None


def _of(entry: Event | Note) -> Line | None:
    if isinstance(entry, Event):
        return _of_event(entry)
    return Line(entry=entry, notes=(entry,), texts=(entry.text,))


def _of_event(event: Event) -> Line | None:
    """Return what is shown of an event; `None` if that is nothing."""
    if past.quotes_memory(event):
        return None
    notes = tuple(past.sound(event.notes))
    texts = tuple(_marked(note) for note in notes)
    if not event.notes and event.message.progress == "unextracted":
        texts = (words_of(event.message)[:LONGEST_TEXT],)
    return Line(entry=event, notes=notes, texts=texts) if any(texts) else None


def _marked(note: Note) -> str:
    return note.text if note.certainty == "stated" else f"[{note.certainty}] {note.text}"


def _fitting(lines: Sequence[Line], view: StepView, limit: int) -> list[Line]:
    """Return the first lines that cost up to `limit` tokens; a longer one is shown in part."""
    if not lines:
        return []
    costs = view.count_tokens([each.shown() for each in lines])
    kept = list(lines[: portion(costs, limit)])
    if costs[0] > limit:
        share = max(1, len(kept[0].texts) * limit // costs[0])
        notes, texts = kept[0].notes[:share], kept[0].texts[:share]
        kept[0] = Line(entry=kept[0].entry, notes=notes, texts=texts)
    return kept
