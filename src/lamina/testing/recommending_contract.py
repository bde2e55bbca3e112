"""The promises of `lamina.ports.Recommending` about messages and atomic notes, as tests."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from lamina.errors import Conflict, NotFound
from lamina.model import At, Note, Step
from lamina.ports import Archive, MessageDraft, Store
from lamina.testing.clock import NOON
from lamina.testing.factories import (
    act,
    append,
    at,
    description,
    draft,
    gone,
    known,
    link,
    note,
    operation,
    say,
    scope,
    undo,
    write,
    writing,
)
from lamina.testing.store_contract import StoreContract
from lamina.testing.transfer_contract import shown_by

FILMS, OTHER = scope("films", "recommender"), scope("books", "recommender")
WRITE = (Step(kind="write", subject=""),)


def tell(store: Store, *drafts: MessageDraft) -> list[str]:
    """Store messages in one call and return their ids."""
    return say(store, FILMS, *drafts, steps=WRITE)


def atomic(id_: str, event: str | None, **given: Any) -> Note:
    """Return the note of an interaction, with all that an atomic note says."""
    defaults: dict[str, Any] = {
        "kind": "user_note",
        "event": event,
        "keywords": ("space", "fear"),
        "tags": ("Horror",),
        "context": "after two comedies",
        "sureness": 0.75,
    }
    return note(id_, "ann rated Alien 4.", **defaults | given)


class RecommendingContract(StoreContract):
    """What `Recommending` promises of messages; see `StoreContract`."""

    @pytest.mark.parametrize(
        "given",
        [
            act(),
            act(rating=None, action="click"),
            act(rating=-1.5),
            act(rating=0.0, item="0", user="0"),
            act(action=None, rating=None),
            act(key="k", metadata={"given": {"device": "tv"}}, text="So \ud83d dark.\x00"),
            act(item="\ud83d\x00", user="a%"),
            description(),
            description(metadata={"title": "Alien", "attributes": {"year": 1979}}),
        ],
        ids=range(9),
    )
    def test_a_message_about_an_item_is_read_back_as_it_was_given(
        self, store: Store, given: MessageDraft
    ) -> None:
        [id_] = tell(store, given)

        [found] = store.messages(FILMS, [id_])
        for name in ("session", "role", "speaker", "text", "said_at", "key", "metadata", "author"):
            assert getattr(found, name) == getattr(given, name)
        assert (found.item, found.action, found.rating) == (given.item, given.action, given.rating)
        assert found.progress == ("pending" if given.infer else "verbatim")
        assert store.recorded(FILMS, [id_]) == store.latest(FILMS, 9) == [found]
        assert store.in_session(FILMS, given.session) == [found]

    def test_what_was_done_once_is_kept_once(self, store: Store) -> None:
        [first] = append(store, FILMS, [act()])
        [again] = append(store, FILMS, [act()])
        [other] = append(store, FILMS, [act(rating=2.0)])
        [one, two] = append(store, FILMS, [act(key="k", item="m2"), act(key="k2", item="m2")])
        [same_key] = append(store, FILMS, [act(key="k", item="m2")])

        assert (again.id, again.new) == (first.id, False)
        assert other.new
        assert (same_key.id, same_key.new) == (one.id, False)
        assert len({first.id, other.id, one.id, two.id}) == 4
        assert len(store.latest(FILMS, 9)) == 4

    def test_atomic_notes_are_counted_and_what_they_rest_on_waits_for_nothing(
        self, store: Store
    ) -> None:
        [done] = tell(store, act())
        own, its = atomic("u", done), atomic("i", done, kind="item_note")
        store.apply(FILMS, writing(own, its, progress={done: "bound"}), now=NOON)

        counts = store.counts(FILMS)

        assert (counts["user_notes"], counts["item_notes"]) == (1, 1)
        assert (counts["facts"], counts["pending"], counts["unconsolidated"]) == (0, 0, 0)

    def test_a_description_has_a_document_and_an_interaction_has_none(self, store: Store) -> None:
        _, m1, _, m2 = tell(
            store, act(), description(), act(minute=1), description("m2", "Heat. Crime.")
        )

        with store.snapshot(FILMS) as snapshot:
            documents = snapshot.documents
            [row] = snapshot.postings(["heat"]).rows
        assert documents.refs == (m1, m2)
        assert documents.refs[row] == m2
        assert [each.ref for each in store.documents_of(FILMS, 0, 9)] == [m1, m2]
        assert store.counts(FILMS)["documents"] == 2
        assert store.check() == []

    def test_what_is_said_of_items_is_in_no_exchange(self, store: Store) -> None:
        group = {"speaker": "ann", "session": "user:ann", "author": "user:ann"}
        _, a, _, b = tell(
            store,
            act(minute=0),
            draft("I am in group 1.", said_at=at(1), **group),
            act(minute=2),
            draft("And in group 2.", said_at=at(3), **group),
        )
        tell(store, description(), description("m2", "Heat."))

        pairs = store.stale_exchanges(FILMS, "user:ann", 9)
        assert [(pair.previous.id, pair.message.id) for pair in pairs] == [(a, b)]
        assert store.stale_exchanges(FILMS, "items", 9) == []
        assert store.check() == []

    def test_interactions_wait_in_the_order_done(self, store: Store) -> None:
        ids = tell(store, act(minute=5), act("bo", minute=3), act("bo", item="m2", minute=5))
        tell(store, description(), act(minute=1, infer=False), draft("I am in group 1."))
        [late] = tell(store, act("cy", minute=3))

        assert [m.id for m in store.waiting(FILMS, 9)] == [ids[1], late, ids[0], ids[2]]
        assert [m.id for m in store.waiting(FILMS, 2)] == [ids[1], late]
        assert store.waiting(FILMS, 0) == store.waiting(OTHER, 9) == []
        assert (store.unformed(FILMS), store.unformed(OTHER)) == (4, 0)
        assert [job.step for job in store.jobs(FILMS)] == list(WRITE)

    def test_what_is_done_or_gone_does_not_wait(self, store: Store) -> None:
        bound, failed, deleted, left = tell(store, *(act(minute=i) for i in range(4)))
        append(store, FILMS, [act(minute=9)], operation=operation("add9", "add"))
        write(store, FILMS, id_="op1", progress={bound: "bound", failed: "unextracted"})
        write(store, FILMS, id_="op2", gone=gone("message", deleted, always=False))
        undo(store, FILMS, "add9", by="op3")

        assert [m.id for m in store.waiting(FILMS, 9)] == [left]
        assert store.unformed(FILMS) == 2

        undo(store, FILMS, "op2", by="op4")
        assert [m.id for m in store.waiting(FILMS, 9)] == [deleted, left]

    def test_an_item_is_what_was_said_of_it_last(self, store: Store) -> None:
        tell(store, description(text="new", said_at=at(5)), description("m2", "Heat."), act())
        tell(store, description(text="old", said_at=at(1)))
        tell(store, description("m2", "Heat, 1995."))

        def told(moment: At | None, *items: str) -> dict[str, str]:
            return {k: m.text for k, m in store.described(FILMS, items, at=moment).items()}

        assert told(None, "m1", "m2", "m3") == {"m1": "new", "m2": "Heat, 1995."}
        assert told(known(5), "m1") == {"m1": "old"}
        assert told(known(1), "m1", "m2") == {"m2": "Heat, 1995."}
        assert told(None) == {}
        assert store.described(OTHER, ["m1"]) == {}

    def test_what_is_always_known_is_known_at_once(self, store: Store) -> None:
        tell(store, description())

        earliest = At(as_of=datetime(1, 1, 2, tzinfo=UTC))
        assert store.described(FILMS, ["m1"], at=earliest)["m1"].said_at.year == 1

    def test_a_description_that_is_out_of_force_is_told_no_more(self, store: Store) -> None:
        append(store, FILMS, [description(text="one")], operation=operation("add1", "add"))
        made = operation("add2", "add")
        [two] = append(store, FILMS, [description(text="two")], operation=made)
        [three] = append(store, FILMS, [description(text="three")])
        write(store, FILMS, id_="op1", minute=3, gone=gone("message", three.id, always=False))

        assert store.described(FILMS, ["m1"])["m1"].id == two.id
        assert store.described(FILMS, ["m1"], at=known(3))["m1"].id == three.id
        undo(store, FILMS, "add2", by="op2", minute=4)
        assert store.described(FILMS, ["m1"])["m1"].text == "one"
        undo(store, FILMS, "add1", by="op3", minute=5)
        assert store.described(FILMS, ["m1"]) == {}
        assert store.described(FILMS, ["m1"], at=known(3))["m1"].id == three.id

    def test_what_a_recommender_keeps_to_is_kept_by_scope(self, store: Store) -> None:
        assert store.configuration(FILMS) == {}

        store.configure(FILMS, {"privacy": "silo", "k": 3, "keep_days": None})
        store.configure(OTHER, {"privacy": "open"})
        assert store.configuration(FILMS) == {"privacy": "silo", "k": 3, "keep_days": None}

        store.configure(FILMS, {"k": 4})
        assert store.configuration(FILMS) == {"k": 4}
        assert store.scopes() == []
        assert store.check() == []

    def test_what_is_kept_to_goes_along_and_is_erased(self, store: Store) -> None:
        tell(store, act(), description())
        store.configure(FILMS, {"k": 4})
        archive = store.dump(FILMS)

        store.forget(FILMS, now=NOON)
        assert store.configuration(FILMS) == {}
        assert store.dump(FILMS) == Archive()

        store.load(OTHER, archive, shown_by(archive), steps=(), now=NOON)
        assert store.configuration(OTHER) == {"k": 4}
        assert store.dump(OTHER) == archive

    def test_who_loads_an_archive_that_says_nothing_keeps_to_what_they_did(
        self, store: Store
    ) -> None:
        store.configure(FILMS, {"privacy": "silo"})

        store.load(FILMS, Archive(), (), steps=(), now=NOON)

        assert store.configuration(FILMS) == {"privacy": "silo"}


class AtomicNotesContract(StoreContract):
    """What `Notes` promises of atomic notes and of several operations; see `StoreContract`."""

    def test_a_note_is_read_back_with_all_that_it_says(self, store: Store) -> None:
        [id_] = tell(store, act())
        given = atomic("n", id_, narrower=True)
        write(store, FILMS, given, id_="op1")

        [found] = store.notes(FILMS, ["n"])
        assert found == replace(given, item="m1")
        assert store.list_notes(FILMS) == store.list_notes(FILMS, kind="user_note") == [found]
        assert store.revisions(FILMS, "n") == store.written_by(FILMS, "op1") == [found]
        assert store.of_messages(FILMS, [id_]) == {id_: [found]}
        assert store.resting_on(FILMS, [id_]) == [found]
        [told] = store.history(FILMS, "n")
        for name in ("keywords", "tags", "context", "sureness", "narrower"):
            assert getattr(told, name) == getattr(given, name)

    def test_what_a_note_is_about_is_told_by_its_event(self, store: Store) -> None:
        m2, plain = tell(store, description("m2", "Heat."), draft("I am in group 1."))
        ids = [note("i", event=m2, kind="item_note"), note("f", event=plain),
               note("p", sources=(m2, plain), kind="profile", item="m9")]  # fmt: skip
        write(store, FILMS, *ids, id_="op1")

        assert [n.item for n in store.notes(FILMS, ["i", "f", "p"])] == ["m2", None, None]

    def test_a_note_evolves_by_revisions(self, store: Store) -> None:
        one, two = tell(store, act(), act("bo", minute=1))
        write(store, FILMS, atomic("n", one), atomic("b", two), id_="op1", minute=1)
        wider = {"keywords": ("alien",), "tags": (), "context": "", "sureness": None}
        new = atomic("n", one, revision=2, parents=("b",), **wider)
        write(store, FILMS, new, id_="op2", minute=2)

        [now], [then] = store.notes(FILMS, ["n"]), store.notes(FILMS, ["n"], at=known(2))
        assert (now.keywords, now.tags, now.context, now.sureness) == (("alien",), (), "", None)
        assert (then.keywords, then.context) == (("space", "fear"), "after two comedies")
        assert [r.tags for r in store.history(FILMS, "n")] == [("Horror",), ()]
        assert store.formed_from(FILMS, ["b"]) == [now]
        for moment, terms in ((None, ["alien"]), (known(2), ["fear"])):
            with store.snapshot(FILMS, at=moment) as snapshot:
                found = {snapshot.documents.refs[row] for row in snapshot.postings(terms).rows}
            assert "n" in found
        undo(store, FILMS, "op2", by="op3")
        assert store.notes(FILMS, ["n"])[0].keywords == ("space", "fear")
        assert store.check() == []

    def test_a_note_keeps_its_document_only_while_it_shows_the_same(self, store: Store) -> None:
        [id_] = tell(store, act())
        write(store, FILMS, atomic("n", id_), id_="op1")
        write(store, FILMS, atomic("n", id_, revision=2, sureness=0.5), id_="op2", documents=())
        with store.snapshot(FILMS) as snapshot:
            assert snapshot.documents.refs == ("n",)

        write(store, FILMS, atomic("n", id_, revision=3, tags=("x",)), id_="op3", documents=())
        with store.snapshot(FILMS) as snapshot:
            assert snapshot.documents.refs == ()

    def test_a_source_that_is_gained_changes_nothing_else(self, store: Store) -> None:
        one, two = tell(store, act(), act(minute=1))
        first = atomic("n", one)
        write(store, FILMS, first, id_="op1")
        write(store, FILMS, replace(first, sources=(two,), keywords=("x",)), id_="op2")

        [found] = store.notes(FILMS, ["n"])
        assert (found.revision, found.sources) == (2, (one, two))
        assert (found.keywords, found.tags, found.sureness) == (
            ("space", "fear"),
            ("Horror",),
            0.75,
        )
        assert (found.item, found.context) == ("m1", "after two comedies")

    def test_several_operations_are_written_in_order(self, store: Store) -> None:
        one, two = tell(store, act(), act("bo", minute=1))
        writings = [
            writing(atomic("n", one), id_="op1", minute=1, progress={one: "bound"}),
            writing(
                atomic("b", two),
                atomic("n", one, revision=2, tags=("Space",), parents=("b",)),
                id_="op2",
                minute=2,
                links=(link("b", "n"),),
            ),
            writing(id_="op3", minute=3, gone=gone("note", "b", always=False)),
        ]

        store.apply_all(FILMS, writings, now=at(9))

        assert [(o.id, o.number) for o in store.list_operations(FILMS)] == [
            ("op3", 3), ("op2", 2), ("op1", 1),
        ]  # fmt: skip
        assert [n.tags for n in store.revisions(FILMS, "n")] == [("Horror",), ("Space",)]
        assert [n.known_at for n in store.revisions(FILMS, "n")] == [at(1), at(2)]
        assert [o.known_at for o in store.operations(FILMS, ["op1", "op2"])] == [at(1), at(2)]
        assert store.links(FILMS, ["n"], at=known(3)) == [link("b", "n")]
        assert [m.id for m in store.waiting(FILMS, 9)] == [two]
        assert store.notes(FILMS, ["b"]) == []
        with store.snapshot(FILMS) as snapshot:
            assert snapshot.documents.refs == ("n",)
        store.apply_all(FILMS, [], now=at(9))
        assert store.check() == []

    def test_all_operations_are_written_or_none(self, store: Store) -> None:
        ids = tell(store, *(act(minute=i) for i in range(5)))
        writings = [writing(atomic(f"n{i}", id_), id_=f"op{i}") for i, id_ in enumerate(ids)]
        before = store.dump(FILMS), store.documents_of(FILMS, 0, 99), store.jobs(FILMS)
        conflict = writing(atomic("n1", ids[1], revision=3), id_="op9")
        unknown = writing(atomic("n9", "nope"), id_="op9")
        withdrawn = writing(id_="op8", gone=gone("message", ids[3], always=False))

        for third, error in ((conflict, Conflict), (unknown, NotFound)):
            with pytest.raises(error):
                store.apply_all(FILMS, [*writings[:2], third, *writings[3:]], now=NOON)
        with pytest.raises(Conflict):
            store.apply_all(FILMS, [*writings[:2], withdrawn, *writings[3:]], now=NOON)

        assert (store.dump(FILMS), store.documents_of(FILMS, 0, 99), store.jobs(FILMS)) == before
        store.apply_all(FILMS, writings, now=NOON)
        assert len(store.list_notes(FILMS)) == 5
        assert store.check() == []
