"""Who has no part in a pool, and who is forgotten; through both stores."""

from collections.abc import Callable

import pytest

from lamina.errors import BadInput, StaleEpoch
from lamina.strategies.amem4rec.stages import Abstraction, Judging, Linked, Window
from lamina.work.pools import begun
from tests.memory.pooling.cinema import Cinema, Stages, silently, told

CRIME = "Crime Crime Crime one after another"


def alike(cinema: Cinema, *users: str) -> None:
    for user in users:
        cinema.watched(user, "Crime", "Crime", "Crime")
    cinema.pool.refresh()


def told_of(cinema: Cinema, user: str) -> bool:
    """Whether anything that the pool has names a user."""
    return f'"user:{user}"' in "".join(cinema.pool.export())


def test_who_leaves_has_no_part_and_gets_none(cinema: Cinema) -> None:
    alike(cinema, "ann", "bo", "cy")
    founder = cinema.parts()[0].speaker

    receipt = cinema.pool.leave(founder)

    assert (receipt.messages, receipt.author) == (1, f"user:{founder}")
    assert receipt.stage == "physical"
    assert cinema.pool.leave("nobody", purge=False).stage == "logical"
    assert not told_of(cinema, founder)
    done = cinema.pool.refresh()
    assert (done.windows, done.new, done.left, done.taken_in) == (2, 0, 1, 2)
    [users] = cinema.supported().values()
    assert sorted(users) == sorted({"ann", "bo", "cy"} - {founder})
    assert len(cinema.films.interactions(founder)) == 3
    assert cinema.memory.check() == []


def test_who_enters_again_has_a_part_again(cinema: Cinema) -> None:
    alike(cinema, "ann", "bo")
    cinema.pool.leave("ann")
    assert cinema.pool.enter("ann").new == 1
    assert cinema.pool.enter("ann").new == 0

    assert cinema.pool.refresh().new == 1
    assert [sorted(users) for users in cinema.supported().values()] == [["ann", "bo"]]
    cinema.pool.leave("ann")
    assert cinema.pool.refresh().windows == 1


def test_who_left_before_there_was_a_pool_never_has_a_part(cinema: Cinema) -> None:
    cinema.pool.leave("ann")

    alike(cinema, "ann", "bo")

    assert cinema.supported() == {CRIME: ["bo"]}


def test_that_they_left_outlives_the_pool_and_goes_with_them(cinema: Cinema) -> None:
    alike(cinema, "ann", "bo")
    cinema.pool.leave("ann")
    cinema.pool.forget()
    assert cinema.pool.refresh().windows == 1

    cinema.memory.user("ann").forget()
    assert cinema.store.in_session(cinema.films.scope, "leaving") == []
    alike(cinema, "ann")
    assert [sorted(users) for users in cinema.supported().values()] == [["ann", "bo"]]


def test_who_leaves_while_windows_are_told_is_not_brought_back(cinema: Cinema) -> None:
    def leaving(window: Window) -> Abstraction:
        cinema.pool.leave("ann")
        return told(window)

    cinema.watched("ann", "Crime", "Crime", "Crime")
    cinema.watched("bo", "Crime", "Crime", "Crime")
    cinema.use(Stages(abstracting=leaving), k=1)

    with pytest.raises(StaleEpoch):
        cinema.pool.refresh()
    cinema.use(Stages(), k=1)
    cinema.pool.refresh()
    assert cinema.supported() == {CRIME: ["bo"]}


@pytest.mark.parametrize("user", ["", " ", "x" * 600, None, 3])
def test_only_users_leave(cinema: Cinema, user: str) -> None:
    for verb in (cinema.pool.leave, cinema.pool.enter):
        with pytest.raises(BadInput, match="user's id"):
            verb(user)
    assert not begun(cinema.store, cinema.pool.scope)


def test_a_user_who_is_forgotten_has_no_part_left(cinema: Cinema) -> None:
    alike(cinema, "ann", "bo", "cy")
    founder = cinema.parts()[0].speaker
    texts = [part.text for part in cinema.parts(founder)]

    receipt = cinema.memory.user(founder).forget()

    assert {part.scope.kind for part in receipt.parts} == {"recommender", "pool"}
    assert not told_of(cinema, founder)
    assert cinema.pool.pending == 2
    assert cinema.pool.refresh().windows == 2
    [users] = cinema.supported().values()
    assert sorted(users) == sorted({"ann", "bo", "cy"} - {founder})
    assert cinema.memory.verify_erasure([founder], pool="films").unpurged == 0
    assert texts == [told(cinema.stages.windows[0]).shown]
    assert cinema.memory.check() == []


