"""The step that takes parts into a pool, through both stores."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from lamina.errors import Conflict
from lamina.model import Link
from lamina.ports import Failure, Operation, Writing
from lamina.strategies.amem4rec.stages import Judging, Linked
from lamina.testing import ScriptedLLM
from lamina.testing.clock import NOON
from lamina.work import pooling
from tests.memory.pooling.cinema import Cinema, Stages, reworded, silently

SLOW = Failure(reason="rate_limit", detail="too many requests")
TWICE = {"tau_low": 0.3, "tau_high": 0.99}
"""By these what shares some words is linked, and stored beside it."""


def test_the_first_part_founds_a_pattern(cinema: Cinema) -> None:
    cinema.watched("ann", "Crime", "Horror", "Crime")
    cinema.pool.refresh()

    [part] = cinema.parts()
    [pattern] = cinema.patterns()
    assert (pattern.kind, pattern.event, pattern.item, pattern.sources) == (
        "pattern", None, None, (part.id,),
    )  # fmt: skip
    assert (pattern.text, pattern.context) == (
        part.metadata["explanation"], part.metadata["description"],
    )  # fmt: skip
    assert pattern.keywords == ("Crime", "Horror")
    assert pattern.said_at == pattern.known_at == part.said_at
    made = cinema.pool.operations(kinds=["write"])
    assert [(each.strategy, each.model, each.cause) for each in made] == [
        ("amem4rec-scripted", None, f"part {part.id}"),
    ]  # fmt: skip


def test_who_says_the_same_supports_it_without_new_words(cinema: Cinema) -> None:
    for user in ("ann", "bo", "cy"):
        cinema.watched(user, "Crime", "Crime", "Crime")
    cinema.pool.refresh()

    [pattern] = cinema.patterns()
    history = cinema.pool.history(pattern.id)
    assert [each.number for each in history] == [1, 2, 3]
    assert len({each.text for each in history}) == 1
    assert sorted(each.sources[0] for each in history) == sorted(p.id for p in cinema.parts())
    assert cinema.store.counts(cinema.pool.scope)["documents"] == 1


def test_new_words_are_found_by_the_next_part(open_cinema: Callable[..., Cinema]) -> None:
    cinema = open_cinema(Stages(judging=reworded), **TWICE)
    for user in ("ann", "bo", "cy"):
        cinema.watched(user, "Crime", "Crime", "Crime")
    cinema.pool.refresh()

    words = [asked.candidates[0].pattern.said.description for asked in cinema.stages.asked]
    assert words[0] == "one after another"
    assert "one after another again" in words
    counts = [asked.candidates[0].pattern.evolution_count for asked in cinema.stages.asked]
    assert counts[0] == 0 < max(counts)


def test_what_is_near_is_linked_with_the_reason(open_cinema: Callable[..., Cinema]) -> None:
    cinema = open_cinema(**TWICE)
    cinema.watched("ann", "Crime", "Crime", "Horror")
    cinema.watched("bo", "Crime", "Crime", "Comedy")
    cinema.pool.refresh()

    first, second = cinema.patterns()
    assert cinema.store.links(cinema.pool.scope, [second.id]) == [
        Link(source=second.id, target=first.id, relation="the same")
    ]
    assert sorted(len(users) for users in cinema.supported().values()) == [1, 2]


def test_an_update_that_nothing_agrees_with_stores(cinema: Cinema) -> None:
    cinema.use(Stages(judging=lambda _: ()), k=1)
    cinema.watched("ann", "Crime", "Crime", "Crime")
    cinema.watched("bo", "Crime", "Crime", "Crime")
    cinema.pool.refresh()

    assert [pattern.revision for pattern in cinema.patterns()] == [1, 1]


def test_a_reply_that_makes_no_sense_loses_nothing(cinema: Cinema) -> None:
    cinema.use(Stages(judging=lambda _: Failure(reason="malformed", detail="no JSON")), k=1)
    cinema.watched("ann", "Crime", "Crime", "Crime")
    cinema.watched("bo", "Crime", "Crime", "Crime")

    done = cinema.pool.refresh()

    assert (done.taken_in, done.waiting, done.troubles) == (2, 0, ())
    assert len(cinema.patterns()) == 2


def test_where_there_is_no_reply_that_part_and_later_ones_wait(cinema: Cinema) -> None:
    def second(asked: Judging) -> tuple[Linked, ...] | Failure:
        return SLOW if len(cinema.stages.asked) == 2 else silently(asked)

    for user in ("ann", "bo", "cy", "di"):
        cinema.watched(user, "Crime", "Crime", "Crime")
    cinema.use(Stages(judging=second), k=1)

    done = cinema.pool.refresh()

    assert (done.taken_in, done.waiting) == (2, 2)
    assert done.troubles == ("rate_limit: too many requests",)
    assert [part.progress for part in cinema.parts()] == ["bound", "bound", "pending", "pending"]
    [job] = cinema.store.jobs(cinema.pool.scope)
    assert (job.attempts, job.error) == (1, "rate_limit: too many requests")
    assert cinema.pool.process().failed == ()
    assert [len(users) for users in cinema.supported().values()] == [4]
    assert cinema.store.jobs(cinema.pool.scope) == []


def test_with_a_model_batches_are_small_and_all_is_taken_in(cinema: Cinema) -> None:
    cinema.use(llm=ScriptedLLM(), k=1)
    for number in range(pooling.ASKED_AT_ONCE + 3):
        cinema.watched(f"user{number}", "Crime", "Crime", "Crime")

    done = cinema.pool.refresh()

    assert (done.taken_in, done.waiting) == (pooling.ASKED_AT_ONCE + 3, 0)
    [pattern] = cinema.patterns()
    assert len(cinema.pool.history(pattern.id)) == pooling.ASKED_AT_ONCE + 3


def test_it_is_known_since_all_that_was_read_was(open_cinema: Callable[..., Cinema]) -> None:
    cinema = open_cinema(**TWICE)
    cinema.watched("ann", "Crime", "Crime", "Horror", minute=50)
    cinema.pool.refresh()
    cinema.watched("bo", "Crime", "Crime", "Comedy", minute=10)
    cinema.watched("cy", "Western", "Western", "Western", minute=20)
    cinema.pool.refresh()

    known = {pattern.keywords[0]: pattern.known_at for pattern in cinema.patterns()}
    late = NOON + timedelta(minutes=52)
    assert known["Crime"] == late
    early = cinema.patterns(at=NOON + timedelta(minutes=40))
    assert [pattern.keywords for pattern in early] in ([], [("Western",)])


def test_a_pattern_that_came_after_an_undone_revision_is_revised_twice(
    cinema: Cinema,
) -> None:
    cinema.watched("ann", "Crime", "Crime", "Crime")
    cinema.pool.refresh()
    cinema.watched("bo", "Crime", "Crime", "Crime")
    cinema.pool.refresh()
    [last] = cinema.pool.operations(kinds=["write"], limit=1)
    cinema.pool.rollback(last.id)
    for user in ("cy", "di", "ed"):
        cinema.watched(user, "Crime", "Crime", "Crime")

    done = cinema.pool.refresh()

    assert (done.taken_in, done.troubles) == (3, ())
    [users] = cinema.supported().values()
    assert sorted(users) == ["ann", "cy", "di", "ed"]
    assert cinema.memory.check() == []


def test_what_is_undone_while_a_batch_is_formed_is_not_written(cinema: Cinema) -> None:
    def interfering(asked: Judging) -> tuple[Linked, ...]:
        if len(cinema.stages.asked) == 1:
            cinema.pool.delete(cinema.parts()[0].id)
        return silently(asked)

    cinema.watched("ann", "Crime", "Crime", "Crime")
    cinema.watched("bo", "Crime", "Crime", "Crime")
    cinema.use(Stages(judging=interfering), k=1)

    done = cinema.pool.refresh()

    assert done.troubles == ()
    [part] = cinema.parts()
    assert list(cinema.supported().values()) == [[part.speaker]]


def test_a_batch_is_worked_out_on_the_log_as_it_is(cinema: Cinema) -> None:
    cinema.watched("ann", "Crime", "Crime", "Crime")
    cinema.pool.refresh()
    writing = Writing(
        operation=Operation(id="late", kind="write", known_at=NOON, recorded_at=NOON), after=0
    )

    with pytest.raises(Conflict):
        cinema.store.apply(cinema.pool.scope, writing, now=NOON)
