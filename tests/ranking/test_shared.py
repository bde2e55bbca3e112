"""What patterns say for candidates: by what they are about, and by what those behind them did."""

import numpy as np
import pytest

from lamina.items import Item
from lamina.ports import NEVER, Graph
from lamina.ranking.features import Asked
from lamina.ranking.shared import CONTENT, MEMBERS, NAMES, Told, columns
from tests.ranking.graphs import Act, catalogue, graph, vector

KINDS = {"c1": "Crime", "c2": "Crime", "h1": "Horror", "w1": "Western", "w2": "Western"}
ITEMS = {id_: Item(id=id_, title=id_, categories=(kind,)) for id_, kind in KINDS.items()}
ACTS: list[Act] = [
    ("ann", "c1", 10),
    ("bo", "c1", 1),
    ("bo", "h1", 2),
    ("cy", "c1", 3),
    ("cy", "h1", 4),
    ("cy", "w2", 9),
    ("di", "w1", 5),
    ("di", "w2", 6),
]
"""Bo and Cy went from crime to horror; Di likes westerns."""


def pattern(
    *supports: tuple[str, int],
    keywords: tuple[str, ...] = (),
    description: str = "",
    weight: float = 1.0,
    within: Graph | None = None,
    dislikes: bool = False,
) -> Told:
    users = (within or graph(ACTS, list(KINDS))).users
    return Told(
        weight=weight,
        explanation="",
        description=description,
        keywords=keywords,
        dislikes=dislikes,
        vector=vector("c1"),
        by=np.array([users.index(user) if user in users else -1 for user, _ in supports], np.intp),
        at=np.array([at for _, at in supports], np.int64),
    )


def told(
    *patterns: Told,
    user: str = "ann",
    t: int = NEVER,
    acts: list[Act] = ACTS,
    serving: set[str] | None = None,
    least: int = 1,
) -> dict[str, dict[str, float]]:
    """Return by feature what each item has."""
    known = graph(acts, list(KINDS))
    mask = None if serving is None else np.array([name in serving for name in known.users])
    asked = Asked(
        graph=known,
        catalogue=catalogue(known, ITEMS),
        user=user,
        t=t,
        candidates=np.arange(len(KINDS)),
        serving=mask,
        least=least,
    )
    values = columns(asked, patterns).values
    return {
        name: dict(zip(KINDS, values[:, place].tolist(), strict=True))
        for place, name in enumerate(NAMES)
    }


def test_without_patterns_nothing_is_said() -> None:
    assert not any(any(values.values()) for values in told().values())


def test_items_in_the_categories_of_keywords_are_spoken_for() -> None:
    found = told(pattern(keywords=("crime", "Unknown")))["shared_kinds"]

    assert found["c1"] == found["c2"] == pytest.approx(1.0)
    assert found["h1"] == found["w1"] == 0.0


def test_heavier_patterns_say_more() -> None:
    heavy = pattern(keywords=("Crime",), weight=0.8)
    light = pattern(keywords=("Western",), weight=0.2)

    found = told(heavy, light)["shared_kinds"]

    assert found["c1"] > found["w1"] > 0


def test_what_is_moved_to_is_spoken_for_more_than_what_is_moved_from() -> None:
    found = told(pattern(description="Moves from Crime to Horror."))["shared_moves"]

    assert found["h1"] > found["c1"] > found["w1"] == 0.0


def test_what_means_the_same_is_spoken_for() -> None:
    found = told(pattern())["shared_meaning"]

    assert found["c1"] == pytest.approx(1.0)
    assert max(found, key=lambda id_: found[id_]) == "c1"


def test_what_is_disliked_is_neither_spoken_for_nor_against() -> None:
    words = {"keywords": ("Crime",), "description": "Moves from Crime to Horror."}
    dislikes = pattern(("bo", 1), dislikes=True, **words)  # type: ignore[arg-type]
    likes = pattern(("cy", 3), keywords=("Western",), weight=0.5)

    alone, beside, without = told(dislikes), told(dislikes, likes), told(likes)

    assert not any(any(alone[name].values()) for name in CONTENT)
    assert {name: beside[name] for name in CONTENT} == {name: without[name] for name in CONTENT}
    assert alone["members_next"]["h1"] > 0


def test_content_does_not_depend_on_who_did_what() -> None:
    said = {"keywords": ("Crime",), "description": "Moves from Crime to Horror."}
    alone = told(pattern(**said))  # type: ignore[arg-type]
    shared = told(pattern(("bo", 1), ("cy", 3), **said))  # type: ignore[arg-type]

    assert {name: alone[name] for name in CONTENT} == {name: shared[name] for name in CONTENT}


def test_what_contributors_chose_next_is_spoken_for() -> None:
    found = told(pattern(("bo", 1), ("cy", 3)))

    assert found["members_next"]["h1"] > found["members_next"]["w2"] > 0
    assert found["members_next"]["w1"] == found["members_next"]["c1"] == 0.0


def test_contributors_count_as_far_as_they_share_items_with_the_user() -> None:
    found = told(pattern(("bo", 1), ("di", 5)))["members"]

    assert found["h1"] > 0
    assert found["w1"] == 0.0


def test_the_users_own_part_says_nothing() -> None:
    found = told(pattern(("bo", 1)), user="bo")

    assert not any(any(found[name].values()) for name in MEMBERS)


def test_who_is_not_known_to_the_recommender_says_nothing() -> None:
    found = told(pattern(("gone", 1)))

    assert not any(any(found[name].values()) for name in MEMBERS)


def test_what_was_done_at_the_moment_or_later_counts_for_nothing() -> None:
    before = told(pattern(("bo", 1), ("cy", 3)), t=9)
    later = [*ACTS, ("bo", "w1", 9), ("cy", "w1", 20)]

    assert told(pattern(("bo", 1), ("cy", 3)), t=9, acts=later) == before
    assert before["members_next"]["w2"] == 0.0


def test_who_may_not_serve_says_nothing() -> None:
    found = told(pattern(("bo", 1), ("cy", 3)), serving={"ann"})

    assert not any(any(found[name].values()) for name in MEMBERS)


@pytest.mark.parametrize("least", [2, 3])
def test_what_enough_contributors_chose_alike_serves_all(least: int) -> None:
    found = told(pattern(("bo", 1), ("cy", 3)), serving={"ann"}, least=least)

    assert (found["members_next"]["h1"] > 0) == (least == 2)
    assert (found["members"]["h1"] > 0) == (least == 2)
    assert found["members_next"]["w2"] == 0.0


def test_a_candidates_numbers_do_not_depend_on_the_others() -> None:
    known = graph(ACTS, list(KINDS))
    patterns = (pattern(("bo", 1), ("cy", 3), keywords=("Crime",)),)

    def of(*places: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        asked = Asked(
            graph=known,
            catalogue=catalogue(known, ITEMS),
            user="ann",
            t=NEVER,
            candidates=np.array(places),
        )
        return columns(asked, patterns).values

    assert (of(0, 1, 2, 3, 4)[[2, 3]] == of(2, 3)).all()
