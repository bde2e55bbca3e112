"""In which order parts are taken in, and what is told of a pool as of a moment therefore."""

from collections.abc import Callable
from datetime import timedelta

from lamina.testing.clock import NOON
from tests.memory.pooling.cinema import Cinema, Stages, reworded

USERS = ("ann", "bo", "cy", "di")
MIDDLE = NOON + timedelta(minutes=30)


def watch(cinema: Cinema, *minutes: float) -> None:
    """Let all users watch the same, each a minute after the one before."""
    for minute in minutes:
        for i, user in enumerate(USERS):
            cinema.watched(user, "Crime", "Crime", "Crime", minute=minute + i)


def test_users_are_gone_through_one_after_another_unless_told_otherwise(cinema: Cinema) -> None:
    watch(cinema, 0, 60)
    cinema.pool.refresh()

    speakers = [part.speaker for part in cinema.parts()]

    assert speakers == sorted(speakers, key=speakers.index)
    assert [note.revision for note in cinema.patterns(MIDDLE)] == [1]


def test_in_the_order_of_time_a_pool_is_told_as_it_grew(
    open_cinema: Callable[..., Cinema],
) -> None:
    whole, stopped = (open_cinema(Stages(judging=reworded)) for _ in range(2))
    watch(whole, 0, 60)
    watch(stopped, 0)
    for cinema in (whole, stopped):
        cinema.pool.configure(order="time")
        cinema.pool.refresh()

    times = [part.said_at for part in whole.parts()]
    assert times == sorted(times)
    then = [(note.text, note.context, note.revision) for note in whole.patterns(MIDDLE)]
    assert then == [(note.text, note.context, note.revision) for note in stopped.patterns()]
    assert then != [(note.text, note.context, note.revision) for note in whole.patterns()]
    told = [
        [(each.explanation, each.contributors, each.evolution_count) for each in found]
        for found in (whole.pool.patterns(as_of=MIDDLE), stopped.pool.patterns())
    ]
    assert told[0] == told[1] != []
