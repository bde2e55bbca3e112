"""What goes with what in a pool, and comes back: withdrawals, rollbacks, quarantines."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lamina
from lamina.errors import BadInput
from lamina.model import Message, Note
from lamina.testing import FakeClock, WordEncoder
from tests.memory.pooling.cinema import KINDS, Cinema, Stages, exported, reworded

CRIME = "Crime Crime Crime one after another"
AGAIN = f"{CRIME} again"


def by(cinema: Cinema, place: int) -> str:
    """Return whose part was taken in at a place, from 0."""
    return cinema.parts()[place].speaker


def alike(cinema: Cinema, *users: str) -> None:
    """Let users watch the same, and take it in; the order is that of `parts`."""
    for user in users:
        cinema.watched(user, "Crime", "Crime", "Crime")
    cinema.pool.refresh()


def test_who_said_nothing_new_goes_alone(cinema: Cinema) -> None:
    alike(cinema, "ann", "bo", "cy")
    first, second, third = cinema.parts()

    cinema.pool.delete(second.id)

    assert cinema.pool.pending == 0
    assert cinema.supported() == {CRIME: [first.speaker, third.speaker]}
    assert cinema.memory.check() == []


def test_what_goes_at_once_goes_in_the_order_of_the_parts(
    open_cinema: Callable[..., Cinema],
) -> None:
    cinema = open_cinema(Stages(judging=lambda _: ()))
    for place in range(12):
        cinema.watched(f"u{place}", "Crime", KINDS[place % len(KINDS)], "Crime")
    cinema.pool.refresh()
    [added] = cinema.pool.operations(kinds=["add"])
    founded = {note.sources[0]: note.id for note in cinema.patterns()}
    parts = [part.id for part in cinema.parts()]
    assert len(founded) == len(parts) == 12

    undone = cinema.pool.rollback(added.id)

    marks = cinema.store.gone_by(cinema.pool.scope, undone.operation.id)
    gone = [mark.id for mark in marks if mark.what == "revision"]
    assert gone == [founded[part] for part in parts]


def test_with_who_founded_it_a_pattern_goes_and_the_others_form_it_anew(cinema: Cinema) -> None:
    alike(cinema, "ann", "bo", "cy")
    [old] = cinema.patterns()
    first, second, third = cinema.parts()

    cinema.pool.delete(first.id)

    assert cinema.supported() == {}
    assert cinema.pool.pending == 2
    assert cinema.pool.process().failed == ()
    assert cinema.supported() == {CRIME: [second.speaker, third.speaker]}
    [new] = cinema.patterns()
    assert new.id != old.id
    assert cinema.memory.check() == []


def test_with_who_changed_the_words_goes_what_may_repeat_them(
    open_cinema: Callable[..., Cinema],
) -> None:
    cinema = open_cinema(Stages(judging=reworded))
    alike(cinema, "ann", "bo")
    cinema.use(Stages(), k=1)  # from here on nothing new is said
    alike(cinema, "cy", "di")
    before = cinema.supported()
    assert [len(users) for users in before.values()] == [4]
    assert AGAIN in before
    second = cinema.parts()[1]

    gone = cinema.pool.delete(second.id)

    assert cinema.supported() == {CRIME: [by(cinema, 0)]}
    assert cinema.pool.pending == 2
    cinema.pool.process()
    assert cinema.supported() == {CRIME: [part.speaker for part in cinema.parts()]}
    cinema.pool.rollback(gone.id)
    assert cinema.supported() == before
    assert cinema.pool.pending == 0
    assert cinema.memory.check() == []


def test_a_withdrawal_that_is_rolled_back_before_anything_is_formed_anew(cinema: Cinema) -> None:
    alike(cinema, "ann", "bo", "cy")
    before = cinema.supported()
    gone = cinema.pool.delete(cinema.parts()[0].id)
    assert cinema.pool.pending == 2

    cinema.pool.rollback(gone.id)

    assert (cinema.supported(), cinema.pool.pending) == (before, 0)
    assert cinema.pool.process().failed == ()
    assert cinema.supported() == before


def test_a_part_whose_taking_in_is_undone_stays_out_until_that_is_undone(cinema: Cinema) -> None:
    alike(cinema, "ann", "bo", "cy")
    before = cinema.supported()
    first, second, _ = reversed(cinema.pool.operations(kinds=["write"]))

    undone = cinema.pool.rollback(second.id)
    assert cinema.pool.refresh().taken_in == 0
    assert cinema.supported() == {CRIME: [by(cinema, 0), by(cinema, 2)]}
    cinema.pool.rollback(undone.operation.id)
    assert cinema.supported() == before

    undone = cinema.pool.rollback(first.id)
    assert cinema.pool.refresh().taken_in == 2
    assert cinema.supported() == {CRIME: [by(cinema, 1), by(cinema, 2)]}
    cinema.pool.rollback(undone.operation.id)
    assert (cinema.supported(), cinema.pool.pending) == (before, 0)


def test_a_plan_tells_what_is_to_be_formed_anew(cinema: Cinema) -> None:
    alike(cinema, "ann", "bo")
    first = cinema.pool.operations(kinds=["write"])[-1]

    plan = cinema.pool.rollback(first.id).plan

    assert [(change.kind, change.why) for change in plan.changes] == [
        ("message", "to be formed anew"), ("pattern", "made by it"),
    ]  # fmt: skip
    assert [step.kind for step in plan.steps] == ["write"]


def test_an_addition_of_parts_is_rolled_back_and_stays_so(cinema: Cinema) -> None:
    alike(cinema, "ann", "bo")
    before = cinema.supported()
    alike(cinema, "cy")
    added = cinema.pool.operations(kinds=["add"])[0]

    undone = cinema.pool.rollback(added.id)

    assert cinema.supported() == before
    assert cinema.pool.refresh().new == 0
    assert cinema.supported() == before
    cinema.pool.rollback(undone.operation.id)
    assert [len(users) for users in cinema.supported().values()] == [3]


def test_the_parts_of_a_pattern_that_is_withdrawn_stay_out(cinema: Cinema) -> None:
    alike(cinema, "ann", "bo")
    before = cinema.supported()
    [pattern] = cinema.patterns()

    for hide in (cinema.pool.delete, cinema.pool.quarantine):
        gone = hide(pattern.id)
        assert cinema.pool.refresh().taken_in == 0
        assert cinema.supported() == {}
        cinema.pool.rollback(gone.id)
        assert cinema.supported() == before


def test_a_part_that_is_quarantined_never_was_and_is_released(cinema: Cinema) -> None:
    alike(cinema, "ann", "bo")
    before = cinema.supported()
    first, second = cinema.parts()
    cinema.pool.quarantine(first.id, "a flood")
    cinema.pool.process()
    assert cinema.supported() == {CRIME: [second.speaker]}
    assert {user for users in cinema.supported().values() for user in users} == {second.speaker}

    cinema.pool.release(first.id)

    assert (cinema.supported(), cinema.pool.pending) == (before, 0)


def test_what_was_taken_in_since_joins_what_comes_back(cinema: Cinema) -> None:
    alike(cinema, "ann", "bo")
    first = cinema.parts()[0]
    gone = cinema.pool.delete(first.id)
    cinema.pool.process()
    alike(cinema, "cy")
    assert [len(users) for users in cinema.supported().values()] == [2]

    cinema.pool.rollback(gone.id)
    cinema.pool.process()

    assert [sorted(users) for users in cinema.supported().values()] == [["ann", "bo", "cy"]]
    assert cinema.memory.check() == []


def test_nothing_comes_back_on_what_is_still_away(cinema: Cinema) -> None:
    alike(cinema, "ann")
    alike(cinema, "bo", "cy")
    [ann] = cinema.parts("ann")
    [added] = [each for each in cinema.pool.operations(kinds=["add"]) if each.id == ann.operation]
    gone = cinema.pool.delete(ann.id)
    cinema.pool.process()
    cinema.pool.rollback(added.id)

    cinema.pool.rollback(gone.id)
    cinema.pool.process()

    rests_on_what_is_there(cinema)
    assert [sorted(users) for users in cinema.supported().values()] == [["bo", "cy"]]
    assert cinema.memory.check() == []


def test_what_refresh_withdraws_can_be_rolled_back(cinema: Cinema) -> None:
    alike(cinema, "ann", "bo", "cy")
    before = cinema.supported()
    founder = by(cinema, 0)
    interaction = cinema.films.interactions(founder)[0]
    undone = cinema.films.delete(interaction.id)
    cinema.pool.refresh()
    assert founder not in {user for users in cinema.supported().values() for user in users}
    [withdrawn] = cinema.pool.operations(kinds=["withdraw"])

    cinema.pool.rollback(withdrawn.id)
    cinema.films.rollback(undone.id)

    assert cinema.supported() == before
    assert cinema.pool.refresh().new == 0


def test_what_was_withdrawn_is_not_told_at_any_moment(cinema: Cinema) -> None:
    alike(cinema, "ann")
    [pattern] = cinema.patterns()
    interaction = cinema.films.interactions("ann")[0]
    cinema.films.delete(interaction.id)
    cinema.pool.refresh()

    late = pattern.known_at.replace(year=2030)
    assert cinema.patterns(at=late) == []


def test_what_cannot_be_undone_says_so(cinema: Cinema) -> None:
    alike(cinema, "ann")
    cinema.memory.user("ann").forget()
    [erased] = cinema.pool.operations(kinds=["erasure"])

    with pytest.raises(BadInput, match="erasure"):
        cinema.pool.rollback(erased.id)


def silent_or_not(asked: Any) -> Any:
    """Let every other part say something new, by what it says itself."""
    linked = reworded(asked)
    if len(asked.new.keywords) % 2:
        return tuple(type(each)(id=each.id, reason=each.reason, merged=None) for each in linked)
    return linked


def things(cinema: Cinema) -> list[Message | Note]:
    """Return all that can be withdrawn, in an order that does not depend on the store."""
    return [*cinema.parts(), *cinema.patterns()]


@pytest.mark.parametrize("path", ["in_memory"])
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    watched=st.lists(
        st.tuples(
            st.sampled_from("abcd"), st.lists(st.sampled_from(KINDS[:3]), min_size=3, max_size=5)
        ),
        min_size=2,
        max_size=6,
    ),
    before=st.lists(st.integers(0, 99), max_size=3),
    chosen=st.integers(0, 99),
    how=st.sampled_from(["delete", "quarantine", "rollback", "tidy", "again"]),
    formed=st.booleans(),
)
def test_whatever_is_undone_comes_back_as_it_was(
    path: str, watched: Any, before: list[int], chosen: int, how: str, *, formed: bool
) -> None:
    del path
    with lamina.open(":memory:", encoder=WordEncoder(), clock=FakeClock()) as memory:
        cinema = Cinema(memory, Stages(judging=silent_or_not), k=3, tau_low=0.3, tau_high=0.8)
        for minute, (user, kinds) in enumerate(watched):
            cinema.watched(user, *kinds, minute=20 * minute)
        cinema.pool.refresh()
        for each in before:
            found = things(cinema)
            if found:
                cinema.pool.delete(found[each % len(found)].id)
                cinema.pool.process()
        was = cinema._support()

        made = change(cinema, how, chosen)
        rests_on_what_is_there(cinema)
        if formed:
            cinema.pool.process()
            rests_on_what_is_there(cinema)
        for operation in reversed(made):
            cinema.pool.rollback(operation)

        assert cinema.pool.pending == 0
        assert cinema._support() == was
        rests_on_what_is_there(cinema)


def change(cinema: Cinema, how: str, chosen: int) -> list[str]:
    """Put something out of force, if there is anything; return the operations that did."""
    if how == "tidy":
        return list(cinema.pool.tidy().operations)
    if how == "again":
        cinema.pool.refresh(again=True)
        return [each.id for each in cinema.pool.operations(kinds=["revisit"])]
    found: list[Any] = things(cinema)
    if how == "rollback":
        found = [o for o in cinema.pool.operations(kinds=["add", "write"]) if not o.undone_by]
        return [cinema.pool.rollback(found[chosen % len(found)].id).operation.id] if found else []
    hide = cinema.pool.delete if how == "delete" else cinema.pool.quarantine
    return [hide(found[chosen % len(found)].id).id] if found else []


def rests_on_what_is_there(cinema: Cinema) -> None:
    """Assert that patterns rest on live parts, each taken in once, the first of them too."""
    live = {part.id for part in cinema.parts()}
    for pattern in cinema.patterns():
        counting = [r for r in cinema.pool.history(pattern.id) if not r.withdrawn]
        parts = [part for each in counting for part in each.sources]
        assert counting[0].number == 1
        assert set(parts) <= live
        assert len(parts) == len(set(parts))


def test_the_same_changes_come_to_the_same_in_every_store(
    open_cinema: Callable[..., Cinema],
) -> None:
    archives = []
    for _ in range(2):
        cinema = open_cinema(Stages(judging=silent_or_not), k=3, tau_low=0.3, tau_high=0.8)
        cinema.watched("ann", "Crime", "Crime", "Horror", "Crime")
        cinema.watched("bo", "Crime", "Horror", "Crime")
        cinema.watched("cy", "Comedy", "Crime", "Crime", "Comedy")
        cinema.pool.refresh()
        interaction = cinema.films.interactions("cy")[1]
        cinema.films.delete(interaction.id)
        cinema.pool.refresh()
        archives.append(exported(cinema.pool))

    assert archives[0] == archives[1]
