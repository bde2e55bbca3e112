"""Whatever is passed as an id or a moment, a verb does as it says or tells what is wrong."""

import inspect
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

import lamina
from lamina.errors import BadInput, LaminaError

NO_IDS = (None, b"x", ["a"], {"a": 1}, {"a"}, 7, True, float("nan"), 10**5000)
NO_MOMENTS = (
    float("nan"), float("inf"), "NaN", "not a date", "", "0000-01-01", "2026-13-01", 10**30,
    10**5000, b"2026-01-01", ["2026-01-01"], date(2026, 1, 1), datetime(2026, 1, 1),
    "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:00",
    datetime.max.replace(tzinfo=timezone(timedelta(hours=-5))),
)  # fmt: skip
IDS = frozenset({"id", "operation"})
MOMENTS = frozenset({"as_of", "valid_on", "recorded_as_of", "asked_at", "timestamp", "before"})
GIVEN = {"messages": "Hello.", "privacy": None, "items": (), "interactions": ()}
"""What a verb must be given besides; a word, for what is not named here."""


def handles(memory: lamina.Memory) -> list[Any]:
    user = memory.user("ann")
    user.add("I live in Paris.", timestamp="2026-01-01T10:00:00Z", wait=True)
    space = memory.space("team")
    space.grant("user:ann", write=True)
    space.add("We meet on Friday.", wait=True)
    films = memory.recommender("films")
    films.add_items([{"id": "1", "title": "Heat"}])
    return [user, space, user.space("team"), memory.conversation("pair"), films]


def calls(memory: lamina.Memory, named: frozenset[str]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield each verb that takes one of these arguments, as a function of that argument."""
    for handle in handles(memory):
        for name, verb in inspect.getmembers(handle, inspect.ismethod):
            if name.startswith("_"):
                continue
            parameters = inspect.signature(verb).parameters.values()
            needed = [
                p.name for p in parameters if p.default is p.empty and p.kind is not p.VAR_KEYWORD
            ]
            for argument in (p.name for p in parameters if p.name in named):
                rest = {n: GIVEN.get(n, "word") for n in needed if n != argument}
                where = f"{type(handle).__name__}.{name}({argument}=…)"
                yield where, lambda odd, v=verb, a=argument, r=rest: v(**{a: odd}, **r)


def taken(call: Callable[..., Any], odd: Any) -> bool:
    """Whether a verb takes an argument, instead of saying that it is wrong."""
    try:
        call(odd)
    except BadInput:
        return False
    return True


def test_what_is_no_text_is_no_id(memory: lamina.Memory) -> None:
    found = list(calls(memory, IDS))

    assert len(found) > 30
    assert [(w, type(odd)) for w, call in found for odd in NO_IDS if taken(call, odd)] == []


def test_what_is_no_time_is_no_moment(memory: lamina.Memory) -> None:
    found = list(calls(memory, MOMENTS))

    assert len(found) > 50
    assert [(w, i) for w, call in found for i, m in enumerate(NO_MOMENTS) if taken(call, m)] == []


def test_odd_text_is_an_id_that_nothing_has(memory: lamina.Memory) -> None:
    for _, call in calls(memory, IDS):
        for odd in ("", " ", "\x00", "\ud800", "%", "x" * 100_000):
            with pytest.raises(LaminaError):
                call(odd)


def test_a_session_has_a_name(memory: lamina.Memory) -> None:
    user = memory.user("ann")

    assert not any(taken(lambda odd: user.messages(session_id=odd), odd) for odd in NO_IDS[1:])


def test_moments_at_the_ends_of_time_are_moments(memory: lamina.Memory) -> None:
    user = memory.user("ann")
    for moment in (datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)):
        for verb in (user.list, user.messages):
            verb(as_of=moment, recorded_as_of=moment)
        user.search("Paris", as_of=moment, valid_on=moment, asked_at=moment)
