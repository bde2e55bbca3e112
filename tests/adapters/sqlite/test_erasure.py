import random
from dataclasses import replace
from pathlib import Path

import pytest

from lamina.adapters.sqlite import SqliteStore
from lamina.model import Scope
from lamina.ports import Reply
from lamina.testing.accounts_contract import call
from lamina.testing.clock import NOON
from lamina.testing.factories import SPACE, at, draft, note, say, scope, writing

ALICE, BO = scope("alice zyxwv"), scope("bo")
CANARY = "zyxwv"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


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
        said_at=at(number), metadata={word: word},
    )  # fmt: skip
    [id_] = say(store, owner, given)
    first = note(f"n{number}", text, event=id_, about=word)
    store.apply(owner, writing(first, id_=f"{word}{number}"), now=NOON)
    if drawn.random() < 0.3:
        revised = replace(first, text=f"{text}!", revision=2)
        store.apply(owner, writing(revised, id_=f"{word}{number}r"), now=NOON)
    if drawn.random() < 0.1:
        store.apply(owner, writing(withdraw=(id_,), id_=f"{word}{number}w"), now=NOON)
    store.keep_replies(owner, {f"d{number}": Reply(text=text, model="m")}, now=NOON)


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
    assert CANARY.encode() in bytes_of(path)

    receipt = store.forget(ALICE, now=NOON)

    assert receipt.stage == "physical"
    assert CANARY.encode() not in bytes_of(path)
    assert b"harmless" in bytes_of(path)
    assert store.check() == []
    store.close()
    assert CANARY.encode() not in bytes_of(path)


def test_a_model_call_in_flight_does_not_bring_the_name_back(
    store: SqliteStore, path: Path
) -> None:
    live(store, ALICE, CANARY, random.Random(1), 1)
    store.forget(ALICE, now=NOON)

    store.record(ALICE, [call(operation=CANARY)])

    assert CANARY.encode() not in bytes_of(path)
    assert store.usage().calls == 1


def test_while_somebody_reads_an_older_state_the_erasure_is_only_logical(
    store: SqliteStore,
) -> None:
    say(store, ALICE, draft(CANARY))
    store._db._busy_seconds = 0.05

    with store.snapshot(ALICE):
        assert store.forget(ALICE, now=NOON).stage == "logical"

    assert store.latest(ALICE, 9) == []
    assert store.forget(ALICE, now=NOON).stage == "physical"
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
