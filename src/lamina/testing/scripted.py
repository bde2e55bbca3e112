"""A scripted language model: for tests of what is done with replies, and for counting calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import TypeAlias

from lamina.models.tokens import rough_input_tokens, rough_tokens
from lamina.ports import Failure, Reply, Request

Answer: TypeAlias = str | Reply | Failure
Script: TypeAlias = Answer | Callable[[Request], Answer]


class ScriptedLLM:
    """Gives the scripted answers in order, and keeps what it was asked.

    A string becomes a `Reply` whose tokens are counted by `lamina.models.tokens`: a token for
    every four UTF-8 bytes, of the system text and the prompt, plus eight. So can calls and tokens
    be counted without a model.

    >>> llm = ScriptedLLM("yes", lambda request: request.prompt.upper())
    >>> ask = Request(role="memory", system="", prompt="a cat")
    >>> [reply.text for reply in llm.complete([ask, ask])]
    ['yes', 'A CAT']
    """

    def __init__(
        self, *script: Script, always: Script | None = None, model: str = "scripted"
    ) -> None:
        """Take the script.

        Args:
            script: What is answered, one to a request.
            always: What is answered when `script` is used up; without it that is an error.
            model: The name that the replies bear.
        """
        self._script = list(script)
        self._always = always
        self._lock = Lock()
        self.model = model
        self.requests: list[Request] = []

    @property
    def prompts(self) -> list[str]:
        """What was asked so far, the prompts alone."""
        return [request.prompt for request in self.requests]

    @property
    def input_tokens(self) -> int:
        """The input tokens of everything asked so far, roughly."""
        return sum(map(rough_input_tokens, self.requests))

    def cost_usd(self, input_tokens: int, output_tokens: int) -> float:
        """Return 0: a script costs nothing."""
        return 0.0

    def complete(self, requests: Sequence[Request]) -> list[Reply | Failure]:
        """See `LLM.complete`.

        Raises:
            AssertionError: More was asked than the script answers.
        """
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Reply | Failure:
        with self._lock:
            self.requests.append(request)
            script = self._next(request)
        answer = script(request) if callable(script) else script
        if not isinstance(answer, str):
            return answer
        return Reply(
            text=answer,
            model=self.model,
            input_tokens=rough_input_tokens(request),
            output_tokens=rough_tokens(answer),
            cost_usd=0.0,
        )

    def _next(self, request: Request) -> Script:
        if self._script:
            return self._script.pop(0)
        if self._always is None:
            raise AssertionError(
                f"the script is used up: request {len(self.requests)} (role {request.role}, prompt "
                f"{request.prompt[:80]!r}) has no answer; give ScriptedLLM one more, or always="
            )
        return self._always
