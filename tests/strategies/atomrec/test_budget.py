"""However long and odd the texts are, what a model is shown is bounded."""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

from lamina.items import Facet, Interaction, Item
from lamina.models.lines import Count, roughly
from lamina.models.tokens import rough_input_tokens, rough_tokens
from lamina.ports import Failure, Request
from lamina.strategies.atomrec import estimate, evidence
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.strategies.atomrec.prompted import Prompted
from lamina.strategies.atomrec.stages import (
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
from lamina.testing.clock import NOON
from lamina.testing.scripted import ScriptedLLM
from tests.strategies.atomrec import shown

ODD = {
    "words": "a long review of a film " * 4000,
    "one word": "x" * 90_000,
    "quotes": '"' * 50_000,
    "backslashes": "\\" * 50_000,
    "controls": "\x00\x07" * 30_000,
    "line ends": "a\n" * 40_000,
    "Chinese": "一部很长的影评" * 9_000,
    "emoji": "🦊🎬" * 20_000,
    "marks": "e" + "\u0301" * 60_000,
    "one letter a word": "a " * 45_000,
    "punctuation": "!?.," * 20_000,
    "surrogates": "\ud83d" * 30_000,
}
DEFAULTS = AtomRecConfig()
WRITE_SIDE, EVIDENCE = 9000, 1800


def letters(texts: Any) -> list[int]:
    """Count a token for every two characters: dearer than any encoder that is known."""
    return [-(-len(text) // 2) for text in texts]


def long_card(id_: str, text: str, side: Any = "own") -> Card:
    fields = Fields(content=text, keywords=(text, text), tags=(text,) * 40, context=text)
    return replace(shown.card(id_), fields=fields, side=side, relation=text)


def long_click(text: str) -> Click:
    item = Item(
        id="m1", title=text, description=text, categories=(text,) * 30, tags=(text,) * 30,
        attributes={text: text, "year": text},
    )  # fmt: skip
    done = Interaction(id="i1", user="u", item="m1", at=NOON, rating=1 / 3, text=text, action=text)
    recent = tuple(long_card(f"r{i}", text) for i in range(DEFAULTS.recent))
    return Click(
        interaction=done, item=item, recent=recent, profile=text, counts=text, usual=1 / 7,
        new_item=True, metadata_only=True,
    )  # fmt: skip


def write_side(text: str, count: Count) -> list[Request]:
    """Return all that is asked for one interaction whose texts are all long."""
    llm = ScriptedLLM(always=Failure(reason="server", detail="counted only"))
    stages, click = Prompted(memory_llm=llm, count=count), long_click(text)
    near = tuple(long_card(f"n{i}", text, "other") for i in range(DEFAULTS.k_link))
    new, item = long_card("new", text), long_card("item", text, "item")
    stages.write([click])
    stages.link([Linking(new=new, near=near)])
    nearby = near[: DEFAULTS.nearby]
    linked = (new.id, *(card.id for card in nearby))
    targets = near[DEFAULTS.nearby :][: DEFAULTS.most_evolved]
    stages.evolve([Evolving(new=new, target=t, nearby=nearby, linked=linked) for t in targets])
    facets = tuple(Facet(facet=text, confidence=1 / 3) for _ in range(DEFAULTS.facets))
    stages.reflect(
        [
            Reflecting(
                click=click, note=new, item=item, facets=facets,
                neighbours=near[: DEFAULTS.neighbours],
            )
        ]
    )  # fmt: skip
    return llm.requests


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_an_interaction_takes_at_most_nine_thousand_tokens_to_write(text: str) -> None:
    requests = write_side(text, roughly)

    assert len(requests) == 2 + 1 + 3 + 1
    assert sum(map(rough_input_tokens, requests)) <= WRITE_SIDE
    assert sum(map(rough_input_tokens, requests)) <= sum(estimate.most(roughly).values())


@pytest.mark.parametrize("text", [ODD["words"], ODD["quotes"], ODD["Chinese"]])
def test_it_does_so_by_the_count_of_the_encoder_in_the_package(text: str) -> None:
    from lamina.adapters.encoders.onnx import MiniLM

    count = MiniLM().count_tokens
    requests = write_side(text[:20_000], count)

    assert sum(count([r.system])[0] + count([r.prompt])[0] + 8 for r in requests) <= WRITE_SIDE
    assert sum(estimate.most(count).values()) <= WRITE_SIDE


@pytest.mark.parametrize("stage", ["link", "reflect", "evolve"])
def test_all_notes_are_shown_however_long(stage: str) -> None:
    notes = {"link": 20, "reflect": 8, "evolve": 3}[stage]
    of_stage = {"link": 2, "evolve": 3, "reflect": 6}[stage]
    lines = write_side(ODD["words"], roughly)[of_stage].prompt.splitlines()

    assert sum('"other"' in line for line in lines) == notes + (stage == "evolve")
    assert all("a long review" in line for line in lines if '"other"' in line)


@pytest.mark.parametrize("near", [1, 20, 60])
def test_link_takes_no_more_where_more_is_near(near: int) -> None:
    llm = ScriptedLLM(always='{"links": []}')
    cards = tuple(long_card(f"n{i}", ODD["words"]) for i in range(near))
    Prompted(memory_llm=llm).link([Linking(new=long_card("new", "x"), near=cards)])

    most = 1500 if near <= 20 else 35 * near
    assert rough_tokens(llm.prompts[0]) <= most
    assert llm.prompts[0].count('"user"') == near + 1


def long_reading(text: str, notes: int = 12) -> Reading:
    own = tuple(long_card(f"a{i}", text) for i in range(notes))
    linked = tuple(replace(long_card(f"l{i}", text, "other"), after="a0") for i in range(notes))
    chat = tuple(long_card(f"c{i}", text) for i in range(notes))
    return Reading(instruction=text, profile=text, counts=text, own=own, linked=linked, chat=chat)


@pytest.mark.parametrize("count", [roughly, letters], ids=["roughly", "letters"])
@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_a_ranking_is_shown_at_most_its_tokens_of_evidence(text: str, count: Count) -> None:
    reading = long_reading(text)
    facets = tuple(Facet(facet=text, confidence=0.5) for _ in range(7))
    read = (Synthesis(summary=text, facet_hints=(text,) * 7), Taste(facets=facets))
    candidates = [shown.candidate(f"m{i}", memory=text) for i in range(20)]
    asked = [
        evidence.synthesise(reading, DEFAULTS, count),
        evidence.taste(reading, read[0], DEFAULTS, count),
        evidence.score(reading, read, candidates, DEFAULTS, count),
    ]

    for each in asked:
        told, _, ranked = each.request.prompt.partition("\ncandidates\n")
        assert count([told])[0] <= EVIDENCE
        assert count([ranked])[0] <= 20 * 81
        assert each.cards


def test_more_evidence_is_shown_where_more_is_allowed_the_best_first() -> None:
    reading = replace(long_reading("a review " * 100), instruction="", profile="")
    asked = [
        evidence.synthesise(reading, AtomRecConfig(evidence_tokens=n), roughly).cards
        for n in (0, 300, 900, 1800)
    ]

    assert [len(cards) for cards in asked] == sorted({len(cards) for cards in asked})
    assert asked[0] == ()
    assert asked[1][0].id == "a0"
    for fewer, more in pairwise(asked):
        assert {card.id for card in fewer} <= {card.id for card in more}


def test_a_note_that_does_not_fit_is_passed_over_for_a_shorter_one() -> None:
    own = (long_card("long", "a review " * 100), shown.card("short", "Brief."))
    reading = shown.reading(own=own, linked=())
    packed = evidence.pack(reading, 40, roughly)

    assert [card.id for card in packed.cards] == ["short"]
    assert packed.lines[0].startswith("[1, ")


def test_a_link_from_a_note_that_is_not_shown_is_not_told() -> None:
    linked = (replace(shown.card("c", side="other"), after="gone", relation="the same"),)
    packed = evidence.pack(shown.reading(linked=linked), 500, roughly)

    assert "c" in packed.shown.ids
    assert not any("from" in line for line in packed.lines)


def test_candidates_are_all_shown_in_an_order_that_depends_on_none_of_their_places() -> None:
    candidates = [shown.candidate(f"m{i}") for i in range(40)]
    reading = shown.reading()
    one = evidence.score(reading, (None, None), candidates, DEFAULTS, roughly)
    other = evidence.score(reading, (None, None), candidates[::-1], DEFAULTS, roughly)

    assert one.request == other.request
    assert set(one.candidates.ids) == {each.item.id for each in candidates}
    assert list(one.candidates.ids) != [each.item.id for each in candidates]
    asked = replace(reading, instruction="something else")
    shuffled = evidence.score(asked, (None, None), candidates, DEFAULTS, roughly)
    assert shuffled.candidates.ids != one.candidates.ids


def test_hundreds_of_candidates_are_shown_shorter_but_all() -> None:
    candidates = [shown.candidate(f"m{i}", memory="known " * 99) for i in range(400)]
    asked = evidence.score(shown.reading(), (None, None), candidates, DEFAULTS, roughly)
    _, _, told = asked.request.prompt.partition("\ncandidates\n")

    assert len(told.splitlines()) == 400
    assert rough_tokens(told) <= 400 * 21
    assert all("Film m" in line for line in told.splitlines())


def test_the_estimate_is_what_will_be_asked() -> None:
    click = shown.click("Tense and long.", new_item=True)
    later = replace(click, interaction=replace(click.interaction, at=NOON + timedelta(days=1)))
    told = estimate.forming([click, later], roughly)
    llm = ScriptedLLM(always=Failure(reason="server", detail="counted only"))
    Prompted(memory_llm=llm).write([click, later])

    assert told["write"].calls == len(llm.requests) == 2
    assert told["write"].input_tokens == llm.input_tokens
    assert {stage: each.calls for stage, each in told.items()} == {
        "write": 2, "link": 2, "evolve": 2, "reflect": 2,
    }  # fmt: skip


def test_the_estimate_of_a_ranking_counts_its_candidates() -> None:
    few = estimate.reading(shown.reading(), [shown.candidate("x")], roughly)
    many = estimate.reading(shown.reading(), [shown.candidate(f"x{i}") for i in range(20)], roughly)

    assert [*few] == ["synthesise", "taste", "score"]
    assert few["taste"] == many["taste"]
    assert few["score"].input_tokens < many["score"].input_tokens
    assert few["score"].output_tokens * 20 == many["score"].output_tokens


def test_what_is_turned_off_costs_nothing() -> None:
    off = AtomRecConfig(evolves=False, reflects=False)

    assert {"evolve", "reflect"}.isdisjoint(
        estimate.forming([shown.click(), shown.click()], roughly, off)
    )
    assert estimate.most(roughly, off)["evolve"] == estimate.most(roughly, off)["reflect"] == 0
