"""The ledger: every model call is put on record with its operation, tokens, cost and outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from lamina.model import Scope
from lamina.models.roles import answered, name_of
from lamina.ports import LLM, Accounts, Call, Clock, Failure, Reply, Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """Where one operation's calls are recorded."""

    accounts: Accounts
    scope: Scope
    operation: str
    clock: Clock

    def record(
        self,
        model: str,
        answered: Sequence[tuple[Request, Reply | Failure]],
        *,
        seconds: float = 0.0,
    ) -> None:
        """Put calls on record. A request that the budget refused was no call.

        Args:
            model: Who was asked; a failure does not tell.
            answered: Requests that were asked together.
            seconds: What they took together; each is charged an equal share.
        """
        calls = [
            self._call(model, request, answer, seconds / len(answered))
            for request, answer in answered
            if not (isinstance(answer, Failure) and answer.reason == "budget")
        ]
        if calls:
            self.accounts.record(self.scope, calls)

    def _call(self, model: str, request: Request, answer: Reply | Failure, seconds: float) -> Call:
        reply = answer if isinstance(answer, Reply) else _unanswered(answer, model)
        return Call(
            operation=self.operation,
            role=request.role,
            model=model,
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            cost_usd=reply.cost_usd,
            seconds=seconds,
            outcome=_outcome(answer),
            recorded_at=self.clock.now(),
        )


def _outcome(answer: Reply | Failure) -> str:
    if isinstance(answer, Failure):
        return answer.reason
    return "cached" if answer.cached else "ok"


def _unanswered(failure: Failure, model: str) -> Reply:
    """Return what a failure took. Only one that ran out of time may have been billed."""
    return Reply(text="", model=model, cost_usd=None if failure.reason == "timeout" else 0.0)


class Recorded:
    """A model whose calls are put on record."""

    def __init__(self, llm: LLM, ledger: Ledger) -> None:
        self._llm = llm
        self._ledger = ledger
        self.model = name_of(llm)

    def complete(self, requests: Sequence[Request]) -> list[Reply | Failure]:
        """See `LLM.complete`."""
        began = perf_counter()
        answers = answered(self._llm, requests)
        self._ledger.record(
            self.model,
            list(zip(requests, answers, strict=True)),
            seconds=perf_counter() - began,
        )
        return answers
