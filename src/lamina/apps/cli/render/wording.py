"""What the steps of memory are called before people."""

from __future__ import annotations

_MADE = {
    "bind": "read from",
    "consolidate": "summed up from",
    "update": "changed by",
}
_BECAME = {
    "bind": "read",
    "consolidate": "summed up",
    "update": "changed by a person",
}
_AWAITED = {"bind": "to read", "consolidate": "to sum up"}


def made(step: str, cause: str) -> str:
    """Return how something came about.

    >>> made("consolidate", "session s1"), made("update", "a person")
    ('summed up from session s1', 'changed by a person')
    """
    if not cause:
        return became(step)
    return f"{_MADE.get(step, f'{step} of')} {cause}"


def became(step: str) -> str:
    """Return what a step did to a note."""
    return _BECAME.get(step, step)


def awaited(step: str) -> str:
    """Return what a session waits for.

    >>> awaited("bind"), awaited("index")
    ('to read', 'to index')
    """
    return _AWAITED.get(step, f"to {step}")
