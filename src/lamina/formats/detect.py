"""Tell which format a file is in, by its first value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

from lamina.errors import FormatError
from lamina.formats import jsonl, locomo, openai_messages
from lamina.formats.conversation import Conversation
from lamina.formats.documents import by_lines, values

Format = Literal["locomo", "openai", "jsonl"]
READERS: dict[Format, Callable[[Path], Iterator[Conversation]]] = {
    "locomo": locomo.read,
    "openai": openai_messages.read,
    "jsonl": jsonl.read,
}


def read(path: Path, format: Format | None = None) -> Iterator[Conversation]:
    """Yield a file's conversations. What is wrong further on is found only when it is reached.

    Args:
        path: The file.
        format: `None` to tell by its content.

    Raises:
        FormatError: It is not in this format, or in none that we know.
    """
    return READERS[format or detect(path)](path)


def detect(path: Path) -> Format:
    """Return the format of a file. Raises `FormatError` if it is none that we know."""
    first = next(values(path), None)
    if first is None:
        raise FormatError(f"{path.name}: the file is empty")
    found = _shape(first[1], alone=by_lines(path))
    if found is None:
        raise FormatError(
            f"{path.name}: neither a LoCoMo file, nor chat messages, nor a message a line;"
            " name the format with --format"
        )
    return found


def _shape(value: Any, *, alone: bool) -> Format | None:
    """Tell by one value; `alone` if it stands on a line by itself."""
    if isinstance(value, list):
        return _shape_of_list(value)
    if not isinstance(value, dict):
        return None
    if "conversation" in value and "messages" not in value and "text" not in value:
        return "locomo"
    if "messages" in value:
        return "openai"
    return "jsonl" if alone and ("text" in value or "content" in value) else None


def _shape_of_list(value: list[Any]) -> Format | None:
    first = value[0] if value else None
    if isinstance(first, dict) and "role" in first:
        return "openai"
    if isinstance(first, list):
        return "openai"
    found = _shape(first, alone=False)
    return found if found in ("locomo", "openai") else None
