"""Chats as the OpenAI interface writes them: one, a list of them, or one a line.

A chat is a list of messages, or an object with `messages` and perhaps an `id` and a time. Each is
a session of the one scope that the caller names. Where only the chat has a time, its messages are
a second apart; where nothing has, they are said when they are imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from lamina.errors import FormatError
from lamina.formats.conversation import Conversation, Keys, Turn
from lamina.formats.documents import member, values
from lamina.formats.messages import first_name, first_time, message, said

TURN_APART = timedelta(seconds=1)
_NAME_FIELDS = ("session_id", "id", "conversation_id")


def read(path: Path) -> Iterator[Conversation]:
    """Yield the one, unnamed conversation whose sessions are the file's chats.

    Raises:
        FormatError: The file is not in this schema.
    """
    yield Conversation(None, _turns(path))


def _turns(path: Path) -> Iterator[Turn]:
    for number, (where, chat) in enumerate(_chats(path), 1):
        yield from _chat(chat, where, f"{path.stem}-{number}")


def _chats(path: Path) -> Iterator[tuple[str, Any]]:
    for where, value in values(path):
        if isinstance(value, list) and value and _is_chat(value[0]):
            yield from ((f"{where}[{i}]", chat) for i, chat in enumerate(value))
        else:
            yield where, value


def _is_chat(value: Any) -> bool:
    return isinstance(value, list) or (isinstance(value, dict) and "messages" in value)


def _chat(chat: Any, where: str, name: str) -> Iterator[Turn]:
    began_at: datetime | None = None
    if isinstance(chat, dict):
        began_at = first_time(chat, where)
        name = first_name(chat, _NAME_FIELDS, where) or name
        chat, where = member(chat, "messages", list, where), f"{where}.messages"
    if not isinstance(chat, list):
        raise FormatError(f'{where}: expected a list of messages, or an object with "messages"')
    keys = Keys()
    for number, value in enumerate(chat):
        read = message(value, f"{where}[{number}]")
        read["key"] = keys.name(name, *said(read))
        if began_at and "timestamp" not in read:
            read["timestamp"] = began_at + number * TURN_APART
        yield Turn(name, read)
