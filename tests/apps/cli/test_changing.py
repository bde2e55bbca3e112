import sqlite3
from pathlib import Path

import pytest

from tests.apps.cli.conftest import Cli


@pytest.fixture
def own(cli: Cli, talk: Path) -> Cli:
    cli.json("import", str(talk))
    cli.json("add", "--user", "bystander", "--at", "2026-01-01", "I keep bees.")
    return cli


def named(cli: Cli, *more: str) -> dict[str, str]:
    [entry, *_] = cli.json("list", "--conversation", "ann-and-bo", *more)["entries"]
    assert isinstance(entry, dict)
    return entry


def test_a_persons_edit_is_a_revision_that_survives(own: Cli) -> None:
    note = named(own)

    changed = own.json("update", "--conversation", "ann-and-bo", note["id"], "Ann's canoe is blue.")
    own.json("process")

    assert changed["revision"] == 2
    assert changed["by_person"] is True
    history = own.json("history", "--conversation", "ann-and-bo", note["id"])["revisions"]
    assert [r["text"] for r in history] == [note["text"], "Ann's canoe is blue."]


def test_what_is_deleted_is_found_no_more(own: Cli) -> None:
    message = named(own, "--kind", "message")

    own.json("delete", "--conversation", "ann-and-bo", message["id"])

    hits = own.json("search", "--conversation", "ann-and-bo", message["text"])["hits"]
    assert message["id"] not in {hit["id"] for hit in hits}


def test_forgetting_asks_first(own: Cli) -> None:
    result = own("forget", "--conversation", "ann-and-bo", input="n\n")

    assert result.exit_code == 1
    assert "Erase conversation ann-and-bo, 5 messages, for good?" in result.stderr
    assert own.json("stats", "--conversation", "ann-and-bo")["counts"]["messages"] == 5


def test_forgetting_without_an_answer_changes_nothing(own: Cli) -> None:
    assert own("forget", "--conversation", "ann-and-bo", input="").exit_code == 1
    assert own.json("stats", "--conversation", "ann-and-bo")["counts"]["messages"] == 5


def test_what_is_forgotten_is_gone_and_nothing_else(own: Cli) -> None:
    receipt = own.json("forget", "--conversation", "ann-and-bo", "--yes")

    assert receipt["messages"] == 5
    line = own.fails("search", "--conversation", "ann-and-bo", "canoe", code=2)
    assert "there is no conversation 'ann-and-bo'" in line
    assert len(own.json("search", "--user", "bystander", "bees")["hits"]) == 1
    assert b"Pepper" not in own.db.read_bytes()


def test_what_is_forgotten_is_told_in_plain_words(cli: Cli) -> None:
    cli.json("add", "--user", "u", "Hi.")

    told = cli("forget", "--user", "u", "--yes").stdout

    assert told.startswith("1 message, 0 notes and ")
    assert told.endswith("erased: gone from the file\n")
    assert "nothing is stored under that name" in cli("forget", "--user", "u", "--yes").stdout


def test_what_somebody_still_reads_leaves_traces_until_it_is_forgotten_again(cli: Cli) -> None:
    cli.json("add", "--user", "u", "Hi.")
    reader = sqlite3.connect(cli.db)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM message").fetchall()

    first = cli("forget", "--user", "u", "--yes").stdout
    reader.close()

    assert "traces stay in it until this command is run again" in " ".join(first.split())
    assert "gone from the file" in cli("forget", "--user", "u", "--yes").stdout


def test_a_withdrawn_note_keeps_its_history_under_the_id_that_was_told(own: Cli) -> None:
    note = named(own)

    told = own("delete", "--conversation", "ann-and-bo", note["id"][:8]).stdout

    whole = told.split()[-1]
    revisions = own("history", "--conversation", "ann-and-bo", whole).stdout
    assert "summed up, withdrawn" in " ".join(revisions.split())


def test_whose_memory_is_erased_is_never_guessed(cli: Cli) -> None:
    cli.json("add", "--user", "u", "Hi.")

    assert "Give --user, --conversation or --space" in cli.fails("forget", "--yes", code=2)
