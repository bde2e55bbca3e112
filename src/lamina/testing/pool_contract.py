"""The promises of `lamina.ports.Recommending` about pools of patterns, as tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from lamina.errors import Conflict
from lamina.model import At, Note, Scope, Step
from lamina.ports import Graph, MessageDraft, Store, Writing
from lamina.testing.clock import NOON
from lamina.testing.factories import (
    act,
    append,
    at,
    gone,
    link,
    operation,
    part,
    pattern,
    recorded,
    say,
    scope,
    shown,
    vector,
    write,
    writing,
)
from lamina.testing.graphs import (
    counting,
    micros,
    read_then,
    rounded,
    supported,
    told,
)
from lamina.testing.store_contract import StoreContract
from lamina.testing.transfer_contract import shown_by

POOL, ELSEWHERE = scope("films", "pool"), scope("books", "pool")
STEP = (Step(kind="write", subject=""),)
RELATED = "both turn from laughter to fear"


def contribute(store: Store, *parts: MessageDraft, where: Scope = POOL) -> list[str]:
    """Store parts in one call and return their ids."""
    return say(store, where, *parts, steps=STEP)


def taking_in(
    taken_in: str, *notes: Note, minute: float = 0, silent: Sequence[str] = (), **given: Any
) -> Writing:
    """Return the operation that takes one part in; what `silent` names says nothing new by that."""
    made = operation(given.pop("id_", f"take-{taken_in}"), "write", minute=minute)
    whole = writing(*notes, operation=made, progress={taken_in: "bound"}, **given)
    return replace(whole, documents=tuple(d for d in whole.documents if d.ref not in silent))


def take_in(store: Store, taken_in: str, *notes: Note, where: Scope = POOL, **given: Any) -> None:
    """Take one part in, now."""
    store.apply(where, taking_in(taken_in, *notes, **given), now=NOON)


def grow(store: Store) -> Iterator[dict[str, str]]:
    """Let a pool go through all that can happen to one; yields ids by user after each step."""
    users = ("ann", "bo", "cy", "di")
    said = [part(user, f"Words of {user}.", said_at=at(i)) for i, user in enumerate(users)]
    ids = dict(zip(users, contribute(store, *said), strict=True))
    yield ids
    ann, bo, cy, di = ids.values()
    take_in(store, ann, pattern("p", ann, "Words of ann."), minute=1)
    yield ids
    merged = pattern("p", bo, "Words of ann and bo.", revision=2)
    take_in(store, bo, merged, minute=2)
    yield ids
    same = replace(merged, revision=3, sources=(cy,))
    take_in(store, cy, pattern("q", cy, "Words of cy."), same, minute=3,
            silent=("p",), links=(link("q", "p", RELATED),))  # fmt: skip
    yield ids
    both = pattern("q", di, "Words of cy and di.", revision=2)
    take_in(store, di, both, pattern("r", di, "Words of di."), minute=4)
    yield ids
    [again] = contribute(store, part("bo", "Other words of bo.", said_at=at(5)))
    silent = replace(both, revision=3, sources=(again,))
    take_in(store, again, silent, minute=6, silent=("q",))
    yield ids
    marks = (*gone("note", "r", always=False), *gone("message", di, always=False))
    write(store, POOL, id_="op7", minute=7, gone=marks)
    yield ids


def fill(store: Store) -> dict[str, str]:
    """Let all of that happen; return the id of each user's first part."""
    *_, ids = grow(store)
    return ids


