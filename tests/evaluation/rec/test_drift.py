from lamina.evaluation.rec.drift import BEGIN, Shape, drifting, drifting_users
from lamina.items import Interaction, Item

SHAPE = Shape(users=40, items=400, each=30)


def test_the_same_seed_makes_up_the_same() -> None:
    assert list(drifting(SHAPE, 3)) == list(drifting(SHAPE, 3))
    assert list(drifting(SHAPE, 3)) != list(drifting(SHAPE, 4))


def test_users_whose_taste_turns_end_with_another_genre() -> None:
    made = list(drifting(SHAPE, 0))
    genres = {one.id: one.categories[0] for one in made if isinstance(one, Item)}
    done: dict[str, list[str]] = {}
    for one in made:
        if isinstance(one, Interaction):
            assert one.at >= BEGIN
            done.setdefault(one.user, []).append(genres[one.item])
    turning = drifting_users(SHAPE, 0)

    def most(some: list[str]) -> str:
        return max(sorted(set(some)), key=some.count)

    changed = {user for user, had in done.items() if most(had[:10]) != most(had[-4:])}

    assert 10 < len(turning) < 30
    assert len(changed & turning) > 0.8 * len(turning)
    assert len(changed - turning) < 0.2 * (len(done) - len(turning))


def test_nobody_has_an_item_twice() -> None:
    done = [one for one in drifting(SHAPE, 0) if isinstance(one, Interaction)]

    assert len({(one.user, one.item) for one in done}) == len(done)
