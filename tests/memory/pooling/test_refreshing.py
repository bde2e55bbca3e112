"""Letting a pool hold what users did by now, through both stores."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from lamina.errors import BadInput, EncoderMismatch, StaleEpoch
from lamina.memory.pooling import cutting, refreshing
from lamina.ports import Failure
from lamina.strategies.amem4rec.stages import Abstraction, Window
from lamina.testing import ScriptedLLM
from lamina.testing.clock import NOON
from lamina.work import pooling
from tests.memory.pooling.cinema import Cinema, Stages, exported, reworded, said, told

CRIME = "Crime Crime Crime one after another"
SLOW = Failure(reason="timeout", detail="no answer in time")


def fill(cinema: Cinema) -> None:
    """Let five users watch what is alike and what is not."""
    cinema.watched("ann", "Crime", "Crime", "Crime", "Horror")
    cinema.watched("bo", "Crime", "Crime", "Crime")
    cinema.watched("cy", "Comedy", "Western", "Comedy", "Western")
    cinema.watched("di", "Comedy", "Western", "Comedy")
    cinema.watched("ed", "Drama", "Drama", "Horror")


def test_what_users_did_alike_is_one_pattern(cinema: Cinema) -> None:
    cinema.watched("ann", "Crime", "Crime", "Crime")
    cinema.watched("bo", "Crime", "Crime", "Crime")
    cinema.watched("cy", "Comedy", "Comedy", "Comedy")

    done = cinema.pool.refresh()

    assert (done.windows, done.new, done.taken_in, done.waiting) == (3, 3, 3, 0)
    found = {text: sorted(users) for text, users in cinema.supported().items()}
    assert found == {CRIME: ["ann", "bo"], CRIME.replace("Crime", "Comedy"): ["cy"]}
    assert cinema.memory.check() == []


def test_a_part_tells_all_that_it_was_made_of(cinema: Cinema) -> None:
    ids = cinema.watched("ann", "Crime", "Horror", "Crime")
    cinema.pool.refresh()

    [part] = cinema.parts()
    assert (part.session, part.speaker, part.author) == ("user:ann", "ann", "user:ann")
    assert (part.item, part.action, part.progress) == ("films", "window", "bound")
    assert part.said_at == NOON + timedelta(minutes=2)
    assert part.text == told(cinema.stages.windows[0]).shown
    assert part.metadata["interactions"] == ids
    assert part.metadata["began_at"] == NOON.isoformat()
    assert {"ann", "Crime0", "Film Crime number 0"} <= set(part.metadata["names"])


def test_nothing_is_done_twice(cinema: Cinema) -> None:
    fill(cinema)
    cinema.pool.refresh()
    before = exported(cinema.pool)
    asked = len(cinema.stages.windows)

    again = cinema.pool.refresh()

    assert (again.new, again.withdrawn, again.taken_in) == (0, 0, 0)
    assert exported(cinema.pool) == before
    assert len(cinema.stages.windows) == asked


def test_a_dry_run_tells_what_would_be_and_writes_nothing(cinema: Cinema) -> None:
    fill(cinema)

    would = cinema.pool.refresh(dry_run=True)

    assert (would.windows, would.new, would.taken_in, would.dry_run) == (7, 7, 0, True)
    assert cinema.stages.windows == []
    assert cinema.store.configuration(cinema.pool.scope) == {}
    assert cinema.store.epoch(cinema.pool.scope) == 0
    assert cinema.parts() == []
    assert cinema.pool.refresh().new == would.new


def test_only_what_is_new_is_told(cinema: Cinema) -> None:
    fill(cinema)
    cinema.pool.refresh()
    cinema.stages.windows.clear()
    cinema.watched("bo", "Horror", minute=9)

    done = cinema.pool.refresh()

    assert (done.windows, done.new, done.withdrawn) == (8, 1, 0)
    assert [window.user for window in cinema.stages.windows] == ["bo"]


def test_an_undone_interaction_takes_its_windows_with_it(cinema: Cinema) -> None:
    fill(cinema)
    added = cinema.films.add_interactions(
        [{"user": "bo", "item": "Horror0", "timestamp": NOON + timedelta(minutes=9)}]
    )
    cinema.pool.refresh()
    assert len(cinema.parts("bo")) == 2
    assert added.operation
    cinema.films.rollback(added.operation)

    done = cinema.pool.refresh()

    assert (done.new, done.withdrawn) == (0, 1)
    assert len(cinema.parts("bo")) == 1
    assert cinema.memory.check() == []


def test_what_comes_in_late_cuts_anew(cinema: Cinema) -> None:
    cinema.watched("bo", "Crime", "Crime", "Comedy")
    cinema.pool.refresh()
    cinema.watched("bo", "Horror", minute=1.5)

    done = cinema.pool.refresh()

    assert (done.new, done.withdrawn) == (2, 1)
    assert [part.text.split("\n")[0].split()[:2] for part in cinema.parts()] == [
        ["Crime", "Horror"], ["Crime", "Horror"],
    ]  # fmt: skip


def test_a_window_that_is_there_again_comes_back(cinema: Cinema) -> None:
    cinema.watched("ann", "Crime", "Crime", "Crime")
    [last] = cinema.watched("ann", "Horror", minute=9)
    cinema.pool.refresh()
    gone = cinema.films.delete(last)
    assert cinema.pool.refresh().withdrawn == 1
    cinema.films.rollback(gone.id)

    done = cinema.pool.refresh()

    assert (done.new, done.waiting) == (1, 0)
    assert len(cinema.parts("ann")) == 2
    assert cinema.pool.refresh().new == 0


def test_what_an_operator_took_out_stays_out(cinema: Cinema) -> None:
    cinema.watched("ann", "Crime", "Crime", "Crime")
    cinema.watched("bo", "Crime", "Crime", "Crime")
    cinema.pool.refresh()
    [part] = cinema.parts("ann")
    gone = cinema.pool.delete(part.id)

    done = cinema.pool.refresh()

    assert (done.new, done.removed, done.silent, done.left) == (0, 1, 0, 0)
    assert cinema.pool.refresh(dry_run=True).removed == 1
    assert cinema.supported() == {CRIME: ["bo"]}
    cinema.pool.rollback(gone.id)
    assert cinema.pool.refresh().removed == 0
    assert sorted(cinema.supported()[CRIME]) == ["ann", "bo"]


def test_windows_that_tell_nothing_are_counted_apart(cinema: Cinema) -> None:
    cinema.use(Stages(abstracting=lambda each: None if each.user == "ann" else told(each)), k=1)
    fill(cinema)

    done = cinema.pool.refresh()

    assert (done.windows, done.new, done.silent, done.removed) == (7, 5, 2, 0)
    assert (cinema.pool.refresh().new, cinema.pool.refresh().silent) == (0, 2)


def test_users_of_whom_little_is_known_and_items_of_which_nothing_is_have_no_part(
    cinema: Cinema,
) -> None:
    cinema.watched("ann", "Crime", "Crime")
    cinema.films.add_interactions(
        {"user": "bo", "item": f"unknown{i}", "timestamp": NOON + timedelta(minutes=i)}
        for i in range(3)
    )

    assert cinema.pool.refresh().windows == 0
    assert cinema.parts() == []


@pytest.mark.parametrize("judging", [None, reworded])
def test_the_size_of_batches_changes_nothing(
    open_cinema: Callable[..., Cinema], monkeypatch: pytest.MonkeyPatch, judging: Any
) -> None:
    whole = open_cinema(Stages(**({"judging": judging} if judging else {})))
    fill(whole)
    whole.pool.refresh()
    monkeypatch.setattr(pooling, "AT_ONCE", 1)
    single = open_cinema(whole.stages)
    fill(single)
    single.pool.refresh()

    assert exported(single.pool) == exported(whole.pool)
    assert len(whole.patterns()) > 2


def test_the_number_of_workers_changes_nothing(open_cinema: Callable[..., Cinema]) -> None:
    pools = []
    for workers in (1, 2, 5):
        cinema = open_cinema(Stages(judging=reworded))
        cinema.use(llm=ScriptedLLM(), k=1, at_once=2)
        fill(cinema)
        assert cinema.pool.refresh(workers=workers).new == 7
        pools.append(exported(cinema.pool))

    assert pools[0] == pools[1] == pools[2]


def test_another_seed_is_another_order(open_cinema: Callable[..., Cinema]) -> None:
    orders = set()
    for seed in range(4):
        cinema = open_cinema(seed=seed)
        fill(cinema)
        cinema.pool.refresh()
        orders.add(tuple(dict.fromkeys(part.speaker for part in cinema.parts())))

    assert len(orders) > 1


def test_what_has_no_reply_is_left_to_the_next_refresh(cinema: Cinema) -> None:
    def limited(window: Window) -> Abstraction | Failure | None:
        return SLOW if window.user in ("bo", "cy") else told(window)

    fill(cinema)
    cinema.use(Stages(abstracting=limited), llm=ScriptedLLM(), k=1, at_once=2)

    first = cinema.pool.refresh(workers=2)

    assert (first.new, first.failed, first.troubles) == (4, 3, ("timeout: no answer in time",))
    assert {part.speaker for part in cinema.parts()} == {"ann", "di", "ed"}
    cinema.use(Stages(), llm=ScriptedLLM(), k=1)
    second = cinema.pool.refresh()
    assert (second.new, second.failed) == (3, 0)
    assert {window.user for window in cinema.stages.windows} == {"bo", "cy"}


def test_what_a_model_failed_to_say_is_asked_for_again(cinema: Cinema) -> None:
    cinema.watched("ann", "Crime", "Crime", "Crime")
    cinema.use(Stages(abstracting=lambda _: said("Crime", raw=True)), llm=ScriptedLLM(), k=1)
    assert cinema.pool.refresh().new == 1
    assert cinema.pool.refresh(dry_run=True).redone == 1
    assert cinema.pool.refresh().redone == 0  # it failed again
    cinema.use(Stages(abstracting=lambda _: said("Noir")), llm=ScriptedLLM(), k=1)

    done = cinema.pool.refresh()

    assert (done.new, done.redone, done.withdrawn) == (0, 1, 0)
    [part] = cinema.parts()
    assert part.metadata["raw"] is False
    assert list(cinema.supported().values()) == [["ann"]]
    assert cinema.patterns()[0].keywords == ("Noir",)
    assert cinema.pool.refresh().redone == 0


def test_replies_that_cannot_be_used_are_told_and_asked_for_once_a_refresh(cinema: Cinema) -> None:
    garbled = {"ann"}

    def tell(window: Window) -> Abstraction:
        return said("Crime", raw=window.user in garbled)

    cinema.use(Stages(abstracting=tell), llm=ScriptedLLM(), k=1)
    cinema.watched("ann", "Crime", "Crime", "Crime", "Crime")
    cinema.watched("bo", "Crime", "Crime", "Crime")

    done = cinema.pool.refresh()

    assert (done.new, done.raw, done.failed) == (3, 2, 0)
    [trouble] = done.troubles
    assert "could not be used: 2 window(s)" in trouble
    assert cinema.pool.measure().raw == 2
    cinema.stages.windows.clear()
    assert (cinema.pool.refresh().raw, len(cinema.stages.windows)) == (2, 2)
    garbled.clear()
    done = cinema.pool.refresh()
    assert (done.raw, done.redone, done.troubles) == (0, 2, ())
    assert cinema.pool.measure().raw == 0


def test_without_a_model_what_is_raw_stays(cinema: Cinema) -> None:
    cinema.watched("ann", "Crime", "Crime", "Crime")
    cinema.use(Stages(abstracting=lambda _: said("Crime", raw=True)))
    cinema.pool.refresh()

    assert cinema.pool.refresh(dry_run=True).redone == cinema.pool.refresh().redone == 0


def test_a_pool_that_is_erased_meanwhile_stays_empty(cinema: Cinema) -> None:
    def erasing(window: Window) -> Abstraction:
        cinema.pool.forget()
        return told(window)

    fill(cinema)
    cinema.use(Stages(abstracting=erasing))

    with pytest.raises(StaleEpoch):
        cinema.pool.refresh()
    assert cinema.store.counts(cinema.pool.scope)["messages"] == 0


@pytest.mark.parametrize("known", [True, False], ids=["with a part", "without one yet"])
def test_who_is_forgotten_meanwhile_is_not_brought_back(cinema: Cinema, *, known: bool) -> None:
    fill(cinema)
    if known:
        cinema.pool.refresh()
        cinema.watched("bo", "Horror", minute=9)
    cinema.watched("flo", "Drama", "Drama", "Drama")

    def erasing(window: Window) -> Abstraction:
        cinema.memory.user("bo").forget()
        return told(window)

    cinema.use(Stages(abstracting=erasing))
    with pytest.raises(StaleEpoch):
        cinema.pool.refresh()
    assert cinema.parts("bo") == []
    cinema.use(Stages())
    cinema.pool.refresh()
    assert cinema.parts("bo") == []
    assert len(cinema.parts("flo")) == 1
    assert "user:bo" not in "".join(cinema.pool.export())


def test_no_model_is_asked_after_an_erasure(cinema: Cinema) -> None:
    def erasing(window: Window) -> Abstraction:
        cinema.memory.user("bo").forget()
        return told(window)

    fill(cinema)
    cinema.use(Stages(abstracting=erasing), llm=ScriptedLLM(), k=1, at_once=1)

    with pytest.raises(StaleEpoch):
        cinema.pool.refresh()
    assert len(cinema.stages.windows) == 1


def test_what_was_kept_before_something_broke_is_not_told_again(
    cinema: Cinema, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaking(window: Window) -> Abstraction:
        if len(broken.windows) > 4:
            raise OSError("gone")
        return told(window)

    fill(cinema)
    broken = Stages(abstracting=breaking)
    cinema.use(broken, llm=ScriptedLLM(), k=1, at_once=2)
    with pytest.raises(OSError, match="gone"):
        cinema.pool.refresh()
    kept = {tuple(part.metadata["interactions"]) for part in cinema.parts()}
    assert len(kept) == 4

    cinema.use(Stages(), llm=ScriptedLLM(), k=1)
    assert cinema.pool.refresh().new == 3
    assert not kept & {window.interactions for window in cinema.stages.windows}


def test_progress_is_told(cinema: Cinema, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refreshing, "AT_ONCE", 3)
    fill(cinema)
    seen: list[tuple[int, int]] = []

    cinema.pool.refresh(progress=lambda done, all_: seen.append((done, all_)))

    assert seen == [(3, 7), (6, 7), (7, 7)]


@pytest.mark.parametrize("workers", [0, -1, 1.5, "2", True])
def test_workers_are_a_number(cinema: Cinema, workers: Any) -> None:
    with pytest.raises(BadInput, match="workers"):
        cinema.pool.refresh(workers=workers)


def test_thresholds_for_another_encoder_are_not_used(cinema: Cinema) -> None:
    fill(cinema)
    kept = {"k": 3, "tau_low": 0.2, "tau_high": 0.8, "encoder": "another"}
    cinema.store.configure(cinema.pool.scope, kept)

    with pytest.raises(EncoderMismatch, match="calibrate"):
        cinema.pool.refresh()
    cinema.pool.configure(tau_low="encoder", tau_high="encoder")
    assert cinema.pool.refresh().new == 7


def test_what_another_refresh_has_kept_meanwhile_is_not_kept_again(
    cinema: Cinema, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(cinema)
    cinema.pool.refresh()
    before = exported(cinema.pool)
    monkeypatch.setattr(cutting, "_parts", lambda *_: {})

    done = cinema.pool.refresh()

    assert (done.new, done.removed) == (0, 0)
    assert exported(cinema.pool) == before
