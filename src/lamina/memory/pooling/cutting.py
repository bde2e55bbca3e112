"""What users did by now, cut into windows, beside the parts that a pool has of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from lamina.identity import digest, keyed_id
from lamina.items import WINDOW, Item
from lamina.memory.pooling.leaving import left
from lamina.memory.pooling.withdrawing import RETURNING
from lamina.memory.write import MOST
from lamina.model import Message, Scope
from lamina.ports import NEVER, Graph, MessageDraft, Store, is_interaction
from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.strategies.amem4rec.stages import Abstraction, Window
from lamina.strategies.amem4rec.windows import Done, in_order, windows
from lamina.times import from_micros
from lamina.work import keeping
from lamina.work.pools import recommender_of

Place: TypeAlias = tuple[str, tuple[str, ...]]
"""A user and the ids of the interactions of one of their windows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Todo:
    """What a refresh has to do."""

    windows: int
    """How many there are now of users who have a part."""
    new: tuple[Window, ...]
    """Those without a part, in the order in which they are to be taken in."""
    raw: tuple[Window, ...]
    """Those whose part is raw, to be told anew by a model."""
    gone: tuple[Message, ...]
    """Parts whose window is there no longer, or that are there twice."""
    old: dict[Place, Message]
    """The raw parts of `raw`."""
    times: dict[Place, int]
    """How many names of parts a window has used up; none where it has none yet."""
    removed: int
    """Windows whose part somebody deleted, undid or set aside."""
    left: int
    """Users who left."""


def compare(store: Store, scope: Scope, config: AMEM4RecConfig) -> Todo:
    """Return what has to be done for a pool to hold what users did by now."""
    recommender = recommender_of(scope)
    away = left(store, recommender)
    did = _did(store, recommender)
    found = [
        window
        for user, each in did.items()
        if user not in away
        for window in windows(user, each, config)
    ]
    cut = {place_of(window): window for window in in_order(found, config.seed, config.order)}
    had = _parts(store, scope)
    lacking = [window for place, window in cut.items() if place not in had]
    raw = {place: had[place][0] for place in cut if place in had and is_raw(had[place][0])}
    times, out = _taken(store, scope, [*map(place_of, lacking), *raw])
    there = _kept_since(store, scope, map(place_of, lacking), times)
    return Todo(
        windows=len(cut),
        new=tuple(window for window in lacking if place_of(window) not in out | there),
        raw=tuple(cut[place] for place in raw),
        gone=tuple(
            part for place, parts in had.items() for part in (parts[1:] if place in cut else parts)
        ),
        old=raw,
        times=times,
        removed=len(out),
        left=len(away & did.keys()),
    )


def place_of(window: Window) -> Place:
    """Return by what a window is told from others."""
    return window.user, window.interactions


def part(scope: Scope, window: Window, said: Abstraction, time: int) -> MessageDraft:
    """Return the part of a window, as it is kept.

    Args:
        scope: The pool.
        window: What the user did.
        said: That in general terms.
        time: How many names of parts the window has used up.
    """
    key = _key(place_of(window), raw=said.raw, time=time)
    return MessageDraft(
        session=keeping.session(window.user),
        role="user",
        speaker=window.user,
        author=keeping.session(window.user),
        text=said.shown,
        said_at=window.said_at,
        timed=True,
        key=key,
        item=scope.id,
        action=WINDOW,
        metadata={
            "explanation": said.explanation,
            "description": said.description,
            "keywords": list(said.keywords),
            "raw": said.raw,
            "interactions": list(window.interactions),
            "names": list(window.names),
            "began_at": window.began_at.isoformat(),
        },
    )


