from dataclasses import replace

import numpy as np
import pytest

from lamina.errors import Leak
from lamina.evaluation.rec.scoring import lesson
from lamina.evaluation.rec.sharing import controls
from lamina.evaluation.rec.splits import leave_last_out, replay
from lamina.ranking.shared import CONTENT, NAMES
from tests.evaluation.rec.made_pools import LOG, making, patterns

FOLD = leave_last_out(LOG).test[0]
SHOWN = lesson(LOG, FOLD, 0)


def test_patterns_speak_for_items_of_the_kind_that_the_user_keeps_to() -> None:
    source = patterns(clocked=False)

    found = source.learn(SHOWN)(FOLD.asks)

    assert found.shape == (len(FOLD.asks), len(LOG.catalogue.items), len(NAMES))
    kinds = found[:, :, NAMES.index("shared_kinds")]
    told = [of[0] for of in LOG.catalogue.categories]
    better = 0
    for row in range(len(FOLD.asks)):
        had = [told[item] for item in FOLD.asks.history(row)[-3:].tolist()]
        own = np.array([kind == max(had, key=had.count) for kind in told])
        better += kinds[row, own].mean() > kinds[row, ~own].mean()
    assert better > 0.7 * len(FOLD.asks)


def test_a_null_pool_says_nothing_and_a_shuffled_one_something_else() -> None:
    source = patterns(clocked=False)
    fakes = controls(source)

    own = source.learn(SHOWN)(FOLD.asks)
    null = fakes["null pool"].learn(SHOWN)(FOLD.asks)
    shuffled = fakes["shuffled pool"].learn(SHOWN)(FOLD.asks)

    assert not null.any()
    assert shuffled.any()
    assert (shuffled != own).any(axis=(1, 2)).mean() > 0.5


def test_pools_that_are_none_are_not_made_anew() -> None:
    source = patterns(clocked=False)
    source.learn(SHOWN)

    shuffled = controls(source)["shuffled pool"]

    assert shuffled.making is source.making
    assert len(source.making.kept) == 1


def test_in_a_replay_nothing_that_came_later_is_said() -> None:
    for fold in replay(LOG, share=0.3, checkpoints=2).test:
        source = patterns(clocked=True)
        audited = source.learn(lesson(LOG, fold, 0))

        assert replace(audited, every=1)(fold.asks).any()  # type: ignore[type-var]


def test_a_question_whose_moment_lies_after_what_is_asked_for_is_caught() -> None:
    fold = replay(LOG, share=0.3, checkpoints=1).test[0]
    audited = patterns(clocked=True).learn(lesson(LOG, fold, 0))
    late = replace(fold.asks, at=np.full(len(fold.asks), LOG.at.max() + 1))
    loose = replace(
        audited,  # type: ignore[type-var]
        answer=lambda asks: audited.answer(late),  # type: ignore[attr-defined]
        every=1,
    )

    with pytest.raises(Leak, match="known later"):
        loose(fold.asks)


def test_a_column_is_told_by_its_source() -> None:
    source = patterns()

    assert source.names == tuple(f"amem4rec:{name}" for name in NAMES)
    assert source.column(*CONTENT) == source.names[len(CONTENT) :]


def test_more_patterns_may_be_looked_up_in_the_same_pool() -> None:
    made = making()
    one = patterns(made, clocked=False)
    other = replace(one, retrieving=replace(made.config, k_mem=1))

    few, many = (source.learn(SHOWN)(FOLD.asks) for source in (other, one))

    assert (few != many).any()
    assert len(made.kept) == 1
