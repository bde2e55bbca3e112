from pathlib import Path
from shutil import copyfile

import click
import pytest

from lamina.apps.cli.recommending import SECTIONS, rec_command
from tests.apps.cli.conftest import Cli
from tests.apps.cli.test_rec_import import fill


@pytest.fixture(scope="module")
def formed_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a small shop whose notes are formed."""
    folder = tmp_path_factory.mktemp("shop")
    once = Cli(folder / "memory.db")
    once.json("rec", "import", str(fill(folder)), "--name", "shop")
    assert once.json("rec", "refresh")["pending"] == 0
    return once.db


@pytest.fixture
def shop(formed_once: Path, cli: Cli) -> Cli:
    copyfile(formed_once, cli.db)
    return cli


def test_refreshing_forms_a_note_of_each_interaction(shop: Cli) -> None:
    notes = shop.json("list", "--recommender", "shop", "--kind", "user_note")["entries"]

    assert sorted(note["item"] for note in notes) == ["0", "b", "c"]


def test_each_interactions_note_is_an_operation_that_can_be_undone(shop: Cli) -> None:
    [last, *_] = shop.json("log", "--recommender", "shop", "--kind", "write")["operations"]

    undone = shop.json("rollback", "--recommender", "shop", last["id"][:8])
    without = shop.json("list", "--recommender", "shop", "--kind", "user_note")["entries"]
    shop.json("rollback", "--recommender", "shop", undone["operation"]["id"])

    assert len(without) == 2
    assert len(shop.json("list", "--recommender", "shop", "--kind", "user_note")["entries"]) == 3


def test_how_to_take_a_rollback_back_names_the_recommender(shop: Cli) -> None:
    [last, *_] = shop.json("log", "--recommender", "shop", "--kind", "write")["operations"]

    undone = shop("rollback", "--recommender", "shop", str(last["number"]))

    assert f"lamina rollback --db {shop.db} --recommender shop" in undone.stdout


def test_why_leads_from_a_note_to_what_was_done(shop: Cli) -> None:
    [note, *_] = shop.json("list", "--recommender", "shop", "--kind", "user_note")["entries"]

    told = shop("why", "--recommender", "shop", note["id"][:8])

    assert told.exit_code == 0, told.stderr
    assert "written of interaction" in told.stdout
    assert "ann, 2026-03-06 10:00" in told.stdout


def test_history_tells_that_a_note_was_written(shop: Cli) -> None:
    [note, *_] = shop.json("list", "--recommender", "shop", "--kind", "user_note")["entries"]

    told = shop("history", "--recommender", "shop", note["id"])

    assert "written" in told.stdout


def test_stats_tell_what_the_data_are_like_and_what_it_keeps_to(shop: Cli) -> None:
    found = shop.json("rec", "stats")

    assert (found["data"]["users"], found["data"]["items"], found["data"]["interactions"]) == (
        2, 3, 3,
    )  # fmt: skip
    assert found["data"]["actions"] == {"rate": 3}
    assert found["memory"]["counts"]["pending"] == 0
    assert found["configuration"]["privacy"] == "open"
    told = shop("rec", "stats").stdout
    assert "users whose last two tie" in told
    assert {tuple(line.split()) for line in told.splitlines()} >= {
        ("keep", "text", "yes"), ("keep", "fields", "all"), ("keep", "days", "for", "ever"),
    }  # fmt: skip


def test_stats_count_notes_and_nothing_that_recommenders_never_have(shop: Cli) -> None:
    counts = shop.json("stats", "--recommender", "shop")["counts"]

    assert counts["user_notes"] == 3
    assert counts["item_notes"] == len(
        shop.json("list", "--recommender", "shop", "--kind", "item_note")["entries"]
    )
    assert not {"facts", "unconsolidated"} & set(counts)
    assert shop.json("stats")["counts"]["unconsolidated"] == 0


def test_refreshing_tells_interactions_and_notes(cli: Cli, tmp_path: Path) -> None:
    cli.json("rec", "import", str(fill(tmp_path)))

    told = cli("rec", "refresh").stdout
    again = cli.json("rec", "refresh")

    notes = len(cli.json("list", "--recommender", "items")["entries"])
    assert told.startswith(f"3 interactions formed into {notes} new notes")
    assert (again["interactions"], again["notes"], again["pending"]) == (0, 0, 0)


def test_what_a_recommender_keeps_to_is_kept(shop: Cli) -> None:
    shop.json("rec", "configure", "--privacy", "silo", "--k", "3", "--drop-text")

    found = shop.json("rec", "configure", "--keep-days", "30", "--keep-field", "device")

    assert (found["privacy"], found["k"], found["keep_text"]) == ("silo", 3, False)
    assert (found["keep_days"], found["keep_fields"]) == (30, ["device"])


def test_all_metadata_can_be_kept_again(shop: Cli) -> None:
    shop.json("rec", "configure", "--keep-field", "device")

    found = shop.json("rec", "configure", "--keep-all-fields")

    assert found["keep_fields"] is None
    shop.fails("rec", "configure", "--keep-all-fields", "--keep-field", "device", code=2)


def test_what_is_kept_can_be_set_before_there_is_anything(cli: Cli, tmp_path: Path) -> None:
    cli.fails("rec", "configure", "--name", "shop", code=2)
    cli.json("rec", "configure", "--name", "shop", "--drop-text")

    cli.json("rec", "import", str(fill(tmp_path)), "--name", "shop")

    assert not cli.json("rec", "configure")["keep_text"]
    said = cli.json("list", "--recommender", "shop", "--kind", "message")["entries"]
    assert len(said) == 6
    assert "Salty." not in [message["text"] for message in said]


def test_a_user_belongs_to_a_group_and_saying_so_again_changes_nothing(shop: Cli) -> None:
    said = [shop.json("rec", "join", "ann", "sailors", "--at", "2026-03-01") for _ in range(2)]

    assert [each["new"] for each in said] == [1, 0]


def test_what_is_older_than_is_to_be_kept_expires_and_can_be_taken_back(shop: Cli) -> None:
    assert shop("rec", "expire").stdout == "nothing is so old\n"
    shop.json("rec", "configure", "--keep-days", "1")

    operation = shop.json("rec", "expire")["operation"]
    without = shop.json("rec", "stats")["data"]["interactions"]
    shop.json("rollback", "--recommender", "shop", operation["id"])

    assert without == 0
    assert shop.json("rec", "stats")["data"]["interactions"] == 3


def test_too_few_notes_propose_no_threshold(shop: Cli) -> None:
    line = shop.fails("rec", "calibrate", code=2)

    assert line.startswith("there are 3 notes to go by")


def test_a_threshold_is_proposed_by_what_notes_share(cli: Cli, tmp_path: Path) -> None:
    acts = [f"u{n % 5},{'0bc'[n % 3]},{1_700_000_000 + n * 3600},4," for n in range(30)]
    cli.json("rec", "import", str(fill(tmp_path, *acts)))
    cli.json("rec", "refresh")

    found = cli.json("rec", "calibrate")

    assert found["notes"] == 33
    assert -1 <= found["tau"] <= 1
    assert found["unrelated"] > 0
    assert found["related_above"] >= 0.01
    assert "proposed for minilm" in cli("rec", "calibrate").stdout


def test_whoever_is_forgotten_is_gone_from_the_recommender(shop: Cli) -> None:
    asked = shop("rec", "forget", "ann", input="n\n")
    receipt = shop.json("rec", "forget", "ann", "--yes")

    assert asked.exit_code == 1
    reached = {(part["scope"]["kind"], part["scope"]["id"]) for part in receipt["parts"]}
    assert reached == {("recommender", "shop"), ("pool", "shop")}
    found = shop.json("rec", "stats")["data"]
    assert (found["users"], found["interactions"]) == (1, 1)


def test_a_whole_recommender_is_forgotten_by_its_name(shop: Cli) -> None:
    shop.fails("rec", "forget", "--yes", code=2)

    shop.json("rec", "forget", "--name", "shop", "--yes")

    assert shop.fails("rec", "stats", code=2).startswith("which recommender?")


def test_another_recommender_is_not_found_and_what_there_is_is_told(shop: Cli) -> None:
    line = shop.fails("rec", "stats", "--name", "shpo", code=2)

    assert line == "there is no recommender 'shpo' here; there is --recommender shop"


def test_of_several_recommenders_one_must_be_named(shop: Cli, tmp_path: Path) -> None:
    shop.json("rec", "import", str(fill(tmp_path)), "--name", "films")

    line = shop.fails("rec", "stats", code=2)

    assert "which recommender? Give --name" in line
    assert "--recommender films" in line


def test_what_is_said_does_not_go_into_a_recommender(shop: Cli, talk: Path) -> None:
    shop.fails("add", "--recommender", "shop", "Hello.", code=2)
    line = shop.fails("import", "--recommender", "shop", str(talk), code=2)

    assert "lamina rec import" in line


def test_a_recommender_is_taken_elsewhere_as_text(shop: Cli, tmp_path: Path) -> None:
    archive = tmp_path / "shop.lamina"
    shop.json("export", "--recommender", "shop", "-o", str(archive))
    other = Cli(tmp_path / "other.db")

    other.json("import", str(archive))

    assert other.json("rec", "stats")["data"] == shop.json("rec", "stats")["data"]


def test_processing_one_recommender_leaves_others_be(cli: Cli, tmp_path: Path) -> None:
    cli.json("rec", "import", str(fill(tmp_path)), "--name", "films")
    cli.json("rec", "import", str(fill(tmp_path)), "--name", "books")

    cli.json("process", "--recommender", "books")

    pending = {
        name: cli.json("rec", "stats", "--name", name)["memory"]["counts"]["pending"]
        for name in ("films", "books")
    }
    assert pending == {"films": 3, "books": 0}


@pytest.mark.parametrize("name", [name for homes in SECTIONS.values() for name in homes])
def test_what_the_list_says_of_a_command_is_what_the_command_says(name: str) -> None:
    command = rec_command.get_command(click.Context(rec_command), name)

    assert command is not None
    assert (command.help or "").partition("\n\n")[0].strip() == rec_command.homes[name].help
    assert {"--db", "--json", "--name"} <= {option for p in command.params for option in p.opts}
