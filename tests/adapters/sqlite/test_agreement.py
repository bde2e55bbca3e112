"""Whatever happens to both, the SQLite store and the one in memory stay the same."""

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
from lamina.model import Scope, Step
from lamina.ports import Documents, Job, Lease, Store
from lamina.testing.clock import NOON, FakeClock
from lamina.testing.factories import SPACE, append, at, draft, exchange, link, note, scope, writing

OWNERS = (scope("a"), scope("a%"))
WORDS = ("tea", "tea and milk", "", "北京 \ud83d", "a\x00b")
owners = st.sampled_from(OWNERS)
places = st.integers(0, 5)
drafts = st.builds(
    draft,
    st.sampled_from(WORDS),
    session=st.sampled_from(["s1", "s2"]),
    speaker=st.sampled_from(["ann", "bo"]),
    said_at=st.integers(-3, 3).map(at),
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
    return (
        store.latest(owner, 99),
        store.sessions(owner),
        store.participants(owner),
        store.buffer(owner),
        store.list_notes(owner),
        [store.history(owner, id_) for id_ in "nmo"],
        set(store.links(owner, list("nmo"))),
    )


def counted(owner: Scope, store: Store) -> Any:
    return store.counts(owner), store.epoch(owner)


def found(owner: Scope, store: Store) -> Any:
    with store.snapshot(owner) as snapshot:
        documents = snapshot.documents
        postings = snapshot.postings(["tea", "milk", "nope", "北京"])
    rests = zip(documents.rest_rows.tolist(), documents.rest_turns.tolist(), strict=True)
    return (
        rows(documents),
        documents.turn_refs,
        sorted(rests),
        documents.vectors.tolist(),
        postings.starts.tolist(),
        postings.rows.tolist(),
        postings.counts.tolist(),
    )


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

    def write(self, owner: Scope, **given: Any) -> None:
        self.operations += 1
        made = writing(*given.pop("notes", ()), id_=f"op{self.operations}", **given)
        self.both(lambda store: store.apply(owner, made, now=self.clock.now()))

    def message(self, owner: Scope, place: int) -> str | None:
        said = self.stores[1].latest(owner, 99)
        return said[place % len(said)].id if said else None

    @rule(owner=owners, said=st.lists(drafts, max_size=3))
    def add(self, owner: Scope, said: list[Any]) -> None:
        self.both(lambda store: append(store, owner, said, now=self.clock.now()))

    @rule(owner=owners, place=places, id_=st.sampled_from("nmo"), kind=kinds, minute=places)
    def note(self, owner: Scope, place: int, id_: str, kind: Any, minute: int) -> None:
        event = self.message(owner, place)
        sources = (event,) if event else ()
        read = None if kind == "summary" else event
        made = note(id_, f"{id_} tea", kind=kind, event=read, sources=sources, said_at=at(minute))
        self.write(owner, notes=(made,))

    @rule(owner=owners, id_=st.sampled_from("nmo"), indexed=st.booleans())
    def revise(self, owner: Scope, id_: str, indexed: bool) -> None:
        for old in self.stores[1].notes(owner, [id_]):
            new = replace(old, text="milk", revision=old.revision + 1, indexed=indexed)
            self.write(owner, notes=(new,))

    @rule(owner=owners, place=places, restore=st.booleans(), id_=st.sampled_from("nm"))
    def withdraw(self, owner: Scope, place: int, restore: bool, id_: str) -> None:
        known = [event for event in (self.message(owner, place), id_) if event]
        for each in known:
            self.write(owner, **{"restore" if restore else "withdraw": (each,)})

    @rule(owner=owners, session=st.sampled_from(["s1", "s2"]))
    def index(self, owner: Scope, session: str) -> None:
        stale = self.both(lambda store: store.stale_exchanges(owner, session, 2))
        shown = tuple(exchange(pair.previous, pair.message) for pair in stale)
        self.write(owner, documents=shown)

    @rule(owner=owners, place=places, progress=st.sampled_from(["bound", "unextracted"]))
    def come_on(self, owner: Scope, place: int, progress: Any) -> None:
        id_ = self.message(owner, place)
        if id_:
            self.write(owner, progress={id_: progress}, consolidated=(id_,) * (place % 2))

    @rule(owner=owners, ends=st.tuples(st.sampled_from("nmo"), st.sampled_from("nmo")))
    def tie(self, owner: Scope, ends: tuple[str, str]) -> None:
        self.write(owner, links=(link(*ends),))

    @rule(owner=owners, session=st.sampled_from(["s1", "s2", "s3"]))
    def close(self, owner: Scope, session: str) -> None:
        steps = [Step(kind="consolidate", subject=session)]
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

    @invariant()
    def both_tell_the_same(self) -> None:
        for owner in OWNERS:
            for asked in (told, counted, found):
                self.both(partial(asked, owner))
        self.both(lambda store: set(store.scopes()))
        self.both(lambda store: without_ids(store.jobs(OWNERS[0])))
        self.both(lambda store: store.counts())
        self.both(lambda store: store.check())

    def teardown(self) -> None:
        for store in self.stores:
            store.close()
        shutil.rmtree(self.folder)


BothStores.TestCase.settings = settings(
    max_examples=12,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestBothStores = BothStores.TestCase
