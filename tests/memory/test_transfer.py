"""What is taken out of a memory and put in again is the same, at every moment."""

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lamina
from lamina.errors import BadInput, FormatError
from lamina.memory import transfer
from lamina.model import Scope, Step
from lamina.testing import FakeClock, WordEncoder
from lamina.testing.clock import NOON
from lamina.testing.factories import at, part, pattern, scope, write
from lamina.testing.graphs import supported, told
from lamina.testing.pool_contract import POOL, contribute, taking_in
from lamina.work import indexing
from tests.conftest import Open

SAID = ("I live in Paris now.", "I live in Rome now.", "My dog is called Rex.", "我住在北京。",
        "Nul \x00 and half \ud83d a pair.", "The boat needs paint.")  # fmt: skip
QUERIES = ("Where do I live?", "the dog", "住在哪里", "boat paint")

texts, places = st.integers(0, len(SAID) - 1), st.integers(0, 6)
steps = st.tuples(st.sampled_from(["say", "say", "update", "delete", "close"]), texts, places)


def play(user: lamina.Handle, clock: FakeClock, told: list[tuple[str, int, int]]) -> None:
    """Let things happen to a memory, an hour apart; all that is said differs.

    Of what is the same to the last digit rounding would choose which is found.
    """
    for number, (verb, text, place) in enumerate(told):
        notes = user.list()
        words = f"{SAID[text]} That is {'abcdefgh'[number] * 5}."
        if verb == "say":
            offset = timedelta(hours=place - 3)
            moment = f"{(clock.now() + offset).isoformat()[:19]}{'+' if place > 2 else '-'}03:30"
            user.add(words, session_id=f"s{place % 2}", timestamp=moment)
        elif verb == "close":
            user.close_session(f"s{place % 2}")
        elif verb == "update" and notes:
            user.update(notes[place % len(notes)].id, words)
        elif notes:
            user.delete(notes[place % len(notes)].id)
        user.process()
        clock.advance(hours=1)


def found(user: lamina.Handle) -> list[object]:
    """What is found from every other hour on; not in which order, which rounding may decide."""
    hours = [None, *(NOON + timedelta(hours=hour) for hour in range(-2, 9, 2))]
    return [
        (hour, query, sorted((hit.id, hit.text, hit.superseded_by) for hit in hits))
        for hour in hours
        for query in QUERIES
        for hits in [user.search(query, as_of=hour, asked_at=NOON, top_k=50)]
    ]


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(told=st.lists(steps, max_size=7))
def test_what_was_exported_is_what_was_restored(
    path: str, tmp_path: Path, told: list[tuple[str, int, int]]
) -> None:
    number = len(list(tmp_path.iterdir()))
    here = path if path == ":memory:" else f"{path}{number}"
    clock = FakeClock()
    with (
        lamina.open(here, encoder=WordEncoder(), clock=clock) as one,
        lamina.open(f"{tmp_path}/{number}-other.db", encoder=WordEncoder(), clock=clock) as other,
    ):
        ann = one.user("ann")
        play(ann, clock, told)
        lines = list(ann.export())

        restored = other.restore(lines)
        assert list(other.user("ann").export()) == lines
        assert restored.messages == sum(line.startswith('{"message"') for line in lines)
        other.process()

        assert found(other.user("ann")) == found(ann)
        assert other.check() == []


@pytest.fixture
def ann(memory: lamina.Memory) -> lamina.Handle:
    user = memory.user("ann")
    user.add("I moved to Oslo.", session_id="s1", timestamp="2026-01-01T10:00:00+02:00", wait=True)
    user.add("I keep bees.", session_id="s1", timestamp="2026-01-02T10:00:00+02:00")
    return user


def test_a_memory_is_restored_under_another_name(memory: lamina.Memory, ann: lamina.Handle) -> None:
    restored = memory.restore(ann.export(), user="anna")

    anna = memory.user("anna")
    assert (restored.scope, restored.messages) == (anna.scope, 2)
    assert [m.id for m in anna.messages()] == [m.id for m in ann.messages()]
    assert list(anna.export())[1:] == list(ann.export())[1:]
    assert anna.search("bees")[0].text == "I keep bees."


def test_what_waited_waits_again(memory: lamina.Memory, ann: lamina.Handle) -> None:
    memory.restore(ann.export(), user="anna")
    memory.process()

    assert "I keep bees." in [note.text for note in memory.user("anna").list(kind="fact")]
    assert memory.check() == []


