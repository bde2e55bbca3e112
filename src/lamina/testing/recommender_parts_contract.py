"""The promises of `lamina.ports.Erasure` about one user's part in a recommender, as tests."""

from __future__ import annotations

from dataclasses import replace

from lamina.model import Scope
from lamina.ports import Receipt, Reply, Store
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
    operation,
    say,
    scope,
    undo,
    write,
)
from lamina.testing.graphs import told
from lamina.testing.recommending_contract import FILMS, OTHER, WRITE, atomic, tell
from lamina.testing.store_contract import StoreContract
from lamina.testing.transfer_contract import shown_by


def forget_ann(store: Store, where: Scope = FILMS) -> Receipt:
    """Erase ann's part."""
    return store.forget_part(where, author="user:ann", speaker="ann", now=at(99), steps=WRITE)


class RecommenderPartsContract(StoreContract):
    """What `Erasure` promises of a user's part in a recommender; see `StoreContract`."""

    def test_who_has_a_part_in_a_recommender_is_told_by_author(self, store: Store) -> None:
        tell(store, act("ab"), description("a", "An item."), act("bo", item="a"))
        say(store, OTHER, act("a"), steps=())
        say(store, scope("films", "recommender", "t"), act("a"), steps=())
        silent = draft("I am in group 1.", author="user:a", session="user:a", speaker="x")
        say(store, scope("third", "recommender"), silent, steps=())
        say(store, scope("fourth", "recommender"), replace(act("b"), speaker="a"), steps=())

        assert set(store.parts("", "user:a", "a")) == {OTHER, scope("third", "recommender")}
        assert store.parts("t", "user:a", "a") == [scope("films", "recommender", "t")]
        assert store.parts("", "user:%", "a%") == []

    def test_an_authors_messages_and_notes_go_and_others_stay(self, store: Store) -> None:
        m1, ann, bo = tell(store, description(), act(text="So dark."), act("bo", minute=1))
        group = draft("I am in group 1.", author="user:ann", session="user:ann", speaker="ann")
        say(store, FILMS, group, steps=())
        write(store, FILMS, atomic("n", ann), id_="op1", minute=1, progress={ann: "bound"})
        write(store, FILMS, atomic("b", bo), id_="op2", minute=2, progress={bo: "bound"},
              links=(link("b", "n"),))  # fmt: skip
        store.keep_replies(FILMS, {"d": Reply(text="So dark.", model="m")}, now=NOON)
        store.configure(FILMS, {"k": 3})
        before = store.graph(FILMS)

        receipt = forget_ann(store)

        assert (receipt.messages, receipt.notes, receipt.documents) == (2, 1, 2)
        assert (receipt.author, receipt.epoch, receipt.stage) == ("user:ann", 1, "logical")
        assert [m.id for m in store.latest(FILMS, 9)] == [m1, bo]
        assert [n.id for n in store.list_notes(FILMS)] == ["b"]
        assert store.history(FILMS, "n") == []
        assert store.links(FILMS, ["b"]) == []
        assert store.replies(FILMS, ["d"]) == {}
        assert store.configuration(FILMS) == {"k": 3}
        assert store.waiting(FILMS, 9) == []
        assert store.messages(FILMS, [bo])[0].progress == "bound"
        assert [job.step for job in store.jobs(FILMS)] == list(WRITE)
        users, items, done, noted, links = told(store.graph(FILMS))
        assert (users, items, links) == (["bo"], ["m1"], [])
        assert [each[6] for each in done] == [bo]
        assert sorted(row[1] for row in noted) == sorted([m1, "b"])
        assert len(before.users) == 2
        assert store.purge()
        assert store.occurrences([b"So dark.", b"user:ann"]) == [0, 0]
        assert store.check() == []

    def test_who_has_no_part_loses_nothing(self, store: Store) -> None:
        _, bo = tell(store, description("ann", "An item."), act("bo", item="ann"))
        write(store, FILMS, atomic("b", bo), id_="op1", minute=1)
        before = store.latest(FILMS, 9), store.list_notes(FILMS), told(store.graph(FILMS))

        receipt = forget_ann(store)

        assert (receipt.messages, receipt.notes, receipt.documents) == (0, 0, 0)
        assert (store.latest(FILMS, 9), store.list_notes(FILMS)) == before[:2]
        assert told(store.graph(FILMS)) == before[2]
        assert store.check() == []

    def test_of_others_notes_only_what_rests_on_it_goes(self, store: Store) -> None:
        ann, bo, cy = tell(store, act(), act("bo", minute=1), act("cy", minute=2))
        own = atomic("b", bo)
        write(store, FILMS, own, id_="op1", minute=1)
        second = atomic("b", bo, revision=2, tags=("Space",), parents=("c",))
        write(store, FILMS, atomic("c", cy), second, id_="op2", minute=2)
        evolved = atomic("b", bo, revision=3, tags=("Dark",), parents=("n",))
        write(store, FILMS, atomic("n", ann), evolved, id_="op3", minute=3)
        later = atomic("b", bo, revision=4, tags=("Dark", "Old"), parents=("c",))
        write(store, FILMS, later, id_="op4", minute=4)

        receipt = forget_ann(store)

        assert receipt.notes == 1
        assert [r.tags for r in store.history(FILMS, "b")] == [("Horror",), ("Space",)]
        assert [n.tags for n in store.notes(FILMS, ["b", "c"])] == [("Space",), ("Horror",)]
        assert [o.id for o in store.list_operations(FILMS, kinds=("bind",))] == ["op2", "op1"]
        assert store.purge()
        assert store.occurrences([b"Dark"]) == [0]
        with store.snapshot(FILMS) as snapshot:
            assert sorted(snapshot.documents.refs) == ["b", "c"]
            assert len(snapshot.postings(["dark"]).rows) == 0
        assert {row[1] for row in told(store.graph(FILMS))[3]} == {"b", "c"}
        assert len(told(store.graph(FILMS))[3]) == 3
        third = atomic("b", bo, revision=3, tags=("New",))
        write(store, FILMS, third, id_="op5", minute=5)
        assert store.notes(FILMS, ["b"])[0].tags == ("New",)
        assert store.check() == []

    def test_what_an_interaction_bore_out_is_cut_back(self, store: Store) -> None:
        bo, ann = tell(store, act("bo"), act(minute=1))
        write(store, FILMS, atomic("b", bo), id_="op1", minute=1)
        gained = atomic("b", bo, sources=(ann,))
        write(store, FILMS, gained, id_="op2", minute=2)
        write(store, FILMS, atomic("b", bo, revision=3, tags=("x",)), id_="op3", minute=3)
        assert store.notes(FILMS, ["b"])[0].revision == 3

        forget_ann(store)

        [left] = store.notes(FILMS, ["b"])
        assert (left.revision, left.sources, left.tags) == (1, (bo,), ("Horror",))
        assert store.check() == []

    def test_what_was_formed_of_what_was_cut_goes_too_but_not_what_was_before(
        self, store: Store
    ) -> None:
        ann, bo, cy, di = tell(
            store, act(), act("bo", minute=1), act("cy", minute=2), act("di", minute=3)
        )
        for name, event in (("b", bo), ("c", cy), ("d", di)):
            write(store, FILMS, atomic(name, event), id_=f"op-{name}", minute=3)
        before = atomic("d", di, revision=2, tags=("Calm",), parents=("b",))
        write(store, FILMS, before, id_="op4", minute=4)
        evolved = atomic("b", bo, revision=2, tags=("Dark",), parents=("n",))
        write(store, FILMS, atomic("n", ann), evolved, id_="op5", minute=5)
        carried = atomic("c", cy, revision=2, tags=("Dark",), parents=("b",))
        write(store, FILMS, carried, id_="op6", minute=6)

        forget_ann(store)

        tags = {n.id: n.tags for n in store.list_notes(FILMS)}
        assert tags == {"b": ("Horror",), "c": ("Horror",), "d": ("Calm",)}
        assert store.formed_from(FILMS, ["b"])[0].id == "d"
        assert store.check() == []

    def test_links_go_with_the_revision_that_brought_them(self, store: Store) -> None:
        ann, bo, cy = tell(store, act(), act("bo", minute=1), act("cy", minute=2))
        write(store, FILMS, atomic("b", bo), atomic("c", cy), id_="op1", minute=2,
              links=(link("c", "b", "alike"),))  # fmt: skip
        evolved = atomic("b", bo, revision=2, tags=("Dark",), parents=("n",))
        ties = (link("b", "c", "as ann has it"), link("n", "c"))
        write(store, FILMS, atomic("n", ann), evolved, id_="op2", minute=3, links=ties)

        forget_ann(store)

        assert store.links(FILMS, ["b", "c"]) == [link("c", "b", "alike")]
        assert store.links(FILMS, ["b", "c"], at=known(99)) == [link("c", "b", "alike")]
        assert store.operations(FILMS, ["op2"]) == []
        assert store.purge()
        assert store.occurrences([b"as ann has it"]) == [0]
        assert store.check() == []

    def test_what_an_interaction_changed_goes_with_it_whatever_bore_it_out(
        self, store: Store
    ) -> None:
        ann, bo, cy = tell(store, act(), act("bo", minute=1), act("cy", minute=2))
        write(store, FILMS, atomic("b", bo), atomic("c", cy), id_="op1", minute=2)
        evolved = atomic("b", bo, revision=2, tags=("Dark",), parents=("c",))
        write(store, FILMS, atomic("n", ann), evolved, id_="op2", minute=3,
              links=(link("c", "b", "as ann has it"),))  # fmt: skip

        forget_ann(store)

        assert [r.tags for r in store.history(FILMS, "b")] == [("Horror",)]
        assert store.links(FILMS, ["b", "c"]) == []
        assert [o.id for o in store.list_operations(FILMS, kinds=("bind",))] == ["op1"]
        assert store.purge()
        assert store.occurrences([b"Dark", b"as ann has it"]) == [0, 0]
        assert store.check() == []

    def test_an_item_that_loses_its_note_gets_another_from_the_first_who_is_left(
        self, store: Store
    ) -> None:
        m1, ann, cy, bo, verbatim = tell(
            store, description(), act(), act("cy", minute=3), act("bo", minute=2),
            act("di", minute=1, infer=False),
        )  # fmt: skip
        item_note = atomic("i", m1, kind="item_note", sources=(m1, ann))
        progress = dict.fromkeys((ann, bo, cy), "bound")
        write(store, FILMS, atomic("n", ann), item_note, id_="op1", minute=1, progress=progress)
        write(store, FILMS, atomic("b", bo), atomic("c", cy), id_="op2", minute=3)

        receipt = forget_ann(store)

        assert receipt.notes == 2
        assert [m.id for m in store.waiting(FILMS, 9)] == [bo]
        left = {m.id: m.progress for m in store.latest(FILMS, 9)}
        assert left == {m1: "verbatim", verbatim: "verbatim", bo: "pending", cy: "bound"}
        assert [n.id for n in store.list_notes(FILMS)] == ["c", "b"]
        assert store.check() == []

    def test_nothing_waits_again_where_something_waits_or_an_items_note_is_left(
        self, store: Store
    ) -> None:
        m1, ann, bo = tell(store, description(), act(), act("bo", minute=1))
        m2, ann2, bo2, cy2 = tell(
            store, description("m2", "Heat."), act(item="m2", minute=2),
            act("bo", item="m2", minute=3), act("cy", item="m2", minute=4),
        )  # fmt: skip
        mine = atomic("i", m1, kind="item_note", sources=(m1,))
        cut = atomic("i", m1, kind="item_note", sources=(m1, ann), revision=2, tags=())
        other = atomic("i2", m2, kind="item_note", sources=(m2, ann2))
        progress = dict.fromkeys((ann, bo, ann2, bo2), "bound")
        write(store, FILMS, mine, other, id_="op1", minute=2, progress=progress)
        write(store, FILMS, cut, id_="op2", minute=3)

        forget_ann(store)

        assert [(n.id, n.revision) for n in store.list_notes(FILMS)] == [("i", 1)]
        assert [m.id for m in store.waiting(FILMS, 9)] == [cy2]

    def test_a_note_whose_first_words_rest_on_it_is_written_again(self, store: Store) -> None:
        ann, bo = tell(store, act(), act("bo", minute=1))
        progress = {ann: "bound", bo: "bound"}
        write(store, FILMS, atomic("n", ann), id_="op1", minute=1, progress=progress)
        write(store, FILMS, atomic("b", bo, parents=("n",)), id_="op2", minute=2)

        assert forget_ann(store).notes == 2

        assert store.list_notes(FILMS) == []
        assert [m.id for m in store.waiting(FILMS, 9)] == [bo]
        assert store.check() == []

    def test_what_was_out_of_force_is_erased_too(self, store: Store) -> None:
        bo, ann = tell(store, act("bo"), act(minute=1))
        made = operation("add1", "add")
        append(store, FILMS, [act(item="m7", minute=2)], operation=made)
        write(store, FILMS, atomic("b", bo), id_="op1", minute=1)
        evolved = atomic("b", bo, revision=2, tags=("Dark",), parents=("n",))
        write(store, FILMS, atomic("n", ann), evolved, id_="op2", minute=2)
        undo(store, FILMS, "op2", by="op3", minute=3)
        undo(store, FILMS, "add1", by="op4", minute=4)
        revised = atomic("b", bo, revision=2, tags=("Old",))
        write(store, FILMS, revised, id_="op5", minute=5)
        assert [r.tags for r in store.history(FILMS, "b")] == [("Horror",), ("Dark",), ("Old",)]

        receipt = forget_ann(store)

        assert (receipt.messages, receipt.notes) == (2, 1)
        assert [r.tags for r in store.history(FILMS, "b")] == [("Horror",)]
        kinds = [o.kind for o in store.list_operations(FILMS)]
        assert kinds == ["erasure", "bind"]
        assert store.graph(FILMS).items == ("m1",)
        assert store.check() == []

    def test_marks_on_what_is_cut_go_with_it(self, store: Store) -> None:
        bo, ann = tell(store, act("bo"), act(minute=1))
        write(store, FILMS, atomic("b", bo), id_="op1", minute=1)
        evolved = atomic("b", bo, revision=2, tags=("Dark",), parents=("n",))
        write(store, FILMS, atomic("n", ann), evolved, id_="op2", minute=2)
        marks = (*gone("revision", "b", revision=2), *gone("note", "n"))
        write(store, FILMS, id_="op3", minute=3, gone=marks)

        forget_ann(store)

        assert store.marks_on(FILMS, "revision", ["b"]) == []
        assert store.notes(FILMS, ["b"])[0].revision == 1
        assert store.operations(FILMS, ["op3"]) == []
        assert store.check() == []

    def test_what_is_left_keeps_its_places_in_the_log_of_another_store(self, store: Store) -> None:
        ann, bo = tell(store, act(), act("bo", minute=1))
        write(store, FILMS, atomic("n", ann), id_="op1", minute=1)
        write(store, FILMS, atomic("b", bo), id_="op2", minute=2)
        forget_ann(store)
        archive = store.dump(FILMS)
        assert [(o.kind, o.number) for o in archive.operations] == [("bind", 2), ("erasure", 3)]

        store.load(OTHER, archive, shown_by(archive), steps=(), now=NOON)

        assert store.dump(OTHER).operations == archive.operations
        write(store, OTHER, id_="op3", minute=3, gone=gone("note", "b"))
        assert store.operations(OTHER, ["op3"])[0].number == 4

    def test_who_returns_begins_anew(self, store: Store) -> None:
        ann, bo = tell(store, act(), act("bo", minute=1))
        forget_ann(store)

        [again] = tell(store, act())

        assert again == ann
        assert [m.id for m in store.waiting(FILMS, 9)] == [ann, bo]
        assert store.graph(FILMS).messages == (ann, bo)
        assert store.check() == []
