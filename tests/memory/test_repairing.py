"""A damaged store is made whole from what was said."""

import sqlite3
from pathlib import Path

import pytest

import lamina
from lamina.ports import Encoder

DAMAGES = [
    "DELETE FROM vector WHERE document % 2 = 0",
    "UPDATE vector SET value = zeroblob(4)",
    "DELETE FROM posting WHERE document % 2 = 1",
    "UPDATE posting SET count = count + 1",
    "DELETE FROM document WHERE view = 0",
    "DELETE FROM document WHERE view = 1",
    "DELETE FROM document WHERE view = 2",
    "UPDATE document SET hidden = NOT hidden",
    "DELETE FROM document; DELETE FROM posting; DELETE FROM vector",
]
QUERIES = ("Where do I live?", "the boat", "cat")


def used(path: Path, encoder: Encoder) -> lamina.Memory:
    """A store with notes of several revisions, something deleted, and something that waits."""
    memory = lamina.open(path, encoder=encoder)
    ann = memory.user("ann")
    ann.add("I live in Bergen.", session_id="s1", timestamp="2026-01-01T10:00:00Z")
    ann.add("My cat is called Miso.", session_id="s1", timestamp="2026-01-01T10:01:00Z")
    ann.add("The boat is red.", session_id="s1", timestamp="2026-01-01T10:02:00Z", wait=True)
    facts = {note.text: note.id for note in ann.list(kind="fact")}
    ann.update(facts["I live in Bergen."], "Ann lives in Stavanger.")
    ann.delete(facts["The boat is red."])
    ann.close_session("s1")
    memory.process()
    ann.add("And now I wait.", session_id="s2", timestamp="2026-01-02T10:00:00Z")
    return memory


def told(memory: lamina.Memory) -> list[list[str]]:
    """What is found now and was found before, relevance aside."""
    ann = memory.user("ann")
    moments = (None, "2026-01-01T10:01:30Z")
    return [
        sorted(hit.id for hit in ann.search(query, as_of=moment))
        for query in QUERIES
        for moment in moments
    ]


def damage(path: Path, sql: str) -> None:
    connection = sqlite3.connect(path)
    connection.executescript(sql)
    connection.commit()
    connection.close()


@pytest.mark.parametrize("sql", DAMAGES)
def test_what_is_derived_is_made_anew(tmp_path: Path, encoder: Encoder, sql: str) -> None:
    path = tmp_path / "memory.db"
    with used(path, encoder) as memory:
        memory.process()
        before = told(memory)
    damage(path, sql)

    with lamina.open(path, encoder=encoder) as memory:
        assert memory.check() != []
        told_of: list[tuple[int, int]] = []
        repaired = memory.repair(progress=lambda done, of: told_of.append((done, of)))

        assert repaired.lacking == ()
        assert all(done <= of for done, of in told_of)
        memory.process()
        assert memory.check() == []
        assert told(memory) == before
        assert memory.repair().rebuilt == {}


def test_work_that_was_lost_is_asked_for_again(tmp_path: Path, encoder: Encoder) -> None:
    path = tmp_path / "memory.db"
    used(path, encoder).close()
    damage(path, "DELETE FROM job")

    with lamina.open(path, encoder=encoder) as memory:
        memory.repair()
        memory.process()

        assert "And now I wait." in [note.text for note in memory.user("ann").list()]


def test_what_is_sound_is_left_as_it_is(memory: lamina.Memory) -> None:
    memory.user("ann").add(["I live in Bergen.", "I keep bees."], wait=True)
    before = list(memory.user("ann").export())

    repaired = memory.repair()

    assert (dict(repaired.rebuilt), repaired.lacking) == ({}, ())
    assert list(memory.user("ann").export()) == before
    assert memory.check() == []
