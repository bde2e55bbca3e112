"""What a model is shown when it reads: the requests of synthesise, Stage-R and the ranking.

Evidence is packed by value until its budget is full; candidates are all shown, always, in an order
that depends on nothing but a hash.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lamina.identity import digest
from lamina.models.lines import Count, Shown, Shrinks, fitted, generous
from lamina.ports import Request
from lamina.strategies.atomrec import cards, profiles
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.strategies.atomrec.prompts import Stage
from lamina.strategies.atomrec.replies_ranking import SCHEMAS
from lamina.strategies.atomrec.sheets import FACET_TOKENS, facet, request
from lamina.strategies.atomrec.stages import Candidate, Card, Reading, Synthesis, Taste

REQUEST_TOKENS = 120
PROFILE_TOKENS = 200
COUNTS_TOKENS = 120
SUMMARY_TOKENS = 320
CARD_TOKENS = 100
"""Tokens at most: of what is asked for; of a profile; of what is counted; of a summary; and of a
note."""
CANDIDATE_TOKENS = 80
CANDIDATES_TOKENS = 6000
SHORTEST_CANDIDATE = 20
"""Tokens at most of a candidate, and of all; and of each, where there are too many for that."""
SCORED_TOKENS = 60
"""Tokens of the reply for each candidate."""
OUTPUT_TOKENS = 1200


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """The evidence that fits."""

    cards: tuple[Card, ...]
    """In the order shown, which is that of their numbers."""
    lines: tuple[str, ...]

    @property
    def shown(self) -> Shown:
        """Their ids."""
        return Shown.of(self.cards)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request, and what its numbers mean."""

    request: Request
    cards: tuple[Card, ...]
    candidates: Shown


def synthesise(reading: Reading, config: AtomRecConfig, count: Count) -> Asked:
    """Return what is asked about the linked notes."""
    own = replace(reading, patterns=())
    return _asked("synthesise", own, _named(reading), (), config, count)


def taste(
    reading: Reading, synthesis: Synthesis | None, config: AtomRecConfig, count: Count
) -> Asked:
    """Return what Stage-R asks."""
    head = [*_named(reading), *_summed(synthesis)]
    if synthesis:
        head += [
            (cards.named("hint", hint, longest=120), FACET_TOKENS)
            for hint in synthesis.facet_hints[: config.facets]
        ]
    return _asked("taste", replace(reading, patterns=()), head, (), config, count)


def score(
    reading: Reading,
    read: tuple[Synthesis | None, Taste | None],
    candidates: Sequence[Candidate],
    config: AtomRecConfig,
    count: Count,
) -> Asked:
    """Return what is asked about the candidates."""
    synthesis, found = read
    head = [*_named(reading), *_summed(synthesis)]
    passes = profiles.lasting([card.at for card in reading.own], config)
    head += [(facet(each, passes), FACET_TOKENS) for each in (found.facets if found else ())]
    return _asked("score", reading, head, shuffled(reading, candidates), config, count)


def shuffled(reading: Reading, candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Return the candidates in an order that tells nothing, each once: by a hash.

    It is of the item's id and the reading, so that no item is favoured by its place for everybody.
    """
    seed = digest(reading.instruction, *(card.id for card in reading.own))
    once = {each.item.id: each for each in reversed(candidates)}
    return tuple(sorted(once.values(), key=lambda each: digest(seed, each.item.id)))


def by_value(reading: Reading) -> list[Card]:
    """Return the notes of a reading, the most valuable first, each once.

    Two of the user's own, then one that links lead to, and so on; a fact from a conversation after
    every third; a pattern after every second.
    """
    ranked = [
        *((float(i), 0, card) for i, card in enumerate(reading.own)),
        *((2.0 * i + 1.5, 1, card) for i, card in enumerate(reading.linked)),
        *((3.0 * i + 2.5, 2, card) for i, card in enumerate(reading.chat)),
        *((2.0 * i + 1.75, 3, card) for i, card in enumerate(reading.patterns)),
    ]
    ordered = [card for _, _, card in sorted(ranked, key=lambda each: each[:2])]
    return list({card.id: card for card in reversed(ordered)}.values())[::-1]


def pack(reading: Reading, budget: int, count: Count) -> Packed:
    """Return the notes that fit into `budget` tokens; one that does not is passed over.

    A note that a link led to names the note before it, if that is shown before.
    """
    kept: list[Card] = []
    for card, cost in _costs(by_value(reading), count):
        if cost <= budget:
            budget -= cost
            kept.append(card)
    shown = Shown.of(kept)
    lines = fitted([(_evidence(card, shown), CARD_TOKENS) for card in kept], count)
    return Packed(cards=tuple(kept), lines=tuple(lines))


def _costs(ordered: Sequence[Card], count: Count) -> Iterator[tuple[Card, int]]:
    """Yield each note with the tokens of its line, that of its path and its end included."""
    every = Shown.of(ordered)
    lines = fitted([(_evidence(card, every), CARD_TOKENS) for card in ordered], count)
    yield from zip(ordered, (n + 1 for n in count(lines)), strict=True)


def _evidence(card: Card, shown: Shown) -> Shrinks:
    if card.after is None or card.after not in shown.ids:
        return cards.note(card, shown.number(card.id))
    before, relation = shown.number(card.after), card.relation or ""
    return cards.note(card, shown.number(card.id), (before, relation))


def _named(reading: Reading) -> list[tuple[Shrinks, int]]:
    told = [
        ("request", reading.instruction, REQUEST_TOKENS),
        ("profile", reading.profile, PROFILE_TOKENS),
        ("counts", reading.counts, COUNTS_TOKENS),
    ]
    return [(cards.named(name, text), limit) for name, text, limit in told if text.strip()]


def _summed(synthesis: Synthesis | None) -> list[tuple[Shrinks, int]]:
    if synthesis is None or not synthesis.summary:
        return []
    return [(cards.named("summary", synthesis.summary, longest=1600), SUMMARY_TOKENS)]


def _asked(
    stage: Stage,
    reading: Reading,
    head: Sequence[tuple[Shrinks, int]],
    candidates: Sequence[Candidate],
    config: AtomRecConfig,
    count: Count,
) -> Asked:
    """Return the request: what the head takes of the evidence's tokens, the notes do not have."""
    measure = generous(count)
    lines = fitted(head, measure)
    spent = sum(measure(lines)) + len(lines)
    packed = pack(reading, config.evidence_tokens - spent - 4, measure)
    if packed.lines:
        lines += ["evidence", *packed.lines]
    if candidates:
        lines += ["candidates", *_candidates(candidates, measure)]
    most = max(OUTPUT_TOKENS, SCORED_TOKENS * len(candidates))
    patterns = any(card.side == "pattern" for card in packed.cards)
    return Asked(
        request=request(stage, "\n".join(lines), most, SCHEMAS[stage], patterns=patterns),
        cards=packed.cards,
        candidates=Shown(tuple(each.item.id for each in candidates)),
    )


def _candidates(candidates: Sequence[Candidate], count: Count) -> list[str]:
    each = min(CANDIDATE_TOKENS, max(SHORTEST_CANDIDATE, CANDIDATES_TOKENS // len(candidates)))
    return fitted(
        [
            (cards.candidate(number, told.item, told.memory), each)
            for number, told in enumerate(candidates, start=1)
        ],
        count,
    )
