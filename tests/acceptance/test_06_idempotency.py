"""Behaviour 6: saying again changes nothing; what differs stays apart."""

from concurrent.futures import ThreadPoolExecutor

import pytest

import lamina

TEXT = "My locker code is 4711."


def texts(user: lamina.Handle) -> list[str]:
    return [message.text for message in user.messages()]


@pytest.mark.parametrize("timestamp", [None, "2026-01-01T10:00:00Z"])
def test_three_times_in_a_row_is_once(memory: lamina.Memory, timestamp: str | None) -> None:
    user = memory.user("ann")

    ids = {user.add(TEXT, timestamp=timestamp).ids for _ in range(3)}

    assert texts(user) == [TEXT]
    assert len(ids) == 1


@pytest.mark.parametrize("timestamp", [None, "2026-01-01T10:00:00Z"])
def test_eight_at_once_is_once(memory: lamina.Memory, timestamp: str | None) -> None:
    user = memory.user("ann")
    with ThreadPoolExecutor(8) as pool:
        added = list(pool.map(lambda _: user.add(TEXT, timestamp=timestamp), range(8)))

    assert texts(user) == [TEXT]
    assert sum(a.new for a in added) == 1


def test_a_retry_under_a_key_is_once_whatever_else_it_says(memory: lamina.Memory) -> None:
    user = memory.user("ann")
    user.add(TEXT, key="m-1", timestamp="2026-01-01T10:00:00Z")
    again = user.add(TEXT, key="m-1", timestamp="2026-01-01T10:00:05Z")

    assert again.new == 0
    assert texts(user) == [TEXT]


def test_a_whole_call_without_times_may_be_retried(memory: lamina.Memory) -> None:
    pair = memory.conversation("ann-and-bo")
    turns = [{"speaker": "Ann", "content": "Tea?"}, {"speaker": "Bo", "content": "Yes, please."}]
    pair.add(turns)
    pair.add(turns)

    assert texts(pair) == ["Tea?", "Yes, please."]


def test_the_same_words_later_are_another_message(memory: lamina.Memory) -> None:
    user = memory.user("ann")
    user.add("Good morning!", timestamp="2026-01-01T07:00:00Z")
    user.add("Good morning!", timestamp="2026-01-02T07:00:00Z")
    user.add(["Good morning!", "Good morning!"], timestamp="2026-01-03T07:00:00Z")

    assert len(texts(user)) == 4


def test_twenty_that_differ_in_a_number_are_twenty_and_all_are_found(
    memory: lamina.Memory,
) -> None:
    user = memory.user("ann")
    for number in range(20):
        said = f"The code of door {number} is {7000 + number}."
        user.add(said, timestamp=f"2026-01-01T10:{number:02}:00Z")
    memory.process()

    assert len(texts(user)) == 20
    assert len({note.text for note in user.list(kind="fact")}) == 20
    found = user.search("What is the code of the door?", top_k=20, kinds=["message"])
    assert len({hit.text for hit in found}) == 20


def test_twenty_that_differ_in_a_name_are_twenty(memory: lamina.Memory) -> None:
    user = memory.user("ann")
    names = "Ada Bea Cem Dov Eva Fay Gus Hal Ida Jon Kai Lea Max Nia Oda Pia Rex Sam Tia Uma"
    for minute, name in enumerate(names.split()):
        user.add(f"{name} likes plum cake.", timestamp=f"2026-01-01T10:{minute:02}:00Z")

    found = user.search("Who likes plum cake?", top_k=20)
    assert len({hit.text for hit in found}) == 20


def test_what_was_recalled_and_comes_back_is_kept_but_nothing_is_made_of_it(
    memory: lamina.Memory,
) -> None:
    user = memory.user("ann")
    user.add("I am allergic to walnuts.", timestamp="2026-01-01T10:00:00Z", wait=True)
    facts = {note.text for note in user.list(kind="fact")}

    for minute in range(3):
        recalled = user.context("What is Ann allergic to?")
        user.add(
            {"role": "assistant", "content": f"{recalled}\nNoted."},
            timestamp=f"2026-01-02T10:{minute:02}:00Z",
            wait=True,
        )

    assert sum("walnuts" in text for text in texts(user)) == 4
    assert {n.text for n in user.list(kind="fact") if "walnuts" in n.text} == facts
    mentions = [hit for hit in user.search("walnuts", top_k=20) if "walnuts" in hit.text]
    assert len([hit for hit in mentions if hit.role == "user"]) >= 1
    assert user.context("What is Ann allergic to?").count("walnuts") <= 2
