import pytest

import lamina

SAID = "I adore the smell of rain on dry earth."


@pytest.fixture
def user(memory: lamina.Memory) -> lamina.Handle:
    user = memory.user("ann")
    user.add(SAID, session_id="s1", timestamp="2026-01-01T10:00:00Z")
    user.add(SAID, session_id="s2", timestamp="2026-03-01T10:00:00Z")
    user.add("I adore the smell of paint.", session_id="s3", timestamp="2026-04-01T10:00:00Z")
    memory.process()
    return user


def test_notes_that_say_the_same_become_the_one_said_first(
    memory: lamina.Memory, user: lamina.Handle
) -> None:
    first, _ = said = [note for note in reversed(user.list(kind="fact")) if note.text == SAID]

    made = user.merge()

    assert made is not None
    [merged] = [note for note in user.list(kind="fact") if note.text == SAID]
    assert merged.id == first.id
    assert merged.sources == tuple(source for note in said for source in note.sources)
    assert len(user.list(kind="fact")) == 2
    assert memory.check() == []


def test_merging_again_changes_nothing(user: lamina.Handle) -> None:
    user.merge()

    assert user.merge() is None


def test_a_merge_that_is_rolled_back_leaves_both(user: lamina.Handle) -> None:
    before = user.list()
    made = user.merge()
    assert made is not None
    user.rollback(made.id)

    assert user.list() == before


def test_what_a_person_wrote_stays(user: lamina.Handle) -> None:
    later = next(note for note in user.list(kind="fact") if note.text == SAID)
    user.update(later.id, SAID)
    user.merge()

    [merged] = [note for note in user.list(kind="fact") if note.text == SAID]
    assert merged.id == later.id
