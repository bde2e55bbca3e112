"""Taking one new window into a pool of 100,000 patterns in SQLite: gate, judge, evolve, write.

`python -m benchmarks.pool_gate [PATTERNS] [WINDOWS] [--profile] [PATH.db]`. The model is scripted:
it links half of what it is shown. Vectors are made of hashed words. Told is the time of the whole
step, of which that of the model and of the encoder are taken off: of windows taken in one by one,
and of those of a call that takes in several, as `refresh` does. The store is kept where a path is
given, and used again if it is there.
"""

from __future__ import annotations

import cProfile
import pstats
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import lamina
from benchmarks.atomrec_build import Hashed, Timed
from benchmarks.pool_cost import Model
from benchmarks.pool_data import KINDS
from benchmarks.timing import table, timed, verdict
from lamina.adapters.sqlite import SqliteStore
from lamina.identity import digest, message_ids
from lamina.items import WINDOW
from lamina.model import Note, Scope, Step
from lamina.ports import MessageDraft, Operation, Writing
from lamina.strategies.amem4rec.stages import Abstraction
from lamina.work import indexing

if TYPE_CHECKING:
    from lamina.memory.pooling import Pool

COUNT = 100_000
WINDOWS = 96
TOGETHER = 32
"""Parts that `refresh` takes in at once where it asks a model."""
AT_ONCE = 2_000
USERS = 5_000
START = datetime(2025, 1, 1, tzinfo=UTC)
FILMS = Scope("", "recommender", "films")
POOL = Scope("", "pool", "films")
WRITE = Step(kind="write", subject="")
WAYS = ("repeats", "moves to", "alternates with", "narrows to", "widens to", "leaves for")
PACES = ("slowly", "in one evening", "over weeks", "on weekends", "late at night", "now and then")


def main() -> None:
    """Fill a pool, take in one window after the other, and tell what that took."""
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    paths = [Path(word) for word in sys.argv[1:] if word.endswith(".db")]
    count, windows = (numbers + [COUNT, WINDOWS][len(numbers) :])[:2]
    with tempfile.TemporaryDirectory() as folder:
        path = paths[0] if paths else Path(folder) / "memory.db"
        encoder = Timed(Hashed())
        if not path.exists():
            began = time.perf_counter()
            filled(path, encoder, count)
            print(f"{count} patterns stored in {time.perf_counter() - began:.0f} s", flush=True)
        measured(path, encoder, windows)


