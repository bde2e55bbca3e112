"""A recommender whose users share a pool, for tests of what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import lamina
from lamina.memory.pooling import Pool
from lamina.model import At, Message, Note
from lamina.ports import LLM, NEVER, Failure
from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.strategies.amem4rec.stages import Abstraction, Judging, Linked, Window
from lamina.testing.clock import NOON

KINDS = ("Crime", "Horror", "Comedy", "Drama", "Western")

Judge = Callable[[Judging], "tuple[Linked, ...] | Failure"]
Abstract = Callable[[Window], "Abstraction | Failure | None"]


def told(window: Window) -> Abstraction:
    """Say which kinds a window has, each once, in order."""
    kinds = tuple(dict.fromkeys(kind for seen in window.seen for kind in seen.categories))
    return said(*kinds)


def said(*kinds: str, raw: bool = False) -> Abstraction:
    """Return what is said of a window with such kinds."""
    words = " ".join(kinds)
    return Abstraction(
        explanation=f"{words} {words} {words}",
        description="one after another",
        keywords=kinds,
        raw=raw,
    )


def silently(asked: Judging) -> tuple[Linked, ...]:
    """Link what says the very same, and leave its words."""
    return tuple(
        Linked(id=each.pattern.id, reason="the same", merged=None)
        for each in asked.candidates
        if set(each.pattern.said.keywords) & set(asked.new.keywords)
    )


def reworded(asked: Judging) -> tuple[Linked, ...]:
    """Link what shares a kind, and let it say how often it was said."""
    return tuple(
        replace(
            each,
            merged=replace(
                candidate.pattern.said,
                description=f"{candidate.pattern.said.description} again",
            ),
        )
        for each in silently(asked)
        for candidate in asked.candidates
        if candidate.pattern.id == each.id
    )


@dataclass
class Stages:
    """Stages that say what a test wants."""

    judging: Judge = silently
    abstracting: Abstract = told
    name: str = "amem4rec-scripted"
    model: str | None = None
    windows: list[Window] = field(default_factory=list)
    """What was abstracted."""
    asked: list[Judging] = field(default_factory=list)

    def abstract(self, windows: Sequence[Window]) -> list[Abstraction | Failure | None]:
        """See `Forming.abstract`."""
        self.windows += windows
        return [self.abstracting(window) for window in windows]

    def judge(self, asked: Judging) -> tuple[Linked, ...] | Failure:
        """See `Forming.judge`."""
        self.asked.append(asked)
        return self.judging(asked)


class Cinema:
    """A recommender of two films a kind, its pool, and what is tested of it."""

    def __init__(self, memory: lamina.Memory, stages: Stages | None = None, **config: Any) -> None:
        self.memory = memory
        self.films = memory.recommender("films")
        self.stages = stages or Stages()
        self.use(self.stages, **config)
        self.films.add_items(
            {"id": f"{kind}{i}", "title": f"Film {kind} number {i}", "categories": [kind]}
            for kind in KINDS
            for i in range(2)
        )

    def use(self, stages: Stages | None = None, llm: LLM | None = None, **config: Any) -> None:
        """Form the pool by these stages; with a model, they are told so."""
        self.stages = stages or self.stages
        chosen = self.stages
        self.engine = replace(
            self.films._engine,
            pool_stages=lambda *_: chosen,
            amem4rec=AMEM4RecConfig(**config),
            llm=lambda *_: llm,
        )
        self.films._engine = self.engine
        self.store = self.engine.store

    @property
    def pool(self) -> Pool:
        """The pool."""
        return self.films.pool

    def watched(self, user: str, *kinds: str, minute: float = 0) -> list[str]:
        """Let a user watch a film of each kind, one a minute; return the ids."""
        return list(
            self.films.add_interactions(
                {
                    "user": user,
                    "item": f"{kind}0",
                    "timestamp": NOON + timedelta(minutes=minute + i),
                }
                for i, kind in enumerate(kinds)
            ).ids
        )

    def patterns(self, at: datetime | None = None) -> list[Note]:
        """Return the patterns, the first written first."""
        moment = At(as_of=at) if at else None
        return self.store.list_notes(self.pool.scope, kind="pattern", limit=999, at=moment)[::-1]

    def parts(self, user: str | None = None) -> list[Message]:
        """Return the live parts, all or one user's, in the order recorded."""
        found = [m for m in self.store.latest(self.pool.scope, 9999) if m.item is not None]
        kept = [m for m in found if user is None or m.speaker == user]
        return sorted(kept, key=lambda m: m.position)

    def supported(self) -> dict[str, list[str]]:
        """Return who supports what now: by what a pattern says, users in the order taken in."""
        return {text: [user for user, _ in by] for text, by in self._support().items()}

    def _support(self) -> Mapping[str, list[tuple[str, str]]]:
        graph = self.store.graph(self.pool.scope)
        texts = {note.id: f"{note.text} {note.context}" for note in self.patterns()}
        found: dict[str, list[tuple[str, str]]] = {text: [] for text in texts.values()}
        support = graph.support
        for row, part in enumerate(support.parts):
            id_ = graph.note_names[support.of[row]]
            if support.known_until[row] == NEVER and id_ in texts:
                found[texts[id_]].append((graph.users[support.by[row]], part))
        return found


def exported(pool: Pool) -> list[str]:
    """Return the lines of an archive without the times at which they were recorded."""
    import json

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: bare(v) for k, v in value.items() if k != "recorded_at"}
        return [bare(each) for each in value] if isinstance(value, list) else value

    return [json.dumps(bare(json.loads(line)), sort_keys=True) for line in pool.export()]
