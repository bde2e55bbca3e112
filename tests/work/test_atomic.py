"""The step that forms notes of interactions, through both stores."""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

import lamina
from lamina.errors import StoreLocked
from lamina.model import Note
from lamina.ports import NEVER, Failure
from lamina.strategies.atomrec.stages import Evolution, Evolving, Relation, Written
from lamina.testing import FakeClock, WordEncoder
from lamina.testing.clock import NOON
from lamina.work import atomic, indexing
from tests.strategies.atomrec.shown_cards import ScriptedStages, evolution
from tests.work.films import Counting, Films


@pytest.fixture
def open_films(path: str) -> Iterator[Callable[..., Films]]:
    opened: list[lamina.Memory] = []

    def open_(encoder: WordEncoder | None = None) -> Films:
        where = path if path == ":memory:" else f"{path}{len(opened)}"
        opened.append(
            lamina.open(
                where, encoder=encoder or WordEncoder(), clock=FakeClock(NOON + timedelta(days=9))
            )
        )
        return Films(opened[-1])

    yield open_
    for memory in opened:
        memory.close()


@pytest.fixture
def films(open_films: Callable[..., Films]) -> Films:
    return open_films()


def test_each_interaction_has_a_note_and_each_item_one(films: Films) -> None:
    films.done(("ann", "0", 0), ("bo", "0", 1), ("ann", "1", 2), action="rate", rating=4)

    assert films.formed() == []

    assert [(n.kind, n.about, n.item) for n in films.notes(kind="user_note")] == [
        ("user_note", "ann", "0"), ("user_note", "bo", "0"), ("user_note", "ann", "1"),
    ]  # fmt: skip
    assert {n.item for n in films.notes(kind="item_note")} == {"0", "1"}
    assert films.recommender.pending == 0
    assert films.store.jobs(films.scope) == []


def test_a_user_and_an_item_called_0_are_as_good_as_others(films: Films) -> None:
    films.done(("0", "0", 0), rating=0.0)
    films.formed()

    note = films.of("0", "0")
    assert films.store.waiting(films.scope, 9) == []
    assert note.text == "Film 0 — rated 0"


def test_an_item_that_nobody_described_has_a_note_too(films: Films) -> None:
    films.done(("ann", "99", 0))
    films.formed()

    assert films.of("ann", "99").text == "99 — click"
    [about] = [n for n in films.notes(kind="item_note") if n.item == "99"]
    assert about.sources == films.of("ann", "99").sources


def test_a_note_rests_on_what_was_done_and_an_items_on_what_it_is(films: Films) -> None:
    films.done(("ann", "0", 0))
    films.formed()

    [item] = films.notes(kind="item_note")
    description = films.store.described(films.scope, ["0"])["0"]
    assert item.event == description.id
    assert set(item.sources) == {description.id, *films.of("ann", "0").sources}
    assert item.said_at == item.began_at == NOON


def test_only_notes_that_were_shown_may_change(films: Films) -> None:
    films.recommender.add_items(
        {"id": f"n{i}", "title": f"word{i} other{i} thing{i}"} for i in range(20)
    )
    films.done(*((f"u{i}", f"n{i}", i) for i in range(20)))
    films.formed(ScriptedStages(), evolves=False)
    before = {n.id: n for n in films.notes()}
    films.recommender.add_items([{"id": "like", "title": "word15 other15 thing15 again"}])
    films.done(("zoe", "like", 60))
    stages = ScriptedStages(evolve=lambda asked: evolution(asked, "changed"))

    films.formed(stages, k_link=1, tau_evo=0.1)

    changed = [n for n in films.notes() if n.id in before and n != before[n.id]]
    assert [n.item for n in changed] == ["n15"]
    assert {card.item for each in stages.linked for card in each.near} == {"n15"}


