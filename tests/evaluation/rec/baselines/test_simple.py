from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np

from lamina.evaluation.rec.baselines.simple import markov, popularity, random
from tests.evaluation.rec.made import asks, had, lesson, log


def test_popularity_orders_by_how_many_had_an_item() -> None:
    one = log()
    counts = had(one).sum(axis=0)

    scores = popularity(lesson(one))(asks(one))[0]

    np.testing.assert_allclose(np.expm1(scores), counts, rtol=1e-5)


def test_markov_counts_what_came_next_and_popularity_breaks_ties() -> None:
    one = log()
    histories = defaultdict(list)
    for user, item in zip(one.by.tolist(), one.of.tolist(), strict=True):
        histories[user].append(item)
    after: dict[int, Counter[int]] = defaultdict(Counter)
    for items in histories.values():
        for first, then in pairwise(items):
            after[first][then] += 1
    popular = had(one).sum(axis=0)

    every = range(len(one.catalogue.items))

    scores = markov(lesson(one))(asks(one))

    for user, items in histories.items():
        keys = [(after[items[-1]][item], popular[item]) for item in every]
        ranked = sorted(every, key=lambda item: keys[item])
        assert (np.diff(scores[user][ranked]) >= 0).all()
        steps = [keys[a] != keys[b] for a, b in pairwise(ranked)]
        assert ((np.diff(scores[user][ranked]) > 0) == steps).all()


def test_chance_does_not_depend_on_who_is_asked_with_whom() -> None:
    one = log()
    scorer, every = random(lesson(one)), asks(one)

    together = scorer(every)
    alone = scorer(every.part(np.array([5])))

    np.testing.assert_array_equal(together[5], alone[0])
    assert (together[5] != together[6]).any()
    assert (random(lesson(one, seed=1))(every) != together).any()
