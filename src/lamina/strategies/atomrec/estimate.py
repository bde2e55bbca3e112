"""What AtomRec with a model will cost, told a stage before any model is asked.

The requests are built as they will be and counted; notes that a model is yet to write stand there
as what the interactions themselves say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType

from lamina.model import Value
from lamina.models.lines import Count, Shown, generous
from lamina.models.tokens import FRAME_TOKENS
from lamina.ports import Request
from lamina.strategies.atomrec import evidence, prompts, sheets
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.strategies.atomrec.prompts import Stage
from lamina.strategies.atomrec.stages import (
    Candidate,
    Card,
    Click,
    Evolving,
    Fields,
    Linking,
    Reading,
    Reflecting,
    Synthesis,
    Taste,
)

REPLY_TOKENS: Mapping[Stage, int] = MappingProxyType(
    {
        "write": 240, "write_item": 110, "link": 60, "evolve": 80, "reflect": 220,
        "synthesise": 260, "taste": 320, "score": 0,
    }
)  # fmt: skip
"""Tokens of a usual reply; an evolution is mostly declined."""
SCORE_TOKENS = 36
"""Tokens of a usual reply for each candidate."""
LONGEST_SUMMARY = "summary " * 120
"""What stands for a synthesis."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate(Value):
    """Calls and tokens; those of the input by the encoder's count or the rough one, if more."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Estimate) -> Estimate:
        return Estimate(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
        )


def forming(
    clicks: Sequence[Click], count: Count, config: AtomRecConfig | None = None
) -> dict[Stage, Estimate]:
    """Return what it takes to form the notes of interactions, by stage.

    It is reckoned that every note has as many near ones and changes as many as it may; those near
    are taken from the interactions before it, and after it where those are too few.
    """
    chosen = config or AtomRecConfig()
    notes = [_note(click, number) for number, click in enumerate(clicks)]
    asked: dict[Stage, list[Request]] = {}
    for place, click in enumerate(clicks):
        others = [*notes[:place][::-1], *notes[place + 1 :]]
        for stage, request in _requests(click, notes[place], others, chosen, count):
            asked.setdefault(stage, []).append(request)
    return {stage: _taken(stage, requests, count) for stage, requests in asked.items()}


def reading(
    read: Reading,
    candidates: Sequence[Candidate],
    count: Count,
    config: AtomRecConfig | None = None,
) -> dict[Stage, Estimate]:
    """Return what it takes to rank once, by stage."""
    chosen = config or AtomRecConfig()
    summed = Synthesis(summary=LONGEST_SUMMARY)
    asked: dict[Stage, evidence.Asked] = {
        "synthesise": evidence.synthesise(read, chosen, count),
        "taste": evidence.taste(read, summed, chosen, count),
        "score": evidence.score(read, (summed, Taste()), candidates, chosen, count),
    }
    replies: dict[Stage, int] = {"score": SCORE_TOKENS * len(candidates)}
    return {
        stage: _taken(stage, [each.request], count) + Estimate(output_tokens=replies.get(stage, 0))
        for stage, each in asked.items()
    }


def most(count: Count, config: AtomRecConfig | None = None) -> dict[Stage, int]:
    """Return the input tokens that one interaction can take at most, by stage, whatever is said.

    Retries are not counted: a malformed reply is asked for once more.
    """
    chosen = config or AtomRecConfig()
    times: dict[Stage, int] = {"write": 1, "write_item": 1, "link": 1}
    times["evolve"] = chosen.most_evolved if chosen.evolves else 0
    times["reflect"] = 1 if chosen.reflects else 0
    measure = generous(count)
    return {
        stage: n * (measure([prompts.load(stage)])[0] + sheets.PROMPT_TOKENS[stage] + FRAME_TOKENS)
        for stage, n in times.items()
    }


def tokens(request: Request, count: Count) -> int:
    """Return the input tokens of a request."""
    return sum(generous(count)([request.system, request.prompt])) + FRAME_TOKENS


def _requests(
    click: Click, note: Card, others: Sequence[Card], config: AtomRecConfig, count: Count
) -> Iterable[tuple[Stage, Request]]:
    near = tuple(others[: config.k_link])
    yield "write", sheets.write(click, count)
    if click.new_item and click.metadata_only:
        yield "write_item", sheets.write_item(click, count)
    if near:
        yield "link", sheets.link(Linking(new=note, near=near), Shown.of(near), count)
    for target in islice(near, config.most_evolved if config.evolves else 0):
        nearby = tuple(card for card in near if card.id != target.id)[: config.nearby]
        shown = Shown.of((note, target, *nearby))
        yield (
            "evolve",
            sheets.evolve(Evolving(new=note, target=target, nearby=nearby), shown, count),
        )
    if config.reflects:
        neighbours = near[: config.neighbours]
        asked = Reflecting(click=click, note=note, item=None, neighbours=neighbours)
        yield "reflect", sheets.reflect(asked, Shown.of((note, *neighbours)), count)


def _note(click: Click, number: int) -> Card:
    done, item = click.interaction, click.item
    return Card(
        id=str(number),
        side="own",
        fields=Fields(content=f"{item.title} {done.text}".strip(), tags=item.categories),
        at=done.at,
        item=done.item,
        rating=done.rating,
    )


def _taken(stage: Stage, requests: Sequence[Request], count: Count) -> Estimate:
    return Estimate(
        calls=len(requests),
        input_tokens=sum(tokens(request, count) for request in requests),
        output_tokens=len(requests) * REPLY_TOKENS[stage],
    )
