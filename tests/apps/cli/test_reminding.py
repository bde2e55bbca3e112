from tests.apps.cli.conftest import Cli
from tests.apps.cli.test_rec_pool import films, shared_once

__all__ = ["films", "shared_once"]

OUTDATED = "what users share goes by what was there before, until: "


def outdated(told: str, cli: Cli) -> bool:
    again = f"lamina rec refresh --db {cli.db} --recommender films"
    return OUTDATED in told and told.rstrip().endswith(again)


def test_who_hides_interactions_is_told_that_patterns_count_them_until_the_next_refresh(
    films: Cli,
) -> None:
    about = ("--recommender", "films")
    [message, other, *_] = films.json("list", *about, "--kind", "message")["entries"]
    [added] = films.json("log", *about, "--kind", "import")["operations"]

    assert outdated(films("delete", *about, message["id"]).stdout, films)
    assert outdated(films("quarantine", *about, other["id"]).stdout, films)
    assert outdated(films("rollback", *about, added["id"]).stdout, films)


def test_expiry_tells_it_too(films: Cli) -> None:
    films.json("rec", "configure", "--keep-days", "1")

    assert outdated(films("rec", "expire").stdout, films)


def test_what_hides_no_interaction_or_where_there_is_no_pool_nothing_is_told(films: Cli) -> None:
    about = ("--recommender", "films")
    [note, message, *_] = [
        films.json("list", *about, "--kind", kind)["entries"][0]
        for kind in ("user_note", "message")
    ]

    assert OUTDATED not in films("delete", *about, note["id"]).stdout
    films.json("forget", "--pool", "films", "--yes")
    assert OUTDATED not in films("delete", *about, message["id"]).stdout
