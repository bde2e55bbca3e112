"""What a model is shown for a question: the best of memory, or the whole conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lamina.evaluation.recalling import Recalled
from lamina.memory import read
from lamina.model import Message, Variant
from lamina.recall.context import Context, fill
from lamina.work.engine import Engine


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A context and its length."""

    text: str
    tokens: int
    """As the encoder counts them."""


def remembered(
    engine: Engine, recalled: Recalled, texts: Sequence[str], variant: Variant, max_tokens: int
) -> list[Shown]:
    """Return what memory gives for each question, as `Handle.context` does.

    Args:
        engine: With the weights that were chosen for this conversation.
        recalled: The conversation.
        texts: The questions.
        variant: How much of the structure is used.
        max_tokens: Bounds each context.
    """
    wanted = read.Wanted(top_k=read.CONTEXT_HITS, variant=variant, asked_at=recalled.asked_at)
    count = engine.encoder.count_tokens
    filled: list[Context] = [
        fill(read.search(engine, recalled.scope, text, wanted), max_tokens=max_tokens, count=count)
        for text in texts
    ]
    tokens = count([context.text for context in filled])
    return [Shown(text=c.text, tokens=n) for c, n in zip(filled, tokens, strict=True)]


def whole(engine: Engine, recalled: Recalled) -> Shown:
    """Return a whole conversation, a dated line a turn."""
    with engine.store.snapshot(recalled.scope) as snapshot:
        turns = engine.store.messages(recalled.scope, snapshot.documents.turn_refs)
    lines = [_line(turn) for turn in turns]
    return Shown(text="\n".join(lines), tokens=sum(engine.encoder.count_tokens(lines)))


def _line(turn: Message) -> str:
    return f"{turn.said_at:%Y-%m-%d %H:%M} {turn.speaker}: {turn.text}"
