from scripts import cli_reference

from lamina.apps.cli.root import root


def test_the_page_of_the_commands_is_up_to_date() -> None:
    written = cli_reference.PAGE.read_text(encoding="utf-8")

    assert written == cli_reference.page(), "run: python scripts/cli_reference.py"


def test_every_command_is_on_the_page() -> None:
    written = cli_reference.PAGE.read_text(encoding="utf-8")

    assert [name for name in root.homes if f"### lamina {name}\n" not in written] == []
