"""Whether what is shown still holds, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lamina.apps.cli.naming import short
from lamina.apps.cli.render.text import day
from lamina.model import Hit, Note


def standing(found: Hit | Note) -> Iterator[str]:
    """Yield what is to be known of a note or hit before one relies on it.

    That is: how certain it is, from and until when it holds, what took its place, whose place it
    took, and what says otherwise.
    """
    if found.certainty != "stated":
        yield found.certainty
    if found.valid_at is not None:
        yield f"from {day(found.valid_at)}"
    if found.invalid_at is not None:
        yield f"until {day(found.invalid_at)}"
    if found.superseded_by is not None:
        yield f"superseded by {short(found.superseded_by)}"
    if isinstance(found, Hit):
        yield from _others("in place of", found.supersedes)
        yield from _others("disagrees with", found.disagrees_with)


def _others(how: str, ids: Sequence[str]) -> Iterator[str]:
    if ids:
        yield f"{how} {', '.join(map(short, ids))}"
