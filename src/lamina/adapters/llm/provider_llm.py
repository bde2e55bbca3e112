"""The port `LLM` over pydantic-ai: one request to the provider for each request of ours."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from threading import Lock

from lamina.adapters.llm import providers
from lamina.adapters.llm.call_loop import CallLoop
from lamina.adapters.llm.prices import Prices
from lamina.adapters.llm.retrying import Retrying, Trouble
from lamina.adapters.llm.sender import Sender
from lamina.errors import ModelUnavailable
from lamina.ports import Failure, Reply, Request
from lamina.settings import Price, Secret

DEFAULT_TIMEOUT = 60.0
"""Seconds."""


class ProviderLLM:
    """A model named PROVIDER:NAME. Use `close`, or `with`, to let go of its connections."""

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        key: Secret | None = None,
        price: Price | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        loop: CallLoop | None = None,
        retrying: Retrying | None = None,
    ) -> None:
        """Check what is asked for. The provider's packages are loaded by the first call.

        Args:
            model: PROVIDER:NAME, such as openai:gpt-5-mini or ollama:qwen3.
            base_url: The server, if not the provider's own.
            key: Its key, if it needs one.
            price: Used where the price list lacks the model.
            timeout: Seconds that one try may take.
            loop: Where the calls run, shared with other models; without it one of its own.
            retrying: How often and how soon to try again.

        Raises:
            UnknownProvider: The provider is not one that we know.
            MissingKey: It needs a key and none was given.
            MissingExtra: The packages for it are not installed.
        """
        providers.check(model, base_url, key)
        self.model = model
        self._base_url = base_url
        self._key = key
        self._timeout = timeout
        self._prices = Prices(model, base_url, price)
        self._retrying = retrying or Retrying()
        self._lock = Lock()
        self._sender: Sender | None = None
        self._loop = loop or CallLoop()
        self._loop.take_hold()
        self._closed = False

    def __enter__(self) -> ProviderLLM:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def complete(self, requests: Sequence[Request]) -> list[Reply | Failure]:
        """See `LLM.complete`.

        Raises:
            ModelUnavailable: It was closed.
        """
        sender = self._ready()
        return self._loop.gather([self._answer(sender, request) for request in requests])

    def cost_usd(self, input_tokens: int, output_tokens: int) -> float | None:
        """Return what so many tokens cost in USD; `None` where the price is unknown."""
        return self._prices.of(input_tokens, output_tokens)

    def close(self) -> None:
        """Close the connections. Closing again changes nothing."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        if self._sender is not None:
            self._loop.run(self._sender.close())
        self._loop.let_go()

    def _ready(self) -> Sender:
        with self._lock:
            if self._closed:
                raise ModelUnavailable(f"{self.model} was closed; open the memory again")
            if self._sender is None:
                model = providers.build(self.model, self._base_url, self._key)
                self._sender = Sender(self.model, model, self._timeout, self._prices.of_usage)
            return self._sender

    async def _answer(self, sender: Sender, request: Request) -> Reply | Failure:
        attempt = 1
        outcome = await sender.send(request)
        while isinstance(outcome, Trouble):
            wait = self._retrying.wait(outcome, attempt)
            if wait is None:
                return outcome.failure
            await asyncio.sleep(wait)
            attempt += 1
            outcome = await sender.send(request)
        return outcome
