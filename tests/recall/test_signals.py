from datetime import timedelta

import numpy as np
from numpy.typing import NDArray

from lamina.recall.fusion import NAMES
from lamina.recall.signals import Query
from tests.recall.shelf import BEGIN, Shelf, Told, Turn, ask

CHAT = (
    Turn("Where did you go?", "ann"),
    Turn("To the harbour in Bergen.", "bo"),
    Turn("Lovely boats there!", "ann"),
    Turn("I bake rye bread.", "bo", "s2"),
    Turn("Which flour?", "ann", "s2"),
)


def column(shelf: Shelf, asked: Query, name: str) -> NDArray[np.float32]:
    return shelf.signals(asked).turns[:, NAMES.index(name)]


def test_every_signal_lies_between_0_and_1() -> None:
    shelf = Shelf(CHAT, [Told("fact", "Bo was in Bergen.", (1,))])
    found = shelf.signals(ask("When was Bo in Bergen in May 2023?"))

    assert found.turns.shape == (len(CHAT), len(NAMES))
    assert found.turns.min() >= 0
    assert found.turns.max() <= 1


def test_the_words_of_a_turn_count_for_it_alone() -> None:
    assert column(Shelf(CHAT), ask("harbour"), "turn_lexical").tolist() == [0, 1, 0, 0, 0]


def test_an_exchange_shows_what_was_said_before_too() -> None:
    found = column(Shelf(CHAT), ask("harbour"), "exchange_lexical")

    assert np.flatnonzero(found).tolist() == [1, 2]


def test_a_turn_without_an_exchange_stands_for_its_own() -> None:
    found = column(Shelf(CHAT, exchanges=False), ask("harbour"), "exchange_lexical")

    assert np.flatnonzero(found).tolist() == [1]


def test_turns_next_to_a_find_in_its_session_share_in_it() -> None:
    assert np.flatnonzero(column(Shelf(CHAT), ask("boats"), "near_lexical")).tolist() == [1, 2]


def test_all_of_a_session_shares_its_words() -> None:
    found = column(Shelf(CHAT), ask("flour"), "session_lexical")

    assert found.tolist() == [0, 0, 0, 1, 1]


def test_a_query_may_name_the_speaker() -> None:
    assert column(Shelf(CHAT), ask("What did Bo's oven do?"), "speaker").tolist() == [0, 1, 0, 1, 0]


def test_a_turn_that_says_more_has_more_substance() -> None:
    found = column(Shelf(CHAT), ask("anything"), "substance")

    assert found[1] > found[4] > 0


def test_who_asks_when_wants_words_about_time() -> None:
    shelf = Shelf([Turn("We met last March."), Turn("We met by chance.")])

    assert column(shelf, ask("When did you meet?"), "when").tolist() == [1, 0]
    assert column(shelf, ask("Where did you meet?"), "when").tolist() == [0, 0]


def test_a_named_time_prefers_what_is_about_it_to_what_was_said_then() -> None:
    about = Turn("Yesterday I swam.", said_at=BEGIN + timedelta(days=10))
    said = Turn("I swim.", said_at=BEGIN + timedelta(days=9))
    other = Turn("Yesterday I swam.", said_at=BEGIN + timedelta(days=30))
    found = column(Shelf([about, said, other]), ask("Who swam on 17 May 2023?"), "time")

    assert found[0] == 1
    assert 0 < found[1] < 1
    assert found[2] == 0


def test_a_vague_time_counts_less_than_the_day_itself() -> None:
    vague, sharp = Turn("In 2023 I swam."), Turn("On 17 May 2023 I swam.")
    found = column(Shelf([vague, sharp]), ask("Who swam on 17 May 2023?"), "time")

    assert 0 < found[0] < found[1] == 1


def test_meaning_counts_nothing_where_the_encoder_cannot_read() -> None:
    shelf = Shelf([Turn("我对花生过敏。"), Turn("我养了一只猫。")])
    blind = shelf.signals(ask("花生"))
    seeing = shelf.signals(ask("花生", languages=["zh"]))

    dense = [NAMES.index(name) for name in NAMES if name.endswith("dense")]
    assert not blind.turns[:, dense].any()
    assert seeing.turns[:, dense].any()
    assert blind.turns[0, NAMES.index("turn_lexical")] == 1


def test_a_note_hands_its_score_on_to_the_turns_it_rests_on() -> None:
    shelf = Shelf(CHAT, [Told("fact", "Bo sailed.", (1,)), Told("summary", "Rye loaves.", (3, 4))])
    asked = ask("sailed loaves")

    assert np.flatnonzero(column(shelf, asked, "fact")).tolist() == [1]
    assert np.flatnonzero(column(shelf, asked, "summary")).tolist() == [3, 4]
    assert not column(shelf, asked, "relation").any()


def test_a_note_has_its_own_words_and_the_standing_of_its_turns() -> None:
    shelf = Shelf(CHAT, [Told("fact", "Bo sailed.", (1,))])
    asked = ask("Where did Bo sail?")
    [note] = shelf.signals(asked).notes

    assert note[NAMES.index("speaker")] == 1
    assert note[NAMES.index("substance")] == column(shelf, asked, "substance")[1]
    assert note[NAMES.index("fact")] == 0


def test_nothing_stored_is_nothing_found() -> None:
    found = Shelf([]).signals(ask("anything"))

    assert found.turns.shape == (0, len(NAMES))
    assert found.notes.shape == (0, len(NAMES))


def test_a_query_without_words_finds_no_words() -> None:
    assert not column(Shelf(CHAT), ask("?!"), "turn_lexical").any()
