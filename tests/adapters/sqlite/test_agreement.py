"""Whatever happens to both, the SQLite store and the one in memory stay the same, at any moment."""

import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from lamina.adapters.in_memory import InMemoryStore
from lamina.adapters.sqlite import SqliteStore
from lamina.errors import LaminaError
from lamina.model import At, Gone, Scope, Step
from lamina.ports import Archive, Document, Documents, Job, Lease, Store
from lamina.testing.clock import NOON, FakeClock
from lamina.testing.factories import (
    SPACE,
    append,
    at,
    document,
    draft,
    exchange,
    gone,
    link,
    note,
    operation,
    scope,
    turn,
    writing,
)

OWNERS = (scope("a", "conversation"), scope("a%", "space"))
WORDS = ("tea", "tea and milk", "", "北京 \ud83d", "a\x00b")
NOTES = "nmo"
STEP = [Step(kind="bind", subject="s1")]
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


def rows(documents: Documents) -> list[tuple[Any, ...]]:
    """What each document says of itself, with names in place of numbers."""
    sessions, speakers = (*documents.session_names, None), (*documents.speaker_names, None)
    return [
        (ref, view, kind, turn, sessions[session], speakers[speaker], said_at, length)
        for ref, view, kind, turn, session, speaker, said_at, length in zip(
            documents.refs,
            documents.views.tolist(),
            documents.kinds.tolist(),
            documents.turns.tolist(),
            documents.sessions.tolist(),
            documents.speakers.tolist(),
            documents.said_at.tolist(),
            documents.lengths.tolist(),
            strict=True,
        )
    ]


def without_ids(jobs: list[Job]) -> list[Job]:
    return [replace(job, id=0) for job in jobs]


def told(owner: Scope, store: Store) -> Any:
    log = store.list_operations(owner)
    return (
        store.sessions(owner),
        store.participants(owner),
        store.buffer(owner),
        [store.history(owner, id_) for id_ in NOTES],
        [store.revisions(owner, id_) for id_ in NOTES],
        sorted(map(repr, store.formed_from(owner, NOTES))),
        log,
        [store.gone_by(owner, each.id) for each in log],
        [store.written_by(owner, each.id) for each in log],
        [store.added_by(owner, each.id) for each in log],
        [store.consolidated_by(owner, each.id) for each in log],
        [store.marks_on(owner, what, NOTES) for what in ("note", "revision")],
        store.marks_on(owner, "operation", [each.id for each in log]),
    )


def kept(owner: Scope, store: Store) -> Any:
    whole = store.dump(owner)
    documents = store.documents_of(owner, 0, 999)
    shown = sorted((d.view, d.ref, d.revision) for d in documents if d.view != "exchange")
    ties = sorted((each.source, each.target, by) for each, by in whole.links)
    said = [message.id for message in whole.messages]
    assert store.recorded(owner, said) == list(whole.messages)
    on_messages = [mark for mark in whole.gone if mark[0].what == "message"]
    assert store.marks_on(owner, "message", said) == on_messages
    return replace(whole, links=()), ties, shown, store.counts(owner), store.epoch(owner)


def read(owner: Scope, moment: At | None, store: Store) -> Any:
    said = store.latest(owner, 99, at=moment)
    ids = [message.id for message in said]
    return (
        said,
        store.list_notes(owner, at=moment),
        store.list_notes(owner, at=moment, superseded=True),
        store.list_notes(owner, at=moment, valid_on=at(2)),
        store.of_messages(owner, ids, at=moment),
        store.resting_on(owner, ids[:1], at=moment),
        sorted(map(repr, store.links(owner, NOTES, at=moment))),
    )


def found(owner: Scope, moment: At | None, store: Store) -> Any:
    with store.snapshot(owner, at=moment) as snapshot:
        documents = snapshot.documents
        postings = snapshot.postings(["tea", "milk", "nope", "北京"])
    rests = zip(documents.rest_rows.tolist(), documents.rest_turns.tolist(), strict=True)
    return (
        rows(documents),
        documents.turn_refs,
        sorted(rests),
        documents.vectors[:].tolist(),
        postings.starts.tolist(),
        postings.rows.tolist(),
        postings.counts.tolist(),
    )


def documents_for(archive: Archive) -> list[Document]:
    """The turn of each message, and a document of each revision that has other words."""
    shown = [replace(turn(m.text), ref=m.id) for m in archive.messages]
    last: dict[str, str] = {}
    for each in archive.revisions:
        if each.indexed and last.get(each.id) != each.text:
            shown.append(document("note", each.id, each.text, revision=each.revision))
        last[each.id] = each.text if each.indexed else ""
    return shown


