"""A handle: one scope and its verbs. No argument of theirs can reach another scope."""

from __future__ import annotations

from collections.abc import Sequence

from lamina.memory import answer, edit, history, listing, read, timeline
from lamina.memory.changes import Changes
from lamina.memory.values import Answer, Moment, Stats, Why
from lamina.model import Hit, Message, Note, NoteKind, Revision, Scope, Session, Variant
from lamina.times import Moment as When
from lamina.times import parse
from lamina.work.engine import Engine


class Handle(Changes):
    """The memory of one user or conversation."""

    def __init__(self, engine: Engine, scope: Scope) -> None:
        self._engine = engine
        self.scope = scope

    def __repr__(self) -> str:
        return f"<{self.scope.kind} {self.scope.id!r}>"

    def sessions(self) -> list[Session]:
        """Return the sessions, by their first message's time."""
        return self._engine.store.sessions(self.scope)

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

    def history(self, id: str) -> list[Revision]:
        """Return every revision of a note, first to last. Raises `NotFound`."""
        return history.history(self._engine, self.scope, id)

    def why(self, id: str) -> Why:
        """Return the chain from a note down to the messages it rests on. Raises `NotFound`."""
        return history.why(self._engine, self.scope, id)

    def stats(self) -> Stats:
        """Return how much there is here, what waits, and what it took."""
        return listing.stats(self._engine, self.scope)

    def list(
        self, *, kind: NoteKind | None = None, limit: int = 100, offset: int = 0
    ) -> list[Note]:
        """Return notes, latest said first. Raises `BadInput`."""
        return listing.notes(self._engine, self.scope, kind, limit, offset)
