"""Whatever happens to both, the SQLite store and the one in memory stay the same, at any moment."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import rule

from lamina.model import Gone, Scope, Step
from lamina.ports import Lease, Store
from lamina.testing.factories import (
    append,
    at,
    draft,
    exchange,
    gone,
    link,
    note,
    operation,
    scope,
)
from tests.adapters.sqlite.both_stores import SETTINGS, BothStores

OWNERS = (scope("a", "conversation"), scope("a%", "space"))
WORDS = ("tea", "tea and milk", "", "北京 \ud83d", "a\x00b")
NOTES = "nmo"
owners = st.sampled_from(OWNERS)
places = st.integers(0, 5)
notes = st.sampled_from(NOTES)
minutes = st.integers(-3, 6)
texts = st.sampled_from(WORDS)
drafts = st.builds(
    draft,
    texts,
    session=st.sampled_from(["s1", "s2"]),
    speaker=st.sampled_from(["ann", "bo"]),
    author=st.sampled_from([None, "user:ann"]),
    said_at=minutes.map(at),
    timed=st.booleans(),
    infer=st.booleans(),
    key=st.sampled_from([None, None, None, "k"]),
)
kinds = st.sampled_from(["fact", "relation", "summary"])


class Talking(BothStores):
    OWNERS = OWNERS

    @rule(owner=owners, said=st.lists(drafts, max_size=3), named=st.booleans())
    def add(self, owner: Scope, said: list[Any], named: bool) -> None:
        self.operations += 1
        now = self.clock.advance(minutes=1)
        made = operation(f"add{self.operations}", "add", recorded_at=now) if named else None
        self.both(lambda store: append(store, owner, said, now=now, operation=made))

    @rule(owner=owners, place=places, id_=notes, kind=kinds, known=minutes)
    def note(self, owner: Scope, place: int, id_: str, kind: Any, known: int) -> None:
        event = self.message(owner, place)
        sources = (event,) if event else ()
        heard = None if kind == "summary" else event
        made = note(id_, f"{id_} tea", kind=kind, event=heard, sources=sources, said_at=at(place))
        self.write(owner, known, notes=(made,))

    @rule(
        owner=owners, id_=notes, text=st.sampled_from(WORDS), indexed=st.booleans(), known=minutes
    )
    def revise(self, owner: Scope, id_: str, text: str, indexed: bool, known: int) -> None:
        for old in self.stores[1].notes(owner, [id_]):
            new = replace(old, text=text, revision=old.revision + 1, indexed=indexed)
            self.write(owner, known, notes=(new,))

    @rule(owner=owners, pair=st.tuples(notes, notes), minute=places, known=minutes)
    def supersede(self, owner: Scope, pair: tuple[str, str], minute: int, known: int) -> None:
        old, heir = (self.stores[1].notes(owner, [id_]) for id_ in pair)
        if old and heir:
            new = replace(
                old[0],
                revision=old[0].revision + 1,
                superseded_by=heir[0].id,
                invalid_at=at(minute),
                parents=(heir[0].id,),
            )
            self.write(owner, known, notes=(new,), documents=())

    @rule(owner=owners, id_=notes, number=st.integers(0, 3), always=st.booleans(), known=minutes)
    def put_out(self, owner: Scope, id_: str, number: int, always: bool, known: int) -> None:
        what: Any = "revision" if number else "note"
        marks = gone(what, id_, revision=number, always=always)
        self.write(owner, known, gone=marks)

    @rule(owner=owners, session=st.sampled_from(["s1", "s2"]))
    def index(self, owner: Scope, session: str) -> None:
        stale = self.both(lambda store: store.stale_exchanges(owner, session, 2))
        shown = tuple(exchange(pair.previous, pair.message) for pair in stale)
        self.write(owner, documents=shown)

    @rule(owner=owners, place=places, progress=st.sampled_from(["bound", "unextracted"]))
    def come_on(self, owner: Scope, place: int, progress: Any) -> None:
        id_ = self.message(owner, place)
        if id_:
            reopened: tuple[Gone, ...] = gone("consolidation", id_) if place % 3 == 2 else ()
            done = (id_,) * (place % 2)
            self.write(owner, progress={id_: progress}, consolidated=done, gone=reopened)

    @rule(owner=owners, ends=st.tuples(notes, notes), known=minutes)
    def tie(self, owner: Scope, ends: tuple[str, str], known: int) -> None:
        self.write(owner, known, links=(link(*ends),))

    @rule(owner=owners, session=st.sampled_from(["s1", "s2", "s3"]))
    def close(self, owner: Scope, session: str) -> None:
        steps = [Step(kind="consolidate", subject=session), Step(kind="supersede", subject="op1")]
        now = self.clock.now()
        self.both(lambda store: store.close_session(owner, session, steps=steps, now=now))

    @rule(place=places, fail=st.booleans(), minutes=places)
    def work(self, place: int, fail: bool, minutes: int) -> None:
        now = self.clock.advance(minutes=minutes)
        lease: Lease | None = self.both(lambda store: store.lease("me", 120, now=now))
        if lease is None:
            return

        def do(store: Store) -> None:
            jobs = store.jobs(lease.scope)
            job = jobs[place % len(jobs)]
            if fail:
                store.postpone(job, lease, due_at=at(9), error="no", now=now)
            else:
                store.finish(job, lease, now=now)

        self.both(do)
        if place % 2:
            self.both(lambda store: store.release(lease))

    @rule(owner=owners, who=st.sampled_from(["ann", "bo"]), often=places)
    def forget_part(self, owner: Scope, who: str, often: int) -> None:
        if often < 3:
            self.forget_part_of(owner, who)


Talking.TestCase.settings = SETTINGS
TestTalking = Talking.TestCase
