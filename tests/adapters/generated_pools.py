"""Pools as anything may have made them, and what is to be left of one when somebody goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from hypothesis import strategies as st

from lamina.model import Gone, Link, Message, Note, Scope
from lamina.ports import Archive, Store
from lamina.testing.clock import NOON
from lamina.testing.factories import at, gone, link, part, pattern, undo, write
from lamina.testing.pool_contract import STEP, contribute, taking_in

USERS = ("a", "ab", "A", "a%")
How = Literal["words", "keywords", "settled"]
After = Literal["", "undo", "revision", "note", "message"]


@dataclass(frozen=True)
class Turn:
    """One part and what comes of it. All that it says anew has its word in it."""

    user: str
    founds: bool
    evolves: dict[int, How]
    """Which of the patterns that are there take it in, and what each says by that."""
    links: bool
    after: After
    """What is put out of force afterwards."""


turns = st.builds(
    Turn,
    user=st.sampled_from(USERS),
    founds=st.booleans(),
    evolves=st.dictionaries(
        st.integers(0, 3), st.sampled_from(["words", "keywords", "settled", "settled"]), max_size=2
    ),
    links=st.booleans(),
    after=st.sampled_from(["", "", "", "", "undo", "revision", "note", "message"]),
)
pools = st.lists(turns, min_size=2, max_size=12)


def word(number: int) -> str:
    """Return the word that a turn alone brings."""
    return f"w{number}x"


def play(store: Store, pool: Sequence[Turn], owner: Scope) -> None:
    """Let a pool come about."""
    for number, turn in enumerate(pool):
        [id_] = contribute(store, part(turn.user, word(number), said_at=at(number)), where=owner)
        notes, silent = _formed(store, owner, turn, number, id_)
        if notes:
            ties = tuple(_links(store, owner, notes, number)) if turn.links else ()
            taking = taking_in(
                id_, *notes, id_=f"take{number}", minute=number, silent=silent, links=ties
            )
            store.apply(owner, taking, now=NOON)
        _put_out(store, owner, turn.after, number, id_, notes)


def _formed(
    store: Store, owner: Scope, turn: Turn, number: int, id_: str
) -> tuple[list[Note], list[str]]:
    """Return what takes a part in, and what of it says nothing new."""
    there = sorted(store.list_notes(owner), key=lambda note: note.id)
    chosen = {there[place % len(there)].id: how for place, how in turn.evolves.items() if there}
    notes = [_evolved(note, chosen[note.id], number, id_) for note in there if note.id in chosen]
    silent = [id_ for id_, how in chosen.items() if how == "settled"]
    if turn.founds:
        notes.append(pattern(f"p{number}", id_, word(number), context=""))
    return notes, silent


def _evolved(note: Note, how: How, number: int, id_: str) -> Note:
    new = replace(note, revision=note.revision + 1, sources=(id_,))
    if how == "words":
        return replace(new, text=f"{note.text} {word(number)}")
    return replace(new, keywords=(*note.keywords, word(number))) if how == "keywords" else new


def _links(store: Store, owner: Scope, notes: Sequence[Note], number: int) -> Iterator[Link]:
    """Yield links from what was written last to all that was there, for what that says."""
    source = notes[-1].id
    for target in store.list_notes(owner):
        if target.id != source:
            yield link(source, target.id, f"{target.text} {target.keywords} {word(number)}")


def _put_out(
    store: Store, owner: Scope, what: After, number: int, id_: str, notes: Sequence[Note]
) -> None:
    given: dict[str, Any] = {"id_": f"out{number}", "minute": number + 0.5}
    if what == "message":
        write(store, owner, gone=gone("message", id_, always=bool(number % 2)), **given)
    elif what == "undo" and notes:
        undo(store, owner, f"take{number}", by=f"out{number}", minute=number + 0.5)
    elif what == "note" and notes:
        write(store, owner, gone=gone("note", notes[0].id, always=bool(number % 2)), **given)
    elif what == "revision" and notes:
        [wrote] = [n for n in store.written_by(owner, f"take{number}") if n.id == notes[0].id]
        marks = gone("revision", wrote.id, revision=wrote.revision, always=bool(number % 2))
        write(store, owner, gone=marks, **given)


@dataclass
class Left:
    """What is to be left of an archive once a user's part is erased, by its definition."""

    archive: Archive
    user: str
    revisions: list[Note] = field(default_factory=list)
    since: dict[str, int] = field(default_factory=dict)
    """By pattern that loses words: the number of the operation that said them first."""
    pending: set[str] = field(default_factory=set)
    """Parts of others that are taken in again."""

    def __post_init__(self) -> None:
        self.numbers = {each.id: each.number for each in self.archive.operations}
        self.erased = {m.id for m in self.archive.messages if m.author == f"user:{self.user}"}
        before: dict[str, Any] = {}
        for note in self.archive.revisions:
            self._look_at(note, before.get(note.id))
            before[note.id] = _said(note)
        self.there = {note.id for note in self.revisions}

    def _look_at(self, note: Note, before: Any) -> None:
        mine = note.sources[0] in self.erased
        if mine and before != _said(note):
            self.since.setdefault(note.id, self.numbers[note.operation])
        if not mine and note.id not in self.since:
            self.revisions.append(note)
        elif not mine:
            self.pending.add(note.sources[0])

    @property
    def messages(self) -> tuple[Message, ...]:
        """Those of others, some of them pending again."""
        return tuple(
            replace(m, progress="pending") if m.id in self.pending else m
            for m in self.archive.messages
            if m.id not in self.erased
        )

    @property
    def links(self) -> tuple[tuple[Link, str], ...]:
        """Those that were made by others' parts and before an end said what it says no more."""
        takers = {n.operation for n in self.archive.revisions if n.sources[0] in self.erased}
        return tuple(
            (each, by)
            for each, by in self.archive.links
            if by not in takers and all(self._is_as_it_was(end, by) for end in _ends(each))
        )

    def _is_as_it_was(self, note: str, by: str) -> bool:
        return note in self.there and self.numbers[by] < self.since.get(note, 10**9)

    @property
    def gone(self) -> tuple[tuple[Gone, str], ...]:
        """The marks on what is left; undone is what of which something is left."""
        places = {("revision", n.id, n.revision) for n in self.revisions}
        places |= {("note", id_, 0) for id_ in self.there}
        places |= {("message", m.id, 0) for m in self.messages}
        made = {n.operation for n in self.revisions} | {by for _, by in self.links}
        return tuple(
            (mark, by)
            for mark, by in self.archive.gone
            if (mark.what, mark.id, mark.revision) in places
            or (mark.what == "operation" and mark.id in made)
        )


def _said(note: Note) -> Any:
    return note.text, note.keywords, note.tags, note.context


def _ends(each: Link) -> tuple[str, str]:
    return each.source, each.target


def forget(store: Store, user: str, owner: Scope) -> Any:
    """Erase a user's part."""
    author = f"user:{user}"
    return store.forget_part(owner, author=author, speaker=user, now=at(99), steps=STEP)
