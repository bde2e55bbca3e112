"""The time that words name, as the moment from which on what they say holds."""

from __future__ import annotations

import re
from datetime import datetime

from lamina.recall.time_words import resolve
from lamina.times import from_micros, offset_minutes

_TAKES_SO_LONG = re.compile(r"in \w+ (?:minute|hour|day|week|month|year)s?", re.IGNORECASE)
"""Words that tell how long something took as often as when it will be."""


def named_time(words: str, said_at: datetime) -> datetime | None:
    """Return when the first time that `words` name begins, in the offset of `said_at`.

    "Yesterday I …", said on 2023-05-08, names 2023-05-07; words that name none give `None`.
    """
    for span in resolve(words, said_at):
        if not _TAKES_SO_LONG.fullmatch(span.phrase):
            return from_micros(span.start, offset_minutes(said_at))
    return None
