"""The prompts, a file a stage, so that a change of wording shows as one.

They are fixed texts without slots: what was done and said comes in the prompt beside them, as JSON
lines. So nothing in it can be taken for a slot, and a provider can cache them.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Literal

Stage = Literal["abstract", "judge", "judge_all"]


@cache
def load(stage: Stage) -> str:
    """Return the text of a stage."""
    return (files(__name__) / f"{stage}.md").read_text(encoding="utf-8").strip()
