"""Taking a memory out whole, and putting it in again: archives and backups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lamina.errors import BadInput, Conflict, FormatError, NotFound
from lamina.formats import archive as archives
from lamina.model import Note, Scope, Step, Value
from lamina.ports import Archive, Document, is_interaction
from lamina.work import indexing
from lamina.work.atomic import AGAIN, WAITING
from lamina.work.engine import Engine

if TYPE_CHECKING:
    from lamina.formats.archive import Header

AT_ONCE = 256
"""Texts that are encoded between two words about how far it is."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored(Value):
    """What was put in from an archive."""

    scope: Scope
    messages: int
    operations: int
    revisions: int
    links: int
    grants: int


def export(engine: Engine, scope: Scope) -> Iterator[str]:
    """Return all that a scope has as the lines of an archive, each with its line end.

    It is one state, read when this is called; see `lamina.formats.archive`. Vectors, waiting
    work, kept replies and costs are not in it.
    """
    held = engine.store.dump(scope)
    return archives.write(scope, engine.encoder.space.id, held)


def read(lines: Iterable[str]) -> tuple[Header, Archive]:
    """Return what an archive holds. Raises `FormatError`, which names the line."""
    return archives.read(lines)


def restore(
    engine: Engine, scope: Scope, header: Header, archive: Archive, progress: Progress | None = None
) -> Restored:
    """Put an archive into a scope that holds nothing, with its ids, times and revisions.

    Ids stay as they are, also in a scope of another name. Vectors are made with the encoder at
    hand, and what is to be done with the messages is asked for again.

    Raises:
        BadInput: The scope holds something, or is of another kind.
        FormatError: The archive names something that it does not hold.
    """
    if header.scope.kind != scope.kind:
        raise BadInput(f"this is the archive of a {header.scope.kind}; restore it into one")
    if any(engine.store.counts(scope).values()):
        raise BadInput(_occupied(scope))
    documents = _documents(engine, _texts(archive), progress)
    try:
        engine.store.load(scope, archive, documents, steps=_steps(archive), now=engine.clock.now())
    except Conflict as error:
        raise BadInput(_occupied(scope)) from error
    except NotFound as error:
        raise FormatError(f"the archive is not whole: {error}") from error
    return _restored(scope, archive)


def _occupied(scope: Scope) -> str:
    return f"the {scope.kind} {scope.id!r} has a memory already; restore into one that has none"


def _restored(scope: Scope, archive: Archive) -> Restored:
    return Restored(
        scope=scope,
        messages=len(archive.messages),
        operations=len(archive.operations),
        revisions=len(archive.revisions),
        links=len(archive.links),
        grants=len(archive.grants),
    )


def _texts(archive: Archive) -> list[tuple[indexing.Text, int | None]]:
    """Return what is to be found: each message, and each revision that says something new."""
    undone = {operation.id for operation in archive.operations if operation.undone_by}
    shown: list[tuple[indexing.Text, int | None]] = [
        (indexing.turn(message), None)
        for message in archive.messages
        if not is_interaction(message)
    ]
    before: dict[str, Note] = {}
    for note in archive.revisions:
        old = before.get(note.id)
        stands = old and old.indexed and old.operation not in undone
        if note.indexed and not (old and stands and _told(old) == _told(note)):
            shown.append((indexing.note(note), note.revision))
        before[note.id] = note
    return shown


def _told(note: Note) -> tuple[object, ...]:
    """Return what has to be the same for two revisions to share a document."""
    return note.text, note.keywords, note.tags, note.context


def _documents(
    engine: Engine,
    texts: Sequence[tuple[indexing.Text, int | None]],
    progress: Progress | None,
) -> list[Document]:
    documents: list[Document] = []
    for start in range(0, len(texts), AT_ONCE):
        part = texts[start : start + AT_ONCE]
        made = indexing.documents([text for text, _ in part], engine.encoder)
        documents += [
            replace(document, revision=revision)
            for document, (_, revision) in zip(made, part, strict=True)
        ]
        if progress:
            progress(len(documents), len(texts))
    return documents


def _steps(archive: Archive) -> list[Step]:
    """Return the work that the messages cause: what was waiting does so again."""
    spoken = [message for message in archive.messages if message.item is None]
    sessions = dict.fromkeys(message.session for message in spoken)
    unformed = [m for m in archive.messages if m.progress in ("pending", "unextracted")]
    waiting = dict.fromkeys(m.session for m in unformed if m.item is None)
    unconsolidated = {message.session for message in spoken if not message.consolidated}
    return [
        *(
            Step(kind="write", subject=subject)
            for progress, subject in (("pending", WAITING), ("unextracted", AGAIN))
            if any(m.progress == progress for m in unformed if is_interaction(m))
        ),
        *(Step(kind="index", subject=session) for session in sessions),
        *(Step(kind="bind", subject=session) for session in waiting),
        *(
            Step(kind="consolidate", subject=session)
            for session in archive.closed
            if session in unconsolidated
        ),
    ]
