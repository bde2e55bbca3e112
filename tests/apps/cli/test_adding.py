import pytest
from click.testing import CliRunner

from lamina.apps.cli.root import root
from tests.apps.cli.conftest import Cli


def test_a_message_is_found_as_soon_as_it_is_added(cli: Cli) -> None:
    added = cli.json("add", "--user", "alice", "--at", "2026-03-04T10:00:00Z", "I moved to Oslo.")

    assert added["new"] == 1
    [hit] = cli.json("search", "--user", "alice", "Where does Alice live?")["hits"]
    assert hit["text"] == "I moved to Oslo."
    assert hit["id"] == added["ids"][0]
    assert hit["said_at"] == "2026-03-04T10:00:00+00:00"


def test_adding_under_a_key_again_changes_nothing(cli: Cli) -> None:
    call = ("add", "--user", "alice", "--key", "17", "I moved to Oslo.")

    first, second = cli.json(*call), cli.json(*call)

    assert (first["new"], second["new"]) == (1, 0)
    assert second["ids"] == first["ids"]
    assert "already there" in cli(*call).stdout


def test_a_message_keeps_its_role_speaker_and_session(cli: Cli) -> None:
    cli.json(
        "add", "--conversation", "c", "--role", "assistant", "--speaker", "Guide", "--session",
        "s7", "Mind the gap.",
    )  # fmt: skip

    [message] = cli.json("list", "--kind", "message")["entries"]
    assert (message["role"], message["speaker"], message["session"]) == ("assistant", "Guide", "s7")


def test_text_comes_from_standard_input_whatever_it_holds(cli: Cli) -> None:
    text = "%s {braces} [red]markup[/] \x1b[31m `ticks`\n第二行 👩‍👩‍👧"

    cli.json("add", "--user", "u", "-", input=text + "\n")

    [message] = cli.json("list", "--kind", "message")["entries"]
    assert message["text"] == text
    assert "\x1b" not in cli("list", "--kind", "message").stdout


def test_whose_memory_must_be_said(cli: Cli) -> None:
    cli.json("add", "--user", "alice", "Hi.")

    assert "Give --user, --conversation or --space" in cli.fails("add", "Hello.", code=2)
    assert "exclude each other" in cli.fails(
        "add", "--user", "a", "--conversation", "b", "Hello.", code=2
    )


def test_a_blank_message_and_a_bad_time_are_wrong_calls(cli: Cli) -> None:
    assert "blank" in cli.fails("add", "--user", "u", "  ", code=2)
    assert "2026-03-04T10:00:00+01:00" in cli.fails(
        "add", "--user", "u", "--at", "soon", "Hi", code=2
    )


def test_memory_is_formed_at_once_when_that_is_asked_for(cli: Cli) -> None:
    cli.json("add", "--user", "u", "--at", "2026-03-04", "--wait", "I moved to Oslo yesterday.")

    assert cli.json("stats")["waiting"] == {}


def test_the_store_is_named_by_the_settings_when_the_call_does_not(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAMINA_DB", str(cli.db))
    assert CliRunner().invoke(root, ["add", "--user", "u", "Hi."]).exit_code == 0

    assert cli.db.exists()
