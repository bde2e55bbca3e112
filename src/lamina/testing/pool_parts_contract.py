"""The promises of `lamina.ports.Erasure` about one user's part in a pool, as tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lamina.model import Scope
from lamina.ports import NEVER, Receipt, Reply, Store
from lamina.testing.clock import NOON
from lamina.testing.factories import (
    at,
    draft,
    gone,
    known,
    link,
    part,
    pattern,
    say,
    scope,
    undo,
    write,
)
from lamina.testing.graphs import live, micros, supported, supporting, told
from lamina.testing.pool_contract import (
    ELSEWHERE,
    POOL,
    STEP,
    contribute,
    fill,
    take_in,
)
from lamina.testing.store_contract import StoreContract


def forget(store: Store, user: str = "ann", where: Scope = POOL) -> Receipt:
    """Erase a user's part."""
    return store.forget_part(where, author=f"user:{user}", speaker=user, now=at(99), steps=STEP)


def waiting(store: Store) -> list[str]:
    """Return the ids of the parts that wait."""
    return [message.id for message in store.waiting(POOL, 99)]


def assert_nothing_is_forgotten(store: Store, user: str) -> None:
    """Assert that forgetting a user's part erases nothing, and is in the log."""
    before = store.dump(POOL), told(store.graph(POOL)), supported(store.graph(POOL))

    receipt = forget(store, user)

    assert (receipt.messages, receipt.notes, receipt.documents) == (0, 0, 0)
    archive = store.dump(POOL)
    assert replace(archive, operations=archive.operations[:-1]) == before[0]
    assert (told(store.graph(POOL)), supported(store.graph(POOL))) == before[1:]


