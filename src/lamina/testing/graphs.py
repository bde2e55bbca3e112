"""What a recommender's graph says, with names in place of numbers, so that two can be compared."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lamina.model import At, Message, Scope
from lamina.ports import NEVER, NOTE_KINDS, VIEWS, Graph, Store, is_interaction
from lamina.testing.factories import at
from lamina.times import to_micros

Row = tuple[Any, ...]


def micros(minute: float) -> int:
    """Return a moment so many minutes after noon, as graphs tell it."""
    return to_micros(at(minute))


def told(graph: Graph) -> Any:
    """Return what a graph says, with names in place of numbers, and in an order of its own.

    What counts at no moment is left out, and so is who or what only that names.
    """
    done, noted, links = _done(graph), rows(graph), _links(graph)
    users = {*(each[0] for each in done), *(each[2] for each in noted)}
    items = {*(each[1] for each in done), *(each[3] for each in noted)}
    return (
        sorted(user for user in graph.users if user in users),
        sorted(item for item in graph.items if item in items),
        done,
        noted,
        links,
    )


def _done(graph: Graph) -> list[Row]:
    """Return who did what with which item when, until when that is told, how and by what."""
    return [
        (
            graph.users[graph.by[i]],
            graph.items[graph.of[i]],
            int(graph.said_at[i]),
            int(graph.gone_at[i]),
            None if math.isnan(graph.ratings[i]) else float(graph.ratings[i]),
            graph.action_names[graph.actions[i]],
            message,
        )
        for i, message in enumerate(graph.messages)
        if graph.said_at[i] < graph.gone_at[i]
    ]


def rows(graph: Graph) -> list[Row]:
    """Return what, its id, whose, about what, done and known from and until when, its vector."""
    kinds, users, items = (*NOTE_KINDS, None), (*graph.users, None), (*graph.items, None)
    found = [
        (
            kinds[graph.kinds[n]],
            ref,
            users[graph.whose[n]],
            items[graph.about[n]],
            int(graph.done_at[n]),
            int(graph.known_from[n]),
            int(graph.known_until[n]),
            tuple(np.round(graph.vectors[n], 5).tolist()),
        )
        for n, ref in enumerate(graph.refs)
        if graph.known_from[n] < graph.known_until[n]
    ]
    return sorted(found, key=repr)


def _links(graph: Graph) -> list[Row]:
    spans = zip(graph.refs, graph.known_from, graph.known_until, strict=True)
    shown = {ref for ref, since, until in spans if since < until}
    names = graph.note_names
    links = [
        (names[source], names[target], int(known_from))
        for source, target, known_from in zip(
            graph.link_from, graph.link_to, graph.link_known_from, strict=True
        )
    ]
    return sorted(each for each in links if {each[0], each[1]} <= shown)


def supported(graph: Graph) -> list[Row]:
    """Return by what each pattern is supported: in the order written, what counts at no moment not.

    That is pattern, number of the revision, part, user, when done, known from and until when.
    """
    rests = graph.support
    return [
        (
            graph.note_names[rests.of[s]],
            int(rests.revisions[s]),
            part,
            graph.users[rests.by[s]],
            int(rests.at[s]),
            int(rests.known_from[s]),
            int(rests.known_until[s]),
        )
        for s, part in enumerate(rests.parts)
        if rests.known_from[s] < rests.known_until[s]
    ]


def supporting(graph: Graph, minute: float) -> set[tuple[str, int, str]]:
    """Return of which pattern which revision takes in whose part, of those that count then."""
    t = micros(minute)
    return {(row[0], row[1], row[3]) for row in supported(graph) if row[5] < t <= row[6]}


def counting(graph: Graph, minute: float) -> Any:
    """Return the interactions, documents and links that count then."""
    t = micros(minute)
    live = [n for n in range(len(graph.refs)) if graph.known_from[n] < t <= graph.known_until[n]]
    names = {graph.refs[n] for n in live}
    return (
        [each[6] for each in _done(graph) if each[2] < t <= each[3]],
        sorted((graph.refs[n], rounded(graph.vectors[n])) for n in live),
        sorted(each[:2] for each in _links(graph) if each[2] < t and {*each[:2]} <= names),
    )


def read_then(store: Store, owner: Scope, minute: float) -> Any:
    """Return the same from what reads tell as of that moment.

    Reads also tell links of notes that no search finds then; in a graph those have no rows.
    """
    moment = At(as_of=at(minute))
    done = [m for m in store.latest(owner, 99, at=moment) if is_interaction(m)]
    notes = [n.id for n in store.list_notes(owner, at=moment, superseded=True)]
    with store.snapshot(owner, at=moment) as snapshot:
        documents = snapshot.documents
        views = [VIEWS[view] for view in documents.views]
        shown = [
            (ref, rounded(documents.vectors[row]))
            for row, (ref, view) in enumerate(zip(documents.refs, views, strict=True))
            if view == "note" or _describes(store, owner, ref)
        ]
    refs = {ref for ref, _ in shown}
    linked = {(each.source, each.target) for each in store.links(owner, notes, at=moment)}
    links = {ends for ends in linked if refs.issuperset(ends)}
    return [m.id for m in done], sorted(shown), sorted(links)


def _describes(store: Store, owner: Scope, id_: str) -> bool:
    found: list[Message] = store.recorded(owner, [id_])
    return bool(found) and found[0].item is not None


def rounded(row: Any) -> tuple[float, ...]:
    """Return a vector to five digits."""
    return tuple(np.round(row, 5).tolist())


def live(graph: Graph, *names: str) -> set[Row]:
    """Return these columns of the rows that count now."""
    columns = ("kind", "ref", "user", "item", "done", "since", "until", "vector")
    places = [columns.index(name) for name in names]
    return {tuple(row[i] for i in places) for row in rows(graph) if row[6] == NEVER}
