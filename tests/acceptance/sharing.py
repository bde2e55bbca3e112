"""A process of several threads that write, read and change one memory, and time each call.

Each thread works on an owner that all share and on one of its own, and sees after each call that it
reads what it wrote. It prints JSON, an object a thread: the milliseconds of each call by verb, what
it added to the shared scope, and how often another one was first. An error ends its thread.
"""

import json
import random
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import lamina
from lamina.errors import BadInput, Conflict, NotFound
from lamina.testing.encoder import WordEncoder

SHARED = "everybody"
VERBS = ("add", "search", "update", "delete", "rollback", "process")
WEIGHTS = (40, 30, 8, 8, 6, 8)
CITIES = ("Oslo", "Rome", "Bern", "Kyiv", "Lima")


class Worker:
    """One thread: draws what to do next, does it, and reads it back."""

    def __init__(self, memory: lamina.Memory, name: str) -> None:
        self.name = name
        self.drawn = random.Random(name)
        self.own = memory.user(name)
        self.shared = memory.user(SHARED)
        self.times: dict[str, list[float]] = defaultdict(list)
        self.added: dict[str, str] = {}
        """What is in the shared scope by this thread: text by id."""
        self.overtaken = 0
        """Calls that found that another thread had been there first, and said so."""

    def work(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            [verb] = self.drawn.choices(VERBS, WEIGHTS)
            began = time.perf_counter()
            try:
                getattr(self, verb)(self.drawn.choice([self.own, self.shared]))
            except (Conflict, NotFound, BadInput):
                self.overtaken += 1
            else:
                self.times[verb].append((time.perf_counter() - began) * 1000)

    def add(self, user: lamina.Handle) -> None:
        text = f"{self.name} saw {self.drawn.choice(CITIES)} ({self.drawn.random()})."
        [id_] = user.add(text, session_id=self.name).ids
        if user is self.shared:
            self.added[id_] = text
        message = user.get(id_)
        assert message.text == text
        hits = user.search(text, top_k=5)  # somebody may have made, and corrected, a note of it
        assert any(id_ in (hit.id, *hit.sources) for hit in hits)

    def search(self, user: lamina.Handle) -> None:
        user.search(self.drawn.choice(CITIES))

    def update(self, user: lamina.Handle) -> None:
        note = self.any_of(user.list(limit=20))
        text = f"{self.name} corrects it ({self.drawn.random()})."
        user.update(note, text)
        assert text in [revision.text for revision in user.history(note)]

    def delete(self, user: lamina.Handle) -> None:
        id_ = self.mine(user)
        operation = user.delete(id_)
        assert id_ not in [message.id for message in user.messages(session_id=self.name)]
        text = self.added.pop(id_, None)
        if self.drawn.random() < 0.5:
            user.rollback(operation.id)
            assert user.get(id_)
            if text is not None:
                self.added[id_] = text

    def rollback(self, user: lamina.Handle) -> None:
        """Undo an edit or an extraction; what was said stays."""
        kinds = ("update", "bind", "consolidate", "supersede")
        user.rollback(self.any_of(user.operations(kinds=kinds, limit=5)))

    def process(self, user: lamina.Handle) -> None:
        outcome = user.process()
        assert outcome.failed == ()

    def mine(self, user: lamina.Handle) -> str:
        """A message that this thread added, since only those are its own to delete."""
        return self.any_of(user.messages(session_id=self.name, limit=20))

    def any_of(self, found: Any) -> str:
        if not found:
            raise NotFound("nothing yet")
        chosen: str = self.drawn.choice(found).id
        return chosen


def main(path: str, name: str, threads: str, seconds: str) -> None:
    memory = lamina.open(Path(path), encoder=WordEncoder())
    workers = [Worker(memory, f"{name}-{number}") for number in range(int(threads))]
    running = [threading.Thread(target=w.work, args=(float(seconds),)) for w in workers]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    memory.close()
    told = [{"times": w.times, "added": w.added, "overtaken": w.overtaken} for w in workers]
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
