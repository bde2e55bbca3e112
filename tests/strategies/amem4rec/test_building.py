"""Whole pools in memory."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lamina.ports import Failure
from lamina.strategies.amem4rec.building import Built, build, part_id, pattern_id
from lamina.strategies.amem4rec.config import AMEM4RecConfig, Taus
from lamina.strategies.amem4rec.stages import Abstraction, Judging, Linked, Window
from lamina.testing import WordEncoder
from tests.strategies.amem4rec.made_patterns import Judged, agreeing, judging, leaving, said, window

TAUS = Taus(0.5, 0.9)
TASTES = ["noir heists", "noir heists tonight", "quiet love", "epic war"]
PLAIN = AMEM4RecConfig()
LATER = Failure(reason="rate_limit", detail="")


class Encoding:
    """An encoder that keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked.append(list(texts))
        return WordEncoder().encode(texts)


def tasting(tastes: Sequence[int]) -> list[Window]:
    """Return a window for each of some tastes, of users who have one each."""
    return [window(f"u{i}", i, TASTES[taste]) for i, taste in enumerate(tastes)]


def says(each: Window) -> Abstraction:
    return said(each.names[0], "")


def built(
    windows: Sequence[Window],
    stages: Judged | None = None,
    config: AMEM4RecConfig = PLAIN,
    passes: int = 1,
) -> Built:
    chosen = stages or Judged(agreeing, says)
    return build(windows, chosen, WordEncoder().encode, config, TAUS, passes)


def parts(found: Built) -> Counter[str]:
    return Counter(taken.part.id for support in found.support for taken in support)


def test_what_many_do_alike_is_one_pattern_that_all_of_them_support() -> None:
    found = built(tasting([0, 0, 0, 2]))

    assert [each.said.explanation for each in found.patterns] == ["noir heists", "quiet love"]
    assert [each.evolution_count for each in found.patterns] == [2, 0]
    assert [[taken.part.user for taken in each] for each in found.support] == [
        ["u0", "u1", "u2"],
        ["u3"],
    ]
    assert found.vectors.shape == (2, 32)
    assert found.passes[0].patterns == 2


def test_what_is_near_but_not_the_same_is_linked() -> None:
    found = built(tasting([0, 1]), Judged(leaving, says))

    first, second = (pattern_id(part_id((f"u{i}@{i}",))) for i in range(2))
    assert found.links == ((second, first),)
    assert [len(each) for each in found.support] == [2, 1]


def test_what_is_near_and_then_says_the_very_same_is_one_pattern() -> None:
    found = built(tasting([0, 1]))

    assert [each.said.explanation for each in found.patterns] == ["noir heists tonight"]
    assert [len(each) for each in found.support] == [2]


def test_the_vectors_are_those_of_what_patterns_say() -> None:
    found = built(tasting([0, 1, 2, 3, 1]))

    again = WordEncoder().encode([each.said.shown for each in found.patterns])
    np.testing.assert_allclose(found.vectors, again, atol=1e-6)


def test_each_text_is_encoded_once_and_those_of_the_windows_in_one_go() -> None:
    encoding = Encoding()

    build(tasting([0, 1, 0, 2, 1, 3]), Judged(agreeing, says), encoding, PLAIN, TAUS)

    asked = [text for batch in encoding.asked for text in batch]
    assert len(encoding.asked[0]) == 4
    assert len(asked) == len(set(asked))


def test_a_window_that_is_told_again_counts_once() -> None:
    windows = tasting([0, 2])

    assert set(parts(built([*windows, *windows])).values()) == {1}


def test_the_count_goes_on_when_words_are_settled() -> None:
    found = built(tasting([0] * 30))

    (pattern,) = found.patterns
    assert pattern.evolution_count == 29
    assert len(found.support[0]) == 30


def test_windows_that_tell_nothing_are_left_out() -> None:
    stages = Judged(agreeing, lambda each: None if each.user == "u0" else said(each.user))

    found = built(tasting([0, 0]), stages)

    assert [each.part.user for (each,) in found.support] == ["u1"]
    assert found.waiting == ()


def test_no_windows_make_no_pool() -> None:
    found = built([])

    assert (found.patterns, found.support, found.passes[0].near_twins) == ((), (), 0.0)


