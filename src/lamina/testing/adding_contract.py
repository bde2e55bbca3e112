"""The promises of `lamina.ports.Observations` about adding, as tests."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from lamina.errors import StaleEpoch
from lamina.ports import Store
from lamina.testing.clock import NOON
from lamina.testing.factories import STEPS, append, at, draft, operation, say, scope, turn
from lamina.testing.observations_contract import texts
from lamina.testing.store_contract import StoreContract

ALICE = scope("alice")


class AddingContract(StoreContract):
    """What `Observations.append` promises; see `StoreContract`."""

    def test_adding_again_changes_nothing(self, store: Store) -> None:
        first = append(store, ALICE, [draft()])
        again = append(store, ALICE, [draft()])

        assert [(a.id, a.new) for a in again] == [(first[0].id, False)]
        assert [job.version for job in store.jobs(ALICE)] == [1, 1]
        assert store.counts(ALICE)["messages"] == 1

    def test_a_key_names_a_message_whatever_it_says(self, store: Store) -> None:
        first = append(store, ALICE, [draft("one", key="k")])
        again = append(store, ALICE, [draft("another", key="k", session="s2")])

        assert (again[0].id, again[0].new) == (first[0].id, False)
        assert texts(store.latest(ALICE, 9)) == ["one"]

    def test_a_key_given_twice_in_one_call_is_one_message(self, store: Store) -> None:
        added = append(store, ALICE, [draft("one", key="k"), draft("two", key="k")])

        assert [a.new for a in added] == [True, False]
        assert texts(store.latest(ALICE, 9)) == ["one"]

    def test_the_same_words_of_two_authors_are_two_messages(self, store: Store) -> None:
        append(store, ALICE, [draft("yes", author="user:ann")])
        append(store, ALICE, [draft("yes", author="user:bo")])
        append(store, ALICE, [draft("yes", author="user:ann")])

        assert [m.author for m in store.latest(ALICE, 9)] == ["user:ann", "user:bo"]

    def test_the_same_said_twice_in_one_call_is_two_messages(self, store: Store) -> None:
        append(store, ALICE, [draft("yes"), draft("yes")])
        append(store, ALICE, [draft("yes"), draft("yes")])

        assert texts(store.latest(ALICE, 9)) == ["yes", "yes"]

    def test_near_duplicates_stay_apart(self, store: Store) -> None:
        for number in range(20):
            append(store, ALICE, [draft(f"I paid {number} euros to Bo")])

        assert store.counts(ALICE)["messages"] == 20

    def test_an_untimed_call_repeated_is_a_retry(self, store: Store) -> None:
        call = [draft("a", timed=False), draft("b", timed=False)]
        later = [draft("a", timed=False, said_at=at(3)), draft("b", timed=False, said_at=at(3))]

        first = append(store, ALICE, call)
        retry = append(store, ALICE, later)

        assert [(a.id, a.new) for a in retry] == [(a.id, False) for a in first]
        assert texts(store.latest(ALICE, 9)) == ["a", "b"]

    def test_an_untimed_call_after_another_is_no_retry(self, store: Store) -> None:
        for minute, text in enumerate(("yes", "no", "yes")):
            append(store, ALICE, [draft(text, timed=False, said_at=at(minute))])

        assert texts(store.latest(ALICE, 9)) == ["yes", "no", "yes"]

    def test_a_retry_is_found_in_its_own_session(self, store: Store) -> None:
        append(store, ALICE, [draft("hi", timed=False)])
        append(store, ALICE, [draft("hello", timed=False, session="s2", said_at=at(1))])

        again = append(store, ALICE, [draft("hi", timed=False, said_at=at(2))])

        assert [a.new for a in again] == [False]

    def test_eight_threads_that_add_the_same_add_one(self, store: Store) -> None:
        def add(minute: int) -> bool:
            given = draft("once", timed=False, said_at=at(minute))
            return append(store, ALICE, [given])[0].new

        with ThreadPoolExecutor(8) as pool:
            new = list(pool.map(add, range(8)))

        assert sum(new) == 1
        assert texts(store.latest(ALICE, 9)) == ["once"]

    def test_every_thread_reads_what_it_wrote(self, store: Store) -> None:
        def add(number: int) -> bool:
            [id_] = say(store, ALICE, draft(f"number {number}"))
            with store.snapshot(ALICE) as snapshot:
                return bool(store.messages(ALICE, [id_])) and id_ in snapshot.documents.refs

        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(add, range(40)))

        assert [m.position for m in store.in_session(ALICE, "s1")] == list(range(1, 41))
        assert store.check() == []

    def test_messages_name_their_author_and_the_operation_that_added_them(
        self, store: Store
    ) -> None:
        made = operation("add1", "add", cause="a \ud83d file", known_at=at(3), recorded_at=at(4))
        given = [draft("one", author="user:alice"), draft("two", author="agent:\ud83d\x00")]
        one, two = (a.id for a in append(store, ALICE, given, operation=made))
        [three] = say(store, ALICE, draft("three"))

        found = store.messages(ALICE, [one, two, three])
        assert [(m.author, m.operation) for m in found] == [
            ("user:alice", "add1"),
            ("agent:\ud83d\x00", "add1"),
            (None, None),
        ]
        assert store.added_by(ALICE, "add1") == [one, two]
        assert store.added_by(ALICE, "nope") == store.added_by(scope("bo"), "add1") == []
        assert store.operations(ALICE, ["add1"]) == [replace(made, number=1)]

    def test_a_call_that_adds_nothing_new_leaves_no_operation(self, store: Store) -> None:
        append(store, ALICE, [draft("one")], operation=operation("add1", "add"))

        append(store, ALICE, [draft("one")], operation=operation("add2", "add"))
        append(store, ALICE, [], operation=operation("add3", "add"))

        assert [each.id for each in store.list_operations(ALICE)] == ["add1"]
        assert [m.operation for m in store.latest(ALICE, 9)] == ["add1"]

    def test_an_operation_that_adds_in_several_calls_is_recorded_once(self, store: Store) -> None:
        made = operation("import1", "import")
        append(store, ALICE, [draft("one")], operation=made)
        append(store, ALICE, [draft("one"), draft("two")], operation=made)

        assert [each.number for each in store.list_operations(ALICE)] == [1]
        ids = store.added_by(ALICE, "import1")
        assert texts(store.messages(ALICE, ids)) == ["one", "two"]

    def test_a_call_that_began_before_an_erasure_writes_nothing(self, store: Store) -> None:
        before = store.epoch(ALICE)
        store.forget(ALICE, now=NOON)

        with pytest.raises(StaleEpoch):
            append(store, ALICE, [draft()], epoch=before)

        assert store.latest(ALICE, 9) == []
        assert append(store, ALICE, [draft()], epoch=store.epoch(ALICE))[0].new

    def test_an_empty_call_writes_nothing(self, store: Store) -> None:
        assert store.append(ALICE, [], [], steps=STEPS, now=NOON) == []
        assert store.jobs() == []
        assert store.scopes() == []

    def test_nothing_of_a_call_is_kept_when_part_of_it_cannot_be(self, store: Store) -> None:
        wrong = turn("two")
        object.__setattr__(wrong, "vector", wrong.vector[:3])

        with pytest.raises(ValueError, match="shape"):
            store.append(
                ALICE,
                [draft("one"), draft("two")],
                [turn("one"), wrong],
                steps=STEPS,
                now=NOON,
            )

        assert store.latest(ALICE, 9) == []
        assert store.jobs() == []
        assert store.operations(ALICE, [operation().id]) == []
