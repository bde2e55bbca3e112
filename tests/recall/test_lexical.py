from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.ports import Postings
from lamina.recall.lexical import Bm25, Entries, bm25, entries, merged, within

# Term 0 is in unit 0 twice and in unit 2 once; term 1 is in unit 2 once.
TABLE = Entries(
    terms=np.array([0, 0, 1], dtype=np.int32),
    units=np.array([0, 2, 2], dtype=np.int32),
    counts=np.array([2, 1, 1], dtype=np.float32),
)
LENGTHS = np.array([4, 6, 2], dtype=np.float32)


def test_scores_are_those_of_the_formula() -> None:
    rare, common = log(1 + (3 - 1 + 0.5) / 1.5), log(1 + (3 - 2 + 0.5) / 2.5)
    first = common * 2 * 2.2 / (2 + 1.2 * (0.5 + 0.5 * 4 / 4))
    last = (common + rare) * 1 * 2.2 / (1 + 1.2 * (0.5 + 0.5 * 2 / 4))

    assert bm25(TABLE, LENGTHS).tolist() == pytest.approx([first, 0, last], rel=1e-5)


def test_without_b_length_does_not_count() -> None:
    short = bm25(TABLE, LENGTHS, Bm25(b=0.0))
    long = bm25(TABLE, 10 * LENGTHS, Bm25(b=0.0))

    assert short.tolist() == long.tolist()


def test_postings_become_one_table() -> None:
    table = entries(
        Postings(
            starts=np.array([0, 2, 2, 3]),
            rows=np.array([5, 7, 5], dtype=np.int32),
            counts=np.array([1, 2, 3], dtype=np.int32),
        )
    )

    assert table.terms.tolist() == [0, 0, 2]
    assert table.units.tolist() == [5, 7, 5]


def test_a_view_knows_its_own_documents_alone() -> None:
    table = within(TABLE, np.array([-1, 1, 0], dtype=np.int32))

    assert table.units.tolist() == [0, 0]
    assert table.counts.tolist() == [1, 1]


def test_a_session_counts_as_one_document() -> None:
    table = merged(TABLE, np.array([1, 0, 1], dtype=np.int32), 2)

    assert table.terms.tolist() == [0, 1]
    assert table.units.tolist() == [1, 1]
    assert table.counts.tolist() == [3, 1]


def test_nothing_found_is_nothing_scored() -> None:
    nothing = Entries(TABLE.terms[:0], TABLE.units[:0], TABLE.counts[:0])

    assert bm25(nothing, LENGTHS).tolist() == [0, 0, 0]
    assert bm25(nothing, LENGTHS[:0]).tolist() == []


@given(st.integers(1, 50), st.integers(1, 50))
def test_saying_it_more_often_never_scores_less(count: int, more: int) -> None:
    def score(times: int) -> float:
        table = Entries(TABLE.terms[:1], TABLE.units[:1], np.array([times], dtype=np.float32))
        return float(bm25(table, LENGTHS)[0])

    assert 0 < score(count) < score(count + more)
