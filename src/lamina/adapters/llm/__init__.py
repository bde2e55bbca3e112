"""Language models of any provider, behind the port `LLM`. Needs the extra `models`."""

from lamina.adapters.llm.chosen import from_settings
from lamina.adapters.llm.provider_llm import ProviderLLM
from lamina.adapters.llm.retrying import Retrying

__all__ = ["ProviderLLM", "Retrying", "from_settings"]
