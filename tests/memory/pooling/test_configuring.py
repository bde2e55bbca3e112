"""What a pool keeps to."""

import re
from typing import Any

import pytest

from lamina.errors import BadInput
from lamina.memory.pooling import PoolConfiguration
from lamina.memory.pooling.configuring import least
from lamina.work.pools import config_of
from tests.memory.pooling.cinema import Cinema


def test_what_is_not_set_is_as_the_engine_does(cinema: Cinema) -> None:
    cinema.use(w=4, cut="blocks", seed=7)

    assert cinema.pool.configuration == PoolConfiguration(w=4, cut="blocks", seed=7)
    assert config_of(cinema.engine, cinema.pool.scope).w == 4


def test_what_is_set_holds_for_all_who_open_the_store(cinema: Cinema) -> None:
    told = cinema.pool.configure(k=5, w=2, half_life_days=30, cap=100)

    assert told == cinema.memory.recommender("films").pool.configuration
    assert (told.k, told.w, told.half_life_days, told.cap) == (5, 2, 30.0, 100)
    config = config_of(cinema.engine, cinema.pool.scope)
    assert (config.w, config.half_life_days) == (2, 30.0)
    assert cinema.pool.configure(half_life_days="never").half_life_days is None


def test_thresholds_are_tied_to_the_encoder(cinema: Cinema) -> None:
    assert cinema.pool.configure(k=4).encoder == ""
    assert cinema.pool.configure(tau_low=0.2).encoder == "tests/words"
    kept = {**cinema.store.configuration(cinema.pool.scope), "encoder": "another"}
    cinema.store.configure(cinema.pool.scope, kept)

    told = cinema.pool.configure(tau_high=0.8)

    assert (told.tau_low, told.tau_high, told.encoder) == (None, 0.8, "tests/words")
    assert config_of(cinema.engine, cinema.pool.scope).tau_high == 0.8
    told = cinema.pool.configure(tau_high="encoder")
    assert (told.tau_high, told.k) == (None, 4)


@pytest.mark.parametrize(
    "given",
    [
        {"k": 0},
        {"k": 1.5},
        {"w": 0},
        {"cut": "diced"},
        {"table": "other"},
        {"order": "random"},
        {"narrows": 1},
        {"tau_low": 2},
        {"tau_low": "high"},
        {"tau_low": 0.9, "tau_high": 0.5},
        {"tau_high": float("nan")},
        {"half_life_days": 0},
        {"half_life_days": "long"},
        {"seed": -1},
        {"cap": -1},
        {"keep_days": True},
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    cinema: Cinema, given: dict[str, Any]
) -> None:
    before = cinema.pool.configure(k=4)

    with pytest.raises(BadInput):
        cinema.pool.configure(**given)
    assert cinema.pool.configuration == before


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"tau_low": 0.95}, "tau_low 0.95 must not be above tau_high 0.9 (the encoder's)"),
        ({"tau_high": 0.5}, "tau_low 0.55 (the encoder's) must not be above tau_high 0.5"),
        ({"tau_low": 0.9, "tau_high": 0.5}, "tau_low 0.9 must not be above tau_high 0.5"),
    ],
)
def test_thresholds_that_cross_are_refused_with_both(
    cinema: Cinema, given: dict[str, Any], told: str
) -> None:
    with pytest.raises(BadInput, match=re.escape(told)):
        cinema.pool.configure(**given)
    assert cinema.store.configuration(cinema.pool.scope) == {}


def test_a_threshold_is_held_against_the_one_that_was_set_before(cinema: Cinema) -> None:
    cinema.pool.configure(tau_high=0.97)
    cinema.pool.configure(tau_low=0.95)

    with pytest.raises(BadInput, match=r"tau_low 0\.95 must not be above tau_high 0\.9 "):
        cinema.pool.configure(tau_high="encoder")
    assert cinema.pool.configure(tau_low="encoder", tau_high="encoder").tau_low is None


def test_fewer_than_the_recommender_asks_for_are_never_enough(cinema: Cinema) -> None:
    assert least(cinema.engine, cinema.pool.scope) == 3
    cinema.films.configure(privacy="group", k=6)
    assert least(cinema.engine, cinema.pool.scope) == 6
    cinema.pool.configure(k=9)
    assert least(cinema.engine, cinema.pool.scope) == 9


def test_with_another_length_windows_are_cut_anew(cinema: Cinema) -> None:
    cinema.watched("ann", "Crime", "Crime", "Horror", "Horror")
    assert cinema.pool.refresh().new == 2
    cinema.pool.configure(w=4)

    done = cinema.pool.refresh()

    assert (done.windows, done.new, done.withdrawn) == (1, 1, 2)
