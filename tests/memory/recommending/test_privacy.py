"""Whatever is configured, nobody is shown words or the name of whom they may not see."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lamina
from lamina.items import Privacy
from lamina.memory.recommending import Recommender
from lamina.testing import ScriptedLLM, WordEncoder

USERS = ("ann", "bob", "cyd", "dee")
ITEMS = tuple("123456")
GENRES = ("noir", "western", "musical")


def secret(user: str) -> str:
    """A word that only this user says."""
    return f"zq{user}zq"


def name(user: str) -> str:
    return f"user-{user}-x"


def fill(films: Recommender) -> None:
    films.add_items(
        {"id": item, "title": f"Film {item}", "categories": [GENRES[i % 3]]}
        for i, item in enumerate(ITEMS)
    )
    films.add_interactions(
        {
            "user": name(user),
            "item": item,
            "timestamp": 86_400 * (10 * place + i),
            "rating": 5,
            "text": f"A {secret(user)} of a film, {secret(user)} indeed.",
        }
        for place, user in enumerate(USERS)
        for i, item in enumerate(ITEMS[place % 2 : place % 2 + 4])
    )


def told(films: Recommender, user: str) -> str:
    """All that is told to a user, as one text."""
    ranking = films.rank(name(user), explain=True)
    some = films.rank(name(user), list(ITEMS), instruction="a noir film", explain=True)
    parts: list[Any] = [ranking, some, films.profile(name(user))]
    parts += [films.explain(name(user), item) for item in ITEMS]
    return json.dumps([part.to_dict() for part in parts])


def leaks(text: str, user: str, allowed: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the users whose words or name a text has that are told to `user`."""
    for other in USERS:
        seen = secret(other) in text or name(other) in text
        if seen and other != user and other not in allowed:
            yield other


@pytest.fixture
def films(memory: lamina.Memory) -> Recommender:
    return memory.recommender("films")


@pytest.mark.parametrize("when", ["before", "after"])
def test_in_a_silo_nobody_is_told_of_another(films: Recommender, when: str) -> None:
    if when == "before":
        films.configure(privacy="silo", k=5)
    fill(films)
    films.process()
    films.configure(privacy="silo", k=5)

    for user in (*USERS, "new"):
        assert list(leaks(told(films, user), user)) == [], user


def test_openly_somebody_elses_note_is_unnamed_and_its_words_are_not_told(
    films: Recommender,
) -> None:
    fill(films)
    films.process()
    for user in USERS:
        text = told(films, user)
        assert list(leaks(text, user)) == []
        assert '"kind": "shared"' in text


def test_in_a_group_only_its_members_are_told_of(films: Recommender) -> None:
    films.configure(privacy="group", k=5)
    for user, group in {"ann": "east", "bob": "east", "cyd": "west"}.items():
        films.join(name(user), group, timestamp="1960-01-01")
    fill(films)
    films.process()

    for user, allowed in {"ann": {"bob"}, "bob": {"ann"}, "cyd": set(), "dee": set()}.items():
        assert list(leaks(told(films, user), user, frozenset(allowed))) == []


def test_who_leaves_a_group_is_told_of_it_no_longer(films: Recommender) -> None:
    films.configure(privacy="group", k=5)
    for user in USERS:
        films.join(name(user), "all", timestamp="1960-01-01")
    fill(films)
    films.process()
    films.join(name("ann"), "")

    assert list(leaks(told(films, "ann"), "ann")) == []
    assert list(leaks(told(films, "bob"), "bob", frozenset({"cyd", "dee"}))) == []


@settings(max_examples=4, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    privacy=st.sampled_from(["silo", "group"]),
    groups=st.dictionaries(st.sampled_from(USERS), st.sampled_from(["x", "y"])),
    late=st.booleans(),
)
def test_whoever_is_in_whatever_group_is_told_of_nobody_else(
    privacy: Privacy, groups: dict[str, str], late: bool
) -> None:
    with lamina.open(":memory:", encoder=WordEncoder()) as memory:
        films = memory.recommender("films")
        if not late:
            films.configure(privacy=privacy, k=9)
        for user, group in groups.items():
            films.join(name(user), group, timestamp="1960-01-01")
        fill(films)
        films.process()
        films.configure(privacy=privacy, k=9)
        for user in USERS:
            same = {o for o, g in groups.items() if privacy == "group" and groups.get(user) == g}
            assert list(leaks(told(films, user), user, frozenset(same))) == []


def test_a_model_is_shown_nothing_of_another_in_a_silo() -> None:
    llm = ScriptedLLM(*["{}"] * 400)
    with lamina.open(":memory:", encoder=WordEncoder(), llm=llm) as memory:
        films = memory.recommender("films")
        films.configure(privacy="silo", k=5)
        fill(films)
        films.process()
        for prompt in llm.prompts:
            named = [user for user in USERS if secret(user) in prompt]
            assert len(named) <= 1
        seen = len(llm.prompts)
        films.rank(name("ann"), list(ITEMS))
        assert len(llm.prompts) > seen
        for prompt in llm.prompts[seen:]:
            assert list(leaks(prompt, "ann")) == []
