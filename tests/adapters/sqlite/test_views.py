from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lamina.adapters.sqlite import SqliteStore
from lamina.adapters.sqlite.views import seen_from
from lamina.model import At
from lamina.testing.factories import (
    SPACE,
    at,
    gone,
    known,
    note,
    operation,
    recorded,
    say,
    scope,
    undo,
    write,
)

ALICE = scope("alice")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "memory.db")
    store.set_space(SPACE)
    yield store
    store.close()


def test_a_query_is_read_with_the_views_it_names_and_no_others() -> None:
    seen = seen_from("SELECT * FROM spoken WHERE scope = :scope", "as_of")

    assert seen.startswith("WITH spoken AS NOT MATERIALIZED (")
    assert "remembered" not in seen
    assert seen.endswith(") SELECT * FROM spoken WHERE scope = :scope")


def test_an_audit_sees_a_rollback_only_between_it_and_its_own_rollback(store: SqliteStore) -> None:
    [one] = say(store, ALICE, "one")
    write(store, ALICE, note("n", event=one), id_="op1", minute=1)
    undo(store, ALICE, "op1", by="op2", minute=2)
    undo(store, ALICE, "op2", by="op3", minute=3)

    def there(moment: At | None) -> int:
        return len(store.notes(ALICE, ["n"], at=moment))

    assert [there(recorded(minute)) for minute in (1, 2, 2.5, 3, 3.5)] == [0, 1, 0, 0, 1]
    assert [there(known(minute)) for minute in (1, 2, 2.5, 3, 3.5)] == [0, 1, 1, 1, 1]


def test_an_audit_of_a_moment_takes_only_what_was_known_of_what_was_recorded(
    store: SqliteStore,
) -> None:
    [one] = say(store, ALICE, "one")
    first = note("n", "here", event=one)
    write(store, ALICE, first, id_="op1", minute=1)
    late = operation("op2", known_at=at(2), recorded_at=at(50))
    write(store, ALICE, replace(first, text="there", revision=2), id_="op2", operation=late)
    later = operation("op3", "delete", known_at=at(3), recorded_at=at(60))
    write(store, ALICE, id_="op3", operation=later, gone=gone("note", "n", always=False))

    def told(as_of: float, recorded_as_of: float) -> list[str]:
        moment = At(as_of=at(as_of), recorded_as_of=at(recorded_as_of))
        return [each.text for each in store.list_notes(ALICE, at=moment)]

    assert told(9, 50) == ["here"]
    assert told(2, 55) == ["here"]
    assert told(9, 60) == ["there"]
    assert told(3, 61) == ["there"]
    assert told(9, 61) == []
