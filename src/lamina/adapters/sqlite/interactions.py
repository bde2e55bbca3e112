"""What messages in a recommender are about: rows beside those of the messages."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.words import pack, pack_maybe
from lamina.model import Message
from lamina.ports import MessageDraft

SQL = load("interactions")


def add(
    tx: sqlite3.Connection, scope: int, placed: Iterable[tuple[int, MessageDraft | Message]]
) -> None:
    """Write what messages, given with their positions, say of items; items are made if new."""
    about = [(at, said) for at, said in placed if _tells(said)]
    numbers: dict[str, int] = {}
    for _, said in about:
        if said.item is not None and said.item not in numbers:
            numbers[said.item] = _number(tx, scope, said.item)
    rows = [
        (scope, at, None if said.item is None else numbers[said.item],
         pack_maybe(said.action), said.rating)
        for at, said in about
    ]  # fmt: skip
    tx.executemany(SQL["add_interaction"], rows)


def exchange_due(said: MessageDraft | Message) -> int:
    """Return what is kept of a new message: 1, its exchange is to be made; 2, it is in none."""
    return 1 if said.item is None else 2


def numbers_of(tx: sqlite3.Connection, scope: int, items: Iterable[str]) -> list[int]:
    """Return the numbers of those of some items that are known."""
    found = (tx.execute(SQL["item"], (scope, pack(item))).fetchone() for item in items)
    return [row[0] for row in found if row]


def configure(tx: sqlite3.Connection, scope: int, configuration: Mapping[str, Any]) -> None:
    """Keep what a recommender is to keep to."""
    tx.execute(SQL["configure"], (scope, json.dumps(dict(configuration))))


def configuration(tx: sqlite3.Connection, scope: int) -> dict[str, Any]:
    """Return what a recommender is to keep to; empty if nothing was said."""
    row = tx.execute(SQL["configuration"], (scope,)).fetchone()
    return dict(json.loads(row[0])) if row else {}


def _tells(said: MessageDraft | Message) -> bool:
    return (said.item, said.action, said.rating) != (None, None, None)


def _number(tx: sqlite3.Connection, scope: int, item: str) -> int:
    named = (scope, pack(item))
    found = tx.execute(SQL["item"], named).fetchone()
    (number,) = found or tx.execute(SQL["add_item"], named).fetchone()
    return int(number)
