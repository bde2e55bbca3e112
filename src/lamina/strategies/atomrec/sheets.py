"""What a model is shown when memory is formed: the requests of write, link, evolve and reflect.

Each prompt is bounded in tokens, whatever the texts are: every line has its share and is cut to it.
All notes that a stage is given are shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from lamina.items import Facet
from lamina.models.lines import Count, Shown, Shrinks, fitted, generous, level, line
from lamina.ports import Request
from lamina.strategies.atomrec import cards, prompts
from lamina.strategies.atomrec.replies_forming import SCHEMAS
from lamina.strategies.atomrec.stages import Card, Click, Evolving, Linking, Reflecting

PROMPT_TOKENS: Mapping[prompts.Stage, int] = MappingProxyType(
    {"write": 750, "write_item": 250, "link": 1340, "evolve": 375, "reflect": 1190}
)
"""Tokens of each stage's prompt at most, its system text not counted."""
OUTPUT_TOKENS: Mapping[prompts.Stage, int] = MappingProxyType(
    {"write": 900, "write_item": 500, "link": 1024, "evolve": 700, "reflect": 2048}
)
"""Tokens of each stage's reply at most."""
ITEM_TOKENS = 190
DID_TOKENS = 180
PROFILE_TOKENS = 90
COUNTS_TOKENS = 80
FACET_TOKENS = 36
SHORTEST_LINE = 30
"""Tokens of a line: of an item; of what was done; of a profile; of what is counted; of a facet; and
of any note, where there are so many that no more is left."""


def write(click: Click, count: Count) -> Request:
    """Return what is asked about an interaction: what is known of its item may be new, too."""
    wanted = ["user_note", *(["item_note"] if click.new_item and not click.metadata_only else [])]
    head = [
        (cards.item(click.item), ITEM_TOKENS),
        (cards.did(click.interaction), DID_TOKENS),
        *_usual(click),
        *_named("profile", click.profile, PROFILE_TOKENS),
        *_named("counts", click.counts, COUNTS_TOKENS),
        (_plain("wanted", *wanted), SHORTEST_LINE),
    ]
    recent = [cards.note(card, None) for card in click.recent]
    return _request("write", head, {"recent": recent}, count)


def write_item(click: Click, count: Count) -> Request:
    """Return what is asked about an item of which only its description may be told.

    The interaction is not shown, so nothing of it can be told.
    """
    return _request(
        "write_item", [(cards.item(click.item), PROMPT_TOKENS["write_item"])], {}, count
    )


def link(asked: Linking, shown: Shown, count: Count) -> Request:
    """Return what is asked about a new note and those near to it; all are shown."""
    near = [cards.note(card, shown.number(card.id)) for card in _once(asked.near)]
    return _request("link", [], {"new": [cards.note(asked.new, None)], "near": near}, count)


def evolve(asked: Evolving, shown: Shown, count: Count) -> Request:
    """Return what is asked about a historical note."""
    others = [c for c in _once(asked.nearby) if c.id not in (asked.new.id, asked.target.id)]
    sections = {"new": [asked.new], "target": [asked.target], "nearby": others}
    numbers = sorted(shown.number(id_) for id_ in asked.linked if id_ in shown.ids)
    head = [(_plain("linked", *numbers), SHORTEST_LINE)]
    return _request("evolve", head, _notes(sections, shown), count)


def reflect(asked: Reflecting, shown: Shown, count: Count) -> Request:
    """Return what is asked about what an interaction changes."""
    click = asked.click
    head = [
        (cards.item(click.item), ITEM_TOKENS // 2),
        (cards.did(click.interaction), DID_TOKENS // 2),
        *_usual(click),
        *_named("profile", click.profile, 2 * PROFILE_TOKENS),
        *_named("counts", click.counts, COUNTS_TOKENS),
        *((facet(each), FACET_TOKENS) for each in asked.facets[:7]),
    ]
    known = {asked.note.id, *([asked.item.id] if asked.item else [])}
    neighbours = [card for card in _once(asked.neighbours) if card.id not in known]
    sections = _notes(
        {
            "note": [asked.note],
            "item note": [asked.item] if asked.item else [],
            "neighbours": neighbours,
        },
        shown,
    )
    told = known | {card.id for card in neighbours}
    sections["recent"] = [cards.note(c, None) for c in _once(click.recent) if c.id not in told]
    return _request("reflect", head, sections, count)


def facet(told: Facet, passes: bool = False) -> Shrinks:
    """Return the line of a facet: whether it is lasting, and else, if that can be said, passing."""
    lasts = "lasting" if told.lasting else "passing" if passes else ""
    return cards.named("facet", told.facet, round(told.confidence, 2), lasts, longest=120)


def _plain(*items: object) -> Shrinks:
    return lambda share: line(*items)


def _named(label: str, text: str, limit: int) -> list[tuple[Shrinks, int]]:
    return [(cards.named(label, text), limit)] if text.strip() else []


def _usual(click: Click) -> list[tuple[Shrinks, int]]:
    if click.usual is None or click.interaction.rating is None:
        return []
    return [(_plain("usual rating", round(click.usual, 1)), SHORTEST_LINE)]


def _once(shown: Sequence[Card]) -> list[Card]:
    return list({card.id: card for card in reversed(shown)}.values())[::-1]


def _notes(sections: Mapping[str, Sequence[Card]], shown: Shown) -> dict[str, list[Shrinks]]:
    return {
        name: [cards.note(card, shown.number(card.id)) for card in notes]
        for name, notes in sections.items()
    }


def _request(
    stage: prompts.Stage,
    head: Sequence[tuple[Shrinks, int]],
    sections: Mapping[str, Sequence[Shrinks]],
    count: Count,
) -> Request:
    """Return the request: the notes share what the head leaves of the stage's tokens."""
    measure = generous(count)
    notes = [each for section in sections.values() for each in section]
    names = [name for name, section in sections.items() if section]
    lines = fitted(head, measure)
    spent = sum(measure([*lines, *names])) + len(lines) + len(names) + len(notes)
    whole = measure([shrinks(1.0) for shrinks in notes])
    each = max(SHORTEST_LINE, level(whole, PROMPT_TOKENS[stage] - spent))
    told = iter(fitted([(shrinks, each) for shrinks in notes], measure))
    for name in names:
        lines += [name, *(next(told) for _ in sections[name])]
    return request(stage, "\n".join(lines), OUTPUT_TOKENS[stage], SCHEMAS[stage])


def request(
    stage: prompts.Stage,
    prompt: str,
    most_output: int,
    schema: Mapping[str, Any],
    *,
    patterns: bool = False,
) -> Request:
    """Return a stage's request; Stage-R and the ranking go to the ranking model.

    What patterns are is said only where one is shown.
    """
    return Request(
        role="rank" if stage in ("taste", "score") else "memory",
        system=prompts.load(stage, "patterns") if patterns else prompts.load(stage),
        prompt=prompt,
        schema=schema,
        max_output_tokens=most_output,
    )