def test_who_is_forgotten_while_a_part_is_taken_in_is_not_brought_back(cinema: Cinema) -> None:
    def erasing(asked: Judging) -> tuple[Linked, ...]:
        if len(cinema.stages.asked) == 1:
            cinema.memory.user("bo").forget()
        return silently(asked)

    for user in ("ann", "bo", "cy"):
        cinema.watched(user, "Crime", "Crime", "Crime")
    cinema.use(Stages(judging=erasing), k=1)

    done = cinema.pool.refresh()

    assert done.troubles == ("another worker holds the pool, or a part was erased meanwhile",)
    assert not told_of(cinema, "bo")
    assert cinema.supported() == {}
    cinema.pool.process()
    assert {text: sorted(users) for text, users in cinema.supported().items()} == {
        CRIME: ["ann", "cy"]
    }
    assert cinema.memory.check() == []


def test_a_pool_that_is_forgotten_while_a_part_is_taken_in_stays_empty(cinema: Cinema) -> None:
    def erasing(asked: Judging) -> tuple[Linked, ...]:
        cinema.pool.forget()
        return silently(asked)

    cinema.watched("ann", "Crime", "Crime", "Crime")
    cinema.watched("bo", "Crime", "Crime", "Crime")
    cinema.use(Stages(judging=erasing), k=1)

    cinema.pool.refresh()

    assert not any(cinema.store.counts(cinema.pool.scope).values())
    assert cinema.pool.process().failed == ()


def test_a_recommender_is_forgotten_with_its_pool(cinema: Cinema) -> None:
    alike(cinema, "ann", "bo")
    epoch = cinema.store.epoch(cinema.pool.scope)

    receipt = cinema.films.forget()

    assert [part.scope for part in receipt.parts] == [cinema.pool.scope]
    assert receipt.parts[0].messages == 2
    assert not any(cinema.store.counts(cinema.pool.scope).values())
    assert cinema.store.configuration(cinema.pool.scope) == {}
    assert cinema.store.epoch(cinema.pool.scope) > epoch


def test_a_recommender_without_a_pool_is_forgotten_alone(cinema: Cinema) -> None:
    cinema.watched("ann", "Crime", "Crime", "Crime")

    assert cinema.memory.user("ann").forget().parts[0].scope == cinema.films.scope
    assert cinema.films.forget().parts == ()


def test_a_recommender_that_is_forgotten_while_windows_are_told_leaves_nothing(
    cinema: Cinema,
) -> None:
    def erasing(window: Window) -> Abstraction:
        cinema.films.forget()
        return told(window)

    cinema.watched("ann", "Crime", "Crime", "Crime")
    cinema.use(Stages(abstracting=erasing))

    with pytest.raises(StaleEpoch):
        cinema.pool.refresh()
    assert not any(cinema.store.counts(cinema.pool.scope).values())


def test_a_pool_is_put_in_from_its_archive(open_cinema: Callable[..., Cinema]) -> None:
    cinema = open_cinema()
    alike(cinema, "ann", "bo")
    cinema.watched("cy", "Comedy", "Comedy", "Comedy")
    cinema.pool.configure(k=4)
    cinema.pool.refresh()
    lines = list(cinema.pool.export())
    supported = cinema.supported()
    cinema.pool.forget()
    assert cinema.supported() == {}

    restored = cinema.memory.restore(lines)

    assert (restored.scope, restored.messages) == (cinema.pool.scope, 3)
    assert cinema.supported() == supported
    assert cinema.pool.configuration.k == 4
    assert cinema.pool.refresh().new == 0
    elsewhere = cinema.memory.restore(lines, pool="other")
    assert elsewhere.scope.id == "other"
    assert cinema.memory.check() == []


def test_a_part_that_waited_when_it_was_taken_out_waits_again(cinema: Cinema) -> None:
    alike(cinema, "ann", "bo")
    cinema.pool.delete(cinema.parts()[0].id)
    lines = list(cinema.pool.export())
    cinema.pool.forget()
    cinema.memory.restore(lines)

    assert cinema.pool.pending == 1
    cinema.pool.process()
    assert [len(users) for users in cinema.supported().values()] == [1]


def test_a_pool_is_no_handle(cinema: Cinema) -> None:
    alike(cinema, "ann", "bo")

    assert cinema.memory.handles() == []
    assert [each.scope for each in cinema.memory.recommenders()] == [cinema.films.scope]
    assert repr(cinema.pool) == "<pool 'films'>"
