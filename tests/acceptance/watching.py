"""A small recommender: who watched what when, and all that it tells of it."""

import json
from typing import Any

import lamina
from lamina.memory.recommending import Recommender

ITEMS: tuple[dict[str, Any], ...] = (
    {"id": "1", "title": "Laura", "categories": ["noir"], "description": "A detective in love."},
    {"id": "2", "title": "Gigi", "categories": ["musical"], "description": "Paris sings."},
    {"id": "3", "title": "Shane", "categories": ["western"], "description": "A rider comes."},
    {"id": "0", "title": "Zero", "categories": ["noir"], "description": "Nothing at all."},
)


def act(user: str, item: str, day: int, text: str = "", **given: Any) -> dict[str, Any]:
    """Return what a user did with an item on a day of January 2026."""
    return {
        "user": user,
        "item": item,
        "timestamp": f"2026-01-{day:02}T10:00:00Z",
        "rating": 4,
        "text": text,
        **given,
    }


def films(memory: lamina.Memory, *acts: dict[str, Any], name: str = "films") -> Recommender:
    """Return a recommender of all items in which this was done, with its notes formed."""
    made = memory.recommender(name)
    made.add_items(ITEMS)
    if acts:
        made.add_interactions(acts)
        made.process()
    return made


def told(made: Recommender, *users: str, as_of: str | None = None) -> str:
    """All that is told to some users, and to whoever runs it, as one text."""
    parts: list[Any] = [*made.list(as_of=as_of), *made.messages(as_of=as_of)]
    for user in users:
        parts += [
            made.rank(user, explain=True, as_of=as_of),
            made.rank(user, [item["id"] for item in ITEMS], explain=True, as_of=as_of),
            made.profile(user, as_of=as_of),
            *made.interactions(user, as_of=as_of),
        ]
        parts += [made.explain(user, item["id"], as_of=as_of) for item in ITEMS]
    parts += made.search("a detective", as_of=as_of)
    return json.dumps([part.to_dict() for part in parts], ensure_ascii=False)