def test_what_a_model_could_not_be_asked_waits() -> None:
    stages = Judged(lambda _: LATER, lambda each: LATER if each.user == "u0" else says(each))

    found = built(tasting([2, 0, 0]), stages)

    assert sorted(found.waiting) == sorted(part_id((f"u{i}@{i}",)) for i in (0, 2))
    assert [taken.part.user for each in found.support for taken in each] == ["u1"]


def test_a_second_pass_takes_up_what_waited() -> None:
    turns = iter([LATER])
    stages = Judged(lambda asked: next(turns, None) or agreeing(asked), says)

    found = built(tasting([0, 0]), stages, passes=2)

    assert found.waiting == ()
    assert [len(each) for each in found.support] == [2]


def test_a_second_pass_lets_what_came_early_meet_what_came_late() -> None:
    def once_refused(asked: Judging) -> tuple[Linked, ...]:
        return agreeing(asked) if len(stages.asked) > 1 else ()

    stages = Judged(once_refused, says)
    windows = tasting([0, 0])

    assert len(built(windows, Judged(lambda _: (), says)).patterns) == 2
    found = built(windows, stages, passes=2)

    (pattern,) = found.patterns
    assert pattern.evolution_count == 1
    assert {taken.part.user for taken in found.support[0]} == {"u0", "u1"}


def test_a_pattern_that_goes_takes_its_links_along() -> None:
    def judge(asked: Judging) -> tuple[Linked, ...]:
        return leaving(asked) if len(stages.asked) in (1, 4) else ()

    stages = Judged(judge, says)
    windows = tasting([0, 1, 1])
    assert len(built(windows, stages).links) == 1
    stages.asked.clear()

    found = built(windows, stages, passes=2)

    users = [[taken.part.user for taken in each] for each in found.support]
    assert users == [["u0", "u1"], ["u2", "u1"]]
    assert found.links == ()


def test_each_pass_is_measured() -> None:
    found = built(tasting([0, 0, 1, 2]), passes=2)

    assert [each.parts for each in found.passes] == [4, 4]
    assert found.passes[0].linked is not None
    assert found.passes[0].linked > 0.5
    assert found.passes[0].unlinked is not None
    assert found.passes[0].unlinked < 0.4


def random_verdict(seed: int, failing: bool) -> Judged:
    """Return stages that link, refuse and fail as a seed and what they are asked has it."""

    def judge(asked: Judging) -> tuple[Linked, ...] | Failure:
        draw = np.random.default_rng([seed, len(stages.asked)])
        if failing and draw.random() < 0.2:
            return LATER
        if draw.random() < 0.2:
            return Failure(reason="malformed", detail="")
        return tuple(each for each in agreeing(asked) if draw.random() < 0.5)

    stages = Judged(judge, says)
    return stages


CONFIGS = st.builds(
    AMEM4RecConfig,
    k=st.integers(1, 5),
    table=st.sampled_from(["seed", "code"]),
    similarity_gate=st.booleans(),
    semantic_gate=st.booleans(),
    evolves=st.booleans(),
    narrows=st.booleans(),
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 3), max_size=14),
    st.integers(0, 99),
    CONFIGS,
    st.integers(1, 3),
    st.booleans(),
)
def test_nothing_is_lost(
    tastes: list[int], seed: int, config: AMEM4RecConfig, passes: int, failing: bool
) -> None:
    found = built(tasting(tastes), random_verdict(seed, failing), config, passes)

    told = {part_id((f"u{i}@{i}",)) for i in range(len(tastes))}
    taken = parts(found)
    assert taken.keys() | {*found.waiting} == told
    for pattern, support in zip(found.patterns, found.support, strict=True):
        assert pattern.evolution_count == len(support) - 1
        assert len({each.part.id for each in support}) == len(support)
    ids = {each.id for each in found.patterns}
    assert all({*ends} <= ids for ends in found.links)


def test_the_same_windows_make_the_same_pool() -> None:
    windows = tasting([0, 1, 2, 0, 3, 1])
    one, other = built(windows), built(windows)

    assert one.patterns == other.patterns
    assert one.support == other.support
    assert (one.vectors == other.vectors).all()


def test_judged_is_asked_of_the_names_that_may_not_be_told() -> None:
    stages = judging()

    built([window("ann", 0, "Heat"), window("ann", 5, "Alien")], stages)

    assert [each.names for each in stages.asked] == [("Alien", "ann")]