def test_a_space_is_restored_with_its_authors_and_grants(memory: lamina.Memory) -> None:
    team = memory.space("team")
    team.grant("user:ann", write=True)
    memory.user("ann").space("team").add("We sail on Friday.")

    memory.restore(team.export(), space="crew")

    assert [m.author for m in memory.user("ann").space("crew").messages()] == ["user:ann"]
    assert memory.space("crew").grants() == team.grants()


@pytest.fixture
def films(memory: lamina.Memory) -> lamina.Recommender:
    films = memory.recommender("films")
    films.add_items(
        [{"id": "a", "title": "Alien", "tags": ["space"]}, {"id": "0", "title": "Heat"}]
    )
    rated = [("ann", "a", 1, 4.5), ("bo", "a", 2, 4), ("bo", "0", 3, 1), ("ann", "0", 4, None)]
    for user, item, day, rating in rated:
        at = f"2026-01-0{day}T10:00:00+02:00"
        given = {"user": user, "item": item, "timestamp": at, "rating": rating}
        films.add_interactions([given], wait=day < 4)
    films.configure(privacy="silo", k=2)
    return films


def test_a_recommender_is_restored_with_what_it_keeps_to(
    memory: lamina.Memory, films: lamina.Recommender
) -> None:
    restored = memory.restore(films.export(), recommender="cinema")

    cinema, store = memory.recommender("cinema"), memory._engine.store
    assert (restored.scope, restored.messages) == (cinema.scope, 6)
    assert cinema.configuration == films.configuration
    assert list(cinema.export())[1:] == list(films.export())[1:]
    assert told(store.graph(cinema.scope)) == told(store.graph(films.scope))
    assert [n.tags for n in cinema.list(kind="user_note")][-1] == ("space",)
    documents = store.documents_of(cinema.scope, 0, 99)
    assert len(documents) == len(store.documents_of(films.scope, 0, 99))
    assert {each.view for each in documents} == {"turn", "note"}
    assert memory.check() == []


def test_a_word_that_became_the_context_instead_of_a_tag_is_found_again(
    memory: lamina.Memory, films: lamina.Recommender
) -> None:
    store, encoder = memory._engine.store, memory._engine.encoder
    old = next(n for n in store.list_notes(films.scope) if n.kind == "user_note")
    tagged = replace(old, revision=old.revision + 1, tags=("calm",), context="")
    placed = replace(tagged, revision=old.revision + 2, tags=(), context="calm")
    for number, new in enumerate((tagged, placed), start=1):
        documents = indexing.documents([indexing.note(new)], encoder)
        write(store, films.scope, new, id_=f"by hand {number}", documents=tuple(documents))

    memory.restore(films.export(), recommender="cinema")

    cinema = memory.recommender("cinema").scope
    assert told(store.graph(cinema)) == told(store.graph(films.scope))
    assert memory.check() == []


def test_interactions_that_waited_wait_again(
    memory: lamina.Memory, films: lamina.Recommender
) -> None:
    memory.restore(films.export(), recommender="cinema")
    cinema = memory.recommender("cinema")
    steps = [job.step for job in memory._engine.store.jobs(cinema.scope)]
    assert (cinema.pending, steps) == (1, [Step(kind="write", subject="")])

    cinema.process()

    assert cinema.pending == 0
    films.process()
    assert told(memory._engine.store.graph(cinema.scope))[3]
    assert [n.text for n in cinema.list()] == [n.text for n in films.list()]
    assert memory.check() == []


def test_what_a_model_made_no_sense_of_waits_again_too(
    memory: lamina.Memory, films: lamina.Recommender
) -> None:
    said = [json.loads(line.replace('"pending"', '"unextracted"')) for line in films.export()]

    memory.restore(map(json.dumps, said), recommender="cinema")

    jobs = memory._engine.store.jobs(memory.recommender("cinema").scope)
    assert [job.step for job in jobs] == [Step(kind="write", subject="again")]


@pytest.fixture
def pool(memory: lamina.Memory) -> Scope:
    """A pool with a pattern of four users, of whom the third is erased; another's part waits."""
    store, encoder = memory._engine.store, memory._engine.encoder
    users = ("ann", "bo", "cy", "di", "eve")
    ids = contribute(store, *(part(user, said_at=at(n)) for n, user in enumerate(users)))
    for number, id_ in enumerate(ids[:4], start=1):
        note = pattern("p", id_, "Turns to fear." if number > 1 else "Laughs.", revision=number)
        made = indexing.documents([indexing.note(note)], encoder) if number < 3 else []
        writing = taking_in(id_, note, minute=number, documents=tuple(made))
        store.apply(POOL, writing, now=NOON)
    store.forget_part(POOL, author="user:cy", speaker="cy", now=at(9), steps=())
    store.configure(POOL, {"k": 2})
    return POOL


