"""The prompts, in files, so that a change of wording shows as one.

They are fixed texts without slots: what was said comes in the prompt beside them, as JSON lines.
So nothing in it can be taken for a slot, and a provider can cache them.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def load(*names: str) -> str:
    """Return the texts of these prompts, one after the other, a blank line between."""
    texts = (files(__name__) / f"{name}.md" for name in names)
    return "\n\n".join(text.read_text(encoding="utf-8").strip() for text in texts)
