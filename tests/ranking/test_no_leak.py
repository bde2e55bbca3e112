"""Who comes later changes nothing of what was ranked before."""

import numpy as np

import lamina
from lamina.ranking.catalogue import Catalogue
from lamina.ranking.features import NAMES, Asked, features
from lamina.testing import WordEncoder


def test_how_many_users_there_will_be_says_nothing_of_neighbours() -> None:
    with lamina.open(":memory:", encoder=WordEncoder()) as memory:
        films = memory.recommender("films")
        done = [("ann", "1"), ("bob", "1"), ("bob", "2"), ("cyd", "3")]
        later = [(f"later {i}", "3") for i in range(5)]
        values = []
        for acts in (done, later):
            films.add_interactions(
                {"user": user, "item": item, "timestamp": 60 * i + (0 if acts is done else 1e9)}
                for i, (user, item) in enumerate(acts)
            )
            graph = films._engine.store.graph(films.scope)
            asked = Asked(
                graph=graph,
                catalogue=Catalogue(described=tuple(None for _ in graph.items)),
                user="ann",
                t=10**12,
                candidates=np.array([graph.items.index(item) for item in "123"]),
            )
            values.append(features(asked).values)

        assert values[0][:, NAMES.index("neighbours")].max() > 0
        assert np.array_equal(values[0], values[1])
