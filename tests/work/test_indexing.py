"""What recall finds is what documents show."""

from lamina.testing.factories import act, description, draft, note
from lamina.work import indexing


def test_a_turn_tells_who_spoke() -> None:
    assert indexing.turn(draft("I moved to Oslo.")).shown == "alice: I moved to Oslo."


def test_what_is_said_of_an_item_is_shown_alone() -> None:
    assert indexing.turn(description(text="Alien. Horror.")).shown == "Alien. Horror."
    assert indexing.turn(act(text="So dark.")).shown == "So dark."


def test_a_plain_note_shows_its_text() -> None:
    assert indexing.note(note("n", "Alice lives in Oslo.")).shown == "Alice lives in Oslo."


def test_an_atomic_note_shows_its_keywords_tags_and_context_too() -> None:
    told = indexing.note(
        note("n", "ann rated Alien 4", keywords=("space", "fear"), tags=("Horror",), context="x y")
    )

    assert told.shown == "ann rated Alien 4\nspace, fear\nHorror\nx y"


def test_what_an_atomic_note_lacks_leaves_no_gap() -> None:
    assert indexing.note(note("n", "Alien", context="seen twice")).shown == "Alien\nseen twice"


def test_time_words_count_where_somebody_said_them() -> None:
    told = indexing.note(note("n", "seen today", context="after what was seen yesterday"))

    assert told.words == "seen today"
