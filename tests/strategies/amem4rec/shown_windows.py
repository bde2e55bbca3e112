"""Windows and what is judged, as the stages are shown them."""

from typing import Any

from lamina.strategies.amem4rec.stages import (
    Abstraction,
    Candidate,
    Judging,
    Seen,
    Standing,
    Window,
)
from lamina.testing.factories import at


def seen(categories: str = "", rating: float | None = None, **given: Any) -> Seen:
    """Return an interaction; `categories` with "|" between."""
    named = tuple(name for name in categories.split("|") if name)
    return Seen(**{"title": "", "action": "rate", "categories": named, "rating": rating} | given)


def window(*told: Seen, user: str = "ann-secret", names: tuple[str, ...] = ()) -> Window:
    """Return a window of a user; its names are the titles, `names`, and the user's id."""
    titles = tuple(each.title for each in told if each.title)
    return Window(
        user=user,
        interactions=("i1", "i2"),
        seen=told,
        names=(*titles, *names, user),
        began_at=at(0),
        said_at=at(1),
    )


def titled(*titles: str, categories: str = "Crime", rating: float | None = 4.0) -> Window:
    """Return a window of things of one kind."""
    return window(*(seen(categories, rating, title=title) for title in titles))


def said(explanation: str, description: str, *keywords: str) -> Abstraction:
    return Abstraction(explanation=explanation, description=description, keywords=keywords)


def candidate(id_: str, told: Abstraction, weight: float = 1.0, count: int = 0) -> Candidate:
    standing = Standing(id=id_, said=told, evolution_count=count)
    return Candidate(pattern=standing, similarity=0.8, weight=weight)


def judging(new: Abstraction, *candidates: Candidate, names: tuple[str, ...] = ()) -> Judging:
    return Judging(new=new, candidates=candidates, names=names)
