import sqlite3

from tests.apps.cli.conftest import Cli


def test_processing_closes_idle_sessions_first(cli: Cli) -> None:
    cli.json("add", "--user", "u", "--at", "2026-03-04", "I moved to Oslo yesterday.")

    assert cli.json("process", "--idle-after", "60")["done"] > 0
    assert cli.json("stats")["waiting"] == {}


def test_one_users_work_leaves_anothers_waiting(cli: Cli) -> None:
    cli.json("add", "--user", "a", "I row.")
    cli.json("add", "--user", "b", "I swim.")

    cli.json("process", "--user", "a")

    assert cli.json("stats", "--user", "a")["waiting"] == {}
    assert cli.json("stats", "--user", "b")["waiting"] != {}


def test_stats_tell_counts_encoder_and_what_it_took(told: Cli) -> None:
    stats = told.json("stats")

    assert stats["counts"]["messages"] == 5
    assert stats["counts"]["scopes"] == 1
    assert stats["encoder"]["dim"] == 384
    assert stats["usage"]["calls"] == 0
    assert "messages" in told("stats").stdout


def test_a_store_that_agrees_says_so(told: Cli) -> None:
    assert told.json("check") == {"findings": []}
    assert "agree" in told("check").stdout


def damaged(cli: Cli, statement: str) -> None:
    with sqlite3.connect(cli.db) as other:
        other.execute(statement)
    other.close()


def test_what_is_derived_is_put_right_if_asked(moved: Cli) -> None:
    damaged(moved, "DELETE FROM posting")
    assert moved("check").exit_code == 1

    repaired = moved.json("check", "--repair")

    assert repaired["findings"] == []
    assert repaired["rebuilt"]
    assert moved.json("check") == {"findings": []}
    assert moved.json("check", "--repair") == {"findings": [], "rebuilt": {}}
    assert moved.json("search", "Rome", "--top-k", "1")["hits"]


def test_reencoding_with_the_same_encoder_keeps_everything_findable(cli: Cli) -> None:
    cli.json("add", "--user", "u", "I moved to Oslo.")

    done = cli.json("reencode", "--encoder", "minilm")

    assert done["documents"] >= 1
    assert cli.json("search", "Oslo")["hits"][0]["text"] == "I moved to Oslo."
