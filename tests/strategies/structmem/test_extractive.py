from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from lamina.model import Changes, Message, Step
from lamina.ports import Strategy
from lamina.strategies.structmem.config import StructMemConfig
from lamina.strategies.structmem.extractive import Extractive
from lamina.strategies.structmem.prompted import Prompted
from tests.strategies.structmem.listed import NOON, ListedView, message, talk

TALK = talk(
    ("Ann", "Hi Bo! I moved to Oslo with my two cats yesterday."),
    ("Bo", "How is the new flat?"),
    ("Ann", "The cats love the balcony over the harbour."),
    ("Bo", "I heard that the harbour is loud in the summer."),
)


def bound(messages: list[Message], config: StructMemConfig | None = None) -> Changes:
    view = ListedView(messages)
    return Extractive(config).digest(view.bind_batch(), view)


def consolidated(view: ListedView, session: str, config: StructMemConfig | None = None) -> Changes:
    strategy = Extractive(config)
    view.apply(strategy.digest(view.bind_batch(session), view))
    changes = strategy.digest(view.buffer_batch(session), view)
    view.apply(changes)
    return changes


def test_both_twins_have_one_signature() -> None:
    twins: list[Strategy] = [Extractive(), Prompted()]

    assert [twin.name for twin in twins] == ["structmem-extractive", "structmem"]


def test_a_turn_that_states_something_is_a_fact_word_for_word() -> None:
    facts = [note for note in bound(TALK).notes if note.kind == "fact"]

    assert [note.text for note in facts] == [TALK[0].text, TALK[2].text, TALK[3].text]
    assert [note.event for note in facts] == ["s1-1", "s1-3", "s1-4"]
    assert [note.said_by for note in facts] == ["Ann", "Ann", "Bo"]
    assert [note.certainty for note in facts] == ["stated", "stated", "hearsay"]


def test_a_fact_knows_the_day_that_its_words_name() -> None:
    moved = bound(TALK).notes[0]

    assert moved.valid_at is not None
    assert moved.valid_at.date().isoformat() == "2024-03-08"


def test_a_relation_is_a_turn_after_the_one_before_it() -> None:
    relations = [note for note in bound(TALK).notes if note.kind == "relation"]

    assert [note.sources for note in relations] == [
        ("s1-1", "s1-2"),
        ("s1-2", "s1-3"),
        ("s1-3", "s1-4"),
    ]
    assert relations[1].text == f"Bo: {TALK[1].text}\nAnn: {TALK[2].text}"


def test_neither_has_a_document_of_its_own() -> None:
    assert not any(note.indexed for note in bound(TALK).notes)


def test_the_turn_before_may_have_been_bound_already() -> None:
    said = [replace(TALK[0], progress="bound"), TALK[1]]

    [relation] = bound(said).notes

    assert relation.sources == ("s1-1", "s1-2")


def test_the_flat_variant_keeps_facts_alone() -> None:
    changes = bound(TALK, StructMemConfig(variant="flat"))

    assert {note.kind for note in changes.notes} == {"fact"}
    assert changes.next == ()


def test_every_message_is_bound_and_consolidation_follows() -> None:
    changes = bound(TALK)

    assert set(changes.progress.values()) == {"bound"}
    assert len(changes.progress) == 4
    assert changes.next == (Step(kind="consolidate", subject="s1"),)


def test_a_long_session_is_bound_in_steps() -> None:
    changes = bound(TALK, StructMemConfig(messages_a_step=3))

    assert len(changes.progress) == 3
    assert changes.next == (Step(kind="bind", subject="s1"),)


def test_what_was_recalled_is_bound_without_notes() -> None:
    block = "<recalled-memory>\n[1] Ann: I like plums.\n</recalled-memory>"

    changes = bound(talk(("tool", block), ("Ann", "Those plums were very sweet indeed.")))

    assert [(note.kind, note.event) for note in changes.notes] == [("fact", "s1-2")]
    assert len(changes.progress) == 2


@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_what_another_role_said_is_its_own(role: Any) -> None:
    [note] = bound([message("Ann lives in Atlantis now.", role, role=role)]).notes

    assert (note.said_by, note.about, note.sources) == (role, role, ("s1-1",))


def test_a_summary_is_made_of_dated_sentences_that_were_said() -> None:
    changes = consolidated(ListedView(TALK), "s1")
    [summary] = changes.notes

    assert changes.consolidated == ("s1-1", "s1-2", "s1-3", "s1-4")
    for line in summary.text.splitlines():
        date, rest = line.split(" ", 1)
        speaker, words = rest.split(": ", 1)
        assert date == "2024-03-09"
        assert any(words in m.text and m.speaker == speaker for m in TALK)
    assert summary.indexed
    assert set(summary.sources) <= {m.id for m in TALK}


def test_a_summary_takes_sentences_of_the_history_that_are_near() -> None:
    later = talk(
        ("Ann", "The cats fell from the balcony over the harbour, both are fine."),
        *[("Bo", f"Neighbour {n} said the balcony needs net {n}.") for n in range(9)],
        session="s2",
        said_at=NOON + timedelta(days=60),
    )
    view = ListedView([*TALK, *later])
    consolidated(view, "s1")

    [summary] = consolidated(view, "s2").notes

    assert "2024-03-09 Ann: The cats love the balcony over the harbour." in summary.text
    assert "s1-3" in summary.sources
    assert summary.sources[-1].startswith("s2")


def test_a_summary_keeps_to_its_length_and_to_the_order_of_time() -> None:
    long = talk(
        *[("Ann", f"Hive {n} gave us {n + 10} jars of honey in week {n}.") for n in range(99)]
    )
    [summary] = consolidated(ListedView(long), "s1").notes

    assert 150 < len(summary.text.split()) < 500
    assert list(summary.sources) == sorted(summary.sources, key=lambda i: int(i[3:]))


def test_a_chinese_summary_is_chinese() -> None:
    said = talk(
        ("安", "我昨天带着两只猫搬到了奥斯陆的新公寓。"),
        ("波", "新公寓怎么样？"),
        ("安", "新公寓有一个面向港口的阳台，两只猫都很喜欢阳台。"),
    )

    [summary] = consolidated(ListedView(said), "s1").notes

    assert "新公寓有一个面向港口的阳台，两只猫都很喜欢阳台。" in summary.text
    assert not any(c.isascii() and c.isalpha() for c in summary.text)


def test_small_talk_is_consolidated_without_a_summary() -> None:
    changes = consolidated(ListedView(talk(("Ann", "Hi!"), ("Bo", "How are you?"))), "s1")

    assert changes.notes == ()
    assert changes.consolidated == ("s1-1", "s1-2")


def test_one_message_is_not_summed_up_by_itself() -> None:
    changes = consolidated(ListedView(talk(("Ann", "My boat is called Gudrun."))), "s1")

    assert (changes.notes, changes.consolidated) == ((), ("s1-1",))


def test_a_large_buffer_is_consolidated_in_portions() -> None:
    changes = consolidated(ListedView(TALK), "s1", StructMemConfig(buffer_tokens=30))

    assert 0 < len(changes.consolidated) < 4
    assert changes.next == (Step(kind="consolidate", subject="s1"),)


def test_forming_twice_gives_the_same() -> None:
    assert bound(TALK) == bound(TALK)
    assert consolidated(ListedView(TALK), "s1") == consolidated(ListedView(TALK), "s1")
