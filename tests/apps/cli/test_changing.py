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
    assert own.json("search", "--conversation", "ann-and-bo", "canoe")["hits"] == []
    assert len(own.json("search", "--user", "bystander", "bees")["hits"]) == 1
    assert b"Pepper" not in own.db.read_bytes()


def test_whose_memory_is_erased_is_never_guessed(cli: Cli) -> None:
    cli.json("add", "--user", "u", "Hi.")

    assert "Give --user or --conversation" in cli.fails("forget", "--yes", code=2)
