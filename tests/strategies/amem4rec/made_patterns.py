"""Values of the method, of which only what matters is named."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lamina.items import Item
from lamina.ports import Failure, VectorRows
from lamina.strategies.amem4rec.patterns import Patterns
from lamina.strategies.amem4rec.stages import Abstraction, Judging, Linked, Standing, Window
from lamina.strategies.amem4rec.windows import Done
from lamina.testing.factories import at

Judge = Callable[[Judging], tuple[Linked, ...] | Failure]


def said(explanation: str = "likes crime", description: str = "stays", **given: Any) -> Abstraction:
    return Abstraction(explanation=explanation, description=description, **given)


def standing(id_: str, explanation: str = "", count: int = 0) -> Standing:
    return Standing(id=id_, said=said(explanation or f"says {id_}"), evolution_count=count)


def done(item: str, minute: float = 0, **given: Any) -> Done:
    told: dict[str, Any] = {"title": f"Title {item}", "categories": ("Crime",)} | given
    return Done(
        id=f"m{item}-{minute:g}",
        item=Item(id=item, **told),
        action="rate",
        rating=None,
        said_at=at(minute),
    )


def window(user: str, minute: float, *names: str) -> Window:
    return Window(
        user=user,
        interactions=(f"{user}@{minute:g}",),
        seen=(),
        names=(*names, user),
        began_at=at(minute),
        said_at=at(minute + 1),
    )


def unit(*numbers: float) -> NDArray[np.float32]:
    """Return a vector of length one in the direction of some numbers."""
    row = np.array(numbers, dtype=np.float64)
    found: NDArray[np.float32] = (row / np.linalg.norm(row)).astype(np.float32)
    return found


def angled(cosine: float) -> NDArray[np.float32]:
    """Return a vector in the plane that has a cosine with (1, 0)."""
    return unit(cosine, np.sqrt(max(0.0, 1 - cosine * cosine)))


def pool(cosines: Sequence[float], counts: Sequence[int] = ()) -> Patterns:
    """Return patterns p0, p1, ... at these cosines from (1, 0)."""
    ids = [f"p{i}" for i in range(len(cosines))]
    rows = np.array([angled(each) for each in cosines], dtype=np.float32).reshape(-1, 2)
    evolved = dict(zip(ids, counts or [0] * len(ids), strict=True))
    return Patterns(
        ids,
        VectorRows(rows),
        np.ones(len(ids), dtype=np.bool_),
        lambda asked: {id_: standing(id_, count=evolved[id_]) for id_ in asked},
    )


class Judged:
    """Stages that say of a window what it is given to say, and judge as they are told."""

    name = "judged"
    model = None

    def __init__(
        self, judge: Judge, says: Callable[[Window], Abstraction | Failure | None]
    ) -> None:
        self._judge, self._says = judge, says
        self.asked: list[Judging] = []

    def abstract(self, windows: Sequence[Window]) -> list[Abstraction | Failure | None]:
        return [self._says(each) for each in windows]

    def judge(self, asked: Judging) -> tuple[Linked, ...] | Failure:
        self.asked.append(asked)
        return self._judge(asked)


def agreeing(asked: Judging) -> tuple[Linked, ...]:
    """Link all candidates, and say what the new part says."""
    return tuple(
        Linked(id=each.pattern.id, reason="same", merged=asked.new if each.weight else None)
        for each in asked.candidates
    )


def leaving(asked: Judging) -> tuple[Linked, ...]:
    """Link all candidates, and leave their words as they are."""
    return tuple(Linked(id=each.id, reason="same", merged=None) for each in agreeing(asked))


def judging(judge: Judge = agreeing) -> Judged:
    return Judged(judge, lambda each: said(f"says {each.user}"))
