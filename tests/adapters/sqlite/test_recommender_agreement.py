"""Whatever happens to a recommender, both stores and its graph tell the same of it."""

from dataclasses import replace
from functools import partial
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from lamina.model import At, Link, Note, Scope, Step
from lamina.ports import Operation, Store, Writing, is_interaction
from lamina.testing.clock import NOON
from lamina.testing.factories import (
    act,
    append,
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
from lamina.testing.graphs import counting, read_then, told
from tests.adapters.sqlite.both_stores import SETTINGS, BothStores, noted

FILMS, BOOKS = scope("films", "recommender"), scope("films%", "recommender")
USERS, ITEMS = ("ann", "an", "0"), ("m1", "m2", "ann")
owners = st.sampled_from([FILMS, FILMS, BOOKS])
users, items = st.sampled_from(USERS), st.sampled_from(ITEMS)
places, minutes = st.integers(0, 5), st.integers(-3, 6)
tags = st.lists(st.sampled_from(["Horror", "tea", "北京", "\ud83d"]), max_size=2).map(tuple)
WRITE = [Step(kind="write", subject="")]


class Recommending(BothStores):
    OWNERS = (FILMS, BOOKS)
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

    @rule(owner=owners, k=places)
    def configure(self, owner: Scope, k: int) -> None:
        self.both(lambda store: store.configure(owner, {"k": k} if k else {}))

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
    def both_recommend_from_the_same(self) -> None:
        for owner in self.OWNERS:
            self.both(partial(recommended, owner, at(self.looks * 7 % 11 - 4)))
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


def recommended(owner: Scope, moment: Any, store: Store) -> Any:
    return (
        store.waiting(owner, 9),
        store.described(owner, ITEMS),
        store.described(owner, ITEMS, at=At(as_of=moment)),
        store.configuration(owner),
    )


def arrays(owner: Scope, store: Store) -> Any:
    return told(store.graph(owner))


def taking_part(user: str, store: Store) -> set[Scope]:
    return set(store.parts("", f"user:{user}", user))


Recommending.TestCase.settings = settings(SETTINGS, stateful_step_count=10)
TestRecommending = Recommending.TestCase
