"""What a user did, cut into stretches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from lamina.identity import digest
from lamina.items import Item
from lamina.strategies.amem4rec.config import AMEM4RecConfig, Order
from lamina.strategies.amem4rec.stages import Seen, Window

LEAST_TOLD = 2
"""Items of a window of which anything must be known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """One interaction of a user, and the item as it is known."""

    id: str
    """Of its message."""
    item: Item
    action: str
    rating: float | None
    said_at: datetime


def windows(user: str, done: Sequence[Done], config: AMEM4RecConfig) -> list[Window]:
    """Return the windows of a user, in the order of time.

    None, if they did less than `config.w`; and none where less than two items tell anything.

    Args:
        user: Their id.
        done: What they did, oldest first, things done at once in the order recorded.
        config: How long a window is and how they are cut.
    """
    stretches = (done[start : start + config.w] for start in _starts(len(done), config))
    return [_window(user, each) for each in stretches if _tells(each)]


def recent(user: str, done: Sequence[Done], w: int) -> Window | None:
    """Return the last window of a user: of less than `w`, where they did less.

    Unlike `windows` it takes what there is, for somebody of whom little is known is served by it.
    `None` if they did nothing with an item of which anything is known.

    Args:
        user: Their id.
        done: What they did, oldest first.
        w: Interactions, at least 1.
    """
    last = done[-w:]
    return _window(user, last) if any(is_told(each.item) for each in last) else None


def in_order(found: Iterable[Window], seed: int, order: Order = "users") -> list[Window]:
    """Return windows in the order in which they are taken in: users by seed, each by time.

    By `time` what was done first comes first, and users take turns by seed where it was done at
    once. It depends on the seed and on who they are, not on who else is there.
    """
    given = list(found)
    turns = {user: digest(seed, user) for user in {each.user for each in given}}
    if order == "time":
        return sorted(given, key=lambda each: (each.said_at, turns[each.user], each.began_at))
    return sorted(given, key=lambda each: (turns[each.user], each.said_at, each.began_at))


def _starts(length: int, config: AMEM4RecConfig) -> list[int]:
    last = length - config.w
    if last < 0:
        return []
    starts = range(0, last + 1, 1 if config.cut == "sliding" else config.w)
    return sorted({*starts, last})


def _tells(stretch: Sequence[Done]) -> bool:
    return sum(is_told(each.item) for each in stretch) >= LEAST_TOLD


def is_told(item: Item) -> bool:
    """Whether anything is known of an item but its id."""
    known = (item.title, item.description, *item.categories, *item.tags)
    return any(each.strip() for each in known)


def _window(user: str, stretch: Sequence[Done]) -> Window:
    titles = (each.item.title.strip() for each in stretch)
    ids = (each.item.id for each in stretch)
    return Window(
        user=user,
        interactions=tuple(each.id for each in stretch),
        seen=tuple(_seen(each) for each in stretch),
        names=tuple(dict.fromkeys(name for name in (*titles, *ids, user) if name)),
        began_at=stretch[0].said_at,
        said_at=stretch[-1].said_at,
    )


def _seen(done: Done) -> Seen:
    return Seen(
        title=done.item.title,
        categories=done.item.categories,
        action=done.action,
        rating=done.rating,
    )
