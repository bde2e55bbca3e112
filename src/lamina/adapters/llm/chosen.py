"""The models that the settings choose."""

from __future__ import annotations

from lamina.adapters.llm.call_loop import CallLoop
from lamina.adapters.llm.provider_llm import ProviderLLM
from lamina.models.roles import Roles
from lamina.ports import ModelRole
from lamina.settings import ModelSettings


def from_settings(settings: ModelSettings) -> Roles | None:
    """Return the model of each role, all on one loop; `None` if no model is set.

    `base_url` and `api_key` go with the provider of `model` (or of the first role that names one);
    a role's model of another provider uses that one's own address and variable.

    Raises:
        UnknownProvider, MissingKey, MissingExtra: As `ProviderLLM` does.
    """
    named: dict[ModelRole, str | None] = {
        "memory": settings.memory,
        "rank": settings.rank,
        "answer": settings.answer,
        "judge": settings.judge,
    }
    specs = dict.fromkeys(spec for spec in (settings.model, *named.values()) if spec)
    if not specs:
        return None
    home = next(iter(specs)).partition(":")[0]
    loop = CallLoop(settings.concurrency)
    built = {spec: _built(spec, home, settings, loop) for spec in specs}
    return Roles(
        built[settings.model] if settings.model else None,
        {role: built[spec] for role, spec in named.items() if spec},
    )


def _built(spec: str, home: str, settings: ModelSettings, loop: CallLoop) -> ProviderLLM:
    provider = spec.partition(":")[0]
    at_home = provider == home
    key = settings.api_key if at_home else None
    return ProviderLLM(
        spec,
        base_url=settings.base_url if at_home else None,
        key=key or settings.provider_keys.get(provider),
        price=settings.price,
        timeout=settings.timeout,
        loop=loop,
    )
