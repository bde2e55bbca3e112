"""What was said: see `lamina.ports.Observations`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from lamina.adapters.in_memory.part import Part
from lamina.adapters.in_memory.state import State, local, utc
from lamina.errors import StaleEpoch
from lamina.identity import message_ids, retried
from lamina.model import At, Message, Progress, Scope, Session, Step
from lamina.ports import Appended, Document, MessageDraft, Operation, is_interaction


class InMemoryObservations(Part):
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
        with self._pen(scope, now) as pen:
            messages = pen.state.messages
            if epoch is not None and epoch != pen.state.epoch:
                raise StaleEpoch
            appended = []
            ids, turns = _identified(pen.state, scope, drafts), _turns(drafts, documents)
            for id_, draft, turn in zip(ids, drafts, turns, strict=True):
                appended.append(Appended(id=id_, new=id_ not in messages))
                if id_ not in messages:
                    pen.add_message(_message(id_, draft, now, operation), turn)
            if any(each.new for each in appended):
                if operation:
                    pen.record(operation)
                pen.ask(steps)
        return appended

    def epoch(self, scope: Scope) -> int:
        """See `Observations.epoch`."""
        return self._read(scope).epoch

    def known(self, scope: Scope, ids: Sequence[str]) -> set[str]:
        """See `Observations.known`."""
        messages = self._read(scope).messages
        return {id_ for id_ in ids if id_ in messages}

    def messages(self, scope: Scope, ids: Sequence[str], *, at: At | None = None) -> list[Message]:
        """See `Observations.messages`."""
        messages = self._see(scope, at).messages
        return [messages[id_] for id_ in ids if id_ in messages]

    def recorded(self, scope: Scope, ids: Sequence[str]) -> list[Message]:
        """See `Observations.recorded`."""
        return self._see(scope).recorded(ids)

    def added_by(self, scope: Scope, operation: str) -> list[str]:
        """See `Observations.added_by`."""
        return [m.id for m in self._read(scope).messages.values() if m.operation == operation]

    def consolidated_by(self, scope: Scope, operation: str) -> list[str]:
        """See `Observations.consolidated_by`."""
        state = self._read(scope)
        return [id_ for id_ in state.messages if state.consolidated.get(id_) == operation]

    def in_session(
        self, scope: Scope, session: str, progress: Sequence[Progress] = ()
    ) -> list[Message]:
        """See `Observations.in_session`."""
        messages = self._see(scope).of_session.get(session, [])
        return [m for m in messages if not progress or m.progress in progress]

    def latest(
        self,
        scope: Scope,
        limit: int,
        *,
        session: str | None = None,
        at: At | None = None,
    ) -> list[Message]:
        """See `Observations.latest`."""
        messages = self._see(scope, at).messages.values()
        found = [m for m in messages if session in (None, m.session)]
        return found[max(0, len(found) - limit) :]

    def sessions(self, scope: Scope) -> list[Session]:
        """See `Observations.sessions`."""
        return list(self._see(scope).sessions)

    def is_closed(self, scope: Scope, session: str) -> bool:
        """See `Observations.is_closed`."""
        return self._read(scope).closed.get(session, False)

    def close_session(
        self, scope: Scope, session: str, *, steps: Sequence[Step], now: datetime
    ) -> None:
        """See `Observations.close_session`. A session that is unknown has nothing to close."""
        if self._read(scope).closed.get(session, True):
            return
        with self._pen(scope, now) as pen:
            pen.state.closed[session] = True
            pen.ask(steps)

    def scopes(self) -> list[Scope]:
        """See `Observations.scopes`."""
        return [scope for scope, state in self._states.items() if state.messages]

    def participants(self, scope: Scope) -> list[str]:
        """See `Observations.participants`."""
        return list(self._see(scope).participants)


def _turns(drafts: Sequence[MessageDraft], documents: Sequence[Document]) -> list[Document | None]:
    """Return what shows each draft: an interaction has nothing, the others have one each."""
    shown = (draft for draft in drafts if not is_interaction(draft))
    turns = {id(draft): turn for draft, turn in zip(shown, documents, strict=True)}
    return [turns.get(id(draft)) for draft in drafts]


def _identified(state: State, scope: Scope, drafts: Sequence[MessageDraft]) -> list[str]:
    """Return the id of each draft; that of the stored message where a session's are a retry."""
    ids = message_ids(scope, drafts)
    for session in {draft.session for draft in drafts}:
        places = [i for i, draft in enumerate(drafts) if draft.session == session]
        stored = [m for m in state.messages.values() if m.session == session][-len(places) :]
        if retried(stored, [drafts[i] for i in places]):
            for place, message in zip(places, stored, strict=True):
                ids[place] = message.id
    return ids


def _message(id_: str, draft: MessageDraft, now: datetime, operation: Operation | None) -> Message:
    return Message(
        id=id_,
        session=draft.session,
        role=draft.role,
        speaker=draft.speaker,
        text=draft.text,
        said_at=local(draft.said_at),
        recorded_at=utc(now),
        position=0,
        key=draft.key,
        metadata=json.loads(json.dumps(dict(draft.metadata))),
        progress="pending" if draft.infer else "verbatim",
        author=draft.author,
        operation=operation.id if operation else None,
        item=draft.item,
        action=draft.action,
        rating=None if draft.rating is None else float(draft.rating),
    )
