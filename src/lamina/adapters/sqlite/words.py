"""Callers' words in columns: exactly as they came, whatever they hold."""

from __future__ import annotations

from typing import TypeAlias

Column: TypeAlias = str | bytes


def pack(text: str) -> Column:
    r"""Return `text` as it is stored: itself, or its bytes if lone surrogates keep it from UTF-8.

    Equal texts give equal columns, so columns can be looked up.

    >>> pack("naïve"), pack("\ud83d")
    ('naïve', b'\xed\xa0\xbd')
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def unpack(column: Column) -> str:
    """Return the text that `pack` was given."""
    return column if isinstance(column, str) else column.decode("utf-8", "surrogatepass")


def pack_maybe(text: str | None) -> Column | None:
    """Return `pack(text)`, or `None` for `None`."""
    return None if text is None else pack(text)


def unpack_maybe(column: Column | None) -> str | None:
    """Return `unpack(column)`, or `None` for `None`."""
    return None if column is None else unpack(column)
