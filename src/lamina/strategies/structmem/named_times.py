"""The time that words name, as the moment from which on what they say holds."""

from __future__ import annotations

from datetime import datetime

from lamina.recall.time_words import resolve
from lamina.times import from_micros, offset_minutes


def named_time(words: str, said_at: datetime) -> datetime | None:
    """Return when the first time that `words` name begins, in the offset of `said_at`.

    "Yesterday I …", said on 2023-05-08, names 2023-05-07; words that name none give `None`.
    """
    spans = resolve(words, said_at)
    return from_micros(spans[0].start, offset_minutes(said_at)) if spans else None
