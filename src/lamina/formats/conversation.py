"""What every format is read into."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lamina.identity import digest


@dataclass(frozen=True, slots=True)
class Turn:
    """One message to import."""

    session: str
    message: Mapping[str, Any]
    """As `add` takes it: role, content, and what else the file tells."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """What belongs in one scope."""

    name: str | None
    """What the file calls it; `None` where the caller has to say whose it is."""
    turns: Iterator[Turn]
    """In the order said; to be read once. Raises `FormatError` where the file goes wrong."""


class Keys:
    """Names messages that have no name of their own, so that importing again changes nothing."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def name(self, *parts: str) -> str:
        """Return a key for what was said; the same words said again are told apart by count.

        >>> keys = Keys()
        >>> keys.name("s1", "hello") == keys.name("s1", "hello")
        False
        >>> keys.name("s1", "bye") == Keys().name("s1", "bye")
        True
        """
        said = digest("import", *parts)
        self._seen[said] += 1
        return said if self._seen[said] == 1 else f"{said}-{self._seen[said]}"
