"""From a model's reply to notes, links and evolutions: what it may name, and what is malformed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from lamina.errors import MalformedReply
from lamina.models import values
from lamina.models.lines import Shown
from lamina.models.values import ID, IDS, NUMBER, TEXT, TEXTS
from lamina.strategies.atomrec import replies
from lamina.strategies.atomrec.prompts import Stage
from lamina.strategies.atomrec.replies import FIELDS, LINKS
from lamina.strategies.atomrec.stages import (
    Click,
    Evolution,
    Evolving,
    Fields,
    Linking,
    Reflecting,
    Reflection,
    Relation,
    Written,
)

_CHANGED: dict[str, Any] = {
    "keywords": TEXTS,
    "tags": TEXTS,
    "context": TEXT,
    "links": LINKS,
    "confidence": NUMBER,
    "supporting_notes": IDS,
}
_MAYBE_FIELDS = {**FIELDS, "type": ["object", "null"]}
_ITEM = {"type": ["object", "null"], "properties": _CHANGED, "required": list(_CHANGED)}
_NEIGHBOUR = {
    "type": "object",
    "properties": {"id": ID, **_CHANGED},
    "required": ["id", *_CHANGED],
}


def _object(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required}


SCHEMAS: Mapping[Stage, dict[str, Any]] = MappingProxyType(
    {
        "write": _object(["user_note"], user_note=FIELDS, item_note=_MAYBE_FIELDS),
        "write_item": _object(["item_note"], item_note=FIELDS),
        "link": _object(["links"], links=LINKS),
        "evolve": _object(["evolve"], evolve={"type": "boolean"}, **_CHANGED),
        "reflect": _object(
            ["user"], user=FIELDS, item=_ITEM, neighbours={"type": "array", "items": _NEIGHBOUR}
        ),
    }
)


def written(click: Click) -> Callable[[Any], Written]:
    """Return how to read the notes of an interaction.

    The parser drops an item's note that was not wanted. It raises `MalformedReply` where a note
    that was is missing, has no content, or its keywords or tags are not lists of texts.
    """

    def parse(value: Mapping[str, Any]) -> Written:
        user = replies.fields(value.get("user_note"), "user_note")
        if not click.new_item or click.metadata_only:
            return Written(user=user)
        return Written(user=user, item=item_note(value))

    return parse


def item_note(value: Mapping[str, Any]) -> Fields:
    """Return the note of an item; raises `MalformedReply` as `written` does."""
    return replies.fields(value.get("item_note"), "item_note")


def linked(asked: Linking, shown: Shown) -> Callable[[Any], tuple[Relation, ...]]:
    """Return how to read the links of a new note.

    The parser drops links to what was not shown, and to the note itself. It raises `MalformedReply`
    where there is no list, or nothing is left of a reply that had links.
    """

    def parse(value: Mapping[str, Any]) -> tuple[Relation, ...]:
        items = values.listed(value, "links")
        found = replies.relations(items, shown)
        if items and not found:
            raise MalformedReply("none of its links has an id that was shown")
        return tuple(relation for relation in found if relation.target != asked.new.id)

    return parse


def evolved(asked: Evolving, shown: Shown) -> Callable[[Any], Evolution | None]:
    """Return how to read an evolution; `None` if there is to be none, or no note bears it out.

    The parser raises `MalformedReply` where the reply does not say whether the target evolves, or
    what it is to be is not of the form asked for.
    """

    def parse(value: Mapping[str, Any]) -> Evolution | None:
        evolves = value.get("evolve")
        if not isinstance(evolves, bool):
            raise MalformedReply('"evolve" is neither true nor false')
        return evolution(value, asked.target.id, shown) if evolves else None

    return parse


def evolution(value: Mapping[str, Any], target: str, shown: Shown) -> Evolution | None:
    """Return what a note is to be; `None` if no other note that was shown bears that out.

    Raises:
        MalformedReply: Its words are not lists of texts, or its confidence is no finite number.
    """
    confidence = replies.share(value.get("confidence"))
    if confidence is None:
        raise MalformedReply('"confidence" is not a number from 0 to 1')
    named = replies.ids(value.get("supporting_notes"), shown)
    links = value.get("links")
    found = replies.relations(links if isinstance(links, list) else [], shown)
    changed = Evolution(
        keywords=values.words(value, "keywords"),
        tags=values.words(value, "tags"),
        context=values.text(value.get("context"), replies.LONGEST_CONTEXT),
        links=tuple(link for link in found if link.target != target),
        confidence=confidence,
        supporting=tuple(id_ for id_ in named if id_ != target),
    )
    return changed if changed.supporting else None


def reflected(asked: Reflecting, shown: Shown) -> Callable[[Any], Reflection]:
    """Return how to read Stage-W.

    The parser drops what is not borne out, what is of no form, and changes of what is no neighbour.
    It raises `MalformedReply` where there is no profile.
    """
    neighbours = {card.id for card in asked.neighbours} - {asked.note.id}
    if asked.item:
        neighbours -= {asked.item.id}

    def parse(value: Mapping[str, Any]) -> Reflection:
        profile = replies.fields(value.get("user"), "user")
        changed: dict[str, Evolution] = {}
        given = value.get("neighbours")
        for each in given if isinstance(given, list) else []:
            target = shown.named(each.get("id")) if isinstance(each, dict) else None
            if target not in neighbours or target in changed:
                continue
            found = _sound(each, target, shown)
            if found is not None:
                changed[target] = found
        item = _sound(value.get("item"), asked.item.id, shown) if asked.item else None
        return Reflection(profile=profile, item=item, neighbours=tuple(changed.items()))

    return parse


def _sound(value: Any, target: str, shown: Shown) -> Evolution | None:
    """Return an evolution that stands beside others; one that is of no form is none."""
    if not isinstance(value, dict):
        return None
    try:
        return evolution(value, target, shown)
    except MalformedReply:
        return None
