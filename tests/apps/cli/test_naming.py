import sys
from pathlib import Path

import pytest

from lamina.apps.cli.naming import program


@pytest.fixture
def off_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.mark.usefixtures("off_path")
@pytest.mark.parametrize(
    ("called", "named"),
    [
        (".venv/bin/lamina", ".venv/bin/lamina"),
        ("/my venv/bin/lamina", "'/my venv/bin/lamina'"),
        ("/usr/bin/pytest", "lamina"),
    ],
)
def test_the_program_is_named_as_it_was_called(
    called: str, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [called])

    assert program() == named


@pytest.mark.usefixtures("off_path")
def test_the_program_is_named_by_its_name_where_the_shell_finds_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "argv", [".venv/bin/lamina"])
    found = tmp_path / "lamina"
    found.touch(mode=0o755)

    assert program() == "lamina"
