"""When the buffer is consolidated, and how much of it at a time."""

from __future__ import annotations

from collections.abc import Sequence

from lamina.model import Event, Step
from lamina.strategies.structmem.config import StructMemConfig, Triggers


def fires(events: Sequence[Event], *, closed: bool, triggers: Triggers) -> bool:
    """Whether a buffer is to be consolidated now.

    Args:
        events: The buffer, oldest first.
        closed: Whether the session is over.
        triggers: Which reasons count.
    """
    if not events:
        return False
    if triggers.session_closed and closed:
        return True
    if triggers.entries is not None and entries(events) >= triggers.entries:
        return True
    span = events[-1].message.said_at - events[0].message.said_at
    return triggers.span_s is not None and span.total_seconds() > triggers.span_s


def entries(events: Sequence[Event]) -> int:
    """Count what waits in a buffer: the notes, and the messages that are their own entry."""
    return sum(len(event.notes) or (event.message.progress == "unextracted") for event in events)


def after_binding(step: Step, config: StructMemConfig, *, left: bool) -> tuple[Step, ...]:
    """Return what a step that bound asks for next: itself while any are left, then to consolidate.

    Whether anything is then consolidated is for the triggers to say.
    """
    if left:
        return (step,)
    return (Step(kind="consolidate", subject=step.subject),) if config.consolidates else ()


def portion(costs: Sequence[int], limit: int) -> int:
    """Return how many of the first items cost no more than `limit` together, at least one.

    >>> portion([40, 40, 40], 100), portion([400], 100), portion([], 100)
    (2, 1, 0)
    """
    spent = 0
    for count, cost in enumerate(costs):
        spent += cost
        if spent > limit and count:
            return count
    return len(costs)
