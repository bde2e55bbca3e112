"""LoCoMo's official schema: long conversations between two people, in dated sessions.

A turn is said a second after the one before it, and the first at its session's time, so that
order holds and no session runs into the next day. A session without a date follows the one before
it by an hour (or comes an hour before the first that has one); if none has a date, no time is told.
Times are read as UTC: the data names no zone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from lamina.errors import FormatError
from lamina.formats.conversation import Conversation, Turn
from lamina.formats.documents import expect, load, member, name

TURN_APART = timedelta(seconds=1)
UNDATED_APART = timedelta(hours=1)

_SESSION = re.compile(r"session_(\d+)")
_DATE = re.compile(
    r"(\d{1,2}):(\d{2})\s*([ap])\.?m\.?\s+on\s+(\d{1,2})\s+([a-z]+),?\s+(\d{4})", re.IGNORECASE
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


@dataclass(frozen=True, slots=True)
class _Session:
    id: str
    turns: list[Any]
    began_at: datetime | None
    where: str


def read(path: Path) -> Iterator[Conversation]:
    """Yield a file's conversations, each named by its `sample_id`.

    Raises:
        FormatError: The file is not in this schema.
    """
    document = load(path)
    listed = isinstance(document, list)
    seen: set[str] = set()
    for number, sample in enumerate(document if listed else [document]):
        where = f"{path.name}: $[{number}]" if listed else f"{path.name}: $"
        found = conversation(expect(sample, dict, where), where)
        if found.name is None or found.name in seen:
            raise FormatError(f"{where}.sample_id: {found.name} occurs twice")
        seen.add(found.name)
        yield found


def conversation(sample: dict[str, Any], where: str = "$") -> Conversation:
    """Return one sample of the data as a conversation.

    Args:
        sample: With `sample_id` and `conversation`; the rest is not looked at.
        where: Its place, for errors.
    """
    sample_id = name(member(sample, "sample_id", str, where), f"{where}.sample_id")
    talk = member(sample, "conversation", dict, where)
    sessions = _dated(_sessions(talk, f"{where}.conversation"))
    return Conversation(sample_id, _turns(sample_id, sessions))


def said_text(turn: dict[str, Any], where: str = "$") -> str:
    """Return what a turn says: its text, and what an image it shares shows, in brackets.

    >>> said_text({"text": "Look!", "blip_caption": "a photo of a dog"})
    'Look! [shares an image: a photo of a dog]'
    """
    text = expect(turn.get("text") or "", str, f"{where}.text")
    caption = expect(turn.get("blip_caption") or "", str, f"{where}.blip_caption")
    if not text and not caption:
        raise FormatError(f'{where}: expected "text"')
    image = f"[shares an image: {caption}]" if caption else ""
    return f"{text} {image}" if text and image else text or image


def message_key(sample_id: str, dia_id: str) -> str:
    """Return the key under which a turn is stored, such as `conv-26:D1:3`."""
    return f"{sample_id}:{dia_id}"


def session_time(text: str, where: str = "$") -> datetime:
    """Read a session's date.

    >>> session_time("1:56 pm on 8 May, 2023").isoformat()
    '2023-05-08T13:56:00+00:00'
    """
    found = _DATE.fullmatch(text.strip())
    if found:
        hour, minute, half, day, month, year = found.groups()
        try:
            return datetime(
                int(year), _MONTHS.index(month[:3].lower()) + 1, int(day),
                int(hour) % 12 + (12 if half.lower() == "p" else 0), int(minute), tzinfo=UTC,
            )  # fmt: skip
        except ValueError:
            pass  # No such month, day or hour: told below like any other misfit.
    raise FormatError(f"{where}: expected a date like '1:56 pm on 8 May, 2023', found {text!r}")


def _sessions(talk: dict[str, Any], where: str) -> list[_Session]:
    numbered = [(int(m[1]), id_) for id_ in talk if (m := _SESSION.fullmatch(id_))]
    if not numbered:
        raise FormatError(f'{where}: expected lists of turns named "session_1", "session_2", ...')
    found = []
    for _, id_ in sorted(numbered):
        turns = expect(talk[id_], list, f"{where}.{id_}")
        date = f"{id_}_date_time"
        text = expect(talk.get(date) or "", str, f"{where}.{date}")
        began_at = session_time(text, f"{where}.{date}") if text.strip() else None
        found.append(_Session(id_, turns, began_at, f"{where}.{id_}"))
    return [session for session in found if session.turns]


def _dated(sessions: list[_Session]) -> list[_Session]:
    """Give the sessions without a date a time that keeps their order."""
    first = next((i for i, session in enumerate(sessions) if session.began_at), None)
    if first is None:
        return sessions
    anchor = sessions[first].began_at
    assert anchor is not None
    dated: list[_Session] = []
    for number, session in enumerate(sessions):
        if number < first:
            began_at = anchor - (first - number) * UNDATED_APART
        else:
            began_at = session.began_at or (dated[-1].began_at or anchor) + UNDATED_APART
        dated.append(replace(session, began_at=began_at))
    return dated


def _turns(sample_id: str, sessions: list[_Session]) -> Iterator[Turn]:
    seen: Counter[str] = Counter()
    for session in sessions:
        for number, value in enumerate(session.turns):
            where = f"{session.where}[{number}]"
            turn = expect(value, dict, where)
            message = _message(sample_id, turn, where)
            key = message["key"]
            seen[key] += 1
            if seen[key] > 1:  # Some copies of the data number two turns alike.
                message["key"] = f"{key}#{seen[key]}"
            if session.began_at:
                message["timestamp"] = session.began_at + number * TURN_APART
            yield Turn(session.id, message)


def _message(sample_id: str, turn: dict[str, Any], where: str) -> dict[str, Any]:
    dia_id = name(member(turn, "dia_id", str, where), f"{where}.dia_id")
    metadata = {"dia_id": dia_id}
    if turn.get("img_url"):
        metadata["img_url"] = turn["img_url"]
    return {
        "role": "user",
        "speaker": name(member(turn, "speaker", str, where), f"{where}.speaker"),
        "content": said_text(turn, where),
        "key": message_key(sample_id, dia_id),
        "metadata": metadata,
    }