def measured(path: Path, encoder: Timed, windows: int) -> None:
    """Take in windows one by one, then together; print the time of each part of it."""
    model, profile = Model(), cProfile.Profile()
    store = SqliteStore(path)
    with lamina.open(path, encoder=encoder, llm=model) as memory:
        pool = memory.recommender("films").pool
        before = store.counts(POOL)["messages"]
        drawn = random.Random(f"new {before}")
        times = []
        for number in range(windows + 1):
            added(store, [draft(before + number, drawn)])
            shown = profile if number and "--profile" in sys.argv else None
            times.append(once(pool, encoder, model, shown))
        together, processor = list[float](), list[float]()
        for _ in range(max(3, windows // TOGETHER)):
            start = store.counts(POOL)["messages"]
            added(store, [draft(start + number, drawn) for number in range(TOGETHER)])
            took = once(pool, encoder, model, None)
            together.append(took[0] / TOGETHER)
            processor.append(took[3] / TOGETHER)
        print(f"the first, which reads the pool: {times[0][0]:.0f} ms; {model.calls} calls")
        own, encoding, judging, busy = (list(took) for took in zip(*times[1:], strict=True))
        alone, several = "a window alone", f"a window, {TOGETHER} by one call"
        rows = [
            (several, together),
            ("CPU of that, all included", processor),
            (alone, own),
            ("CPU of that, all included", busy),
            ("encoding, not counted above", encoding),
            ("the model, not counted above", judging),
            ("one commit, beside it", [timed(lambda: _commit(store)) for _ in own]),
        ]
        medians = table(rows)
        for name in (several, alone):
            verdict(f"ms, p50, {name}", medians[name], "below 25")
        counts = store.counts(POOL)
        print(f"{counts['patterns']} patterns, {counts['pending']} parts wait")
    store.close()
    if "--profile" in sys.argv:
        pstats.Stats(profile).sort_stats("cumulative").print_stats(45)


def once(
    pool: Pool, encoder: Timed, model: Model, profile: cProfile.Profile | None
) -> tuple[float, float, float, float]:
    """Take in what waits; return the milliseconds: our own, the encoder's, the model's, of CPU."""
    encoder.seconds = model.seconds = 0.0
    if profile:
        profile.enable()
    began, spent = time.perf_counter(), time.process_time()
    done = pool.process()
    seconds, spent = time.perf_counter() - began, time.process_time() - spent
    if profile:
        profile.disable()
    if done.failed:
        raise SystemExit(done.failed)
    own = seconds - encoder.seconds - model.seconds
    return 1000 * own, 1000 * encoder.seconds, 1000 * model.seconds, 1000 * spent


def _commit(store: SqliteStore) -> None:
    store.configure(FILMS, {"k": 3})


def filled(path: Path, encoder: Timed, count: int) -> None:
    """Store patterns, each with the part that founded it."""
    with lamina.open(path, encoder=encoder) as memory:
        memory.recommender("films").add_items([{"id": "0", "title": "Laura"}])
    store = SqliteStore(path)
    drawn = random.Random(0)
    for first in range(0, count, AT_ONCE):
        drafts = [draft(n, drawn) for n in range(first, min(first + AT_ONCE, count))]
        ids = added(store, drafts, steps=())
        store.apply(POOL, founding(drafts, ids, encoder), now=drafts[-1].said_at)
    store.close()


def founding(drafts: Sequence[MessageDraft], parts: Sequence[str], encoder: Timed) -> Writing:
    """Return what makes a pattern of each part, in one operation."""
    now = drafts[-1].said_at
    operation = Operation(
        id=digest("filling", *parts), kind="write", known_at=now, recorded_at=now, cause="filling"
    )
    notes = [
        Note(
            id=digest("pattern", part), kind="pattern", text=each.metadata["explanation"],
            context=each.metadata["description"], keywords=tuple(each.metadata["keywords"]),
            event=None, sources=(part,), began_at=each.said_at, said_at=each.said_at,
            known_at=now, recorded_at=now, operation=operation.id,
        )
        for part, each in zip(parts, drafts, strict=True)
    ]  # fmt: skip
    shown = [indexing.note(note) for note in notes]
    return Writing(
        operation=operation,
        notes=tuple(notes),
        documents=tuple(indexing.documents(shown, encoder)),
        progress=dict.fromkeys(parts, "bound"),
    )


def added(
    store: SqliteStore, drafts: Sequence[MessageDraft], steps: Sequence[Step] = (WRITE,)
) -> list[str]:
    """Store parts; return their ids."""
    now = drafts[-1].said_at
    ids = message_ids(POOL, drafts)
    operation = Operation(
        id=digest("adding", *ids), kind="add", known_at=now, recorded_at=now, cause="a benchmark"
    )
    store.append(POOL, drafts, [], steps=steps, now=now, operation=operation)
    return ids


def draft(number: int, drawn: random.Random) -> MessageDraft:
    """Return a part as `refresh` appends it: of one of many users, no two alike."""
    said = drawn_at_random(number, drawn)
    user, at = f"u{drawn.randrange(USERS)}", START + timedelta(minutes=5 * number)
    interactions = [digest("interaction", number, n) for n in range(3)]
    return MessageDraft(
        session=f"user:{user}", role="user", speaker=user, author=f"user:{user}", text=said.shown,
        said_at=at, timed=True, key=digest("window", *interactions), item="films", action=WINDOW,
        metadata={
            "explanation": said.explanation, "description": said.description,
            "keywords": list(said.keywords), "raw": False, "interactions": interactions,
            "names": [f"Title {number}", user], "began_at": (at - timedelta(days=2)).isoformat(),
        },
    )  # fmt: skip


def drawn_at_random(number: int, drawn: random.Random) -> Abstraction:
    """Return a tendency of two kinds out of thirty, told in one of many ways."""
    first, second, third = drawn.sample(KINDS, 3)
    way, pace = drawn.choice(WAYS), drawn.choice(PACES)
    return Abstraction(
        explanation=f"Interest in {first} {way} {second} and back to {third}, {pace}.",
        description=f"{first}, then {second}, then {third}; rated {number % 5} above their mean.",
        keywords=(first, second, third),
    )


if __name__ == "__main__":
    main()
