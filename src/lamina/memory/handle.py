"""A handle: one scope and its verbs. No argument of theirs can reach another scope."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from lamina.errors import StoreLocked
from lamina.memory import answer, edit, history, listing, read, timeline, write
from lamina.memory.values import Added, Answer, Moment, Processed, Stats, Why
from lamina.memory.write import Given
from lamina.model import Hit, Message, Note, NoteKind, Revision, Scope, Session, Variant
from lamina.ports import Receipt
from lamina.times import Moment as When
from lamina.times import parse
from lamina.work import worker
from lamina.work.engine import Engine

WAIT_SECONDS = 600.0
"""How long `add(wait=True)` waits for another worker that holds the scope."""


class Handle:
    """The memory of one user or conversation."""

    def __init__(self, engine: Engine, scope: Scope) -> None:
        self._engine = engine
        self.scope = scope

    def __repr__(self) -> str:
        return f"<{self.scope.kind} {self.scope.id!r}>"

    def add(
        self,
        messages: Given | Sequence[Given],
        *,
        session_id: str = "default",
        timestamp: When | None = None,
        key: str | None = None,
        infer: bool = True,
        wait: bool = False,
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
        )
        added = write.add(self._engine, messages, defaults)
        if wait:
            self._wait()
        return added

    def _wait(self) -> None:
        """Form what waits in this scope, or let the worker that holds it do so."""
        limit = time.monotonic() + WAIT_SECONDS
        while worker.process(self._engine, self.scope).busy:
            if time.monotonic() > limit:
                raise StoreLocked("another worker has held this scope for too long; try again")
            time.sleep(0.05)

    def close_session(self, session_id: str) -> None:
        """Say that a session is over: what is left of it will be bound and consolidated.

        Closing it again, or one that nobody spoke in, changes nothing. Raises `BadInput`.
        """
        worker.close_session(self._engine, self.scope, write.name("session_id", session_id))

    def sessions(self) -> list[Session]:
        """Return the sessions, by their first message's time."""
        return self._engine.store.sessions(self.scope)

    def process(
        self,
        *,
        idle_after: float | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Processed:
        """Form memory from all that waits here; see `Memory.process`."""
        return processed(self._engine, self.scope, idle_after, progress)

    def search(
        self,
        query: str,
        *,
        top_k: int = 10,
        kinds: Sequence[str] | None = None,
        variant: Variant = "full",
        explain: bool = False,
        asked_at: When | None = None,
    ) -> list[Hit]:
        """Return what matters to a query, most relevant first; ties by time, earlier first.

        Args:
            query: In any language. Time words in it ("last March") prefer what is of that time.
            top_k: At least 1.
            kinds: Of `message`, `fact`, `relation`, `summary`; all, if not given.
            variant: `flat`, `events` or `full`: how much of the structure is used.
            explain: Whether hits tell each signal's share.
            asked_at: The day that "yesterday" in the query counts from; now, if not given.

        Raises:
            BadInput: The query is blank, top_k below 1, a kind or variant unknown, or asked_at no
                time.
        """
        wanted = read.Wanted(
            top_k=top_k,
            kinds=kinds,
            variant=variant,
            explain=explain,
            asked_at=None if asked_at is None else parse(asked_at),
        )
        return read.search(self._engine, self.scope, query, wanted)

    def context(self, query: str, *, max_tokens: int = 800) -> str:
        """Return a block for a prompt: the most relevant that fits, dated, with citations.

        Raises:
            BadInput: The query is blank or max_tokens below 1.
        """
        return read.context(self._engine, self.scope, query, max_tokens).text

    def ask(self, question: str, *, max_tokens: int = 2000) -> Answer:
        """Answer a question from memory, with citations; it may search once more.

        Args:
            question: In any language; the answer is in the same.
            max_tokens: Of context that the model is shown.

        Raises:
            BadInput: The question is blank or max_tokens below 1.
            NoModel: No language model is configured for the role `answer`.
            ModelError: The model did not answer, or not in the form asked for.
        """
        return answer.ask(self._engine, self.scope, question, max_tokens)

    def timeline(self, topic: str, *, limit: int = 20) -> list[Moment]:
        """Tell the story of a topic, oldest first: who mentioned it first, what came later, why.

        Raises:
            BadInput: The topic is blank or limit below 1.
        """
        return timeline.timeline(self._engine, self.scope, topic, limit)

    def get(self, id: str) -> Message | Note:
        """Return one message or note. Raises `NotFound`."""
        return edit.find(self._engine, self.scope, id)

    def messages(self, *, limit: int = 100, session_id: str | None = None) -> list[Message]:
        """Return the last messages, oldest first. Raises `BadInput`."""
        return listing.messages(self._engine, self.scope, limit, session_id)

    def update(self, id: str, text: str) -> Note:
        """Change a note's words as a person: it outranks extraction and survives it.

        Raises:
            NotFound: There is no such note.
            BadInput: It is a message, or the text is blank.
            Conflict: Somebody changed it at the same time.
        """
        return edit.update(self._engine, self.scope, id, text)

    def delete(self, id: str) -> None:
        """Withdraw a note, or a message and the notes that were read from it; nothing is erased.

        Raises:
            NotFound: There is no such thing.
        """
        edit.delete(self._engine, self.scope, id)

    def history(self, id: str) -> list[Revision]:
        """Return every revision of a note, first to last. Raises `NotFound`."""
        return history.history(self._engine, self.scope, id)

    def why(self, id: str) -> Why:
        """Return the chain from a note down to the messages it rests on. Raises `NotFound`."""
        return history.why(self._engine, self.scope, id)

    def forget(self) -> Receipt:
        """Erase all of this scope, and what was made of it. It cannot be undone."""
        return edit.forget(self._engine, self.scope)

    def stats(self) -> Stats:
        """Return how much there is here, what waits, and what it took."""
        return listing.stats(self._engine, self.scope)

    def list(
        self, *, kind: NoteKind | None = None, limit: int = 100, offset: int = 0
    ) -> list[Note]:
        """Return notes, latest said first. Raises `BadInput`."""
        return listing.notes(self._engine, self.scope, kind, limit, offset)


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
