"""Behaviours 4 and 6, of pools: what was known when, and doing it once."""

import json
import threading

import pytest

import lamina
from lamina.errors import BadInput, NotFound
from lamina.memory.pooling import Refreshed
from lamina.testing import FakeClock, WordEncoder
from tests.acceptance.walking import exported, films, texts, told, walk
from tests.conftest import Open

WALKS = (
    *(walk(user, "nnww", day) for user, day in (("ann", 1), ("bob", 8), ("cid", 15))),
    *(walk(user, "mmoo", day) for user, day in (("dee", 4), ("eli", 12), ("fay", 20))),
)


def test_as_of_a_day_support_counts_that_was_there_by_then(open_memory: Open) -> None:
    made = films(open_memory(encoder=WordEncoder()), *WALKS)
    found: list[int] = []
    for day in ("2026-01-02", "2026-01-13", "2026-01-20", "2026-02-20"):
        told = made.pool.patterns(as_of=f"{day}T00:00:00Z")
        found.append(len(told))
        assert all(pattern.contributors >= 3 for pattern in told)
        assert all(str(pattern.last_at) < day for pattern in told)

    assert found[0] == found[1] == 0
    assert 0 < found[2] < found[3]
    assert texts(made.pool, as_of="2026-02-20T00:00:00Z") == texts(made.pool)


def test_what_comes_later_is_told_of_no_earlier_moment(open_memory: Open) -> None:
    made = films(open_memory(encoder=WordEncoder()), *WALKS)
    moment = "2026-02-01T00:00:00Z"
    before = told(made, "ann", "dee", "new", as_of=moment)

    made.add_interactions([*walk("gus", "nnww", 40), *walk("hal", "hhss", 40)])
    made.pool.refresh()

    assert told(made, "ann", "dee", "new", as_of=moment) == before
    assert max(pattern.contributors for pattern in made.pool.patterns()) == 4


def test_a_pattern_is_unknown_before_its_support_was(open_memory: Open) -> None:
    made = films(open_memory(encoder=WordEncoder()), *WALKS)
    [pattern, *_] = made.pool.patterns("ann")

    with pytest.raises(NotFound):
        made.pool.pattern(pattern.id, user="ann", as_of="2025-12-31T00:00:00Z")
    assert made.pool.retrieve(made.pool.encode(["n0", "n1", "w0"]), as_of="2026-01-02") == []
    with pytest.raises(BadInput):
        made.pool.patterns(as_of="soon")


def test_each_revision_tells_when_it_was_known_and_by_which_operation(open_memory: Open) -> None:
    made = films(open_memory(encoder=WordEncoder()), *WALKS)
    operations = {each.id: each for each in made.pool.operations(kinds=["write"])}
    for pattern in made.pool.patterns():
        revisions = made.pool.history(pattern.id)
        assert [each.number for each in revisions] == list(range(1, len(revisions) + 1))
        assert len(revisions) == pattern.evolution_count + 1
        for each in revisions:
            assert each.known_at == operations[each.operation].known_at
        assert sorted(each.known_at for each in revisions)[-1] >= max(
            each.known_at for each in revisions
        )


def test_refreshing_again_changes_nothing(open_memory: Open) -> None:
    clock = FakeClock()
    made = films(open_memory(encoder=WordEncoder(), clock=clock), *WALKS)
    before = exported(made.pool)
    for _ in range(2):
        clock.advance(days=1)
        done = made.pool.refresh()
        assert (done.new, done.withdrawn, done.taken_in, done.failed) == (0, 0, 0, 0)
    made.add_interactions(act for each in WALKS for act in each)
    made.pool.refresh()

    assert exported(made.pool) == before


def test_a_dry_run_counts_and_writes_nothing(open_memory: Open) -> None:
    made = films(open_memory(encoder=WordEncoder()), *WALKS, share=False)

    counted = made.pool.refresh(dry_run=True)

    assert (counted.dry_run, counted.windows, counted.new, counted.taken_in) == (True, 12, 12, 0)
    assert made.pool.operations() == []
    assert texts(made.pool, "ann") == []
    assert made.pool.refresh().new == counted.new


def test_eight_at_once_are_one(open_memory: Open) -> None:
    memory = open_memory(encoder=WordEncoder())
    alone = exported(films(memory, *WALKS, name="films").pool)
    with lamina.open(":memory:", encoder=WordEncoder()) as other:
        made = films(other, *WALKS, share=False)
        outcomes: list[Refreshed] = []
        threads = [
            threading.Thread(target=lambda: outcomes.append(made.pool.refresh())) for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        made.pool.refresh()

        assert len(outcomes) == 8
        assert made.pool.pending == 0
        assert exported(made.pool) == alone
        assert other.check() == []


@pytest.mark.parametrize("workers", [2, 7])
def test_how_many_work_makes_no_difference(open_memory: Open, workers: int) -> None:
    one = films(open_memory(encoder=WordEncoder()), *WALKS)
    with lamina.open(":memory:", encoder=WordEncoder()) as other:
        many = films(other, *WALKS, share=False)
        many.pool.refresh(workers=workers)

        assert json.dumps(exported(many.pool)) == json.dumps(exported(one.pool))


def test_what_was_undone_stays_undone_until_that_is_undone(open_memory: Open) -> None:
    memory = open_memory(encoder=WordEncoder())
    made = films(memory, *WALKS)
    before = texts(made.pool)
    [pattern, *_] = made.pool.patterns()

    deleted = made.pool.delete(pattern.id)
    made.pool.refresh()
    assert pattern.id not in [each.id for each in made.pool.patterns()]

    made.pool.rollback(deleted.id)
    made.pool.refresh()
    assert texts(made.pool) == before
    assert memory.check() == []