def test_links_go_by_id_and_only_to_what_was_shown(films: Films) -> None:
    films.done(("ann", "0", 0), ("ann", "2", 1))
    films.formed(ScriptedStages())
    films.done(("ann", "1", 2))

    def last_and_made_up(asked: Any) -> tuple[Relation, ...]:
        return (
            Relation(target="1"), Relation(target="made up", relation="no"),
            Relation(target=asked.near[-1].id, relation="the last shown"),
        )  # fmt: skip

    stages = ScriptedStages(link=last_and_made_up)
    films.formed(stages)

    new = films.of("ann", "1")
    links = {e.target: e.relation for e in films.store.links(films.scope, [new.id])}
    assert links[stages.linked[0].near[-1].id] == "the last shown"
    assert sorted(links.values()) == ["about it", "the last shown"]


def test_an_evolved_note_keeps_its_words_its_time_and_its_past(films: Films) -> None:
    films.done(("ann", "0", 0))
    films.formed(ScriptedStages())
    was = films.of("ann", "0")
    films.done(("ann", "1", 5))
    films.formed(ScriptedStages(evolve=lambda asked: evolution(asked, "changed")), tau_evo=-1)

    now = films.of("ann", "0")
    assert (now.text, now.said_at, now.sources) == (was.text, was.said_at, was.sources)
    assert now.tags == ("changed",)
    assert now.parents == (films.of("ann", "1").id,)
    assert [r.tags for r in films.store.history(films.scope, now.id)] == [was.tags, ("changed",)]
    assert now.known_at == NOON + timedelta(minutes=5)
    then = films.notes(NOON + timedelta(minutes=5))
    assert [n.tags for n in then if n.id == was.id] == [was.tags]


def test_no_vector_is_stale(films: Films) -> None:
    films.done(*(("ann", str(i), i) for i in range(6)), *(("bo", str(i), 9 + i) for i in range(6)))
    stages = ScriptedStages(evolve=lambda asked: evolution(asked, f"t{len(stages.evolving)}"))
    films.formed(stages, tau_evo=-1)

    graph = films.store.graph(films.scope)
    rows = np.flatnonzero((graph.kinds >= 0) & (graph.known_until == NEVER))
    notes = {n.id: n for n in films.notes()}
    assert {graph.refs[int(row)] for row in rows} == set(notes)
    assert any(n.revision > 2 for n in notes.values())
    for row in rows:
        shown = indexing.note(notes[graph.refs[int(row)]]).shown
        assert graph.vectors[int(row)] @ WordEncoder().encode([shown])[0] == pytest.approx(1)


def test_what_several_interactions_change_in_one_note_follows_on_each_other(films: Films) -> None:
    films.done(("ann", "0", 0))
    films.formed(ScriptedStages())
    films.done(("bo", "1", 5), ("cy", "5", 6))

    def gains(asked: Evolving) -> Evolution | None:
        if asked.target.item != "0" or asked.target.side == "item":
            return None
        return evolution(asked, *asked.target.fields.tags, asked.new.item)

    films.formed(ScriptedStages(evolve=gains), tau_evo=-1)

    history = films.store.history(films.scope, films.of("ann", "0").id)
    assert [r.tags for r in history] == [
        ("Crime", "Drama"), ("Crime", "Drama", "1"), ("Crime", "Drama", "1", "5"),
    ]  # fmt: skip
    assert len({r.operation for r in history}) == 3


def test_a_note_whose_change_was_rolled_back_evolves_again(films: Films) -> None:
    films.done(("ann", "0", 0))
    films.formed(ScriptedStages())
    films.done(("bo", "1", 5))
    films.formed(ScriptedStages(evolve=lambda asked: evolution(asked, "undone")), tau_evo=-1)
    undone = films.store.history(films.scope, films.of("ann", "0").id)[-1].operation
    films.recommender.rollback(undone)
    films.done(("cy", "2", 6), ("di", "3", 7))
    stages = ScriptedStages(
        evolve=lambda asked: evolution(asked, *asked.target.fields.tags, asked.new.item)
    )

    assert films.formed(stages, tau_evo=-1) == []
    assert {"2", "3"} <= set(films.of("ann", "0").tags)