class BothStores(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.mkdtemp()
        self.stores: tuple[Store, Store] = (
            SqliteStore(Path(self.folder) / "memory.db"),
            InMemoryStore(),
        )
        self.clock = FakeClock()
        self.operations = 0
        self.looks = 0
        for store in self.stores:
            store.set_space(SPACE)

    def both(self, ask: Callable[[Store], Any]) -> Any:
        """Ask both stores the same; they must give the same answer or the same error."""
        answers: list[Any] = []
        for store in self.stores:
            try:
                answers.append(ask(store))
            except LaminaError as error:
                answers.append(type(error))
        assert answers[0] == answers[1]
        return answers[0]

    def write(self, owner: Scope, known: int = 0, **given: Any) -> None:
        """Apply one operation, known when told, recorded a minute after the one before."""
        self.operations += 1
        now = self.clock.advance(minutes=1)
        made = operation(f"op{self.operations}", known_at=at(known), recorded_at=now)
        whole = writing(*given.pop("notes", ()), operation=made, **given)
        self.both(lambda store: store.apply(owner, whole, now=now))

    def message(self, owner: Scope, place: int) -> str | None:
        said = self.stores[1].latest(owner, 99)
        return said[place % len(said)].id if said else None

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

    @rule(owner=owners, place=places, always=st.booleans(), known=minutes)
    def withdraw(self, owner: Scope, place: int, always: bool, known: int) -> None:
        id_ = self.message(owner, place)
        if id_:
            self.write(owner, known, gone=gone("message", id_, always=always))

    @rule(owner=owners, place=st.integers(0, 3), known=minutes)
    def roll_back(self, owner: Scope, place: int, known: int) -> None:
        log = self.stores[1].list_operations(owner, limit=4)
        if log:
            self.write(owner, known, gone=gone("operation", log[place % len(log)].id))

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

    @rule(owner=owners, often=places)
    def forget(self, owner: Scope, often: int) -> None:
        if often == 0:
            self.both(lambda store: store.forget(owner, now=NOON))

    @rule(owner=owners, who=st.sampled_from(["ann", "bo"]), often=places)
    def forget_part(self, owner: Scope, who: str, often: int) -> None:
        def erase(store: Store) -> Any:
            return store.forget_part(
                owner, author=f"user:{who}", speaker=who, now=self.clock.now(), steps=STEP
            )

        if often < 3:
            self.both(erase)

    @rule(there=st.sampled_from([OWNERS, OWNERS[::-1]]), often=places)
    def take_over(self, there: tuple[Scope, Scope], often: int) -> None:
        """Put what one scope has in the place of what the other has."""
        here, over = there
        archive = self.stores[1].dump(here)
        if often > 1 or not archive.messages:
            return

        def load(store: Store) -> None:
            store.forget(over, now=NOON)
            store.load(over, archive, documents_for(archive), steps=STEP, now=self.clock.now())
            assert kept(over, store)[0] == kept(here, store)[0]

        self.both(load)

    def moments(self) -> list[At | None]:
        """Now, and three moments that are others after every step."""
        self.looks += 1
        as_of = at(self.looks * 5 % 12 - 4)
        recorded = at(self.looks * 7 % (self.operations + 2))
        return [
            None,
            At(as_of=as_of),
            At(recorded_as_of=recorded),
            At(as_of=at(self.looks * 7 % 10 - 2), recorded_as_of=recorded),
        ]

    @invariant()
    def both_tell_the_same(self) -> None:
        for owner in OWNERS:
            self.both(partial(told, owner))
            self.both(partial(kept, owner))
            for moment in self.moments():
                self.both(partial(read, owner, moment))
                self.both(partial(found, owner, moment))
        self.both(lambda store: set(store.scopes()))
        self.both(lambda store: without_ids(store.jobs(OWNERS[0])))
        self.both(lambda store: {**store.counts(), "unpurged": 0})
        for store in self.stores:
            assert store.check() == []

    @invariant()
    def nothing_shows_before_it_was_known(self) -> None:
        store = self.stores[0]
        for owner in OWNERS:
            as_of = at(self.looks * 5 % 12 - 4)
            moment = At(as_of=as_of)
            said = store.latest(owner, 99, at=moment)
            written = store.list_notes(owner, at=moment, superseded=True)
            assert all(message.said_at < as_of for message in said)
            assert all(each.known_at < as_of for each in written)
            with store.snapshot(owner, at=moment) as snapshot:
                shown = set(snapshot.documents.refs)
            assert shown <= {m.id for m in said} | {n.id for n in written}

    def teardown(self) -> None:
        for store in self.stores:
            store.close()
        shutil.rmtree(self.folder)


BothStores.TestCase.settings = settings(
    # By hand, longer: LONG_AGREEMENT=1000 pytest tests/adapters/sqlite/test_agreement.py
    max_examples=int(os.environ.get("LONG_AGREEMENT", "10")),
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestBothStores = BothStores.TestCase
