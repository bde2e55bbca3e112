import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from lamina.adapters.sqlite import SqliteStore
from lamina.adapters.sqlite.scanning import occurrences
from lamina.model import Scope, Step
from lamina.ports import Reply
from lamina.testing.accounts_contract import call
from lamina.testing.clock import NOON
from lamina.testing.factories import (
    SPACE,
    at,
    draft,
    exchange,
    gone,
    note,
    operation,
    say,
    scope,
    undo,
    write,
    writing,
)

ALICE, BO = scope("alice zyxwv"), scope("bo")
PAIR = scope("a pair", "conversation")
CANARY = "zyxwv"


@pytest.fixture
def store(path: Path) -> SqliteStore:
    store = SqliteStore(path)
    store.set_space(SPACE)
    return store


def live(store: SqliteStore, owner: Scope, word: str, drawn: random.Random, number: int) -> None:
    """Let something happen to `owner`: `word` is in all that is stored for it."""
    words = [f"{word}{drawn.randrange(500)}" for _ in range(drawn.choice([3, 20, 20, 400]))]
    text = f"{number} {' '.join(words)}"
    given = draft(
        text, session=f"{word}{number % 7}", speaker=word, key=f"{word} {number}",
        said_at=at(number), metadata={word: word}, author=word,
    )  # fmt: skip
    [id_] = say(store, owner, given)
    first = note(f"n{word}{number}", text, event=id_, about=word)
    store.apply(owner, writing(first, id_=f"{word}{number}"), now=NOON)
    if drawn.random() < 0.3:
        revised = replace(first, text=f"{text}!", revision=2)
        write(store, owner, revised, id_=f"{word}{number}r")
    if drawn.random() < 0.1:
        write(store, owner, id_=f"{word}{number}w", gone=gone("message", id_))
    store.keep_replies(owner, {f"d{word}{number}": Reply(text=text, model="m")}, now=NOON)


def bytes_of(path: Path) -> bytes:
    """All bytes of a store's files."""
    return b"".join(p.read_bytes() for p in path.parent.iterdir() if p.name.startswith(path.name))


@pytest.mark.parametrize("seed", range(3))
def test_no_byte_of_what_was_said_is_left_in_any_file(
    store: SqliteStore, path: Path, seed: int
) -> None:
    drawn = random.Random(seed)
    for number in range(150):
        owner, word = drawn.choice([(ALICE, CANARY), (BO, "harmless")])
        live(store, owner, word, drawn, number)
    assert store.occurrences([CANARY.encode()])[0] > 0

    receipt = store.forget(ALICE, now=NOON)
    assert receipt.stage == "logical"
    assert store.purge()

    assert store.occurrences([CANARY.encode()]) == [0]
    assert store.occurrences([b"harmless"])[0] > 0
    assert store.check() == []
    store.close()
    assert CANARY.encode() not in bytes_of(path)
    assert b"harmless" in bytes_of(path)


@pytest.mark.parametrize("kind", ["conversation", "space"])
def test_no_byte_of_ones_part_is_left_in_any_file(
    store: SqliteStore, path: Path, kind: str
) -> None:
    drawn = random.Random(5)
    shared = Scope("", "space" if kind == "space" else "conversation", "shared")
    for number in range(80):
        live(store, shared, drawn.choice([CANARY, "harmless"]), drawn, number)
    made = [each.id for each in store.list_operations(shared, limit=999)]
    store.record(shared, [call(operation=id_) for id_ in made])
    steps = [Step(kind="supersede", subject=id_) for id_ in made]
    steps += [Step(kind="bind", subject=session.id) for session in store.sessions(shared)]
    store.enqueue(shared, steps, now=NOON)

    store.forget_part(shared, author=CANARY, speaker=CANARY, now=NOON, steps=())
    assert store.purge()

    assert store.check() == []
    assert {message.speaker for message in store.latest(shared, 99)} == {"harmless"}
    assert store.usage(shared).calls == len(made)
    store.close()
    assert CANARY.encode() not in bytes_of(path)
    assert b"harmless" in bytes_of(path)


