"""The verbs of a handle that change what is remembered."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from lamina.errors import StoreLocked
from lamina.memory import edit, forgetting, rollback, setting_aside, write
from lamina.memory.values import Added, Processed, RolledBack
from lamina.memory.write import Given
from lamina.model import Note, Scope
from lamina.ports import Operation, Receipt
from lamina.times import Moment as When
from lamina.work import worker
from lamina.work.engine import Engine

WAIT_SECONDS = 600.0
"""How long `add(wait=True)` waits for another worker that holds the scope."""


class Writes:
    """What can be done to the memory of one scope."""

    _engine: Engine
    scope: Scope

    def add(
        self,
        messages: Given | Sequence[Given],
        *,
        session_id: str = "default",
        timestamp: When | None = None,
        key: str | None = None,
        infer: bool = True,
        wait: bool = False,
        batch: str | None = None,
    ) -> Added:
        """Store what was said, word for word; it is durable and recallable when this returns.

        Args:
            messages: Texts, or mappings with `content`, `role` (user, assistant, tool, system),
                and if wanted `speaker`, `timestamp`, `key`, `session_id`, `tool_calls`, `metadata`.
            session_id: The stretch of conversation that they belong to.
            timestamp: When they were said; now, if not given. Text without an offset is UTC.
            key: Your own name for the one message: adding it again changes nothing.
            infer: Whether memory is to be formed from them, besides keeping them.
            wait: Whether to return only when their exchanges, notes and summaries are formed.
            batch: The import that this call is a part of, by a name of your own: all calls with
                this name are one operation, to be rolled back as one.

        Raises:
            BadInput: A message, name or time cannot be stored as given; nothing was.
            StoreError: Nothing was written.
        """
        defaults = write.Defaults(
            scope=self.scope,
            session=session_id,
            timestamp=timestamp,
            key=key,
            infer=infer,
            now=self._engine.clock.now(),
            batch=batch,
        )
        added = write.add(self._engine, messages, defaults)
        if wait:
            settle(self._engine, self.scope)
        return added

    def close_session(self, session_id: str) -> None:
        """Say that a session is over: what is left of it will be bound and consolidated.

        Closing it again, or one that nobody spoke in, changes nothing. Raises `BadInput`.
        """
        worker.close_session(self._engine, self.scope, write.name("session_id", session_id))

    def process(
        self,
        *,
        idle_after: float | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Processed:
        """Form memory from all that waits here; see `Memory.process`."""
        return processed(self._engine, self.scope, idle_after, progress)

    def update(self, id: str, text: str) -> Note:
        """Change a note's words as a person: it outranks extraction and survives it.

        What was formed from its old words is withdrawn, and formed anew by the next `process`.

        Returns:
            The note as it is now.

        Raises:
            NotFound: There is no such note.
            BadInput: It is a message, or the text is blank.
            Conflict: Somebody changed it at the same time.
        """
        return edit.update(self._engine, self.scope, id, text)

    def delete(self, id: str) -> Operation:
        """Withdraw a note or a message, from now on; nothing is erased.

        With it go the notes that rest on it or were formed from it; what else those told is formed
        anew by the next `process`. Asked `as_of` an earlier moment they still answer.

        Returns:
            The operation; `rollback` of its id brings everything back.

        Raises:
            NotFound: There is no such thing.
            Conflict: Others kept changing what is to go; try again.
        """
        return edit.delete(self._engine, self.scope, id)

    def rollback(self, operation: str) -> RolledBack:
        """Undo an operation, as a new one: at every `as_of` it is as if it had not been done.

        That may be an addition, an import, an extraction, a consolidation, a supersession, an edit,
        a deletion or another rollback, which restores what that undid. What was built on it is
        withdrawn as well and, where its evidence stands, formed anew by the next `process`; what a
        person wrote stays, unless its messages go. `diff` shows all of it beforehand.

        Args:
            operation: Its id; `operations` lists them, and `history` and `why` name them.

        Raises:
            NotFound: There is no such operation here.
            BadInput: It cannot be undone, or is undone already: the message names by what.
            Conflict: Others kept changing what it is about; try again.
        """
        return rollback.rollback(self._engine, self.scope, operation)

    def quarantine(self, id: str, reason: str = "") -> Operation:
        """Set a note or a message aside, with what rests on it: kept, but found by nobody.

        Unlike what is deleted it is hidden at every `as_of`. `history` and `why` still tell it.

        Args:
            id: Of a note or message.
            reason: For those who look at the log later.

        Raises:
            NotFound: There is no such thing.
            BadInput: The reason is no text, or longer than 1000 characters.
            Conflict: Others kept changing what is to go; try again.
        """
        return setting_aside.quarantine(self._engine, self.scope, id, reason)

    def release(self, id: str) -> Operation:
        """Take back the quarantine of a note or message, for what went with it too.

        Raises:
            NotFound: It was not quarantined itself.
            Conflict: Others kept changing what it is about; try again.
        """
        return setting_aside.release(self._engine, self.scope, id)

    def forget(self, *, purge: bool = True) -> Receipt:
        """Erase all of this scope, and what was made of it. It cannot be undone.

        Of a user also what it wrote into shared spaces and said in conversations of its tenant, and
        what it was granted; what rested on that goes, and the rest waits to be formed anew.

        Args:
            purge: Whether every byte is to go from the files as well, at once; the receipt says
                `physical` if that was possible. Else `Memory.compact` does it later.
        """
        return forgetting.forget(self._engine, self.scope, purge=purge)


def settle(engine: Engine, scope: Scope) -> None:
    """Form what waits in a scope, or let the worker that holds it do so.

    Raises:
        StoreLocked: Another worker held it for too long.
    """
    limit = time.monotonic() + WAIT_SECONDS
    while worker.process(engine, scope).busy:
        if time.monotonic() > limit:
            raise StoreLocked("another worker has held this scope for too long; try again")
        time.sleep(0.05)


def processed(
    engine: Engine,
    scope: Scope | None,
    idle_after: float | None,
    progress: Callable[[int, int], None] | None,
) -> Processed:
    """Do all that waits in one scope, or in all."""
    if idle_after is not None:
        worker.close_idle(engine, idle_after, scope)
    tally = worker.process(engine, scope, progress)
    return Processed(done=tally.done, failed=tuple(tally.failed), busy=len(tally.busy))
