"""The promises of `lamina.ports.Transfer`, as tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lamina.errors import Conflict, NotFound
from lamina.model import At, Scope
from lamina.ports import Archive, Document, Grant, Store, is_interaction
from lamina.testing.clock import NOON
from lamina.testing.factories import (
    STEPS,
    append,
    at,
    document,
    draft,
    gone,
    known,
    link,
    note,
    operation,
    recorded,
    say,
    scope,
    shown,
    turn,
    undo,
    write,
)
from lamina.testing.store_contract import StoreContract

ALICE, COPY = scope("alice"), scope("copy")
MOMENTS = (None, *map(known, (1, 15, 25, 35, 99)), *map(recorded, (15, 25, 35, 45, 99)))


def fill(store: Store, owner: Scope) -> None:
    """Let a scope go through everything that can happen to one."""
    given = [draft("I moved.\x00", key="k", author="user:ann", metadata={"a": [1]}),
             draft("To \ud83d Oslo.", said_at=at(1), infer=False)]  # fmt: skip
    one, two = (a.id for a in append(store, owner, given, operation=operation("add1", "add")))
    [three] = say(store, owner, draft("Bye.", session="s2", said_at=at(2)))
    [out] = say(store, owner, draft("A secret.", said_at=at(3)))
    imported = operation("import1", "import", minute=5)
    append(store, owner, [draft("Imported.", said_at=at(4))], operation=imported)
    first = note("n", "in oslo", event=one, about="ann", said_by="bo")
    summary = note("s", "a talk", kind="summary", sources=(one, two), parents=("n",))
    ties = (link("s", "n"),)
    write(store, owner, first, summary, id_="op1", minute=10, links=ties,
          progress={one: "bound", three: "bound"}, consolidated=(one, three))  # fmt: skip
    second = replace(first, text="in rome", revision=2, sources=(one, three), by_person=True)
    write(store, owner, second, id_="op2", minute=20)
    ended = replace(second, revision=3, invalid_at=at(9), superseded_by="s", parents=("s",))
    write(store, owner, ended, id_="op3", minute=30, documents=())
    write(store, owner, id_="op4", minute=31, gone=gone("message", out, always=False))
    write(store, owner, id_="op5", minute=32, gone=gone("consolidation", three))
    marks = (*gone("revision", "n", revision=2), *gone("operation", "import1"))
    write(store, owner, id_="op6", minute=33, gone=marks)
    undo(store, owner, "op3", by="op7", minute=40)
    store.close_session(owner, "s2", steps=(), now=NOON)
    store.grant(owner, Grant(principal="user:bo", read=True, write=False, given_at=at(1)))


def shown_by(archive: Archive) -> list[Document]:
    """Return the documents of an archive: each turn, and all that a note ever showed."""
    notes: dict[tuple[object, ...], Document] = {}
    for each in archive.revisions:
        told = (each.id, each.text, each.keywords, each.tags, each.context)
        if each.indexed and told not in notes:
            notes[told] = document("note", each.id, shown(each), revision=each.revision)
    turns = (replace(turn(m.text), ref=m.id) for m in archive.messages if not is_interaction(m))
    return [*turns, *notes.values()]


def load(store: Store, archive: Archive, owner: Scope = COPY, **given: Any) -> None:
    """Put an archive into a scope."""
    defaults: dict[str, Any] = {"steps": (), "now": at(500)}
    store.load(owner, archive, shown_by(archive), **defaults | given)


def told(store: Store, owner: Scope, moment: At | None) -> Any:
    """Return what reads tell at a moment."""
    with store.snapshot(owner, at=moment) as snapshot:
        read, postings = snapshot.documents, snapshot.postings(["oslo", "rome", "moved"])
    order = sorted(range(len(read.refs)), key=read.refs.__getitem__)
    rests = zip(read.rest_rows.tolist(), read.rest_turns.tolist(), strict=True)
    return (
        store.latest(owner, 9, at=moment),
        store.list_notes(owner, at=moment, superseded=True),
        store.links(owner, ["n", "s"], at=moment),
        [(read.refs[i], read.vectors[i].tolist(), int(read.turns[i])) for i in order],
        sorted((read.refs[row], read.turn_refs[turn]) for row, turn in rests),
        sorted(read.refs[row] for row in postings.rows),
    )


class TransferContract(StoreContract):
    """What `Transfer` promises; see `StoreContract`."""

    def test_what_was_taken_out_is_what_was_put_in(self, store: Store) -> None:
        fill(store, ALICE)
        archive = store.dump(ALICE)

        load(store, archive)

        assert store.dump(COPY) == archive
        assert store.check() == []

    @pytest.mark.parametrize("moment", MOMENTS, ids=range(len(MOMENTS)))
    def test_every_moment_is_told_alike(self, store: Store, moment: At | None) -> None:
        fill(store, ALICE)
        load(store, store.dump(ALICE))

        assert told(store, COPY, moment) == told(store, ALICE, moment)

    def test_all_that_is_kept_beside_is_told_alike(self, store: Store) -> None:
        fill(store, ALICE)
        load(store, store.dump(ALICE))

        def kept(owner: Scope) -> Any:
            log = store.list_operations(owner)
            return (
                log,
                [store.gone_by(owner, each.id) for each in log],
                [store.written_by(owner, each.id) for each in log],
                [store.added_by(owner, each.id) for each in log],
                [store.history(owner, id_) for id_ in ("n", "s")],
                [store.revisions(owner, id_) for id_ in ("n", "s")],
                store.sessions(owner),
                store.participants(owner),
                store.buffer(owner),
                store.grants(owner),
                store.in_session(owner, "s1"),
            )

        assert kept(COPY) == kept(ALICE)

    def test_a_dump_holds_everything_in_its_order(self, store: Store) -> None:
        fill(store, ALICE)

        archive = store.dump(ALICE)

        assert [m.position for m in archive.messages] == [1, 2, 3, 4, 5]
        assert [m.withdrawn for m in archive.messages] == [False, False, False, True, True]
        assert archive.closed == ("s2",)
        assert [o.number for o in archive.operations] == list(range(1, 10))
        wrote = [(n.id, n.revision) for n in archive.revisions]
        assert wrote == [("n", 1), ("s", 1), ("n", 2), ("n", 3)]
        assert archive.links == ((link("s", "n"), "op1"),)
        assert [by for _, by in archive.gone] == ["op4", "op5", "op6", "op6", "op7"]
        assert set(archive.consolidated.values()) == {"op1"}
        assert [g.principal for g in archive.grants] == ["user:bo"]

    def test_of_nothing_an_empty_archive_is_taken(self, store: Store) -> None:
        assert store.dump(ALICE) == Archive()

        store.load(COPY, Archive(), [], steps=(), now=NOON)

        assert store.dump(COPY) == Archive()
        assert store.check() == []

    def test_what_was_put_in_goes_on_as_any_other(self, store: Store) -> None:
        fill(store, ALICE)
        load(store, store.dump(ALICE), steps=STEPS)

        assert [job.step for job in store.jobs(COPY)] == list(STEPS)
        undo(store, COPY, "op7", by="op8", minute=50)
        [id_] = say(store, COPY, draft("More.", said_at=at(60)))
        write(store, COPY, note("new", event=id_), id_="op9", minute=60)

        assert store.messages(COPY, [id_])[0].position == 6
        assert store.notes(COPY, ["n"])[0].superseded_by == "s"
        assert [each.number for each in store.list_operations(COPY, limit=1)] == [11]
        assert store.check() == []

    def test_nothing_is_put_in_where_something_is(self, store: Store) -> None:
        fill(store, ALICE)
        say(store, COPY, "mine")
        before = store.dump(COPY)

        with pytest.raises(Conflict):
            load(store, store.dump(ALICE))

        assert store.dump(COPY) == before

    def test_what_was_erased_can_be_put_back(self, store: Store) -> None:
        fill(store, ALICE)
        archive = store.dump(ALICE)
        store.forget(ALICE, now=NOON)

        load(store, archive, ALICE)

        assert store.dump(ALICE) == archive
        assert store.epoch(ALICE) == 1
        assert store.check() == []

    @pytest.mark.parametrize("lacking", ["messages", "operations", "revisions"])
    def test_an_archive_that_names_what_it_lacks_is_refused_whole(
        self, store: Store, lacking: str
    ) -> None:
        fill(store, ALICE)
        broken: dict[str, Any] = {lacking: ()}

        with pytest.raises(NotFound):
            store.load(COPY, replace(store.dump(ALICE), **broken), [], steps=STEPS, now=NOON)

        assert store.dump(COPY) == Archive()
        assert store.jobs(COPY) == []
        assert store.check() == []
