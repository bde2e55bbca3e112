"""Orders that are permutations by construction: of candidates as given, scored, and told of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from lamina.identity import digest
from lamina.ranking.histories import Floats

SEED = "lamina"


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """Candidates as they were given, each once."""

    ids: tuple[str, ...]
    """In the order given."""
    duplicates: int
    unknown: tuple[str, ...]
    """Each once, in the order given."""


def given(candidates: Iterable[str], known: Mapping[str, object]) -> Given:
    """Return the candidates that are known, each once; the others are counted."""
    every = list(candidates)
    once = list(dict.fromkeys(every))
    return Given(
        ids=tuple(id_ for id_ in once if id_ in known),
        duplicates=len(every) - len(once),
        unknown=tuple(id_ for id_ in once if id_ not in known),
    )


def best_first(
    ids: Sequence[str],
    scores: Floats,
    user: str,
    *,
    seed: str = SEED,
) -> list[int]:
    """Return the places of `ids`, best first.

    Ties are broken by a hash of seed, user and item, so that neither ids nor the order given favour
    anything.

    Args:
        ids: Each once.
        scores: One each, none NaN; higher is better.
        user: Whose ranking it is.
        seed: Another one gives ties another order.
    """
    places = np.argsort(-scores, kind="stable").tolist()
    found: list[int] = []
    for _, tied in groupby(places, key=lambda i: float(scores[i])):
        some = list(tied)
        if len(some) > 1:
            some.sort(key=lambda i: digest(seed, user, ids[i]))
        found += some
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What a model told, made a permutation."""

    ids: tuple[str, ...]
    told: int
    """The first so many were told; the rest the fallback put in order."""
    invented: int
    """Ids that were told though they are no candidates, or had been told already."""


def merged(told: Sequence[tuple[str, float]], fallback: Sequence[str]) -> Merged:
    """Return all of `fallback`, each once: first what was told, by its score, then the rest.

    Args:
        told: Ids and scores, in the order told, which breaks ties; an id's first score counts.
        fallback: All candidates, each once, in the order that the rest keeps.
    """
    candidates = set(fallback)
    scored: dict[str, float] = {}
    for id_, score in told:
        if id_ in candidates:
            scored.setdefault(id_, score if score == score else float("-inf"))
    first = sorted(scored, key=lambda id_: -scored[id_])
    rest = [id_ for id_ in fallback if id_ not in scored]
    return Merged(ids=(*first, *rest), told=len(first), invented=len(told) - len(scored))
