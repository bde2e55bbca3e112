"""Chance that depends on names alone: the same whatever runs beside it, and in whatever order."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


def number(*parts: object) -> int:
    """Return a whole number below 2^64 that the parts determine, by BLAKE2b of their texts."""
    told = "\x1f".join(map(str, parts)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(told, digest_size=8).digest(), "big")


def numbers(names: Sequence[str]) -> Hashes:
    """Return `number` of each name, shape (n,)."""
    return np.fromiter((number(name) for name in names), dtype=np.uint64, count=len(names))


def mixed(left: Hashes, right: Hashes | int) -> Hashes:
    """Return a number for each pair; SplitMix64's finish (Steele, Lea and Flood 2014)."""
    with np.errstate(over="ignore"):
        word = left + _STEP * (np.asarray(right, dtype=np.uint64) + np.uint64(1))
        word = (word ^ (word >> np.uint64(30))) * _FIRST
        word = (word ^ (word >> np.uint64(27))) * _SECOND
        return np.asarray(word ^ (word >> np.uint64(31)), dtype=np.uint64)


def generator(*parts: object) -> np.random.Generator:
    """Return a generator of random numbers that the parts determine."""
    return np.random.default_rng(number(*parts))


def chosen(names: Sequence[str], most: int, seed: int) -> NDArray[np.int64]:
    """Return the indexes, ascending, of the `most` names whose numbers with `seed` are least."""
    ranks = mixed(numbers(names), number("chosen", seed))
    return np.sort(np.argsort(ranks, kind="stable")[:most])
