"""What was said: see `lamina.ports.Observations`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from lamina.adapters.sqlite import (
    columns,
    in_force,
    indexing,
    interactions,
    queueing,
    rows,
    scopes,
    views,
    writing,
)
from lamina.adapters.sqlite.columns import Columns
from lamina.adapters.sqlite.part import Part
from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.words import pack, unpack
from lamina.identity import message_ids, retried
from lamina.model import At, Message, Progress, Scope, Session, Step
from lamina.ports import Appended, Document, MessageDraft, Operation, is_interaction
from lamina.times import to_micros

SQL = load("observations")
Added = tuple[str, MessageDraft, Document | None]
"""A new message: its id, what is to be stored, and its turn, if it has one."""
WAITING = frozenset({"pending", "unextracted"})


class SqliteObservations(Part):
    """Messages, sessions and speakers."""

    def append(
        self,
        scope: Scope,
        drafts: Sequence[MessageDraft],
        documents: Sequence[Document],
        *,
        steps: Sequence[Step],
        now: datetime,
        epoch: int | None = None,
        operation: Operation | None = None,
    ) -> list[Appended]:
        """See `Observations.append`."""
        with self._db.writing() as tx:
            row = scopes.ensure(tx, scope, epoch)
            ids = _identified(tx, row.key, scope, drafts)
            new = _first_places(ids, _known(tx, row.key, ids))
            if new:
                turns = _aligned(drafts, documents)
                added = [(id_, drafts[i], turns[i]) for id_, i in new.items()]
                by = writing.record(tx, row.key, operation) if operation else None
                self._add(tx, row, added, now, by)
                queueing.ask(tx, row.key, steps, now)
        return [Appended(id=id_, new=new.get(id_) == i) for i, id_ in enumerate(ids)]

    def _add(
        self,
        tx: sqlite3.Connection,
        row: scopes.ScopeRow,
        added: Sequence[Added],
        now: datetime,
        by: writing.OperationPlace | None,
    ) -> None:
        places = range(row.messages + 1, row.messages + len(added) + 1)
        messages = _rows(tx, row.key, added, now)
        tx.executemany(
            SQL["add_message"],
            [
                (row.key, at, *message, by and by.number)
                for at, message in zip(places, messages, strict=True)
            ],
        )
        interactions.add(tx, row.key, zip(places, (draft for _, draft, _ in added), strict=True))
        due = [(row.key, at) for at, (_, d, _) in zip(places, added, strict=True) if d.item is None]
        tx.executemany(indexing.SQL["exchange_due"], due)
        shown = [
            indexing.Shown(turn, at)
            for at, (_, _, turn) in zip(places, added, strict=True)
            if turn is not None
        ]
        if shown:
            space = indexing.check_space(indexing.present_space(tx), self._space)
            indexing.add(tx, row.key, row.documents + 1, shown, space)
        if by and by.undone:  # what it adds is as if it had not been, at once
            in_force.settle(tx, row.key, in_force.Touched(messages=set(places)))
        counts = (row.messages + len(added), row.documents + len(shown))
        tx.execute(scopes.SQL["advance"], (*counts, 0, bool(by and by.undone), row.key))

    def epoch(self, scope: Scope) -> int:
        """See `Observations.epoch`."""
        with self._db.reading() as tx:
            return scopes.epoch(tx, scope)

    def known(self, scope: Scope, ids: Sequence[str]) -> set[str]:
        """See `Observations.known`."""
        with self._db.reading() as tx:
            row = scopes.find(tx, scope)
            return _known(tx, row.key, ids) if row else set()

    def messages(self, scope: Scope, ids: Sequence[str], *, at: At | None = None) -> list[Message]:
        """See `Observations.messages`."""
        found = self._messages("by_id", scope, at, ids=rows.ids_as_json(ids))
        return rows.as_asked({message.id: message for message in found}, ids)

    def recorded(self, scope: Scope, ids: Sequence[str]) -> list[Message]:
        """See `Observations.recorded`."""
        found = self._messages("recorded", scope, ids=rows.ids_as_json(ids))
        return rows.as_asked({message.id: message for message in found}, ids)

    def added_by(self, scope: Scope, operation: str) -> list[str]:
        """See `Observations.added_by`."""
        with self._db.reading() as tx:
            row = scopes.find(tx, scope)
            found = tx.execute(SQL["added_by"], (row.key, pack(operation))) if row else []
            return [id_ for (id_,) in found]

    def consolidated_by(self, scope: Scope, operation: str) -> list[str]:
        """See `Observations.consolidated_by`."""
        with self._db.reading() as tx:
            row = scopes.find(tx, scope)
            found = tx.execute(SQL["consolidated_by"], (row.key, pack(operation))) if row else []
            return [id_ for (id_,) in found]

    def in_session(
        self, scope: Scope, session: str, progress: Sequence[Progress] = ()
    ) -> list[Message]:
        """See `Observations.in_session`."""
        if not progress:
            return self._messages("in_session", scope, session=pack(session))
        query = "waiting_in_session" if WAITING.issuperset(progress) else "in_session_of"
        asked = json.dumps(list(progress))
        return self._messages(query, scope, session=pack(session), progress=asked)

    def latest(
        self,
        scope: Scope,
        limit: int,
        *,
        session: str | None = None,
        at: At | None = None,
    ) -> list[Message]:
        """See `Observations.latest`."""
        if session is None:
            return self._messages("latest", scope, at, limit=limit)[::-1]
        asked = {"session": pack(session), "limit": limit}
        return self._messages("latest_in_session", scope, at, **asked)[::-1]

    def buffer(self, scope: Scope, session: str | None = None) -> list[Message]:
        """See `Notes.buffer`."""
        if session is None:
            return self._messages("buffer", scope)
        return self._messages("buffer_of_session", scope, session=pack(session))

    def _messages(
        self, query: str, scope: Scope, at: At | None = None, **given: Any
    ) -> list[Message]:
        with self._db.reading() as tx:
            return rows.messages(views.select(tx, SQL[query], scopes.find(tx, scope), at, **given))

    def sessions(self, scope: Scope) -> list[Session]:
        """See `Observations.sessions`."""
        with self._db.reading() as tx:
            row = scopes.find(tx, scope)
            found = tx.execute(SQL["sessions"], (row.key,)) if row else []
            return [rows.session(each) for each in found]

    def is_closed(self, scope: Scope, session: str) -> bool:
        """See `Observations.is_closed`."""
        with self._db.reading() as tx:
            row = scopes.find(tx, scope)
            found = row and _session(tx, row.key, session)
            return bool(found and found[1] is not None)

    def close_session(
        self, scope: Scope, session: str, *, steps: Sequence[Step], now: datetime
    ) -> None:
        """See `Observations.close_session`. A session that is unknown has nothing to close."""
        with self._db.writing() as tx:
            row = scopes.find(tx, scope)
            found = row and _session(tx, row.key, session)
            if row and found and found[1] is None:
                tx.execute(SQL["mark_session"], (to_micros(now), row.key, found[0]))
                queueing.ask(tx, row.key, steps, now)

    def scopes(self) -> list[Scope]:
        """See `Observations.scopes`."""
        with self._db.reading() as tx:
            return [scopes.from_columns(*row) for row in tx.execute(scopes.SQL["with_messages"])]

    def participants(self, scope: Scope) -> list[str]:
        """See `Observations.participants`."""
        with self._db.reading() as tx:
            row = scopes.find(tx, scope)
            found = tx.execute(SQL["participants"], (row.key,)) if row else []
            return [unpack(name) for (name,) in found]


def _identified(
    tx: sqlite3.Connection, scope: int, name: Scope, drafts: Sequence[MessageDraft]
) -> list[str]:
    """Return the id of each draft; that of the stored message where a session's are a retry."""
    ids = message_ids(name, drafts)
    for session in {d.session for d in drafts if not d.timed and d.key is None}:
        places = [i for i, d in enumerate(drafts) if d.session == session]
        last = tx.execute(SQL["last"], (scope, pack(session), len(places)))
        stored = rows.messages(last)[::-1]
        if retried(stored, [drafts[i] for i in places]):
            for place, message in zip(places, stored, strict=True):
                ids[place] = message.id
    return ids


