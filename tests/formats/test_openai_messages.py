import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from lamina.errors import FormatError
from lamina.formats import openai_messages
from lamina.formats.conversation import Turn

CHAT = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "I moved to Oslo.", "name": "ann"},
    {"role": "assistant", "content": "Noted."},
]


def turns(path: Path) -> list[Turn]:
    [found] = openai_messages.read(path)
    assert found.name is None
    return list(found.turns)


def written(folder: Path, document: Any) -> Path:
    path = folder / "chat.json"
    path.write_text(json.dumps(document, indent=1), encoding="utf-8")
    return path


def read(folder: Path, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    return [dict(turn.message) for turn in turns(written(folder, list(messages)))]


@pytest.mark.parametrize("document", [CHAT, {"messages": CHAT}, [{"messages": CHAT}], [CHAT]])
def test_a_chat_is_a_list_of_messages_or_an_object_that_holds_one(
    tmp_path: Path, document: Any
) -> None:
    found = turns(written(tmp_path, document))

    assert [t.message["role"] for t in found] == ["system", "user", "assistant"]
    assert [t.message["content"] for t in found] == ["Be brief.", "I moved to Oslo.", "Noted."]
    assert {t.session for t in found} == {"chat-1"}
    assert found[1].message["speaker"] == "ann"


def test_each_chat_of_a_file_is_a_session(tmp_path: Path) -> None:
    path = tmp_path / "chats.jsonl"
    chats = [{"id": "first", "messages": CHAT}, {"messages": CHAT[1:]}, CHAT[:1]]
    path.write_text("\r\n".join(map(json.dumps, chats)), encoding="utf-8")

    sessions = [turn.session for turn in turns(path)]

    assert sessions == ["first"] * 3 + ["chats-2"] * 2 + ["chats-3"]


def test_parts_that_are_no_text_are_named_in_brackets(tmp_path: Path) -> None:
    [message] = read(
        tmp_path,
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What is this?"},
                {"type": "image_url", "image_url": {"url": "data:..."}},
                {"type": "input_audio", "input_audio": {}},
            ],
        },
    )

    assert message["content"] == "What is this?\n[image]\n[audio]"


def test_tool_calls_without_content_are_kept(tmp_path: Path) -> None:
    calls = [{"id": "1", "function": {"name": "weather", "arguments": "{}"}}]

    call, answer = read(
        tmp_path,
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_call_id": "1", "content": "Rain."},
    )

    assert (call["content"], call["tool_calls"]) == ("", calls)
    assert (answer["role"], answer["metadata"]) == ("tool", {"tool_call_id": "1"})


@pytest.mark.parametrize(
    ("written_role", "role"),
    [("developer", "system"), ("function", "tool"), ("Human", "user"), (None, "user")],
)
def test_other_names_of_the_roles_are_understood(
    tmp_path: Path, written_role: str | None, role: str
) -> None:
    [message] = read(tmp_path, {"role": written_role or "user", "content": "Hi"})

    assert message["role"] == role


def test_a_chats_time_is_that_of_its_messages_a_second_apart(tmp_path: Path) -> None:
    path = written(tmp_path, {"created_at": 1_772_618_400, "messages": CHAT})

    times = [turn.message["timestamp"] for turn in turns(path)]

    assert times == [datetime(2026, 3, 4, 10, 0, second, tzinfo=UTC) for second in range(3)]


def test_keys_are_the_same_at_every_reading_and_different_for_the_same_words_said_again(
    tmp_path: Path,
) -> None:
    path = written(tmp_path, [CHAT[2], CHAT[2], CHAT[1]])

    first = [turn.message["key"] for turn in turns(path)]

    assert len(set(first)) == 3
    assert first == [turn.message["key"] for turn in turns(path)]


def test_a_chat_that_grew_keeps_the_keys_it_had(tmp_path: Path) -> None:
    before = [turn.message["key"] for turn in turns(written(tmp_path, CHAT))]

    after = [turn.message["key"] for turn in turns(written(tmp_path, [*CHAT, CHAT[1]]))]

    assert after[:3] == before


def test_another_file_of_the_same_name_has_other_keys(tmp_path: Path) -> None:
    before = {turn.message["key"] for turn in turns(written(tmp_path, CHAT))}
    other = [{"role": "user", "content": "I moved to Rome."}]

    assert before.isdisjoint(turn.message["key"] for turn in turns(written(tmp_path, other)))


@pytest.mark.parametrize(
    ("document", "told"),
    [
        (7, 'expected a list of messages, or an object with "messages"'),
        ({"messages": "Hi"}, ".messages: expected a list, found text"),
        ({"chats": []}, 'expected "messages", which is missing'),
        ([{"role": "user"}], '[0]: expected "content" or "text"'),
        ([CHAT[0], "Hi"], "[1]: expected an object, found text"),
        ([{"role": "critic", "content": "Hm"}], "[0].role: expected user, assistant, tool or"),
        ([{"role": "user", "content": 5}], "[0].content: expected text, found a number"),
        ([{"role": "user", "content": [5]}], "[0].content[0]: expected an object"),
        ([{"role": "user", "content": "Hi", "name": "n" * 600}], "expected a name of 1 to 512"),
        ([{"content": "Hi", "timestamp": "soon"}], "[0].timestamp: expected a time like"),
        ([{"content": "Hi", "timestamp": 1e300}], "[0].timestamp: expected a time like"),
    ],
)
def test_a_malformed_chat_is_refused_with_the_place(
    tmp_path: Path, document: Any, told: str
) -> None:
    with pytest.raises(FormatError) as error:
        turns(written(tmp_path, document))

    assert str(error.value).startswith("chat.json")
    assert told in str(error.value)
