"""A supersession that was rolled back stays undone, unless its rollback is."""

import pytest

import lamina
from lamina.ports import Operation

PARIS, ROME = "I live in Paris.", "I moved to Rome."


@pytest.fixture
def user(memory: lamina.Memory) -> lamina.Handle:
    """Who lived in Paris, moved to Rome, and had that taken back."""
    user = memory.user("ann")
    user.add(PARIS, session_id="s1", timestamp="2026-01-01T10:00:00Z", wait=True)
    user.add(ROME, session_id="s1", timestamp="2026-02-01T10:00:00Z", wait=True)
    assert heirs(user)[PARIS] == ROME
    user.rollback(superseding(user).id)
    user.process()
    return user


def superseding(user: lamina.Handle) -> Operation:
    return user.operations(kinds=["supersede"])[0]


def heirs(user: lamina.Handle) -> dict[str, str | None]:
    """What took the place of each fact, in words."""
    facts = {note.id: note for note in user.list(kind="fact", superseded=True)}
    return {n.text: n.superseded_by and facts[n.superseded_by].text for n in facts.values()}


def imports(user: lamina.Handle) -> str:
    """Import what takes the place of both, and return the operation."""
    told = {"I live in Oslo now.": "2026-01-15", "I moved to Bern.": "2026-03-15"}
    given = [
        {"content": text, "timestamp": f"{day}T10:00:00Z", "session_id": "old"}
        for text, day in told.items()
    ]
    operation = user.add(given, batch="archive", wait=True).operation
    assert operation is not None
    return operation


def test_it_stays_undone_when_an_import_comes_and_goes(
    memory: lamina.Memory, user: lamina.Handle
) -> None:
    operation = imports(user)
    assert heirs(user)[PARIS] == "I live in Oslo now."

    user.rollback(operation)
    memory.process()

    assert heirs(user) == {PARIS: None, ROME: None}
    assert memory.check() == []


def test_what_is_said_of_it_later_does_not_bring_it_back(user: lamina.Handle) -> None:
    user.add("I moved to Bern.", timestamp="2026-03-15T10:00:00Z", wait=True)

    assert heirs(user) == {PARIS: "I moved to Bern.", ROME: "I moved to Bern.",
                           "I moved to Bern.": None}  # fmt: skip


def test_it_is_back_when_its_rollback_is_rolled_back(
    memory: lamina.Memory, user: lamina.Handle
) -> None:
    user.rollback(user.operations(kinds=["rollback"])[0].id)
    memory.process()
    assert heirs(user)[PARIS] == ROME

    user.rollback(imports(user))
    memory.process()
    assert heirs(user)[PARIS] == ROME


def test_what_goes_only_with_something_else_is_found_anew(memory: lamina.Memory) -> None:
    user = memory.user("bo")
    first = user.add(PARIS, timestamp="2026-01-01T10:00:00Z", wait=True).operation
    user.add(ROME, timestamp="2026-02-01T10:00:00Z", wait=True)
    assert first is not None
    gone = user.rollback(first).operation
    user.rollback(gone.id)
    memory.process()

    assert heirs(user) == {PARIS: ROME, ROME: None}


def test_a_confirmation_that_was_rolled_back_is_not_made_again(memory: lamina.Memory) -> None:
    user = memory.user("bo")
    for day in (1, 2):
        user.add(PARIS, session_id="s", timestamp=f"2026-01-{day:02}T10:00:00Z", wait=True)
    first = min(user.list(kind="fact"), key=lambda note: note.began_at)
    assert len(first.sources) == 2

    user.rollback(superseding(user).id)
    user.add("I live in Paris still.", timestamp="2026-01-03T10:00:00Z", wait=True)

    kept = user.get(first.id)
    assert isinstance(kept, lamina.Note)
    told = {m.text for m in user.messages() if m.id in kept.sources}
    assert PARIS in told
    assert len([m for m in user.messages() if m.id in kept.sources and m.text == PARIS]) == 1
