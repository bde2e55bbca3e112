"""Whose parts the patterns of a pool rest on, as arrays that grow: see `lamina.ports.Support`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lamina.adapters.sqlite.deeds import ID_BYTES, Column, Ids, Names
from lamina.ports import PATTERN, Support


class Supports:
    """The revisions of patterns, in the order written."""

    def __init__(self) -> None:
        self._of, self._revisions, self._by = (Column(np.int32) for _ in range(3))
        self._at, self._known_from, self._known_until = (Column(np.int64) for _ in range(3))
        self._parts: list[str] = []
        self._notes = Column(np.int64)
        """By number: the pattern."""
        self._loose: set[int] = set()
        """Numbers of patterns that have no row in the graph yet; their place is -1."""

    def extend(
        self, revised: Sequence[Sequence[Any]], places: Mapping[int, int], users: Names
    ) -> bool:
        """Add what was revised since.

        Args:
            revised: Rows of the query `new_revisions`.
            places: By the number of a note: its place in the graph.
            users: Who speaks.

        Returns:
            Whether there was any pattern.
        """
        new = [row for row in revised if row[5] == PATTERN and row[7] is not None]
        self._place(places)
        if not new:
            return False
        notes, _, since, gone_at, _, _, note_gone_at, speakers, at, _, numbers, parts = zip(
            *new, strict=True
        )
        self._loose.update(note for note in notes if note not in places)
        self._notes.add(notes)
        self._of.add([places.get(note, -1) for note in notes])
        self._revisions.add(numbers)
        self._parts += parts
        self._by.add([users.meet(speaker) for speaker in speakers])
        self._at.add(at)
        self._known_from.add(since)
        self._known_until.add(np.minimum(gone_at, note_gone_at))
        return True

    def drawn(self) -> Support:
        """Return the support as it is now, of the patterns that have rows."""
        parts: Sequence[str] = Ids(self._parts)
        columns = [column.values for column in (self._of, self._revisions, self._by, self._at,
                                                self._known_from, self._known_until)]  # fmt: skip
        if self._loose:
            kept = np.flatnonzero(columns[0] >= 0)
            parts = tuple(self._parts[row] for row in kept.tolist())
            columns = [column[kept] for column in columns]
        of, revisions, by, at, known_from, known_until = columns
        return Support(
            of=of,
            revisions=revisions,
            parts=parts,
            by=by,
            at=at,
            known_from=known_from,
            known_until=known_until,
        )

    def _place(self, places: Mapping[int, int]) -> None:
        """Let patterns that have rows by now be known by them; handed out arrays stay."""
        found = sorted(note for note in self._loose if note in places)
        if not found:
            return
        self._loose.difference_update(found)
        of = self._of.values.copy()
        for note in found:
            of[self._notes.values == note] = places[note]
        self._of = Column(np.int32, of)

    @property
    def nbytes(self) -> int:
        """About how many bytes it holds."""
        columns = (self._of, self._revisions, self._by, self._at, self._known_from,
                   self._known_until, self._notes)  # fmt: skip
        return ID_BYTES * len(self._parts) + sum(column.nbytes for column in columns)
