import json
import sqlite3
from pathlib import Path

import pytest

from tests.apps.cli.conftest import Cli


@pytest.fixture
def own(cli: Cli, talk: Path) -> Cli:
    cli.json("import", str(talk))
    cli.json("add", "--user", "bystander", "--at", "2026-01-01", "I keep bees.")
    return cli


def test_forgetting_asks_first(own: Cli) -> None:
    result = own("forget", "--conversation", "ann-and-bo", input="n\n")

    assert result.exit_code == 1
    assert "Erase conversation ann-and-bo, 5 messages, for good?" in result.stderr
    assert own.json("stats", "--conversation", "ann-and-bo")["counts"]["messages"] == 5


def test_forgetting_without_an_answer_changes_nothing(own: Cli) -> None:
    assert own("forget", "--conversation", "ann-and-bo", input="").exit_code == 1
    assert own.json("stats", "--conversation", "ann-and-bo")["counts"]["messages"] == 5


def test_what_is_forgotten_is_gone_and_nothing_else(own: Cli) -> None:
    receipt = own.json("forget", "--conversation", "ann-and-bo", "--yes")

    assert receipt["messages"] == 5
    line = own.fails("search", "--conversation", "ann-and-bo", "canoe", code=2)
    assert "there is no conversation 'ann-and-bo'" in line
    assert len(own.json("search", "--user", "bystander", "bees")["hits"]) == 1
    assert b"Pepper" not in own.db.read_bytes()


def test_what_is_forgotten_is_told_in_plain_words(cli: Cli) -> None:
    cli.json("add", "--user", "u", "Hi.")

    told = cli("forget", "--user", "u", "--yes").stdout

    assert told.startswith("1 message, 0 notes and ")
    assert told.endswith("erased: gone from the file\n")
    assert "nothing is stored under that name" in cli("forget", "--user", "u", "--yes").stdout


def test_what_somebody_still_reads_leaves_traces_until_it_is_compacted(cli: Cli) -> None:
    cli.json("add", "--user", "u", "Hi.")
    reader = sqlite3.connect(cli.db)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM message").fetchall()

    first = cli("forget", "--user", "u", "--yes").stdout
    reader.close()

    assert "somebody still reads" in first
    assert "traces stay in it until `lamina compact`" in " ".join(first.split())
    assert "the bytes of 1 erasure are gone" in cli("compact").stdout


def test_whose_memory_is_erased_is_never_guessed(cli: Cli) -> None:
    cli.json("add", "--user", "u", "Hi.")

    assert "Give --user, --conversation or --space" in cli.fails("forget", "--yes", code=2)


def test_the_bytes_can_be_left_for_later(cli: Cli) -> None:
    cli.json("add", "--user", "u", "My locker code is 4711.")

    told = cli("forget", "--user", "u", "--yes", "--logical-only").stdout

    assert "traces stay in it until `lamina compact`" in told
    assert "somebody" not in told
    assert cli.json("stats")["counts"]["unpurged"] == 1
    assert cli.json("compact") == {"purged": True, "waited": 1}
    assert cli.json("stats")["counts"]["unpurged"] == 0
    assert cli("compact").stdout == "compacted\n"


def test_compacting_while_somebody_reads_fails_and_says_so(cli: Cli) -> None:
    cli.json("add", "--user", "u", "My locker code is 4711.")
    reader = sqlite3.connect(cli.db)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM message").fetchall()
    cli.json("forget", "--user", "u", "--yes", "--logical-only")

    result = cli("compact")
    reader.close()

    assert result.exit_code == 1
    assert "somebody still reads" in result.stdout


def test_a_users_part_of_what_is_shared_goes_with_it(cli: Cli) -> None:
    cli.json("grant", "--space", "team", "user:ann", "--write")
    cli.json("add", "--space", "team", "--as", "user:ann", "We sail on Friday.")
    cli.json("add", "--space", "team", "--speaker", "bo", "I bring the boat.")
    asked = cli("forget", "--user", "ann", input="n\n").stderr

    told = " ".join(cli("forget", "--user", "ann", "--yes").stdout.split())

    assert "0 messages, and what is theirs in 1 space, for good?" in asked
    assert "of that in space team: 1 message, 0 notes and 1 document" in told
    left = cli.json("list", "--space", "team", "--kind", "message")["entries"]
    assert [message["text"] for message in left] == ["I bring the boat."]


def test_nobody_is_asked_about_a_user_of_whom_nothing_is_known(cli: Cli) -> None:
    cli.json("grant", "--space", "team", "user:let-in")

    line = cli.fails("forget", "--user", "nobody", code=2)
    granted = cli("forget", "--user", "let-in", input="n\n").stderr

    assert line.startswith("nothing is known of a user 'nobody' here")
    assert "Erase user let-in, 0 messages, and what is theirs in 1 space, for good?" in granted
    assert cli.json("forget", "--user", "nobody", "--yes")["messages"] == 0


def test_an_erasure_can_be_verified(own: Cli, talk: Path) -> None:
    said = ("Pepper", "--file", str(talk))
    kept = own("verify-erasure", "--conversation", "ann-and-bo", *said, "--json")
    own.json("forget", "--conversation", "ann-and-bo", "--yes")

    gone = own.json("verify-erasure", "--conversation", "ann-and-bo", *said)

    assert kept.exit_code == 1
    sorts = {finding["sort"] for finding in json.loads(kept.stdout)["findings"]}
    assert sorts == {"text", "term", "vector", "id", "name"}
    assert gone["clean"] is True
    assert all(finding["used_by_others"] for finding in gone["findings"])
    assert gone["looked_for"] > len(said)
    assert "nothing of it is in the store's files" in own("verify-erasure", "Pepper").stdout


def test_what_nobody_has_but_the_file_does_is_a_failure(cli: Cli) -> None:
    cli.json("add", "--user", "u", "Hi.")
    with sqlite3.connect(cli.db) as other:
        other.execute("CREATE TABLE leak (text TEXT)")
        other.execute("INSERT INTO leak VALUES ('my locker code')")
    other.close()

    result = cli("verify-erasure", "-", input="my locker code\n\n")

    assert result.exit_code == 1
    assert "nobody else's" in " ".join(result.stdout.split())
    assert "not all of it is gone" in result.stdout


def test_without_a_text_there_is_nothing_to_verify(own: Cli) -> None:
    assert "give a TEXT or a --file" in own.fails("verify-erasure", code=2)
    assert "nothing" in own.fails("verify-erasure", "-", input="\n", code=2)
