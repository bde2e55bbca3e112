from pathlib import Path

import pytest

from tests.apps.cli.conftest import Cli


@pytest.fixture
def own(cli: Cli, talk: Path) -> Cli:
    cli.json("import", str(talk))
    return cli


def named(cli: Cli, *more: str) -> dict[str, str]:
    [entry, *_] = cli.json("list", "--conversation", "ann-and-bo", *more)["entries"]
    assert isinstance(entry, dict)
    return entry


def operation(cli: Cli, kind: str) -> str:
    """The id of the last operation of a kind."""
    [latest, *_] = cli.json("log", "--kind", kind)["operations"]
    assert isinstance(latest["id"], str)
    return latest["id"]


def texts(cli: Cli, query: str, *more: str) -> list[str]:
    return [h["text"] for h in cli.json("search", query, "--kind", "message", *more)["hits"]]


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


def test_a_withdrawn_note_keeps_its_history_under_the_beginning_of_its_id(own: Cli) -> None:
    note = named(own)

    own.json("delete", "--conversation", "ann-and-bo", note["id"][:8])

    revisions = own("history", "--conversation", "ann-and-bo", note["id"][:8]).stdout
    assert "summed up, withdrawn" in " ".join(revisions.split())


def test_what_is_deleted_says_how_to_take_it_back(own: Cli) -> None:
    message = named(own, "--kind", "message")

    told = own("delete", "--conversation", "ann-and-bo", message["id"][:8]).stdout
    [line] = [line for line in told.splitlines() if line.startswith("to take it back: ")]

    assert f"withdrawn: {message['id']}" in told
    assert f"lamina rollback --db {own.db} --conversation ann-and-bo " in line
    own.json("rollback", "--conversation", "ann-and-bo", line.split()[-1])
    assert named(own, "--kind", "message") == message


def test_a_rollback_is_as_if_it_had_not_been_done(moved: Cli) -> None:
    done = moved.json("rollback", operation(moved, "add"))

    assert done["plan"]["target"]["kind"] == "add"
    assert texts(moved, "Where do I live?") == ["I live in Paris."]
    assert texts(moved, "Where do I live?", "--as-of", "2026-01-01") == ["I live in Paris."]


def test_a_rollback_says_what_it_did_and_that_restores_when_rolled_back(moved: Cli) -> None:
    told = moved("rollback", operation(moved, "add")).stdout
    back = next(line for line in told.splitlines() if line.startswith("to take it back: "))

    assert "hidden: 1 fact, 1 message" in told
    assert "left for `lamina process`: " in told
    assert "back: 1 fact, 1 message" in moved("rollback", back.split()[-1]).stdout
    assert "I live in Rome now." in texts(moved, "Where do I live?")


def test_an_operation_is_named_by_its_number_in_the_log_too(moved: Cli) -> None:
    [add, *_] = moved.json("log", "--kind", "add")["operations"]

    assert moved.json("rollback", str(add["number"]))["plan"]["target"]["id"] == add["id"]


def test_what_is_rolled_back_already_says_by_what(moved: Cli) -> None:
    add = operation(moved, "add")
    by = moved.json("rollback", add)["operation"]["id"]

    assert by in moved.fails("rollback", add, code=2)


def test_an_unknown_operation_is_not_found(moved: Cli) -> None:
    assert "no operation here" in moved.fails("rollback", "feedface", code=2)


def test_what_is_set_aside_shows_at_no_moment_until_it_is_released(moved: Cli) -> None:
    paris = moved.json("list", "--kind", "message")["entries"][0]["id"]

    told = moved("quarantine", paris[:8], "--reason", "hearsay").stdout

    assert f"set aside: {paris}" in told
    assert texts(moved, "Paris", "--as-of", "2025-03-01") == []
    assert moved.json("log", "--limit", "1")["operations"][0]["cause"] == "hearsay"
    assert moved.json("release", paris[:8])["released"] == paris
    assert texts(moved, "Paris", "--as-of", "2025-03-01") == ["I live in Paris."]


def test_what_is_not_set_aside_cannot_be_released(moved: Cli) -> None:
    rome = moved.json("list", "--kind", "message")["entries"][-1]["id"]

    assert "not quarantined" in moved.fails("release", rome, code=2)
