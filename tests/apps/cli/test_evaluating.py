import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lamina.apps.cli.root import root

TURNS = {"speaker_a": "Ann", "speaker_b": "Bo"}


def evaluate(*args: str) -> Result:
    return CliRunner().invoke(root, ["eval", "locomo", *args])


def sample(name: str, animal: str) -> dict[str, object]:
    said = [f"I have a {animal} at home.", "How old is it?", "It is three years old.", "I see."]
    turns = [
        {"speaker": ("Ann", "Bo")[n % 2], "dia_id": f"D1:{n + 1}", "text": text}
        for n, text in enumerate(said)
    ]
    return {
        "sample_id": name,
        "conversation": {
            **TURNS,
            "session_1": turns,
            "session_1_date_time": "1:00 pm on 1 May, 2023",
        },
        "qa": [
            {
                "question": f"Who has a {animal}?", "answer": "Ann", "evidence": ["D1:1"],
                "category": 4,
            },
            {
                "question": f"How old is the {animal}?", "answer": "three", "category": 1,
                "evidence": ["D1:1", "D1:3"],
            },
        ],
    }  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> str:
    path = tmp_path / "locomo" / "locomo-dev.json"
    path.parent.mkdir()
    samples = [sample("one", "parrot"), sample("two", "turtle"), sample("three", "pony")]
    path.write_text(json.dumps(samples), encoding="utf-8")
    return str(path)


def test_the_report_is_json_with_shares_by_category(data: str) -> None:
    result = evaluate("--data", data, "--k", "1,2", "--json")

    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert {
        "protocol",
        "variant",
        "overall",
        "by_category",
        "latency_ms",
        "cost",
        "comparators",
    } <= (report.keys())
    assert report["overall"]["n"] == 6
    assert 0 < report["overall"]["recall@2"] <= 1
    assert report["cost"]["turns"] == 12


def test_people_get_a_table(data: str) -> None:
    shown = evaluate("--data", data, "--k", "1,2", "--variant", "flat").stdout

    assert "flat" in shown
    assert "recall@1" in shown
    assert "single-hop" in shown


def test_the_data_is_looked_for_where_the_settings_say(
    data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAMINA_DATA", str(Path(data).parents[1]))

    assert evaluate("--k", "1", "--conversations", "2", "--json").exit_code == 0


def test_missing_data_says_how_to_name_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAMINA_DATA", str(tmp_path))

    result = evaluate()

    assert result.exit_code == 2
    assert "--data" in result.stderr
    assert "LAMINA_DATA" in result.stderr


@pytest.mark.parametrize("ks", ["", "5,x", "0"])
def test_cuts_that_are_no_numbers_are_a_wrong_call(data: str, ks: str) -> None:
    assert evaluate("--data", data, "--k", ks).exit_code == 2


def test_a_malformed_file_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text('[{"sample_id": "x", "conversation": {}}]', encoding="utf-8")

    result = evaluate("--data", str(path))

    assert result.exit_code == 2
    assert result.stderr.startswith("lamina: broken.json")
    assert result.stderr.count("\n") == 1
