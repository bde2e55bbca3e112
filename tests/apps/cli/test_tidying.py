from tests.apps.cli.conftest import Cli


def texts(cli: Cli, *more: str) -> list[str]:
    return [m["text"] for m in cli.json("list", "--kind", "message", *more)["entries"]]


def test_what_is_old_is_withdrawn_and_comes_back(moved: Cli) -> None:
    told = moved("expire", "--before", "2025-03-01").stdout

    assert "what was said before 2025-03-01 is withdrawn" in told
    assert texts(moved) == ["I live in Rome now."]
    moved.json("rollback", told.split()[-1])
    assert texts(moved) == ["I live in Paris.", "I live in Rome now."]


def test_only_some_kinds_expire_if_asked(moved: Cli) -> None:
    assert moved.json("expire", "--before", "2025-03-01", "--kind", "relation") == {
        "operation": None
    }
    assert moved.json("expire", "--before", "2026-01-01", "--kind", "summary")["operation"]
    assert len(texts(moved)) == 2


def test_where_nothing_is_so_old_nothing_is_done(moved: Cli) -> None:
    assert moved("expire", "--before", "2020-01-01").stdout == "nothing is so old\n"
    assert "not a time" in moved.fails("expire", "--before", "soon", code=2)


def test_notes_that_say_the_same_become_one(cli: Cli) -> None:
    cli.json("add", "--user", "u", "--at", "2026-01-01", "My dog is called Rex.", "--wait")
    assert cli("merge").stdout == "no two notes say the same\n"
    assert cli.json("merge") == {"operation": None}


def test_a_sweep_tells_what_it_did(moved: Cli) -> None:
    assert moved.json("sweep")["failed"] == []
    assert "done" in moved("sweep").stdout
