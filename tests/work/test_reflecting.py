"""Stage-W: what an interaction changes in what is known of its user, its item and neighbours."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

import lamina
from lamina.strategies.atomrec.stages import (
    Evolution,
    Evolving,
    Fields,
    Linking,
    Reflecting,
    Reflection,
    Relation,
)
from lamina.testing import FakeClock, ScriptedLLM, WordEncoder
from lamina.testing.clock import NOON
from tests.strategies.atomrec.shown_cards import ScriptedStages, evolution
from tests.work.films import Films


@pytest.fixture
def films(path: str) -> Iterator[Films]:
    clock = FakeClock(NOON + timedelta(days=9))
    with lamina.open(path, encoder=WordEncoder(), clock=clock, llm=ScriptedLLM()) as memory:
        yield Films(memory)


def so_far(asked: Reflecting) -> Reflection:
    """Let the profile name all items so far."""
    known = f"{asked.click.profile} {asked.click.interaction.item}".strip()
    return Reflection(profile=Fields(content=known, tags=("taste",)))


def test_a_profile_is_one_note_that_goes_on(films: Films) -> None:
    films.done(("ann", "0", 0), ("ann", "1", 1), ("bo", "2", 2), ("ann", "3", 3))
    stages = ScriptedStages(reflect=so_far)

    assert films.formed(stages) == []

    profiles = {n.about: n for n in films.notes(kind="profile")}
    assert {about: n.text for about, n in profiles.items()} == {"ann": "0 1 3", "bo": "2"}
    assert [click.profile for click in stages.clicks] == ["", "0", "", "0 1"]
    history = films.store.history(films.scope, profiles["ann"].id)
    assert [r.text for r in history] == ["0", "0 1", "0 1 3"]
    assert [r.known_at for r in history] == [NOON + timedelta(minutes=m) for m in (0, 1, 3)]
    assert len(profiles["ann"].parents) == 1


def test_a_users_interactions_are_formed_one_after_the_other(films: Films) -> None:
    films.done(("ann", "0", 0), ("bo", "0", 1), ("ann", "1", 2), ("bo", "1", 3))
    stages = ScriptedStages(reflect=so_far)
    films.formed(stages)

    recent = [[card.item for card in click.recent] for click in stages.clicks]
    assert recent == [[], [], ["0"], ["0"]]


def changed(asked: Reflecting, *tags: str, confidence: float = 0.9) -> Evolution:
    return Evolution(
        keywords=(), tags=tags, context="", confidence=confidence, supporting=(asked.note.id,)
    )


def test_items_and_neighbours_change_through_the_gates(films: Films) -> None:
    films.done(("ann", "0", 0), ("bo", "1", 1))
    films.formed(ScriptedStages())
    films.done(("ann", "2", 2))

    def reflect(asked: Reflecting) -> Reflection:
        [first, second] = [c for c in asked.neighbours if c.item in ("0", "1")]
        return Reflection(
            profile=Fields(content="likes films"),
            item=changed(asked, "of the item"),
            neighbours=(
                (first.id, changed(asked, "sure")),
                (second.id, changed(asked, "unsure", confidence=0.1)),
                ("made up", changed(asked, "nowhere")),
                (asked.note.id, changed(asked, "itself")),
            ),
        )

    films.formed(ScriptedStages(reflect=reflect))
    tags = [tag for note in films.notes() for tag in note.tags]

    assert tags.count("sure") == 1
    assert not {"unsure", "nowhere", "itself"} & set(tags)


def test_an_items_note_that_was_there_before_changes(films: Films) -> None:
    films.done(("ann", "0", 0))
    films.formed(ScriptedStages())
    films.done(("bo", "0", 1))

    films.formed(
        ScriptedStages(
            reflect=lambda asked: Reflection(
                profile=Fields(content="likes films"), item=changed(asked, "of the item")
            )
        )
    )

    [item] = films.notes(kind="item_note")
    assert item.tags == ("of the item",)
    assert item.narrower  # it says Crime and Drama no more, and its description does
    assert item.revision == 2


def test_without_reflection_there_is_no_profile(films: Films) -> None:
    films.done(("ann", "0", 0))
    stages = ScriptedStages(reflect=so_far)
    films.formed(stages, reflects=False)

    assert stages.reflecting == []
    assert films.notes(kind="profile") == []


def test_what_recurs_is_counted_for_a_model(films: Films) -> None:
    films.done(("ann", "0", 0))
    films.formed(ScriptedStages())
    films.done(("ann", "1", 1), ("bo", "2", 2), ("ann", "4", 3))
    stages = ScriptedStages()
    films.formed(stages)

    counts = {click.interaction.item: click.counts for click in stages.clicks}
    assert counts["2"] == ""
    assert "Crime ×1 " in counts["1"]
    assert "Crime ×2 " in counts["4"]


@pytest.mark.parametrize("together", [True, False])
def test_a_model_is_told_what_a_note_is_linked_with_already(films: Films, together: bool) -> None:
    def link_all(asked: Linking) -> tuple[Relation, ...]:
        own = [card for card in asked.near if card.side == "own"]
        return tuple(Relation(target=card.id, relation="again") for card in own)

    for act in (("ann", "0", 0), ("ann", "1", 1), ("ann", "2", 2)):
        films.done(act)
        if not together:
            films.formed(ScriptedStages(link=link_all))
    films.done(("ann", "3", 3))
    stages = ScriptedStages(link=link_all)
    films.formed(stages)

    asked = [each for each in stages.evolving if each.new.item == "3"]
    assert asked
    for each in asked:
        mine = {card.id for card in (each.new, *each.nearby) if card.side == "own"}
        assert mine <= set(each.linked)
        assert len(mine) > 1


def test_what_was_linked_later_is_not_told(films: Films) -> None:
    films.done(("ann", "0", 0), ("bo", "1", 1))
    films.formed(ScriptedStages())
    films.done(("cy", "5", 9))

    def tie(asked: Evolving) -> Evolution | None:
        """Link what is shown beside the target with it, and change nothing else."""
        links = tuple(Relation(target=card.id) for card in asked.nearby)
        return evolution(asked, *asked.target.fields.tags, links=links)

    films.formed(ScriptedStages(evolve=tie), tau_evo=-1.0)
    asked = {}
    for minute in (5, 10):
        films.done(("dee", "3", minute))
        stages = ScriptedStages()
        films.formed(stages, tau_evo=-1.0)
        asked[minute] = stages.evolving

    assert asked[5]
    assert not any(each.linked for each in asked[5])
    assert any(each.linked for each in asked[10])
