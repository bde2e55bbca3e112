"""The handle of a recommender and its verbs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from lamina.formats.recommending.statistics import Statistics
from lamina.items import Fallback, Interaction, Item, Method, Privacy, Ranking
from lamina.memory import edit, forgetting, lending, rollback, setting_aside, transfer
from lamina.memory.pooling.pool import Pool
from lamina.memory.pooling.refreshing import Refreshed
from lamina.memory.reads import Reads
from lamina.memory.recommending import (
    calibrating,
    expiring,
    explaining,
    joining,
    measuring,
    ranking,
    tasting,
)
from lamina.memory.recommending.calibrating import Calibration
from lamina.memory.recommending.configuring import Configuration, configure, configured
from lamina.memory.recommending.explaining import Explanation
from lamina.memory.recommending.intake import GivenInteraction, GivenItem, Intake, Told
from lamina.memory.recommending.tasting import Profile
from lamina.memory.standpoint import standpoint
from lamina.memory.values import Added, Processed, RolledBack
from lamina.memory.write import name, whole
from lamina.memory.writes import processed, settle
from lamina.model import Note, Scope
from lamina.ports import Operation, Receipt
from lamina.times import Moment as When
from lamina.work import keeping
from lamina.work.engine import Engine
from lamina.work.pools import pool_of


class Recommender(Reads):
    """Items, what users did with them, and the memory formed of it.

    What is told (`search`, `list`, `get`, `history`, `why`, `diff`, `operations`, ...) is told as
    of any other memory. These verbs are those of whoever runs the recommender: they see every
    user's notes. What is ranked and explained for one user keeps to the configured privacy.
    """

    def __init__(self, engine: Engine, scope: Scope) -> None:
        self._engine = engine
        self.scope = scope

    def __repr__(self) -> str:
        return f"<recommender {self.scope.id!r}>"

    def add_items(
        self,
        items: Iterable[GivenItem],
        *,
        batch: str | None = None,
        progress: Told | None = None,
    ) -> Added:
        """Store what items are; they can be found and ranked when this returns.

        What an item was described as before stays on record and is told `as_of` earlier moments.

        Args:
            items: `Item` values, or mappings with `id` and, if wanted, `title`, `description`,
                `categories`, `tags`, `attributes` and `known_since`; other keys are attributes.
                Read in parts, so that there may be many.
            batch: The import that this call is a part of; calls of one name are rolled back as one.
            progress: Told how many were stored or known so far.

        Raises:
            BadInput: An item cannot be stored as given; those of the parts before it were.
            StoreError: Nothing of this part was written.
        """
        return self._intake(batch, progress).items(items)

    def add_interactions(
        self,
        interactions: Iterable[GivenInteraction],
        *,
        batch: str | None = None,
        wait: bool = False,
        progress: Told | None = None,
    ) -> Added:
        """Store what users did, word for word; it counts in rankings when this returns.

        The same user doing the same with the same item at the same moment, with the same rating
        and words, is one interaction. Its note is formed by `process`.

        Args:
            interactions: `Interaction` values, or mappings with `user`, `item`, `timestamp` (ISO
                8601, an aware datetime, or seconds since 1970) and, if wanted, `action`, `rating`,
                `text`, `key`; other keys are kept as metadata.
            batch: The import that this call is a part of; calls of one name are rolled back as one.
            wait: Whether to return only when notes are formed of them.
            progress: Told how many were stored or known so far.

        Raises:
            BadInput: One cannot be stored as given; those of the parts before it were.
            StoreError: Nothing of this part was written.
        """
        added = self._intake(batch, progress).interactions(interactions)
        if wait:
            settle(self._engine, self.scope)
        return added

    def _intake(self, batch: str | None, told: Told | None) -> Intake:
        return Intake(engine=self._engine, scope=self.scope, batch=batch, told=told)

    def join(self, user: str, group: str, *, timestamp: When | None = None) -> Added:
        """Store that a user is in a group from then on, and in no other: their own statement.

        Whose notes may serve whom goes by it where the privacy is `group`.

        Args:
            user: Of whom nothing else may be known yet.
            group: Its name; empty: none any longer.
            timestamp: When they said so; now, if not given.

        Raises:
            BadInput: The user's id, the group or the moment cannot be one.
        """
        return joining.join(self._engine, self.scope, user, group, timestamp)

    def item(self, id: str, *, as_of: When | None = None) -> Item:
        """Return an item as it was described last, by then. Raises `NotFound`, `BadInput`."""
        return ranking.item(self._engine, self.scope, id, standpoint(as_of=as_of).at)

    def interactions(
        self, user: str, *, limit: int = 100, as_of: When | None = None
    ) -> list[Interaction]:
        """Return the last things that a user did, oldest first. Raises `BadInput`."""
        said = self._engine.store.latest(
            self.scope,
            whole("limit", limit),
            session=keeping.session(_user(user)),
            at=standpoint(as_of=as_of).at,
        )
        return [keeping.interaction(message) for message in said if message.item is not None]

    @property
    def pool(self) -> Pool:
        """What its users share: patterns of what many do alike; empty until `refresh`."""
        return Pool(self._engine, pool_of(self.scope))

    def refresh(
        self,
        *,
        workers: int = 1,
        dry_run: bool = False,
        again: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> Refreshed:
        """Let its pool hold what users did by now; see `Pool.refresh`."""
        return self.pool.refresh(workers=workers, dry_run=dry_run, again=again, progress=progress)

    @property
    def pending(self) -> int:
        """How many interactions wait for notes to be formed of them."""
        return self._engine.store.unformed(self.scope)

    def statistics(self) -> Statistics:
        """Return what the data are like: density, ratings, how users spread over time, ..."""
        return measuring.measured(self._engine, self.scope)

    def calibrate(self) -> Calibration:
        """Propose from which cosine on a note is reconsidered, by the notes that there are.

        Nothing is changed. What is proposed is the cosine that one in a hundred pairs of notes
        exceeds that share neither a tag nor a keyword.

        Raises:
            NotFound: There are too few notes.
        """
        return calibrating.calibrate(self._engine, self.scope)

    def process(
        self,
        *,
        progress: Callable[[int, int], None] | None = None,
    ) -> Processed:
        """Form notes from all interactions that wait, oldest first; see `Memory.process`."""
        return processed(self._engine, self.scope, None, progress)

    def rank(  # noqa: PLR0913  what may be asked for, each by its name
        self,
        user: str,
        candidates: Sequence[str] | None = None,
        *,
        instruction: str = "",
        top_k: int | None = None,
        as_of: When | None = None,
        explain: bool = False,
        fallback: Fallback = "extractive",
        method: Method = "lamina",
    ) -> Ranking:
        """Put items in order for a user: all candidates that are known, each once.

        It never waits for pending work; what is pending counts as what was done, and `pending`
        tells how much there is.

        Args:
            user: Of whom nothing may be known yet.
            candidates: Ids of items; if not given, all that the user has not interacted with.
            instruction: What the user asks for, in any language; named attributes are heeded.
                Empty: nothing.
            top_k: Only the first so many are told; all, if not given.
            as_of: Only from what was known strictly before, of anybody.
            explain: Whether each item tells its evidence and each signal's share.
            fallback: How what a model did not name is put in order: `extractive`, or as `given`.
            method: By what: `lamina`: all there is, with the patterns of the pool; `atomrec`: the
                same without the pool; `amem4rec`: only what the user did last and the patterns that
                tell of it, by what they and the candidates say.

        Raises:
            BadInput: The user's id, a candidate's, the instruction, the moment, the fallback or the
                method cannot be one.
        """
        at = standpoint(as_of=as_of).at
        wanted = ranking.Wanted(
            user=user,
            candidates=candidates,
            instruction=instruction,
            top_k=top_k,
            at=at,
            explain=explain,
            fallback=fallback,
            method=method,
            chat=lending.chat(self._engine, self.scope, _user(user), at),
        )
        return ranking.rank(self._engine, self.scope, wanted)

    def explain(
        self, user: str, item: str, *, instruction: str = "", as_of: When | None = None
    ) -> Explanation:
        """Tell what speaks for and against an item for a user: notes, links, relations, dates.

        Raises:
            NotFound: There is no such item.
            BadInput: The user's id, the instruction or the moment cannot be one.
        """
        at = standpoint(as_of=as_of).at
        chat = lending.chat(self._engine, self.scope, _user(user), at)
        asked = ranking.instruction(instruction)
        return explaining.explain(self._engine, self.scope, user, item, asked, at, chat)

    def profile(self, user: str, *, as_of: When | None = None) -> Profile:
        """Tell what is known of a user in all: sides of their taste, lasting or passing.

        Raises:
            BadInput: The user's id or the moment cannot be one.
        """
        return tasting.profile(self._engine, self.scope, _user(user), standpoint(as_of=as_of).at)

    def configure(
        self,
        *,
        privacy: Privacy | None = None,
        k: int | None = None,
        keep_text: bool | None = None,
        keep_fields: Sequence[str] | Literal["all"] | None = None,
        keep_days: int | None = None,
    ) -> Configuration:
        """Set what this recommender keeps to, for all who open the store; the rest stays as it is.

        Args:
            privacy: `open`: everybody's notes may serve others, unnamed; `group`: those of the same
                group; `silo`: nobody's. Under `group` and `silo` what at least `k` users support
                may serve all.
            k: See `privacy`; at least 1.
            keep_text: Whether what users say of items is kept, or dropped before it is stored.
                What is stored already stays until it expires or its user is forgotten.
            keep_fields: Which metadata of interactions are kept, by name; the others are dropped
                before they are stored. `all`, as if it had never been given: all are kept.
            keep_days: For how many days interactions are kept, by `expire`; 0: for ever.

        Raises:
            BadInput: A value is none of these.
        """
        given: Mapping[str, Any] = {
            "privacy": privacy,
            "k": k,
            "keep_text": keep_text,
            "keep_fields": keep_fields,
            "keep_days": keep_days,
        }
        return configure(self._engine, self.scope, given)

    @property
    def configuration(self) -> Configuration:
        """What this recommender keeps to."""
        return configured(self._engine.store, self.scope)

    def expire(self) -> Operation | None:
        """Withdraw the interactions that are older than `keep_days`, at every moment.

        What was formed of them goes with them. Return the operation; `None`, if none is so old or
        nothing is configured. It can be rolled back; what is to leave no trace is forgotten.

        Raises:
            Conflict: Others kept changing what is to go; try again.
        """
        return expiring.expire(self._engine, self.scope)

    def update(self, id: str, text: str) -> Note:
        """Change a note's words as a person; it never evolves again. See `Handle.update`."""
        return edit.update(self._engine, self.scope, id, text)

    def delete(self, id: str) -> Operation:
        """Withdraw an interaction, a description or a note; see `Handle.delete`."""
        return edit.delete(self._engine, self.scope, id)

    def rollback(self, operation: str) -> RolledBack:
        """Undo an operation: an addition, an import, the writing of a note; see `Handle.rollback`.

        The writing of one interaction's note is one operation, with its links and all that it
        changed in other notes.
        """
        return rollback.rollback(self._engine, self.scope, operation)

    def quarantine(self, id: str, reason: str = "") -> Operation:
        """Set a message or note aside; see `Handle.quarantine`."""
        return setting_aside.quarantine(self._engine, self.scope, id, reason)

    def release(self, id: str) -> Operation:
        """Take a quarantine back; see `Handle.release`."""
        return setting_aside.release(self._engine, self.scope, id)

    def forget(self, *, purge: bool = True) -> Receipt:
        """Erase all of this recommender and its pool; it cannot be undone.

        One user: `memory.user(ID).forget()`. See `Handle.forget`.
        """
        return forgetting.forget(self._engine, self.scope, purge=purge)

    def export(self) -> Iterator[str]:
        """Return all that is here, in one state, as the lines of an archive; see `Handle.export`.

        `Memory.restore` puts them into an empty recommender.
        """
        return transfer.export(self._engine, self.scope)


def _user(given: object) -> str:
    return name("the user's id", given)
