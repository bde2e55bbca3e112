"""Two stores to which the same is done; see the tests of agreement."""

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
from lamina.model import At, Scope, Step
from lamina.ports import Archive, Document, Documents, Job, Store, is_interaction
from lamina.testing.clock import NOON, FakeClock
from lamina.testing.factories import (
    SPACE,
    append,
    at,
    document,
    gone,
    operation,
    shown,
    turn,
    writing,
)
from lamina.testing.graphs import counting, read_then

SETTINGS = settings(
    # By hand, longer: LONG_AGREEMENT=1000 pytest tests/adapters/sqlite/test_agreement.py
    max_examples=int(os.environ.get("LONG_AGREEMENT", "10")),
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
USERS = ("ann", "an", "0")
"""Of what several share."""
WRITE = [Step(kind="write", subject="")]
owners = st.sampled_from([0, 0, 1])
users, places, minutes = st.sampled_from(USERS), st.integers(0, 5), st.integers(-3, 6)


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


def noted(owner: Scope, store: Store) -> list[str]:
    """The ids of all notes that there ever were, hidden or not."""
    return sorted({each.id for each in store.dump(owner).revisions})


def told(owner: Scope, store: Store) -> Any:
    log = store.list_operations(owner)
    names = noted(owner, store)
    return (
        store.sessions(owner),
        store.participants(owner),
        store.buffer(owner),
        [store.history(owner, id_) for id_ in names],
        [store.revisions(owner, id_) for id_ in names],
        sorted(map(repr, store.formed_from(owner, names))),
        log,
        [store.gone_by(owner, each.id) for each in log],
        [store.written_by(owner, each.id) for each in log],
        [store.added_by(owner, each.id) for each in log],
        [store.consolidated_by(owner, each.id) for each in log],
        [store.marks_on(owner, what, names) for what in ("note", "revision")],
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
        sorted(map(repr, store.links(owner, noted(owner, store), at=moment))),
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
    """The turn of each message, and a document of each revision that tells something else.

    The same words may be told as a tag by one and as the context by another, which share nothing.
    """
    said = (message for message in archive.messages if not is_interaction(message))
    documents = [replace(turn(message.text), ref=message.id) for message in said]
    last: dict[str, object] = {}
    for each in archive.revisions:
        told = (each.text, each.keywords, each.tags, each.context)
        if each.indexed and last.get(each.id) != told:
            documents.append(document("note", each.id, shown(each), revision=each.revision))
        last[each.id] = told if each.indexed else None
    return documents


class BothStores(RuleBasedStateMachine):
    """What is done to both; subclasses say whose the two scopes are and give the other rules."""

    OWNERS: tuple[Scope, Scope]
    STEP = Step(kind="bind", subject="s1")

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

    def forget_part_of(self, owner: Scope, who: str) -> None:
        def erase(store: Store) -> Any:
            return store.forget_part(
                owner,
                author=f"user:{who}",
                speaker=who,
                now=self.clock.now(),
                steps=[self.STEP],
            )

        self.both(erase)

    def put_in_place(self, here: Scope, over: Scope) -> None:
        """Put what one scope has in the place of what another has."""
        archive = self.stores[1].dump(here)
        if not archive.messages:
            return

        def load(store: Store) -> None:
            store.forget(over, now=NOON)
            store.load(
                over, archive, documents_for(archive), steps=[self.STEP], now=self.clock.now()
            )
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

    @rule(owner=owners, place=places, always=st.booleans(), known=minutes)
    def withdraw(self, owner: int, place: int, always: bool, known: int) -> None:
        id_ = self.message(self.OWNERS[owner], place)
        if id_:
            self.write(self.OWNERS[owner], known, gone=gone("message", id_, always=always))

    @rule(owner=owners, place=st.integers(0, 3), known=minutes)
    def roll_back(self, owner: int, place: int, known: int) -> None:
        log = self.stores[1].list_operations(self.OWNERS[owner], limit=4)
        if log:
            marks = gone("operation", log[place % len(log)].id)
            self.write(self.OWNERS[owner], known, gone=marks)

    @rule(turned=st.booleans(), often=places)
    def take_over(self, turned: bool, often: int) -> None:
        if often <= 1:
            here, over = self.OWNERS
            self.put_in_place(*((over, here) if turned else (here, over)))

    @rule(owner=owners, often=places)
    def forget(self, owner: int, often: int) -> None:
        if often == 0:
            self.both(lambda store: store.forget(self.OWNERS[owner], now=NOON))

    @invariant()
    def both_tell_the_same(self) -> None:
        for owner in self.OWNERS:
            self.both(partial(told, owner))
            self.both(partial(kept, owner))
            for moment in self.moments():
                self.both(partial(read, owner, moment))
                self.both(partial(found, owner, moment))
        self.both(lambda store: set(store.scopes()))
        self.both(lambda store: without_ids(store.jobs(self.OWNERS[0])))
        self.both(lambda store: {**store.counts(), "unpurged": 0})
        for store in self.stores:
            assert store.check() == []

    @invariant()
    def nothing_shows_before_it_was_known(self) -> None:
        store = self.stores[0]
        for owner in self.OWNERS:
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


class BothShared(BothStores):
    """What is done to both where users share what is kept: recommenders and pools."""

    STEP = WRITE[0]

    def moments(self) -> list[At | None]:
        now, *past = super().moments()
        return [now, past[self.looks % 3]]

    def add(self, owner: Scope, *said: Any, steps: Any = WRITE) -> None:
        """Add messages by an operation of their own."""
        self.operations += 1
        now = self.clock.advance(minutes=1)
        made = operation(f"add{self.operations}", "add", recorded_at=now)
        self.both(lambda store: append(store, owner, said, now=now, operation=made, steps=steps))

    @rule(owner=owners, user=users, often=places)
    def forget_part(self, owner: int, user: str, often: int) -> None:
        if often < 4:
            self.forget_part_of(self.OWNERS[owner], user)

    @invariant()
    def both_tell_who_has_a_part(self) -> None:
        for user in USERS:
            self.both(partial(taking_part, user))

    @invariant()
    def the_graph_tells_what_reads_do(self) -> None:
        for store in self.stores:
            for owner in self.OWNERS:
                for minute in (self.looks * 7 % 11 - 3.5, self.looks % 7 - 1, 9999):
                    assert counting(store.graph(owner), minute) == read_then(store, owner, minute)


def taking_part(user: str, store: Store) -> set[Scope]:
    return set(store.parts("", f"user:{user}", user))