def test_the_others_documents_keep_their_ids_and_words(store: SqliteStore) -> None:
    given = [draft(f"{i} tea", speaker="ann" if i % 3 else "bo", said_at=at(i),
                   session=f"s{i % 2}") for i in range(12)]  # fmt: skip
    ids = say(store, PAIR, *given)
    write(store, PAIR, *(note(f"n{i}", f"{i} is had", event=id_) for i, id_ in enumerate(ids)),
          id_="op1")  # fmt: skip

    def shown() -> dict[int, tuple[str, list[float], int]]:
        with store.snapshot(PAIR) as snapshot:
            found = snapshot.documents
            rows = zip(found.ids.tolist(), found.refs, found.vectors[:].tolist(), strict=True)
            return {id_: (ref, vector, found.lengths[i]) for i, (id_, ref, vector)
                    in enumerate(rows)}  # fmt: skip

    before = shown()
    store.forget_part(PAIR, author="user:ann", speaker="ann", now=NOON, steps=())

    kept = {*ids[::3], *(f"n{i}" for i in range(0, 12, 3))}
    assert shown() == {id_: row for id_, row in before.items() if row[0] in kept}
    assert [session.id for session in store.sessions(PAIR)] == ["s0", "s1"]


def test_sessions_and_speakers_that_are_left_keep_their_words(store: SqliteStore) -> None:
    for i, speaker in enumerate(["ann", "bo", "ann", "cy"]):
        say(store, PAIR, draft(f"by {speaker} {i}", session=f"s{i}", speaker=speaker,
                               said_at=at(i)))  # fmt: skip

    store.forget_part(PAIR, author="user:ann", speaker="ann", now=NOON, steps=())

    with store.snapshot(PAIR) as snapshot:
        found = snapshot.documents
        assert [
            (found.session_names[session], found.speaker_names[speaker])
            for session, speaker in zip(found.sessions, found.speakers, strict=True)
        ] == [("s1", "bo"), ("s3", "cy")]
    assert [m.text for m in store.in_session(PAIR, "s3")] == ["by cy 3"]
    assert store.participants(PAIR) == ["bo", "cy"]
    assert store.check() == []


def test_an_exchange_with_the_message_before_the_erased_one_is_to_be_made(
    store: SqliteStore,
) -> None:
    speakers = ["bo", "ann", "bo"]
    given = [draft(f"{i}", speaker=speaker, said_at=at(i)) for i, speaker in enumerate(speakers)]
    one, _, three = say(store, PAIR, *given)
    pairs = store.stale_exchanges(PAIR, "s1", 9)
    shown = tuple(exchange(pair.previous, pair.message) for pair in pairs)
    write(store, PAIR, id_="op1", documents=shown)

    store.forget_part(PAIR, author="user:ann", speaker="ann", now=NOON, steps=())

    [stale] = store.stale_exchanges(PAIR, "s1", 9)
    assert (stale.previous.id, stale.message.id) == (one, three)
    assert store.check() == []


def test_what_an_erased_note_took_the_place_of_stands_again(store: SqliteStore) -> None:
    of_bo, of_ann = say(store, PAIR, draft("Oslo", speaker="bo"), draft("Rome", speaker="ann"))
    old, new = note("old", "in Oslo", event=of_bo), note("new", "in Rome", event=of_ann)
    write(store, PAIR, old, new, id_="op1")
    ended = replace(old, revision=2, invalid_at=at(9), superseded_by="new", parents=("new",))
    write(store, PAIR, ended, id_="op2", documents=())
    edited = replace(ended, revision=3, text="in Oslo, Norway", parents=(), by_person=True)
    write(store, PAIR, edited, id_="op3")

    store.forget_part(PAIR, author="user:ann", speaker="ann", now=NOON, steps=())

    for revision in store.revisions(PAIR, "old"):
        assert (revision.superseded_by, revision.invalid_at, revision.parents) == (None, None, ())
    assert [n.text for n in store.list_notes(PAIR)] == ["in Oslo, Norway"]
    assert store.check() == []


def test_what_says_other_words_for_an_erased_note_goes_with_it(store: SqliteStore) -> None:
    of_bo, of_ann = say(store, PAIR, draft("Oslo", speaker="bo"), draft("Rome", speaker="ann"))
    old, new = note("old", "in Oslo", event=of_bo), note("new", "in Rome", event=of_ann)
    write(store, PAIR, old, new, id_="op1")
    write(store, PAIR, replace(old, text="not in Oslo: in Rome", revision=2, parents=("new",)),
          id_="op2")  # fmt: skip

    store.forget_part(PAIR, author="user:ann", speaker="ann", now=NOON, steps=())

    assert store.history(PAIR, "old") == []
    assert store.check() == []


