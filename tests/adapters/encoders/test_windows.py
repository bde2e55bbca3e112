import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lamina.adapters.encoders.vectors import encodable, unit_rows
from lamina.adapters.encoders.windows import MAX_WINDOWS, averaged, spread


@given(st.integers(1, 500))
def test_windows_read_are_spread_from_the_first_to_the_last(count: int) -> None:
    read = spread(range(count))

    assert len(read) == min(count, MAX_WINDOWS)
    assert (read[0], read[-1]) == (0, count - 1)
    assert read == sorted(set(read))


def test_windows_weigh_by_their_size() -> None:
    axes = {"xxx": [1.0, 0.0], "y": [0.0, 1.0], "z": [0.0, 1.0]}

    rows = averaged([["xxx", "y"], ["z"]], len, lambda w: np.array([axes[x] for x in w], "f4"))

    np.testing.assert_allclose(rows, [[3 / 10**0.5, 1 / 10**0.5], [0.0, 1.0]], atol=1e-6)


def test_a_row_without_direction_becomes_the_first_axis() -> None:
    rows = unit_rows(np.array([[0.0, 0.0], [3.0, 4.0]], np.float32))

    np.testing.assert_allclose(rows, [[1.0, 0.0], [0.6, 0.8]], atol=1e-7)


@given(st.text(alphabet=st.characters(exclude_categories=[])))
def test_whatever_the_text_it_can_be_encoded(text: str) -> None:
    encodable(text).encode()


@given(st.text())
def test_text_that_can_be_encoded_stays_as_it_is(text: str) -> None:
    assert encodable(text) == text
