"""Behaviour 10: what goes in in a language stays in it, and is found in it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest

import lamina
from lamina.ports import EncoderSpace
from tests.conftest import Open

if TYPE_CHECKING:
    from lamina.model import Vectors


class BlindEncoder:
    """Embeddings switched off: every text looks alike, so that words alone can tell."""

    space = EncoderSpace(id="blind", dim=4, max_tokens=512, languages=frozenset())

    def encode(self, texts: Sequence[str]) -> "Vectors":
        return np.tile(np.array([1, 0, 0, 0], dtype=np.float32), (len(texts), 1))

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]


FOUND = [
    ("咖啡", "我喜欢在北京喝咖啡。"),
    ("北京", "我下个月要去北京出差。"),
    ("搬家", "我们打算明年春天搬家。"),
    ("京都", "来年の春に京都へ旅行します。"),
    ("ラーメン", "昨日は家族とラーメンを食べました。"),
    ("กาแฟ", "ฉันชอบดื่มกาแฟตอนเช้า"),
    ("القهوة", "أحب شرب القهوة في الصباح"),
    ("قهوة", "أحب شرب القهوة في الصباح"),
    ("커피", "나는 아침에 커피를 마신다"),
    ("café", "Nous avons rendez-vous au café."),
    ("cafe", "Nous avons rendez-vous au café."),
    ("Zürich", "Ich ziehe nach Zürich."),
    ("Łódź", "Mieszkam w Łódź od roku."),
    ("кофе", "Утром я пью кофе."),
]
OTHERS = [
    "今天天气很好。",
    "週末に映画を見た。",
    "วันนี้ฝนตก",
    "اليوم ممطر",
    "오늘은 비가 온다",
    "Il pleut.",
]


@pytest.mark.parametrize(("word", "text"), FOUND)
def test_a_word_is_found_without_embeddings(open_memory: Open, word: str, text: str) -> None:
    user = open_memory(encoder=BlindEncoder()).user("ann")
    user.add([*OTHERS, text], timestamp="2026-01-01T00:00:00Z")

    assert user.search(word, top_k=1)[0].text == text


def test_chinese_stays_chinese_in_every_layer(memory: lamina.Memory) -> None:
    pair = memory.conversation("小明和小红")
    turns = [
        ("小明", "我上个月搬到了杭州，房子离西湖很近。"),
        ("小红", "真好！你找到新工作了吗？"),
        ("小明", "找到了，我在一家书店上班，每周二休息。"),
        ("小红", "听说那家书店下个月要关门。"),
    ]
    pair.add(
        [{"speaker": who, "content": text} for who, text in turns],
        timestamp="2026-03-04T10:00:00+08:00",
    )
    pair.close_session("default")
    memory.process()

    notes = pair.list()
    assert {note.kind for note in notes} == {"fact", "relation", "summary"}
    letters = "".join(c for note in notes for c in note.text if c.isascii() and c.isalpha())
    assert letters == ""
    assert pair.search("在书店上班", top_k=1)[0].speaker == "小明"


def test_in_a_language_the_encoder_does_not_read_words_decide(memory: lamina.Memory) -> None:
    user = memory.user("ann")
    said = ["我养了一只猫，叫米粒。", "昨天我去爬山了。", "我妹妹在上海读大学。", "我对花生过敏。"]
    user.add(said, timestamp="2026-01-01T00:00:00Z")

    assert user.search("花生", top_k=1)[0].text == "我对花生过敏。"
    assert user.search("妹妹在哪里读大学？", top_k=1)[0].text == "我妹妹在上海读大学。"
