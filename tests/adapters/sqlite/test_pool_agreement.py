"""Whatever happens to a pool, both stores and its graph tell the same of it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from lamina.model import At, Note, Scope, Step
from lamina.ports import Store, Writing
from lamina.testing.clock import NOON
from lamina.testing.factories import (
    append,
    at,
    draft,
    gone,
    link,
    operation,
    part,
    pattern,
    scope,
    writing,
)
from lamina.testing.graphs import counting, read_then, supported, told
from tests.adapters.sqlite.both_stores import SETTINGS, BothStores, noted

FILMS, BOOKS = scope("films", "pool"), scope("films%", "pool")
USERS = ("ann", "an", "0")
owners = st.sampled_from([FILMS, FILMS, BOOKS])
users, places, minutes = st.sampled_from(USERS), st.integers(0, 5), st.integers(-3, 6)
ways = st.sampled_from(["words", "keywords", "settled", "settled"])
WRITE = [Step(kind="write", subject="")]


class Pooling(BothStores):
    OWNERS = (FILMS, BOOKS)
    STEP = WRITE[0]

    def moments(self) -> list[At | None]:
        now, *past = super().moments()
        return [now, past[self.looks % 3]]

    def add(self, owner: Scope, *said: Any) -> None:
        """Add messages by an operation of their own."""
        self.operations += 1
        now = self.clock.advance(minutes=1)
        made = operation(f"add{self.operations}", "add", recorded_at=now)
        self.both(lambda store: append(store, owner, said, now=now, operation=made, steps=WRITE))

    @initialize(known=minutes)
    def begin(self, known: int) -> None:
        """Let three users have shaped a pattern, one of them without a word."""
        self.add(FILMS, *(part(user, f"tea {user}", said_at=at(0)) for user in USERS))
        for place, way in enumerate(("settled", "words", "settled")):
            self.take_in(FILMS, 1, 0, [way], place == 0, known + place)

    @rule(
        owner=owners,
        parts=st.lists(st.tuples(users, minutes, st.sampled_from([None, None, "k"])), max_size=3),
    )
    def contribute(self, owner: Scope, parts: list[tuple[str, int, str | None]]) -> None:
        said = (part(user, "tea", said_at=at(minute), key=key) for user, minute, key in parts)
        self.add(owner, *said)

    @rule(owner=owners, user=users)
    def leave(self, owner: Scope, user: str) -> None:
        statement = draft("milk", session="leaving", speaker=user, author=f"user:{user}")
        self.add(owner, replace(statement, infer=False))

    @rule(
        owner=owners,
        many=st.integers(1, 3),
        place=places,
        how=st.lists(ways, max_size=2),
        founds=st.booleans(),
        known=minutes,
    )
    def take_in(
        self, owner: Scope, many: int, place: int, how: list[str], founds: bool, known: int
    ) -> None:
        """Take the parts in that wait first, each by an operation, into one or two patterns."""
        store, now = self.stores[1], self.clock.advance(minutes=1)
        old = {each.id: each for each in store.notes(owner, noted(owner, store))}
        last = {id_: store.revisions(owner, id_)[-1].revision for id_ in old}
        writings = []
        for message in store.waiting(owner, many):
            self.operations += 1
            made = operation(f"op{self.operations}", "write", known_at=at(known), recorded_at=now)
            names = sorted(old)[place % max(1, len(old)) :]
            notes = [
                _evolved(old[name], way, self.operations, message.id)
                for name, way in zip(names, how, strict=False)
            ]
            if founds or not old:
                notes.append(pattern(f"p-{message.id}", message.id, f"tea {self.operations}"))
            writings.append(_taking(message.id, notes, how, made))
            for note in notes:
                last[note.id] = last.get(note.id, 0) + 1
                old[note.id] = replace(note, revision=last[note.id])
        self.both(lambda each: each.apply_all(owner, writings, now=now))

    @rule(owner=owners, place=places, number=st.integers(0, 3), always=st.booleans(), known=minutes)
    def put_out(self, owner: Scope, place: int, number: int, always: bool, known: int) -> None:
        names = noted(owner, self.stores[1])
        if names:
            what: Any = "revision" if number else "note"
            id_ = names[place % len(names)]
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

    @rule(owner=owners, user=users, often=places)
    def forget_part(self, owner: Scope, user: str, often: int) -> None:
        if often < 4:
            self.forget_part_of(owner, user)

    @rule(there=st.sampled_from([(FILMS, BOOKS), (BOOKS, FILMS)]), often=places)
    def take_over(self, there: tuple[Scope, Scope], often: int) -> None:
        if often <= 1:
            self.put_in_place(*there)

    @rule(owner=owners, often=places)
    def forget(self, owner: Scope, often: int) -> None:
        if often == 0:
            self.both(lambda store: store.forget(owner, now=NOON))

    @invariant()
    def both_share_the_same(self) -> None:
        for owner in self.OWNERS:
            self.both(partial(shared, owner))
            if self.looks % 3:
                self.both(partial(arrays, owner))
        for user in USERS:
            self.both(partial(taking_part, user))

    @invariant()
    def the_graph_tells_what_reads_do(self) -> None:
        for store in self.stores:
            for owner in self.OWNERS:
                for minute in (self.looks * 7 % 11 - 3.5, self.looks % 7 - 1, 9999):
                    assert counting(store.graph(owner), minute) == read_then(store, owner, minute)


def _evolved(note: Note, way: str, number: int, id_: str) -> Note:
    new = replace(note, revision=note.revision + 1, sources=(id_,))
    if way == "words":
        return replace(new, text=f"{note.text} {number}")
    return replace(new, keywords=(*note.keywords, f"tea{number}")) if way == "keywords" else new


def _taking(id_: str, notes: Sequence[Note], how: Sequence[str], made: Any) -> Writing:
    """Return what takes a part in; its founder is linked with the others."""
    silent = [note.id for note, way in zip(notes, how, strict=False) if way == "settled"]
    if notes and notes[-1].revision == 1:
        ties = tuple(link(notes[-1].id, each.id, each.text) for each in notes[:-1])
        silent = [each for each in silent if each != notes[-1].id]
    else:
        ties = ()
    whole = writing(*notes, operation=made, links=ties, progress={id_: "bound"})
    return replace(whole, documents=tuple(d for d in whole.documents if d.ref not in silent))


def shared(owner: Scope, store: Store) -> Any:
    return store.waiting(owner, 99), store.unformed(owner)


def taking_part(user: str, store: Store) -> set[Scope]:
    return set(store.parts("", f"user:{user}", user))


def arrays(owner: Scope, store: Store) -> Any:
    graph = store.graph(owner)
    return told(graph), supported(graph)


Pooling.TestCase.settings = settings(SETTINGS, stateful_step_count=10)
TestPooling = Pooling.TestCase