def _aligned(
    drafts: Sequence[MessageDraft], documents: Sequence[Document]
) -> list[Document | None]:
    """Return the turn of each draft; interactions have none."""
    rest = iter(documents)
    return [None if is_interaction(draft) else next(rest) for draft in drafts]


def _known(tx: sqlite3.Connection, scope: int, ids: Sequence[str]) -> set[str]:
    return {id_ for id_ in ids if tx.execute(SQL["known"], (scope, pack(id_))).fetchone()}


def _first_places(ids: Sequence[str], known: set[str]) -> dict[str, int]:
    """Return the first place of each id that is not known, in order."""
    places: dict[str, int] = {}
    for i, id_ in enumerate(ids):
        if id_ not in known:
            places.setdefault(id_, i)
    return places


def _session(tx: sqlite3.Connection, scope: int, name: str) -> tuple[int, int | None] | None:
    found: tuple[int, int | None] | None = tx.execute(
        SQL["session"], (scope, pack(name))
    ).fetchone()
    return found


def _opened_session(tx: sqlite3.Connection, scope: int, name: str) -> int:
    """Return the number of a session, made if it is new and open again if it was closed."""
    found = _session(tx, scope, name)
    number, closed_at = found or tx.execute(SQL["add_session"], (scope, pack(name))).fetchone()
    if closed_at is not None:
        tx.execute(SQL["mark_session"], (None, scope, number))
    return int(number)


def _participant(tx: sqlite3.Connection, scope: int, name: str) -> int:
    named = (scope, pack(name))
    found = tx.execute(SQL["participant"], named).fetchone()
    (number,) = found or tx.execute(SQL["add_participant"], named).fetchone()
    return int(number)


def _rows(
    tx: sqlite3.Connection, scope: int, added: Sequence[Added], now: datetime
) -> list[Columns]:
    """Return the columns of new messages but for their place and what added them."""
    sessions = {d.session: _opened_session(tx, scope, d.session) for _, d, _ in added}
    speakers = {d.speaker: _participant(tx, scope, d.speaker) for _, d, _ in added}
    recorded = to_micros(now)
    return [
        (id_, sessions[d.session], speakers[d.speaker], *columns.spoken(d), recorded,
         "pending" if d.infer else "verbatim", interactions.exchange_due(d))
        for id_, d, _ in added
    ]  # fmt: skip
