"""Notes, messages, and the revisions of a note."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.table import Table
from rich.text import Text

from lamina.apps.cli.naming import short
from lamina.apps.cli.render import wording
from lamina.apps.cli.render.table import bold, dim, literal, table
from lamina.apps.cli.render.text import brief, folded, span, when
from lamina.model import Message, Note, Revision


def entries_table(entries: Sequence[Message | Note]) -> Table:
    """Return notes or messages in their order; the kind where there are notes."""
    kinds = not all(isinstance(entry, Message) for entry in entries)
    columns = ("When", "Who", *(("Kind",) if kinds else ()), "Text", "Id")
    return table(columns, (_row(entry, kinds) for entry in entries))


def entry(found: Message | Note) -> Iterable[Text | Table]:
    """Return all that is known of one note or message."""
    yield bold(found.text)
    facts = _of_message(found) if isinstance(found, Message) else _of_note(found)
    grid = Table.grid(padding=(0, 2))
    for name, value in facts:
        if value:
            grid.add_row(dim(name), literal(value))
    yield grid


def revisions_table(revisions: Sequence[Revision]) -> Table:
    """Return the revisions of a note, first to last."""
    return table(
        ("Revision", "Known", "Cause", "Text"),
        ((str(r.number), when(r.known_at), _cause(r), _words(r)) for r in revisions),
    )


def _words(revision: Revision) -> str | Text:
    text = brief(revision.text)
    return dim(text) if revision.withdrawn else text


def _cause(revision: Revision) -> str:
    by = f" ({revision.model})" if revision.model else ""
    gone = ", withdrawn" if revision.withdrawn else ""
    return f"{wording.became(revision.cause)}{by}{gone}"


def _row(found: Message | Note, kinds: bool) -> Sequence[str | Text]:
    if isinstance(found, Message):
        who, kind, time = found.speaker, "message", when(found.said_at)
    else:
        who, kind = found.about or found.said_by or "", str(found.kind)
        time = span(found.began_at, found.said_at)
    shown = (kind,) if kinds else ()
    return folded(time), who, *shown, brief(found.text), dim(short(found.id))


def _of_message(message: Message) -> Iterable[tuple[str, str]]:
    yield "kind", "message"
    yield "id", message.id
    yield "said by", f"{message.speaker} ({message.role})"
    yield "said", when(message.said_at)
    yield "session", message.session
    yield "memory", message.progress
    yield "key", message.key or ""


def _of_note(note: Note) -> Iterable[tuple[str, str]]:
    yield "kind", note.kind
    yield "id", note.id
    yield "about", note.about or ""
    yield "said by", f"{note.said_by} ({note.role})" if note.said_by else note.role
    yield "said", span(note.began_at, note.said_at)
    yield "holds from", when(note.valid_at) if note.valid_at else ""
    yield "holds until", when(note.invalid_at) if note.invalid_at else ""
    yield "certainty", note.certainty if note.supported else f"{note.certainty}, not supported"
    yield "revision", f"{note.revision}, by a person" if note.by_person else str(note.revision)
    yield "rests on", ", ".join(map(short, (*note.parents, *note.sources)))
