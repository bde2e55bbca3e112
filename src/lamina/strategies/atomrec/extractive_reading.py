"""What is read without a model: the twins of synthesise, Stage-R and the scores.

They select and count; every word comes from a note. `ranking` puts more signals together; here the
score rests on the evidence alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lamina.identity import digest
from lamina.items import Facet
from lamina.recall.analysis import terms
from lamina.strategies.atomrec import profiles, wording, words
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.strategies.atomrec.profiles import Side
from lamina.strategies.atomrec.stages import (
    Candidate,
    Card,
    Reading,
    Scored,
    Synthesis,
    Taste,
)

SUMMED_UP = 6
"""Notes that a summary tells of."""
LONGEST_TOLD = 160
"""Characters of each."""


def synthesise(reading: Reading, config: AtomRecConfig | None = None) -> Synthesis:
    """Return the best notes, each with what a link from it leads to, in their own words."""
    chosen = config or AtomRecConfig()
    own, linked = reading.own[:SUMMED_UP], _by_before(reading.linked)
    told, paths = [], []
    for card in own:
        after = linked.get(card.id, [])[:1]
        told.append("; ".join(_words(each) for each in (card, *after)))
        paths.append((card.id, *(each.id for each in after)))
    hints = [side.word for side in profiles.sides(profiles.liked(reading.own))]
    return Synthesis(
        summary="\n".join(told),
        facet_hints=tuple(hints[: chosen.facets]),
        evidence_paths=tuple(paths),
    )


def taste(
    reading: Reading, synthesis: Synthesis | None = None, config: AtomRecConfig | None = None
) -> Taste:
    """Return the tags and keywords that most of the user's own notes bear out; see `leanings`.

    A link strengthens its note by the cosine of the two.
    """
    chosen = config or AtomRecConfig()
    found = [each for each in leanings(reading.own, chosen) if each.leaning == "likes"]
    edges = [
        (card.id, card.after, min(1.0, max(0.0, card.similarity)))
        for card in reading.linked
        if card.after is not None and card.id != card.after
    ]
    return Taste(facets=tuple(found[: chosen.facets]), support_edges=tuple(edges))


def leanings(cards: Sequence[Card], config: AtomRecConfig) -> list[Facet]:
    """Return sides of a taste, liked and disliked, those that most notes bear out first.

    What has a tag or keyword is disliked if its mean rating is clearly below the user's. Notes that
    speak otherwise bear nothing out. n notes make a facet as sure as 1 - (1 - 0.3)^n.
    """
    usual = Side(word="", cards=tuple(cards)).rating
    speaking = {card.id for card in profiles.liked(cards)}
    found = []
    for side in profiles.sides(cards):
        if _tells(side):
            dislikes = usual is not None and wording.below(side.rating, usual)
            some = [card for card in side.cards if (card.id in speaking) != dislikes] or side.cards
            told = profiles.facet(side.word, profiles.confidence(len(some)), some, config)
            found.append(replace(told, leaning="dislikes" if dislikes else "likes"))
    return sorted(found, key=lambda each: -len(each.supporting_notes))


def _tells(side: Side) -> bool:
    """Whether a word is a side of a taste: a tag, or no mere word of one item's title."""
    word = side.word.casefold()
    if any(word == tag.casefold() for card in side.cards for tag in card.fields.tags):
        return True
    items = {card.item or card.id for card in side.cards}
    titles = (wording.title(card).casefold() for card in side.cards)
    return words.telling(word) and (len(items) > 1 or not any(word in each for each in titles))


def score(
    reading: Reading,
    synthesis: Synthesis | None,
    taste: Taste | None,
    candidates: Sequence[Candidate],
) -> Scored:
    """Return for each candidate the share of what is wanted that it has.

    Wanted is each term of the instruction, and each facet for as much as it is sure. Best first;
    ties by a hash of the item.
    """
    facets = (taste or Taste()).facets
    asked = set(terms(reading.instruction))
    once = {each.item.id: each for each in reversed(candidates)}
    found = [(id_, *_fit(each, facets, asked)) for id_, each in once.items()]
    return Scored(scores=tuple(sorted(found, key=lambda each: (-each[1], digest(each[0])))))


def _fit(candidate: Candidate, facets: Sequence[Facet], asked: set[str]) -> tuple[float, str]:
    item = candidate.item
    attributes = (str(value) for value in item.attributes.values())
    shown = (item.title, *item.categories, *item.tags, *attributes, candidate.memory)
    has = set(terms(" ".join(shown)))
    met = [facet for facet in facets if set(terms(facet.facet)) <= has and terms(facet.facet)]
    wanted = sum(facet.confidence for facet in facets) + len(asked)
    got = sum(facet.confidence for facet in met) + len(asked & has)
    return got / wanted if wanted else 0.0, ", ".join(facet.facet for facet in met)


def _by_before(linked: Sequence[Card]) -> dict[str, list[Card]]:
    found: dict[str, list[Card]] = {}
    for card in linked:
        if card.after is not None:
            found.setdefault(card.after, []).append(card)
    return found


def _words(card: Card) -> str:
    text = card.fields.content
    told = text if len(text) <= LONGEST_TOLD else f"{text[:LONGEST_TOLD]}…"
    return f"{card.relation}: {told}" if card.relation else told
