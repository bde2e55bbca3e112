import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from lamina.errors import FormatError
from lamina.formats import jsonl
from lamina.formats.conversation import Turn


def turns(path: Path) -> Iterator[Turn]:
    [found] = jsonl.read(path)
    return found.turns


def written(folder: Path, *lines: Any) -> Path:
    path = folder / "log.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


def test_a_line_is_a_message_with_what_it_tells(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        {
            "role": "user", "speaker": "Ann", "text": "我明天去上海。", "session_id": "s1",
            "key": 17, "timestamp": "2026-03-04T10:00:00+08:00", "mood": "glad",
            "metadata": {"app": "x"},
        },
    )  # fmt: skip

    [turn] = turns(path)

    assert turn.session == "s1"
    assert turn.message == {
        "role": "user",
        "speaker": "Ann",
        "content": "我明天去上海。",
        "timestamp": datetime(2026, 3, 4, 10, tzinfo=timezone(timedelta(hours=8))),
        "metadata": {"app": "x", "mood": "glad"},
        "key": "17",
    }


def test_the_text_alone_will_do(tmp_path: Path) -> None:
    [turn] = turns(written(tmp_path, {"content": "Hello"}))

    assert (turn.session, turn.message["role"]) == ("default", "user")


@pytest.mark.parametrize("moment", [1_772_618_400, 1_772_618_400_000, "2026-03-04 10:00"])
def test_times_are_iso_text_or_unix_seconds_or_milliseconds(
    tmp_path: Path, moment: int | str
) -> None:
    [turn] = turns(written(tmp_path, {"text": "Hi", "timestamp": moment}))

    assert turn.message["timestamp"] == datetime(2026, 3, 4, 10, tzinfo=UTC)


def test_what_has_neither_key_nor_time_gets_a_key_from_its_words(tmp_path: Path) -> None:
    path = written(
        tmp_path, {"text": "Yes"}, {"text": "Yes"}, {"text": "Yes", "timestamp": 1_772_618_400}
    )

    first, second, timed = (turn.message.get("key") for turn in turns(path))

    assert first != second
    assert timed is None
    assert [first, second] == [turn.message.get("key") for turn in turns(path)][:2]


def test_blank_lines_line_ends_of_windows_and_a_byte_order_mark_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"text": "one"}\r\n\r\n  \r\n{"text": "two \\ud800"}\r\n')

    assert [turn.message["content"] for turn in turns(path)] == ["one", "two \ud800"]


def test_a_huge_line_is_read_whole(tmp_path: Path) -> None:
    [turn] = turns(written(tmp_path, {"text": "word " * 400_000}))

    assert len(turn.message["content"]) == 2_000_000


def test_lines_are_read_only_as_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"text": "one"}\nbroken\n')

    assert next(turns(path)).message["content"] == "one"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("broken", "log.jsonl, line 2, column 1: expected JSON"),
        ('"text"', "log.jsonl, line 2: expected an object, found text"),
        ('{"role": "user"}', 'log.jsonl, line 2: expected "content" or "text"'),
        ('{"text": 1}', "log.jsonl, line 2.text: expected text, found a number"),
        ('{"text": "a", "metadata": []}', "line 2.metadata: expected an object, found a list"),
        ('{"text": "a", "session_id": {}}', "line 2.session_id: expected text, found an object"),
        ('{"text": "a", "key": true}', "line 2.key: expected text, found true or false"),
        ('{"text": "a", "timestamp": "1.2.2026"}', "line 2.timestamp: expected a time like"),
        ('{"text": "a", "timestamp": NaN}', "line 2: expected JSON, which has no NaN"),
        ('{"text": "a", "score": -Infinity}', "line 2: expected JSON, which has no -Infinity"),
        ('{"text": ' + "9" * 5000 + "}", "line 2: a value is nested too deeply or too long"),
    ],
)
def test_a_malformed_line_is_refused_with_its_number(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(f'{{"text": "fine"}}\n{line}\n', encoding="utf-8")

    with pytest.raises(FormatError) as error:
        list(turns(path))
    assert told in str(error.value)
