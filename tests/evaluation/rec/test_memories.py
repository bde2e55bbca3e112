from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lamina.evaluation.rec import drift, remembering
from lamina.evaluation.rec.graphs import append_only, bare, before, only, without
from lamina.evaluation.rec.logs import Log
from lamina.evaluation.rec.memories import Memory, controls
from lamina.evaluation.rec.reading import logged
from lamina.evaluation.rec.remembering import Building, Remembered
from lamina.evaluation.rec.scoring import lesson
from lamina.evaluation.rec.splits import leave_last_out, replay
from lamina.ports.graph import NEVER
from lamina.ports.stored import Usage
from lamina.settings import Settings
from lamina.testing import WordEncoder

SHAPE = drift.Shape(users=10, items=60, each=10)
LOG = logged(drift.drifting(SHAPE))


@pytest.fixture(scope="module")
def remembered() -> Remembered:
    values = drift.drifting(SHAPE)
    building = Building(settings=Settings.read({}), encoder=WordEncoder())
    with remembering.built(values, building, lambda *_: None) as found:
        return found


def memory(remembered: Remembered, log: Log = LOG) -> Memory:
    return Memory(name="lamina", log=log, graph=remembered.graph, catalogue=remembered.catalogue)


def test_memory_answers_the_same_whatever_comes_later(remembered: Remembered) -> None:
    fold = replay(LOG, share=0.2, checkpoints=1).test[0]
    real = replace(memory(remembered), audited=False)
    cut = replace(real, graph=before(remembered.graph, int(fold.asks.at[0])))
    first = fold.asks.part(np.array([0]))

    told, again = (one.learn(lesson(LOG, fold, 0))(first) for one in (real, cut))

    assert told.any()
    np.testing.assert_allclose(told, again, atol=1e-5)


def test_leaving_the_last_out_hides_the_target_and_its_note(remembered: Remembered) -> None:
    fold = leave_last_out(LOG).test[0]

    left = only(remembered.graph, LOG, lesson(LOG, fold, 0))

    hidden = {
        (LOG.users[LOG.by[row]], LOG.catalogue.items[LOG.of[row]]) for row in fold.rows.tolist()
    }
    done = {(left.users[u], left.items[i]) for u, i in zip(left.by, left.of, strict=True)}
    noted = {
        (left.users[u], left.items[i])
        for u, i in zip(left.whose, left.about, strict=True)
        if u >= 0 and i >= 0
    }
    assert not hidden & done
    assert not hidden & noted
    assert len(left.by) == len(LOG.by) - len(fold.rows)
    assert noted


def test_without_interactions_nothing_rests_on_them(remembered: Remembered) -> None:
    graph = remembered.graph
    gone = np.zeros(len(graph.by), dtype=bool)
    gone[len(graph.by) // 2 :] = True

    left, cut = without(graph, gone), before(graph, int(graph.said_at[len(graph.by) // 2]))

    assert sorted(left.refs) == sorted(cut.refs)
    alive = left.known_until >= NEVER
    assert alive.sum() == (cut.known_until >= int(graph.said_at[len(graph.by) // 2])).sum()


def test_append_only_shows_each_note_as_it_was_first(remembered: Remembered) -> None:
    graph = append_only(remembered.graph)

    notes = graph.notes[graph.notes >= 0]
    assert len(np.unique(notes)) == len(notes)
    assert (graph.known_until[graph.notes >= 0] == NEVER).all()


def test_what_is_no_memory_tells_less_of_the_user(remembered: Remembered) -> None:
    fold = replay(LOG, share=0.2, checkpoints=1).test[0]
    shown, real = lesson(LOG, fold, 0), memory(remembered)
    own = real.learn(shown)(fold.asks)

    fakes = {name: fake.learn(shown)(fold.asks) for name, fake in controls(real).items()}

    words = [name.partition(":")[2] for name in real.names].index("words")
    assert own[:, :, words].any()
    assert not fakes["null"][:, :, words].any()
    assert not fakes["filler"][:, :, words].any()
    assert (fakes["shuffled"][:, :, words] != own[:, :, words]).any()
    assert (fakes["filler"] != fakes["null"]).any()


def test_how_memory_grew_is_told(remembered: Remembered) -> None:
    growth = remembered.growth

    assert growth["interactions"] == len(LOG.by)
    assert growth["pending"] == 0
    assert growth["notes"]["user_note"] == len(LOG.by)
    assert growth["per_1000_interactions"] == dict.fromkeys(
        ("calls", "input_tokens", "output_tokens", "cost_usd", "unpriced_calls"), 0
    )


def test_what_a_model_took_is_told_by_the_thousand_and_since_a_moment() -> None:
    before = Usage(calls=1, input_tokens=10, output_tokens=5, cost_usd=0.5, unpriced=1)
    now = Usage(calls=5, input_tokens=50, output_tokens=9, cost_usd=2.5, unpriced=2)

    assert remembering.taken(now, 500, before) == {
        "calls": 8, "input_tokens": 80, "output_tokens": 8, "cost_usd": 4, "unpriced_calls": 2,
    }  # fmt: skip


def test_a_log_alone_is_a_graph_without_notes() -> None:
    graph = bare(LOG)

    assert len(graph.by) == len(LOG.by)
    assert not len(graph.kinds)


def test_a_store_without_the_recommender_is_refused(tmp_path: Path) -> None:
    from lamina.errors import NotFound

    with (
        pytest.raises(NotFound, match="no recommender"),
        remembering.opened(tmp_path / "a.db", "films", Settings.read({})),
    ):
        pass


def test_what_is_told_of_a_candidate_does_not_depend_on_the_others(
    remembered: Remembered,
) -> None:
    fold = replay(LOG, share=0.2, checkpoints=1).test[0]
    answer = replace(memory(remembered), audited=False).learn(lesson(LOG, fold, 0))
    some = np.array([3, 7, 20], dtype=np.int32)

    every, few = answer(fold.asks), answer(replace(fold.asks, among=some))

    np.testing.assert_allclose(few[:, some], every[:, some], atol=1e-6)
    assert not np.delete(few, some, axis=1).any()
