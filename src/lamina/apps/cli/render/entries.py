"""Notes, messages, and the revisions of a note."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from lamina.apps.cli.naming import short
from lamina.apps.cli.render import wording
from lamina.apps.cli.render.holding import standing
from lamina.apps.cli.render.table import bold, dim, literal, table
from lamina.apps.cli.render.text import brief, folded, span, when
from lamina.model import Message, Note, Revision

if TYPE_CHECKING:
    from lamina.ports import Grant


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
    """Return the revisions of a note, first to last, each with what it changed."""
    columns = ("Revision", "Known", "Cause", "Text", "Operation")
    return table(columns, map(_revision, revisions))


def grants_table(grants: Sequence[Grant]) -> Table:
    """Return who may do what in a shared space."""
    return table(
        ("Who", "May", "Since"),
        (
            (grant.principal, "read and write" if grant.write else "read", when(grant.given_at))
            for grant in grants
        ),
    )


def _revision(revision: Revision) -> Sequence[str | Text]:
    cause, operation = _cause(revision), dim(short(revision.operation))
    return str(revision.number), when(revision.known_at), cause, _words(revision), operation


def _words(revision: Revision) -> Text:
    text = brief(revision.text)
    words = dim(text) if revision.withdrawn else literal(text)
    if revision.difference:
        words = words.copy().append_text(dim(f"\n{revision.difference}"))
    return words


def _cause(revision: Revision) -> str:
    by = f" ({revision.model})" if revision.model else ""
    gone = ", withdrawn" if revision.withdrawn else ""
    became = "confirmed" if _confirms(revision) else wording.became(revision.cause)
    return f"{became}{by}{gone}"


def _confirms(revision: Revision) -> bool:
    """Whether it was compared with what was said later, which said the same."""
    return revision.cause == "supersede" and revision.superseded_by is None


def _row(found: Message | Note, kinds: bool) -> Sequence[str | Text]:
    if isinstance(found, Message):
        who, kind, time = found.speaker, "message", when(found.said_at)
    else:
        who, kind = found.about or found.said_by or "", str(found.kind)
        time = span(found.began_at, found.said_at)
    shown = (kind,) if kinds else ()
    return folded(time), who, *shown, _text(found), dim(short(found.id))


def _text(found: Message | Note) -> Text:
    text = literal(brief(found.text))
    told = "; ".join(standing(found)) if isinstance(found, Note) else ""
    return text.append_text(dim(f" ({told})")) if told else text


def _of_message(message: Message) -> Iterable[tuple[str, str]]:
    yield "kind", "message"
    yield "id", message.id
    yield "item", message.item or ""
    yield "what was done", _done(message)
    yield "said by", f"{message.speaker} ({message.role})"
    yield "written by", message.author or ""
    yield "said", when(message.said_at)
    yield "session", message.session
    yield "memory", message.progress
    yield "key", message.key or ""
    yield "added by", f"operation {short(message.operation)}" if message.operation else ""


def _done(message: Message) -> str:
    """Return what was done with an item, and how it was rated."""
    rating = "" if message.rating is None else f" {message.rating:g}"
    return f"{message.action or ''}{rating}"


def _of_note(note: Note) -> Iterable[tuple[str, str]]:
    yield "kind", note.kind
    yield "id", note.id
    yield "about", note.about or ""
    yield "item", note.item or ""
    yield "keywords", ", ".join(note.keywords)
    yield "tags", ", ".join(note.tags)
    yield "context", note.context
    yield "said by", f"{note.said_by} ({note.role})" if note.said_by else note.role
    yield "said", span(note.began_at, note.said_at)
    yield "holds from", when(note.valid_at) if note.valid_at else ""
    yield "holds until", when(note.invalid_at) if note.invalid_at else ""
    yield "superseded by", short(note.superseded_by) if note.superseded_by else ""
    support = "" if note.supported else ", not supported"
    yield "certainty", f"{note.certainty}{support}, confidence {note.confidence:.2f}"
    yield "revision", f"{note.revision}, by a person" if note.by_person else str(note.revision)
    yield "rests on", ", ".join(map(short, (*note.parents, *note.sources)))
