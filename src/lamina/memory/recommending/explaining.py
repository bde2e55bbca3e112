"""What speaks for an item; see `Recommender.explain`."""

from __future__ import annotations

from dataclasses import dataclass

from lamina.model import At, Scope, Value
from lamina.work.engine import Engine


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation(Value):
    """What speaks for and against one item for one user."""


def explain(
    engine: Engine, scope: Scope, user: str, item: str, instruction: str, at: At | None
) -> Explanation:
    """Return what speaks for and against an item."""
    raise NotImplementedError
