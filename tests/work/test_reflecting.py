"""Stage-W: what an interaction changes in what is known of its user, its item and neighbours."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

import lamina
from lamina.strategies.atomrec.stages import Evolution, Fields, Reflecting, Reflection
from lamina.testing import FakeClock, ScriptedLLM, WordEncoder
from lamina.testing.clock import NOON
from tests.strategies.atomrec.shown_cards import ScriptedStages
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
