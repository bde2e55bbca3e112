from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from lamina.errors import UnknownPrice
from lamina.models.budget import Budgeted, Purse, Spending, within_budget
from lamina.models.roles import Roles
from lamina.ports import Failure, Reply, Request
from lamina.settings import Budget
from lamina.testing.scripted import ScriptedLLM

ASK = Request(role="memory", system="", prompt="Who?", max_output_tokens=100)
REPLY = Reply(text="Ann.", model="m", input_tokens=20, output_tokens=30, cost_usd=0.5)


class Priced(ScriptedLLM):
    """Costs 0.01 USD a token."""

    def cost_usd(self, input_tokens: int, output_tokens: int) -> float:
        return (input_tokens + output_tokens) * 0.01


class Unpriced(ScriptedLLM):
    """Nobody knows what it costs."""

    def cost_usd(self, input_tokens: int, output_tokens: int) -> None:  # type: ignore[override]
        return None


def reasons(answers: list[Reply | Failure]) -> list[str]:
    return [a.reason if isinstance(a, Failure) else "ok" for a in answers]


def test_calls_are_counted_and_the_rest_is_refused() -> None:
    llm = ScriptedLLM(always="Ann.")
    budgeted = Budgeted(llm, Purse(Budget(calls=2)))

    assert reasons(budgeted.complete([ASK] * 3)) == ["ok", "ok", "budget"]
    assert reasons(budgeted.complete([ASK])) == ["budget"]
    assert len(llm.requests) == 2


def test_a_refusal_names_the_limit() -> None:
    [answer] = Budgeted(ScriptedLLM(), Purse(Budget(tokens=50))).complete([ASK])

    assert isinstance(answer, Failure)
    assert "50 tokens" in answer.detail


def test_the_most_that_a_call_may_take_must_fit_before_it_is_made() -> None:
    purse = Purse(Budget(tokens=113))
    llm = ScriptedLLM(REPLY)

    assert reasons(Budgeted(llm, purse).complete([ASK])) == ["budget"]

    smaller = replace(ASK, max_output_tokens=99)
    assert reasons(Budgeted(llm, purse).complete([smaller])) == ["ok"]


def test_what_was_not_taken_is_given_back() -> None:
    purse = Purse(Budget(tokens=1000))

    Budgeted(ScriptedLLM(REPLY), purse).complete([ASK])

    assert purse.taken == Spending(calls=1, tokens=50, usd=0.5)


def test_money_is_set_aside_by_price_and_settled_by_cost() -> None:
    purse = Purse(Budget(usd=1.7))
    budgeted = Budgeted(Priced(REPLY, REPLY), purse)

    assert reasons(budgeted.complete([ASK])) == ["ok"]
    assert purse.taken.usd == pytest.approx(0.5)
    assert reasons(budgeted.complete([ASK])) == ["ok"]
    assert reasons(budgeted.complete([ASK])) == ["budget"]


def test_an_unknown_price_is_refused_if_money_is_limited() -> None:
    with pytest.raises(UnknownPrice, match="LAMINA_PRICE"):
        Budgeted(Unpriced(), Purse(Budget(usd=5.0)))


def test_an_unknown_price_does_no_harm_if_only_tokens_are_limited() -> None:
    budgeted = Budgeted(Unpriced("Ann."), Purse(Budget(tokens=500)))

    assert reasons(budgeted.complete([ASK])) == ["ok"]


def test_a_failed_call_gives_back_all_but_the_call() -> None:
    purse = Purse(Budget(tokens=500))

    Budgeted(ScriptedLLM(Failure(reason="server", detail="HTTP 500")), purse).complete([ASK])

    assert purse.taken == Spending(calls=1)


@pytest.mark.parametrize(
    "unclear", [Failure(reason="timeout", detail="60 s"), Reply(text="Ann.", model="m")]
)
def test_a_call_that_may_have_been_billed_counts_in_full(unclear: Reply | Failure) -> None:
    purse = Purse(Budget(tokens=500))

    Budgeted(ScriptedLLM(unclear), purse).complete([ASK])

    assert purse.taken == Spending(calls=1, tokens=114)


def test_an_error_gives_everything_back() -> None:
    purse = Purse(Budget(calls=5))

    with pytest.raises(AssertionError):
        Budgeted(ScriptedLLM(), purse).complete([ASK])

    assert purse.taken == Spending()


def test_many_threads_together_keep_to_the_budget() -> None:
    llm = ScriptedLLM(always="Ann.")
    budgeted = Budgeted(llm, Purse(Budget(calls=10)))

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: budgeted.complete([ASK])[0], range(40)))

    assert reasons(answers).count("ok") == len(llm.requests) == 10


def test_the_models_of_all_roles_pay_from_one_purse() -> None:
    roles = within_budget(
        Roles(ScriptedLLM(always="a"), {"judge": ScriptedLLM(always="b")}), Budget(calls=1)
    )
    memory, judge = roles.get("memory"), roles.get("judge")
    assert memory is not None
    assert judge is not None

    assert reasons([*memory.complete([ASK]), *judge.complete([ASK])]) == ["ok", "budget"]


def test_without_limits_the_models_stay_as_they_are() -> None:
    roles = Roles(ScriptedLLM())

    assert within_budget(roles, Budget()) is roles
