"""Behaviours 9 and 10, of pools: hostile and huge input, and every language."""

import json
import re
from typing import Any

import pytest

from lamina.errors import BadInput, NotFound
from lamina.items import Item
from lamina.testing import ScriptedLLM, WordEncoder
from tests.acceptance.telling import answer
from tests.acceptance.walking import films, texts, walk
from tests.conftest import Open

TITLES = (
    "{braces} {0} %s %(x)s `ticks` \"quotes\" 'too'",
    'NEAR(a b) * AND OR NOT col:val ^ "',
    "a\x00b",
    "lone \ud800 surrogate",
    "\u202eright to left\u202c and \u200f marks",
    "'; DROP TABLE message; --",
    "\\u0000 \\n \\",
    '```json\n["window", 9]\n```',
    "the quokka stood in the reeds " * 5_000,
)
IDS = ("0", "a/b/../c", 'x"y', "x'y", "{id}", "%", "*", "null", "-1", "\u202eabc", "电影", "user:1",
       "a\x00b", "\ud800", "x" * 512)  # fmt: skip
MODELS = {"none": None, "scripted": answer}


@pytest.mark.parametrize("model", MODELS)
def test_hostile_titles_and_users_share_as_any_and_are_in_no_pattern(
    open_memory: Open, model: str
) -> None:
    script = MODELS[model]
    llm = ScriptedLLM(always=script) if script else None
    memory = open_memory(llm, encoder=WordEncoder())
    made = memory.recommender("films")
    made.add_items(
        {"id": f"t{i}", "title": title, "description": title, "categories": ["noir"]}
        for i, title in enumerate(TITLES)
    )
    acts = [
        {**act, "user": user, "item": f"t{(n + i) % len(TITLES)}"}
        for i, user in enumerate(IDS)
        for n, act in enumerate(walk("any", "nnnn"))
    ]
    made.add_interactions(acts)
    done = made.pool.refresh(workers=3)

    assert (done.new, done.failed, done.waiting) == (2 * len(IDS), 0, 0)
    assert max(pattern.contributors for pattern in made.pool.patterns()) == len(IDS)
    shown = json.dumps([pattern.to_dict() for pattern in made.pool.patterns()])
    assert not re.search("quokka|braces|DROP|NEAR|surrogate|ticks|window", shown)
    for user in IDS:
        assert all(pattern.yours for pattern in made.pool.patterns(user)[:1])
        assert made.rank(user, method="amem4rec", top_k=2).ids
    for user in IDS[:4]:
        memory.user(user).forget()
    made.pool.leave(IDS[5])
    made.pool.refresh()
    assert max(each.contributors for each in made.pool.patterns()) == len(IDS) - 5
    assert memory.check() == []


@pytest.mark.parametrize(
    "odd",
    [
        None, 5, "noir", b"x", {"title": "x"}, [5], [None], [["x"]], [{"title": 5}],
        [{"categories": 7}], [{"title": "a", "rating": "five"}], [{"id": ""}],
    ],
    ids=range(12),
)  # fmt: skip
def test_a_history_that_is_none_is_refused(open_memory: Open, odd: Any) -> None:
    made = films(open_memory(encoder=WordEncoder()), walk("ann", "nnw"))
    with pytest.raises((BadInput, NotFound)):
        made.pool.encode(odd)


@pytest.mark.parametrize("odd", [None, [], [0.0] * 8, ["x"], "x", [[1.0]], [float("nan")]])
def test_a_vector_that_is_none_is_refused(open_memory: Open, odd: Any) -> None:
    made = films(open_memory(encoder=WordEncoder()), walk("ann", "nnw"))
    with pytest.raises(BadInput):
        made.pool.retrieve(odd)


def test_a_history_is_read_in_every_form(open_memory: Open) -> None:
    made = films(open_memory(encoder=WordEncoder()), *(walk(user, "nnw") for user in "abc"))
    item = Item(id="other", title="Other", categories=("noir",))
    [done, *_] = made.interactions("a")
    forms: list[Any] = ["n0", item, done, {"id": "n2"}, {"title": "X", "categories": ["noir"]}]
    for form in forms:
        vector = made.pool.encode([form])
        assert abs(float(vector @ vector) - 1.0) < 1e-5
    with pytest.raises(BadInput, match="unheard of"):
        made.pool.encode(["unheard of"])


@pytest.mark.parametrize(
    "given",
    [
        {"k": 0}, {"w": 0}, {"w": 2.5}, {"cut": "thrice"}, {"table": "none"}, {"tau_low": 2},
        {"tau_high": "high"}, {"tau_low": 0.9, "tau_high": 0.5}, {"half_life_days": 0},
        {"half_life_days": float("nan")}, {"cap": -1}, {"keep_days": "x"}, {"seed": 1.5},
        {"tau_low": float("nan")}, {"narrows": 1},
    ],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_configured_is_refused_and_changes_nothing(
    open_memory: Open, given: dict[str, Any]
) -> None:
    pool = films(open_memory(encoder=WordEncoder())).pool
    before = pool.configuration
    with pytest.raises(BadInput):
        pool.configure(**given)
    assert pool.configuration == before


def test_chinese_kinds_give_chinese_patterns(open_memory: Open) -> None:
    made = open_memory(encoder=WordEncoder()).recommender("films")
    kinds = {"n": "悬疑", "w": "科幻"}
    made.add_items(
        {"id": f"{letter}{number}", "title": f"流浪{number}号的故事", "categories": [kind]}
        for letter, kind in kinds.items()
        for number in range(8)
    )
    made.add_interactions(act for user in "小明红" for act in walk(user, "nnww"))
    made.pool.refresh()

    patterns = made.pool.patterns()
    assert patterns
    for pattern in patterns:
        said = pattern.explanation + pattern.description
        assert not re.search("[A-Za-z]", said)
        assert "悬疑" in said
        assert "流浪" not in said
        assert set(pattern.keywords) <= set(kinds.values())


def test_kinds_of_two_languages_do_not_meet(open_memory: Open) -> None:
    made = open_memory(encoder=WordEncoder()).recommender("films")
    made.add_items({"id": f"n{i}", "title": f"A{i}", "categories": ["noir"]} for i in range(8))
    made.add_items({"id": f"w{i}", "title": f"片{i}", "categories": ["黑色"]} for i in range(8))
    made.add_interactions(act for user in "abc" for act in walk(user, "nnn"))
    made.add_interactions(act for user in "xyz" for act in walk(user, "www"))
    made.pool.refresh()

    told = texts(made.pool)
    assert any("noir" in text for text in told)
    assert any("黑色" in text for text in told)
    assert not any("noir" in text and "黑色" in text for text in told)
