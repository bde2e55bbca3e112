from dataclasses import replace

import numpy as np
import pytest

from lamina.errors import BadInput
from lamina.evaluation.rec.candidates import NOBODY, Sets, catalogue, drawn
from lamina.evaluation.rec.logs import Log
from lamina.evaluation.rec.splits import Fold, leave_last_out
from tests.evaluation.rec.made import log


def fold(one: Log) -> Fold:
    return leave_last_out(one).test[0]


def ten(one: Log, asked: Fold, **options: object) -> Sets:
    given = {"size": 10, "sampling": "uniform", "part": "test", "seed": 0, **options}
    return drawn(one, asked, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("sampling", ["uniform", "popularity"])
def test_the_target_is_among_items_that_its_user_never_had(sampling: str) -> None:
    one = log()
    part = fold(one)

    sets = ten(one, part, sampling=sampling)

    for row, items, place in zip(part.rows, sets.items, sets.targets, strict=True):
        had = set(one.of[one.by == one.by[row]].tolist())
        assert items[place] == one.of[row]
        assert len(set(items.tolist())) == 10
        assert had & set(items.tolist()) == {one.of[row]}


def test_a_draw_does_not_depend_on_what_is_drawn_beside_it() -> None:
    one = log()
    part = fold(one)
    some = np.array([7, 3])
    fewer = replace(
        part, asks=part.asks.part(some), targets=part.targets[some], rows=part.rows[some]
    )

    np.testing.assert_array_equal(ten(one, part).items[some], ten(one, fewer).items)


def test_another_seed_or_set_draws_others() -> None:
    one = log()
    part = fold(one)
    first = ten(one, part).items

    assert (first != ten(one, part, seed=1).items).any()
    assert (first != ten(one, part, part="validation").items).any()
    assert (first == ten(one, part).items).all()


def test_the_place_of_the_target_tells_nothing() -> None:
    one = log(users=200, items=60)

    places = ten(one, fold(one)).targets

    assert len(set(places.tolist())) == 10
    assert abs(places.mean() - 4.5) < 1.0


def test_popular_items_are_drawn_more_often() -> None:
    one = log(users=200, items=60)
    part = fold(one)
    counts = np.bincount(one.of, minlength=60)

    means = [
        counts[ten(one, part, sampling=sampling).items].mean()
        for sampling in ("uniform", "popularity")
    ]

    assert means[1] > means[0]


def test_too_small_a_catalogue_is_refused() -> None:
    one = log(items=12)

    with pytest.raises(BadInput, match="too few items"):
        ten(one, fold(one))


def test_the_whole_catalogue_lacks_what_the_user_had_before() -> None:
    one = log()
    part = fold(one)

    sets = catalogue(one, part)

    for n, row in enumerate(part.rows.tolist()):
        before = set(part.asks.history(n).tolist())
        assert set(np.flatnonzero(sets.items[n] == NOBODY).tolist()) == before
        assert sets.items[n, sets.targets[n]] == one.of[row]
