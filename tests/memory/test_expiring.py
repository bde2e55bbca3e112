import pytest

import lamina
from lamina.errors import BadInput


@pytest.fixture
def user(memory: lamina.Memory) -> lamina.Handle:
    user = memory.user("ann")
    user.add("I planted a lemon tree.", session_id="s1", timestamp="2026-01-01T10:00:00Z")
    user.add("The lemons are ripe.", session_id="s2", timestamp="2026-03-01T10:00:00Z")
    memory.process()
    return user


def test_what_was_said_before_a_moment_goes_with_what_rests_on_it(
    memory: lamina.Memory, user: lamina.Handle
) -> None:
    made = user.expire("2026-02-01")
    memory.process()

    assert made is not None
    assert made.kind == "expire"
    assert [message.text for message in user.messages()] == ["The lemons are ripe."]
    assert {source for note in user.list() for source in note.sources} == {user.messages()[0].id}
    assert memory.check() == []


def test_as_of_an_earlier_moment_it_still_answers(user: lamina.Handle) -> None:
    user.expire("2026-02-01")

    assert len(user.messages(as_of="2026-02-01")) == 1


def test_it_comes_back_when_the_expiry_is_rolled_back(user: lamina.Handle) -> None:
    before = user.messages(), user.list()
    made = user.expire("2026-02-01")
    assert made is not None
    user.rollback(made.id)

    assert (user.messages(), user.list()) == before


def test_of_some_kinds_only_those_go(user: lamina.Handle) -> None:
    user.expire("2026-02-01", kinds=["fact"])

    assert len(user.messages()) == 2
    assert [note.text for note in user.list(kind="fact")] == ["The lemons are ripe."]


def test_where_nothing_is_so_old_nothing_is_done(user: lamina.Handle) -> None:
    assert user.expire("2025-01-01") is None


@pytest.mark.parametrize("kinds", ["fact", ["facts"]])
def test_a_kind_that_there_is_not_is_refused(user: lamina.Handle, kinds: list[str]) -> None:
    with pytest.raises(BadInput, match="kinds is a list of some of message, fact"):
        user.expire("2026-02-01", kinds=kinds)
