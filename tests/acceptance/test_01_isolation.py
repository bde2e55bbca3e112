"""Behaviour 1: nothing of another scope is returned, changed, or told apart from nothing."""

from collections.abc import Callable
from typing import Any

import pytest

import lamina
from lamina.errors import LaminaError, NotFound

OWNERS = ["ab", "a%", "A", "a_", "*", "a/../b", "a b", "ａ"]
SECRET = "The word of the safe is zanzibarquokka."
STRANGE = [
    {
        "role": "user",
        "content": "Hello.",
        "metadata": {"scope": "a", "user_id": "a", "tenant": "*"},
    },
    {
        "role": "user",
        "content": "Hello again.",
        "user_id": "a",
        "scope": {"kind": "user", "id": "a"},
    },
]


@pytest.fixture
def a(memory: lamina.Memory) -> lamina.Handle:
    """The owner of a secret, with all layers formed."""
    user = memory.user("a")
    user.add([SECRET, "Nobody may know it."], timestamp="2026-01-01T10:00:00Z")
    user.close_session("default")
    user.process()
    return user


def reads(user: lamina.Handle) -> list[str]:
    """Everything that a user can read in passing, as text."""
    found: list[Any] = [
        *user.search("What is the word of the safe?", top_k=50),
        *user.search(SECRET, top_k=50, superseded=True),
        *user.search("safe", valid_on="2030-01-01"),
        *user.list(),
        *user.messages(),
        *user.timeline("the word of the safe"),
        *user.operations(),
        *user.sessions(),
        user.stats(),
    ]
    return [str(each.to_dict()) for each in found] + [user.context("the word of the safe")]


@pytest.mark.parametrize("name", OWNERS)
def test_no_other_name_reads_it(memory: lamina.Memory, a: lamina.Handle, name: str) -> None:
    other = memory.user(name)
    other.add("I have no safe.", timestamp="2026-01-02T10:00:00Z", wait=True)

    assert not any("zanzibarquokka" in text for text in reads(other))
    assert any("zanzibarquokka" in text for text in reads(a))


def test_the_same_id_of_another_kind_is_another_scope(
    memory: lamina.Memory, a: lamina.Handle
) -> None:
    assert not any("zanzibarquokka" in text for text in reads(memory.conversation("a")))
    assert memory.space("a").messages() == []


def test_forged_metadata_widens_nothing(memory: lamina.Memory, a: lamina.Handle) -> None:
    before = reads(a)
    mallory = memory.user("mallory")
    mallory.add(STRANGE, timestamp="2026-01-02T10:00:00Z", wait=True)

    assert not any("zanzibarquokka" in text for text in reads(mallory))
    assert reads(a) == before


VERBS: dict[str, Callable[[lamina.Handle, str], object]] = {
    "get": lambda user, id_: user.get(id_),
    "update": lambda user, id_: user.update(id_, "Mine."),
    "delete": lambda user, id_: user.delete(id_),
    "history": lambda user, id_: user.history(id_),
    "why": lambda user, id_: user.why(id_),
    "quarantine": lambda user, id_: user.quarantine(id_),
    "release": lambda user, id_: user.release(id_),
    "rollback": lambda user, id_: user.rollback(id_),
    "diff": lambda user, id_: user.diff(id_),
}


def outcome(verb: Callable[[lamina.Handle, str], object], user: lamina.Handle, id_: str) -> str:
    """What a caller learns, with the id taken out."""
    try:
        verb(user, id_)
    except LaminaError as error:
        return f"{type(error).__name__}: {error}".replace(id_, "ID")
    return "done"


@pytest.mark.parametrize("name", VERBS)
def test_anothers_ids_are_not_told_apart_from_none(
    memory: lamina.Memory, a: lamina.Handle, name: str
) -> None:
    mallory = memory.user("mallory")
    mallory.add("Hello.", timestamp="2026-01-02T10:00:00Z", wait=True)
    before = reads(a)
    theirs = [a.messages()[0].id, a.list()[0].id, a.operations()[0].id]

    nothing = outcome(VERBS[name], mallory, "0" * 32)
    assert nothing.startswith(NotFound.__name__)
    assert [outcome(VERBS[name], mallory, id_) for id_ in theirs] == [nothing] * 3
    assert reads(a) == before


@pytest.mark.parametrize("pattern", ["%", "_" * 32, "*", "' OR 1=1 --", "a%", "?" * 32])
@pytest.mark.parametrize("name", VERBS)
def test_patterns_are_no_ids(a: lamina.Handle, name: str, pattern: str) -> None:
    assert outcome(VERBS[name], a, pattern).startswith(NotFound.__name__)


def test_another_owners_data_moves_no_score(memory: lamina.Memory, a: lamina.Handle) -> None:
    asked = "What is the word of the safe?"
    before = [(hit.id, hit.relevance) for hit in a.search(asked)]
    bo = memory.user("bo")
    bo.add([f"Safe number {i} is in the cellar." for i in range(50)], wait=True)

    assert [(hit.id, hit.relevance) for hit in a.search(asked)] == before


def test_tenants_with_the_same_users_are_apart(open_memory: Any) -> None:
    memory = open_memory(tenancy="multi")
    acme = memory.tenant("acme").user("a")
    acme.add(SECRET, wait=True)

    for other in (memory.tenant("acm").user("a"), memory.tenant("acme%").user("a")):
        assert other.search("safe") == []
        assert outcome(VERBS["get"], other, acme.messages()[0].id).startswith("NotFound")
