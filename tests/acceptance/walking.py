"""A recommender whose users walk through kinds of films, and all that its pool tells."""

import json
from collections.abc import Iterable
from typing import Any

import lamina
from lamina.memory.pooling import Pool
from lamina.memory.recommending import Recommender

KINDS = {"n": "noir", "w": "western", "m": "musical", "o": "opera", "h": "heist", "s": "satire"}
EACH = 8
ITEMS: tuple[dict[str, Any], ...] = tuple(
    {"id": f"{letter}{number}", "title": f"Zan{letter}quok {number}x", "categories": [kind]}
    for letter, kind in KINDS.items()
    for number in range(EACH)
)
"""No word of a title is a word that anybody would say."""


def walk(user: str, kinds: str, day: int = 1, **given: Any) -> list[dict[str, Any]]:
    """Return what a user did, one film a day from a day of 2026 on; each letter is a kind."""
    shift = sum(map(ord, user))
    return [
        {
            "user": user,
            "item": f"{kind}{(shift + step) % EACH}",
            "timestamp": f"2026-{1 + (day + step) // 28:02}-{1 + (day + step) % 28:02}T10:00:00Z",
            "rating": 5,
            **given,
        }
        for step, kind in enumerate(kinds)
    ]


def films(
    memory: lamina.Memory, *walks: Iterable[dict[str, Any]], name: str = "films", share: bool = True
) -> Recommender:
    """Return a recommender in which users walked so, with what they share."""
    made = memory.recommender(name)
    made.add_items(ITEMS)
    acts = [act for each in walks for act in each]
    if acts:
        made.add_interactions(acts)
    if share:
        outcome = made.pool.refresh()
        assert (outcome.failed, outcome.waiting, outcome.troubles) == (0, 0, ())
    return made


def texts(pool: Pool, user: str | None = None, **when: Any) -> list[str]:
    """Return what is told to somebody, as text, in alphabetical order."""
    return sorted(pattern.to_text() for pattern in pool.patterns(user, **when))


def told(made: Recommender, *users: str | None, as_of: str | None = None) -> str:
    """Return all that anybody is told of the pool, as one text."""
    parts: list[Any] = []
    for user in (None, *users):
        parts += made.pool.patterns(user, as_of=as_of)
        if user is not None:
            for method in ("lamina", "amem4rec"):
                parts.append(made.rank(user, method=method, explain=True, as_of=as_of))
    shown = [part.to_dict() for part in parts]
    for each in shown:
        each.pop("pending", None)  # which is of now, whatever moment is asked of
    return json.dumps(shown, ensure_ascii=False)


def exported(pool: Pool) -> list[dict[str, Any]]:
    """Return what a pool exports, but for when it was recorded and for the order of its lines."""
    lines = [_timeless(json.loads(line)) for line in pool.export()]
    return sorted(lines, key=lambda line: json.dumps(line, sort_keys=True))


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _timeless(each) for key, each in value.items() if key != "recorded_at"}
    return [_timeless(each) for each in value] if isinstance(value, list) else value
