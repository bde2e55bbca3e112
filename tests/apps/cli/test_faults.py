"""What comes from outside and is not as it should be: each is one line that says what to do."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from lamina.adapters.sqlite import SqliteStore
from lamina.ports import Failure
from lamina.testing import ScriptedLLM
from tests.apps.cli.conftest import Cli

Asking: TypeAlias = Callable[[ScriptedLLM], None]
READING = ("search", "--user", "u", "anything")
WRITING = ("add", "--user", "u", "Hello.")


@pytest.mark.parametrize("call", [READING, WRITING])
def test_a_file_that_is_no_database(cli: Cli, call: tuple[str, ...]) -> None:
    cli.db.write_bytes(b"Dear diary, " * 1000)

    line = cli.fails(*call, code=1)

    assert "choose another path" in line
    assert cli.db.read_bytes().startswith(b"Dear diary, ")


def test_another_programs_database(cli: Cli) -> None:
    with sqlite3.connect(cli.db) as other:
        other.execute("CREATE TABLE stamps (country TEXT)")
    other.close()

    assert "another program's database" in cli.fails(*WRITING, code=1)


def test_a_database_from_a_newer_version(cli: Cli) -> None:
    cli.json(*WRITING)
    with sqlite3.connect(cli.db) as newer:
        newer.execute("PRAGMA user_version = 10000")
    newer.close()

    assert "pip install -U lamina" in cli.fails(*READING, code=1)


def test_a_folder_in_place_of_a_file(cli: Cli, tmp_path: Path) -> None:
    assert "name a file" in Cli(tmp_path).fails(*WRITING, code=1)


def test_a_folder_that_is_not_there(cli: Cli, tmp_path: Path) -> None:
    assert "there is no folder" in Cli(tmp_path / "none" / "memory.db").fails(*WRITING, code=2)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder nobody can write")
def test_a_read_only_folder(cli: Cli) -> None:
    line = Cli(Path("/proc/self/memory.db")).fails(*WRITING, code=1)

    assert "cannot be written" in line
    assert "choose another path" in line


def test_a_locked_file(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli.json(*WRITING)
    defaults = SqliteStore.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "busy_seconds", 0.2)
    other = sqlite3.connect(cli.db)
    other.execute("BEGIN IMMEDIATE")

    line = cli.fails("add", "--user", "u", "Once more.", code=1)

    other.rollback()
    other.close()
    assert "locked" in line
    assert "try again" in line
    assert cli.json("add", "--user", "u", "Once more.")["new"] == 1


def test_a_missing_data_file_of_the_encoder(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model").mkdir()
    monkeypatch.setenv("LAMINA_ENCODER", str(tmp_path / "model"))

    line = cli.fails(*WRITING, code=1)

    assert "tokenizer.json" in line or "model.onnx" in line


def test_a_store_of_another_encoder(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli.json(*WRITING)
    with sqlite3.connect(cli.db) as changed:
        changed.execute("UPDATE space SET id = 'another-encoder-1'")
    changed.close()

    line = cli.fails(*READING, code=1)

    assert "another-encoder-1" in line
    assert "lamina reencode" in line


def test_an_unknown_provider(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAMINA_MODEL", "acme:gpt-9")

    cli.json(*WRITING)  # adding asks no model, so a wrong one loses nothing
    line = cli.fails("ask", "What was said?", code=1)

    assert "acme" in line
    assert "ollama" in line
    processed = cli("process", "--json")
    assert processed.exit_code == 1
    assert "acme" in json.loads(processed.stdout)["failed"][0]


def test_a_missing_key(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAMINA_MODEL", "openai:gpt-5-mini")

    cli.json(*WRITING)
    assert "OPENAI_API_KEY" in cli.fails("ask", "What was said?", code=1)


def test_a_setting_that_cannot_be(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAMINA_TIMEOUT", "soon")

    assert "LAMINA_TIMEOUT" in cli.fails(*WRITING, code=2)


def test_a_model_that_fails_loses_nothing_and_is_told(cli: Cli, model: Asking) -> None:
    cli.json("add", "--user", "u", "--at", "2026-03-04", "I moved to Oslo.")
    model(ScriptedLLM(always=Failure(reason="timeout", detail="no answer within 1 s")))

    result = cli("process", "--idle-after", "1", "--json")

    assert result.exit_code == 1
    assert "no answer within 1 s" in json.loads(result.stdout)["failed"][0]
    assert cli.json("search", "Oslo")["hits"][0]["text"] == "I moved to Oslo."
    assert "waits because" in cli("stats").stdout
    model(ScriptedLLM(always='{"facts": [{"source_id": 1, "fact": "U moved to Oslo."}]}'))
    cli("process")
    assert cli.json("stats")["counts"]["pending"] == 0


def test_what_does_not_agree_is_found_by_check(cli: Cli) -> None:
    cli.json(*WRITING)
    with sqlite3.connect(cli.db) as damaged:
        damaged.execute("DELETE FROM posting")
    damaged.close()

    result = cli("check")

    assert result.exit_code == 1
    assert result.stdout.strip()
