"""A small recommender, for tests of how its memory is formed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import lamina
from lamina.model import At, Note
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.strategies.atomrec.extractive import Extractive
from lamina.strategies.atomrec.stages import Forming
from lamina.testing import WordEncoder
from lamina.testing.clock import NOON

GENRES = ("Crime Drama", "Crime Noir", "Horror", "Horror Alien", "Comedy", "Comedy Drama")


class Counting(WordEncoder):
    """Counts how often it is asked, and for how many texts."""

    def __init__(self) -> None:
        self.calls: list[int] = []

    def encode(self, texts: Sequence[str]) -> Any:
        self.calls.append(len(texts))
        return super().encode(texts)


class Films:
    """A recommender of six films, and what is tested of it."""

    def __init__(self, memory: lamina.Memory) -> None:
        self.memory = memory
        self.recommender = memory.recommender("films")
        self.engine = self.recommender._engine
        self.store, self.scope = self.engine.store, self.recommender.scope
        self.recommender.add_items(
            {"id": str(i), "title": f"Film {i}", "categories": genres.split()}
            for i, genres in enumerate(GENRES)
        )

    def done(self, *acts: tuple[str, str, float], **given: Any) -> None:
        """Add what users did with items, so many minutes after noon."""
        self.recommender.add_interactions(
            {"user": user, "item": item, "timestamp": NOON + timedelta(minutes=minute), **given}
            for user, item, minute in acts
        )

    def formed(self, stages: Forming | None = None, **config: Any) -> list[str]:
        """Form notes of all that waits; return what failed."""
        made = stages or Extractive(AtomRecConfig(**config))
        self.engine = replace(self.engine, stages=lambda *_: made, atomrec=AtomRecConfig(**config))
        self.recommender._engine = self.engine
        return list(self.recommender.process().failed)

    def notes(self, at: datetime | None = None, **given: Any) -> list[Note]:
        """Return the notes, the first written first."""
        found = self.store.list_notes(
            self.scope, limit=1000, at=At(as_of=at) if at else None, **given
        )
        return found[::-1]

    def of(self, user: str, item: str) -> Note:
        [found] = [n for n in self.notes(kind="user_note") if (n.about, n.item) == (user, item)]
        return found
