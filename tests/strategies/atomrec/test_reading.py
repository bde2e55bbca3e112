"""What is read of a recommender for one user: from real stores, at moments."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from lamina.adapters.in_memory import InMemoryStore
from lamina.adapters.sqlite import SqliteStore
from lamina.model import Link, Note, Scope
from lamina.ports import Store
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.strategies.atomrec.reading import Asking, read
from lamina.strategies.atomrec.stages import Card, Fields, Reading
from lamina.testing import factories
from lamina.testing.clock import NOON
from lamina.testing.encoder import WordEncoder
from lamina.testing.factories import act, at, operation, scope, writing

FILMS = scope("films", "recommender")
ENCODER = WordEncoder()


class Counting:
    """An encoder that counts what it is asked."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __call__(self, texts: Sequence[str]) -> Any:
        self.texts += texts
        return ENCODER.encode(texts)


class Films:
    """A recommender that a test fills: each thing done has a note at once."""

    def __init__(self, store: Store) -> None:
        self.store = store
        store.set_space(ENCODER.space)
        self.operations = 0

    def done(self, id_: str, user: str, item: str, text: str, minute: float, **given: Any) -> None:
        rating = given.pop("rating", 4.0)
        said = act(user, item, minute, rating=rating, text=f"{id_} {rating}")
        [event] = [a.id for a in self.store.append(FILMS, [said], [], steps=(), now=NOON)]
        links = given.pop("links", {})
        self.write(
            factories.note(id_, text, kind="user_note", event=event, said_at=at(minute), **given),
            minute,
            links,
        )

    def item(self, id_: str, item: str, text: str, minute: float, **given: Any) -> None:
        said = act("seed", item, minute, text=f"first {item}")
        [event] = [a.id for a in self.store.append(FILMS, [said], [], steps=(), now=NOON)]
        self.write(factories.note(id_, text, kind="item_note", event=event, **given), minute, {})

    def write(self, note: Note, minute: float, links: dict[str, str]) -> None:
        self.operations += 1
        made = operation(f"op{self.operations}", "write", minute=minute)
        told = " ".join((note.text, *note.keywords, *note.tags, note.context))
        [vector] = ENCODER.encode([told])
        document = replace(factories.document("note", note.id, told), vector=vector)
        ties = tuple(Link(source=note.id, target=t, relation=r) for t, r in links.items())
        self.store.apply(
            FILMS, writing(note, operation=made, documents=(document,), links=ties), now=NOON
        )

    def evolve(self, id_: str, minute: float, **changed: Any) -> None:
        [note] = self.store.notes(FILMS, [id_])
        self.write(replace(note, revision=note.revision + 1, **changed), minute, {})

    def read(self, user: str = "ann", **given: Any) -> Reading:
        config, encode = given.pop("config", None), given.pop("encode", ENCODER.encode)
        graph = self.store.graph(FILMS)
        serving = given.pop("serving", None)
        mask = None if serving is None else np.array([ref in serving for ref in graph.refs])
        asking = Asking(scope=FILMS, user=user, **given)
        return read(graph, self.store, asking, encode, config, mask)


@pytest.fixture(params=["sqlite", "in_memory"])
def films(request: pytest.FixtureRequest, tmp_path: Any) -> Any:
    if request.param == "in_memory":
        yield Films(InMemoryStore())
    else:
        with closing(SqliteStore(tmp_path / "films.db")) as store:
            yield Films(store)


def ids(cards: Sequence[Card]) -> list[str]:
    return [card.id for card in cards]


def fill(films: Films) -> None:
    """Ann saw heists, then whales; Bo a heist that hers leads to, and from his it goes on."""
    films.done("bo2", "bo", "m9", "bank vault robbery", 1, rating=2.0)
    films.done("bo1", "bo", "m1", "heist crew", 2, links={"bo2": "the vault again"})
    films.done(
        "ann1", "ann", "m1", "heist crew plan", 3,
        keywords=("heist",), tags=("Crime",), links={"bo1": "the same heist"},
    )  # fmt: skip
    films.done("ann2", "ann", "m2", "whales sing", 4, keywords=("whale",), tags=("Nature",))


def test_links_are_followed_two_hops_with_what_they_say(films: Films) -> None:
    fill(films)
    found = films.read(instruction="heist")

    assert ids(found.own) == ["ann1", "ann2"]
    assert [(c.id, c.after, c.relation) for c in found.linked] == [
        ("bo1", "ann1", "the same heist"),
        ("bo2", "bo1", "the vault again"),
    ]
    assert [c.side for c in (*found.own, *found.linked)] == ["own", "own", "other", "other"]
    assert [c.rating for c in (*found.own, *found.linked)] == [4.0, 4.0, 4.0, 2.0]
    assert found.own[0].item == "m1"


def test_links_are_followed_either_way_and_no_further_than_asked(films: Films) -> None:
    fill(films)

    assert ids(films.read("bo", config=AtomRecConfig(hops=1)).linked) == ["ann1"]
    assert films.read(config=AtomRecConfig(hops=0)).linked == ()
    assert ids(films.read(config=AtomRecConfig(hops=1)).linked) == ["bo1"]


def test_no_note_is_told_twice_though_links_lead_back(films: Films) -> None:
    films.done("a1", "ann", "m1", "heist", 1)
    films.done("b1", "bo", "m1", "heist too", 2, links={"a1": "x"})
    films.done("a2", "ann", "m2", "heist three", 3, links={"a1": "own", "b1": "y"})
    found = films.read()

    assert sorted(ids(found.own)) == ["a1", "a2"]
    assert ids(found.linked) == ["b1"]


