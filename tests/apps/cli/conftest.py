"""The real command line, on real stores."""

import json
from collections.abc import Callable
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lamina.adapters.encoders import open_encoder
from lamina.apps.cli.root import root
from lamina.models.roles import Roles
from lamina.ports import Encoder
from lamina.testing import ScriptedLLM

TALK = [
    {
        "sample_id": "ann-and-bo",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Bo",
            "session_1_date_time": "10:00 am on 4 March, 2026",
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": "I moved to Oslo last week."},
                {"speaker": "Bo", "dia_id": "D1:2", "text": "Do you already have a boat there?"},
                {"speaker": "Ann", "dia_id": "D1:3", "text": "Yes, a red canoe named Pepper."},
            ],
            "session_2_date_time": "6:30 pm on 9 May, 2026",
            "session_2": [
                {"speaker": "Bo", "dia_id": "D2:1", "text": "How is the canoe?"},
                {"speaker": "Ann", "dia_id": "D2:2", "text": "Pepper has a leak. 我买了新的船桨。"},
            ],
        },
        "qa": [{"question": "What is the canoe called?", "answer": "Pepper", "category": 4}],
    }
]


class Cli:
    """Runs commands on one store."""

    def __init__(self, db: Path) -> None:
        self.db = db

    def __call__(self, *args: str, input: str | bytes | None = None) -> Result:
        """Run a command and return its result, whatever it is."""
        words = 2 if args[0] == "rec" else 1
        call = [*args[:words], "--db", str(self.db), *args[words:]]
        return CliRunner().invoke(root, call, input=input)

    def json(self, *args: str, input: str | bytes | None = None) -> Any:
        """Run a command that must succeed, and return its JSON."""
        result = self(*args, "--json", input=input)
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout)

    def fails(self, *args: str, code: int, input: str | bytes | None = None) -> str:
        """Run a command that must fail with one line, and return that line."""
        result = self(*args, input=input)
        assert result.exit_code == code, result.output
        assert result.stdout == ""
        assert result.stderr.strip().count("\n") == 0
        assert result.stderr.startswith("lamina: ")
        return result.stderr.removeprefix("lamina: ").strip()


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Run in a folder where nothing is."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def one_encoder(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Load the encoder in the package once, not for every command."""

    def open_once(name: str, **more: Any) -> Encoder:
        return encoder if name == "minilm" else open_encoder(name, **more)

    monkeypatch.setattr("lamina.adapters.encoders.open_encoder", open_once)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Callable[[ScriptedLLM], None]:
    """Let commands ask a scripted model."""

    def ask(llm: ScriptedLLM) -> None:
        monkeypatch.setenv("LAMINA_MODEL", "openai:scripted")
        monkeypatch.setattr("lamina.adapters.llm.from_settings", lambda chosen: Roles(llm))

    return ask


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """The command line on a store that is not there yet."""
    return Cli(tmp_path / "memory.db")


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """A LoCoMo file with one short conversation."""
    path = tmp_path / "talk.json"
    path.write_text(json.dumps(TALK), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def moved_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in which a user said where he lives, and later that it is elsewhere."""
    once = Cli(tmp_path_factory.mktemp("moved") / "memory.db")
    once.json("add", "--user", "sam", "--at", "2025-01-10", "I live in Paris.", "--wait")
    once.json("add", "--user", "sam", "--at", "2025-06-02", "I live in Rome now.", "--wait")
    return once.db


@pytest.fixture
def moved(moved_once: Path, cli: Cli) -> Cli:
    """The command line on a copy of that store."""
    copyfile(moved_once, cli.db)
    return cli


@pytest.fixture(scope="session")
def told_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that holds the short conversation, with its memory formed."""
    folder = tmp_path_factory.mktemp("told")
    path = folder / "talk.json"
    path.write_text(json.dumps(TALK), encoding="utf-8")
    told = CliRunner().invoke(root, ["import", "--db", str(folder / "memory.db"), str(path)])
    assert told.exit_code == 0, told.output
    return folder / "memory.db"


@pytest.fixture
def told(told_once: Path) -> Cli:
    """The command line on that store, for reading."""
    return Cli(told_once)
