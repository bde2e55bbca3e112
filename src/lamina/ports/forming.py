"""How memory is formed: a strategy reads a batch through a view and returns changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from lamina.model import Changes, Event, Message, Note, Step
from lamina.ports.language import LLM

if TYPE_CHECKING:
    from lamina.model import Vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What one step works on."""

    step: Step
    messages: tuple[Message, ...] = ()
    """For `bind`: the session's messages that are pending or unextracted, oldest first."""
    events: tuple[Event, ...] = ()
    """For `consolidate`: the buffer, oldest first. For `sweep`: what nothing links to."""
    notes: tuple[Note, ...] = ()
    """For `supersede`: the live facts that the operation wrote, as written."""
    closed: bool = False
    """Whether the session is closed, or idle for so long that it counts as closed."""


class StepView(Protocol):
    """What a step may read and ask. It records what it handed out, for `known_at`."""

    @property
    def llm(self) -> LLM | None:
        """The model of role `memory`, with ledger and cache; `None` if none is configured."""
        ...

    def preceding(self, message: Message, count: int) -> list[Message]:
        """Return up to `count` messages said before `message` in its session, oldest first."""
        ...

    def following(self, message: Message, count: int) -> list[Message]:
        """Return up to `count` bound messages said after `message` in its session, oldest first."""
        ...

    def nearest(
        self, texts: Sequence[str], k: int, *, before: datetime, exclude: Iterable[str] = ()
    ) -> list[list[Found]]:
        """Return for each text up to `k` entries of the history, most similar first.

        Args:
            texts: What to look for.
            k: At least 1.
            before: Only entries whose messages were all said strictly before this.
            exclude: Ids of messages; entries that rest on one of them are left out.
        """
        ...

    def near_to(self, message_ids: Sequence[str], k: int, *, before: datetime) -> list[Found]:
        """Return up to `k` entries of the history near to these messages taken as one query.

        The query is the mean of their vectors: an encoder averages over the windows of a long text
        in the same way, and nothing needs to be encoded again.

        Args:
            message_ids: The messages; entries that rest on one of them are left out.
            k: At least 1.
            before: Only entries whose messages were all said strictly before this.
        """
        ...

    def kin(self, notes: Sequence[Note], k: int) -> list[list[Found]]:
        """Return for each note up to `k` other live facts of the scope, most similar first.

        Said before or after it, superseded or not. Compared are their own documents, or where a
        note has none the turn of its message.

        Args:
            notes: Facts of this scope.
            k: At least 1.
        """
        ...

    def events(self, message_ids: Sequence[str]) -> list[Event]:
        """Return the whole event of each message, in the order asked; missing ones are left out."""
        ...

    def authors(self, message_ids: Sequence[str]) -> dict[str, str]:
        """Return who wrote each of these messages into a shared space, by message.

        Where nobody is named, the message is left out. It tells nothing new of a note at hand.
        """
        ...

    def refused(self, note_ids: Sequence[str]) -> dict[str, frozenset[str]]:
        """Return for each fact those that are not to take its place or confirm it, by id.

        Somebody rolled back the comparison that said so. Facts without such are left out.
        """
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return shape (len(texts), dim), unit rows."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return how many tokens each text has."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An entry of the history near to a text: a note, or a message that is its own entry."""

    entry: Note | Message
    similarity: float
    """Cosine, in [-1, 1]."""


class Strategy(Protocol):
    """How memory is formed: from a batch and a view to changes. It writes nothing itself."""

    @property
    def name(self) -> str:
        """For operations and reports, such as `structmem`."""
        ...

    def digest(self, batch: Batch, view: StepView) -> Changes:
        """Return what this step wants written."""
        ...


class Clock(Protocol):
    """Tells what time it is."""

    def now(self) -> datetime:
        """Return the present, aware."""
        ...
