import pytest

import lamina
from lamina.errors import BadInput, NotFound


@pytest.fixture
def user(memory: lamina.Memory) -> lamina.Handle:
    user = memory.user("ann")
    for minute, text in enumerate(("My locker code is 4711.", "I go there on Mondays.", "I swim.")):
        user.add(text, session_id="s1", timestamp=f"2026-01-01T10:{minute:02}:00Z")
    user.close_session("s1")
    memory.process()
    return user


def everywhere(user: lamina.Handle) -> str:
    """All that is told of the scope, now and as of the day after it was said."""
    as_of = "2026-01-02T00:00:00Z"
    found = [user.list(), user.messages(), user.search("locker code"), user.context("locker")]
    past = [user.list(as_of=as_of), user.messages(as_of=as_of), user.search("4711?", as_of=as_of)]
    return str([*found, *past])


def test_a_quarantined_message_takes_with_it_all_that_tells_it_at_every_moment(
    memory: lamina.Memory, user: lamina.Handle
) -> None:
    assert "code is 4711" in everywhere(user)
    [message, *_] = user.messages()

    made = user.quarantine(message.id, "a secret")
    memory.process()

    assert (made.kind, made.cause) == ("quarantine", "a secret")
    assert "code is 4711" not in everywhere(user)
    assert len(user.messages()) == 2
    assert "4711" in user.why(message.id).text
    assert not user.why(message.id).live
    assert memory.check() == []


def test_a_quarantined_note_takes_what_was_formed_from_it(user: lamina.Handle) -> None:
    [summary] = user.list(kind="summary")
    user.quarantine(summary.parents[0])

    assert {summary.id, summary.parents[0]}.isdisjoint(note.id for note in user.list())
    assert len(user.messages()) == 3


def test_what_is_released_is_as_it_was(memory: lamina.Memory, user: lamina.Handle) -> None:
    before = user.list(), user.messages(), user.search("locker code")
    id_ = user.messages()[0].id
    user.quarantine(id_)
    memory.process()

    made = user.release(id_)

    assert made.kind == "rollback"
    assert (user.list(), user.messages(), user.search("locker code")) == before
    memory.process()
    assert (user.list(), user.messages(), user.search("locker code")) == before
    assert memory.check() == []


def test_only_what_is_quarantined_itself_is_released(
    memory: lamina.Memory, user: lamina.Handle
) -> None:
    message = user.messages()[0]
    note = next(note for note in user.list(kind="fact") if message.id in note.sources)
    for id_ in (message.id, "no such"):
        with pytest.raises(NotFound):
            user.release(id_)
    user.quarantine(message.id)

    with pytest.raises(NotFound):
        user.release(note.id)
    with pytest.raises(NotFound):
        user.quarantine(message.id)
    with pytest.raises(NotFound):
        memory.user("an").release(message.id)
    user.release(message.id)
    with pytest.raises(NotFound):
        user.release(message.id)


def test_a_reason_is_a_text_of_bounded_length(user: lamina.Handle) -> None:
    with pytest.raises(BadInput, match="reason"):
        user.quarantine(user.messages()[0].id, "x" * 1001)
