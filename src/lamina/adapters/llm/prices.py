"""What tokens cost: from the price list that genai-prices ships, or as set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lamina.adapters.llm.providers import split
from lamina.settings import Price

if TYPE_CHECKING:
    from genai_prices.types import AbstractUsage
    from pydantic_ai.usage import RequestUsage


@dataclass(frozen=True, slots=True)
class Prices:
    """The price of one model. The list is the installed package's; nothing is fetched."""

    model: str
    """PROVIDER:NAME. Ollama runs on one's own machine and costs nothing."""
    base_url: str | None = None
    """The server, if not the provider's own; the list knows some by their address."""
    fallback: Price | None = None
    """Used where the list lacks the model."""

    def of(self, input_tokens: int, output_tokens: int) -> float | None:
        """Return USD; `None` where nobody knows."""
        from genai_prices import Usage

        usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens)
        return self._of(usage, input_tokens, output_tokens)

    def of_usage(self, usage: RequestUsage) -> float | None:
        """Return USD, cached tokens priced as such; `None` where nobody knows."""
        return self._of(usage, usage.input_tokens, usage.output_tokens)

    def _of(self, usage: AbstractUsage, given: int, got: int) -> float | None:
        provider, name = split(self.model)
        if provider == "ollama":
            return 0.0
        listed = _listed(usage, provider, name, self.base_url)
        if listed is not None or self.fallback is None:
            return listed
        return (given * self.fallback.input + got * self.fallback.output) / 1e6


def _listed(usage: AbstractUsage, provider: str, name: str, base_url: str | None) -> float | None:
    from genai_prices import calc_price

    try:
        if base_url is None:
            return float(calc_price(usage, name, provider_id=provider).total_price)
        return float(calc_price(usage, name, provider_api_url=base_url).total_price)
    except LookupError:
        return None
