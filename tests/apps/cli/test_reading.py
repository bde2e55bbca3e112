import pytest

from tests.apps.cli.conftest import Cli


def first_note(cli: Cli) -> str:
    [note, *_] = cli.json("list", "--limit", "1")["entries"]
    assert isinstance(note["id"], str)
    return note["id"]


def test_notes_are_listed_latest_first(told: Cli) -> None:
    notes = told.json("list")["entries"]

    assert notes
    assert [n["said_at"] for n in notes] == sorted((n["said_at"] for n in notes), reverse=True)
    assert notes[0]["id"][:8] in told("list").stdout


def test_relations_are_listed_only_if_asked_for(told: Cli) -> None:
    def kinds(*more: str) -> set[str]:
        return {entry["kind"] for entry in told.json("list", *more)["entries"]}

    assert kinds() == {"summary", "fact"}
    assert kinds("--kind", "relation") == {"relation"}
    assert kinds("--all") == {"summary", "fact", "relation"}


def test_notes_are_listed_in_parts_that_make_the_whole(told: Cli) -> None:
    whole = told.json("list")["entries"]
    parts = [
        told.json("list", "--limit", "2", "--offset", str(at))["entries"]
        for at in range(0, len(whole) + 1, 2)
    ]

    assert [note for part in parts for note in part] == whole


def test_messages_are_listed_in_order_with_limit_and_offset(told: Cli) -> None:
    def texts(*more: str) -> list[str]:
        entries = told.json("list", "--kind", "message", *more)["entries"]
        return [entry["text"] for entry in entries]

    assert len(texts()) == 5
    assert texts("--limit", "2", "--offset", "1") == texts()[2:4]
    assert texts("--session", "session_2") == texts()[3:]


def test_one_entry_is_shown_by_the_beginning_of_its_id(told: Cli) -> None:
    whole = first_note(told)

    assert told.json("get", whole[:8])["id"] == whole
    assert whole in told("get", whole[:8]).stdout


@pytest.mark.parametrize("command", ["get", "why", "history", "delete"])
def test_an_unknown_id_is_not_found(told: Cli, command: str) -> None:
    line = told.fails(command, "feedfacefeedface", code=2)

    assert "list" in line


def test_the_history_of_a_note_has_a_cause(told: Cli) -> None:
    [revision] = told.json("history", first_note(told))["revisions"]

    assert revision["number"] == 1
    assert revision["cause"]


def test_why_goes_down_to_the_messages(told: Cli) -> None:
    why = told.json("why", first_note(told))

    ids = {m["id"] for m in told.json("list", "--kind", "message")["entries"]}
    assert why["sources"]
    assert {source["id"] for source in why["sources"]} <= ids
    assert why["sources"][0]["speaker"] in told("why", first_note(told)).stdout


def test_the_history_of_a_message_is_what_added_it(told: Cli) -> None:
    [message, *_] = told.json("list", "--kind", "message")["entries"]

    [only] = told.json("history", message["id"])["revisions"]

    assert (only["cause"], only["operation"]) == ("import", message["operation"])
    assert "imported" in told("history", message["id"]).stdout


def test_what_is_superseded_is_listed_if_asked_for_or_where_it_held(moved: Cli) -> None:
    def facts(*more: str) -> list[str]:
        return [e["text"] for e in moved.json("list", "--kind", "fact", *more)["entries"]]

    assert facts() == ["I live in Rome now."]
    assert facts("--superseded") == ["I live in Rome now.", "I live in Paris."]
    assert facts("--valid-on", "2025-03-01") == ["I live in Paris."]
    assert facts("--as-of", "2025-03-01") == ["I live in Paris."]
    assert facts("--recorded-as-of", "2025-03-01") == []
    shown = moved("list", "--kind", "fact", "--superseded").stdout
    assert "I live in Paris. (until 2025-06-02; superseded by " in shown


def test_messages_are_listed_as_of_a_moment(moved: Cli) -> None:
    entries = moved.json("list", "--kind", "message", "--as-of", "2025-03-01")["entries"]

    assert [entry["text"] for entry in entries] == ["I live in Paris."]
    assert "--valid-on" in moved.fails(
        "list", "--kind", "message", "--valid-on", "2025-03-01", code=2
    )


def superseded(cli: Cli) -> str:
    """The id of the fact that gave way to another."""
    entries = cli.json("list", "--kind", "fact", "--superseded")["entries"]
    [id_] = [entry["id"] for entry in entries if entry["superseded_by"]]
    assert isinstance(id_, str)
    return id_


def test_an_entry_is_shown_as_it_was_known(moved: Cli) -> None:
    paris = superseded(moved)

    assert moved.json("get", paris[:8])["superseded_by"]
    assert moved.json("get", paris[:8], "--as-of", "2025-03-01")["superseded_by"] is None
    assert "superseded by" in moved("get", paris).stdout


def test_the_history_tells_what_each_revision_changed(moved: Cli) -> None:
    shown = " ".join(moved("history", superseded(moved)[:8]).stdout.split())

    assert 'superseded by "I live in Rome now."; holds until 2025-06-02' in shown


def test_why_tells_what_took_the_place_of_what(moved: Cli) -> None:
    paris = superseded(moved)
    rome = moved.json("get", paris)["superseded_by"]

    assert "gave way to, 2025-06-02: I live in Rome now." in moved("why", paris).stdout
    assert "took the place of, 2025-01-10: I live in Paris." in moved("why", rome).stdout


def test_an_empty_list_says_how_to_fill_it(cli: Cli) -> None:
    cli.json("add", "--user", "u", "Hi there.")

    assert "lamina process" in cli("list").stdout
