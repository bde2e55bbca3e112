import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from lamina.apps.cli.root import root

NAMES = list(root.homes)
HEAVY = (
    "numpy", "onnxruntime", "tokenizers", "pydantic", "pydantic_ai", "rich",
    "sqlite3", "lamina.memory", "lamina.wiring", "lamina.settings", "lamina.formats",
)  # fmt: skip


def command(name: str) -> click.Command:
    found = root.get_command(click.Context(root), name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", NAMES)
def test_what_the_list_says_of_a_command_is_what_the_command_says(name: str) -> None:
    told = (command(name).help or "").partition("\n\n")[0]

    assert told.strip() == root.homes[name].help
    assert command(name).name == name


@pytest.mark.parametrize("name", NAMES)
def test_every_command_tells_what_it_takes(name: str) -> None:
    told = CliRunner().invoke(root, [name, "--help"])

    assert told.exit_code == 0
    assert f"lamina {name}" in told.output


@pytest.mark.parametrize("name", [n for n in NAMES if n not in ("completion", "eval", "rec")])
def test_every_command_takes_a_store_and_json(name: str) -> None:
    options = {option for p in command(name).params for option in p.opts}

    assert {"--db", "--json"} <= options


def test_the_help_lists_every_command() -> None:
    told = CliRunner().invoke(root, ["--help"])

    assert told.exit_code == 0
    assert [name for name in NAMES if f"  {name} " not in told.output] == []


@pytest.mark.parametrize("call", [[], ["eval"]])
def test_called_alone_it_prints_its_help(call: list[str]) -> None:
    alone = CliRunner().invoke(root, call)

    assert (alone.exit_code, alone.stderr) == (0, "")
    assert alone.stdout == CliRunner().invoke(root, [*call, "--help"]).stdout


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (["serch"], "No such command 'serch'. Did you mean 'search'"),
        (["eval", "lcomo"], "No such command 'lcomo'. Did you mean 'locomo'"),
        (["xyzzy"], "No such command 'xyzzy'; see"),
    ],
)
def test_an_unknown_command_says_which_may_be_meant(call: list[str], told: str) -> None:
    wrong = CliRunner().invoke(root, call, prog_name="lamina")

    assert wrong.exit_code == 2
    assert wrong.stderr.startswith(f"lamina: {told}")
    assert wrong.stderr.count("\n") == 1


def test_the_version_is_told() -> None:
    assert CliRunner().invoke(root, ["--version"]).output.startswith("lamina, version ")


def test_help_imports_nothing_that_is_heavy() -> None:
    code = (
        "import sys\nfrom lamina.apps.cli.root import root\n"
        "try:\n    root.main(['--help'], prog_name='lamina')\n"
        f"except SystemExit:\n    print([m for m in {HEAVY} if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("name", NAMES)
def test_the_help_of_a_command_imports_no_more_than_its_module(name: str) -> None:
    code = (
        "import sys\nfrom lamina.apps.cli.root import root\n"
        f"try:\n    root.main([{name!r}, '--help'], prog_name='lamina')\n"
        f"except SystemExit:\n    print([m for m in {HEAVY} if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_completion(shell: str) -> None:
    told = CliRunner().invoke(root, ["completion", shell])

    assert told.exit_code == 0
    assert f"_LAMINA_COMPLETE={shell}_complete" in told.output


def test_the_shell_completes_commands_and_options() -> None:
    from click.shell_completion import BashComplete

    complete = BashComplete(root, {}, "lamina", "_LAMINA_COMPLETE")

    assert [c.value for c in complete.get_completions([], "hi")] == ["history"]
    assert "--explain" in [c.value for c in complete.get_completions(["search"], "--ex")]
