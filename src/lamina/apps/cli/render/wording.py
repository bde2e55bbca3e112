"""What the steps of memory are called before people."""

from __future__ import annotations

from lamina.apps.cli.render.text import shortened

_MADE = {
    "bind": "read from",
    "consolidate": "summed up from",
    "update": "changed by",
    "add": "added by",
    "import": "imported from",
    "supersede": "compared after",
    "sweep": "put beside its kin from",
    "write": "written of",
}
_BECAME = {
    "add": "added",
    "import": "imported",
    "bind": "read",
    "supersede": "superseded",
    "consolidate": "summed up",
    "sweep": "put beside its kin",
    "update": "changed by a person",
    "merge": "merged with a twin",
    "write": "written",
}
_AWAITED = {
    "bind": "to read",
    "supersede": "to compare",
    "consolidate": "to sum up",
    "sweep": "to sweep",
}


def made(step: str, cause: str) -> str:
    """Return how something came about.

    >>> made("consolidate", "session s1"), made("update", "a person")
    ('summed up from session s1', 'changed by a person')
    """
    if not cause:
        return became(step)
    return f"{_MADE.get(step, f'{step} of')} {shortened(cause)}"


def became(step: str) -> str:
    """Return what a step did to a note."""
    return _BECAME.get(step, step)


def awaited(step: str) -> str:
    """Return what a session waits for.

    >>> awaited("bind"), awaited("index")
    ('to read', 'to index')
    """
    return _AWAITED.get(step, f"to {step}")
