from tests.apps.cli.conftest import Cli


def test_the_log_tells_what_changed_memory_latest_first(moved: Cli) -> None:
    operations = moved.json("log")["operations"]

    numbers = [operation["number"] for operation in operations]
    assert numbers == sorted(numbers, reverse=True)
    assert {"add", "bind", "supersede", "consolidate"} <= {each["kind"] for each in operations}
    shown = moved("log").stdout
    assert "session default" in shown
    assert operations[0]["id"][:8] in shown


def test_the_log_is_told_by_kind_and_in_parts(moved: Cli) -> None:
    first, second = moved.json("log", "--kind", "add")["operations"]

    assert first["number"] > second["number"]
    assert moved.json("log", "--kind", "add", "--limit", "1", "--offset", "1") == {
        "operations": [second]
    }
    assert "nothing of that was done" in moved("log", "--kind", "quarantine").stdout


def test_the_log_tells_what_is_undone_and_by_what(moved: Cli) -> None:
    [add, *_] = moved.json("log", "--kind", "add")["operations"]

    by = moved.json("rollback", add["id"])["operation"]["id"]

    assert moved.json("log", "--kind", "add")["operations"][0]["undone_by"] == by
    [row] = [line for line in moved("log", "--kind", "add").stdout.splitlines() if by[:8] in line]
    assert add["id"][:8] in row


def test_what_a_rollback_would_change_is_told_and_nothing_changes(moved: Cli) -> None:
    [add, *_] = moved.json("log", "--kind", "add")["operations"]
    before = moved.json("list", "--all", "--superseded")

    plan = moved.json("diff", add["id"][:8])

    gone = {c["before"] for c in plan["changes"] if c["why"] == "made by it"}
    assert gone == {"I live in Rome now."}
    assert moved.json("list", "--all", "--superseded") == before
    shown = " ".join(moved("diff", str(add["number"])).stdout.split())
    assert f"undoing operation {add['number']} (add, " in shown
    assert "the same words" in shown
    assert "left for `lamina process`: " in shown


def test_what_cannot_be_undone_says_so(moved: Cli) -> None:
    [index, *_] = moved.json("log", "--kind", "index")["operations"]

    assert "cannot be undone" in moved.fails("diff", index["id"], code=2)
