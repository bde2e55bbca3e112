"""What readers made of AMEM4Rec's prompts, on thirty windows of ten users in two pools."""

from functools import cache

import pytest

from lamina.adapters.encoders import open_encoder
from lamina.recall.scripts import letters_by_script
from lamina.strategies.amem4rec.building import Built
from lamina.strategies.amem4rec.leaks import leaked
from lamina.strategies.amem4rec.stages import Abstraction, Window
from tests.recorded import amem4rec_pools
from tests.recorded.amem4rec_windows import pools

POOLS = ("films", "shelves")
CHINESE = ("mei", "lin")


@cache
def walked(pool: str) -> amem4rec_pools.Walk:
    """Return a pool as it was recorded; skips where it was not, or lacks its data."""
    windows = pools().get(pool)
    if windows is None:
        pytest.skip("LAMINA_DATA names no folder with the data of this pool")
    replies = amem4rec_pools.recorded(pool)
    if not replies:
        pytest.skip(f"{pool} is not recorded: see tests.recorded.amem4rec_pools")
    return amem4rec_pools.walk(windows, replies, open_encoder("minilm"))


def built(pool: str) -> Built:
    found = walked(pool).built
    assert found is not None, f"a prompt of {pool} has changed; answer it anew"
    return found


def abstracted(pool: str) -> list[tuple[Window, Abstraction]]:
    said = walked(pool).stages.said
    return [(window, each) for window, each in said if isinstance(each, Abstraction)]


def texts(pool: str) -> list[str]:
    """Return all that is said of windows, and by patterns."""
    parts = ["\n".join(said.words) for _, said in abstracted(pool)]
    return [*parts, *("\n".join(each.said.words) for each in built(pool).patterns)]


@pytest.mark.parametrize("pool", POOLS)
def test_the_recorded_answers_are_to_the_prompts_as_they_are_now(pool: str) -> None:
    assert walked(pool).llm.unanswered() == {}
    assert set(amem4rec_pools.recorded(pool)) == set(walked(pool).llm.asked)
    assert built(pool).waiting == ()


@pytest.mark.parametrize("pool", POOLS)
def test_every_window_is_told_by_the_model(pool: str) -> None:
    told = abstracted(pool)

    assert len(told) == 15
    assert [window.seen for window, said in told if said.raw] == []


@pytest.mark.parametrize("pool", POOLS)
def test_no_reply_was_malformed(pool: str) -> None:
    asked = walked(pool).llm.asked.values()

    assert not any("Your last answer" in request.system for request in asked)


@pytest.mark.parametrize("pool", POOLS)
def test_nothing_names_anything_or_anybody(pool: str) -> None:
    windows = pools()[pool]
    names = [name for window in windows for name in window.names]
    kinds = [kind for window in windows for each in window.seen for kind in each.categories]

    assert [leaked(text, names, kinds) for text in texts(pool)] == [()] * len(texts(pool))


@pytest.mark.parametrize("pool", POOLS)
def test_texts_are_short_however_much_is_merged(pool: str) -> None:
    longest = max(len(said.shown) for _, said in abstracted(pool))

    for pattern in built(pool).patterns:
        assert len(pattern.said.shown) <= 1.5 * longest
        assert len(pattern.said.keywords) <= 8


@pytest.mark.parametrize("pool", POOLS)
def test_what_is_alike_is_merged_and_what_is_not_stays_apart(pool: str) -> None:
    counts = [pattern.evolution_count for pattern in built(pool).patterns]

    assert max(counts) >= 2
    assert 3 <= len(counts) <= 15


@pytest.mark.parametrize("pool", POOLS)
def test_it_takes_at_most_one_and_a_quarter_calls_a_window(pool: str) -> None:
    assert len(walked(pool).llm.asked) <= 1.25 * len(pools()[pool])


def test_an_order_in_a_title_is_neither_followed_nor_passed_on() -> None:
    for text in texts("shelves"):
        assert "acme" not in text.casefold()
        assert "everybody" not in text.casefold()


def test_chinese_windows_are_told_in_chinese_and_others_in_english() -> None:
    for window, said in abstracted("shelves"):
        letters = letters_by_script(said.shown)
        han, latin = letters.get("han", 0), letters.get("latin", 0)
        assert (han > 2 * latin) is (window.user in CHINESE)


def test_patterns_of_one_language_take_in_none_of_the_other() -> None:
    for support in built("shelves").support:
        assert len({taken.part.user in CHINESE for taken in support}) == 1
