"""The promises of `lamina.ports.Notes`, as tests."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta, timezone

import pytest

from lamina.errors import Conflict, LeaseLost, NotFound
from lamina.model import Note, Step
from lamina.ports import Lease, Store
from lamina.testing.clock import NOON
from lamina.testing.factories import (
    STEPS,
    append,
    at,
    document,
    draft,
    gone,
    link,
    note,
    operation,
    say,
    scope,
    writing,
)
from lamina.testing.store_contract import StoreContract

ALICE, BO = scope("alice"), scope("bo")


def texts(notes: list[Note]) -> list[str]:
    """Return what notes say."""
    return [each.text for each in notes]


class NotesContract(StoreContract):
    """What `Notes` promises; see `StoreContract`."""

    @pytest.fixture
    def said(self, store: Store) -> list[str]:
        """Three messages of alice."""
        return say(store, ALICE, "I moved to Oslo.", "Bo helped.", "It snowed.")

    @pytest.fixture
    def lease(self, store: Store, said: list[str]) -> Lease:
        """A minute's lease of alice."""
        lease = store.lease("me", 60, now=NOON, scope=ALICE)
        assert lease
        return lease

    def test_a_note_is_read_back_as_it_was_written(self, store: Store, said: list[str]) -> None:
        parent = note("p", "An older one.", event=said[0])
        given = note(
            "n", "Alice\x00 lives in \ud83d Oslo.", kind="relation", event=said[1],
            sources=(said[0], said[1]), parents=("p",), role="tool", about="Alice", said_by="Bo",
            certainty="hearsay", supported=False, indexed=False, began_at=at(-5), said_at=at(1),
            valid_at=at(1000), invalid_at=at(2000), superseded_by="p", by_person=True,
        )  # fmt: skip
        written = writing(parent, given, operation=operation(known_at=at(3), recorded_at=at(4)))

        store.apply(ALICE, written, now=NOON)

        assert store.notes(ALICE, ["n", "p"]) == [*reversed(written.notes)]

    def test_a_note_tells_its_times_in_the_speakers_offset(
        self, store: Store, said: list[str]
    ) -> None:
        shanghai = timezone(timedelta(hours=8))
        local = at(1).astimezone(shanghai)
        store.apply(ALICE, writing(note("n", event=said[0], said_at=local)), now=NOON)

        [found] = store.notes(ALICE, ["n"])
        assert found.said_at.isoformat() == local.isoformat()

    def test_sources_are_told_oldest_first(self, store: Store, said: list[str]) -> None:
        store.apply(ALICE, writing(note("n", sources=tuple(reversed(said)))), now=NOON)

        assert store.notes(ALICE, ["n"])[0].sources == tuple(said)

    def test_unknown_notes_are_left_out(self, store: Store, said: list[str]) -> None:
        store.apply(ALICE, writing(note("n", event=said[0])), now=NOON)

        forged = ["", "*", "n%", "N", "n\x00", "\ud83d", "'"]
        assert texts(store.notes(ALICE, [*forged, "n"])) == ["Alice lives in Oslo."]
        assert [store.history(ALICE, id_) for id_ in forged] == [[]] * len(forged)
        assert store.notes(BO, ["n"]) == []
        assert store.history(BO, "n") == []

    def test_the_notes_of_an_event_come_facts_first(self, store: Store, said: list[str]) -> None:
        store.apply(
            ALICE,
            writing(
                note("r", "how", kind="relation", event=said[0]),
                note("b", "second", event=said[0]),
                note("a", "third", event=said[0]),
                note("o", "other", event=said[1]),
                note("s", "none", kind="summary", sources=(said[0],)),
            ),
            now=NOON,
        )

        found = store.of_messages(ALICE, [said[1], said[0], said[2], "nope"])

        assert {id_: texts(notes) for id_, notes in found.items()} == {
            said[1]: ["other"],
            said[0]: ["second", "third", "how"],
        }

    def test_what_was_worked_out_on_an_older_state_conflicts(
        self, store: Store, said: list[str]
    ) -> None:
        store.apply(ALICE, writing(note("n", event=said[0])), now=NOON)
        [last] = store.list_operations(ALICE, limit=1)
        store.apply(ALICE, writing(note("m", event=said[1]), id_="op2"), now=NOON)

        late = writing(note("o", event=said[2]), id_="op3", after=last.number)
        with pytest.raises(Conflict):
            store.apply(ALICE, late, now=NOON)
        assert store.notes(ALICE, ["o"]) == []

    def test_what_was_only_added_meanwhile_is_no_conflict(
        self, store: Store, said: list[str]
    ) -> None:
        store.apply(ALICE, writing(note("n", event=said[0])), now=NOON)
        [last] = store.list_operations(ALICE, limit=1)
        append(store, ALICE, ["It thawed."], operation=operation("more", kind="add"))

        late = writing(note("o", event=said[2]), id_="op3", after=last.number)
        store.apply(ALICE, late, now=NOON)
        assert store.notes(ALICE, ["o"])

    def test_notes_can_be_asked_for_by_what_they_rest_on(
        self, store: Store, said: list[str]
    ) -> None:
        whole = note("s", "both", kind="summary", sources=(said[0], said[1]))
        own = note("f", "one", event=said[0])
        store.apply(ALICE, writing(whole, own, note("o", "other", event=said[2])), now=NOON)

        assert texts(store.resting_on(ALICE, [said[0]])) == ["both", "one"]
        assert texts(store.resting_on(ALICE, [said[1], "no such"])) == ["both"]
        assert store.resting_on(BO, [said[0]]) == []

    def test_notes_are_listed_latest_said_first(self, store: Store, said: list[str]) -> None:
        store.apply(
            ALICE,
            writing(
                note("b", "b", event=said[0], said_at=at(1)),
                note("a", "a", event=said[0], said_at=at(1)),
                note("c", "c", event=said[0], said_at=at(2), kind="relation"),
                note("d", "d", event=said[0], said_at=at(-1)),
            ),
            now=NOON,
        )

        assert texts(store.list_notes(ALICE)) == ["c", "a", "b", "d"]
        assert texts(store.list_notes(ALICE, kind="fact")) == ["a", "b", "d"]
        assert texts(store.list_notes(ALICE, limit=2, offset=1)) == ["a", "b"]
        assert store.list_notes(BO) == []

    def test_links_are_found_from_both_ends(self, store: Store, said: list[str]) -> None:
        notes = [note(id_, id_, event=said[0]) for id_ in "abc"]
        links = (link("b", "a", "because"), link("c", "b", "then"), link("b", "b", "self"))
        store.apply(ALICE, writing(*notes, links=links), now=NOON)

        assert set(store.links(ALICE, ["a"])) == {links[0]}
        assert set(store.links(ALICE, ["b"])) == set(links)
        assert len(store.links(ALICE, ["a", "b", "c"])) == 3
        assert store.links(BO, ["a"]) == []

    @pytest.mark.parametrize(
        "lacking",
        [
            "event",
            "source",
            "parent",
            "superseding",
            "link",
            "progress",
            "consolidated",
            "document",
            "gone message",
            "gone note",
            "gone revision",
            "undone",
            "reopened",
        ],
    )
    def test_what_names_something_that_is_not_here_is_refused_whole(
        self, store: Store, said: list[str], lacking: str
    ) -> None:
        [of_bo] = say(store, BO, "mine")
        good = note("good", event=said[0])
        given = {
            "event": writing(good, note("n", event=of_bo, sources=())),
            "source": writing(good, note("n", sources=(said[0], of_bo))),
            "parent": writing(good, note("n", event=said[0], parents=("nope",))),
            "superseding": writing(good, note("n", event=said[0], superseded_by="nope")),
            "link": writing(good, links=(link("good", "nope", "x"),)),
            "progress": writing(good, progress={of_bo: "bound"}),
            "consolidated": writing(good, consolidated=(of_bo,)),
            "document": writing(good, documents=(document("turn", of_bo, "x"),)),
            "gone message": writing(good, gone=gone("message", said[0], of_bo)),
            "gone note": writing(good, gone=gone("note", "nope")),
            "gone revision": writing(good, gone=gone("revision", "good", revision=9)),
            "undone": writing(good, gone=gone("operation", "nope")),
            "reopened": writing(good, gone=gone("consolidation", of_bo)),
        }[lacking]

        with pytest.raises(NotFound):
            store.apply(
                ALICE, replace(given, steps=(Step(kind="consolidate", subject="s1"),)), now=NOON
            )

        assert store.list_notes(ALICE) == []
        assert store.operations(ALICE, ["op1"]) == []
        assert len(store.messages(ALICE, said)) == 3
        assert [job.step for job in store.jobs(ALICE)] == list(STEPS)

    def test_a_note_may_rest_on_one_of_the_same_writing(
        self, store: Store, said: list[str]
    ) -> None:
        child = note("child", event=said[0], parents=("later",))

        store.apply(ALICE, writing(child, note("later", event=said[0])), now=NOON)

        assert store.notes(ALICE, ["child"])[0].parents == ("later",)

    def test_the_buffer_holds_what_is_formed_but_not_consolidated(
        self, store: Store, said: list[str]
    ) -> None:
        [elsewhere] = say(store, ALICE, draft("else", session="s2", said_at=at(-9)))
        progress = {said[0]: "bound", said[1]: "unextracted", elsewhere: "bound"}
        store.apply(ALICE, writing(progress=progress), now=NOON)
        assert [m.id for m in store.buffer(ALICE)] == [elsewhere, said[0], said[1]]
        assert [m.id for m in store.buffer(ALICE, "s1")] == [said[0], said[1]]
        assert store.counts(ALICE)["unconsolidated"] == 3

        store.apply(ALICE, writing(consolidated=(said[0], elsewhere), id_="op2"), now=NOON)

        assert [m.id for m in store.buffer(ALICE)] == [said[1]]
        assert [m.consolidated for m in store.messages(ALICE, said)] == [True, False, False]
        assert store.buffer(BO) == []

    def test_operations_are_on_record(self, store: Store, said: list[str]) -> None:
        made = operation(
            "op7", "consolidate", strategy="structmem", model="m", prompt_digest="d",
            cause="session s1", known_at=at(2), recorded_at=at(3),
        )  # fmt: skip
        store.apply(ALICE, writing(operation=made), now=NOON)

        assert store.operations(ALICE, ["nope", "op7"]) == [replace(made, number=1)]
        assert store.operations(BO, ["op7"]) == []

    def test_the_log_is_read_latest_first(self, store: Store, said: list[str]) -> None:
        for number, kind in enumerate(("bind", "consolidate", "bind", "update")):
            store.apply(ALICE, writing(operation=operation(f"op{number}", kind)), now=NOON)

        log = store.list_operations(ALICE)
        assert [(each.id, each.number) for each in log] == [
            ("op3", 4),
            ("op2", 3),
            ("op1", 2),
            ("op0", 1),
        ]
        chosen = store.list_operations(ALICE, kinds=["bind", "update"], limit=2, offset=1)
        assert [each.id for each in chosen] == ["op2", "op0"]
        assert store.list_operations(BO) == []

    def test_writing_asks_for_steps_and_finishes_its_job(self, store: Store, lease: Lease) -> None:
        [index, bind] = store.jobs(ALICE)
        following = Step(kind="consolidate", subject="s1")

        store.apply(ALICE, writing(job=bind, steps=(following,)), now=at(0.5), lease=lease)

        assert [job.step for job in store.jobs(ALICE)] == [index.step, following]

    def test_a_job_asked_for_again_meanwhile_waits_as_if_it_were_new(
        self, store: Store, lease: Lease
    ) -> None:
        bind = store.jobs(ALICE)[1]
        store.postpone(bind, lease, due_at=at(9), error="no", now=NOON)
        say(store, ALICE, draft("more", said_at=at(5)))

        store.apply(ALICE, writing(job=bind), now=at(0.5), lease=lease)

        left = store.jobs(ALICE)[1]
        assert (left.id, left.version, left.attempts) == (bind.id, bind.version + 1, 0)
        assert (left.due_at, left.error) == (at(0.5), None)

    def test_a_job_may_be_put_back_by_what_it_wrote(self, store: Store, lease: Lease) -> None:
        bind = store.jobs(ALICE)[1]
        redo = writing(job=bind, redo_at=at(7), error="half of it failed")

        store.apply(ALICE, redo, now=NOON, lease=lease)

        left = store.jobs(ALICE)[1]
        assert (left.attempts, left.due_at, left.error) == (1, at(7), "half of it failed")

    def test_no_worker_in_flight_brings_an_erased_scope_back(
        self, store: Store, lease: Lease, said: list[str]
    ) -> None:
        store.forget(ALICE, now=NOON)
        say(store, ALICE, "I am back.")
        store.lease("you", 60, now=NOON, scope=ALICE)

        with pytest.raises(LeaseLost):
            store.apply(ALICE, writing(note("n")), now=NOON, lease=lease)

    def test_a_microsecond_is_kept(self, store: Store, said: list[str]) -> None:
        exact = NOON + timedelta(microseconds=1)
        store.apply(ALICE, writing(note("n", event=said[0], valid_at=exact)), now=NOON)

        assert store.notes(ALICE, ["n"])[0].valid_at == exact
