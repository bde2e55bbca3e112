from lamina.evaluation.rec.drift import Shape, drifting, drifting_users
from lamina.evaluation.rec.movers import movers
from lamina.evaluation.rec.reading import logged

SHAPE = Shape(users=40, items=400, each=30)


def test_how_far_tastes_moved_tells_who_turned_late() -> None:
    late = movers(logged(drifting(SHAPE, 0)))
    turning = drifting_users(SHAPE, 0)

    most, least = late["moved most"], late["moved least"]

    assert len(most & turning) / len(most) > len(least & turning) / len(least)
