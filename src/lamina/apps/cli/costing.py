"""What forming memory from a file would cost, before anything is stored or asked."""

from __future__ import annotations

from dataclasses import dataclass

from lamina.model import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost(Value):
    """An estimate; the replies' length is the greatest part of what is guessed."""

    turns: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    """`None` where no model is configured, or its price is not known."""
    model: str | None
