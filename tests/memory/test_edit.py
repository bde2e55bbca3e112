import pytest

import lamina
from lamina.errors import BadInput, NotFound


@pytest.fixture
def user(memory: lamina.Memory) -> lamina.Handle:
    user = memory.user("ann")
    user.add("I live in Bergen.", session_id="s1", timestamp="2026-01-01T10:00:00Z")
    user.add("My cat is called Miso.", session_id="s1", timestamp="2026-01-01T10:01:00Z", wait=True)
    return user


def fact(user: lamina.Handle, word: str) -> lamina.Note:
    return next(note for note in user.list(kind="fact") if word in note.text)


def test_an_edit_is_a_new_revision_by_a_person_and_can_be_found(user: lamina.Handle) -> None:
    old = fact(user, "Bergen")

    new = user.update(old.id, "Ann lives in Stavanger.")

    assert (new.id, new.revision, new.by_person) == (old.id, 2, True)
    assert user.get(old.id).text == "Ann lives in Stavanger."
    assert [r.text for r in user.history(old.id)] == [
        "I live in Bergen.",
        "Ann lives in Stavanger.",
    ]
    assert [r.cause for r in user.history(old.id)] == ["bind", "update"]
    assert user.search("Stavanger", kinds=["fact"])[0].id == old.id


def test_an_edit_survives_forming_memory_again(memory: lamina.Memory, user: lamina.Handle) -> None:
    old = fact(user, "Bergen")
    user.update(old.id, "Ann lives in Stavanger.")
    user.close_session("s1")
    memory.process()

    assert user.get(old.id).text == "Ann lives in Stavanger."


def test_a_message_is_never_edited(user: lamina.Handle) -> None:
    with pytest.raises(BadInput, match="word for word"):
        user.update(user.messages()[0].id, "I live in Oslo.")
    with pytest.raises(BadInput, match="needs words"):
        user.update(fact(user, "Bergen").id, "  ")


def test_a_deleted_note_is_hidden_but_its_history_is_kept(user: lamina.Handle) -> None:
    gone = fact(user, "Bergen")
    user.delete(gone.id)

    assert gone.id not in [note.id for note in user.list()]
    with pytest.raises(NotFound):
        user.get(gone.id)
    assert user.history(gone.id)[0].text == "I live in Bergen."


def test_a_deleted_message_takes_what_rests_on_it_alone(
    memory: lamina.Memory, user: lamina.Handle
) -> None:
    user.delete(user.messages()[0].id)
    memory.process()

    assert [m.text for m in user.messages()] == ["My cat is called Miso."]
    assert [hit.text for hit in user.search("Where in Bergen does Ann live?")] == [
        "My cat is called Miso."
    ]
    assert [note.text for note in user.list(kind="fact")] == ["My cat is called Miso."]
    assert memory.check() == []


def test_a_deleted_message_is_quoted_nowhere(memory: lamina.Memory, user: lamina.Handle) -> None:
    said = "My locker code is 4711, and the gym is on Elm Street."
    user.add(said, session_id="s1", timestamp="2026-01-01T10:02:00Z")
    user.add("I go there on Mondays.", session_id="s1", timestamp="2026-01-01T10:03:00Z")
    user.close_session("s1")
    memory.process()
    assert {note.kind for note in user.list() if "4711" in note.text} >= {"fact", "relation"}

    user.delete(next(m.id for m in user.messages() if "4711" in m.text))
    memory.process()

    assert not [note for note in user.list() if "4711" in note.text]
    assert "4711" not in user.context("locker code")
    assert not [hit for hit in user.search("locker code") if "4711" in str(hit.to_dict())]
    assert memory.check() == []


def test_a_deleted_message_does_not_come_back_when_it_is_added_again(user: lamina.Handle) -> None:
    user.delete(user.messages()[0].id)
    again = user.add("I live in Bergen.", session_id="s1", timestamp="2026-01-01T10:00:00Z")

    assert again.new == 0
    assert len(user.messages()) == 1


