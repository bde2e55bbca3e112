from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from lamina.strategies.structmem.batches import cut, first_step, split
from tests.strategies.structmem.listed import message, talk


def words(texts: Sequence[str]) -> list[int]:
    """Count a token a word."""
    return [len(text.split()) for text in texts]


def test_messages_share_a_batch_while_there_is_room() -> None:
    said = talk(("Ann", "one two three"), ("Bo", "four five"), ("Ann", "six seven eight"))

    batches = cut(said, 5, words)

    assert [[m.position for m in b.messages] for b in batches] == [[1, 2], [3]]


def test_a_message_that_is_too_long_is_shown_in_parts_of_its_own() -> None:
    long = "First sentence here. Second sentence there. Third sentence elsewhere."
    said = talk(("Ann", "short"), ("Bo", long), ("Ann", "short again"))

    batches = cut(said, 4, words)

    assert [b.messages[0].position for b in batches] == [1, 2, 2, 2, 3]
    assert all(words([each.text])[0] <= 4 for b in batches for each in b.shown)
    assert " ".join(e.text for b in batches for e in b.shown if e.message.position == 2) == long


def test_messages_that_say_nothing_are_in_no_batch() -> None:
    recalled = "<recalled-memory>\n[1] 2024-01-01 Ann: plums\n</recalled-memory>"

    assert cut(talk(("Ann", "  \n"), ("Bo", recalled), ("Ann", "")), 10, words) == []


def test_the_parts_of_a_message_stay_in_one_step() -> None:
    said = [message("one two"), message("a b c d e f g h", position=2)]
    batches = cut([*said, message("i j", position=3)], 2, words)

    now, later = first_step(batches, 2)

    assert {m.position for b in now for m in b.messages} == {1, 2}
    assert [m.position for b in later for m in b.messages] == [3]


def test_a_step_takes_no_more_than_it_may() -> None:
    batches = cut(talk(("Ann", "a b"), ("Bo", "c d"), ("Ann", "e f")), 2, words)

    now, later = first_step(batches, 2)

    assert (len(now), len(later)) == (2, 1)
    assert first_step([], 2) == ([], [])


@given(st.text(max_size=400), st.integers(1, 30))
def test_parts_lose_nothing_but_blanks_and_are_short_enough(text: str, limit: int) -> None:
    def letters(texts: Sequence[str]) -> list[int]:
        return [len(each) for each in texts]

    parts = split(text, limit, letters)

    assert "".join("".join(parts).split()) == "".join(text.split())
    assert all(len(part) <= max(limit, 1) for part in parts)
