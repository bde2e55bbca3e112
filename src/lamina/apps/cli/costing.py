"""What forming memory from a file would cost, before anything is stored or asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec

from lamina.adapters.llm.chosen import at_home
from lamina.adapters.llm.prices import Prices
from lamina.adapters.llm.providers import INSTALL
from lamina.apps.cli.intake import Plan, said
from lamina.apps.cli.opening import settings
from lamina.formats import Turn, read
from lamina.model import Message, Value
from lamina.settings import ModelSettings
from lamina.strategies.structmem.config import StructMemConfig
from lamina.strategies.structmem.estimate import Estimate, estimate
from lamina.wiring import encoder_for


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost(Value):
    """An estimate; how long the replies will be is the greatest part of what is guessed."""

    turns: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    """`None` where no model is configured, or its price is not known."""
    model: str | None
    """The configured one that would be asked. Without one, the calls are those of any."""
    missing: str | None = None
    """What must be installed before that model can be asked, or its price looked up."""


def cost(plan: Plan) -> Cost:
    """Estimate what forming memory from a file would take with a model.

    Raises:
        EncoderError: The encoder, whose tokens are counted, cannot be used.
    """
    chosen = settings()
    counter = encoder_for(None, chosen)
    config = StructMemConfig(variant=chosen.variant)
    whole = Estimate()
    for found in read(plan.path, plan.format):
        whole += estimate(_sessions(said(found.turns)), counter.count_tokens, config)
    model = chosen.models.memory or chosen.models.model
    priced = find_spec("genai_prices") is not None
    return Cost(
        turns=whole.turns,
        calls=whole.calls,
        input_tokens=whole.input_tokens,
        output_tokens=whole.output_tokens,
        cost_usd=_price(model, chosen.models, whole) if model and priced else None,
        model=model,
        missing=INSTALL if model and not priced else None,
    )


def _sessions(turns: Iterable[Turn]) -> dict[str, list[Message]]:
    sessions: dict[str, list[Message]] = {}
    now = datetime.now(UTC)
    for position, turn in enumerate(turns, 1):
        sessions.setdefault(turn.session, []).append(_message(turn, position, now))
    return sessions


def _message(turn: Turn, position: int, now: datetime) -> Message:
    given = turn.message
    return Message(
        id=str(position),
        session=turn.session,
        role=given["role"],
        speaker=given.get("speaker", given["role"]),
        text=given["content"],
        said_at=given.get("timestamp", now),
        recorded_at=now,
        position=position,
    )


def _price(model: str, chosen: ModelSettings, taken: Estimate) -> float | None:
    base_url = chosen.base_url if at_home(model, chosen) else None
    return Prices(model, base_url, chosen.price).of(taken.input_tokens, taken.output_tokens)
