"""What agents pass as somebody's history, read as what was done with items as they are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from lamina.errors import BadInput, shown
from lamina.items import Interaction, Item
from lamina.memory.write import identifier
from lamina.model import At, Scope
from lamina.ports import Store, counting, moment
from lamina.strategies.amem4rec.windows import Done, is_told
from lamina.times import EPOCH
from lamina.work import keeping
from lamina.work.pools import recommender_of

GivenDone: TypeAlias = str | Item | Interaction | Mapping[str, Any]
"""Something that a user did: the id of an item; an item; an interaction; or a mapping with the `id`
of an item, or its `title` and `categories`, and if wanted `action` and `rating`."""


def listed(history: Sequence[GivenDone]) -> list[GivenDone]:
    """Return a history as a list. Raises `BadInput` where it is none."""
    if isinstance(history, str | bytes | Mapping) or not isinstance(history, Sequence):
        raise BadInput(f"a history is a list of what was done, oldest first, not {shown(history)}")
    return list(history)


def done(
    store: Store, scope: Scope, given: Sequence[GivenDone], at: At | None, last: int
) -> list[Done]:
    """Return the last of what was done.

    An item that is only named is looked up in the pool's recommender.

    Raises:
        BadInput: Something in it is not what it should be, or it names an item that is not known.
    """
    read = [_one(each) for each in given]
    named = [item.id for item, _, _ in read if item.id and not is_told(item)]
    known = store.described(recommender_of(scope), list(dict.fromkeys(named)), at=at)
    _refuse_unknown(store, recommender_of(scope), [id_ for id_ in named if id_ not in known], at)
    return [
        Done(
            id=str(place),
            item=item if is_told(item) or item.id not in known else keeping.item(known[item.id]),
            action=action,
            rating=rating,
            said_at=EPOCH,
        )
        for place, (item, action, rating) in enumerate(read[-last:])
    ]


def _refuse_unknown(store: Store, scope: Scope, undescribed: Sequence[str], at: At | None) -> None:
    """Raise `BadInput` for the first item with which nobody had to do anything by then."""
    if not undescribed:
        return
    graph = store.graph(scope)
    counts = counting(graph.said_at, graph.gone_at, moment(at))
    had = {graph.items[place] for place in np.unique(graph.of[counts]).tolist()}
    for id_ in undescribed:
        if id_ not in had:
            raise BadInput(
                f"no item here has the id {id_!r:.60}; give its title and categories instead"
            )


def _one(given: GivenDone) -> tuple[Item, str, float | None]:
    """Return the item, the action and the rating."""
    if isinstance(given, str):
        return Item(id=identifier(given)), "", None
    if isinstance(given, Item):
        return given, "", None
    if isinstance(given, Interaction):
        return Item(id=given.item), given.action, given.rating
    if not isinstance(given, Mapping):
        raise BadInput(
            "what was done is an item's id, an Item, an Interaction or a mapping, not "
            + shown(given)
        )
    item = Item(
        id=_text(given, "id") or _text(given, "item"),
        title=_text(given, "title"),
        description=_text(given, "description"),
        categories=_texts(given, "categories"),
        tags=_texts(given, "tags"),
    )
    return item, _text(given, "action"), _rating(given.get("rating"))


def _text(given: Mapping[str, Any], key: str) -> str:
    value = given.get(key)
    if value is not None and not isinstance(value, str):
        raise BadInput(f"the {key} of what was done must be a text, not {shown(value)}")
    return value or ""


def _texts(given: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = given.get(key) or ()
    some = (value,) if isinstance(value, str) else value
    if not isinstance(some, list | tuple) or not all(isinstance(one, str) for one in some):
        raise BadInput(f"{key} of what was done must be texts, not {shown(value)}")
    return tuple(some)


def _rating(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, Real):
        raise BadInput(f"a rating must be a number, not {shown(value)}")
    return float(value)
