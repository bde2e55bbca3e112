"""The verbs of a pool that tell what is in it."""

from __future__ import annotations

from collections.abc import Sequence

from lamina.items import Pattern
from lamina.memory.pooling import calibrating, measuring, retrieving, showing
from lamina.memory.pooling.calibrating import Thresholds
from lamina.memory.pooling.given import GivenDone
from lamina.memory.pooling.measuring import Measured
from lamina.memory.pooling.retrieving import Vector
from lamina.memory.pooling.showing import Sight
from lamina.memory.standpoint import standpoint
from lamina.memory.write import name, whole
from lamina.model import Scope
from lamina.times import Moment as When
from lamina.work.engine import Engine


class PoolReads:
    """What can be asked of a pool.

    With `user` what they support is told as well; else only what at least `k` users support. What
    may not be told is not found, as what is not there.
    """

    _engine: Engine
    scope: Scope

    def encode(self, history: Sequence[GivenDone], *, as_of: When | None = None) -> Vector:
        """Return what somebody did lately as a vector, to look patterns up by.

        The last `w` of it, or fewer where there are no more, are told in general terms as the parts
        of the pool are, by a model if there is one, and encoded.

        Args:
            history: What was done, oldest first: ids of items, `Item` values, `Interaction` values,
                or mappings with `id`, or `title` and `categories`, and if wanted `action` and
                `rating`. It need not be of anybody who is known here, nor do the items need to be
                if their titles or categories are given.
            as_of: Items are what they were described as strictly before.

        Returns:
            Shape (dim,), float32, unit length.

        Raises:
            NotFound: Nothing is known of these items but their ids, or there are none.
            BadInput: The history or the moment cannot be one, or an id alone is of no item here.
        """
        at = standpoint(as_of=as_of).at
        return retrieving.encode(self._engine, self.scope, history, at)

    def retrieve(
        self, vector: Vector, k: int = 5, *, user: str | None = None, as_of: When | None = None
    ) -> list[Pattern]:
        """Return the patterns that are nearest to a vector, weightiest first; no model is asked.

        A pattern weighs by its similarity, by how often it evolved, and, if a half-life is
        configured, by its age.

        Args:
            vector: Shape (dim,), as `encode` returns it.
            k: How many at most.
            user: For whom, if it is for somebody who is known here.
            as_of: Patterns as they were known strictly before.

        Raises:
            BadInput: It is no vector of this encoder, or another value cannot be one.
        """
        query = retrieving.checked(self._engine, vector)
        seen = self._sight(user, as_of)
        return seen.told(seen.nearest(query, whole("k", k)))

    def patterns(
        self, user: str | None = None, *, limit: int = 100, as_of: When | None = None
    ) -> list[Pattern]:
        """Return what may be told, weightiest by evolution and age first.

        Nothing is looked up: `similarity` is 0, and `weight` the share among all that may be told.

        Raises:
            BadInput: The user's id, the limit or the moment cannot be one.
        """
        return showing.patterns(self._sight(user, as_of), whole("limit", limit))

    def pattern(self, id: str, *, user: str | None = None, as_of: When | None = None) -> Pattern:
        """Return one pattern.

        Raises:
            NotFound: There is none of that id, or it may not be told.
            BadInput: The id, the user's id or the moment cannot be one.
        """
        return showing.pattern(self._sight(user, as_of), id)

    def measure(self) -> Measured:
        """Return how the pool stands: its size, links, how much of it says the same.

        Takes a minute for 100,000 patterns.
        """
        return measuring.measure(self._engine, self.scope)

    def calibrate(self) -> Thresholds:
        """Propose `tau_low` and `tau_high` for the encoder at hand; nothing is changed.

        Raises:
            NotFound: There is too little to go by.
        """
        return calibrating.calibrate(self._engine, self.scope)

    def _sight(self, user: str | None, as_of: When | None) -> Sight:
        chosen = None if user is None else name("the user's id", user)
        return showing.sight(self._engine, self.scope, chosen, standpoint(as_of=as_of).at)
