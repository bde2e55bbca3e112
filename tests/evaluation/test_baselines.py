import math

import numpy as np
import pytest

from lamina.evaluation.baselines import bm25, dense, hybrid


def test_bm25_follows_its_formula() -> None:
    texts = ["ann sails sails", "bo cooks", "ann cooks pasta daily"]

    [scores] = bm25(texts, ["sailing ann"], k1=1.2, b=0.75)

    def part(documents_with: int, count: int, length: int) -> float:
        idf = math.log(1 + (3 - documents_with + 0.5) / (documents_with + 0.5))
        return idf * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / 3))

    assert scores == pytest.approx([part(1, 2, 3) + part(2, 1, 3), 0.0, part(2, 1, 4)])


def test_a_query_of_unknown_words_finds_nothing() -> None:
    assert bm25(["ann sails"], ["xylophone", ""]).tolist() == [[0.0], [0.0]]


def test_dense_scores_are_cosines() -> None:
    east, north = np.eye(2, dtype=np.float32)

    assert dense(np.stack([east, north]), east[None]).tolist() == [[1.0, 0.0]]


def test_the_hybrid_scales_both_before_it_adds_them() -> None:
    lexical = np.array([[0.0, 10.0, 5.0]])
    similar = np.array([[0.9, 0.1, 0.5]])

    assert hybrid(lexical, similar)[0] == pytest.approx([0.5, 0.5, 0.5])


def test_a_signal_that_says_nothing_adds_nothing() -> None:
    assert hybrid(np.zeros((1, 2)), np.array([[0.2, 0.4]]))[0] == pytest.approx([0.0, 0.5])
