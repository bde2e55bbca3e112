"""What is known of a user in all; see `Recommender.profile`."""

from __future__ import annotations

from dataclasses import dataclass

from lamina.model import At, Scope, Value
from lamina.work.engine import Engine


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile(Value):
    """Sides of a user's taste."""


def profile(engine: Engine, scope: Scope, user: str, at: At | None) -> Profile:
    """Return what is known of a user."""
    raise NotImplementedError
