"""Making anew what is derived: rows by the store, vectors and words by the encoder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from lamina.identity import digest
from lamina.model import Message, Note, Scope, Step, View
from lamina.ports import Document, Operation, Repaired, Writing
from lamina.work import indexing
from lamina.work.engine import Engine

AT_ONCE = 256
"""Documents that are written in one transaction."""

Lacking = tuple[Scope, View, str, int]
"""The scope, the view, the id of the message or note, and the revision or 0."""


def repair(engine: Engine, progress: Callable[[int, int], None] | None = None) -> Repaired:
    """Put right what is derived in a store, of everybody; what was said is not touched.

    Args:
        engine: Whose store it is.
        progress: Told (documents made anew or asked for, documents that lacked).

    Returns:
        What was wrong and is right now. Exchanges are made by work, which is asked for: call
        `process` after this. `lacking` is what could not be made: what it shows is not there.
    """
    found = engine.store.repair(now=engine.clock.now())
    rebuilt, done = Counter(found.rebuilt), 0
    left: list[Lacking] = []
    for scope in dict.fromkeys(scope for scope, _, _, _ in found.lacking):
        lacking = [each for each in found.lacking if each[0] == scope]
        made = _made_anew(engine, scope, lacking)
        rebuilt.update(f"{view}s" for _, view, _, _ in made)
        left += [each for each in lacking if each not in made]
        done += len(lacking)
        if progress:
            progress(done, len(found.lacking))
    return Repaired(rebuilt=dict(rebuilt), lacking=tuple(left))


def _made_anew(engine: Engine, scope: Scope, lacking: Sequence[Lacking]) -> set[Lacking]:
    """Write the turns and notes of a scope that lack, ask for its exchanges; return which."""
    held = engine.store.dump(scope)
    messages = {message.id: message for message in held.messages}
    notes = {(note.id, note.revision): note for note in held.revisions}
    shown = {each: text for each in lacking for text in _text(each, messages, notes)}
    for part in _parts(list(shown.items())):
        _write(engine, scope, part)
    waiting = [each for each in lacking if each[1] == "exchange" and each[2] in messages]
    sessions = dict.fromkeys(messages[id_].session for _, _, id_, _ in waiting)
    steps = [Step(kind="index", subject=session) for session in sessions]
    engine.store.enqueue(scope, steps, now=engine.clock.now())
    return {*shown, *waiting}


def _text(
    lacking: Lacking, messages: dict[str, Message], notes: dict[tuple[str, int], Note]
) -> Iterator[indexing.Text]:
    """Yield what a document is to show, if it is there."""
    _, view, id_, revision = lacking
    if view == "turn" and id_ in messages:
        yield indexing.turn(messages[id_])
    if view == "note" and (id_, revision) in notes:
        yield indexing.note(notes[id_, revision])


def _parts(
    shown: Sequence[tuple[Lacking, indexing.Text]],
) -> Iterator[Sequence[tuple[Lacking, indexing.Text]]]:
    for start in range(0, len(shown), AT_ONCE):
        yield shown[start : start + AT_ONCE]


def _write(engine: Engine, scope: Scope, part: Sequence[tuple[Lacking, indexing.Text]]) -> None:
    now = engine.clock.now()
    made = indexing.documents([text for _, text in part], engine.encoder)
    documents: list[Document] = [
        replace(document, revision=revision or None)
        for ((_, _, _, revision), _), document in zip(part, made, strict=True)
    ]
    refs = [f"{document.view} {document.ref} {document.revision}" for document in documents]
    operation = Operation(
        id=digest(scope.tenant, scope.kind, scope.id, "repair", now.isoformat(), *refs),
        kind="repair",
        cause="documents were missing or damaged",
        known_at=max(text.said_at for _, text in part),
        recorded_at=now,
    )
    engine.store.apply(scope, Writing(operation=operation, documents=tuple(documents)), now=now)
