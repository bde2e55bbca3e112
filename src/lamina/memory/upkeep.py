"""The verbs of a handle that keep memory in order; each is an operation that can be rolled back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lamina.memory import expiring, merging
from lamina.memory.values import Processed
from lamina.memory.writes import processed
from lamina.model import Scope, Step
from lamina.ports import Operation
from lamina.times import Moment as When
from lamina.times import parse
from lamina.work.engine import Engine


class Upkeep:
    """What can be done for the memory of one scope, where somebody asks for it."""

    _engine: Engine
    scope: Scope

    def expire(self, before: When, *, kinds: Sequence[str] | None = None) -> Operation | None:
        """Withdraw what was last said before a moment, with what stands on it; erase nothing.

        Args:
            before: Strictly before it.
            kinds: Of `message`, `fact`, `relation`, `summary`; all, if not given.

        Returns:
            The operation; `None` if there was nothing to withdraw.

        Raises:
            BadInput: It is no time, or a kind is unknown.
            Conflict: Others kept changing what is to go.
        """
        return expiring.expire(self._engine, self.scope, parse(before), kinds)

    def merge(self) -> Operation | None:
        """Make one note of those that say the same of the same; return the operation, if any did.

        The one said first stays, or the one that a person wrote, and gains the sources of the
        others. What differs in a number, a name, a negation or a time is not the same.

        Raises:
            Conflict: Somebody changed one of them at the same time; try again.
        """
        return merging.merge(self._engine, self.scope)

    def sweep(self, *, progress: Callable[[int, int], None] | None = None) -> Processed:
        """Put old events that nothing links to beside their kin of other times, a summary each.

        For what consolidation cannot see: a plan of half a year ago, a habit of each spring. With a
        model it takes a call a summary. Each session's sweep is an operation of its own.

        Args:
            progress: Told (steps done, steps known of so far).
        """
        store = self._engine.store
        steps = [Step(kind="sweep", subject=session.id) for session in store.sessions(self.scope)]
        store.enqueue(self.scope, steps, now=self._engine.clock.now())
        return processed(self._engine, self.scope, None, progress)
