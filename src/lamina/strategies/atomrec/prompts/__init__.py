"""The prompts, a file a stage, so that a change of wording shows as one.

They are fixed texts without slots: what was said comes in the prompt beside them, as JSON lines.
So nothing in it can be taken for a slot, and a provider can cache them.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Literal

Stage = Literal["write", "write_item", "link", "evolve", "reflect", "synthesise", "taste", "score"]


@cache
def load(stage: Stage, *besides: Literal["patterns"]) -> str:
    """Return the text of a stage, after what all of them say of notes, and of what is besides."""
    texts = (files(__name__) / f"{name}.md" for name in ("shown", *besides, stage))
    return "\n\n".join(text.read_text(encoding="utf-8").strip() for text in texts)
