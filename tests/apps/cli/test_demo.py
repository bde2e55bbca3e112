import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lamina.apps.cli.demo import OWN
from lamina.apps.cli.root import root
from lamina.apps.cli.showing import EVIDENCE
from lamina.formats import locomo


def demo(*args: str) -> Result:
    return CliRunner().invoke(root, ["demo", *args])


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A store that a demo was kept in, and what it showed."""
    path = tmp_path_factory.mktemp("demo") / "demo.db"
    shown = demo("--db", str(path))
    assert shown.exit_code == 0, shown.output
    return path, shown.stdout


def test_the_demo_shows_evidence_a_story_a_context_and_what_changed(
    kept: tuple[Path, str],
) -> None:
    for told in (
        "49 messages in 9 sessions", "No language model", "What is Theo allergic to?",
        "I am allergic to hazelnuts", "first mention:", "[1] ", "└── ", "changed by a person",
        "now: I live in Rome now.", "as of 2025-03-01: I live in Paris.",
        "the second message rolled back: I live in Paris.",
        "and the rollback rolled back: I live in Rome now.", 'superseded by "I live in Rome now."',
    ):  # fmt: skip
        assert told in kept[1]


def test_the_demo_recommends_by_what_was_known_and_by_what_is_asked_for(
    kept: tuple[Path, str],
) -> None:
    shown = kept[1]

    assert "12 outings, 13 visits of three people" in shown
    then, _, rest = shown.partition("Mia as of 2025-06-01")[2].partition("Mia now")
    now, _, asked = rest.partition("Mia asks for")
    assert "Boulder Barn" in then
    assert "Evenings at the Organ" in now
    assert "keeps what is asked for: area: north, price: cheap" in asked
    assert "2025-10-05 did: Fen Boardwalk — rated" in asked
    assert "Ada" not in asked


def test_the_demo_shows_what_several_share_and_whom_it_helps(kept: tuple[Path, str]) -> None:
    shared = kept[1].partition("What users share: a pattern, and whom it helps")[2]

    assert "5 users, 8 stretches of what they did" in shared
    patterns, _, lea = shared.partition("? Lea, who came twice")
    assert "Likes Climbing. Moves from Climbing to Tea houses. (evolved " in patterns
    assert not any(name in patterns for name in ("Noor", "Jun", "Sam", "Ivy", "Crag Hall"))
    assert "What users share that speaks here" in lea


def test_every_question_of_the_demo_finds_its_evidence(kept: tuple[Path, str]) -> None:
    [sample] = json.loads(OWN.read_text(encoding="utf-8"))
    [conversation] = locomo.read(OWN)
    text = {t.message["metadata"]["dia_id"]: t.message["content"] for t in conversation.turns}

    def found(question: str) -> set[str]:
        call = ["search", "--db", str(kept[0]), question, "--top-k", str(EVIDENCE), "--json"]
        return {h["text"] for h in json.loads(CliRunner().invoke(root, call).stdout)["hits"]}

    missed = [
        question["question"]
        for question in sample["qa"]
        if not {text[id_] for id_ in question["evidence"]} & found(question["question"])
    ]

    assert missed == []


def test_a_demo_that_is_kept_says_how_to_go_on(kept: tuple[Path, str]) -> None:
    assert f"lamina search --db {kept[0]}" in kept[1]


def test_a_command_to_go_on_with_is_not_broken_into_lines(
    talk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")

    shown = demo("--file", str(talk), "--db", str(tmp_path / "kept.db")).stdout

    [line] = [line for line in shown.splitlines() if line.startswith("Go on: ")]
    assert line.endswith('"What is the canoe called?" --explain')


def test_the_demo_shows_a_file_of_ones_own(talk: Path) -> None:
    shown = json.loads(demo("--file", str(talk), "--json").stdout)

    assert shown["conversation"] == "ann-and-bo"
    assert [asked["question"] for asked in shown["asked"]] == ["What is the canoe called?"]
    assert any("Pepper" in hit["text"] for hit in shown["asked"][0]["hits"])


def test_a_conversation_that_is_not_in_the_file_is_not_found(talk: Path) -> None:
    result = demo("--file", str(talk), "--conversation", "nobody")

    assert result.exit_code == 2
    assert result.stderr == "lamina: talk.json has no conversation 'nobody'\n"
