from dataclasses import replace
from pathlib import Path

import pytest

from lamina.adapters.sqlite import SqliteStore
from lamina.model import Step
from lamina.ports import Archive, Document, Repaired
from lamina.testing.clock import NOON
from lamina.testing.factories import SPACE, append, at, document, draft, exchange, say, write
from tests.adapters.sqlite.damages import ALICE, DAMAGES, damage, filled


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return filled(tmp_path)


def repaired(store: SqliteStore) -> Repaired:
    """Repair a store, and make anew what lacks as whoever has an encoder would."""
    found = store.repair(now=NOON)
    held = store.dump(ALICE)
    made = [made_anew(held, view, ref, revision) for _, view, ref, revision in found.lacking]
    if made:
        write(store, ALICE, id_="repair", documents=tuple(made))
    return found


def made_anew(held: Archive, view: str, ref: str, revision: int) -> Document:
    messages = {message.id: message for message in held.messages}
    notes = {(note.id, note.revision): note for note in held.revisions}
    if view == "turn":
        return document("turn", ref, messages[ref].text)
    if view == "note":
        return document("note", ref, notes[ref, revision].text, revision=revision)
    place = held.messages.index(messages[ref])
    return exchange(held.messages[place - 1], messages[ref])


def seen(store: SqliteStore) -> object:
    """All that somebody who reads is told."""
    with store.snapshot(ALICE) as snapshot:
        found = snapshot.documents
        postings = snapshot.postings(["tea", "milk", "gone", "lies"])
    order = sorted(range(len(found.refs)), key=lambda i: (found.refs[i], found.views[i]))
    return (
        [(found.refs[i], int(found.views[i]), found.vectors[i].tolist()) for i in order],
        sorted((found.refs[row], int(found.views[row])) for row in postings.rows),
        store.latest(ALICE, 9),
        store.list_notes(ALICE, superseded=True),
        store.buffer(ALICE),
    )


LOSING = {
    "UPDATE message SET operation = 99 WHERE position = 1",
    "UPDATE source SET message = 99 WHERE note = 2",
    "UPDATE link SET operation = 99",
    "UPDATE link SET target = 99",
    "UPDATE parent SET parent = 99",
    "UPDATE interaction SET item = 9 WHERE position = 8",
    "UPDATE revision SET superseded_by = 99 WHERE superseded_by IS NOT NULL",
    "UPDATE session SET number = 5 WHERE number = 2; UPDATE message SET session = 5 "
    "WHERE session = 2",
}
"""What destroys more than what is derived: a repair cannot bring it back."""


@pytest.mark.parametrize("script", DAMAGES, ids=DAMAGES.values())
def test_whatever_was_damaged_agrees_after_a_repair(path: Path, script: str) -> None:
    store = SqliteStore(path)
    store.repair(now=NOON)
    before = seen(store)
    store.close()
    damage(path, script)
    store = SqliteStore(path)
    assert store.check() != []

    found = repaired(store)

    assert found.rebuilt or found.lacking
    assert store.check() == []
    if script not in LOSING:
        assert seen(store) == before
    assert store.repair(now=NOON) == Repaired()
    store.close()


def test_what_was_said_is_never_touched(path: Path) -> None:
    store = SqliteStore(path)
    before = store.dump(ALICE)
    store.close()
    damage(path, "DELETE FROM document; DELETE FROM posting; DELETE FROM vector; DELETE FROM job")
    store = SqliteStore(path)

    found = repaired(store)

    views = [view for _, view, _, _ in found.lacking]
    assert (views.count("turn"), views.count("note")) == (7, 4)
    held = store.dump(ALICE)
    assert replace(held, operations=held.operations[:-1]) == before
    assert store.check() == []
    store.close()


def test_a_sound_store_stays_as_it_is(path: Path) -> None:
    store = SqliteStore(path)
    store.repair(now=NOON)
    before = path.read_bytes()

    assert store.repair(now=NOON) == Repaired()

    assert path.read_bytes() == before
    store.close()


def test_steps_that_nobody_would_do_are_asked_for(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "memory.db")
    store.set_space(SPACE)
    ids = say(store, ALICE, "one", "two", steps=())
    write(store, ALICE, id_="op1", progress=dict.fromkeys(ids, "bound"))
    append(store, ALICE, [draft("three", session="s2", said_at=at(3))], steps=())
    store.close_session(ALICE, "s1", steps=(), now=NOON)

    found = store.repair(now=NOON)

    assert found.rebuilt == {"steps": 3}
    assert {job.step for job in store.jobs(ALICE)} == {
        Step(kind="index", subject="s1"),
        Step(kind="consolidate", subject="s1"),
        Step(kind="bind", subject="s2"),
    }
    assert store.repair(now=NOON) == Repaired()
    store.close()
