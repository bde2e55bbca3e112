import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.errors import FormatError
from lamina.evaluation.datasets import (
    UNANSWERABLE,
    Correction,
    questions,
    read,
    read_corrections,
    repair,
)

TURNS = frozenset({"D1:1", "D1:2", "D8:6", "D9:17", "D11:26", "D30:5"})


def asked(**changes: object) -> dict[str, object]:
    row = {"question": "Who sails?", "answer": "Ann", "category": 4, "evidence": ["D1:1"]}
    return {**row, **changes}


def sample(name: str) -> dict[str, object]:
    turns = [
        {"speaker": "Ann", "dia_id": "D1:1", "text": "I sail."},
        {"speaker": "Bo", "dia_id": "D1:2", "text": "I cook."},
    ]
    talk = {"session_1": turns, "session_1_date_time": "1:56 pm on 8 May, 2023"}
    return {"sample_id": name, "conversation": talk, "qa": [asked()]}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (["D1:1", "D1:2"], ("D1:1", "D1:2")),
        (["D8:6; D9:17"], ("D8:6", "D9:17")),
        (["D8:6, D9:17"], ("D8:6", "D9:17")),
        (["D8:6 D9:17 D1:1"], ("D8:6", "D9:17", "D1:1")),
        (["D:11:26"], ("D11:26",)),
        (["D30:05"], ("D30:5",)),
        (["D1:1", "D1:1; D1:01"], ("D1:1",)),
    ],
)
def test_evidence_is_read_however_it_is_spelt(fields: list[str], expected: tuple[str, ...]) -> None:
    assert repair(fields, TURNS) == (expected, ())


@pytest.mark.parametrize("field", ["D", "", "D1", "1:1", "D1:3", "D99:1", "see above"])
def test_what_names_no_turn_is_left_out_and_told(field: str) -> None:
    read, left_out = repair(["D1:1", field], TURNS)

    assert read == ("D1:1",)
    assert left_out == (field,)


@given(st.lists(st.text(alphabet="D0123456789:;, x", max_size=12), max_size=4))
def test_what_is_read_is_always_a_turn_once(fields: list[str]) -> None:
    read, _ = repair(fields, TURNS)

    assert set(read) <= TURNS
    assert len(set(read)) == len(read)


def test_questions_keep_their_place_in_the_file_and_their_official_category() -> None:
    rows = [asked(category=number) for number in (1, 2, 3, 4, 5)]

    found = questions({"qa": rows}, 2, TURNS)

    assert [q.id for q in found] == [f"locomo_2_qa{i}" for i in range(5)]
    assert [q.category for q in found] == [
        "multi-hop",
        "temporal",
        "open-domain",
        "single-hop",
        "adversarial",
    ]


def test_a_number_may_be_the_answer() -> None:
    [found] = questions({"qa": [asked(answer=2022)]}, 0, TURNS)

    assert found.answer == "2022"


def test_an_adversarial_question_has_no_answer_whatever_the_file_says() -> None:
    row = {"question": "?", "category": 5, "evidence": ["D1:1"], "adversarial_answer": "a boat"}

    [found] = questions({"qa": [row]}, 0, TURNS)

    assert found.answer == UNANSWERABLE


def test_repaired_evidence_is_marked() -> None:
    plain, mended, none = questions(
        {"qa": [asked(), asked(evidence=["D1:01"]), asked(evidence=["D"])]}, 0, TURNS
    )

    assert [q.repaired for q in (plain, mended, none)] == [False, True, False]
    assert none.evidence == ()
    assert none.unreadable == ("D",)


def test_a_correction_replaces_answer_and_evidence() -> None:
    corrections = {"locomo_0_qa0": Correction(answer="Bo", evidence=("D1:2",))}

    [found] = questions({"qa": [asked()]}, 0, TURNS, corrections)

    assert (found.answer, found.evidence) == ("Bo", ("D1:2",))


def test_corrections_are_read_by_question(tmp_path: Path) -> None:
    path = tmp_path / "corrections.json"
    path.write_text(
        json.dumps(
            [{"question_id": "locomo_0_qa1", "correct_answer": 7, "correct_evidence": ["D1:1"]}]
        )
    )

    assert read_corrections(path) == {"locomo_0_qa1": Correction(answer="7", evidence=("D1:1",))}


@pytest.mark.parametrize("content", ['{"a": 1}', "[1]", '[{"question_id": "x"}]', "7"])
def test_a_file_without_corrections_is_one_line_that_says_what_was_expected(
    tmp_path: Path, content: str
) -> None:
    path = tmp_path / "corrections.json"
    path.write_text(content)

    with pytest.raises(FormatError, match="expected a list of objects with question_id"):
        read_corrections(path)


@pytest.mark.parametrize(
    "row", [7, {}, {"question": "?"}, asked(category=6), asked(category="1"), asked(evidence=3)]
)
def test_a_question_out_of_the_schema_is_named(row: object) -> None:
    with pytest.raises(FormatError, match="conversation 0, question 1 "):
        questions({"qa": [asked(), row]}, 0, TURNS)


def test_a_file_gives_its_conversations_with_their_questions(tmp_path: Path) -> None:
    path = tmp_path / "talks.json"
    path.write_text(json.dumps([sample("a"), sample("b")]))

    first, second = read(path)

    assert (first.name, second.name) == ("a", "b")
    assert [turn.message["metadata"]["dia_id"] for turn in first.turns] == ["D1:1", "D1:2"]
    assert [q.id for q in second.questions] == ["locomo_1_qa0"]


@pytest.mark.parametrize("content", ["{", "", "7", "[7]", '[{"sample_id": "a"}]'])
def test_a_file_that_is_no_locomo_is_a_format_error(tmp_path: Path, content: str) -> None:
    path = tmp_path / "talks.json"
    path.write_text(content)

    with pytest.raises(FormatError, match=r"talks\.json"):
        read(path)
