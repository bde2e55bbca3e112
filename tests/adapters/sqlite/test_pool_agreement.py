"""Whatever happens to a pool, both stores and its graph tell the same of it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from lamina.model import Note, Scope
from lamina.ports import Store, Writing
from lamina.testing.factories import (
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
from lamina.testing.graphs import supported, told
from tests.adapters.sqlite.both_stores import SETTINGS, USERS, BothShared, noted, users

FILMS, BOOKS = scope("films", "pool"), scope("films%", "pool")
owners = st.sampled_from([FILMS, FILMS, BOOKS])
places, minutes = st.integers(0, 5), st.integers(-3, 6)
ways = st.sampled_from(["words", "keywords", "settled", "settled"])


class Pooling(BothShared):
    OWNERS = (FILMS, BOOKS)

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

    @invariant()
    def both_share_the_same(self) -> None:
        for owner in self.OWNERS:
            self.both(partial(shared, owner))
            if self.looks % 3:
                self.both(partial(arrays, owner))


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


def arrays(owner: Scope, store: Store) -> Any:
    graph = store.graph(owner)
    return told(graph), supported(graph)


Pooling.TestCase.settings = settings(SETTINGS, stateful_step_count=10)
TestPooling = Pooling.TestCase
