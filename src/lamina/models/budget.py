"""A budget for model calls: what a call may take at most is set aside before it is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

from lamina.errors import UnknownPrice
from lamina.model import Value
from lamina.models.roles import Closable, Priced, Roles, answered, name_of
from lamina.models.tokens import rough_input_tokens
from lamina.ports import LLM, Failure, Reply, Request
from lamina.settings import Budget

INPUT_MARGIN = 1.5
"""The rough count of input tokens is set aside so many times, since tokenizers differ."""


@dataclass(frozen=True, slots=True)
class Spending(Value):
    """What calls took, or may take."""

    calls: int = 0
    tokens: int = 0
    """Input and output together."""
    usd: float = 0.0


class Purse:
    """What is left of a budget, for any number of models and threads."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._lock = Lock()
        self._taken = Spending()

    @property
    def taken(self) -> Spending:
        """What was spent, and what is set aside at the moment."""
        return self._taken

    def set_aside(self, most: Spending) -> str | None:
        """Set aside what a call may take. Returns what is used up, `None` if it fits."""
        with self._lock:
            after = _sum(self._taken, most)
            for limit, taken, words in (
                (self.budget.calls, after.calls, "call(s)"),
                (self.budget.tokens, after.tokens, "tokens"),
                (self.budget.usd, after.usd, "USD"),
            ):
                if limit is not None and taken > limit:
                    return f"the budget of {limit:g} {words} leaves too little for this call"
            self._taken = after
            return None

    def settle(self, most: Spending, real: Spending) -> None:
        """Replace what was set aside by what was spent."""
        with self._lock:
            self._taken = _sum(self._taken, real, less=most)


class Budgeted:
    """A model that is asked only for what the budget still allows."""

    def __init__(self, llm: LLM, purse: Purse) -> None:
        """Wrap a model.

        Raises:
            UnknownPrice: The budget has a limit in USD and the model's price is unknown.
        """
        self._llm = llm
        self._purse = purse
        self.model = name_of(llm)
        if purse.budget.usd is not None and self.cost_usd(1000, 1000) is None:
            raise UnknownPrice(
                f"a budget in USD is set, but the price of {self.model} is not known; set "
                "LAMINA_PRICE to INPUT,OUTPUT in USD per million tokens, or limit calls or tokens"
            )

    def cost_usd(self, input_tokens: int, output_tokens: int) -> float | None:
        """Return what so many tokens cost in USD; `None` where the price is unknown."""
        if not isinstance(self._llm, Priced):
            return None
        return self._llm.cost_usd(input_tokens, output_tokens)

    def close(self) -> None:
        """Close the model within."""
        if isinstance(self._llm, Closable):
            self._llm.close()

    def complete(self, requests: Sequence[Request]) -> list[Reply | Failure]:
        """See `LLM.complete`. A request that the budget does not allow is a `Failure`."""
        answers: list[Reply | Failure | None] = [None] * len(requests)
        allowed: dict[int, Spending] = {}
        for i, request in enumerate(requests):
            most = self._most(request)
            used_up = self._purse.set_aside(most)
            if used_up is None:
                allowed[i] = most
            else:
                answers[i] = Failure(reason="budget", detail=used_up)
        for i, answer in zip(allowed, self._ask(requests, allowed), strict=True):
            answers[i] = answer
        return [answer for answer in answers if answer is not None]

    def _ask(
        self, requests: Sequence[Request], allowed: dict[int, Spending]
    ) -> list[Reply | Failure]:
        if not allowed:
            return []
        try:
            answers = answered(self._llm, [requests[i] for i in allowed])
        except BaseException:
            for most in allowed.values():
                self._purse.settle(most, Spending())
            raise
        for most, answer in zip(allowed.values(), answers, strict=True):
            self._purse.settle(most, self._real(answer, most))
        return answers

    def _most(self, request: Request) -> Spending:
        given = round(rough_input_tokens(request) * INPUT_MARGIN)
        usd = self.cost_usd(given, request.max_output_tokens) or 0.0
        return Spending(1, given + request.max_output_tokens, usd)

    def _real(self, answer: Reply | Failure, most: Spending) -> Spending:
        if isinstance(answer, Failure):
            # A call that took too long may have been billed all the same.
            return most if answer.reason == "timeout" else Spending(calls=1)
        tokens = answer.input_tokens + answer.output_tokens
        if not tokens:
            return most
        usd = answer.cost_usd
        if usd is None:
            usd = self.cost_usd(answer.input_tokens, answer.output_tokens) or 0.0
        return Spending(1, tokens, usd)


def within_budget(roles: Roles, budget: Budget) -> Roles:
    """Return the same models, all paid from one purse.

    Raises:
        UnknownPrice: The budget has a limit in USD and some model's price is unknown.
    """
    if budget == Budget():
        return roles
    purse = Purse(budget)
    return roles.wrapped(lambda llm: Budgeted(llm, purse))


def _sum(one: Spending, other: Spending, *, less: Spending | None = None) -> Spending:
    less = less or Spending()
    return Spending(
        calls=one.calls + other.calls - less.calls,
        tokens=one.tokens + other.tokens - less.tokens,
        usd=one.usd + other.usd - less.usd,
    )
