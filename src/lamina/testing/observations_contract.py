"""The promises of `lamina.ports.Observations`, as tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from lamina.model import Message
from lamina.ports import Store
from lamina.testing.clock import NOON
from lamina.testing.factories import (
    STEPS,
    append,
    at,
    draft,
    gone,
    say,
    scope,
    undo,
    write,
    writing,
)
from lamina.testing.store_contract import StoreContract

ALICE = scope("alice")
HOSTILE = (
    "",
    "  \n\t ",
    "{braces} %s `ticks` 'single' \"double\" \\",
    "NEAR(a b) OR * col:x -- ; DROP TABLE message",
    "a\x00b",
    "lone \ud83d surrogate",
    "\u202eright to left\u202c",
    "👩‍👩‍👧‍👦 naïve 北京 ไทย",
    "long " * 30_000,
)


def texts(messages: list[Message]) -> list[str]:
    """Return what was said."""
    return [message.text for message in messages]


class ObservationsContract(StoreContract):
    """What `Observations` promises; see `StoreContract`."""

    def test_what_was_said_is_read_back_word_for_word(self, store: Store) -> None:
        zone = timezone(timedelta(hours=8))
        said_at = datetime(2023, 5, 8, 1, 30, 0, 123456, tzinfo=zone)
        given = draft(
            "  I moved.\n", session="s/9", role="tool", speaker="Ann", said_at=said_at,
            key="k", metadata={"a": [1, None, "ü"]}, infer=False,
        )  # fmt: skip

        [id_] = say(store, ALICE, given)

        assert store.messages(ALICE, [id_]) == [
            Message(
                id=id_,
                session="s/9",
                role="tool",
                speaker="Ann",
                text="  I moved.\n",
                said_at=said_at,
                recorded_at=NOON,
                position=1,
                key="k",
                metadata={"a": [1, None, "ü"]},
                progress="verbatim",
            )
        ]

    def test_the_offset_in_which_it_was_said_is_kept(self, store: Store) -> None:
        said_at = datetime(2023, 5, 8, 1, 30, tzinfo=timezone(timedelta(hours=-7, minutes=-30)))

        [id_] = say(store, ALICE, draft(said_at=said_at))

        [message] = store.messages(ALICE, [id_])
        assert message.said_at.isoformat() == "2023-05-08T01:30:00-07:30"

    @pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
    def test_any_text_is_stored_whole_wherever_it_stands(self, store: Store, text: str) -> None:
        owner = scope(text)
        given = draft(text, session=text, speaker=text, key=text, metadata={"raw": text})

        [id_] = say(store, owner, given)

        [message] = store.in_session(owner, text)
        assert (message.id, message.text, message.speaker) == (id_, text, text)
        assert (message.key, message.metadata) == (text, {"raw": text})
        assert [session.id for session in store.sessions(owner)] == [text]
        assert store.participants(owner) == [text]
        assert store.scopes() == [owner]

    def test_positions_follow_the_order_of_recording(self, store: Store) -> None:
        first = say(store, ALICE, "one", "two")
        second = say(store, ALICE, draft("zero", said_at=at(-5)))

        found = store.messages(ALICE, [*second, *first])

        assert [(m.text, m.position) for m in found] == [("zero", 3), ("one", 1), ("two", 2)]

    def test_messages_are_read_by_when_they_were_said(self, store: Store) -> None:
        say(store, ALICE, draft("late", said_at=at(9)), draft("early", said_at=at(1)))
        say(store, ALICE, draft("between", said_at=at(5)), draft("elsewhere", session="s2"))

        assert texts(store.in_session(ALICE, "s1")) == ["early", "between", "late"]
        assert texts(store.latest(ALICE, 2)) == ["between", "late"]
        assert texts(store.latest(ALICE, 2, session="s2")) == ["elsewhere"]
        assert store.in_session(ALICE, "s3") == []

    def test_what_was_said_at_once_keeps_the_order_of_recording(self, store: Store) -> None:
        say(store, ALICE, *(draft(text, said_at=NOON) for text in "bac"))

        assert texts(store.in_session(ALICE, "s1")) == ["b", "a", "c"]

    def test_ids_are_asked_for_in_any_order_and_unknown_ones_are_left_out(
        self, store: Store
    ) -> None:
        one, two = say(store, ALICE, "one", "two")

        forged = [
            "nope",
            "*",
            "",
            f"{two}%",
            f"{two}\x00",
            two.upper(),
            "\ud83d",
            "'; --",
            two[:-1],
        ]
        assert texts(store.messages(ALICE, [two, *forged, one])) == ["two", "one"]
        assert store.known(ALICE, [two, *forged]) == {two}
        assert store.known(scope("nobody"), [two]) == set()

    def test_messages_are_told_apart_by_how_far_they_have_come(self, store: Store) -> None:
        ids = say(store, ALICE, "a", "b", "c", draft("d", infer=False, said_at=at(4)))
        progress = {ids[0]: "bound", ids[1]: "unextracted"}
        store.apply(ALICE, writing(progress=progress), now=NOON)

        assert texts(store.in_session(ALICE, "s1", ("pending",))) == ["c"]
        assert texts(store.in_session(ALICE, "s1", ("unextracted", "pending"))) == ["b", "c"]
        assert texts(store.in_session(ALICE, "s1", ("bound", "verbatim"))) == ["a", "d"]

    def test_sessions_come_by_their_first_message(self, store: Store) -> None:
        say(store, ALICE, draft("later", said_at=at(60), session="late"))
        say(
            store,
            ALICE,
            draft("one", session="early"),
            draft("two", said_at=at(9), session="early"),
        )
        ids = say(store, ALICE, draft("kept", said_at=at(3), session="early", infer=False))

        early, late = store.sessions(ALICE)

        assert (early.id, late.id) == ("early", "late")
        assert (early.began_at, early.ended_at) == (NOON, at(9))
        assert (early.messages, early.pending, early.closed) == (3, 2, False)
        assert len(ids) == 1

    def test_closing_a_session_asks_for_its_work_once(self, store: Store) -> None:
        say(store, ALICE, "hello", steps=())

        store.close_session(ALICE, "s1", steps=STEPS, now=NOON)
        store.close_session(ALICE, "s1", steps=STEPS, now=at(1))

        assert [session.closed for session in store.sessions(ALICE)] == [True]
        assert [job.version for job in store.jobs(ALICE)] == [1, 1]

    def test_adding_to_a_closed_session_opens_it_again(self, store: Store) -> None:
        say(store, ALICE, "hello")
        store.close_session(ALICE, "s1", steps=STEPS, now=NOON)

        append(store, ALICE, [draft("hello", said_at=at(0))])
        assert [session.closed for session in store.sessions(ALICE)] == [True]

        append(store, ALICE, [draft("more")])
        assert [session.closed for session in store.sessions(ALICE)] == [False]

    def test_closing_an_unknown_session_does_nothing(self, store: Store) -> None:
        store.close_session(ALICE, "s1", steps=STEPS, now=NOON)

        assert store.jobs() == []
        assert store.sessions(ALICE) == []

    def test_speakers_are_listed_as_they_appeared(self, store: Store) -> None:
        for minute, speaker in enumerate(("Zoë", "Ann", "Zoë", "Bo")):
            append(store, ALICE, [draft(f"{minute}", speaker=speaker)])

        assert store.participants(ALICE) == ["Zoë", "Ann", "Bo"]

    def test_scopes_are_strictly_apart(self, store: Store) -> None:
        owners = [scope(id_) for id_ in ("a", "ab", "a%", "A", "*", "_", "a ", "á")]
        owners += [scope("a", "conversation"), scope("a", tenant="t"), scope("ta")]
        ids = {owner: say(store, owner, draft("same"), draft(f"of {owner}"))[1] for owner in owners}

        for owner in owners:
            others = [id_ for other, id_ in ids.items() if other != owner]
            assert texts(store.latest(owner, 9)) == ["same", f"of {owner}"]
            assert store.messages(owner, others) == []
            assert store.known(owner, others) == set()
        assert sorted(map(str, store.scopes())) == sorted(map(str, owners))

    @pytest.mark.parametrize("always", [True, False])
    def test_a_withdrawn_message_is_hidden_and_adding_it_again_does_not_bring_it_back(
        self, store: Store, always: bool
    ) -> None:
        one, two = say(store, ALICE, "one", "two")
        write(store, ALICE, id_="op1", gone=gone("message", one, always=always))

        again = append(store, ALICE, [draft("one")])

        assert [(a.id, a.new) for a in again] == [(one, False)]
        assert texts(store.latest(ALICE, 9)) == ["two"]
        assert texts(store.in_session(ALICE, "s1")) == ["two"]
        assert store.messages(ALICE, [one]) == []
        assert store.known(ALICE, [one, two]) == {one, two}
        assert [session.messages for session in store.sessions(ALICE)] == [1]

    def test_a_message_whose_withdrawal_is_undone_is_as_it_was(self, store: Store) -> None:
        ids = say(store, ALICE, "one", "two")
        before = store.messages(ALICE, ids)

        write(store, ALICE, id_="op1", gone=gone("message", *ids, always=False))
        assert store.sessions(ALICE) == []
        undo(store, ALICE, "op1", by="op2")

        assert store.messages(ALICE, ids) == before

    def test_a_clock_that_jumps_back_loses_nothing_and_confuses_no_order(
        self, store: Store
    ) -> None:
        append(store, ALICE, [draft("one", said_at=at(9))], now=at(9))

        append(store, ALICE, [draft("two", said_at=at(10))], now=at(-60))

        found = store.latest(ALICE, 9)
        assert [(m.text, m.position) for m in found] == [("one", 1), ("two", 2)]
        assert [m.recorded_at for m in found] == [at(9), at(-60)]

    def test_ancient_and_far_times_are_kept(self, store: Store) -> None:
        ancient, far = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)
        say(store, ALICE, draft("far", said_at=far), draft("ancient", said_at=ancient))

        assert [m.said_at for m in store.latest(ALICE, 9)] == [ancient, far]
