"""From items and interactions as callers pass them to what is stored: checked, in batches."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from numbers import Integral, Real
from typing import Any, TypeAlias, TypeVar

from lamina.errors import BadInput, shown
from lamina.identity import digest, message_ids
from lamina.items import DESCRIBE, Interaction, Item
from lamina.memory import hidden
from lamina.memory.recommending.configuring import Configuration, configured
from lamina.memory.values import Added
from lamina.memory.write import import_id, name, no_json
from lamina.model import Message, Scope, Step
from lamina.ports import MessageDraft, Operation
from lamina.times import EPOCH, parse
from lamina.work import indexing, keeping
from lamina.work.engine import Engine

GivenItem: TypeAlias = Item | Mapping[str, Any]
GivenInteraction: TypeAlias = Interaction | Mapping[str, Any]
Told = Callable[[int], None]
"""Told how many have been stored, or were known, so far."""

WRITE = Step(kind="write", subject="")
LARGEST_RATING = 1e9
AT_ONCE = 2_000
"""How many are stored in one transaction."""
ITEM_FIELDS = frozenset({"id", "title", "description", "categories", "tags", "attributes"})
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """One call's addition to a recommender."""

    engine: Engine
    scope: Scope
    batch: str | None = None
    """The import that it is a part of, if any."""
    told: Told | None = None

    def items(self, given: Iterable[GivenItem]) -> Added:
        """Store what items are; one whose description has not changed is passed over."""
        return self._stored(given, lambda one: keeping.description(item(one)))

    def interactions(self, given: Iterable[GivenInteraction]) -> Added:
        """Store what users did; what is stored already is passed over."""
        keeps = configured(self.engine.store, self.scope)
        return self._stored(given, lambda one: _act(one, keeps))

    def _stored(self, given: Iterable[T], draft: Callable[[T], MessageDraft]) -> Added:
        if isinstance(given, str | bytes | Mapping):
            raise BadInput("pass a list of them, or anything that yields one after the other")
        epoch = self.engine.store.epoch(self.scope)
        now = self.engine.clock.now()
        parts: list[Added] = []
        done, operation = 0, None
        for some in _batches(given):
            drafts = [draft(one) for one in some]
            parts.append(self._append(drafts, now, epoch, operation))
            operation = operation or parts[-1].operation
            done += len(some)
            if self.told:
                self.told(done)
        if not parts:
            raise BadInput("there is nothing to add; pass at least one")
        return hidden.together(parts)

    def _append(
        self, drafts: Sequence[MessageDraft], now: datetime, epoch: int, operation: str | None
    ) -> Added:
        store, scope = self.engine.store, self.scope
        drafts = self._again(drafts)
        ids = message_ids(scope, drafts)
        known = store.known(scope, ids)
        if len(known) == len(set(ids)):
            return hidden.marked(store, scope, Added(ids=tuple(ids), new=0), known)
        shown = [indexing.turn(each) for each in drafts if each.action == DESCRIBE]
        made = self._operation(drafts, ids, now, operation)
        appended = store.append(
            scope,
            drafts,
            indexing.documents(shown, self.engine.encoder) if shown else [],
            steps=(WRITE,) if any(each.action != DESCRIBE for each in drafts) else (),
            now=now,
            epoch=epoch,
            operation=made,
        )
        added = Added(
            ids=tuple(each.id for each in appended),
            new=sum(each.new for each in appended),
            operation=made.id,
        )
        return hidden.marked(store, scope, added, known)

    def _again(self, drafts: Sequence[MessageDraft]) -> list[MessageDraft]:
        """Give a key of its own to a description that was true once, then not, and is again."""
        named = [d.item for d in drafts if d.action == DESCRIBE and d.item is not None]
        if not named:
            return list(drafts)
        store, scope = self.engine.store, self.scope
        current = store.described(scope, named)
        known = store.known(scope, message_ids(scope, drafts))
        return [
            self._anew(draft) if id_ in known and _other(draft, current) else draft
            for draft, id_ in zip(drafts, message_ids(scope, drafts), strict=True)
        ]

    def _anew(self, draft: MessageDraft) -> MessageDraft:
        number = 1
        while True:
            keyed = replace(draft, key=digest(draft.item or "", draft.text, number))
            if not self.engine.store.known(self.scope, message_ids(self.scope, [keyed])):
                return keyed
            number += 1

    def _operation(
        self, drafts: Sequence[MessageDraft], ids: Sequence[str], now: datetime, begun: str | None
    ) -> Operation:
        """Return what adds them: one operation for all of a call, or of an import."""
        scope, known_at = self.scope, max(draft.said_at for draft in drafts)
        if self.batch is not None:
            id_ = import_id(self.engine.store, scope, "a person", name("batch", self.batch))
            return Operation(
                id=id_, kind="import", cause=self.batch, known_at=known_at, recorded_at=now
            )
        place = (scope.tenant, scope.kind, scope.id)
        return Operation(
            id=begun or digest(*place, "add", now.isoformat(), *ids),
            kind="add",
            cause="a person",
            known_at=known_at,
            recorded_at=now,
        )


