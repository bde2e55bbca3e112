"""Putting items in order for a user; see `Recommender.rank`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lamina.errors import NotFound
from lamina.items import Item, Ranking
from lamina.memory.write import identifier
from lamina.model import At, Scope
from lamina.work import keeping
from lamina.work.engine import Engine


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a call to `rank` asks for."""

    user: str
    candidates: Sequence[str] | None = None
    instruction: str = ""
    top_k: int | None = None
    at: At | None = None
    explain: bool = False


def item(engine: Engine, scope: Scope, id_: str, at: At | None) -> Item:
    """Return an item as it was described last, by then. Raises `NotFound`, `BadInput`."""
    found = engine.store.described(scope, [identifier(id_)], at=at)
    if id_ not in found:
        raise NotFound(f"no item here has the id {id_!r:.60}")
    return keeping.item(found[id_])


def rank(engine: Engine, scope: Scope, wanted: Wanted) -> Ranking:
    """Return all known candidates, best first."""
    raise NotImplementedError
