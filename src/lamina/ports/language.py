"""Language models: requests in, a reply or a failure each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

ModelRole = Literal["memory", "rank", "answer", "judge"]
Reason = Literal["timeout", "rate_limit", "server", "connection", "refused", "budget", "malformed"]
"""Why there is no reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question to a language model."""

    role: ModelRole
    system: str
    prompt: str
    schema: Mapping[str, Any] | None = None
    """JSON Schema of the reply; `None` asks for prose."""
    max_output_tokens: int = 2048


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the model said, and what it took."""

    text: str
    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    """`None` where the price is unknown."""
    truncated: bool = False
    cached: bool = False
    """Whether it came from the cache: then it cost nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """No reply, and why."""

    reason: Reason
    detail: str
    """For people; never holds a key or a person's text."""


class LLM(Protocol):
    """A language model. How many requests run at once is the adapter's business."""

    def complete(self, requests: Sequence[Request]) -> list[Reply | Failure]:
        """Answer every request, in order."""
        ...
