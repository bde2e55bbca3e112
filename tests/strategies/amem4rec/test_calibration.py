"""Thresholds from what a pool itself looks like."""

import numpy as np
from numpy.typing import NDArray

from lamina.strategies.amem4rec.calibration import propose
from tests.strategies.amem4rec.made_patterns import unit


def drawn(count: int, dim: int = 60, seed: int = 3) -> NDArray[np.float32]:
    rows = np.random.default_rng(seed).normal(size=(count, dim))
    found: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype("f4")
    return found


def beside(rows: NDArray[np.float32], by: float) -> NDArray[np.float32]:
    """Return vectors that say much the same as others."""
    moved = rows + by * drawn(len(rows), seed=4)
    found: NDArray[np.float32] = (moved / np.linalg.norm(moved, axis=1, keepdims=True)).astype("f4")
    return found


def test_thresholds_lie_between_what_has_nothing_and_what_has_much_in_common() -> None:
    rows = drawn(200)

    taus = propose(np.concatenate([rows, beside(rows[:60], 0.2)]))

    assert taus is not None
    assert 0.15 < taus.low < 0.35
    assert 0.95 < taus.high < 0.99


def test_an_encoder_that_holds_all_for_alike_gets_higher_thresholds() -> None:
    rows = drawn(200)
    narrow = rows + 2 * unit(*[1] * 60)
    narrow /= np.linalg.norm(narrow, axis=1, keepdims=True)

    wide, close = propose(rows), propose(narrow)

    assert wide is not None
    assert close is not None
    assert close.low > wide.low + 0.4
    assert close.high >= close.low


def test_the_same_text_told_often_changes_nothing() -> None:
    rows = drawn(100)

    assert propose(np.concatenate([rows] * 5)) == propose(rows)


def test_the_order_does_not_matter_even_where_only_some_are_looked_at() -> None:
    rows = drawn(2100, dim=8)

    assert propose(rows) == propose(rows[::-1])


def test_of_few_texts_nothing_is_proposed() -> None:
    assert propose(drawn(29)) is None
    assert propose(np.concatenate([drawn(20)] * 3)) is None
    assert propose(np.empty((0, 4), np.float32)) is None