def item(given: GivenItem) -> Item:
    """Return an item if it can be one.

    Raises:
        BadInput: It has no id, or something in it is not what it should be.
    """
    if isinstance(given, Mapping):
        given = _item_of(given)
    if not isinstance(given, Item):
        raise BadInput(f"an item is an Item or a mapping with an id, not {type(given).__name__}")
    _json(f"the attributes of item {given.id!r:.60}", given.attributes)
    for what in ("title", "description"):
        if not isinstance(getattr(given, what), str):
            raise BadInput(f"the {what} of item {given.id!r:.60} must be text")
    return replace(
        given,
        id=_id("an item's id", given.id),
        categories=_words("categories", given.categories),
        tags=_words("tags", given.tags),
        known_since=None if given.known_since is None else parse(given.known_since),
    )


def _item_of(given: Mapping[str, Any]) -> Item:
    """Return the item of a mapping; what is no field of an item is an attribute."""
    rest = {k: v for k, v in given.items() if k not in ITEM_FIELDS and k != "known_since"}
    attributes = given.get("attributes") or {}
    if not isinstance(attributes, Mapping):
        raise BadInput(f"attributes of item {given.get('id')!r:.60} must be a mapping")
    return Item(
        id=_id("an item's id", given.get("id")),
        title=given.get("title") or "",
        description=given.get("description") or "",
        categories=_words("categories", given.get("categories") or ()),
        tags=_words("tags", given.get("tags") or ()),
        attributes={**attributes, **{k: v for k, v in rest.items() if v is not None}},
        known_since=given.get("known_since"),
    )


def interaction(given: GivenInteraction) -> Interaction:
    """Return an interaction if it can be one.

    Raises:
        BadInput: It lacks a user, an item or a time, or something in it is not what it should be.
    """
    if isinstance(given, Mapping):
        given = _interaction_of(given)
    if not isinstance(given, Interaction):
        raise BadInput(f"an interaction is an Interaction or a mapping, not {type(given).__name__}")
    action = name("an interaction's action", given.action)
    if action == DESCRIBE:
        raise BadInput(f"the action {DESCRIBE!r} is kept for items; give them to add_items")
    if not isinstance(given.text, str):
        raise BadInput(f"an interaction's text must be text, not {type(given.text).__name__}")
    _json("an interaction's metadata", given.metadata)
    return replace(
        given,
        user=_id("an interaction's user", given.user),
        item=_id("an interaction's item", given.item),
        at=moment(given.at),
        rating=_rating(given.rating),
    )


