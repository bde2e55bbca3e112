import json
from typing import Any

import pytest

from lamina.errors import MalformedReply
from lamina.strategies.structmem.dialogue import Shown
from lamina.strategies.structmem.extraction import Entry, parser, schema
from tests.strategies.structmem.listed import talk

SHOWN = [
    Shown(message=m, text=m.text)
    for m in talk(("Ann", "I have moved to Oslo."), ("Bo", "My sister lives there too."))
]
BOTH = parser(SHOWN, ("fact", "relation"))


def fact(source: object = 1, text: object = "Ann has moved to Oslo.", **more: object) -> Any:
    return {"source_id": source, "fact": text, **more}


def reply(*facts: Any, relations: Any = ()) -> Any:
    return {"facts": list(facts), "relations": list(relations)}


def test_entries_know_what_they_were_read_from() -> None:
    told = reply(
        fact(2, "Bo's sister lives in Oslo.", about="Bo's sister", certainty="hearsay"),
        fact(1, date="2024-03"),
        relations=[{"source_id": 2, "relation": "Bo answers Ann."}],
    )

    assert BOTH(told) == [
        Entry(
            perspective="fact",
            source=1,
            text="Bo's sister lives in Oslo.",
            about="Bo's sister",
            certainty="hearsay",
        ),
        Entry(perspective="fact", source=0, text="Ann has moved to Oslo.", date="2024-03"),
        Entry(perspective="relation", source=1, text="Bo answers Ann."),
    ]


def test_a_reply_without_entries_is_an_answer() -> None:
    assert BOTH(reply()) == []


@pytest.mark.parametrize("source", [0, 3, 99, -1, "one", "1x", None, True, 1.5, [1], {}])
def test_an_id_that_was_not_shown_is_dropped(source: object) -> None:
    assert [e.text for e in BOTH(reply(fact(source, "Ann owns a castle."), fact()))] == [
        "Ann has moved to Oslo."
    ]


def test_an_id_in_quotes_is_read() -> None:
    assert BOTH(reply(fact("2")))[0].source == 1


@pytest.mark.parametrize("text", ["", "  \n ", None, 5, ["a"], {}, "long " * 300])
def test_an_entry_without_a_proper_text_is_dropped(text: object) -> None:
    assert len(BOTH(reply(fact(1, text), fact()))) == 1


@pytest.mark.parametrize("item", [None, 7, "Ann moved.", [], [1, "Ann moved."]])
def test_an_entry_of_another_type_is_dropped(item: object) -> None:
    assert len(BOTH(reply(item, fact(), relations=[item]))) == 1


@pytest.mark.parametrize(
    "told",
    [
        {"facts": None, "relations": []},
        {"facts": "none", "relations": []},
        {"facts": [], "relations": {}},
        {"facts": []},
        {},
        reply(fact(99), fact("x")),
        reply(7, relations=[None]),
        reply(fact(1, "安搬到奥斯陆了。")),
    ],
    ids=json.dumps,
)
def test_a_reply_of_another_form_is_malformed(told: Any) -> None:
    with pytest.raises(MalformedReply):
        BOTH(told)


def test_what_is_told_twice_is_kept_once_and_a_message_has_one_relation() -> None:
    relations = [{"source_id": 1, "relation": text} for text in ("Ann left Rome.", "Ann moved.")]
    twice = fact(1, "ann has  moved to oslo.")

    assert [e.text for e in BOTH(reply(fact(), twice, relations=relations))] == [
        "Ann has moved to Oslo.",
        "Ann left Rome.",
    ]


def test_unknown_certainty_counts_as_stated() -> None:
    assert BOTH(reply(fact(certainty="very sure")))[0].certainty == "stated"


def test_only_the_perspectives_that_were_asked_for_are_read() -> None:
    facts_alone = parser(SHOWN, ("fact",))

    assert len(facts_alone({"facts": [fact()]})) == 1
    assert schema(("fact",))["required"] == ["facts"]
    assert schema(("fact", "relation"))["required"] == ["facts", "relations"]


def test_an_entry_about_a_chinese_message_has_to_be_chinese() -> None:
    shown = [Shown(message=m, text=m.text) for m in talk(("安", "我上个月搬到了奥斯陆。"))]
    parse = parser(shown, ("fact",))

    assert parse({"facts": [fact(1, "安上个月搬到了奥斯陆。")]})
    with pytest.raises(MalformedReply, match="language"):
        parse({"facts": [fact(1, "Ann moved to Oslo last month.")]})
