"""The ledger and the cache together, as work meets them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import pytest

from lamina.adapters.in_memory import InMemoryStore
from lamina.errors import ModelError, StaleEpoch
from lamina.model import Scope
from lamina.models.accounted import for_work
from lamina.models.budget import within_budget
from lamina.models.cache import request_digest
from lamina.models.replies import Question, ask
from lamina.models.roles import Roles
from lamina.ports import LLM, Accounts, Clock, Failure, Reply, Request
from lamina.settings import Budget
from lamina.testing.scripted import ScriptedLLM

ANN, BOB = Scope("", "user", "ann"), Scope("", "user", "bob")
PROSE = Request(role="answer", system="Be brief.", prompt="Who lives in Oslo?")
LIST = replace(PROSE, schema={"type": "array"})
DOWN = Failure(reason="server", detail="HTTP 500")

Work: TypeAlias = Callable[..., LLM]


@pytest.fixture
def work(accounts: Accounts, clock: Clock) -> Work:
    def work(llm: LLM, scope: Scope = ANN, operation: str = "op1", *, cache: bool = True) -> LLM:
        return for_work(
            llm, accounts=accounts, scope=scope, operation=operation, clock=clock, cache=cache
        )

    return work


def read(llm: LLM, request: Request) -> object:
    [answer] = ask(llm, [Question(request=request, parse=list[int])])
    return answer if isinstance(answer, Failure) else answer.value


def test_a_call_is_on_record_with_its_operation_tokens_and_cost(
    work: Work, accounts: Accounts
) -> None:
    reply = Reply(text="Ann.", model="m", input_tokens=20, output_tokens=3, cost_usd=0.25)

    assert work(ScriptedLLM(reply)).complete([PROSE]) == [reply]

    usage = accounts.usage(ANN, operation="op1")
    assert (usage.calls, usage.input_tokens, usage.output_tokens) == (1, 20, 3)
    assert usage.cost_usd == 0.25
    assert accounts.usage(ANN, operation="op2").calls == 0


def test_a_failure_is_on_record_too(work: Work, accounts: Accounts) -> None:
    assert work(ScriptedLLM(DOWN)).complete([PROSE]) == [DOWN]
    assert accounts.usage(ANN).failed == 1


class Broken:
    """A model of somebody's own that returns what it must not."""

    def __init__(self, returned: object) -> None:
        self.returned = returned

    def complete(self, requests: Sequence[Request]) -> list[Reply | Failure]:
        return self.returned  # type: ignore[return-value]


@pytest.mark.parametrize("returned", [None, [], [DOWN, DOWN], ["Ann."], "A"], ids=range(5))
@pytest.mark.parametrize("budget", [Budget(), Budget(calls=9)], ids=["free", "budget"])
def test_a_model_that_does_not_answer_each_request_is_told_so(
    work: Work, accounts: Accounts, returned: object, budget: Budget
) -> None:
    llm = within_budget(Roles(Broken(returned)), budget).get("answer")
    assert llm

    with pytest.raises(ModelError, match="one Reply or Failure for each request"):
        work(llm).complete([PROSE])

    assert accounts.usage(ANN).calls == 0


def test_what_the_budget_refused_was_no_call(work: Work, accounts: Accounts) -> None:
    work(ScriptedLLM(Failure(reason="budget", detail="used up"))).complete([PROSE])

    assert accounts.usage(ANN).calls == 0


def test_a_call_whose_price_is_unknown_is_counted_as_such(work: Work, accounts: Accounts) -> None:
    work(ScriptedLLM(Reply(text="Ann.", model="m"))).complete([PROSE])

    assert accounts.usage(ANN).unpriced == 1


def test_the_same_request_is_paid_once(work: Work, accounts: Accounts) -> None:
    work(ScriptedLLM("Ann.")).complete([PROSE])

    [again] = work(ScriptedLLM(), operation="op2").complete([PROSE])

    assert again == Reply(text="Ann.", model="scripted", cost_usd=0.0, cached=True)
    usage = accounts.usage(ANN, operation="op2")
    assert (usage.cached, usage.input_tokens, usage.cost_usd) == (1, 0, 0.0)


def test_only_what_is_not_kept_is_asked_for_and_the_order_stays(work: Work) -> None:
    asked = [replace(PROSE, prompt=name) for name in "abc"]
    work(ScriptedLLM("B")).complete([asked[1]])
    llm = ScriptedLLM("A", "C")

    answers = work(llm).complete(asked)

    assert [a.text for a in answers if isinstance(a, Reply)] == ["A", "B", "C"]
    assert llm.prompts == ["a", "c"]


def test_no_reply_crosses_scopes(work: Work) -> None:
    work(ScriptedLLM("Ann.")).complete([PROSE])
    llm = ScriptedLLM("Bob.")

    [answer] = work(llm, BOB).complete([PROSE])

    assert isinstance(answer, Reply)
    assert answer.text == "Bob."


@pytest.mark.parametrize(
    "change",
    [
        {"role": "judge"}, {"system": "Be long."}, {"prompt": "Who lives in Rome?"},
        {"schema": {"type": "object"}}, {"max_output_tokens": 9},
    ],
    ids=lambda change: next(iter(change)),
)  # fmt: skip
def test_another_request_has_another_digest(change: dict[str, object]) -> None:
    other = replace(PROSE, **change)  # type: ignore[arg-type]

    assert request_digest("m", other) != request_digest("m", PROSE)


def test_another_model_has_another_digest_and_the_order_of_a_schema_none() -> None:
    one = replace(PROSE, schema={"type": "object", "required": []})
    other = replace(PROSE, schema={"required": [], "type": "object"})

    assert request_digest("m", PROSE) != request_digest("n", PROSE)
    assert request_digest("m", one) == request_digest("m", other)


def test_a_reply_by_schema_is_kept_once_it_could_be_read(work: Work) -> None:
    assert read(work(ScriptedLLM("[1]")), LIST) == [1]
    assert read(work(ScriptedLLM()), LIST) == [1]


def test_a_malformed_reply_is_never_kept_so_that_redoing_the_work_asks_again(work: Work) -> None:
    assert isinstance(read(work(ScriptedLLM("no", "no")), LIST), Failure)
    assert read(work(ScriptedLLM("[2]")), LIST) == [2]


@pytest.mark.parametrize("bad", [DOWN, "", Reply(text="Ann li", model="m", truncated=True)])
def test_failures_and_replies_that_are_empty_or_cut_off_are_not_kept(
    work: Work, bad: Reply | Failure | str
) -> None:
    work(ScriptedLLM(bad)).complete([PROSE])
    llm = ScriptedLLM("Ann.")
    work(llm).complete([PROSE])

    assert llm.requests == [PROSE]


def test_a_reply_that_comes_after_its_scope_was_erased_is_not_kept(clock: Clock) -> None:
    store = InMemoryStore()
    work = for_work(
        ScriptedLLM("Ann."), accounts=store, scope=ANN, operation="op1", clock=clock,
        epoch=store.epoch(ANN),
    )  # fmt: skip
    store.forget(ANN, now=clock.now())

    with pytest.raises(StaleEpoch):
        work.complete([PROSE])

    assert store.replies(ANN, [request_digest("scripted", PROSE)]) == {}


def test_without_a_cache_every_request_is_asked(work: Work) -> None:
    llm = ScriptedLLM("Ann.", "Ann.")
    for _ in range(2):
        work(llm, cache=False).complete([PROSE])

    assert len(llm.requests) == 2
