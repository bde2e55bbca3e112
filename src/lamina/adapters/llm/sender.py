"""One try of one request, in pydantic-ai's terms."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lamina.adapters.llm import providers
from lamina.adapters.llm.retrying import Trouble, may_be_the_schema, trouble_of
from lamina.ports import Reply, Request

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters
    from pydantic_ai.settings import ModelSettings
    from pydantic_ai.usage import RequestUsage

SCHEMA_IN_WORDS = (
    "Answer with exactly one JSON value that follows this JSON schema, and nothing else:"
)


class Sender:
    """Sends requests to one model and reads its responses. Lives on the loop of its calls."""

    def __init__(
        self,
        name: str,
        model: Model[Any],
        timeout: float,
        cost: Callable[[RequestUsage], float | None],
    ) -> None:
        """Take what it needs.

        Args:
            name: PROVIDER:NAME, which replies and failures bear.
            model: The same in pydantic-ai's terms.
            timeout: Seconds that one try may take.
            cost: From tokens to USD.
        """
        self._name = name
        self._model = model
        self._timeout = timeout
        self._cost = cost
        self._enforces_schema = providers.enforces_schema(model)
        self._takes_temperature = providers.takes_temperature(model)

    async def send(self, request: Request) -> Reply | Trouble:
        """Try once. A server that takes no schema is asked in words, from then on."""
        enforced = self._enforces_schema and (request.schema or {}).get("type") == "object"
        response = await self._try(request, enforced=enforced)
        if enforced and isinstance(response, Exception) and may_be_the_schema(response):
            response = await self._try(request, enforced=False)
            self._enforces_schema = isinstance(response, Exception)
        if isinstance(response, Exception):
            return trouble_of(response, self._name)
        return self._reply(response)

    async def close(self) -> None:
        """Close the connections."""
        # Entering and leaving is how pydantic-ai is told to close what a provider opened.
        async with self._model:
            pass

    async def _try(self, request: Request, *, enforced: bool) -> ModelResponse | Exception:
        from pydantic_ai.direct import model_request
        from pydantic_ai.messages import ModelRequest, SystemPromptPart, UserPromptPart

        system = request.system
        if request.schema is not None and not enforced:
            system = f"{system}\n\n{SCHEMA_IN_WORDS}\n{json.dumps(request.schema)}".strip()
        parts: list[SystemPromptPart | UserPromptPart] = []
        if system:
            parts.append(SystemPromptPart(_sendable(system)))
        parts.append(UserPromptPart(_sendable(request.prompt)))
        settings = self._settings(request)
        parameters = _parameters(request if enforced else None)
        try:
            async with asyncio.timeout(self._timeout):
                return await model_request(
                    self._model,
                    [ModelRequest(parts=parts)],
                    model_settings=settings,
                    model_request_parameters=parameters,
                    instrument=False,
                )
        except _errors() as error:
            return error

    def _settings(self, request: Request) -> ModelSettings:
        settings: ModelSettings = {
            "max_tokens": request.max_output_tokens,
            "timeout": self._timeout,
            "max_retries": 0,
            "thinking": False,
        }
        if self._takes_temperature:
            settings["temperature"] = 0.0
        return settings

    def _reply(self, response: ModelResponse) -> Reply | Trouble:
        from pydantic_ai.exceptions import ContentFilterError
        from pydantic_ai.messages import TextPart

        if response.finish_reason == "content_filter":
            return trouble_of(ContentFilterError("withheld"), self._name)
        text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
        if not text and not response.usage.output_tokens:
            return trouble_of(ValueError("an answer without content"), self._name)
        return Reply(
            text=text,
            model=self._name,
            input_tokens=response.usage.input_tokens,
            output_tokens=response.usage.output_tokens,
            cost_usd=self._cost(response.usage),
            truncated=response.finish_reason == "length",
        )


def _errors() -> tuple[type[Exception], ...]:
    """Return what a try may raise, as far as it is the provider's or the network's doing."""
    from pydantic_ai.exceptions import AgentRunError, UserError

    # The second line is what comes of answers that are JSON but of another form, such as `null`.
    return (AgentRunError, UserError, OSError,
            AttributeError, LookupError, TypeError, ValueError)  # fmt: skip


def _parameters(enforced: Request | None) -> ModelRequestParameters:
    """Return what pydantic-ai needs to have the provider enforce a request's schema, if any."""
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition

    if enforced is None or enforced.schema is None:
        return ModelRequestParameters(output_mode="text")
    answer = OutputObjectDefinition(json_schema=dict(enforced.schema), name="answer")
    return ModelRequestParameters(output_mode="native", output_object=answer)


def _sendable(text: str) -> str:
    """Return `text` with lone surrogates, which UTF-8 cannot carry, as question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")
