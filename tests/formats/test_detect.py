import json
from pathlib import Path
from typing import Any

import pytest

from lamina.errors import FormatError
from lamina.formats import detect, read

MESSAGE = {"role": "user", "content": "Hi"}
SAMPLE = {
    "sample_id": "c",
    "conversation": {"session_1": [{"speaker": "A", "dia_id": "D1:1", "text": "Hi"}]},
}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ([SAMPLE], "locomo"),
        (SAMPLE, "locomo"),
        ([MESSAGE], "openai"),
        ({"messages": [MESSAGE]}, "openai"),
        ([{"messages": [MESSAGE]}], "openai"),
        ([[MESSAGE]], "openai"),
    ],
)
def test_a_document_is_told_by_its_first_value(
    tmp_path: Path, document: Any, expected: str, indent: int | None
) -> None:
    path = tmp_path / "file"
    path.write_text(json.dumps(document, indent=indent), encoding="utf-8")

    assert detect(path) == expected
    assert [turn.message["content"] for c in read(path) for turn in c.turns] == ["Hi"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (MESSAGE, "jsonl"),
        ({"speaker": "Ann", "text": "Hi"}, "jsonl"),
        ({"messages": [MESSAGE]}, "openai"),
        ([MESSAGE], "openai"),
    ],
)
def test_lines_are_told_by_the_first_of_them(tmp_path: Path, line: Any, expected: str) -> None:
    path = tmp_path / "file"
    path.write_text(f"\n{json.dumps(line)}\n{json.dumps(line)}\n", encoding="utf-8")

    assert detect(path) == expected


@pytest.mark.parametrize("document", [1, "text", [], [1], {}, {"text": 1, "a": [1]}])
def test_what_is_none_of_them_is_refused_with_the_way_out(tmp_path: Path, document: Any) -> None:
    path = tmp_path / "file"
    path.write_text(json.dumps(document, indent=1), encoding="utf-8")

    with pytest.raises(FormatError, match=r"file: neither a LoCoMo file.*--format"):
        detect(path)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("\n \n", encoding="utf-8")

    with pytest.raises(FormatError, match="the file is empty"):
        detect(path)


def test_a_named_format_is_not_guessed_again(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(json.dumps({"text": "Hi"}), encoding="utf-8")

    with pytest.raises(FormatError, match='expected "sample_id"'):
        list(read(path, "locomo"))
