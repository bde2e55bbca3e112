import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

import lamina.adapters.sqlite
from lamina.adapters.sqlite.opening import migrations, statements
from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.views import seen_from

FOLDER = Path(lamina.adapters.sqlite.__file__).parent
FILES = sorted(path.stem for path in (FOLDER / "queries").glob("*.sql"))
QUERIES = [(file, name) for file in FILES for name in load(file)]
ACROSS_SCOPES = {"check", "upkeep"}
"""Files whose queries look at the whole store."""
NARROWED = {"views"}
"""Files of views: queries that others narrow to a scope."""
WHOLE = {"owned", "with_messages", "vectors_lacking", "drop_other_vectors", "make_present"}


@pytest.fixture(scope="module")
def schema() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    for script in migrations():
        for statement in statements(script):
            connection.execute(statement)
    yield connection
    connection.close()


def plan(schema: sqlite3.Connection, file: str, name: str, moment: str | None = None) -> list[str]:
    query = load(file)[name]
    if moment:
        query = seen_from(query, moment)
    named = {n: None for n in re.findall(r":(\w+)", query)}
    numbered = re.findall(r"\?(\d+)", query)
    count = max(map(int, numbered)) if numbered else query.count("?")
    rows = schema.execute(f"EXPLAIN QUERY PLAN {query}", named or (None,) * count)
    return [row[3] for row in rows]


@pytest.mark.parametrize(("file", "name"), QUERIES)
def test_every_query_fits_the_schema(schema: sqlite3.Connection, file: str, name: str) -> None:
    assert plan(schema, file, name) is not None


@pytest.mark.parametrize(
    ("file", "name"),
    [q for q in QUERIES if q[0] not in ACROSS_SCOPES | NARROWED and q[1] not in WHOLE],
)
def test_no_query_of_a_scope_walks_through_a_table(
    schema: sqlite3.Connection, file: str, name: str
) -> None:
    small = r"SCAN (m$|l$|wanted|json_each|settled|\(subquery-\d+\)|space|CONSTANT ROW)"
    walks = [step for step in plan(schema, file, name) if step.startswith("SCAN")]

    assert [step for step in walks if not re.match(small, step)] == []


@pytest.mark.parametrize(
    ("file", "name", "index"),
    [
        ("observations", "last", "message_recorded"),
        ("observations", "in_session", "message_of_session"),
        ("observations", "waiting_in_session", "message_waiting"),
        ("observations", "latest", "message_said"),
        ("observations", "latest_in_session", "message_of_session"),
        ("observations", "buffer", "message_buffered"),
        ("observations", "buffer_of_session", "message_buffered"),
        ("recall", "stale_exchanges", "message_exchange_due"),
        ("notes", "list", "note_said"),
        ("notes", "of_messages", "note_of_event"),
        ("queue", "longest_waiting", "job_due"),
        ("observations", "known", "autoindex_message_2"),
        ("observations", "by_id", "autoindex_message_2"),
        ("observations", "added_by", "message_added"),
        ("observations", "consolidated_by", "message_consolidated"),
        ("gone", "messages_added_by", "message_added (scope=? AND operation=?)"),
        ("gone", "notes_written_by", "revision_of_operation (scope=? AND operation=?)"),
        ("gone", "shown_after", "document_previous (scope=? AND previous=?)"),
        ("gone", "undone_by", "gone_subject"),
        ("notes", "written_by", "revision_of_operation (scope=? AND operation=?)"),
        ("notes", "formed_from", "parent_of"),
        ("notes", "by_id", "autoindex_note_2"),
        ("notes", "message_places", "autoindex_message_2"),
        ("notes", "note_places", "autoindex_note_2"),
        ("notes", "operations", "autoindex_operation_2"),
        ("notes", "links", "link_target"),
        ("interactions", "waiting", "message_pending"),
        ("interactions", "waiting_as_recorded", "message_waiting"),
        ("erasure", "taking_in", "source_message"),
        ("erasure", "erase_ties_since", "link_target"),
    ],
)
def test_what_must_be_fast_uses_its_index(
    schema: sqlite3.Connection, file: str, name: str, index: str
) -> None:
    assert any(index in step for step in plan(schema, file, name))


@pytest.mark.parametrize("moment", ["as_of", "recorded"])
@pytest.mark.parametrize(
    ("file", "name", "first"),
    [
        ("observations", "by_id", "m USING INDEX sqlite_autoindex_message_2 (scope=? AND id=?)"),
        ("notes", "by_id", "n USING INDEX sqlite_autoindex_note_2 (scope=? AND id=?)"),
        ("notes", "of_messages", "n USING INDEX note_of_event (scope=? AND event=?)"),
        ("notes", "resting_on", "n USING PRIMARY KEY (scope=? AND number=?)"),
        ("notes", "links", "n USING PRIMARY KEY (scope=? AND number=?)"),
    ],
)
def test_no_read_of_a_moment_walks_through_a_scope(
    schema: sqlite3.Connection, file: str, name: str, first: str, moment: str
) -> None:
    steps = plan(schema, file, name, moment)

    assert f"SEARCH {first}" in steps
    assert [step for step in steps if step.endswith("(scope=?)")] == []


@pytest.mark.parametrize(
    ("name", "index"),
    [("latest", "message_said"), ("latest_in_session", "message_of_session")],
)
def test_the_latest_of_a_moment_are_read_in_their_order(
    schema: sqlite3.Connection, name: str, index: str
) -> None:
    steps = plan(schema, "observations", name, "as_of")

    assert "MERGE (UNION ALL)" in steps
    assert any(f"{index} (scope=?" in step and "said_at<?)" in step for step in steps)


@pytest.mark.parametrize("file", FILES)
def test_every_query_says_what_it_is_for(file: str) -> None:
    text = (FOLDER / "queries" / f"{file}.sql").read_text(encoding="utf-8")

    assert len(load(file)) == len(re.findall(r"^-- \w+: .+$", text, re.MULTILINE))
    assert all(
        query.split()[0] in {"SELECT", "INSERT", "UPDATE", "DELETE"}
        for query in load(file).values()
    )


def test_every_query_is_used() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))

    named = [name for file, name in QUERIES if file not in {"check", *NARROWED}]
    unused = [name for name in named if f'"{name}"' not in source]
    assert unused == []
