import json
import os
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner, Result

from lamina.apps.cli.safely import Safely, failure
from lamina.errors import BadInput, NotFound, StoreLocked


def ran(error: BaseException, *args: str) -> Result:
    def call(**_: bool) -> None:
        raise error

    command = Safely("lamina", callback=call, params=[click.Option(["--json"], is_flag=True)])
    return CliRunner().invoke(command, list(args))


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (BadInput("the query is blank"), 2, "lamina: the query is blank\n"),
        (NotFound("nothing here"), 2, "lamina: nothing here\n"),
        (StoreLocked(), 1, "lamina: Another process kept the store locked for too long; try"),
        (PermissionError(13, "Permission denied", "x.db"), 1, "lamina: Permission denied: x.db\n"),
        (click.UsageError("whose? Say it."), 2, "lamina: whose? Say it; see: lamina --help\n"),
        (ValueError("odd\nthing"), 1, "lamina: this should not have happened (ValueError: odd th"),
        (KeyboardInterrupt(), 130, "lamina: interrupted; each finished step is kept\n"),
        (click.Abort(), 1, "lamina: stopped; nothing was changed\n"),
    ],
)
def test_an_error_is_one_line_and_an_exit_code(error: BaseException, code: int, told: str) -> None:
    result = ran(error)

    assert result.exit_code == code
    assert result.stderr.lstrip("\n").startswith(told)
    assert result.stderr.strip().count("\n") == 0
    assert result.stdout == ""


def test_with_json_an_error_is_json_on_standard_error() -> None:
    result = ran(BadInput("the query\nis blank"), "--json")

    assert result.stdout == ""
    assert json.loads(result.stderr) == {
        "error": {"kind": "BadInput", "message": "the query is blank", "exit_code": 2}
    }


def test_a_wrong_option_names_the_help_of_its_command() -> None:
    result = CliRunner().invoke(Safely("lamina"), ["--nonsense"], prog_name="lamina")

    assert result.exit_code == 2
    assert result.stderr.startswith("lamina: No such option '--nonsense'")
    assert result.stderr.endswith("; see: lamina --help\n")


def test_a_traceback_is_shown_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAMINA_DEBUG", "1")

    assert isinstance(ran(ValueError("odd")).exception, ValueError)


def test_an_error_says_its_kind() -> None:
    assert failure(StoreLocked("wait")).kind == "StoreLocked"


def test_output_that_nobody_reads_is_no_failure_to_tell() -> None:
    code = (
        "from lamina.apps.cli.safely import Safely\nimport click\n"
        "def call():\n    for _ in range(100_000): click.echo('a line of text')\n"
        "Safely('lamina', callback=call).main([])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        told = process.stderr.read()

    assert told == b""
    assert process.returncode == 141


def test_text_that_the_terminal_cannot_show_is_escaped() -> None:
    code = (
        "from lamina.apps.cli.safely import Safely\nimport click\n"
        "Safely('lamina', callback=lambda: click.echo('caf\\u00e9 \\u6f22 \\ud800')).main([])"
    )
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment)

    assert (ran.returncode, ran.stdout) == (0, b"caf\xe9 \\u6f22 \\ud800\n")
