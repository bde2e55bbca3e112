"""What can be set about StructMem, and when its consolidation runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from lamina.model import Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Triggers:
    """What makes the buffer be consolidated. Any one of them is enough; all off means never."""

    session_closed: bool = True
    """The session is over, or has been idle for so long that it counts as over."""
    entries: int | None = 100
    """So many entries wait; `None` turns this off."""
    span_s: float | None = 3600.0
    """The entries that wait span more than so many seconds of their own time; `None`: off."""

    @property
    def any(self) -> bool:
        """Whether some trigger is on."""
        return self.session_closed or self.entries is not None or self.span_s is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class StructMemConfig:
    """How messages are bound and events are consolidated. Tokens are the view's."""

    variant: Variant = "full"
    calls: Literal["one", "two"] = "one"
    """Whether one call reads both perspectives, or one call each, as in the paper."""
    batch_tokens: int = 1024
    """Tokens of dialogue that one call reads; a longer message is shown in parts."""
    batches_a_step: int = 8
    """Calls that one step makes before it is written down."""
    messages_a_step: int = 1000
    """Messages that one step binds where no model is asked."""
    preceding: int = 3
    """Messages shown before a batch, so that a "she" has a name; nothing is read from them."""
    preceding_characters: int = 300
    """Of the end of each of them."""
    triggers: Triggers = field(default_factory=Triggers)
    seeds: int = 15
    """Entries of the history that a consolidation starts from; each brings its whole event."""
    buffer_tokens: int = 3000
    """Tokens of the buffer that one consolidation reads; the rest is left for the next."""
    history_tokens: int = 1000
    """Tokens of history that one consolidation reads, nearest first."""
    far_days: float = 30.0
    """Days from which on a sweep takes kin for far away."""
    far_similarity: float = 0.45
    """Cosine from which on a sweep takes an event for kin; of the encoder in the package."""
    far_kin: int = 4
    """Events of other times that a sweep puts beside one."""
    far_clusters: int = 5
    """Summaries that a sweep writes for one session at most."""
    shortest_words: int = 200
    """Words of a summary at least, where there is that much to say."""
    longest_words: int = 350
    """Words of a summary at most."""

    @property
    def relations(self) -> bool:
        """Whether the second perspective is kept."""
        return self.variant != "flat"

    @property
    def consolidates(self) -> bool:
        """Whether summaries are formed."""
        return self.variant == "full" and self.triggers.any