def _interaction_of(given: Mapping[str, Any]) -> Interaction:
    read = {"id", "user", "item", "at", "timestamp", "action", "rating", "text", "metadata", "key"}
    at = given.get("at", given.get("timestamp"))
    if at is None:
        raise BadInput(
            "an interaction needs its time: `timestamp`, ISO 8601 text, an aware datetime,"
            " or seconds since 1970"
        )
    metadata = given.get("metadata") or {}
    if not isinstance(metadata, Mapping):
        raise BadInput("an interaction's metadata must be a mapping")
    return Interaction(
        id="",
        user=_id("an interaction's user", given.get("user")),
        item=_id("an interaction's item", given.get("item")),
        at=moment(at),
        action=given.get("action") or ("click" if given.get("rating") is None else "rate"),
        rating=_rating(given.get("rating")),
        text=given.get("text") or "",
        metadata={**metadata, **{k: v for k, v in given.items() if k not in read}},
    )


def moment(given: object) -> datetime:
    """Return a time: as `lamina.times.parse` does, or whole or fractional seconds since 1970 UTC.

    Raises:
        BadInput: It is no time, or lies in no year from 1 to 9999.
    """
    if isinstance(given, Real) and not isinstance(given, bool):
        try:
            return EPOCH + timedelta(seconds=float(given))
        except (OverflowError, ValueError) as error:
            raise BadInput(f"not a time: {shown(given)} seconds since 1970") from error
    return parse(given)  # type: ignore[arg-type]  # which says what is wrong with anything else


def _act(given: GivenInteraction, keeps: Configuration) -> MessageDraft:
    key = given.get("key") if isinstance(given, Mapping) else None
    done = _minimised(interaction(given), keeps)
    return keeping.act(done, None if key is None else name("key", key))


def _minimised(done: Interaction, keeps: Configuration) -> Interaction:
    """Return an interaction without what is not to be kept."""
    text = done.text if keeps.keep_text else ""
    fields = keeps.keep_fields
    kept = done.metadata if fields is None else {k: done.metadata[k] for k in fields
                                                 if k in done.metadata}  # fmt: skip
    return replace(done, text=text, metadata=kept)


def _id(what: str, given: object) -> str:
    """Return an id as text; whole numbers are taken as they are written."""
    whole = isinstance(given, Integral) and not isinstance(given, bool)
    return name(what, str(given) if whole else given)


def _rating(given: object) -> float | None:
    if given is None:
        return None
    if not isinstance(given, Real) or isinstance(given, bool) or not _finite(given):
        raise BadInput(f"a rating must be a finite number, not {given!r:.40}")
    if abs(float(given)) > LARGEST_RATING:
        raise BadInput(f"a rating lies within {LARGEST_RATING:g} of 0, unlike {given!r:.40}")
    return float(given)


def _finite(given: Real) -> bool:
    """Whether a number is finite; one that no float can hold is not."""
    try:
        return math.isfinite(given)
    except OverflowError:
        return False


def _words(what: str, given: object) -> tuple[str, ...]:
    some = (given,) if isinstance(given, str) else given
    if not isinstance(some, list | tuple | set | frozenset) or not all(
        isinstance(word, str) for word in some
    ):
        raise BadInput(f"{what} must be texts, not {given!r:.60}")
    ordered = sorted(some) if isinstance(some, set | frozenset) else some
    return tuple(dict.fromkeys(word.strip() for word in ordered if word.strip()))


def _json(what: str, given: object) -> None:
    if not isinstance(given, Mapping):
        raise BadInput(f"{what} must be a mapping, not {type(given).__name__}")
    if wrong := no_json(given):
        raise BadInput(f"{what} must be JSON: {wrong}")


def _other(draft: MessageDraft, current: Mapping[str, Message]) -> bool:
    """Whether an item is described otherwise now than this says."""
    now = current.get(draft.item or "") if draft.action == DESCRIBE else None
    return now is not None and now.said_at == draft.said_at and now.text != draft.text


def _batches(given: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(given)
    while some := list(islice(rest, AT_ONCE)):
        yield some
