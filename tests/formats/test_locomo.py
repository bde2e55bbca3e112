import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from lamina.errors import FormatError
from lamina.formats import Turn, locomo

FIRST = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def turn(number: int, text: Any = "Hello!", **more: Any) -> dict[str, Any]:
    return {"speaker": "Ann", "dia_id": f"D1:{number}", "text": text, **more}


def sample(**conversation: Any) -> dict[str, Any]:
    talk = {"speaker_a": "Ann", "speaker_b": "Bo", **conversation}
    return {"sample_id": "conv-1", "conversation": talk, "qa": []}


def two_sessions() -> dict[str, Any]:
    return sample(
        session_1=[turn(1), turn(2, "Hi Ann.", speaker="Bo")],
        session_1_date_time="1:56 pm on 8 May, 2023",
        session_2=[turn(3)],
        session_2_date_time="12:05 am on 1 June, 2023",
    )


def messages(given: dict[str, Any]) -> list[dict[str, Any]]:
    return [dict(t.message) for t in locomo.conversation(given).turns]


def written(folder: Path, document: Any) -> Path:
    path = folder / "talk.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def read_all(path: Path) -> list[Turn]:
    return [turn for found in locomo.read(path) for turn in found.turns]


def test_each_sample_is_a_conversation_of_its_own(tmp_path: Path) -> None:
    other = {**two_sessions(), "sample_id": "conv-2"}

    found = list(locomo.read(written(tmp_path, [two_sessions(), other])))

    assert [c.name for c in found] == ["conv-1", "conv-2"]
    assert [t.session for t in found[0].turns] == ["session_1", "session_1", "session_2"]


def test_a_file_may_hold_one_sample_alone(tmp_path: Path) -> None:
    [found] = locomo.read(written(tmp_path, two_sessions()))

    assert found.name == "conv-1"


def test_a_turn_keeps_its_words_its_speaker_and_its_id() -> None:
    first, second, _ = messages(two_sessions())

    assert first == {
        "role": "user",
        "speaker": "Ann",
        "content": "Hello!",
        "key": "conv-1:D1:1",
        "metadata": {"dia_id": "D1:1"},
        "timestamp": FIRST,
    }
    assert (second["speaker"], second["content"]) == ("Bo", "Hi Ann.")


def test_turns_follow_each_other_by_a_second() -> None:
    first, second, third = (m["timestamp"] for m in messages(two_sessions()))

    assert second - first == timedelta(seconds=1)
    assert third == datetime(2023, 6, 1, 0, 5, tzinfo=UTC)


def test_sessions_come_in_the_order_of_their_numbers() -> None:
    given = sample(
        session_10=[turn(3)], session_10_date_time="9:00 am on 3 May, 2023",
        session_2=[turn(2)], session_2_date_time="9:00 am on 2 May, 2023",
        session_1=[turn(1)], session_1_date_time="9:00 am on 1 May, 2023",
    )  # fmt: skip

    assert [t.session for t in locomo.conversation(given).turns] == [
        "session_1",
        "session_2",
        "session_10",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Look!", "Look! [shares an image: a photo of a dog]"),
        ("", "[shares an image: a photo of a dog]"),
    ],
)
def test_the_caption_of_an_image_stands_in_brackets(text: str, expected: str) -> None:
    given = sample(
        session_1=[turn(1, text, blip_caption="a photo of a dog", img_url=["https://x/d.jpg"])]
    )

    [message] = messages(given)

    assert message["content"] == expected
    assert message["metadata"] == {"dia_id": "D1:1", "img_url": ["https://x/d.jpg"]}


def test_dates_without_a_session_are_passed_over() -> None:
    given = two_sessions()
    given["conversation"]["session_3_date_time"] = "not even a date"

    assert len(messages(given)) == 3


def test_a_session_without_a_date_follows_the_one_before_it() -> None:
    given = two_sessions()
    del given["conversation"]["session_2_date_time"]

    assert messages(given)[-1]["timestamp"] == FIRST + timedelta(hours=1)


def test_a_first_session_without_a_date_comes_before_the_first_that_has_one() -> None:
    given = two_sessions()
    given["conversation"]["session_1_date_time"] = ""

    first, _, last = (m["timestamp"] for m in messages(given))

    assert first == last - timedelta(hours=1)


def test_where_no_session_has_a_date_no_time_is_made_up() -> None:
    assert all("timestamp" not in m for m in messages(sample(session_1=[turn(1), turn(2)])))


def test_turns_that_are_numbered_alike_are_kept_apart() -> None:
    keys = [m["key"] for m in messages(sample(session_1=[turn(1), turn(1, "Bye!")]))]

    assert keys == ["conv-1:D1:1", "conv-1:D1:1#2"]


def test_lone_surrogates_and_a_byte_order_mark_are_read_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "talk.json"
    text = json.dumps([sample(session_1=[turn(1, "half \ud83d of it")])])
    path.write_bytes(b"\xef\xbb\xbf" + text.replace(": ", ":\r\n").encode())

    [found] = locomo.read(path)

    assert [t.message["content"] for t in found.turns] == ["half \ud83d of it"]


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ([1], "$[0]: expected an object, found a number"),
        ([{"conversation": {}}], '$[0]: expected "sample_id", which is missing'),
        ([{"sample_id": "c"}], '$[0]: expected "conversation", which is missing'),
        ([{"sample_id": " ", "conversation": {}}], "$[0].sample_id: expected a name"),
        ([sample()], '$[0].conversation: expected lists of turns named "session_1"'),
        ([sample(session_1={})], "$[0].conversation.session_1: expected a list, found an object"),
        ([sample(session_1=["Hi"])], ".session_1[0]: expected an object, found text"),
        ([sample(session_1=[turn(1), {"text": "Hi"}])], '.session_1[1]: expected "dia_id"'),
        ([sample(session_1=[turn(1, speaker=None)])], ".speaker: expected text, found null"),
        ([sample(session_1=[turn(1, text="")])], '.session_1[0]: expected "text"'),
        ([sample(session_1=[turn(1, text=["Hi"])])], ".text: expected text, found a list"),
        (
            [sample(session_1=[turn(1)], session_1_date_time="8 May")],
            "session_1_date_time: expected a date like '1:56 pm on 8 May, 2023', found '8 May'",
        ),
        (
            [sample(session_1=[turn(1)], session_1_date_time="1:56 pm on 31 June, 2023")],
            "session_1_date_time: expected a date like",
        ),
        ([two_sessions(), two_sessions()], "$[1].sample_id: conv-1 occurs twice"),
    ],
)
def test_a_malformed_file_is_refused_with_the_place(
    tmp_path: Path, document: Any, told: str
) -> None:
    path = written(tmp_path, document)

    with pytest.raises(FormatError) as error:
        read_all(path)

    assert str(error.value).startswith("talk.json: $")
    assert told in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "talk.json: the file is empty"),
        (b'[{"a": 1},\n {"b" 2}]', "talk.json, line 2, column 7: expected JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'["\xff"]', "not UTF-8 text; save the file as UTF-8"),
    ],
)
def test_a_file_that_is_no_json_is_refused_with_the_place(
    tmp_path: Path, data: bytes, told: str
) -> None:
    path = tmp_path / "talk.json"
    path.write_bytes(data)

    with pytest.raises(FormatError, match=r"talk\.json") as error:
        list(locomo.read(path))

    assert told in str(error.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"none\.json: cannot be read: No such file"):
        list(locomo.read(tmp_path / "none.json"))