class PoolContract(StoreContract):
    """What `Recommending` promises of parts and patterns; see `StoreContract`."""

    def test_a_part_is_read_back_as_it_was_given_and_has_no_document(self, store: Store) -> None:
        given = part(
            key="window-1",
            metadata={"explanation": "Turns to horror.", "keywords": ["fear"], "raw": False,
                      "interactions": ["m1", "m2"], "names": ["Alien", "ann"]},
        )  # fmt: skip
        [id_] = contribute(store, given)

        [found] = store.messages(POOL, [id_])
        for name in ("session", "speaker", "text", "said_at", "key", "metadata", "author", "item"):
            assert getattr(found, name) == getattr(given, name)
        assert (found.action, found.progress) == ("window", "pending")
        assert store.documents_of(POOL, 0, 9) == []
        assert store.counts(POOL)["documents"] == 0
        assert store.check() == []

    def test_the_same_window_is_the_same_part(self, store: Store) -> None:
        [first] = append(store, POOL, [part(key="k")])
        [again] = append(store, POOL, [part(key="k")])
        [other] = append(store, POOL, [part(key="k2")])

        assert (again.id, again.new, other.new) == (first.id, False, True)
        assert len(store.latest(POOL, 9)) == 2

    def test_parts_wait_as_recorded_whenever_they_were_done(self, store: Store) -> None:
        ids = contribute(
            store,
            part("bo", said_at=at(5)),
            part("ann", said_at=at(3)),
            part("bo", "Goes back.", said_at=at(1)),
        )
        [late] = contribute(store, part("cy", said_at=at(-9)))
        [done, failed] = contribute(store, part("di"), part("eve"))
        write(store, POOL, id_="op1", progress={done: "bound", failed: "unextracted"})

        assert [m.id for m in store.waiting(POOL, 9)] == [*ids, late]
        assert [m.id for m in store.waiting(POOL, 2)] == ids[:2]
        assert store.waiting(POOL, 0) == store.waiting(ELSEWHERE, 9) == []
        assert (store.unformed(POOL), store.unformed(ELSEWHERE)) == (5, 0)

    def test_what_is_withdrawn_waits_no_more(self, store: Store) -> None:
        ann, bo = contribute(store, part(), part("bo"))
        write(store, POOL, id_="op1", gone=gone("message", ann, always=False))

        assert [m.id for m in store.waiting(POOL, 9)] == [bo]
        assert store.unformed(POOL) == 1

    def test_a_pool_is_not_its_recommender(self, store: Store) -> None:
        films = scope("films", "recommender")
        contribute(store, part())
        say(store, films, act("bo"), steps=())
        store.configure(POOL, {"k": 3})

        assert store.graph(films).users == ("bo",)
        assert store.graph(POOL).users == ("ann",)
        assert len(store.waiting(films, 9)) == len(store.waiting(POOL, 9)) == 1
        assert store.configuration(films) == {}
        store.forget(films, now=NOON)
        assert store.graph(POOL).users == ("ann",)
        assert store.configuration(POOL) == {"k": 3}

    def test_parts_are_in_the_graph_as_interactions(self, store: Store) -> None:
        ann, bo = contribute(store, part(said_at=at(2)), part("bo", said_at=at(1)))

        graph = store.graph(POOL)

        assert graph.messages == (bo, ann)
        assert (graph.users, graph.items, graph.action_names) == (
            ("ann", "bo"), ("films",), ("window",),
        )  # fmt: skip
        assert [graph.users[i] for i in graph.by] == ["bo", "ann"]
        assert graph.said_at.tolist() == [micros(1), micros(2)]
        assert graph.refs == graph.note_names == ()

    def test_a_pattern_is_read_back_with_all_that_it_says(self, store: Store) -> None:
        [ann] = contribute(store, part())
        given = pattern("p", ann, keywords=("fear", "space"), operation=f"take-{ann}")
        take_in(store, ann, given)

        [found] = store.notes(POOL, ["p"])
        assert found == given
        assert store.list_notes(POOL, kind="pattern") == store.resting_on(POOL, [ann]) == [found]
        assert store.revisions(POOL, "p") == [found]
        assert store.messages(POOL, [ann])[0].progress == "bound"
        assert store.waiting(POOL, 9) == []
        with store.snapshot(POOL) as snapshot:
            assert snapshot.documents.refs == ("p",)
            [row] = snapshot.postings(["horror"]).rows
            assert rounded(snapshot.documents.vectors[row]) == rounded(vector(shown(given)))

    def test_patterns_are_counted(self, store: Store) -> None:
        ann, bo, cy = contribute(store, part(), part("bo"), part("cy"))
        take_in(store, ann, pattern("p", ann))
        take_in(store, bo, pattern("q", bo), pattern("p", bo, revision=2))
        take_in(store, cy, pattern("r", cy))
        write(store, POOL, id_="op9", gone=gone("note", "r", always=False))

        assert store.counts(POOL)["patterns"] == store.counts()["patterns"] == 2
        assert store.counts(ELSEWHERE)["patterns"] == 0

    def test_what_was_not_read_last_is_not_revised(self, store: Store) -> None:
        ann, bo = contribute(store, part(), part("bo"))
        take_in(store, ann, pattern("p", ann))
        take_in(store, bo, pattern("p", bo, revision=2))

        with pytest.raises(Conflict):
            take_in(store, bo, pattern("p", bo, revision=2), id_="again")
        assert len(store.revisions(POOL, "p")) == 2

    def test_growing_step_by_step_is_as_being_filled_at_once(self, store: Store) -> None:
        seen: list[tuple[Graph, Any]] = []
        for number, _ in enumerate(grow(store)):
            graph = store.graph(POOL)
            assert store.graph(POOL) is graph
            copy = scope(f"copy{number}", "pool")
            archive = store.dump(POOL)
            store.load(copy, archive, shown_by(archive), steps=(), now=NOON)
            assert supported(store.graph(copy)) == supported(graph)
            assert told(store.graph(copy)) == told(graph)
            seen.append((graph, (told(graph), supported(graph))))

        assert len({id(graph) for graph, _ in seen}) == len(seen) == 7
        for graph, then in seen:
            assert (told(graph), supported(graph)) == then

    @pytest.mark.parametrize("minute", [0.5, 1, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 99])
    def test_the_graph_tells_what_reads_do(self, store: Store, minute: float) -> None:
        fill(store)

        assert counting(store.graph(POOL), minute) == read_then(store, POOL, minute)

    @pytest.mark.parametrize("moment", [None, At(as_of=at(3.5)), recorded(3.5)], ids=range(3))
    def test_what_was_put_in_is_as_what_was_taken_out(
        self, store: Store, moment: At | None
    ) -> None:
        fill(store)
        store.configure(POOL, {"k": 4})
        archive = store.dump(POOL)

        store.load(ELSEWHERE, archive, shown_by(archive), steps=(), now=NOON)

        assert store.dump(ELSEWHERE) == archive
        assert store.list_notes(ELSEWHERE, at=moment) == store.list_notes(POOL, at=moment)
        assert supported(store.graph(ELSEWHERE)) == supported(store.graph(POOL))
        assert store.waiting(ELSEWHERE, 9) == store.waiting(POOL, 9)
        assert store.check() == []

    def test_the_taking_in_of_parts_is_asked_for_again(self, store: Store) -> None:
        say(store, POOL, part(), part("bo"), steps=())

        assert store.repair(now=NOON).rebuilt == {"steps": 1}
        assert [job.step for job in store.jobs(POOL)] == list(STEP)
