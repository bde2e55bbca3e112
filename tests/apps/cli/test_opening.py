import logging

import pytest

from tests.apps.cli.conftest import Cli


def test_a_tenant_makes_a_store_of_several_and_keeps_them_apart(cli: Cli) -> None:
    cli.json("add", "--tenant", "acme", "--user", "ann", "I row.")
    cli.json("add", "--tenant", "umbra", "--user", "ann", "I swim.")

    [hit] = cli.json("search", "--tenant", "acme", "--user", "ann", "sports")["hits"]

    assert hit["text"] == "I row."
    assert cli.json("stats")["counts"]["messages"] == 2


def test_in_a_store_of_several_tenants_the_tenant_must_be_said(cli: Cli) -> None:
    cli.json("add", "--tenant", "acme", "--user", "ann", "I row.")
    cli.json("add", "--tenant", "umbra", "--user", "ann", "I swim.")

    assert "tenant" in cli.fails("search", "--user", "ann", "sports", code=2)
    line = cli.fails("search", "sports", code=2)
    assert "--tenant acme --user ann" in line
    assert "--tenant umbra --user ann" in line


def test_a_store_of_one_tenant_knows_no_other(cli: Cli) -> None:
    cli.json("add", "--user", "ann", "I row.")

    cli.fails("search", "--tenant", "acme", "--user", "ann", "sports", code=2)


@pytest.mark.parametrize(
    "call",
    [("stats",), ("list",), ("search", "anything"), ("timeline", "anything"), ("process",)],
)
def test_whom_nobody_knows_is_not_found_and_who_there_is_is_told(
    cli: Cli, call: tuple[str, ...]
) -> None:
    cli.json("add", "--user", "alice", "Hi.")

    line = cli.fails(*call, "--user", "alcie", code=2)

    assert line == "there is no user 'alcie' here; there is --user alice"


def test_another_tenants_names_are_not_told(cli: Cli) -> None:
    cli.json("add", "--tenant", "acme", "--user", "ann", "I row.")

    line = cli.fails("stats", "--tenant", "umbra", "--user", "ann", code=2)

    assert line == "there is no user 'ann' here; nothing is remembered yet"


def test_many_memories_are_not_all_named(cli: Cli) -> None:
    for number in range(7):
        cli.json("add", "--user", f"u{number}", "Hi.")

    line = cli.fails("search", "anything", code=2)

    assert line.count("--user u") == 5
    assert "--user u4 and more" in line


def test_log_lines_do_not_get_between_answers_and_errors(cli: Cli) -> None:
    cli.json("add", "--user", "ann", "Hi.")

    assert [type(h) for h in logging.getLogger("lamina").handlers] == [logging.NullHandler]