def test_what_is_forgotten_is_gone_and_the_receipt_does_not_tell_it(
    memory: lamina.Memory, user: lamina.Handle
) -> None:
    memory.user("annabel").add("I live in Bergen too.")
    receipt = user.forget()

    assert (receipt.messages, receipt.epoch) == (2, 1)
    assert "Bergen" not in str(receipt.to_dict())
    assert user.messages() == []
    assert user.list() == []
    assert user.search("Bergen") == []
    assert memory.process().done >= 0
    assert user.messages() == []
    assert len(memory.user("annabel").messages()) == 1


def test_who_returns_begins_anew(user: lamina.Handle) -> None:
    user.forget()
    added = user.add("I live in Bergen.", session_id="s1", timestamp="2026-01-01T10:00:00Z")

    assert added.new == 1
    assert [m.text for m in user.messages()] == ["I live in Bergen."]


MORE = ("My sister Mia lives in Oslo with her dog.", "I adopted the cat from a shelter in Bergen.")


def closed(memory: lamina.Memory, user: lamina.Handle, *more: str) -> None:
    """Say more in the session, end it, and form what there is to form."""
    for minute, text in enumerate(more, start=2):
        user.add(text, session_id="s1", timestamp=f"2026-01-01T10:{minute:02}:00Z")
    user.close_session("s1")
    memory.process()


def test_a_summary_of_what_was_deleted_is_formed_anew_without_it(
    memory: lamina.Memory, user: lamina.Handle
) -> None:
    closed(memory, user, *MORE)
    [old] = user.list(kind="summary")
    gone = next(parent for parent in old.parents if user.get(parent).kind == "fact")  # type: ignore[union-attr]

    user.delete(gone)
    assert user.list(kind="summary") == []
    memory.process()

    [new] = user.list(kind="summary")
    assert gone in old.parents
    assert gone not in new.parents
    assert memory.check() == []


def test_an_edit_withdraws_the_summary_of_the_old_words(
    memory: lamina.Memory, user: lamina.Handle
) -> None:
    closed(memory, user, *MORE)
    [old] = user.list(kind="summary")
    told = next(p for p in old.parents if user.get(p).kind == "fact")  # type: ignore[union-attr]

    user.update(told, "Ann lives in Stavanger.")

    assert user.list(kind="summary") == []
    assert user.history(old.id)[0].undone_by == user.history(told)[-1].operation
    assert user.list(kind="fact", as_of="2026-02-01T00:00:00Z") != []
    assert [n.id for n in user.list(kind="summary", as_of="2026-02-01T00:00:00Z")] == [old.id]


def test_an_edit_to_the_same_words_confirms_them_and_changes_nothing_else(
    memory: lamina.Memory, user: lamina.Handle
) -> None:
    closed(memory, user, *MORE)
    [summary] = user.list(kind="summary")
    told = user.get(summary.parents[0])
    assert isinstance(told, lamina.Note)

    user.update(told.id, told.text)

    assert user.list(kind="summary") == [summary]
    assert user.get(told.id).by_person  # type: ignore[union-attr]


def test_a_deletion_is_an_operation_that_can_be_rolled_back(
    memory: lamina.Memory, user: lamina.Handle
) -> None:
    before = user.list()
    made = user.delete(user.messages()[0].id)
    assert (made.kind, made.cause, made.undone_by) == ("delete", "a person", None)

    user.rollback(made.id)

    assert user.list() == before
    assert len(user.messages()) == 2
    memory.process()
    assert memory.check() == []


def test_what_was_deleted_still_answers_as_of_an_earlier_day(user: lamina.Handle) -> None:
    message = user.messages()[0]
    user.delete(message.id)

    assert message.id not in [m.id for m in user.messages()]
    assert message.id in [m.id for m in user.messages(as_of="2026-02-01T00:00:00Z")]
