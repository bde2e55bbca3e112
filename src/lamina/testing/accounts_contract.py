"""The promises of `lamina.ports.Accounts`, as tests."""

from __future__ import annotations

from typing import Any

import pytest

from lamina.errors import StaleEpoch
from lamina.ports import Call, Reply, Store, Usage
from lamina.testing.clock import NOON
from lamina.testing.factories import say, scope
from lamina.testing.store_contract import StoreContract

ALICE, BO = scope("alice"), scope("bo")


def call(**given: Any) -> Call:
    """Return a model call."""
    defaults: dict[str, Any] = {
        "operation": "op1",
        "role": "memory",
        "model": "m",
        "input_tokens": 100,
        "output_tokens": 10,
        "cost_usd": 0.5,
        "seconds": 1.5,
        "outcome": "ok",
        "recorded_at": NOON,
    }
    return Call(**defaults | given)


class AccountsContract(StoreContract):
    """What `Accounts` promises; see `StoreContract`."""

    def test_calls_are_summed_by_scope_and_operation(self, store: Store) -> None:
        free = {"input_tokens": 0, "output_tokens": 0, "cost_usd": 0.0}
        store.record(ALICE, [call(), call(operation="op2", outcome="cached", **free)])
        store.record(ALICE, [call(operation="op2", outcome="timeout", cost_usd=None)])
        store.record(BO, [call(cost_usd=0.25)])

        assert store.usage(ALICE) == Usage(
            calls=2, cached=1, failed=1, input_tokens=200, output_tokens=20, cost_usd=0.5,
            unpriced=1,
        )  # fmt: skip
        assert store.usage(ALICE, operation="op1").calls == 1
        assert store.usage().calls == 3
        assert store.usage().cost_usd == 0.75
        assert store.usage(operation="op2").cached == 1

    def test_where_nothing_was_called_nothing_was_used(self, store: Store) -> None:
        assert store.usage() == Usage()
        assert store.usage(ALICE, operation="op1") == Usage()

    def test_a_ledger_entry_makes_no_memory(self, store: Store) -> None:
        store.record(ALICE, [call()])

        assert store.scopes() == []
        assert store.latest(ALICE, 9) == []

    def test_replies_are_kept_by_the_digest_of_their_request(self, store: Store) -> None:
        say(store, ALICE, "hello")
        one = Reply(text="a\x00\ud83d", model="m", input_tokens=3, output_tokens=4, cost_usd=0.1,
                    truncated=True)  # fmt: skip
        two = Reply(text="", model="n")

        store.keep_replies(ALICE, {"d1": one, "d2": two}, now=NOON)

        assert store.replies(ALICE, ["d2", "nope", "d1"]) == {"d1": one, "d2": two}
        assert store.replies(BO, ["d1"]) == {}

    def test_the_last_reply_to_a_request_counts(self, store: Store) -> None:
        say(store, ALICE, "hello")
        for text in ("one", "two"):
            store.keep_replies(ALICE, {"d": Reply(text=text, model="m")}, now=NOON)

        assert store.replies(ALICE, ["d"])["d"].text == "two"

    def test_no_reply_in_flight_survives_an_erasure(self, store: Store) -> None:
        say(store, ALICE, "hello")
        before = store.epoch(ALICE)
        reply = {"d": Reply(text="Alice lives in Oslo", model="m")}
        store.forget(ALICE, now=NOON)

        with pytest.raises(StaleEpoch):
            store.keep_replies(ALICE, reply, now=NOON, epoch=before)
        store.keep_replies(ALICE, reply, now=NOON)
        say(store, ALICE, "I am back")
        with pytest.raises(StaleEpoch):
            store.keep_replies(ALICE, reply, now=NOON, epoch=before)

        assert store.replies(ALICE, ["d"]) == {}

    def test_what_an_erased_scope_cost_is_still_counted(self, store: Store) -> None:
        store.record(ALICE, [call(operation="secret"), call(operation="secret")])
        store.record(BO, [call()])

        store.forget(ALICE, now=NOON)
        store.forget(BO, now=NOON)

        assert store.usage(ALICE) == Usage()
        assert store.usage().calls == 3
        assert store.usage(operation="secret") == Usage()

    def test_a_call_in_flight_is_counted_but_does_not_bring_an_erased_scope_back(
        self, store: Store
    ) -> None:
        say(store, ALICE, "hello")
        store.forget(ALICE, now=NOON)

        store.record(ALICE, [call(operation="secret")])

        assert store.usage().calls == 1
        assert store.usage(ALICE) == Usage()
        assert store.usage(operation="secret") == Usage()
