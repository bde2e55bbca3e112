from dataclasses import replace

import numpy as np

from lamina.recall import signals
from lamina.recall.fusion import NAMES
from tests.recall.shelf import Shelf, Told, Turn, ask

CHAT = Shelf(
    [Turn("I keep bees."), Turn("How many?", "bo"), Turn("Ten hives of bees.", session="s2")],
    [
        Told("fact", "Ann has ten hives.", (2,)),
        Told("relation", "Bo asks Ann about bees.", (0, 1)),
        Told("summary", "They talk of bees.", (0, 1, 2)),
    ],
)


def test_the_order_in_which_it_is_told_what_rests_on_what_does_not_matter() -> None:
    asked = ask("How many hives of bees?")
    told, entries = CHAT.documents, CHAT.postings(asked.terms)
    expected = signals.signals(asked, told, entries)

    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(told.rest_rows))
        mixed = replace(told, rest_rows=told.rest_rows[order], rest_turns=told.rest_turns[order])
        found = signals.signals(asked, mixed, entries)

        np.testing.assert_array_equal(found.notes, expected.notes)
        np.testing.assert_array_equal(found.turns, expected.turns)


def test_a_note_that_rests_on_nothing_visible_has_its_own_words_alone() -> None:
    asked = ask("hives")
    alone = Shelf([Turn("I keep bees.")], [Told("fact", "Ann has ten hives.", (0,))])
    loose = replace(alone.documents, rest_rows=np.zeros(0, np.int32), rest_turns=np.zeros(0, int))

    found = signals.signals(asked, loose, alone.postings(asked.terms))

    assert {n for n, share in zip(NAMES, found.notes[0], strict=True) if share} == {"turn_lexical"}