def _did(store: Store, recommender: Scope) -> dict[str, list[Done]]:
    """Return what each user did that counts now, oldest first."""
    graph = store.graph(recommender)
    described = store.described(recommender, list(graph.items))
    items = [
        keeping.item(described[id_]) if id_ in described else Item(id=id_) for id_ in graph.items
    ]
    found: dict[str, list[Done]] = defaultdict(list)
    for row in np.flatnonzero(graph.gone_at == NEVER).tolist():
        found[graph.users[graph.by[row]]].append(done(graph, row, items[graph.of[row]]))
    return found


def done(graph: Graph, row: int, item: Item) -> Done:
    """Return one interaction of a recommender, by its row of the graph, with its item."""
    rating = float(graph.ratings[row])
    return Done(
        id=graph.messages[row],
        item=item,
        action=graph.action_names[graph.actions[row]],
        rating=None if np.isnan(rating) else rating,
        said_at=from_micros(int(graph.said_at[row])),
    )


def _parts(store: Store, scope: Scope) -> dict[Place, list[Message]]:
    """Return the live parts of each window: what a model told first, then what was added first."""
    said = [m for m in store.latest(scope, MOST) if is_interaction(m)]
    found: dict[Place, list[Message]] = defaultdict(list)
    for part in sorted(said, key=lambda m: (is_raw(m), m.position)):
        found[part.speaker, tuple(part.metadata.get("interactions", ()))].append(part)
    return found


def is_raw(part: Message) -> bool:
    """Whether a part was selected, for what a model replied could not be used."""
    return bool(part.metadata.get("raw"))


def _taken(
    store: Store, scope: Scope, asked: Sequence[Place]
) -> tuple[dict[Place, int], set[Place]]:
    """Return how many names of parts each window has used up, and of which somebody put one out.

    What `refresh` itself withdrew comes back with its window, as another part; what somebody
    deleted, rolled back or quarantined does not.
    """
    times: dict[Place, int] = {}
    out: set[Place] = set()
    while asked:
        ids = {
            place: [_id(scope, place, raw=raw, time=times.get(place, 0)) for raw in (False, True)]
            for place in asked
        }
        known = store.known(scope, [id_ for both in ids.values() for id_ in both])
        asked = [place for place, both in ids.items() if known.intersection(both)]
        held = _held(store, scope, sorted(known))
        out.update(place for place in asked if held.intersection(ids[place]))
        times.update((place, times.get(place, 0) + 1) for place in asked)
    return times, out


def _kept_since(
    store: Store, scope: Scope, lacking: Iterable[Place], times: Mapping[Place, int]
) -> set[Place]:
    """Return the windows whose last part is live: another refresh has kept it meanwhile."""
    last = {
        _id(scope, place, raw=raw, time=times[place] - 1): place
        for place in lacking
        if place in times
        for raw in (False, True)
    }
    return {last[message.id] for message in store.messages(scope, list(last))} if last else set()


def _held(store: Store, scope: Scope, ids: Sequence[str]) -> set[str]:
    """Return which of these parts something else than a refresh has put out of force."""
    if not ids:
        return set()
    marks = [(gone.id, by) for gone, by in store.marks_on(scope, "message", ids)]
    added = [(part.id, part.operation or "") for part in store.recorded(scope, ids)]
    asked = list(dict.fromkeys(by for _, by in (*marks, *added)))
    by_id = {each.id: each for each in store.operations(scope, asked)}
    holding = {i for i, each in by_id.items() if not each.undone_by and each.kind != RETURNING}
    undone = {i for i, each in by_id.items() if each.undone_by}
    return {id_ for id_, by in marks if by in holding} | {id_ for id_, by in added if by in undone}


def _key(place: Place, *, raw: bool, time: int) -> str:
    """Return the name of the part of a window: the same, as long as it was never withdrawn."""
    again = ("again", str(time)) if time else ()
    return digest("window", *place[1], *(("raw",) if raw else ()), *again)


def _id(scope: Scope, place: Place, *, raw: bool, time: int) -> str:
    return keyed_id(scope, _key(place, raw=raw, time=time), keeping.session(place[0]))
