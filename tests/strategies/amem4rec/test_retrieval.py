"""Which patterns tell of somebody at a moment: as they were, and only those that may be told."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lamina.ports import ALWAYS, NEVER, PATTERN, USER_NOTE, Graph, Support, VectorRows
from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.strategies.amem4rec.retrieval import (
    Retrieved,
    named,
    retrieve,
    standings,
    supports,
    weightiest,
    weights,
)
from lamina.times import DAY
from tests.strategies.amem4rec.made_patterns import angled, unit

QUERY = unit(1, 0)
PLAIN = AMEM4RecConfig()
USERS = ("ann", "bo", "cy", "di")


@dataclass(frozen=True)
class State:
    """What a pattern said for a while."""

    pattern: int
    cosine: float
    known_from: int = ALWAYS
    known_until: int = NEVER


@dataclass(frozen=True)
class Row:
    """A part in a pattern."""

    pattern: int
    user: int
    at: int = 0
    known_from: int = ALWAYS
    known_until: int = NEVER


def graph(states: Sequence[State], rows: Sequence[Row]) -> Graph:
    size = 1 + max((each.pattern for each in states), default=-1)
    count, none, when = len(states), np.zeros(0, np.int32), np.zeros(0, np.int64)
    vectors = np.array([angled(each.cosine) for each in states], dtype=np.float32).reshape(-1, 2)
    return Graph(
        users=USERS, items=(), by=none, of=none, said_at=when, gone_at=when,
        ratings=np.zeros(0, np.float32), actions=np.zeros(0, np.int16), action_names=(),
        messages=(), kinds=np.full(count, PATTERN, np.int8),
        refs=tuple(f"p{each.pattern}" for each in states),
        whose=np.full(count, -1, np.int32), about=np.full(count, -1, np.int32),
        done_at=np.zeros(count, np.int64),
        known_from=np.array([each.known_from for each in states], np.int64),
        known_until=np.array([each.known_until for each in states], np.int64),
        vectors=VectorRows(vectors), link_from=none, link_to=none, link_known_from=when,
        note_names=tuple(f"p{i}" for i in range(size)),
        notes=np.array([each.pattern for each in states], np.int32),
        support=Support(
            of=np.array([each.pattern for each in rows], np.int32),
            revisions=np.ones(len(rows), np.int32),
            parts=tuple(f"m{i}" for i in range(len(rows))),
            by=np.array([each.user for each in rows], np.int32),
            at=np.array([each.at for each in rows], np.int64),
            known_from=np.array([each.known_from for each in rows], np.int64),
            known_until=np.array([each.known_until for each in rows], np.int64),
        ),
    )  # fmt: skip


def found(
    pool: Graph, user: str | None = None, *, k: int = 5, t: int = NEVER, least: int = 1
) -> list[Retrieved]:
    return retrieve(pool, QUERY, k, t, user, least, PLAIN)


def ids(retrieved: Sequence[Retrieved]) -> list[str]:
    return [each.id for each in retrieved]


def test_the_nearest_are_retrieved_and_the_weightiest_is_told_first() -> None:
    pool = graph(
        [State(0, 0.9), State(1, 0.95), State(2, 0.5)],
        [Row(0, 0), Row(0, 1), Row(0, 2), Row(1, 0), *[Row(2, 1)] * 50],
    )

    retrieved = found(pool, k=2)

    assert ids(retrieved) == ["p0", "p1"]
    assert [each.similarity for each in retrieved] == pytest.approx([0.9, 0.95], abs=1e-5)
    assert [each.evolution_count for each in retrieved] == [2, 0]
    assert sum(each.weight for each in retrieved) == pytest.approx(1.0)


def test_contributors_are_people_and_not_parts() -> None:
    pool = graph([State(0, 0.9)], [Row(0, 0, 5), Row(0, 0, 9), Row(0, 1, 7)])

    (retrieved,) = found(pool, "bo")

    assert (retrieved.contributors, retrieved.evolution_count) == (2, 2)
    assert (retrieved.first_at, retrieved.last_at) == (5, 9)
    assert retrieved.yours


def test_a_flood_of_one_users_windows_stays_theirs() -> None:
    pool = graph([State(0, 0.9)], [Row(0, 0)] * 40)

    assert ids(found(pool, "ann", least=3)) == ["p0"]
    assert found(pool, "bo", least=3) == []
    assert found(pool, None, least=3) == []


def test_somebody_unknown_is_told_what_enough_people_support() -> None:
    pool = graph([State(0, 0.9), State(1, 0.8)], [Row(0, 0), Row(0, 1), Row(1, 2)])

    assert ids(found(pool, "stranger", least=2)) == ["p0"]


def test_what_is_hidden_gives_its_place_to_what_may_be_told() -> None:
    pool = graph([State(0, 0.9), State(1, 0.8)], [Row(0, 0), Row(1, 1)])

    assert ids(found(pool, "bo", k=1, least=2)) == ["p1"]


def test_a_pattern_is_told_as_it_was() -> None:
    pool = graph(
        [State(0, 0.9, 10, 20), State(0, 0.3, 20)],
        [Row(0, 0, 8, 10), Row(0, 1, 9, 20, 30)],
    )

    told = {t: found(pool, t=t) for t in (10, 11, 20, 21, 30, 31)}

    assert [len(each) for each in told.values()] == [0, 1, 1, 1, 1, 1]
    assert [round(each[0].similarity, 3) for each in told.values() if each] == [
        0.9, 0.9, 0.3, 0.3, 0.3,
    ]  # fmt: skip
    assert [each[0].contributors for each in told.values() if each] == [1, 1, 2, 2, 1]
    assert [each[0].last_at for each in told.values() if each] == [8, 8, 9, 9, 8]
    assert [each[0].row for each in told.values() if each] == [0, 0, 1, 1, 1]


def test_a_pattern_that_nobody_supports_any_more_is_not_told() -> None:
    pool = graph([State(0, 0.9)], [Row(0, 0, known_until=5)])

    assert ids(found(pool, "ann", t=5)) == ["p0"]
    assert found(pool, "ann", t=6) == []


def test_what_is_no_pattern_is_not_told() -> None:
    pool = graph([State(0, 0.9)], [Row(0, 0)])
    pool.kinds[0] = USER_NOTE

    assert found(pool) == []


def test_an_empty_pool_tells_nothing() -> None:
    assert found(graph([], [])) == []


def test_what_was_worked_out_for_a_moment_is_kept() -> None:
    pool = graph([State(0, 0.9)], [Row(0, 0)])

    assert standings(pool, 7) is standings(pool, 7)
    assert standings(pool, 7) is not standings(pool, 8)


def test_with_nothing_to_look_up_the_weightiest_are_told() -> None:
    pool = graph(
        [State(0, 0.9), State(1, 0.1), State(2, 0.5), State(3, 0.5)],
        [Row(0, 0), Row(0, 1), *[Row(1, 0), Row(1, 1)] * 3, Row(2, 0), *[Row(3, 2)] * 9],
    )

    told = weightiest(pool, 5, NEVER, "ann", 2, PLAIN)

    assert ids(told) == ["p1", "p0", "p2"]
    assert {each.similarity for each in told} == {0.0}
    assert sum(each.weight for each in told) == pytest.approx(1.0)
    assert weightiest(pool, 2, NEVER, "ann", 2, PLAIN) == told[:2]


def test_one_pattern_is_told_by_its_id_to_those_whom_it_may_be_told() -> None:
    pool = graph([State(0, 0.9), State(1, 0.8)], [Row(0, 0), Row(1, 0), Row(1, 1)])

    def told(id_: str, user: str | None) -> int | None:
        found = named(pool, id_, NEVER, user, 2, PLAIN)
        return found.contributors if found else None

    assert (told("p0", "ann"), told("p1", "ann"), told("p1", None)) == (1, 2, 2)
    assert (told("p0", "bo"), told("p0", None), told("p9", "ann")) == (None, None, None)


def test_whose_parts_a_pattern_rests_on_is_told_as_of_a_moment() -> None:
    pool = graph(
        [State(0, 0.9), State(1, 0.8)],
        [Row(0, 2, 4), Row(1, 1), Row(0, 0, 3, known_until=8), Row(0, 1, 9, known_from=7)],
    )

    def told(t: int) -> list[tuple[list[int], list[int]]]:
        return [(by.tolist(), at.tolist()) for by, at in supports(pool, t, [1, 0])]

    assert told(7) == [([1], [0]), ([2, 0], [4, 3])]
    assert told(8) == [([1], [0]), ([2, 0, 1], [4, 3, 9])]
    assert told(9) == [([1], [0]), ([2, 1], [4, 9])]


def test_without_a_half_life_age_does_not_count() -> None:
    assert weights([0.5, 0.5], [0, 0], [0, 999], PLAIN) == pytest.approx([0.5, 0.5])


def test_what_is_a_half_life_older_weighs_half() -> None:
    config = AMEM4RecConfig(half_life_days=30)

    assert weights([0.5, 0.5], [2, 2], [0, 30], config) == pytest.approx([2 / 3, 1 / 3])


def test_what_evolved_more_weighs_more_by_the_logarithm() -> None:
    one, other = weights([0.5, 0.5], [0, 9], [0, 0], PLAIN)

    assert other / one == pytest.approx(1 + np.log(10))


def test_what_is_unlike_weighs_nothing_beside_what_is_like() -> None:
    assert weights([-0.3, 0.4], [50, 0], [0, 0], PLAIN).tolist() == [0.0, 1.0]
    assert weights([-0.3, -0.1], [50, 0], [0, 0], PLAIN).tolist() == [0.5, 0.5]
    assert weights([], [], [], PLAIN).tolist() == []


def test_ages_are_told_from_the_moment_or_else_from_the_latest_support() -> None:
    pool = graph([State(0, 0.9), State(1, 0.9)], [Row(0, 0, 0), Row(1, 1, 10 * DAY)])
    config = AMEM4RecConfig(half_life_days=10)

    now = retrieve(pool, QUERY, 5, NEVER, None, 1, config)
    later = retrieve(pool, QUERY, 5, 90 * DAY, None, 1, config)

    for retrieved in (now, later):
        assert ids(retrieved) == ["p1", "p0"]
        assert [each.weight for each in retrieved] == pytest.approx([2 / 3, 1 / 3])


SUPPORTS = st.lists(
    st.builds(Row, st.integers(0, 4), st.integers(0, 3), st.integers(0, 9), st.integers(0, 9)),
    max_size=30,
)


@settings(deadline=None)
@given(
    SUPPORTS,
    st.lists(st.sampled_from([-0.5, 0.2, 0.7, 0.9]), min_size=5, max_size=5),
    st.sampled_from([None, "ann", "bo", "stranger"]),
    st.integers(1, 4),
    st.integers(0, 11),
    st.integers(1, 5),
)
def test_nothing_is_told_of_fewer_people_than_it_takes(
    rows: list[Row], cosines: list[float], user: str | None, least: int, t: int, k: int
) -> None:
    pool = graph([State(i, cosine) for i, cosine in enumerate(cosines)], rows)
    by = {
        i: {USERS[row.user] for row in rows if row.pattern == i and row.known_from < t}
        for i in range(5)
    }
    told = [i for i in range(5) if by[i] and (len(by[i]) >= least or user in by[i])]

    retrieved = found(pool, user, k=k, t=t, least=least)

    best = sorted(told, key=lambda i: (-cosines[i], i))[:k]
    assert sorted(ids(retrieved)) == [f"p{i}" for i in sorted(best)]
    assert all(each.contributors == len(by[int(each.id[1:])]) for each in retrieved)
    assert all(each.yours == (user in by[int(each.id[1:])]) for each in retrieved)
    assert [each.weight for each in retrieved] == sorted(
        (each.weight for each in retrieved), reverse=True
    )
