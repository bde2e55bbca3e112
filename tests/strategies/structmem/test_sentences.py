import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.strategies.structmem.sentences import count_words, split, states


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("One. Two! Three? Four… five", ["One.", "Two!", "Three?", "Four…", "five"]),
        ("It's 5.5 km, i.e. far.", ["It's 5.5 km, i.e. far."]),
        ("J. K. Rowling wrote it.", ["J. K. Rowling wrote it."]),
        ("first line\nsecond line", ["first line", "second line"]),
        ("你好。我搬家了！你呢？", ["你好。", "我搬家了！", "你呢？"]),
        ("「行こう。」と言った。", ["「行こう。」と言った。"]),
        ("मैं घर गया। फिर सोया।", ["मैं घर गया।", "फिर सोया।"]),
    ],
)
def test_sentences_end_where_their_script_ends_them(text: str, parts: list[str]) -> None:
    assert split(text) == parts


@given(st.text())
def test_no_letter_is_lost(text: str) -> None:
    assert "".join("".join(split(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    "sentence",
    ["Hi!", "How are you?", "你好！", "Wow.", "", "去哪里？”", "I'm fine.", "I'm sorry!"],
)
def test_greetings_and_questions_state_nothing(sentence: str) -> None:
    assert not states(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["I sold my bike.", "我搬家了。", "Je vends mon vélo.", "I am vegetarian.", "I'm a nurse"],
)
def test_statements_do(sentence: str) -> None:
    assert states(sentence)


def test_chinese_letters_count_as_parts_of_words() -> None:
    assert count_words("我昨天搬到奥斯陆了。") == 5
    assert count_words("I moved to Oslo yesterday.") == 5
