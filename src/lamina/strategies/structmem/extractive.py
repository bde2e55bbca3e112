"""StructMem without a language model: it selects from what was said, and invents nothing.

The fact view is the turn itself, with its speaker, how certain they sounded, and the date that its
words name. The relation view is the exchange: the turn before and the turn. Neither has a
document of its own, since recall already finds them through the message and its exchange.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise

from lamina.model import Changes, Event, Message, NoteDraft
from lamina.ports import Batch, StepView
from lamina.strategies.structmem import far_kin, past, selection, sentences
from lamina.strategies.structmem.certainty import certainty
from lamina.strategies.structmem.config import StructMemConfig
from lamina.strategies.structmem.dialogue import words_of
from lamina.strategies.structmem.far_kin import Cluster
from lamina.strategies.structmem.lengths import summary_words
from lamina.strategies.structmem.named_times import named_time
from lamina.strategies.structmem.triggers import after_binding, fires, portion

ANSWERED_CHARACTERS = 2000
"""Of the end of the turn before, in an exchange: what is answered is said last."""


class Extractive:
    """Forms memory by selecting. Deterministic, in any language, and free."""

    name = "structmem-extractive"

    def __init__(self, config: StructMemConfig | None = None) -> None:
        self._config = config or StructMemConfig()

    def digest(self, batch: Batch, view: StepView) -> Changes:
        """Return what a `bind`, `consolidate` or `sweep` step wants. Never asks for a redo."""
        if batch.step.kind == "bind":
            return self._bind(batch, view)
        if batch.step.kind == "sweep":
            found = far_kin.clusters(batch.events, view, self._config)
            return Changes(notes=tuple(map(_joined, found)))
        return self._consolidate(batch, view)

    def _bind(self, batch: Batch, view: StepView) -> Changes:
        now = batch.messages[: self._config.messages_a_step]
        return Changes(
            notes=tuple(self._entries(now, view)),
            progress={message.id: "bound" for message in now},
            next=after_binding(batch.step, self._config, left=len(now) < len(batch.messages)),
        )

    def _entries(self, messages: Sequence[Message], view: StepView) -> Iterator[NoteDraft]:
        for message, previous in _with_previous(messages, view):
            words = words_of(message)
            if any(map(sentences.states, sentences.split(words))):
                yield _fact(message, words)
            answered = words_of(previous)[-ANSWERED_CHARACTERS:] if previous else ""
            if self._config.relations and previous and answered and words:
                yield _relation(previous, message, f"{previous.speaker}: {answered}", words)

    def _consolidate(self, batch: Batch, view: StepView) -> Changes:
        if not fires(batch.events, closed=batch.closed, triggers=self._config.triggers):
            return Changes()
        costs = view.count_tokens([event.message.text for event in batch.events])
        buffer = batch.events[: portion(costs, self._config.buffer_tokens)]
        summary = self._summary([e for e in buffer if not past.quotes_memory(e)], view)
        return Changes(
            notes=tuple(summary),
            consolidated=tuple(event.message.id for event in buffer),
            next=(batch.step,) if len(buffer) < len(batch.events) else (),
        )

    def _summary(self, buffer: Sequence[Event], view: StepView) -> list[NoteDraft]:
        if not buffer:
            return []
        before = past.near(buffer, view, self._config.seeds).events
        _, longest = summary_words((event.message.text for event in buffer), self._config)
        chosen = selection.select(buffer, before, longest)
        read = dict.fromkeys(sentence.message.id for sentence in chosen)
        if len(read) < 2 or all(sentence.past for sentence in chosen):
            return []  # It would only repeat a message, or tell nothing new.
        parents = [n.id for e in (*before, *buffer) if e.message.id in read for n in e.notes]
        return [
            NoteDraft(
                kind="summary",
                text=selection.written(chosen),
                sources=tuple(read),
                parents=tuple(parents),
            )
        ]


def _fact(message: Message, words: str) -> NoteDraft:
    return NoteDraft(
        kind="fact",
        text=words,
        event=message.id,
        sources=(message.id,),
        about=message.speaker,
        said_by=message.speaker,
        certainty=certainty(words),
        indexed=False,
        valid_at=named_time(words, message.said_at),
    )


def _joined(cluster: Cluster) -> NoteDraft:
    """Quote of each event the sentence that it shares most with."""
    events = cluster.events
    lines = [
        selection.quoted(
            event.message, [far_kin.telling_sentence(event, events[:i] + events[i + 1 :])]
        )
        for i, event in enumerate(events)
    ]
    return NoteDraft(
        kind="summary",
        text="\n".join(lines),
        sources=tuple(event.message.id for event in events),
        parents=tuple(note.id for event in events for note in event.notes),
        links=far_kin.links(cluster),
    )


def _relation(previous: Message, message: Message, answered: str, words: str) -> NoteDraft:
    return NoteDraft(
        kind="relation",
        text=f"{answered}\n{message.speaker}: {words}",
        event=message.id,
        sources=(previous.id, message.id),
        said_by=message.speaker,
        indexed=False,
    )


def _with_previous(
    messages: Sequence[Message], view: StepView
) -> Iterator[tuple[Message, Message | None]]:
    """Pair each message with the one before it in its session, whether that waits or not."""
    if not messages:
        return
    session = [*view.preceding(messages[-1], sys.maxsize), messages[-1]]
    before = {message.id: previous for previous, message in pairwise(session)}
    for message in messages:
        yield message, before.get(message.id)
