"""What `tidy` withdraws and merges, and a second pass; through both stores."""

from collections.abc import Callable

import pytest

from lamina.memory.pooling import tidying
from lamina.ports import Failure
from tests.memory.pooling.cinema import Cinema, Stages

CRIME = "Crime Crime Crime one after another"
COMEDY = CRIME.replace("Crime", "Comedy")


def fill(cinema: Cinema) -> None:
    """Let two users watch the same, and one something else."""
    for user in ("ann", "bo"):
        cinema.watched(user, "Crime", "Crime", "Crime")
    cinema.watched("cy", "Comedy", "Comedy", "Comedy")
    cinema.pool.refresh()


def twins(cinema: Cinema) -> None:
    """Let three users say the same, and store each, since nothing is held to agree."""
    cinema.use(Stages(judging=lambda _: ()), k=1)
    for user in ("ann", "bo", "cy"):
        cinema.watched(user, "Crime", "Crime", "Crime")
    cinema.pool.refresh()
    cinema.use(Stages(), k=1)


def test_what_never_evolved_goes_once_nothing_waits(cinema: Cinema) -> None:
    fill(cinema)
    before = cinema.supported()

    tidied = cinema.pool.tidy()

    assert list(tidied.withdrawn.values()) == ["never evolved"]
    assert list(cinema.supported()) == [CRIME]
    again = cinema.pool.refresh()
    assert (again.new, again.taken_in) == (0, 0)
    assert list(cinema.supported()) == [CRIME]
    [operation] = tidied.operations
    cinema.pool.rollback(operation)
    assert cinema.supported() == before


def test_while_parts_wait_nothing_goes_for_want_of_company(cinema: Cinema) -> None:
    fill(cinema)
    cinema.use(Stages(judging=lambda _: Failure(reason="timeout", detail="")), k=1)
    cinema.watched("di", "Comedy", "Comedy", "Comedy")
    assert cinema.pool.refresh().waiting == 1

    assert cinema.pool.tidy(dry_run=True).withdrawn == {}


def test_a_dry_run_changes_nothing(cinema: Cinema) -> None:
    fill(cinema)
    before = cinema.supported()

    would = cinema.pool.tidy(dry_run=True)

    assert (would.dry_run, would.operations) == (True, ())
    assert cinema.supported() == before
    done = cinema.pool.tidy()
    assert (done.merged, done.withdrawn) == (would.merged, would.withdrawn)


def test_what_nobody_supported_for_long_goes(open_cinema: Callable[..., Cinema]) -> None:
    cinema = open_cinema()
    fill(cinema)
    for user in ("di", "ed"):
        cinema.watched(user, "Comedy", "Comedy", "Comedy", minute=60 * 24 * 8)
    cinema.pool.refresh()
    cinema.pool.configure(keep_days=5)  # it is nine days after the first were watched

    tidied = cinema.pool.tidy()

    assert list(tidied.withdrawn.values()) == ["too old"]
    assert {text: len(users) for text, users in cinema.supported().items()} == {COMEDY: 3}


def test_over_the_cap_the_least_evolved_go(cinema: Cinema) -> None:
    fill(cinema)
    for user in ("di", "ed"):
        cinema.watched(user, "Comedy", "Comedy", "Comedy")
    cinema.pool.refresh()
    cinema.pool.configure(cap=1)

    assert list(cinema.pool.tidy().withdrawn.values()) == ["over the cap"]
    assert {text: len(users) for text, users in cinema.supported().items()} == {COMEDY: 3}


def test_what_says_the_same_becomes_one_with_all_its_parts(cinema: Cinema) -> None:
    twins(cinema)
    assert [len(cinema.pool.history(p.id)) for p in cinema.patterns()] == [1, 1, 1]

    tidied = cinema.pool.tidy()

    assert len(tidied.merged) == 2
    assert len(set(tidied.merged.values())) == 1
    [pattern] = cinema.patterns()
    assert sorted(cinema.supported()[CRIME]) == ["ann", "bo", "cy"]
    assert [each.number for each in cinema.pool.history(pattern.id)] == [1, 2, 3]
    assert cinema.store.counts(cinema.pool.scope)["documents"] == 1
    assert cinema.memory.check() == []
    for operation in reversed(tidied.operations):
        cinema.pool.rollback(operation)
    assert cinema.supported() == {CRIME: [part.speaker for part in cinema.parts()]}
    assert len(cinema.patterns()) == 3
    assert cinema.memory.check() == []


