"""Which words of a pattern may stand when parts go, come back and go again."""

from collections.abc import Callable
from dataclasses import replace

from lamina.strategies.amem4rec.stages import Abstraction, Judging, Linked, Window
from tests.memory.pooling.cinema import Cinema, Stages, said


def named(window: Window) -> Abstraction:
    """Say the same of everybody, and who it is."""
    return replace(said("Crime"), description=window.user)


def naming(asked: Judging) -> tuple[Linked, ...]:
    """Link all, and let each say whom it took in."""
    return tuple(
        Linked(
            id=each.pattern.id,
            reason="",
            merged=replace(
                each.pattern.said,
                description=f"{each.pattern.said.description} {asked.new.description}",
            ),
        )
        for each in asked.candidates
    )


def alike(cinema: Cinema) -> None:
    """Let four users watch the same, and take it in."""
    for user in ("ann", "bo", "cy", "di"):
        cinema.watched(user, "Crime", "Crime", "Crime")
    cinema.pool.refresh()


def test_words_that_rest_on_what_went_since_do_not_come_back(
    open_cinema: Callable[..., Cinema],
) -> None:
    cinema = open_cinema(Stages(naming, named), tau_low=0.2, tau_high=0.3)
    alike(cinema)
    first, second, third, last = cinema.parts()

    gone = cinema.pool.delete(third.id)
    before = cinema.pool.delete(second.id)
    cinema.pool.rollback(gone.id)

    assert cinema.supported() == {f"Crime Crime Crime {first.speaker}": [first.speaker]}
    assert cinema.pool.pending == 2
    for back in ((third, last), (second, third, last)):
        cinema.pool.process()
        users = [first.speaker, *(part.speaker for part in back)]
        assert cinema.supported() == {f"Crime Crime Crime {' '.join(users)}": users}
        if len(back) < 3:
            cinema.pool.rollback(before.id)
    assert cinema.memory.check() == []


def test_those_wait_again_who_did_when_a_part_first_went(
    open_cinema: Callable[..., Cinema],
) -> None:
    cinema = open_cinema(Stages(naming, named), tau_low=0.2, tau_high=0.3)
    alike(cinema)
    first, second, third, last = cinema.parts()
    before = cinema.supported()

    gone = cinema.pool.delete(second.id)
    assert cinema.pool.pending == 2
    back = cinema.pool.rollback(gone.id)
    assert (cinema.supported(), cinema.pool.pending) == (before, 0)
    cinema.pool.rollback(back.operation.id)

    assert cinema.pool.pending == 2
    cinema.pool.process()
    users = [first.speaker, third.speaker, last.speaker]
    assert cinema.supported() == {f"Crime Crime Crime {' '.join(users)}": users}
    assert cinema.memory.check() == []


def test_whose_taking_in_is_undone_again_stays_out_and_the_others_wait(
    open_cinema: Callable[..., Cinema],
) -> None:
    cinema = open_cinema(Stages(naming, named), tau_low=0.2, tau_high=0.3)
    alike(cinema)
    second = cinema.pool.operations(kinds=["write"])[-2]

    undone = cinema.pool.rollback(second.id)
    for _ in range(2):
        undone = cinema.pool.rollback(undone.operation.id)

    assert cinema.pool.pending == 2
    cinema.pool.process()
    assert [len(users) for users in cinema.supported().values()] == [3]


def test_what_is_undone_twice_stays_undone_until_neither_counts(
    open_cinema: Callable[..., Cinema],
) -> None:
    cinema = open_cinema(Stages(naming, named), tau_low=0.2, tau_high=0.3)
    alike(cinema)
    before = cinema.supported()

    gone = cinema.pool.delete(cinema.parts()[1].id)
    first = cinema.pool.rollback(gone.id).operation
    again = cinema.pool.rollback(first.id).operation
    second = cinema.pool.rollback(gone.id).operation
    cinema.pool.rollback(again.id)
    cinema.pool.rollback(second.id)

    assert (cinema.supported(), cinema.pool.pending) == (before, 0)
    cinema.pool.rollback(first.id)
    assert (len(cinema.parts()), cinema.pool.pending) == (3, 2)
    assert cinema.memory.check() == []


def test_who_comes_back_to_a_pattern_that_was_taken_apart_waits(
    open_cinema: Callable[..., Cinema],
) -> None:
    cinema = open_cinema(Stages(naming, named), tau_low=0.2, tau_high=0.3)
    for user in ("ann", "bo"):
        cinema.watched(user, "Crime", "Crime", "Crime")
    cinema.pool.refresh()
    first, second = cinema.parts()

    gone = cinema.pool.delete(second.id)
    assert cinema.pool.refresh(again=True).revisited == 1
    cinema.pool.rollback(gone.id)

    assert cinema.pool.pending == 1
    cinema.pool.process()
    users = [first.speaker, second.speaker]
    assert cinema.supported() == {f"Crime Crime Crime {' '.join(users)}": users}
