"""What is said in conversation serves a recommender, and back, only where its owner lends it."""

import pytest

import lamina
from lamina.errors import BadInput
from lamina.items import Evidence
from lamina.memory.recommending import Recommender

SAID = "I adore gloomy detective stories."


@pytest.fixture
def films(memory: lamina.Memory) -> Recommender:
    films = memory.recommender("films")
    films.add_items(
        [
            {"id": "1", "title": "Laura", "description": "gloomy detective stories"},
            {"id": "2", "title": "Gigi", "description": "a merry musical"},
        ]
    )
    films.add_interactions(
        [
            {"user": "bo", "item": "2", "timestamp": "2026-01-01T10:00:00Z", "text": "Merry."},
            {"user": "alice", "item": "2", "timestamp": "2026-01-02T10:00:00Z",
             "text": "A merry quokka evening."},
        ]
    )  # fmt: skip
    films.process()
    return films


@pytest.fixture
def alice(memory: lamina.Memory, films: Recommender) -> lamina.Handle:
    alice = memory.user("alice")
    alice.add(SAID, timestamp="2026-01-01T10:00:00Z", wait=True)
    memory.user("bo").add("I loathe everything.", timestamp="2026-01-01T10:00:00Z", wait=True)
    return alice


def chat(films: Recommender, user: str, as_of: str | None = None) -> list[Evidence]:
    """What conversations say of the first item, as it is told."""
    ranking = films.rank(user, ["1", "2"], explain=True, as_of=as_of)
    told = films.explain(user, "1", as_of=as_of).evidence
    found = {e for each in ranking.items for e in each.evidence if e.kind == "chat"}
    return [*(e for e in told if e.kind == "chat"), *found]


def test_nothing_serves_that_was_not_lent(films: Recommender, alice: lamina.Handle) -> None:
    assert chat(films, "alice") == []
    assert films.rank("alice", ["1", "2"], explain=True).items[0].signals.get("chat", 0) == 0
    assert [hit.kind for hit in alice.search("merry quokka") if hit.kind == "user_note"] == []


def test_what_was_lent_is_evidence_for_its_owner_alone(
    memory: lamina.Memory, films: Recommender, alice: lamina.Handle
) -> None:
    memory.user("alice").lend("films", notes=False)

    assert {evidence.text for evidence in chat(films, "alice")} == {SAID}
    assert chat(films, "bo") == []
    assert chat(films, "nobody") == []
    assert alice.search("merry quokka", kinds=["user_note"]) == []


def test_only_what_was_said_by_then_serves(
    memory: lamina.Memory, films: Recommender, alice: lamina.Handle
) -> None:
    memory.user("alice").lend("films")

    assert chat(films, "alice", as_of="2026-01-01T10:00:00Z") == []
    assert chat(films, "alice", as_of="2026-01-03T10:00:00Z") != []


def test_ones_own_notes_are_found_from_ones_chat(
    memory: lamina.Memory, films: Recommender, alice: lamina.Handle
) -> None:
    memory.user("alice").lend("films", chat=False)
    memory.user("bo").lend("films", chat=False)

    found = alice.search("merry quokka evening")
    assert found[0].kind == "user_note"
    assert "quokka" in found[0].text
    assert "quokka" in alice.context("merry quokka evening")
    assert alice.search("merry quokka", as_of="2026-01-01T00:00:00Z") == []
    assert all("quokka" not in hit.text for hit in memory.user("bo").search("merry quokka"))
    assert chat(films, "alice") == []


def test_what_is_taken_back_serves_no_longer(
    memory: lamina.Memory, films: Recommender, alice: lamina.Handle
) -> None:
    user = memory.user("alice")
    user.lend("films")
    assert [loan.to_dict() for loan in user.loans()] == [
        {"recommender": "films", "chat": True, "notes": True}
    ]
    user.lend("films", chat=False, notes=False)

    assert user.loans() == []
    assert chat(films, "alice") == []
    assert alice.search("merry quokka", kinds=["user_note"]) == []


def test_forgetting_the_recommender_ends_it(
    memory: lamina.Memory, films: Recommender, alice: lamina.Handle
) -> None:
    memory.user("alice").lend("films")
    films.forget()
    films.add_items([{"id": "1", "title": "Laura", "description": "gloomy detective stories"}])

    assert memory.user("alice").loans() == []
    assert chat(films, "alice") == []


def test_forgetting_the_user_ends_it(
    memory: lamina.Memory, films: Recommender, alice: lamina.Handle
) -> None:
    memory.user("alice").lend("films")
    alice.forget()
    alice.add(SAID, wait=True)

    assert memory.user("alice").loans() == []
    assert chat(films, "alice") == []


def test_a_recommender_of_another_name_is_lent_nothing(
    memory: lamina.Memory, films: Recommender, alice: lamina.Handle
) -> None:
    for name in ("film", "films ", "FILMS", "film%"):
        memory.user("alice").lend(name)

    assert chat(films, "alice") == []
    with pytest.raises(BadInput):
        memory.user("alice").lend(" ")