def test_an_instruction_is_encoded_once_with_the_latest_notes(films: Films) -> None:
    fill(films)
    encode = Counting()
    found = films.read(instruction="sing", encode=encode, config=AtomRecConfig(recent=1))

    assert encode.texts == ["sing\nwhales sing\nwhale\nNature"]
    assert ids(found.own)[0] == "ann2"
    assert found.own[0].similarity > found.own[1].similarity


def test_without_an_instruction_nothing_is_encoded(films: Films) -> None:
    fill(films)
    encode = Counting()
    found = films.read(encode=encode, config=AtomRecConfig(recent=1))

    assert encode.texts == []
    assert ids(found.own)[0] == "ann2"
    assert found.own[0].similarity == pytest.approx(1.0, abs=1e-5)


def test_nothing_shows_that_was_not_known_before_the_moment(films: Films) -> None:
    fill(films)
    films.done("ann3", "ann", "m3", "heist finale", 10, links={"ann1": "ends it"})
    films.evolve("ann1", 20, context="the first of many", keywords=("heist", "spoiler"))
    now = films.read(instruction="heist")
    then = films.read(instruction="heist", as_of=at(5))

    assert "ann3" in ids(now.own)
    assert "spoiler" in str(now)
    assert sorted(ids(then.own)) == ["ann1", "ann2"]
    assert "spoiler" not in str(then)
    assert films.read(instruction="heist", as_of=at(3)).own == ()
    assert ids(films.read("bo", as_of=at(3)).linked) == []
    assert sorted(ids(films.read("bo", as_of=at(3)).own)) == ["bo1", "bo2"]


def test_a_link_made_later_leads_nowhere_before(films: Films) -> None:
    fill(films)
    made = operation("late", "write", minute=20)
    link = Link(source="ann2", target="bo2", relation="late")
    films.store.apply(FILMS, writing(operation=made, links=(link,)), now=NOON)
    one = AtomRecConfig(hops=1)

    assert sorted(ids(films.read(config=one).linked)) == ["bo1", "bo2"]
    assert ids(films.read(config=one, as_of=at(20)).linked) == ["bo1"]


def test_what_is_not_known_yet_takes_no_place(films: Films) -> None:
    fill(films)
    films.done("ann3", "ann", "m3", "heist", 10)
    found = films.read(instruction="heist", config=AtomRecConfig(top=1), as_of=at(10))

    assert ids(found.own) == ["ann1"]


def test_what_may_not_serve_is_not_read(films: Films) -> None:
    fill(films)
    found = films.read(serving={"ann1", "ann2", "bo2"})

    assert sorted(ids(found.own)) == ["ann1", "ann2"]
    assert found.linked == ()


def test_of_others_only_the_day_is_told(films: Films) -> None:
    fill(films)
    [own, *_], [other, *_] = films.read().own[::-1], films.read().linked

    assert own.at.minute > 0
    assert (other.at.date(), other.at.hour, other.at.minute) == (NOON.date(), 0, 0)
    assert "bo" not in {other.fields.content, other.item}


def test_somebody_unknown_has_only_what_they_ask(films: Films) -> None:
    fill(films)
    found = films.read("nobody", instruction="heist")

    assert found == Reading(instruction="heist", profile="", own=())
    assert films.read("nobody") == Reading(instruction="", profile="", own=())


def test_only_the_best_are_read_at_each_hop(films: Films) -> None:
    for i in range(6):
        films.done(f"b{i}", "bo", f"m{i}", f"heist {'crew ' * i}", i)
    films.done("a", "ann", "m9", "heist crew", 9, links={f"b{i}": f"r{i}" for i in range(6)})
    found = films.read(config=AtomRecConfig(top=3))

    assert len(found.linked) == 3
    assert [c.similarity for c in found.linked] == sorted(
        (c.similarity for c in found.linked), reverse=True
    )


def test_what_is_equally_near_stands_by_a_hash_and_not_by_id(films: Films) -> None:
    for i in range(8):
        films.done(f"a{i}", "ann", f"m{i}", "the same words", 1)
    found, again = films.read(), films.read()

    assert found == again
    assert sorted(ids(found.own)) == [f"a{i}" for i in range(8)]
    assert ids(found.own) != sorted(ids(found.own))


def test_a_profile_is_worked_out_from_the_users_notes(films: Films) -> None:
    fill(films)
    films.done("ann3", "ann", "m3", "a new heist", 60 * 24 * 40, tags=("Crime",), rating=2.0)

    first, *_ = films.read().counts.split("; ")
    last = (NOON + timedelta(days=40)).date()
    assert first == f"Crime ×2 ({NOON.date()} – {last}, ⌀ 3.0)"


def test_the_latest_profile_is_told_as_it_was_at_the_moment(films: Films) -> None:
    fill(films)
    [event] = [m.id for m in films.store.latest(FILMS, 9) if m.item == "m2"]
    for minute, text in ((5, "Likes heists."), (7, "Likes whales now.")):
        made = factories.note(f"p{minute}", text, kind="profile", sources=(event,))
        films.write(made, minute, {})

    assert films.read().profile == "Likes whales now."
    assert films.read(as_of=at(6)).profile == "Likes heists."
    assert films.read(as_of=at(5)).profile == ""
    assert all("×" in films.read(as_of=at(minute)).counts for minute in (5, 6))


def test_facts_from_conversations_are_passed_on() -> None:
    films = Films(InMemoryStore())
    fact = Card(id="f", side="own", fields=Fields(content="I moved north."), at=NOON)

    assert films.read(chat=(fact,)).chat == (fact,)


def test_another_recommender_is_not_read(films: Films) -> None:
    fill(films)
    other = Scope("", "recommender", "books")
    asking = Asking(scope=other, user="ann")

    found = read(films.store.graph(other), films.store, asking, ENCODER.encode)
    assert found.own == ()
