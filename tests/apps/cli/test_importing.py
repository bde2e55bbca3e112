import json
from pathlib import Path
from typing import Any

import pytest

from lamina.apps.cli.intake import EXAMPLE
from tests.apps.cli.conftest import TALK, Cli

CHAT = [
    {"role": "user", "content": "I am allergic to walnuts."},
    {"role": "assistant", "content": ""},
    {"role": "assistant", "content": "Noted."},
]


def written(folder: Path, name: str, document: Any) -> str:
    path = folder / name
    path.write_text(json.dumps(document), encoding="utf-8")
    return str(path)


def test_a_locomo_file_is_a_conversation_with_its_sessions_closed(cli: Cli, talk: Path) -> None:
    imported = cli.json("import", str(talk))

    assert imported["format"] == "locomo"
    assert (imported["turns"], imported["new"]) == (5, 5)
    [taken] = imported["conversations"]
    assert (taken["kind"], taken["id"], taken["sessions"]) == ("conversation", "ann-and-bo", 2)
    assert imported["processed"]["failed"] == []
    stats = cli.json("stats", "--conversation", "ann-and-bo")
    assert (stats["counts"]["messages"], stats["counts"]["sessions"]) == (5, 2)
    assert stats["waiting"] == {}


def test_importing_again_changes_nothing(cli: Cli, talk: Path) -> None:
    cli.json("import", str(talk))
    before = cli.json("stats")["counts"]

    again = cli.json("import", str(talk))

    assert (again["turns"], again["new"]) == (5, 0)
    assert cli.json("stats")["counts"] == before


def test_an_import_is_one_operation_that_can_be_rolled_back(cli: Cli, tmp_path: Path) -> None:
    many = [{"role": "user", "content": f"Number {n} is a fine number."} for n in range(300)]
    path = written(tmp_path, "chat.json", many)

    told = cli("import", "--user", "u", "--no-process", path).stdout

    [line] = [line for line in told.splitlines() if line.startswith("to take it back: ")]
    assert f"lamina rollback --db {cli.db} --user u " in line
    [operation] = cli.json("log", "--kind", "import")["operations"]
    assert operation["cause"].startswith("chat.json ")
    cli.json("rollback", line.split()[-1])
    assert cli.json("list", "--kind", "message")["entries"] == []


def test_each_conversation_of_a_file_is_taken_back_by_itself(cli: Cli, tmp_path: Path) -> None:
    several = written(tmp_path, "two.json", [TALK[0], {**TALK[0], "sample_id": "again"}])

    taken = cli.json("import", "--no-process", several)["conversations"]
    cli.json("rollback", "--conversation", "again", taken[1]["operation"])

    left = cli.json("list", "--conversation", "ann-and-bo", "--kind", "message")["entries"]
    assert len(left) == 5
    assert cli.json("import", "--no-process", several)["conversations"][0]["operation"] is None


def test_a_file_is_imported_into_a_space(cli: Cli, tmp_path: Path) -> None:
    imported = cli.json("import", "--space", "team", written(tmp_path, "chat.json", CHAT))

    assert imported["conversations"][0]["kind"] == "space"


def test_what_was_interrupted_goes_on_where_it_stopped(cli: Cli, tmp_path: Path) -> None:
    half = json.loads(json.dumps(TALK))
    del half[0]["conversation"]["session_2"]
    cli.json("import", written(tmp_path, "half.json", half))

    imported = cli.json("import", written(tmp_path, "whole.json", TALK))

    assert (imported["turns"], imported["new"]) == (5, 2)


def test_memory_can_be_left_for_later(cli: Cli, talk: Path) -> None:
    imported = cli.json("import", "--no-process", str(talk))

    assert imported["processed"] is None
    assert cli.json("stats")["waiting"] != {}
    assert cli.json("process")["done"] > 0
    assert cli.json("stats")["waiting"] == {}


def test_one_conversation_takes_the_name_that_the_call_gives(cli: Cli, talk: Path) -> None:
    imported = cli.json("import", "--no-process", "--conversation", "friends", str(talk))

    assert [t["id"] for t in imported["conversations"]] == ["friends"]


def test_several_conversations_take_it_as_the_beginning_of_theirs(cli: Cli, tmp_path: Path) -> None:
    several = written(tmp_path, "two.json", [TALK[0], {**TALK[0], "sample_id": "again"}])

    imported = cli.json("import", "--no-process", "--conversation", "x", several)

    assert [t["id"] for t in imported["conversations"]] == ["x/ann-and-bo", "x/again"]
    assert "2 conversations" in cli.fails("import", "--user", "u", several, code=2)


