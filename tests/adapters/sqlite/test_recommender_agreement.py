"""Whatever happens to a recommender, both stores and its graph tell the same of it."""

from dataclasses import replace
from functools import partial
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from lamina.model import At, Link, Note, Scope, Step
from lamina.ports import Operation, Store, Writing, is_interaction
from lamina.testing.factories import (
    act,
    at,
    description,
    draft,
    gone,
    link,
    note,
    operation,
    scope,
    writing,
)
from lamina.testing.graphs import told
from tests.adapters.sqlite.both_stores import SETTINGS, USERS, BothShared, noted, users

FILMS, BOOKS = scope("films", "recommender"), scope("films%", "recommender")
ITEMS = ("m1", "m2", "ann")
owners = st.sampled_from([FILMS, FILMS, BOOKS])
items = st.sampled_from(ITEMS)
places, minutes = st.integers(0, 5), st.integers(-3, 6)
tags = st.lists(st.sampled_from(["Horror", "tea", "北京", "\ud83d"]), max_size=2).map(tuple)


class Recommending(BothShared):
    OWNERS = (FILMS, BOOKS)

    @initialize(words=tags, known=minutes)
    def begin(self, words: tuple[str, ...], known: int) -> None:
        """Let three users have notes that hang together, some changed by another's."""
        self.add(FILMS, description("m1", "tea"))
        self.add(FILMS, *(act(user, "m1", minute) for minute, user in enumerate(USERS)))
        self.form(FILMS, 2, 0, words, known)
        self.form(FILMS, 1, 2, ("tea",), known + 1)

    @rule(
        owner=owners,
        done=st.lists(
            st.builds(
                act,
                users,
                items,
                minutes,
                rating=st.sampled_from([None, 0.0, 4.5]),
                action=st.sampled_from(["rate", "click", None]),
                infer=st.sampled_from([True, True, False]),
                key=st.sampled_from([None, None, "k"]),
            ),
            max_size=4,
        ),
    )
    def do(self, owner: Scope, done: list[Any]) -> None:
        self.add(owner, *done)

    @rule(
        owner=owners, item=items, text=st.sampled_from(["tea", "milk"]), since=minutes, dated=places
    )
    def describe(self, owner: Scope, item: str, text: str, since: int, dated: int) -> None:
        given = {"said_at": at(since)} if dated % 2 else {}
        self.add(owner, description(item, text, **given), steps=())

    @rule(owner=owners, user=users, minute=minutes)
    def say(self, owner: Scope, user: str, minute: int) -> None:
        name = f"user:{user}"
        group = draft("tea", session=name, speaker=user, author=name, said_at=at(minute))
        self.add(owner, replace(group, infer=False), steps=[Step(kind="index", subject=name)])

    @rule(owner=owners, many=st.integers(1, 3), place=places, words=tags, known=minutes)
    def form(self, owner: Scope, many: int, place: int, words: tuple[str, ...], known: int) -> None:
        """Write the notes of some interactions, each with its item's, links, and one evolution."""
        store = self.stores[1]
        now = self.clock.advance(minutes=1)
        old = {each.id: each for each in store.notes(owner, noted(owner, store))}
        done = [m for m in store.latest(owner, 99) if is_interaction(m)]
        writings = []
        start = place % max(1, len(done))
        for event in done[start : start + many]:
            self.operations += 1
            made = operation(f"op{self.operations}", "write", known_at=at(known), recorded_at=now)
            own = note(f"u-{event.id}", f"{event.speaker} tea", kind="user_note", event=event.id,
                       said_at=event.said_at, tags=words, sureness=0.5)  # fmt: skip
            writings.append(self._of_one(owner, own, event.item or "", made, old))
        self.both(lambda each: each.apply_all(owner, writings, now=now))

    def _of_one(
        self, owner: Scope, own: Note, item: str, made: Operation, old: dict[str, Note]
    ) -> Writing:
        """Return what one interaction writes, and keep in `old` what its notes say then."""
        told = self.stores[1].described(owner, [item])
        event = told[item].id if item in told else own.event
        of_item = note(
            f"i-{item}", "of all", kind="item_note", event=event, sources=(event, own.event)
        )
        before = [each for each in old.values() if each.id not in (own.id, of_item.id)]
        evolved = [
            replace(each, revision=each.revision + 1, tags=own.tags, context="tea",
                    parents=(own.id,), narrower=True)
            for each in before[:1]
        ]  # fmt: skip
        ties: list[Link] = [link(own.id, each.id, "alike") for each in before[1:3]]
        ties += [link(each.id, own.id, "since then") for each in evolved]
        old.update({each.id: each for each in evolved})
        return writing(
            own,
            *[of_item][: of_item.id not in old],
            *evolved,
            operation=made,
            links=tuple(ties),
            progress={own.event or "": "bound"},
        )

    @rule(
        owner=owners, place=places, parent=places, words=tags, indexed=st.booleans(), known=minutes
    )
    def evolve(
        self,
        owner: Scope,
        place: int,
        parent: int,
        words: tuple[str, ...],
        indexed: bool,
        known: int,
    ) -> None:
        store = self.stores[1]
        old = store.notes(owner, noted(owner, store))
        if old:
            base, other = old[place % len(old)], old[parent % len(old)]
            new = replace(base, revision=base.revision + 1, tags=words, parents=(other.id,))
            kept: dict[str, Any] = {} if indexed else {"documents": ()}
            self.write(owner, known, notes=(new,), links=(link(new.id, other.id),), **kept)

    @rule(owner=owners, place=places, number=st.integers(0, 3), always=st.booleans(), known=minutes)
    def put_out(self, owner: Scope, place: int, number: int, always: bool, known: int) -> None:
        names = noted(owner, self.stores[1])
        if names:
            what: Any = "revision" if number else "note"
            id_ = names[place % len(names)]
            marks = gone(what, id_, revision=number, always=always or number > 0)
            self.write(owner, known, gone=marks)

    @rule(owner=owners, k=places)
    def configure(self, owner: Scope, k: int) -> None:
        self.both(lambda store: store.configure(owner, {"k": k} if k else {}))

    @invariant()
    def both_recommend_from_the_same(self) -> None:
        for owner in self.OWNERS:
            self.both(partial(recommended, owner, at(self.looks * 7 % 11 - 4)))
            if self.looks % 3:
                self.both(partial(arrays, owner))


def recommended(owner: Scope, moment: Any, store: Store) -> Any:
    return (
        store.waiting(owner, 9),
        store.described(owner, ITEMS),
        store.described(owner, ITEMS, at=At(as_of=moment)),
        store.configuration(owner),
    )


def arrays(owner: Scope, store: Store) -> Any:
    return told(store.graph(owner))


Recommending.TestCase.settings = settings(SETTINGS, stateful_step_count=10)
TestRecommending = Recommending.TestCase
