"""What others did speaks for an item only as far as they may serve, or enough did alike."""

import numpy as np
import pytest

import lamina
from lamina.ports import NEVER, Graph
from lamina.ranking.catalogue import Catalogue
from lamina.ranking.features import NAMES, OF_OTHERS, Asked, features
from lamina.testing import WordEncoder
from lamina.work import visibility

K = 3


def graph(alike: int) -> Graph:
    """Ann did item 1; so many others did items 1 and 2, and one did items 1 and 3."""
    done = [("ann", "1")]
    done += [(f"other {i}", item) for i in range(alike) for item in "12"]
    done += [("lone", "1"), ("lone", "3"), ("elsewhere", "3")]
    with lamina.open(":memory:", encoder=WordEncoder()) as memory:
        films = memory.recommender("films")
        films.add_items({"id": item, "title": f"Film {item}"} for item in "123")
        films.add_interactions(
            {"user": user, "item": item, "timestamp": 60 * i, "rating": 4}
            for i, (user, item) in enumerate(done)
        )
        return films._engine.store.graph(films.scope)


def of_others(found: Graph, user: str, serving: str | None, least: int) -> dict[str, list[float]]:
    """What others did says of items 1, 2 and 3 for a user."""
    mask = None if serving is None else np.array([name in serving for name in found.users])
    asked = Asked(
        graph=found,
        catalogue=Catalogue(described=(None, None, None)),
        user=user,
        t=NEVER,
        candidates=np.array([found.items.index(item) for item in "123"]),
        serving=mask,
        least=least,
    )
    values = features(asked).values
    return {name: values[:, NAMES.index(name)].tolist() for name in OF_OTHERS}


@pytest.mark.parametrize("alike", [K - 1, K])
def test_in_a_silo_what_others_did_counts_from_k_of_them_on(alike: int) -> None:
    told = of_others(graph(alike), "ann", "", K)

    for name, (_, second, third) in told.items():
        assert third == 0, name
        if name != "esteem":
            assert (second > 0) == (alike == K), name


def test_what_those_who_may_serve_did_counts_however_few_they_are() -> None:
    told = of_others(graph(K - 1), "ann", "lone", K)

    assert told["together"][2] > 0
    assert told["popularity"][2] > 0
    assert told["together"][1] == 0


def test_where_everybody_may_serve_all_of_it_counts() -> None:
    told = of_others(graph(1), "ann", None, 1)

    assert min(told["together"][1:]) > 0


def test_somebody_new_is_told_only_what_k_support() -> None:
    told = of_others(graph(K), "nobody", "", K)

    assert told["popularity"][2] == 0
    assert told["popularity"][1] > 0


def test_the_configuration_says_how_many() -> None:
    assert visibility.least({"privacy": "silo", "k": 7}) == 7
    assert visibility.least({"privacy": "group"}) == visibility.K
    assert visibility.least({"privacy": "open", "k": 7}) == 1
