import pytest

from tests.apps.cli.conftest import Cli


@pytest.fixture
def team(cli: Cli) -> Cli:
    """A space that ann reads and the planner writes in."""
    cli.json("grant", "--space", "team", "user:ann")
    cli.json("grant", "--space", "team", "agent:planner", "--write")
    cli.json("add", "--space", "team", "--as", "agent:planner", "We sail on Friday.")
    return cli


def test_who_was_granted_it_reads_and_writes_under_its_name(team: Cli) -> None:
    [hit] = team.json("search", "--space", "team", "--as", "user:ann", "sailing")["hits"]
    message = team.json("get", "--space", "team", hit["id"])

    assert (message["author"], message["speaker"]) == ("agent:planner", "planner")
    assert "written by" in team("get", "--space", "team", hit["id"]).stdout


def test_who_may_read_may_not_write(team: Cli) -> None:
    line = team.fails("add", "--space", "team", "--as", "user:ann", "I come.", code=2)

    assert "may read the space 'team' but not write" in line


@pytest.mark.parametrize("call", [("search", "sailing"), ("list",), ("log",), ("stats",)])
def test_who_may_not_read_is_told_what_is_told_of_no_space(team: Cli, call: tuple[str]) -> None:
    secret = team.fails(*call, "--space", "team", "--as", "user:eve", code=2)
    nothing = team.fails(*call, "--space", "none", "--as", "user:eve", code=2)

    assert secret == "there is no space 'team' that user:eve may read"
    assert nothing == secret.replace("team", "none")


def test_a_member_takes_back_what_it_wrote_and_nothing_else(team: Cli) -> None:
    team.json("add", "--space", "team", "--speaker", "bo", "I bring the boat.")
    own, others = team.json("list", "--space", "team", "--kind", "message")["entries"]
    acting = ("--space", "team", "--as", "agent:planner")

    team.fails("delete", *acting, others["id"], code=2)
    told = team("delete", *acting, own["id"][:8]).stdout

    assert f"rollback --db {team.db} --space team --as agent:planner " in told
    operation = told.split()[-1]
    assert team.json("rollback", *acting, operation)["plan"]["changes"][0]["id"] == own["id"]


def test_grants_are_listed_replaced_and_taken_back(team: Cli) -> None:
    team.json("grant", "--space", "team", "user:ann", "--write")
    grants = team.json("grants", "--space", "team")["grants"]
    shown = team("grants", "--space", "team").stdout

    assert [(g["principal"], g["write"]) for g in grants] == [
        ("agent:planner", True),
        ("user:ann", True),
    ]
    assert "read and write" in shown
    assert team.json("revoke", "--space", "team", "user:ann")["held"] is True
    assert team.json("revoke", "--space", "team", "user:ann")["held"] is False
    team.fails("search", "--space", "team", "--as", "user:ann", "sailing", code=2)
    assert "nobody was let into" in team("grants", "--space", "crew").stdout


def test_grants_of_one_tenant_are_none_of_another(cli: Cli) -> None:
    cli.json("grant", "--tenant", "acme", "--space", "team", "user:ann", "--write")
    cli.json("add", "--tenant", "acme", "--space", "team", "--as", "user:ann", "We sail.")

    cli.fails("search", "--tenant", "umbra", "--space", "team", "--as", "user:ann", "x", code=2)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (("search", "--as", "user:ann", "x"), "--as is for a shared space"),
        (("search", "--space", "team", "--as", "ann", "x"), "user:ID or agent:NAME"),
        (("search", "--space", "team", "--user", "ann", "x"), "--user and --space exclude"),
        (("grant", "user:ann"), "Missing option '--space'"),
        (("grant", "--space", "team", "ann"), "user:ID or agent:NAME"),
        (("forget", "--space", "team", "--as", "user:ann"), "No such option"),
    ],
)
def test_a_call_that_names_nobody_rightly_is_wrong(
    cli: Cli, call: tuple[str, ...], told: str
) -> None:
    assert told in cli.fails(*call, code=2)
