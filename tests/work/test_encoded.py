"""Vectors that are kept for texts that come again."""

from typing import Any

import numpy as np
import pytest

from lamina.testing import WordEncoder
from lamina.work import encoded
from tests.work.films import Counting


def test_each_text_is_encoded_once_and_all_that_lack_in_one_call() -> None:
    encoder = Counting()

    first = encoded.encode(encoder, ["a boat", "a tea", "a boat"])
    second = encoded.encode(encoder, ["a tea", "a tree", "a boat"])

    assert encoder.calls == [2, 1]
    assert np.array_equal(first, WordEncoder().encode(["a boat", "a tea", "a boat"]))
    assert np.array_equal(second, WordEncoder().encode(["a tea", "a tree", "a boat"]))


def test_encoders_do_not_share_vectors() -> None:
    one, other = Counting(), Counting()
    encoded.encode(one, ["a boat"])
    encoded.encode(other, ["a boat"])

    assert one.calls == other.calls == [1]


def test_what_was_not_asked_for_longest_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoded, "MOST", 2)
    encoder = Counting()
    for texts in (["a"], ["b"], ["a"], ["c"], ["a"], ["b"]):
        encoded.encode(encoder, texts)

    assert encoder.calls == [1, 1, 1, 1]


def test_more_texts_than_are_kept_are_encoded_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoded, "MOST", 2)
    texts = list("abcdef")

    found: Any = encoded.encode(Counting(), texts)

    assert np.array_equal(found, WordEncoder().encode(texts))


def test_no_texts_have_no_vectors() -> None:
    assert encoded.encode(WordEncoder(), []).shape == (0, WordEncoder.space.dim)
