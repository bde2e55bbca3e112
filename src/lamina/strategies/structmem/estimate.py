"""What forming memory with a model will cost, told before any model is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lamina.model import Message, Value
from lamina.models.tokens import rough_input_tokens, rough_tokens
from lamina.ports import Request
from lamina.strategies.structmem import batches, prompts
from lamina.strategies.structmem.batches import CountTokens, DialogueBatch
from lamina.strategies.structmem.binding import Reading, calls
from lamina.strategies.structmem.config import StructMemConfig

FACTS_SHARE = 1.2
"""Tokens of facts to each token of dialogue, from the recorded completions."""
RELATIONS_SHARE = 0.6
"""Tokens of relations to each token of dialogue."""
FRAME_SHARE = 0.65
"""Tokens of JSON around the entries of a reply, to each token of entries."""
LINE_FRAME = 1.1
"""What quotes and commas add where entries are shown for consolidation."""
WORDS_A_TOKEN = 0.36
"""Words of a summary to each token that it sums up, while it is not as long as may be."""
SUMMARY_TOKENS = 1.6
"""Tokens of a summary's reply, with its links, to each word asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate(Value):
    """Calls and tokens, counted as `lamina.models.tokens` does."""

    turns: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Estimate) -> Estimate:
        return Estimate(
            turns=self.turns + other.turns,
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
        )


def estimate(
    sessions: Mapping[str, Sequence[Message]],
    count_tokens: CountTokens,
    config: StructMemConfig | None = None,
) -> Estimate:
    """Return what binding and consolidating one scope's messages takes, each session closed.

    The requests that bind are built and counted; those that consolidate are reckoned from the
    shares above, since they show what a model is yet to write.

    Args:
        sessions: The messages of each session, oldest first; the sessions in order of time.
        count_tokens: The encoder's, by which batches are cut.
        config: As the run will have it.
    """
    chosen = config or StructMemConfig()
    total, before = Estimate(), 0
    for messages in sessions.values():
        cut = batches.cut(messages, chosen.batch_tokens, count_tokens)
        total += Estimate(turns=len(messages))
        for batch in cut:
            total += _binding(batch, messages, chosen)
        if chosen.consolidates and cut:
            total += _consolidating(cut, chosen, before)
            before += _shown(cut, chosen)
    return total


def _binding(
    batch: DialogueBatch, messages: Sequence[Message], config: StructMemConfig
) -> Estimate:
    place = messages.index(batch.messages[0])
    reading = Reading(batch=batch, before=tuple(messages[max(0, place - config.preceding) : place]))
    asked = [reading.request(call, config) for call in calls(config)]
    return Estimate(
        calls=len(asked),
        input_tokens=sum(map(rough_input_tokens, asked)),
        output_tokens=round(_entries([batch], config) * (1 + FRAME_SHARE)),
    )


def _consolidating(cut: Sequence[DialogueBatch], config: StructMemConfig, before: int) -> Estimate:
    """Reckon one session's consolidations: one for each part of the buffer that fits.

    Args:
        cut: What the session says.
        config: As the run will have it.
        before: Tokens of what there is to find in the history.
    """
    buffer = _shown(cut, config)
    parts = -(-buffer // config.buffer_tokens)
    fixed = Request(role="memory", system=prompts.load("consolidate"), prompt="")
    found = min(config.history_tokens, before) if config.seeds else 0
    words = min(config.longest_words, round(buffer / parts * WORDS_A_TOKEN))
    return Estimate(
        calls=parts,
        input_tokens=parts * (rough_input_tokens(fixed) + found) + buffer,
        output_tokens=round(parts * words * SUMMARY_TOKENS),
    )


def _shown(cut: Sequence[DialogueBatch], config: StructMemConfig) -> int:
    """Return the tokens of the entries of batches as they are shown for consolidation."""
    return round(_entries(cut, config) * LINE_FRAME)


def _entries(cut: Sequence[DialogueBatch], config: StructMemConfig) -> float:
    """Return the tokens of the entries that will be read from batches."""
    share = FACTS_SHARE + (RELATIONS_SHARE if config.relations else 0.0)
    return share * sum(_dialogue(cut))


def _dialogue(cut: Sequence[DialogueBatch]) -> Iterator[int]:
    for batch in cut:
        yield from (rough_tokens(each.text) for each in batch.shown)
