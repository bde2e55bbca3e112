"""Behaviour 1, of pools: what too few support is not told apart from what does not exist."""

import json
from typing import Any

import pytest

import lamina
from lamina.errors import NotFound
from lamina.memory.recommending import Recommender
from lamina.testing import WordEncoder
from tests.acceptance.walking import ITEMS, KINDS, films, texts, told, walk
from tests.conftest import Open

SOUGHT = [{"title": "A", "categories": ["opera"]}, {"title": "B", "categories": ["opera"]}]


def refused(made: Recommender, id: str, user: str | None = None) -> str:
    """Return in what words a pattern is not found, but for its id."""
    with pytest.raises(NotFound) as error:
        made.pool.pattern(id, user=user)
    return str(error.value).replace(id, "")


def test_what_two_support_is_told_to_those_two_alone(open_memory: Open) -> None:
    memory = open_memory(encoder=WordEncoder())
    made = films(memory, walk("ann", "ooo"), walk("bob", "ooo"), walk("eve", "nnn"))
    [pattern] = [each for each in made.pool.patterns("ann") if each.contributors == 2]

    assert pattern.yours
    assert pattern.id in [each.id for each in made.pool.patterns("bob")]
    sought = made.pool.encode(SOUGHT)
    for user in (None, "eve", "new", "an", "ann "):
        assert pattern.id not in [each.id for each in made.pool.patterns(user)]
        assert pattern.id not in [each.id for each in made.pool.retrieve(sought, user=user)]
        assert refused(made, pattern.id, user) == refused(made, "0" * 32, user)
    for user in ("eve", "new"):
        assert "opera" not in json.dumps(
            [
                p.to_dict()
                for m in ("lamina", "amem4rec")
                for p in made.rank(user, method=m).patterns
            ]
        )


def test_the_third_makes_it_known_to_all_and_a_flood_of_one_does_not(open_memory: Open) -> None:
    made = films(open_memory(encoder=WordEncoder()), walk("ann", "o" * 20), walk("eve", "o" * 12))
    assert texts(made.pool) == []
    assert texts(made.pool, "ann") != []

    made.add_interactions(walk("bob", "ooo"))
    made.pool.refresh()

    assert texts(made.pool) != []
    assert all(each.contributors == 3 for each in made.pool.patterns())
    assert not any(each.yours for each in made.pool.patterns("new"))


@pytest.mark.parametrize("privacy", ["open", "group", "silo"])
def test_the_recommenders_own_k_holds_where_it_keeps_apart(open_memory: Open, privacy: Any) -> None:
    made = films(open_memory(encoder=WordEncoder()), *(walk(u, "ooo") for u in "abcd"))
    made.configure(privacy=privacy, k=5)

    assert (texts(made.pool) == []) == (privacy != "open")
    assert texts(made.pool, "a") != []


def test_no_title_id_or_user_is_in_what_is_told(open_memory: Open) -> None:
    users = ("ann", "bob", "cid", "noir-lover")
    made = films(open_memory(encoder=WordEncoder()), *(walk(u, "nnwmnwnmo") for u in users))
    shared = json.dumps([p.to_dict() for user in (None, *users) for p in made.pool.patterns(user)])

    assert "noir" in shared
    for item in ITEMS:
        assert str(item["title"]).split()[0] not in shared
    assert not any(f'"{user}"' in shared or f" {user} " in shared for user in users)
    assert set(KINDS.values()) > {word for p in made.pool.patterns() for word in p.keywords}


def test_pools_of_other_tenants_and_recommenders_are_others(path: str) -> None:
    with lamina.open(path, encoder=WordEncoder(), tenancy="multi") as memory:
        walks = [walk(user, "ooo") for user in ("ann", "bob", "cid")]
        mine = films(memory.tenant("acme"), *walks)  # type: ignore[arg-type]
        [pattern] = mine.pool.patterns()
        [operation, *_] = mine.pool.operations()
        for tenant, name in (("acme2", "films"), ("acme", "film"), ("acme", "films%")):
            other = films(memory.tenant(tenant), name=name)  # type: ignore[arg-type]
            assert texts(other.pool, "ann") == []
            assert other.pool.operations() == []
            assert refused(other, pattern.id, "ann") == refused(other, "0" * 32, "ann")
            for verb in (other.pool.history, other.pool.delete, other.pool.quarantine):
                with pytest.raises(NotFound):
                    verb(pattern.id)
            with pytest.raises(NotFound):
                other.pool.rollback(operation.id)
        assert mine.pool.pattern(pattern.id) == pattern


def test_a_recommender_does_not_find_what_its_pool_holds(open_memory: Open) -> None:
    made = films(open_memory(encoder=WordEncoder()), *(walk(u, "ooo") for u in ("a", "b", "c")))
    [pattern] = made.pool.patterns()

    assert pattern.id not in {note.id for note in made.list(limit=1000)}
    assert not any(hit.id == pattern.id for hit in made.search("Likes opera", top_k=50))
    with pytest.raises(NotFound):
        made.get(pattern.id)
    assert not any(message.action == "window" for message in made.messages(limit=1000))


def test_who_leaves_has_no_part_until_they_enter_again(open_memory: Open) -> None:
    memory = open_memory(encoder=WordEncoder())
    made = films(memory, *(walk(u, "ooo") for u in ("ann", "bob", "cid")))

    made.pool.leave("ann")
    made.pool.refresh()
    assert texts(made.pool) == []
    assert texts(made.pool, "ann") == []
    assert [each.contributors for each in made.pool.patterns("bob")] == [2]
    assert '"ann"' not in "".join(made.pool.export())
    assert len(made.interactions("ann")) == 3

    made.add_interactions(walk("ann", "ooo", day=9))
    made.pool.refresh()
    assert texts(made.pool, "ann") == []

    made.pool.enter("ann")
    made.pool.refresh()
    assert [each.contributors for each in made.pool.patterns()] == [3]
    assert memory.check() == []


def test_who_left_is_told_what_all_are_told_and_is_ranked_for(open_memory: Open) -> None:
    made = films(open_memory(encoder=WordEncoder()), *(walk(u, "ooo") for u in "abcd"))
    made.pool.leave("a")
    made.pool.refresh()

    [pattern] = made.pool.patterns("a")
    assert (pattern.contributors, pattern.yours) == (3, False)
    assert pattern.id in told(made, "a")
    assert len(made.rank("a").ids) == len(ITEMS) - 3
