"""The verbs of a handle that tell what is remembered.

Most take three moments. `as_of`: only what was known strictly before. `valid_on`: only what holds
then, as far as that is known, superseded since or not. `recorded_as_of`: for audits, what the store
held before that moment, undone since or not. Times are aware datetimes or ISO 8601 text.
"""

from __future__ import annotations

from collections.abc import Sequence

from lamina.memory import answer, edit, history, listing, read, rollback, timeline
from lamina.memory.standpoint import standpoint
from lamina.memory.values import Answer, Moment, Plan, Stats, Why
from lamina.model import Hit, Message, Note, NoteKind, Revision, Scope, Session, Variant
from lamina.ports import Operation
from lamina.times import Moment as When
from lamina.times import parse
from lamina.work.engine import Engine


class Reads:
    """What can be asked of the memory of one scope."""

    _engine: Engine
    scope: Scope

    def search(  # noqa: PLR0913  what may be asked for, each by its name
        self,
        query: str,
        *,
        top_k: int = 10,
        kinds: Sequence[str] | None = None,
        variant: Variant = "full",
        explain: bool = False,
        asked_at: When | None = None,
        as_of: When | None = None,
        valid_on: When | None = None,
        recorded_as_of: When | None = None,
        superseded: bool = False,
    ) -> list[Hit]:
        """Return what matters to a query, most relevant first; ties by time, earlier first.

        What has been superseded gives its place to what took its place.

        Args:
            query: In any language. Time words in it ("last March") prefer what is of that time.
            top_k: At least 1.
            kinds: Of `message`, `fact`, `relation`, `summary`; all, if not given.
            variant: `flat`, `events` or `full`: how much of the structure is used.
            explain: Whether hits tell each signal's share.
            asked_at: The day that "yesterday" in the query counts from; if not given, the moment
                that is looked from, or now.
            as_of: Only what was known strictly before.
            valid_on: Only what holds then.
            recorded_as_of: Only what was recorded strictly before, for audits.
            superseded: Whether what has been superseded shows for itself.

        Raises:
            BadInput: The query is blank, top_k below 1, a kind or variant unknown, or a moment no
                time.
        """
        wanted = read.Wanted(
            top_k=top_k,
            kinds=kinds,
            variant=variant,
            explain=explain,
            asked_at=None if asked_at is None else parse(asked_at),
            standpoint=standpoint(
                as_of=as_of,
                valid_on=valid_on,
                recorded_as_of=recorded_as_of,
                superseded=superseded,
            ),
        )
        return read.search(self._engine, self.scope, query, wanted)

    def context(
        self,
        query: str,
        *,
        max_tokens: int = 800,
        as_of: When | None = None,
        valid_on: When | None = None,
        recorded_as_of: When | None = None,
    ) -> str:
        """Return a block for a prompt: the most relevant that fits, dated, with citations.

        It says where two quotes disagree and it is not known which holds.

        Raises:
            BadInput: The query is blank, max_tokens below 1, or a moment no time.
        """
        view = standpoint(as_of=as_of, valid_on=valid_on, recorded_as_of=recorded_as_of)
        return read.context(self._engine, self.scope, query, max_tokens, standpoint=view).text

    def ask(
        self,
        question: str,
        *,
        max_tokens: int = 2000,
        as_of: When | None = None,
        valid_on: When | None = None,
        recorded_as_of: When | None = None,
    ) -> Answer:
        """Answer a question from memory, with citations; it may search once more.

        Args:
            question: In any language; the answer is in the same.
            max_tokens: Of context that the model is shown.
            as_of: Only from what was known strictly before.
            valid_on: Only from what holds then.
            recorded_as_of: Only from what was recorded strictly before, for audits.

        Raises:
            BadInput: The question is blank, max_tokens below 1, or a moment no time.
            NoModel: No language model is configured for the role `answer`.
            ModelError: The model did not answer, or not in the form asked for.
        """
        view = standpoint(as_of=as_of, valid_on=valid_on, recorded_as_of=recorded_as_of)
        return answer.ask(self._engine, self.scope, question, max_tokens, view)

    def timeline(
        self,
        topic: str,
        *,
        limit: int = 20,
        as_of: When | None = None,
        valid_on: When | None = None,
        recorded_as_of: When | None = None,
    ) -> list[Moment]:
        """Tell the story of a topic, oldest first: who mentioned it first, what came later, why.

        What has been superseded is part of the story.

        Raises:
            BadInput: The topic is blank, limit below 1, or a moment no time.
        """
        view = standpoint(as_of=as_of, valid_on=valid_on, recorded_as_of=recorded_as_of)
        return timeline.timeline(self._engine, self.scope, topic, limit, view)

    def get(
        self, id: str, *, as_of: When | None = None, recorded_as_of: When | None = None
    ) -> Message | Note:
        """Return one message or note, as it was known by then. Raises `NotFound`, `BadInput`."""
        view = standpoint(as_of=as_of, recorded_as_of=recorded_as_of)
        return edit.find(self._engine, self.scope, id, at=view.at)

    def messages(
        self,
        *,
        limit: int = 100,
        session_id: str | None = None,
        as_of: When | None = None,
        recorded_as_of: When | None = None,
    ) -> list[Message]:
        """Return the last messages, oldest first. Raises `BadInput`."""
        view = standpoint(as_of=as_of, recorded_as_of=recorded_as_of)
        return listing.messages(self._engine, self.scope, limit, session_id, view)

    def sessions(self) -> list[Session]:
        """Return the sessions, by their first message's time."""
        return self._engine.store.sessions(self.scope)

    def stats(self) -> Stats:
        """Return how much there is here, what waits, and what it took."""
        return listing.stats(self._engine, self.scope)

    def history(self, id: str) -> list[Revision]:
        """Return every revision of a note, first to last. Raises `NotFound`, `BadInput`."""
        return history.history(self._engine, self.scope, id)

    def why(self, id: str | Hit) -> Why:
        """Return the chain from a note or hit to the messages. Raises `NotFound`, `BadInput`."""
        return history.why(self._engine, self.scope, id.id if isinstance(id, Hit) else id)

    def diff(self, operation: str) -> Plan:
        """Return what `rollback` of an operation would change; nothing is changed.

        Raises:
            NotFound: There is no such operation here.
            BadInput: It cannot be undone, or is undone already.
        """
        return rollback.plan(self._engine, self.scope, operation)

    def operations(
        self, *, kinds: Sequence[str] = (), limit: int = 100, offset: int = 0
    ) -> list[Operation]:
        """Return what changed memory, latest first: the log. Raises `BadInput`."""
        return listing.operations(self._engine, self.scope, kinds, limit, offset)

    def list(
        self,
        *,
        kind: NoteKind | None = None,
        limit: int = 100,
        offset: int = 0,
        as_of: When | None = None,
        valid_on: When | None = None,
        recorded_as_of: When | None = None,
        superseded: bool = False,
    ) -> list[Note]:
        """Return notes, latest said first; what has been superseded only if asked for.

        Raises:
            BadInput: A kind is unknown, limit below 1, offset below 0, or a moment no time.
        """
        view = standpoint(
            as_of=as_of,
            valid_on=valid_on,
            recorded_as_of=recorded_as_of,
            superseded=superseded,
        )
        return listing.notes(self._engine, self.scope, kind, limit, offset, view)
