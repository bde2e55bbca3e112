"""The handle of a pool and its verbs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

from lamina.memory import (
    edit,
    forgetting,
    history,
    listing,
    rollback,
    setting_aside,
    transfer,
)
from lamina.memory.pooling import contributing, leaving, refreshing, tidying
from lamina.memory.pooling.configuring import PoolConfiguration, configure, configured
from lamina.memory.pooling.contributing import Contribution
from lamina.memory.pooling.reads import PoolReads
from lamina.memory.pooling.refreshing import Refreshed
from lamina.memory.pooling.tidying import Tidied
from lamina.memory.values import Added, Processed, RolledBack
from lamina.memory.write import name
from lamina.memory.writes import processed
from lamina.model import Revision, Scope
from lamina.ports import Operation, Receipt
from lamina.strategies.amem4rec.config import Cutting, Order, Table
from lamina.work.engine import Engine
from lamina.work.pools import recommender_of


class Pool(PoolReads):
    """What the users of one recommender do alike, as patterns that name nobody and no item.

    These verbs are those of whoever runs the recommender. Users are told of a pattern only what
    `k` says. The parts that users have in it, one for each stretch of what they did, are not told.
    """

    def __init__(self, engine: Engine, scope: Scope) -> None:
        """Stand before the pool of the recommender that has the scope's name."""
        self._engine = engine
        self.scope = scope

    def __repr__(self) -> str:
        return f"<pool {self.scope.id!r}>"

    def refresh(
        self,
        *,
        workers: int = 1,
        dry_run: bool = False,
        again: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> Refreshed:
        """Let the pool hold what users did by now; safe to call at any time, every night.

        What each user did is cut into windows. Those that are new are told in general terms and
        taken in; those that are there no longer, since an interaction was undone, deleted or came
        in late, are withdrawn with their support. Users who left are passed over. What fails is
        left to the next call, and what was paid for is not paid for again. An item counts as it is
        described when its window is told. The outcome does not depend on `workers`.

        Args:
            workers: How many threads ask a model at once to tell windows in general terms.
            dry_run: Only count; nothing is written and no model is asked.
            again: Whether patterns of one contributor are then held once more against the pool.
            progress: Told (windows told in general terms, new windows).

        Raises:
            BadInput: `workers` is no number of threads.
            EncoderMismatch: The thresholds were set for another encoder; see `calibrate`.
            StaleEpoch: The pool, or somebody's part in it, was erased meanwhile; call again.
        """
        wanted = refreshing.Wanted(workers=workers, dry_run=dry_run, again=again, progress=progress)
        return refreshing.refresh(self._engine, self.scope, wanted)

    def process(self, *, progress: Callable[[int, int], None] | None = None) -> Processed:
        """Take in the parts that wait, in order; see `Memory.process`."""
        return processed(self._engine, self.scope, None, progress)

    @property
    def pending(self) -> int:
        """How many parts wait to be taken in."""
        return self._engine.store.unformed(self.scope)

    def leave(self, user: str, *, purge: bool = True) -> Receipt:
        """Erase a user's parts, and keep that they want no part in the pool: `refresh` heeds it.

        What rested on their parts is formed anew of the others' by the next `process`. That they
        left is kept in the recommender as their own statement, and goes when they are forgotten.

        Args:
            user: Their id.
            purge: Whether every byte of it is to go from the files at once; see `Handle.forget`.

        Raises:
            BadInput: It cannot be a user's id.
        """
        user = name("the user's id", user)
        return leaving.leave(self._engine, self.scope, user, purge=purge)

    def enter(self, user: str) -> Added:
        """Keep that a user who left has a part again, from the next `refresh` on.

        Raises:
            BadInput: It cannot be a user's id.
        """
        return leaving.enter(self._engine, self.scope, name("the user's id", user))

    def has_left(self, user: str) -> bool:
        """Whether a user left, as they said last. Raises `BadInput`."""
        away = leaving.left(self._engine.store, recommender_of(self.scope))
        return name("the user's id", user) in away

    def tidy(
        self, *, dry_run: bool = False, progress: Callable[[int, int], None] | None = None
    ) -> Tidied:
        """Merge patterns that say the same and withdraw those that serve nobody; reversible.

        Withdrawn are those that never evolved, once no part waits; those that nobody has supported
        for `keep_days`; and, where there are more than `cap`, those that evolved least. What they
        had taken in is not taken in again by itself. A pattern whose cosine with one that evolved
        more is above 0.95 is withdrawn and its parts are taken in by that one.

        Args:
            dry_run: Only tell what would be done.
            progress: Told (near-twins looked at and then merged, all that are to be as far as that
                is known).

        Raises:
            Conflict: Others kept changing the pool; try again.
        """
        return tidying.tidy(self._engine, self.scope, dry_run=dry_run, progress=progress)

    def configure(  # noqa: PLR0913  what may be set, each by its name
        self,
        *,
        k: int | None = None,
        w: int | None = None,
        cut: Cutting | None = None,
        table: Table | None = None,
        narrows: bool | None = None,
        tau_low: float | Literal["encoder"] | None = None,
        tau_high: float | Literal["encoder"] | None = None,
        half_life_days: float | Literal["never"] | None = None,
        order: Order | None = None,
        seed: int | None = None,
        cap: int | None = None,
        keep_days: int | None = None,
    ) -> PoolConfiguration:
        """Set what this pool keeps to, for all who open the store; the rest stays as it is.

        With another `w` or `cut` the next `refresh` withdraws all parts and cuts anew; the others
        hold from now on, and change nothing that was formed.

        Args:
            k: How many users must support a pattern for others to be told of it.
            w: Interactions in a window.
            cut: `sliding`: a window begins at every interaction; `blocks`: at every w-th, and one
                takes in the last w.
            table: Which decisions on what is linked and stored.
            narrows: Whether the thresholds come nearer to each other as the pool grows.
            tau_low: From which cosine on patterns may be linked; tied to the encoder at hand.
                `encoder`: what belongs to it.
            tau_high: From which they say the same; likewise.
            half_life_days: After how many days without support a pattern weighs half; `never`.
            order: `users`: parts are taken in one user after another; `time`: as things were
                done, so that a pool that is filled at once is told `as_of` a moment as it grew.
            seed: Of the order in which users are gone through.
            cap: How many patterns `tidy` leaves at most; 0: as many as there are.
            keep_days: For how many days `tidy` leaves a pattern after its last support; 0: for
                ever.

        Raises:
            BadInput: A value is none of these, or tau_low is above the tau_high that is in use.
        """
        given: Mapping[str, Any] = {
            "k": k,
            "w": w,
            "cut": cut,
            "table": table,
            "narrows": narrows,
            "tau_low": tau_low,
            "tau_high": tau_high,
            "half_life_days": half_life_days,
            "order": order,
            "seed": seed,
            "cap": cap,
            "keep_days": keep_days,
        }
        return configure(self._engine, self.scope, given)

    @property
    def configuration(self) -> PoolConfiguration:
        """What this pool keeps to."""
        return configured(self._engine, self.scope)

    def history(self, id: str) -> list[Revision]:
        """Return every revision of a pattern, first to last. Raises `NotFound`, `BadInput`."""
        return history.history(self._engine, self.scope, id)

    def contributions(self, id: str) -> list[Contribution]:
        """Return the part that each revision of a pattern took in, and whose it is.

        Raises:
            NotFound: There is no such pattern.
            BadInput: The id is no text.
        """
        return contributing.contributions(self._engine.store, self.scope, id)

    def ids(self) -> list[str]:
        """Return the ids of all patterns that are there now, whoever may be told of them."""
        return contributing.ids(self._engine.store, self.scope)

    def operations(
        self, *, kinds: Sequence[str] = (), limit: int = 100, offset: int = 0
    ) -> list[Operation]:
        """Return what changed the pool, latest first: the log. Raises `BadInput`."""
        return listing.operations(self._engine, self.scope, kinds, limit, offset)

    def delete(self, id: str) -> Operation:
        """Withdraw a part or a pattern, from now on; nothing is erased.

        With a part goes what rests on it: where it founded a pattern, or changed its words, what
        came after goes as well, and the parts of others wait to be taken in anew. The parts of a
        pattern that is withdrawn stay out. `refresh` brings neither back; `rollback` does.

        Raises:
            NotFound: There is no such thing.
            Conflict: Others kept changing what is to go; try again.
        """
        return edit.delete(self._engine, self.scope, id)

    def rollback(self, operation: str) -> RolledBack:
        """Undo an operation: the addition of parts, the taking-in of one, a withdrawal, ...

        A part whose taking-in is undone stays out until that is rolled back in turn; what was built
        on it is taken in anew by the next `process`. See `Handle.rollback`.

        Raises:
            NotFound: There is no such operation here.
            BadInput: It cannot be undone, or is undone already: the message names by what.
            Conflict: Others kept changing what it is about; try again.
        """
        return rollback.rollback(self._engine, self.scope, operation)

    def quarantine(self, id: str, reason: str = "") -> Operation:
        """Set a part or a pattern aside, hidden at every moment; else as `delete`.

        Raises:
            NotFound: There is no such thing.
            BadInput: The reason is no text, or longer than 1000 characters.
            Conflict: Others kept changing what is to go; try again.
        """
        return setting_aside.quarantine(self._engine, self.scope, id, reason)

    def release(self, id: str) -> Operation:
        """Take a quarantine back. Raises `NotFound`, `Conflict`."""
        return setting_aside.release(self._engine, self.scope, id)

    def forget(self, *, purge: bool = True) -> Receipt:
        """Erase all of the pool; it cannot be undone. The recommender stays.

        The next `refresh` makes a new one of what users did, but for those who left.
        """
        return forgetting.forget(self._engine, self.scope, purge=purge)

    def export(self) -> Iterator[str]:
        """Return all that is here, in one state, as the lines of an archive.

        `Memory.restore` puts them into an empty pool. Each line is JSON and ASCII. Parts are in it
        with the ids and titles that they were made of: it is for whoever runs the recommender.
        """
        return transfer.export(self._engine, self.scope)