class PoolPartsContract(StoreContract):
    """What `Erasure` promises of a user's part in a pool; see `StoreContract`."""

    def test_who_has_a_part_in_a_pool_is_told_by_author(self, store: Store) -> None:
        contribute(store, part("ab"), part("A"), part("a%"), part("bo", speaker="a"))
        contribute(store, part("a"), where=ELSEWHERE)
        say(store, scope("films", "pool", "t"), part("a"), steps=())
        left = draft("Leave me out.", author="user:a", session="leaving", speaker="a")
        say(store, scope("third", "pool"), left, steps=())

        assert set(store.parts("", "user:a", "a")) == {ELSEWHERE, scope("third", "pool")}
        assert store.parts("", "user:a%", "a%") == store.parts("", "user:A", "A") == [POOL]
        assert store.parts("t", "user:a", "a") == [scope("films", "pool", "t")]
        assert store.parts("", "user:%", "%") == []

    def test_support_that_said_nothing_new_is_withdrawn_alone(self, store: Store) -> None:
        bo, ann, cy = contribute(
            store, part("bo", said_at=at(1)), part(said_at=at(2)), part("cy", said_at=at(3))
        )
        take_in(store, bo, pattern("p", bo), minute=1)
        take_in(store, ann, pattern("p", ann, revision=2), minute=2, silent=("p",))
        take_in(store, cy, pattern("p", cy, revision=3), minute=3, silent=("p",))

        receipt = forget(store)

        assert (receipt.messages, receipt.notes, receipt.documents) == (1, 0, 0)
        assert supported(store.graph(POOL)) == [
            ("p", 1, bo, "bo", micros(1), micros(1), NEVER),
            ("p", 3, cy, "cy", micros(3), micros(3), NEVER),
        ]
        assert [r.number for r in store.history(POOL, "p")] == [1, 3]
        assert store.notes(POOL, ["p"])[0].revision == 3
        assert live(store.graph(POOL), "ref", "since") == {("p", micros(1))}
        assert waiting(store) == []
        assert store.graph(POOL).users == ("bo", "cy")
        assert store.check() == []

    def test_the_last_support_is_withdrawn_alone_too(self, store: Store) -> None:
        bo, ann = contribute(store, part("bo"), part())
        take_in(store, bo, pattern("p", bo), minute=1)
        before = store.list_notes(POOL), told(store.graph(POOL))[3]
        take_in(store, ann, pattern("p", ann, revision=2), minute=2, silent=("p",))

        forget(store)

        assert (store.list_notes(POOL), told(store.graph(POOL))[3]) == before
        assert store.resting_on(POOL, [bo]) == store.list_notes(POOL)
        with store.snapshot(POOL) as snapshot:
            assert snapshot.documents.refs == ("p",)
        [again] = contribute(store, part("cy"))
        take_in(store, again, pattern("p", again, revision=2), minute=3, silent=("p",))
        assert supporting(store.graph(POOL), 99) == {("p", 1, "bo"), ("p", 2, "cy")}
        assert store.check() == []

    def test_new_words_go_with_all_that_may_repeat_them(self, store: Store) -> None:
        bo, ann, cy, di = contribute(store, part("bo"), part(), part("cy"), part("di"))
        take_in(store, bo, pattern("p", bo), minute=1)
        take_in(store, ann, pattern("p", ann, "Dark words.", revision=2), minute=2)
        take_in(store, cy, pattern("p", cy, "Dark words.", revision=3), minute=3, silent=("p",))
        take_in(store, di, pattern("p", di, "Dark words, then old ones.", revision=4), minute=4)

        receipt = forget(store)

        assert (receipt.messages, receipt.notes, receipt.documents) == (1, 0, 2)
        assert [r.text for r in store.history(POOL, "p")] == ["Turns to horror."]
        assert supporting(store.graph(POOL), 99) == {("p", 1, "bo")}
        assert waiting(store) == [cy, di]
        assert {m.id: m.progress for m in store.latest(POOL, 9)}[bo] == "bound"
        assert [o.id for o in store.list_operations(POOL, kinds=("write",))] == [f"take-{bo}"]
        with store.snapshot(POOL) as snapshot:
            assert snapshot.documents.refs == ("p",)
            assert len(snapshot.postings(["dark"]).rows) == 0
        assert store.check() == []

    @pytest.mark.parametrize("new", [{"keywords": ("x",)}, {"context": "x"}, {"tags": ("x",)}])
    def test_whatever_is_said_otherwise_is_new(self, store: Store, new: dict[str, Any]) -> None:
        bo, ann, cy = contribute(store, part("bo"), part(), part("cy"))
        take_in(store, bo, pattern("p", bo), minute=1)
        take_in(store, ann, pattern("p", ann, revision=2, **new), minute=2)
        take_in(store, cy, pattern("p", cy, revision=3, **new), minute=3, silent=("p",))

        forget(store)

        assert [r.number for r in store.history(POOL, "p")] == [1]
        assert waiting(store) == [cy]

    def test_what_was_said_before_and_withdrawn_support_after_it_is_told_apart(
        self, store: Store
    ) -> None:
        bo, ann, cy, again = contribute(store, part("bo"), part(), part("cy"), part(key="again"))
        take_in(store, bo, pattern("p", bo), minute=1)
        take_in(store, ann, pattern("p", ann, revision=2), minute=2, silent=("p",))
        take_in(store, cy, pattern("p", cy, "More words.", revision=3), minute=3)
        take_in(store, again, pattern("p", again, "Dark words.", revision=4), minute=4)

        forget(store)

        assert [(r.number, r.text) for r in store.history(POOL, "p")] == [
            (1, "Turns to horror."), (3, "More words."),
        ]  # fmt: skip
        assert supporting(store.graph(POOL), 99) == {("p", 1, "bo"), ("p", 3, "cy")}
        assert waiting(store) == []
        assert store.check() == []

    def test_a_pattern_goes_whole_with_who_founded_it(self, store: Store) -> None:
        ann, bo, cy = contribute(store, part(), part("bo"), part("cy"))
        take_in(store, ann, pattern("p", ann), minute=1)
        take_in(store, bo, pattern("p", bo, revision=2), minute=2, silent=("p",))
        take_in(store, cy, pattern("p", cy, "More words.", revision=3), minute=3)

        receipt = forget(store)

        assert (receipt.messages, receipt.notes, receipt.documents) == (1, 1, 2)
        assert store.list_notes(POOL) == []
        assert store.history(POOL, "p") == []
        assert store.graph(POOL).note_names == store.graph(POOL).support.parts == ()
        assert waiting(store) == [bo, cy]
        assert store.check() == []

    def test_only_parts_that_were_bound_are_pending_again(self, store: Store) -> None:
        ann, bo, cy, di = contribute(store, part(), part("bo"), part("cy"), part("di"))
        take_in(store, ann, pattern("p", ann), minute=1)
        for n, id_ in enumerate((bo, cy, di), 2):
            take_in(store, id_, pattern("p", id_, revision=n), minute=n, silent=("p",))
        write(store, POOL, id_="op5", progress={bo: "unextracted", cy: "verbatim"})
        write(store, POOL, id_="op6", minute=6, gone=gone("message", di, always=False))

        forget(store)

        found = {m.id: m.progress for m in store.recorded(POOL, [bo, cy, di])}
        assert found == {bo: "unextracted", cy: "verbatim", di: "pending"}
        assert waiting(store) == []

    def test_what_others_alone_brought_stays_as_it_is(self, store: Store) -> None:
        bo, cy, ann = contribute(store, part("bo"), part("cy"), part())
        take_in(store, bo, pattern("p", bo), pattern("q", bo, "Goes back."), minute=1,
                links=(link("q", "p"),))  # fmt: skip
        take_in(store, cy, pattern("p", cy, "More words.", revision=2), minute=2)
        before = store.dump(POOL)
        seen = told(store.graph(POOL))[3:], supported(store.graph(POOL))
        take_in(store, ann, pattern("r", ann), minute=3)

        forget(store)

        archive = store.dump(POOL)
        assert archive.operations[-1].kind == "erasure"
        left = replace(archive, operations=archive.operations[:-1])
        assert left == replace(before, messages=before.messages[:2])
        assert (told(store.graph(POOL))[3:], supported(store.graph(POOL))) == seen
        assert store.check() == []

    def test_links_go_with_what_they_link_and_with_what_they_may_tell(self, store: Store) -> None:
        bo, ann, cy, di = contribute(store, part("bo"), part(), part("cy"), part("di"))
        founded = (pattern("p", bo), pattern("q", bo, "Goes back."), pattern("s", bo, "Stays."))
        take_in(store, bo, *founded, minute=1, links=(link("q", "p", "before"),))
        dark = pattern("p", ann, "Dark words.", revision=2)
        ties = (link("r", "q", "by ann"), link("q", "s", "as ann has it"))
        take_in(store, ann, pattern("r", ann, "New."), dark, minute=2, links=ties)
        after = pattern("p", cy, "Dark and old words.", revision=3)
        take_in(store, cy, pattern("t", cy, "Newer."), after, minute=3,
                links=(link("t", "p", "both dark"), link("t", "q", "both go back")))  # fmt: skip
        take_in(store, di, pattern("u", di, "Last."), minute=4,
                links=(link("u", "p", "dark as well"), link("u", "s", "both stay")))  # fmt: skip

        forget(store)

        left = store.links(POOL, ["p", "q", "r", "s", "t", "u"])
        assert left == [link("q", "p", "before"), link("t", "q", "both go back"),
                        link("u", "s", "both stay")]  # fmt: skip
        assert store.links(POOL, ["p", "q", "s", "t", "u"], at=known(99)) == left
        assert len(told(store.graph(POOL))[4]) == 3
        assert waiting(store) == [cy]
        assert store.purge()
        assert store.occurrences([b"dark", b"Dark", b"as ann has it"]) == [0, 0, 0]
        assert store.check() == []

    def test_what_is_out_of_force_is_erased_too(self, store: Store) -> None:
        bo, ann, cy, again = contribute(store, part("bo"), part(), part("cy"), part(key="again"))
        take_in(store, bo, pattern("p", bo), minute=1)
        take_in(store, ann, pattern("p", ann, "Dark words.", revision=2), minute=2)
        undo(store, POOL, f"take-{ann}", by="op3", minute=3)
        take_in(store, cy, pattern("p", cy, "Other words.", revision=2), minute=4)
        take_in(store, again, pattern("q", again, "Dark too."), minute=5)
        marks = (*gone("note", "q"), *gone("message", again))
        write(store, POOL, id_="op6", minute=6, gone=marks)
        assert [r.number for r in store.history(POOL, "p")] == [1, 2, 3]

        receipt = forget(store)

        assert (receipt.messages, receipt.notes) == (2, 1)
        assert [r.text for r in store.history(POOL, "p")] == ["Turns to horror."]
        assert waiting(store) == [cy]
        kinds = [o.kind for o in store.list_operations(POOL)]
        assert kinds == ["erasure", "write"]
        assert store.marks_on(POOL, "note", ["q"]) == []
        assert store.purge()
        assert store.occurrences([b"Dark"]) == [0]
        assert store.check() == []

    def test_marks_on_what_is_withdrawn_alone_go_with_it(self, store: Store) -> None:
        bo, ann, cy = contribute(store, part("bo"), part(), part("cy"))
        take_in(store, bo, pattern("p", bo), minute=1)
        take_in(store, ann, pattern("p", ann, revision=2), minute=2, silent=("p",))
        take_in(store, cy, pattern("p", cy, revision=3), minute=3, silent=("p",))
        marks = [gone("revision", "p", revision=n, always=False) for n in (2, 3)]
        write(store, POOL, id_="op4", minute=4, gone=marks[0])
        write(store, POOL, id_="op5", minute=5, gone=marks[1])

        forget(store)

        assert store.marks_on(POOL, "revision", ["p"]) == [(marks[1][0], "op5")]
        assert store.operations(POOL, ["op4"]) == []
        assert supporting(store.graph(POOL), 5) == {("p", 1, "bo"), ("p", 3, "cy")}
        assert supporting(store.graph(POOL), 6) == {("p", 1, "bo")}
        assert store.check() == []

    def test_nothing_of_it_is_left(self, store: Store) -> None:
        canary = "Zyxwv."
        ann, said = contribute(
            store,
            part("an%n", canary, key="Zyxwv-key", metadata={"names": ["Zyxwv"]}),
            draft(canary, author="user:an%n", session="leaving", speaker="an%n"),
        )
        [bo] = contribute(store, part("bo"))
        founded = pattern("p", ann, canary, context=canary, keywords=(canary,))
        take_in(store, ann, founded, minute=1)
        merged = pattern("p", bo, f"{canary} And more.", revision=2)
        take_in(store, bo, merged, pattern("q", bo), minute=2, links=(link("q", "p", canary),))
        store.keep_replies(POOL, {"d": Reply(text=canary, model="m")}, now=NOON)
        write(store, POOL, id_="op3", minute=3, gone=gone("message", said))
        assert store.occurrences([b"Zyxwv"]) != [0] or not store.own_words()

        forget(store, "an%n")

        assert store.purge()
        assert store.occurrences([b"Zyxwv", b"zyxwv", b"an%n"]) == [0, 0, 0]
        assert "Zyxwv" not in repr(store.dump(POOL))
        assert store.replies(POOL, ["d"]) == {}
        with store.snapshot(POOL) as snapshot:
            assert snapshot.documents.refs == ("q",)
            assert len(snapshot.postings(["zyxwv"]).rows) == 0
        assert store.graph(POOL).users == ("bo",)
        assert store.check() == []

    def test_who_is_called_much_alike_keeps_theirs(self, store: Store) -> None:
        users = ("a", "ab", "A", "a%", "%", "_", " a")
        for n, id_ in enumerate(contribute(store, *map(part, users))):
            take_in(store, id_, pattern(f"p{n}", id_, f"Words {n}."), minute=n)

        for user in ("a", "a%", "%"):
            forget(store, user)

        assert {row[3] for row in supported(store.graph(POOL))} == {"ab", "A", "_", " a"}
        assert sorted(n.id for n in store.list_notes(POOL)) == ["p1", "p2", "p5", "p6"]
        assert waiting(store) == []
        assert store.check() == []

    def test_who_has_no_part_loses_nothing(self, store: Store) -> None:
        fill(store)

        assert_nothing_is_forgotten(store, "a")

    def test_a_document_stays_while_it_shows_what_is_left(self, store: Store) -> None:
        bo, ann, cy = contribute(store, part("bo"), part(), part("cy"))
        take_in(store, bo, pattern("p", bo), minute=1)
        take_in(store, ann, pattern("p", ann, revision=2), minute=2)
        take_in(store, cy, pattern("p", cy, revision=3), minute=3, silent=("p",))
        assert {each.revision for each in store.documents_of(POOL, 0, 9)} == {1, 2}

        assert forget(store).documents == 0

        assert {each.revision for each in store.documents_of(POOL, 0, 9)} == {1, 3}
        with store.snapshot(POOL) as snapshot:
            assert len(snapshot.postings(["horror"]).rows) == 1
        assert store.check() == []
