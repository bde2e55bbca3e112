"""JSON Lines: one message a line.

`{"role": "user", "speaker": "Ann", "text": "...", "timestamp": "2026-03-04T10:00:00Z",
"session_id": "s1", "key": "17"}`: only the text (or `content`) is required. A line without a key
and without a time gets a key made from its words, so that importing again changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lamina.formats.conversation import Conversation, Keys, Turn
from lamina.formats.documents import expect, lines
from lamina.formats.messages import first_name, message, said

DEFAULT_SESSION = "default"
_SESSION_FIELDS = ("session_id", "session")
_KEY_FIELDS = ("key", "id")


def read(path: Path) -> Iterator[Conversation]:
    """Yield the file's one, unnamed conversation; its lines are read as they are asked for.

    Raises:
        FormatError: A line is not a message.
    """
    yield Conversation(None, _turns(path))


def _turns(path: Path) -> Iterator[Turn]:
    keys = Keys()
    for where, value in lines(path):
        given = expect(value, dict, where)
        read = message(given, where, apart=(*_SESSION_FIELDS, *_KEY_FIELDS))
        session = first_name(given, _SESSION_FIELDS, where) or DEFAULT_SESSION
        key = first_name(given, _KEY_FIELDS, where)
        if key is None and "timestamp" not in read:
            key = keys.name(session, *said(read))
        if key is not None:
            read["key"] = key
        yield Turn(session, read)
