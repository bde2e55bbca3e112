import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.recall.fusion import NAMES, Weights, of_greatest, recency, scaled
from lamina.times import DAY

VALUES = st.lists(st.integers(-1000, 1000), min_size=1, max_size=30)


@given(VALUES)
def test_scaled_values_lie_between_0_and_1(values: list[int]) -> None:
    found = scaled(np.array(values, dtype=np.float32))

    assert found.min() == 0
    assert found.max() == (1 if len(set(values)) > 1 else 0)


@given(VALUES, st.integers(1, 64), st.integers(-1000, 1000))
def test_neither_unit_nor_origin_matters(values: list[int], unit: int, origin: int) -> None:
    plain = np.array(values, dtype=np.float32)

    assert scaled(plain * unit + origin) == pytest.approx(scaled(plain), abs=1e-5)


@given(VALUES)
def test_scaling_keeps_the_order(values: list[int]) -> None:
    found = scaled(np.array(values, dtype=np.float32))

    assert np.argsort(values, kind="stable").tolist() == np.argsort(found, kind="stable").tolist()


@given(st.lists(st.integers(0, 1000), max_size=30))
def test_what_is_absent_stays_0_and_what_is_there_does_not(values: list[int]) -> None:
    found = of_greatest(np.array(values, dtype=np.float32))

    assert (found > 0).tolist() == [value > 0 for value in values]
    assert found.max(initial=0) == (1 if any(values) else 0)


def test_no_values_stay_no_values() -> None:
    assert scaled(np.zeros(0, dtype=np.float32)).tolist() == []


def test_every_signal_has_a_weight_that_is_not_negative() -> None:
    weights = Weights().of(NAMES)

    assert len(weights) == len(set(NAMES))
    assert weights.min() >= 0


def test_weights_are_given_in_the_order_asked() -> None:
    weights = Weights(time=0.25, when=0.5)

    assert weights.of(["when", "time"]).tolist() == [0.5, 0.25]


def test_recency_halves_with_every_half_life_and_the_future_is_no_more_recent_than_now() -> None:
    said_at = np.array([100 * DAY, 93 * DAY, 86 * DAY, 101 * DAY])

    assert recency(said_at, 100 * DAY, 7.0).tolist() == [1.0, 0.5, 0.25, 1.0]
