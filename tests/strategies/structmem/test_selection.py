from lamina.model import Event, Message
from lamina.strategies.structmem.selection import select, written
from tests.strategies.structmem.listed import message, talk


def events(*messages: Message) -> list[Event]:
    return [Event(message=m) for m in messages]


def test_of_sentences_that_say_the_same_one_is_chosen() -> None:
    said = talk(
        ("Ann", "The bees swarmed from hive nine this morning."),
        ("Bo", "This morning the bees swarmed from hive nine."),
        ("Ann", "Bees from the meadow hive gave forty jars of honey."),
    )

    chosen = [sentence.text for sentence in select(events(*said), [], 100)]

    assert len(chosen) == 2


def test_no_more_words_are_chosen_than_allowed() -> None:
    said = talk(*[("Ann", f"Hive {n} stands in the {n} meadow near birch {n}.") for n in range(30)])

    chosen = select(events(*said), [], 40)

    assert 0 < sum(sentence.words for sentence in chosen) <= 40


def test_the_history_takes_a_quarter_at_most() -> None:
    new = talk(*[("Ann", f"Hive {n} gave {n} jars of honey today.") for n in range(10)])
    old = talk(
        *[("Ann", f"Hive {n} gave {n} jars of honey then.") for n in range(10)], session="s0"
    )

    chosen = select(events(*new), events(*old), 60)

    assert sum(s.words for s in chosen if s.past) <= 15
    assert any(not s.past for s in chosen)


def test_sentences_of_one_message_share_a_line() -> None:
    said = message("The hive swarmed at noon on the meadow. Dora caught the swarm in a sack.")

    assert written(select(events(said), [], 100)) == f"2024-03-09 Ann: {said.text}"