def test_a_pool_is_restored_with_its_support(memory: lamina.Memory, pool: Scope) -> None:
    engine, store = memory._engine, memory._engine.store
    lines, cinema = list(transfer.export(engine, pool)), scope("cinema", "pool")

    restored = transfer.restore(engine, cinema, *transfer.read(lines))

    assert (restored.scope, restored.messages, restored.revisions) == (cinema, 4, 3)
    assert list(transfer.export(engine, cinema))[1:] == lines[1:]
    assert told(store.graph(cinema)) == told(store.graph(pool))
    assert supported(store.graph(cinema)) == supported(store.graph(pool))
    assert [row[1:4:2] for row in supported(store.graph(cinema))] == [
        (1, "ann"), (2, "bo"), (4, "di"),
    ]  # fmt: skip
    assert store.counts(cinema) == store.counts(pool)
    assert [job.step for job in store.jobs(cinema)] == [Step(kind="write", subject="")]
    assert memory.check() == []


def test_a_pool_takes_its_own_place_again(memory: lamina.Memory, pool: Scope) -> None:
    store = memory._engine.store
    lines = list(transfer.export(memory._engine, pool))
    store.forget(pool, now=NOON)

    assert memory.restore(lines).scope == pool

    assert list(transfer.export(memory._engine, pool)) == lines
    with pytest.raises(BadInput, match="the archive of a pool"):
        memory.restore(lines, recommender="cinema")


def test_nothing_is_put_where_something_is(memory: lamina.Memory, ann: lamina.Handle) -> None:
    lines = list(ann.export())

    with pytest.raises(BadInput, match="'ann' has a memory already"):
        memory.restore(lines)
    ann.forget()
    memory.restore(lines)

    assert len(ann.messages()) == 2


def test_a_memory_stays_of_its_kind(memory: lamina.Memory, ann: lamina.Handle) -> None:
    with pytest.raises(BadInput, match="the archive of a user"):
        memory.restore(ann.export(), space="team")


def test_an_archive_that_is_wrong_leaves_nothing(memory: lamina.Memory, ann: lamina.Handle) -> None:
    lines = list(ann.export())
    place = next(i for i, line in enumerate(lines) if line.startswith('{"message"'))
    record = json.loads(lines[place])
    for change, says in (
        ({"said_at": "noon"}, f"line {place + 1}: message.said_at: not a time"),
        ({"operation": "none"}, "the archive is not whole"),
    ):
        wrong = json.dumps({"message": {**record["message"], **change}})
        with pytest.raises(FormatError, match=says):
            memory.restore([*lines[:place], wrong, *lines[place + 1 :]], user="anna")
    with pytest.raises(FormatError, match="after the first"):
        memory.restore(lines[:-1], user="anna")

    assert memory.user("anna").messages() == []


def test_how_far_it_is_is_told(memory: lamina.Memory, ann: lamina.Handle) -> None:
    told: list[tuple[int, int]] = []
    memory.restore(ann.export(), user="anna", progress=lambda done, of: told.append((done, of)))

    assert told[-1][0] == told[-1][1] > 0


def test_tenants_restore_into_their_own(open_memory: Open, ann: lamina.Handle) -> None:
    lines = list(ann.export())
    with lamina.open(":memory:", encoder=WordEncoder(), tenancy="multi") as memory:
        memory.tenant("acme").restore(lines)

        assert len(memory.tenant("acme").user("ann").messages()) == 2
        assert memory.tenant("zeta").user("ann").messages() == []
        with pytest.raises(BadInput, match="say which"):
            memory.restore(lines)


def test_a_store_is_copied_while_it_is_used(open_memory: Open, path: str, tmp_path: Path) -> None:
    memory = open_memory()
    memory.user("ann").add("I keep bees.", wait=True)
    target = tmp_path / "copy.db"
    if path == ":memory:":
        with pytest.raises(BadInput, match="in memory"):
            memory.backup(target)
        return

    memory.backup(target)
    memory.user("ann").add("And goats.")

    with lamina.open(target, encoder=memory._engine.encoder) as copy:
        assert [m.text for m in copy.user("ann").messages()] == ["I keep bees."]
        assert copy.check() == []
    with pytest.raises(BadInput):
        memory.backup(target)