def test_what_a_person_wrote_never_evolves(films: Films) -> None:
    films.done(("ann", "0", 0))
    films.formed(ScriptedStages())
    films.recommender.update(films.of("ann", "0").id, "Ann saw it twice.")
    films.done(("ann", "1", 60 * 24 * 30))
    stages = ScriptedStages(evolve=lambda asked: evolution(asked, "changed"))
    films.formed(stages, tau_evo=-1)

    assert films.of("ann", "0").text == "Ann saw it twice."
    assert {each.target.item for each in stages.evolving if each.target.side == "own"} == set()


def test_a_reply_that_makes_no_sense_loses_that_step_alone(films: Films) -> None:
    nonsense = Failure(reason="malformed", detail="no JSON")
    films.done(("ann", "0", 0), ("bo", "1", 1), ("cy", "2", 2))
    stages = ScriptedStages(
        write=lambda asked: nonsense if asked.interaction.user == "bo" else Written(
            user=ScriptedStages().write([asked])[0].user),  # type: ignore[union-attr]
        link=lambda _: nonsense,
        evolve=lambda _: nonsense,
        reflect=lambda _: nonsense,
    )  # fmt: skip

    failed = films.formed(stages, tau_evo=-1)

    assert len(failed) == 1
    assert [n.about for n in films.notes(kind="user_note")] == ["ann", "cy"]
    assert films.recommender.pending == 1
    assert films.formed(ScriptedStages()) == []
    assert {n.about for n in films.notes(kind="user_note")} == {"ann", "bo", "cy"}
    assert films.recommender.pending == 0


@pytest.mark.parametrize("stage", ["write", "link", "evolve", "reflect"])
def test_where_a_model_is_away_nothing_is_half_done(films: Films, stage: str) -> None:
    away = Failure(reason="timeout", detail="slow")
    films.done(("ann", "0", 0), ("bo", "1", 1), ("cy", "2", 2))
    asked = 0

    def fails(one: Any) -> Any:
        nonlocal asked
        asked += 1
        return (
            away if asked == 2 else ScriptedStages().write([one])[0] if stage == "write" else None
        )

    answers: dict[str, Any] = {stage: fails if stage != "link" else lambda one: fails(one) or ()}
    failed = films.formed(ScriptedStages(**answers), tau_evo=-1)

    assert failed == ["timeout: slow"]
    done = [n.about for n in films.notes(kind="user_note")]
    assert done == ["ann", "bo", "cy"][: len(done)]
    assert 0 < len(done) < 3
    assert films.recommender.pending == 3 - len(done)
    assert films.formed(ScriptedStages()) == []
    assert [n.about for n in films.notes(kind="user_note")] == ["ann", "bo", "cy"]


def test_a_store_that_fails_leaves_all_as_it_was(
    films: Films, monkeypatch: pytest.MonkeyPatch
) -> None:
    films.done(("ann", "0", 0), ("bo", "1", 1))
    with monkeypatch.context() as patched:
        patched.setattr(
            films.store, "apply_all", lambda *_, **__: (_ for _ in ()).throw(StoreLocked("busy"))
        )
        assert len(films.formed()) == 1

    assert films.notes() == []
    assert films.recommender.pending == 2
    assert films.formed() == []
    assert len(films.notes(kind="user_note")) == 2


def test_each_operation_is_known_since_what_it_read(films: Films) -> None:
    films.done(*(("ann", str(i), i) for i in range(6)))
    films.formed(tau_evo=-1)

    for note in films.notes():
        for revision in films.store.history(films.scope, note.id):
            assert note.said_at <= revision.known_at <= NOON + timedelta(minutes=5)
    assert films.of("ann", "5").known_at == NOON + timedelta(minutes=5)
    assert films.notes(NOON) == []


