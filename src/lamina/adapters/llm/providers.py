"""The providers we know by name, each as a pydantic-ai model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from lamina.errors import MissingExtra, MissingKey, UnknownProvider
from lamina.settings import PROVIDER_KEYS, Secret

if TYPE_CHECKING:
    from pydantic_ai.models import Model

OLLAMA_URL = "http://localhost:11434/v1"
INSTALL = "language models need an extra that is not installed; run: pip install 'lamina[models]'"


def split(model: str) -> tuple[str, str]:
    """Return provider and name of PROVIDER:NAME.

    Raises:
        UnknownProvider: It is not one that we know.
    """
    provider, _, name = model.partition(":")
    if provider not in PROVIDER_KEYS or not name:
        raise UnknownProvider(
            f"unknown provider in the model {model!r}; write PROVIDER:NAME with one of "
            f"{', '.join(PROVIDER_KEYS)}; for any other OpenAI-compatible server write openai:NAME "
            "and set LAMINA_BASE_URL"
        )
    return provider, name


def check(model: str, base_url: str | None, key: Secret | None) -> None:
    """Check without loading anything that PROVIDER:NAME can be built.

    Raises:
        UnknownProvider: The provider is not one that we know.
        MissingKey: It needs a key and none was given.
        MissingExtra: The packages for it are not installed.
    """
    provider, _ = split(model)
    needs_key = bool(PROVIDER_KEYS[provider]) and not (provider == "openai" and base_url)
    if needs_key and key is None:
        variables = " or ".join((*PROVIDER_KEYS[provider], "LAMINA_API_KEY"))
        raise MissingKey(f"{model} needs a key and none is set; set {variables}")
    if any(find_spec(package) is None for package in ("pydantic_ai", "genai_prices")):
        raise MissingExtra(INSTALL)


def build(model: str, base_url: str | None, key: Secret | None) -> Model[Any]:
    """Return the pydantic-ai model that stands for PROVIDER:NAME, which `check` has let pass.

    Raises:
        MissingExtra: The packages for it are not installed.
    """
    provider, name = split(model)
    try:
        return _BUILDERS[provider](name, base_url, key.reveal() if key else None)
    except ImportError as error:
        raise MissingExtra(INSTALL) from error


def takes_temperature(model: Model[Any]) -> bool:
    """Whether the model accepts a temperature while it does not think; some refuse any."""
    profile: Mapping[str, Any] = model.profile
    if profile.get("anthropic_disallows_sampling_settings"):
        return False
    if not profile.get("openai_supports_reasoning"):
        return True
    efforts: Collection[str] | None = profile.get("openai_reasoning_efforts")
    if efforts is not None:
        return "none" in efforts
    return bool(profile.get("openai_supports_reasoning_effort_none"))


def enforces_schema(model: Model[Any]) -> bool:
    """Whether the provider can make the model keep to a JSON schema."""
    return bool(model.profile.get("supports_json_schema_output"))


def _openai(name: str, base_url: str | None, key: str | None) -> Model[Any]:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    if base_url is None:
        return OpenAIChatModel(name, provider=OpenAIProvider(api_key=key))
    provider = OpenAICompatibleProvider("openai-compatible", base_url=base_url, api_key=key)
    return OpenAIChatModel(name, provider=provider)


def _anthropic(name: str, base_url: str | None, key: str | None) -> Model[Any]:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    return AnthropicModel(name, provider=AnthropicProvider(api_key=key, base_url=base_url))


def _google(name: str, base_url: str | None, key: str | None) -> Model[Any]:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    assert key is not None
    return GoogleModel(name, provider=GoogleProvider(api_key=key, base_url=base_url))


def _ollama(name: str, base_url: str | None, key: str | None) -> Model[Any]:
    from pydantic_ai.models.ollama import OllamaModel
    from pydantic_ai.providers.ollama import OllamaProvider

    return OllamaModel(name, provider=OllamaProvider(base_url=base_url or OLLAMA_URL, api_key=key))


_BUILDERS: Mapping[str, Callable[[str, str | None, str | None], Model[Any]]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "google": _google,
    "ollama": _ollama,
}
