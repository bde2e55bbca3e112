"""Archives lose nothing, and refuse by line what is not one."""

import json
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.errors import FormatError
from lamina.formats import archive as archives
from lamina.model import Gone, Message
from lamina.ports import Archive, Grant
from lamina.testing.clock import NOON
from lamina.testing.factories import link, note, operation, part, pattern, scope

OWNER = scope("team", kind="space")
WORDS = st.text(st.characters(), min_size=1, max_size=20)
"""Any characters, lone surrogates and NUL among them."""
OFFSETS = st.integers(-23 * 60, 23 * 60)


def said(text: str = "I moved to Oslo.", **given: object) -> Message:
    told: dict[str, Any] = {
        "id": "m1", "session": "s1", "role": "user", "speaker": "alice", "said_at": NOON,
        "recorded_at": NOON, "position": 1, "operation": "op1",
    }  # fmt: skip
    return Message(text=text, **told | given)


def held() -> Archive:
    """An archive with one of everything."""
    return Archive(
        messages=(
            said(),
            said("Und weiter.", id="m2", position=2, metadata={"x": [1, None]}),
            said("rate 4", id="m3", position=3, item="0", action="rate", rating=4.0),
        ),
        closed=("s1",),
        operations=(operation("op1", "add"), operation("op2", known_at=NOON)),
        revisions=(
            note("n1", event="m1"),
            note("n2", sources=("m1", "m2"), parents=("n1",)),
            note("n3", kind="user_note", event="m3", item="0", keywords=("k", "\ud83d" + "\ude00"),
                 tags=("t",), context="x", sureness=0.5, narrower=True),
        ),
        links=((link("n2", "n1"), "op2"),),
        gone=((Gone(what="message", id="m2", always=False), "op2"),),
        consolidated={"m1": "op2", "m2": "op2"},
        grants=(Grant(principal="user:alice", read=True, write=False, given_at=NOON),),
        configuration={"privacy": "silo", "k": 3, "keep_days": None},
    )  # fmt: skip


def lines() -> list[str]:
    return list(archives.write(OWNER, "tests/1", held()))


def test_what_is_written_is_read_back() -> None:
    header, found = archives.read(lines())

    assert (header.scope, header.encoder) == (OWNER, "tests/1")
    assert found == held()


def test_a_pool_is_written_and_read_back() -> None:
    taken = part(key="k", metadata={"names": ["Alien", "ann"], "raw": False})
    told = said(taken.text, item=taken.item, action=taken.action, metadata=taken.metadata)
    first = pattern("p", "m1", keywords=("fear",))
    later = pattern("p", "m1", revision=3)  # the second was erased
    whole = replace(held(), messages=(told,), revisions=(first, later), links=(), gone=(),
                    consolidated={}, configuration={"k": 3, "tau_low": None})  # fmt: skip
    pool = scope("films", kind="pool")

    header, found = archives.read(archives.write(pool, "tests/1", whole))

    assert (header.scope, found) == (pool, whole)


def test_there_is_one_thing_a_line_and_nothing_but_ascii() -> None:
    written = lines()

    assert all(line.isascii() and line.endswith("\n") and line.count("\n") == 1 for line in written)
    assert json.loads(written[0])["lines"] == len(written) - 1


@given(text=WORDS, session=WORDS, offset=OFFSETS)
def test_words_and_offsets_survive_exactly(text: str, session: str, offset: int) -> None:
    moment = datetime(2026, 3, 4, 5, 6, 7, 89, tzinfo=timezone(timedelta(minutes=offset)))
    message = said(text, session=session, speaker=text, key=text, said_at=moment)
    whole = Archive(messages=(message,), closed=(session,))

    header, found = archives.read(archives.write(scope(text), "tests/1", whole))

    assert (header.scope.id, found) == (text, whole)
    assert found.messages[0].said_at.utcoffset() == moment.utcoffset()


def test_the_halves_of_a_pair_that_stand_apart_are_not_joined() -> None:
    apart = said("\ud83d" + "\ude00 and \ud83d", said_at=NOON)

    _, found = archives.read(archives.write(OWNER, "tests/1", Archive(messages=(apart,))))

    assert found.messages == (apart,)