def test_undoing_what_only_an_erased_operation_needed_is_erased_too(store: SqliteStore) -> None:
    [of_ann, _] = say(store, PAIR, draft("Rome", speaker="ann"), draft("Oslo", speaker="bo"))
    named = operation("op1", cause="what ann said")
    store.apply(PAIR, writing(note("n", event=of_ann), operation=named), now=NOON)
    undo(store, PAIR, "op1", by="op2")
    undo(store, PAIR, "op2", by="op3")

    store.forget_part(PAIR, author="user:ann", speaker="ann", now=NOON, steps=())

    assert [made.kind for made in store.list_operations(PAIR)] == ["erasure"]
    assert store.check() == []


def test_a_model_call_in_flight_does_not_bring_the_name_back(
    store: SqliteStore, path: Path
) -> None:
    live(store, ALICE, CANARY, random.Random(1), 1)
    store.forget(ALICE, now=NOON)
    store.purge()

    store.record(ALICE, [call(operation=CANARY)])

    assert CANARY.encode() not in bytes_of(path)
    assert store.usage().calls == 1


def test_while_somebody_reads_an_older_state_a_purge_waits(store: SqliteStore, path: Path) -> None:
    say(store, ALICE, draft(CANARY))
    store._db._busy_seconds = 0.05

    with store.snapshot(ALICE):
        store.forget(ALICE, now=NOON)
        assert not store.purge()
        assert store.counts()["unpurged"] == 1
    assert store.latest(ALICE, 9) == []
    store.close()

    another = SqliteStore(path)
    assert another.counts()["unpurged"] == 1
    assert another.purge()
    assert another.counts()["unpurged"] == 0
    assert another.occurrences([CANARY.encode()]) == [0]
    another.close()


def test_an_erasure_during_a_purge_is_left_to_the_next(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = SqliteStore(path)
    say(store, ALICE, draft(CANARY))
    say(store, BO, draft("also"))
    store.forget(ALICE, now=NOON)
    purge = store._db.purge

    def interrupted() -> bool:
        done = purge()
        other.forget(BO, now=NOON)
        return done

    monkeypatch.setattr(store._db, "purge", interrupted)
    assert store.purge()

    assert store.counts()["unpurged"] == 1
    assert other.purge()
    assert store.counts()["unpurged"] == 0
    other.close()
    store.close()


def test_an_erasure_reaches_the_caches_of_others(store: SqliteStore, path: Path) -> None:
    other = SqliteStore(path)
    say(store, ALICE, draft(CANARY))
    with other.snapshot(ALICE) as snapshot:
        assert len(snapshot.documents.refs) == 1

    store.forget(ALICE, now=NOON)

    with other.snapshot(ALICE) as snapshot:
        assert snapshot.documents.refs == ()
        assert snapshot.postings([CANARY]).rows.tolist() == []
    other.close()
    store.close()


def test_looking_for_bytes_lets_go_of_no_lock(store: SqliteStore, path: Path) -> None:
    """Else another process that closes the file would remove the log that we write to."""
    say(store, ALICE, draft("before"))

    assert store.occurrences([b"before", b"nowhere"])[1] == 0

    code = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('PRAGMA user_version')"
    subprocess.run([sys.executable, "-c", f"{code}; c.close()", str(path)], check=True)
    assert path.with_name(f"{path.name}-wal").stat().st_size > 0
    say(store, ALICE, draft("after"))
    store.close()
    again = SqliteStore(path)
    assert [m.text for m in again.latest(ALICE, 9)] == ["before", "after"]
    again.close()


@pytest.mark.parametrize("chunk_bytes", [1, 2, 3, 4, 5, 7, 100])
def test_bytes_are_found_wherever_a_file_is_cut(tmp_path: Path, chunk_bytes: int) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"..needle.ned..needle" + b"needle\x00x\xff")

    needles = [b"needle", b"ned", b"\x00x\xff", b".", b"nowhere", b""]
    assert occurrences(path, needles, chunk_bytes) == [3, 1, 1, 5, 0, 0]
    assert occurrences(tmp_path / "nothing", needles) == [0] * 6
