"""The models that the settings choose."""

from __future__ import annotations

from lamina.adapters.llm.call_loop import CallLoop
from lamina.adapters.llm.provider_llm import ProviderLLM
from lamina.models.roles import Roles
from lamina.ports import ModelRole
from lamina.settings import ModelSettings


def from_settings(settings: ModelSettings) -> Roles | None:
    """Return the model of each role, all on one loop; `None` if no model is set.

    A model that is not at home uses its provider's own address and variable.

    Raises:
        UnknownProvider, MissingKey, MissingExtra: As `ProviderLLM` does.
    """
    named = _named(settings)
    specs = dict.fromkeys(spec for spec in (settings.model, *named.values()) if spec)
    if not specs:
        return None
    loop = CallLoop(settings.concurrency)
    built = {spec: _built(spec, settings, loop) for spec in specs}
    return Roles(
        built[settings.model] if settings.model else None,
        {role: built[spec] for role, spec in named.items() if spec},
    )


def at_home(spec: str, settings: ModelSettings) -> bool:
    """Whether `base_url` and `api_key` go with a model.

    They go with the provider of `model`, or of the first role that names one.
    """
    named = (settings.model, *_named(settings).values())
    home = next((each for each in named if each), spec)
    return spec.partition(":")[0] == home.partition(":")[0]


def _named(settings: ModelSettings) -> dict[ModelRole, str | None]:
    return {
        "memory": settings.memory,
        "rank": settings.rank,
        "answer": settings.answer,
        "judge": settings.judge,
    }


def _built(spec: str, settings: ModelSettings, loop: CallLoop) -> ProviderLLM:
    ours = at_home(spec, settings)
    key = settings.api_key if ours else None
    return ProviderLLM(
        spec,
        base_url=settings.base_url if ours else None,
        key=key or settings.provider_keys.get(spec.partition(":")[0]),
        price=settings.price,
        timeout=settings.timeout,
        loop=loop,
    )