def test_a_part_that_came_by_a_merger_goes_alone(cinema: Cinema) -> None:
    twins(cinema)
    cinema.pool.tidy()
    [pattern] = cinema.patterns()
    last = cinema.pool.history(pattern.id)[-1].sources[0]

    cinema.pool.delete(last)

    assert cinema.pool.pending == 0
    assert len(cinema.supported()[CRIME]) == 2
    [part] = [part for part in cinema.parts() if part.id in cinema.patterns()[0].sources]
    cinema.pool.delete(cinema.pool.history(pattern.id)[0].sources[0])
    cinema.pool.process()
    assert cinema.supported() == {CRIME: [part.speaker]}


def test_after_a_merger_parts_are_taken_in_as_before(cinema: Cinema) -> None:
    twins(cinema)
    merged = cinema.pool.tidy().operations[-1]
    cinema.pool.rollback(merged)
    cinema.pool.tidy()
    for user in ("di", "ed"):
        cinema.watched(user, "Crime", "Crime", "Crime")

    done = cinema.pool.refresh()

    assert (done.taken_in, done.troubles) == (2, ())
    assert {text: sorted(by) for text, by in cinema.supported().items()} == {
        CRIME: ["ann", "bo", "cy", "di", "ed"]
    }
    assert cinema.memory.check() == []


def test_what_does_not_mean_the_same_is_not_merged(cinema: Cinema) -> None:
    twins(cinema)
    cinema.use(Stages(judging=lambda _: ()), k=1)

    assert cinema.pool.tidy(dry_run=True).merged == {}


def test_a_second_pass_lets_what_came_early_meet_what_came_late(cinema: Cinema) -> None:
    twins(cinema)
    assert len(cinema.patterns()) == 3

    done = cinema.pool.refresh(again=True)

    assert (done.revisited, done.taken_in) == (3, 3)
    assert {text: sorted(by) for text, by in cinema.supported().items()} == {
        CRIME: ["ann", "bo", "cy"]
    }
    [operation] = cinema.pool.operations(kinds=["revisit"])
    cinema.pool.rollback(operation.id)
    assert len(cinema.patterns()) == 3
    assert cinema.pool.pending == 0


def test_a_second_pass_leaves_what_several_share(cinema: Cinema) -> None:
    fill(cinema)
    before = cinema.supported()
    [shared] = [pattern for pattern in cinema.patterns() if pattern.keywords == ("Crime",)]

    assert cinema.pool.refresh(again=True).revisited == 1
    assert cinema.supported() == before
    assert shared.id in {pattern.id for pattern in cinema.patterns()}


def test_a_second_pass_of_nothing_does_nothing(cinema: Cinema) -> None:
    done = cinema.pool.refresh(again=True)

    assert (done.revisited, done.windows) == (0, 0)
    assert cinema.pool.operations() == []


def test_patterns_are_merged_some_at_once_and_come_back_with_them(
    cinema: Cinema, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = ("Crime", "Comedy")
    cinema.use(Stages(judging=lambda _: ()), k=1)
    for kind in kinds:
        for i in range(4):
            cinema.watched(f"{kind}{i}", kind, kind, kind)
    cinema.pool.refresh()
    cinema.use(Stages(), k=1)
    before = cinema.patterns()
    monkeypatch.setattr(tidying, "AT_ONCE", 4)  # of six; a pattern takes some in by each operation
    told: list[tuple[int, int]] = []

    tidied = cinema.pool.tidy(progress=lambda done, whole: told.append((done, whole)))

    assert told == [*((i, 6) for i in range(1, 7)), (10, 12), (12, 12)]
    assert (len(tidied.merged), len(tidied.operations)) == (6, 2)
    assert {text: len(set(users)) for text, users in cinema.supported().items()} == {
        CRIME: 4,
        COMEDY: 4,
    }
    assert {id_ for id_ in tidied.merged.values()} == {each.id for each in cinema.patterns()}
    assert all(
        [each.number for each in cinema.pool.history(pattern.id)] == [1, 2, 3, 4]
        for pattern in cinema.patterns()
    )
    assert cinema.memory.check() == []
    for operation in reversed(tidied.operations):
        cinema.pool.rollback(operation)
    assert cinema.patterns() == before
    assert cinema.memory.check() == []
