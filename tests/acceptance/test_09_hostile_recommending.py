"""Behaviours 9 and 10, of recommenders: hostile and huge input, and every language."""

from typing import Any

import pytest

from lamina.errors import BadInput
from lamina.testing import WordEncoder
from tests.acceptance.watching import act, films, told
from tests.conftest import Open

TEXTS = (
    "{braces} {0} %s %(x)s `ticks` \"quotes\" 'too'",
    'NEAR(a b) * AND OR NOT col:val ^ "',
    "a\x00b",
    "lone \ud800 surrogate",
    "\u202eright to left\u202c and \u200f marks",
    "family \U0001f468\u200d\U0001f469\u200d\U0001f467",
    "'; DROP TABLE message; --",
    "\\u0000 \\n \\",
)
IDS = ("0", "a/b/../c", 'x"y', "x'y", "{id}", "%", "*", "null", "-1", "item 1", "\u202eabc", "电影",
       "user:1", "a\x00b", "\ud800", "x" * 512)  # fmt: skip


def test_hostile_text_is_kept_word_for_word_everywhere(open_memory: Open) -> None:
    memory = open_memory(encoder=WordEncoder())
    made = films(memory)
    made.add_items(
        {"id": f"t{i}", "title": text, "description": text, "tags": [text], "categories": [text],
         "attributes": {text: text}}
        for i, text in enumerate(TEXTS)
    )  # fmt: skip
    made.add_interactions(act("ann", f"t{i}", 1 + i, text) for i, text in enumerate(TEXTS))
    made.process()

    assert [done.text for done in made.interactions("ann")] == list(TEXTS)
    assert [made.item(f"t{i}").description for i in range(len(TEXTS))] == list(TEXTS)
    for text in TEXTS:
        assert len(made.rank("ann", instruction=text).ids) == 4
        made.search(text)
    told(made, "ann")
    assert memory.check() == []


def test_odd_ids_are_ids_of_users_and_items(open_memory: Open) -> None:
    memory = open_memory(encoder=WordEncoder())
    made = memory.recommender("films")
    made.add_items({"id": id_, "title": f"Title {i}"} for i, id_ in enumerate(IDS))
    made.add_interactions(act(id_, id_, 1 + i) for i, id_ in enumerate(IDS))
    made.process()

    for i, id_ in enumerate(IDS):
        assert made.item(id_).title == f"Title {i}"
        assert [done.item for done in made.interactions(id_)] == [id_]
        assert sorted(made.rank(id_, IDS).ids) == sorted(IDS)
        assert made.explain(id_, id_).item.id == id_
    for id_ in IDS[:4]:
        memory.user(id_).forget()
    made.process()
    assert {id_ for id_ in IDS if made.interactions(id_)} == set(IDS[4:])
    assert memory.check() == []


def test_a_huge_review_and_a_huge_description_are_kept_whole(open_memory: Open) -> None:
    made = films(open_memory(encoder=WordEncoder()))
    huge = "the heron stood in the reeds " * 20_000
    made.add_items([{"id": "huge", "title": "Huge", "description": huge}])
    made.add_interactions([act("ann", "huge", 1, huge)], wait=True)

    assert made.interactions("ann")[0].text == huge
    assert made.item("huge").description == huge
    assert made.rank("ann", ["huge", "1"]).ids
    assert len(str(made.rank("ann", ["huge", "1"], explain=True).to_dict())) < len(huge)


@pytest.mark.parametrize(
    "odd",
    [
        {"user": ""}, {"user": None}, {"item": ["1"]}, {"timestamp": "soon"}, {"rating": "five"},
        {"rating": float("nan")}, {"rating": 10**400}, {"text": b"x"},
        {"metadata": {"x": object()}}, {"action": 3},
        {"timestamp": None}, {"user": "x" * 513},
    ],
)  # fmt: skip
def test_what_cannot_be_stored_is_refused_whole(open_memory: Open, odd: dict[str, Any]) -> None:
    made = films(open_memory(encoder=WordEncoder()))
    with pytest.raises(BadInput):
        made.add_interactions([act("ann", "1", 1), act("ann", "2", 2) | odd])

    assert made.interactions("ann") == []


def test_a_number_that_is_too_great_for_words_spoils_no_ranking(open_memory: Open) -> None:
    made = films(open_memory(encoder=WordEncoder()), act("ann", "1", 1))
    made.add_items([{"id": "9", "title": "Nine", "price": 10**400, "year": -(10**400)}])

    assert len(made.rank("ann", instruction="under 20, after 1990").ids) == 4
    assert made.item("9").attributes["price"] == 10**400


@pytest.mark.parametrize(
    ("title", "asked"),
    [
        ("流浪地球是一部科幻电影", "科幻"),
        ("千と千尋の神隠し", "千尋"),
        ("ฉลาดเกมส์โกง", "ฉลาด"),
        ("الرسالة الأخيرة", "الرسالة"),
        ("Amélie à Montmartre", "amelie"),
    ],
)
def test_an_item_is_found_by_a_word_of_its_language(
    open_memory: Open, title: str, asked: str
) -> None:
    made = films(open_memory(encoder=WordEncoder()))
    made.add_items([{"id": "x", "title": title}])
    made.add_interactions([act("ann", "x", 1, title)], wait=True)

    assert title in made.search(asked, top_k=3)[0].text
    assert made.rank("bob", ["0", "1", "2", "3", "x"], instruction=asked).ids[0] == "x"
    assert any(title in note.text for note in made.list(kind="user_note"))
