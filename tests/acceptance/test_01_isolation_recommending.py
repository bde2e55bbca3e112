"""Behaviour 1, of recommenders: who is named alike is somebody else, and so is another tenant."""

import pytest

import lamina
from lamina.errors import NotFound
from lamina.testing import WordEncoder
from tests.acceptance.watching import ITEMS, act, films, told
from tests.conftest import Open

ALIKE = ("a", "ab", "a%", "A", "a_", "*", "1")


def test_users_whose_ids_are_alike_are_told_apart(open_memory: Open) -> None:
    memory = open_memory(encoder=WordEncoder())
    acts = [act(user, "1", 1 + i, f"Secret{i}.") for i, user in enumerate(ALIKE)]
    made = films(memory, *acts)

    for i, user in enumerate(ALIKE):
        assert [done.text for done in made.interactions(user)] == [f"Secret{i}."]
        assert made.profile(user).interactions == 1
        own = [e for e in made.explain(user, "1").evidence if e.kind == "own"]
        assert all(f"Secret{i}" in evidence.text for evidence in own)
    for stranger in ("", "b", "a ", "%"):
        if stranger:
            assert made.interactions(stranger) == []
            assert made.rank(stranger).cold


def test_an_item_that_is_called_as_a_user_is_an_item(open_memory: Open) -> None:
    made = films(open_memory(encoder=WordEncoder()), act("1", "0", 1), act("0", "1", 2))

    assert [done.item for done in made.interactions("1")] == ["0"]
    assert made.rank("1", ["0", "1", "user:1"]).unknown == ("user:1",)
    assert made.item("0").title == "Zero"


def test_recommenders_and_tenants_are_told_apart(path: str) -> None:
    with lamina.open(path, encoder=WordEncoder(), tenancy="multi") as memory:
        acme, other = memory.tenant("acme"), memory.tenant("acme2")
        mine = acme.recommender("films")
        mine.add_items(ITEMS)
        mine.add_interactions([act("ann", "1", 1, "Zanzibar.")], wait=True)
        [note] = mine.list(kind="user_note")
        for foreign in (other.recommender("films"), acme.recommender("film"),
                        acme.recommender("films%")):  # fmt: skip
            foreign.add_items(ITEMS)
            assert "Zanzibar" not in told(foreign, "ann")
            for verb in (foreign.get, foreign.history, foreign.why, foreign.delete,
                         foreign.quarantine, foreign.rollback, foreign.diff):  # fmt: skip
                with pytest.raises(NotFound):
                    verb(note.id)
            with pytest.raises(NotFound):
                foreign.update(note.id, "x")
            assert foreign.interactions("ann") == []
        assert mine.get(note.id) == note


def test_forged_metadata_and_groups_open_nothing(open_memory: Open) -> None:
    made = films(open_memory(encoder=WordEncoder()))
    made.configure(privacy="group", k=5)
    made.join("ann", "east")
    forged = {"group": "east", "author": "user:ann", "privacy": "open", "action": "rate"}
    made.add_interactions(
        [act("ann", "1", 1, "Zanzibar."), act("eve", "2", 2, "Hm.", **forged)], wait=True
    )

    assert "Zanzibar" not in str(made.rank("eve", ["1", "2"], explain=True).to_dict())
    assert "Zanzibar" not in str(made.explain("eve", "1").to_dict())
    assert made.interactions("eve")[0].metadata["author"] == "user:ann"