def test_a_late_interaction_sees_only_what_was_before_it(films: Films) -> None:
    films.done(("ann", "0", 10), ("ann", "1", 20))
    films.formed(ScriptedStages())
    films.done(("ann", "5", 15))
    stages = ScriptedStages(evolve=lambda asked: evolution(asked, "changed"))
    films.formed(stages, tau_evo=-1)

    [click] = stages.clicks
    assert [card.item for card in click.recent] == ["0"]
    assert {card.item for card in stages.linked[0].near} == {"0"}
    assert films.of("ann", "5").known_at == NOON + timedelta(minutes=15)


def told(notes: Sequence[Note]) -> list[Any]:
    return sorted(
        (n.kind, n.about, n.text, n.keywords, n.tags, n.context, n.known_at) for n in notes
    )


def test_the_past_is_as_if_nothing_had_come_after(
    open_films: Callable[..., Films], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic, "AT_ONCE", 1)
    acts = [(f"u{i % 3}", str(i * 5 % 6), float(i)) for i in range(18)]
    whole, stopped = open_films(), open_films()
    whole.done(*acts)
    stopped.done(*acts[:9])
    for each in (whole, stopped):
        gains = ScriptedStages(
            link=lambda asked: [Relation(target=card.id) for card in asked.near[:2]],
            evolve=lambda asked: evolution(asked, *asked.target.fields.tags[-3:], asked.new.item),
        )
        assert each.formed(gains, tau_evo=-1) == []

    moment = NOON + timedelta(minutes=9)
    assert told(whole.notes(moment)) == told(stopped.notes())
    assert any(n.revision > 1 for n in stopped.notes())


def test_a_batch_is_formed_as_if_one_by_one_but_for_what_it_encodes_at_its_end(
    open_films: Callable[..., Films], monkeypatch: pytest.MonkeyPatch
) -> None:
    acts = [(f"u{i % 3}", str(i * 5 % 6), float(i)) for i in range(18)]
    at_once, one_by_one = open_films(), open_films()
    at_once.done(*acts)
    one_by_one.done(*acts)
    at_once.formed(evolves=False)
    monkeypatch.setattr(atomic, "AT_ONCE", 1)
    one_by_one.formed(evolves=False)

    assert told(at_once.notes()) == told(one_by_one.notes())
    ids = [n.id for n in at_once.notes()]
    assert set(at_once.store.links(at_once.scope, ids)) == set(
        one_by_one.store.links(one_by_one.scope, ids)
    )


def test_a_batch_is_encoded_in_two_calls(open_films: Callable[..., Films]) -> None:
    encoder = Counting()
    films = open_films(encoder)
    films.done(*((f"u{i % 3}", str(i % 6), i) for i in range(30)))
    encoder.calls.clear()

    films.formed(ScriptedStages(evolve=lambda asked: evolution(asked, asked.new.item)), tau_evo=-1)

    assert len(encoder.calls) == 2
    assert encoder.calls[0] == 30 + 6


def test_times_a_microsecond_apart_keep_their_order(films: Films) -> None:
    films.done(*(("ann", str(i), (5 - i) / 60_000_000) for i in range(6)))
    stages = ScriptedStages()
    films.formed(stages)

    assert [click.interaction.item for click in stages.clicks] == ["5", "4", "3", "2", "1", "0"]
    assert [card.item for card in stages.clicks[-1].recent] == ["1", "2", "3", "4", "5"]


def test_a_mean_is_of_what_was_rated_before(films: Films) -> None:
    for minute, rating in enumerate((2.0, 4.0, 5.0)):
        films.done(("ann", str(minute), minute), rating=rating)
    films.done(("ann", "3", 3), action="tag", text="dark")
    stages = ScriptedStages()
    films.formed(stages)

    assert [click.usual for click in stages.clicks] == [None, 2.0, 3.0, pytest.approx(11 / 3)]


def test_more_than_a_batch_is_done_in_several(
    films: Films, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic, "AT_ONCE", 4)
    films.done(*(("ann", str(i % 6), i) for i in range(10)))
    films.formed()

    assert len(films.notes(kind="user_note")) == 10
    assert len(films.notes(kind="item_note")) == 6
