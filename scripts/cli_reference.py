"""Write docs/reference/cli.md from the commands themselves.

Run it after a change of a command or an option: `python scripts/cli_reference.py`.
A test fails while the page is out of date.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from lamina.apps.cli.root import root

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "cli.md"
MADE = "<!-- Made by scripts/cli_reference.py; do not edit. -->"
INTRODUCTION = """
Answers go to standard output; progress, questions and errors to standard error. With `--json` the
answer is one JSON document, and an error one line `{"error": {"kind", "message", "exit_code"}}`,
where `kind` is the name of an [error](errors.md). Without it, an error is one line
`lamina: what; what to do`.

| exit code | means |
| --- | --- |
| 0 | done |
| 1 | failed |
| 2 | wrong call: an option, an argument, a file or an id that cannot be |
| 130 | interrupted; each finished step is kept |

Tables show the first characters of an id, and those will do where an `ID` is asked for.
A text argument may be `-`, to be read from standard input.
"""


def page() -> str:
    """Return the page."""
    parts = [f"{MADE}\n\n# The command line\n{INTRODUCTION}"]
    with click.Context(root, info_name="lamina") as context:
        for title, homes in root.sections.items():
            parts.append(f"## {title}\n")
            for name in homes:
                parts += _command(root.get_command(context, name), name, context)
    return "\n".join(parts)


def _command(command: click.Command | None, name: str, parent: click.Context) -> Iterator[str]:
    assert command is not None
    with click.Context(command, parent=parent, info_name=name) as context:
        usage = " ".join(command.collect_usage_pieces(context))
        yield f"### {context.command_path}\n\n```text\n{context.command_path} {usage}\n```\n"
        yield f"{_text(command.help)}\n"
        yield from _options(command, context)
        if isinstance(command, click.Group):
            for below in command.list_commands(context):
                yield from _command(command.get_command(context, below), below, context)


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    records = [
        record
        for parameter in command.get_params(context)
        if isinstance(parameter, click.Option)
        and "--help" not in parameter.opts
        and (record := parameter.get_help_record(context))
    ]
    if records:
        yield "| option | what it does |\n| --- | --- |"
        for option, help_ in records:
            yield f"| `{_cell(option)}` | {_cell(help_)} |"
        yield ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("  [", " [")


def _text(help_: str | None) -> str:
    return "\n\n".join(" ".join(part.split()) for part in (help_ or "").split("\n\n"))


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