def test_chats_are_imported_for_a_user_without_what_says_nothing(cli: Cli, tmp_path: Path) -> None:
    imported = cli.json("import", "--user", "alice", written(tmp_path, "chat.json", CHAT))

    assert (imported["format"], imported["turns"], imported["new"]) == ("openai", 2, 2)
    [hit] = cli.json("search", "--user", "alice", "walnuts", "--top-k", "1")["hits"]
    assert (hit["text"], hit["speaker"]) == ("I am allergic to walnuts.", "alice")


def test_json_lines_come_from_standard_input_too(cli: Cli) -> None:
    lines = '{"text": "one", "session_id": "a"}\n{"text": "two", "session_id": "b"}\n'

    imported = cli.json("import", "--user", "u", "--no-process", "-", input=lines)

    assert (imported["format"], imported["turns"]) == ("jsonl", 2)
    assert imported["conversations"][0]["sessions"] == 2


def test_chats_do_not_say_whose_they_are(cli: Cli, tmp_path: Path) -> None:
    told = cli.fails("import", written(tmp_path, "chat.json", CHAT), code=2)

    assert "Give --user, --conversation or --space" in told
    assert not cli.db.exists()


@pytest.mark.parametrize("dry", [[], ["--dry-run"]])
def test_a_malformed_file_is_one_line_with_the_place_and_leaves_nothing_behind(
    cli: Cli, tmp_path: Path, dry: list[str]
) -> None:
    broken = json.loads(json.dumps(TALK))
    del broken[0]["conversation"]["session_2"][1]["speaker"]

    told = cli.fails("import", *dry, written(tmp_path, "broken.json", broken), code=2)

    assert told == (
        'broken.json: $[0].conversation.session_2[1]: expected "speaker", which is missing'
    )
    assert not cli.db.exists()


def test_a_malformed_line_far_down_leaves_nothing_behind(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"text": "fine"}\n' * 300 + "{broken\n", encoding="utf-8")

    told = cli.fails("import", "--user", "u", str(path), code=2)

    assert told.startswith("log.jsonl, line 301, column 2: expected JSON")
    assert not cli.db.exists()


@pytest.mark.parametrize("text", ["Dear diary", '{"a": 1}', ""])
def test_a_file_of_no_known_format_shows_one_that_works(
    cli: Cli, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "what.json"
    path.write_text(text, encoding="utf-8")

    told = cli.fails("import", "--user", "u", str(path), code=2)

    assert told.startswith("what.json")
    assert told.endswith(f"what works is, for example, {EXAMPLE}")
    path.write_text(EXAMPLE, encoding="utf-8")
    assert cli.json("import", "--user", "u", "--no-process", str(path))["new"] == 1


def test_a_dry_run_without_the_models_extra_says_so(
    cli: Cli, talk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAMINA_MODEL", "openai:some-model")
    monkeypatch.setattr("lamina.apps.cli.costing.find_spec", lambda name: None)

    told = " ".join(cli("import", "--dry-run", str(talk)).stdout.split())

    assert "pip install 'lamina[models]'" in told
    assert "LAMINA_PRICE" not in told


def test_a_file_that_is_not_there_is_a_wrong_call(cli: Cli) -> None:
    assert "'none.json' does not exist" in cli.fails("import", "none.json", code=2)


def test_a_dry_run_tells_the_cost_and_stores_nothing(cli: Cli, talk: Path) -> None:
    cost = cli.json("import", "--dry-run", str(talk))

    assert cost["turns"] == 5
    assert 0 < cost["calls"] <= 5
    assert cost["input_tokens"] > 0
    assert cost["output_tokens"] > 0
    assert cost["cost_usd"] is None
    assert not cli.db.exists()


def test_a_dry_run_tells_the_price_of_the_model_that_is_set(
    cli: Cli, talk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAMINA_MODEL", "ollama:some-model")
    assert cli.json("import", "--dry-run", str(talk))["cost_usd"] == 0

    monkeypatch.setenv("LAMINA_MODEL", "openai:unheard-of")
    monkeypatch.setenv("LAMINA_PRICE", "1000,1000")
    cost = cli.json("import", "--dry-run", str(talk))
    assert cost["cost_usd"] == pytest.approx(
        (cost["input_tokens"] + cost["output_tokens"]) * 1000 / 1e6
    )


def test_importing_what_was_rolled_back_tells_how_to_restore_it(cli: Cli, talk: Path) -> None:
    [taken] = cli.json("import", str(talk))["conversations"]
    cli.json("rollback", taken["operation"])

    told = cli("import", str(talk)).stdout

    assert "5 messages known already were rolled back since" in told
    [line] = [line for line in told.splitlines() if line.startswith("to restore them: ")]
    cli.json("rollback", line.split()[-1])
    assert len(cli.json("list", "--kind", "message")["entries"]) == 5
