"""The prompt, in a file, so that a change of wording shows as one. It has no slots."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def load(name: str) -> str:
    """Return the text of a prompt."""
    return (files(__name__) / f"{name}.md").read_text(encoding="utf-8").strip()