def test_an_archive_of_before_there_were_items_is_read() -> None:
    new = {
        "message": {"item", "action", "rating"},
        "revision": {"item", "keywords", "tags", "context", "sureness", "narrower"},
    }
    first, *rest = (json.loads(line) for line in archives.write(OWNER, "tests/1", older()))
    old = [first | {"version": 1}]
    for line in rest:
        [(sort, record)] = line.items()
        old.append({sort: {k: v for k, v in record.items() if k not in new.get(sort, ())}})

    _, found = archives.read(map(json.dumps, old))

    assert found == older()


def older() -> Archive:
    """What an archive of version 1 could hold."""
    whole = held()
    return replace(
        whole, messages=whole.messages[:2], revisions=whole.revisions[:2], configuration={}
    )


def test_a_whole_number_is_a_rating_too() -> None:
    written = [line.replace('"rating": 4.0', '"rating": 4') for line in lines()]

    _, found = archives.read(written)

    assert str(found.messages[2].rating) == "4.0"


@pytest.mark.parametrize("rating", ["1e999", "-1e999", "true", '"4"', "1" * 400])
def test_what_is_no_finite_number_is_no_rating(rating: str) -> None:
    written = [line.replace('"rating": 4.0', f'"rating": {rating}') for line in lines()]

    with pytest.raises(FormatError, match=r"line 6: message.rating: expected a finite number"):
        archives.read(written)


def test_a_file_that_was_cut_short_is_refused() -> None:
    with pytest.raises(FormatError, match="14 lines after the first, not 15"):
        archives.read(lines()[:-1])


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("nonsense", "line 3: expected JSON"),
        ("[1]", "line 3: expected an object, found a list"),
        ('{"message": {"id": NaN}}', "line 3: expected JSON, which has no NaN"),
        ('{"dream": {}}', "line 3: an archive holds no 'dream'"),
        ('{"grant": {}, "link": {}}', "line 3: expected one thing a line, found 2"),
        ('{"closed": {}}', 'line 3: closed: expected "session", which is missing'),
        ('{"closed": {"session": 7}}', "line 3: closed.session: expected text, found a number"),
        ('{"closed": {"session": {"utf-8": "x"}}}', "expected the hexadecimal UTF-8"),
        ('{"closed": {"session": "s", "ended": 1}}', 'line 3: closed: there is no "ended" in it'),
        ('{"link": {"source": "a", "target": "b", "relation": "r"}}', 'expected "operation"'),
        (
            '{"gone": {"what": "dream", "id": "x", "operation": "o"}}',
            "line 3: gone.what: expected one of message, note, .*, found 'dream'",
        ),
        (
            '{"gone": {"what": "note", "id": "x", "revision": true, "operation": "o"}}',
            "line 3: gone.revision: expected a whole number, found True",
        ),
        (
            '{"grant": {"principal": "user:a", "read": 1, "write": true, "given_at": ""}}',
            "line 3: grant.read: expected true or false, found 1",
        ),
        ('{"configuration": {"kept": 7}}', "line 3: configuration.kept: expected an object"),
        (
            '{"grant": {"principal": "user:a", "read": true, "write": true, "given_at": "noon"}}',
            "line 3: grant.given_at: not a time: 'noon'",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_line(line: str, says: str) -> None:
    wrong = [*lines()[:2], line, *lines()[3:]]

    with pytest.raises(FormatError, match=says):
        archives.read(wrong)


@pytest.mark.parametrize(
    ("first", "says"),
    [
        (None, "the archive is empty"),
        ('{"role": "user"}', "expected the first line of an archive"),
        ('{"lamina": "archive", "version": 3}', "version 3; this Lamina reads up to 2"),
        ('{"lamina": "archive", "version": 2}', 'expected "scope", which is missing'),
        ('{"lamina": "archive", "version": 1}', 'expected "scope", which is missing'),
    ],
)
def test_what_is_no_archive_is_refused(first: str | None, says: str) -> None:
    with pytest.raises(FormatError, match=says):
        archives.read([] if first is None else [first])
