import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.recall.analysis import terms

ANY_TEXT = st.text(st.characters(codec=None))
"""Lone surrogates, NUL and marks of direction too."""


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("hiking", "We hiked up the hill."),
        ("Cats", "my CAT"),
        ("café", "Rendez-vous au cafe."),
        ("cafe", "Rendez-vous au CAFÉ."),
        ("Zurich", "Ich ziehe nach Zürich."),
        ("Strasse", "Die Straße ist lang."),
        ("Lodz", "Mieszkam w Łodź."),
        ("école", "C'est l'école d'Anne."),
        ("maison", "Les maisons sont grandes."),
        ("книга", "Я читаю книги."),
        ("елка", "Ёлка стоит."),
        ("καφες", "Πίνω καφές."),
        ("قهوة", "أحب شرب القهوة في الصباح"),
        ("الصباح", "في الصَّبَاحِ"),
        ("किताब", "हिन्दी की किताबें"),
        ("咖啡", "我喜欢在北京喝咖啡。"),
        ("猫", "我养了一只猫。"),
        ("北京大学", "他在北京大学读书。"),
        ("京都", "来年の春に京都へ旅行します。"),
        ("ラーメン", "昨日は家族とラーメンを食べました。"),
        ("กาแฟ", "ฉันชอบดื่มกาแฟตอนเช้า"),
        ("커피", "나는 아침에 커피를 마신다"),
        ("ქართული", "ქართული ენა"),
        ("Ａｎｎ", "Ann"),
        ("2023", "٢٠٢٣"),
        ("alice", "Write to alice@example.org."),
    ],
)
def test_a_word_is_found_in_another_form_or_script(asked: str, stored: str) -> None:
    found = set(terms(asked))

    assert found
    assert found <= set(terms(stored))


@pytest.mark.parametrize("word", ["开门", "门大", "大学"])
def test_two_chinese_characters_are_found_however_the_sentence_is_cut(word: str) -> None:
    assert word in terms("他们今天开门大学放假")


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("It costs 3.5 euros", "3.5"),
        ("upgrade to v2.1 now", "v2.1"),
        ("1,000 people", "1000"),
        ("on 2023-05-08", "2023-05-08"),
        ("at 10:30", "10:30"),
        ("bob.x+y@example.com", "bob.x+y@example.com"),
        ("covid19", "covid19"),
        ("8pm", "8pm"),
    ],
)
def test_numbers_and_addresses_stay_whole(text: str, whole: str) -> None:
    assert whole in terms(text)


def test_words_that_say_nothing_give_no_term() -> None:
    assert terms("What is it that they've had, and didn't you?") == []


def test_a_term_is_repeated_as_often_as_it_occurs() -> None:
    assert terms("plum, plums and PLUM").count("plum") == 3


def test_what_is_no_word_gives_no_term() -> None:
    assert terms("\x00 \ud800 \u202e … 👩‍👩‍👧 !?") == []


@given(ANY_TEXT, ANY_TEXT)
def test_lines_are_read_one_by_one(one: str, other: str) -> None:
    assert terms(f"{one}\n{other}") == terms(one) + terms(other)


@given(ANY_TEXT)
def test_no_term_is_empty_or_huge(text: str) -> None:
    assert all(0 < len(term) <= 200 for term in terms(text))


@given(st.text("abcdefghijklmnopqrstuvwxyz ", max_size=60))
def test_case_does_not_matter(text: str) -> None:
    assert terms(text.upper()) == terms(text)


@pytest.mark.parametrize("piece", ["a" * 50, "北京大学", "a@", "1-", "x'", "ก", "v1.2:3 ", "a.b"])
def test_a_hundred_thousand_of_anything_are_read(piece: str) -> None:
    assert isinstance(terms(piece * (100_000 // len(piece))), list)
