import pytest

import lamina
from lamina.errors import NotFound


@pytest.fixture
def user(memory: lamina.Memory) -> lamina.Handle:
    user = memory.user("ann")
    user.add("I live in Paris now.", session_id="a", timestamp="2026-03-01T10:00:00Z", wait=True)
    return user


def only(user: lamina.Handle, word: str) -> lamina.Note:
    found = [note for note in user.list(kind="fact", superseded=True) if word in note.text]
    assert len(found) == 1
    return found[0]


def test_a_revision_tells_what_it_changed_and_who_did(user: lamina.Handle) -> None:
    note = only(user, "Paris")
    user.update(note.id, "I live in Lyon now.")

    first, second = user.history(note.id)
    assert (first.number, first.cause, first.difference) == (1, "bind", "")
    assert second.difference == '"Paris" became "Lyon"; by a person'
    assert second.sources == first.sources


def test_it_tells_what_took_its_place_and_since_when(user: lamina.Handle) -> None:
    user.add("I live in Rome now.", session_id="b", timestamp="2026-06-01T10:00:00Z", wait=True)

    paris, rome = only(user, "Paris"), only(user, "Rome")
    assert user.history(paris.id)[-1].difference == (
        'superseded by "I live in Rome now."; holds until 2026-06-01'
    )
    assert [w.id for w in user.why(paris.id).superseded_by] == [rome.id]
    assert [w.id for w in user.why(rome.id).supersedes] == [paris.id]
    assert user.why(paris.id).formed_from == ()


def test_the_chain_of_successors_is_told_to_its_end(user: lamina.Handle) -> None:
    user.add("I live in Rome now.", session_id="b", timestamp="2026-06-01T10:00:00Z", wait=True)
    user.add("I live in Oslo now.", session_id="c", timestamp="2026-09-01T10:00:00Z", wait=True)

    [rome] = user.why(only(user, "Paris").id).superseded_by
    [oslo] = rome.superseded_by
    assert (rome.text, oslo.text) == ("I live in Rome now.", "I live in Oslo now.")
    [back] = user.why(oslo.id).supersedes
    assert back.id == rome.id
    assert [each.text for each in back.supersedes] == ["I live in Paris now."]


def test_what_is_said_again_gains_a_source(user: lamina.Handle) -> None:
    user.add("I live in Paris now.", session_id="b", timestamp="2026-03-05T10:00:00Z", wait=True)

    [first] = [note for note in user.list(kind="fact") if len(note.sources) == 2]
    assert user.history(first.id)[-1].difference == "gained a source"
    assert len(user.why(first.id).sources) == 2


def test_a_hidden_note_is_explained_with_what_hid_it(user: lamina.Handle) -> None:
    note = only(user, "Paris")
    made = user.delete(note.id)

    [revision] = user.history(note.id)
    assert (revision.withdrawn, revision.undone_by) == (True, made.id)
    assert revision.difference == f"undone by delete on {made.recorded_at.date()}"
    why = user.why(note.id)
    assert not why.live
    assert why.operation is not None
    assert why.operation.kind == "bind"
    assert [(source.text, source.live) for source in why.sources] == [(note.text, True)]


def test_what_is_restored_is_not_told_as_undone(user: lamina.Handle) -> None:
    note = only(user, "Paris")
    user.rollback(user.delete(note.id).id)

    [revision] = user.history(note.id)
    assert (revision.withdrawn, revision.undone_by, revision.difference) == (False, None, "")


def test_a_message_tells_what_added_and_what_hid_it(user: lamina.Handle) -> None:
    [message] = user.messages()
    [added] = user.history(message.id)
    assert (added.cause, added.text, added.operation) == ("add", message.text, message.operation)
    assert (added.withdrawn, added.difference) == (False, "")

    made = user.delete(message.id)
    [hidden] = user.history(message.id)
    assert (hidden.withdrawn, hidden.undone_by) == (True, made.id)
    assert hidden.difference == f"undone by delete on {made.recorded_at.date()}"
    why = user.why(message.id)
    assert (why.text, why.live) == (message.text, False)
    assert why.operation is not None
    assert why.operation.kind == "add"


def test_a_message_whose_addition_was_undone_names_the_rollback(user: lamina.Handle) -> None:
    [message] = user.messages()
    assert message.operation
    back = user.rollback(message.operation)

    assert user.history(message.id)[0].undone_by == back.operation.id
    assert [s.live for s in user.why(message.id).sources] == [False]


def test_a_hit_is_explained_as_its_note_is(user: lamina.Handle) -> None:
    [hit] = user.search("Where do I live?", top_k=1)

    assert user.why(hit) == user.why(hit.id)


def test_what_is_not_here_is_not_found(memory: lamina.Memory, user: lamina.Handle) -> None:
    for verb in (memory.user("bo").history, memory.user("bo").why):
        for id_ in (only(user, "Paris").id, user.messages()[0].id, "", "no such"):
            with pytest.raises(NotFound):
                verb(id_)


def test_chinese_is_compared_by_its_characters(memory: lamina.Memory) -> None:
    user = memory.user("li")
    user.add("我住在北京。", timestamp="2026-03-01T10:00:00Z", wait=True)
    [note] = user.list(kind="fact")
    user.update(note.id, "我住在上海。")

    assert user.history(note.id)[-1].difference == '"北京" became "上海"; by a person'
