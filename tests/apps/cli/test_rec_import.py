import json
from pathlib import Path

import pytest

from lamina.apps.cli.rec_import import FORMATS
from lamina.formats.recommending import LAYOUTS
from tests.apps.cli.conftest import Cli

ITEMS = (
    "id,title,categories,area",
    "0,Slow Boats (1995),Sailing,north",
    "b,Fast Boats,Sailing|Races,south",
    "c,High Hills,Mountains,north",
)
ACTS = (
    "user,item,timestamp,rating,text",
    "ann,0,2026-03-04T10:00:00Z,5,Salty.",
    "ann,0,2026-03-04T10:00:00Z,5,Salty.",
    "bo,c,2026-03-05T10:00:00Z,2,",
    "ann,b,2026-03-06T10:00:00Z,4,",
)


def fill(folder: Path, *more: str) -> Path:
    """Write a small set of data, invented."""
    data = folder / "shop"
    data.mkdir(exist_ok=True)
    (data / "items.csv").write_text("\n".join(ITEMS) + "\n", encoding="utf-8")
    (data / "acts.csv").write_text("\n".join([*ACTS, *more]) + "\n", encoding="utf-8")
    return data


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return fill(tmp_path)


def test_a_folder_is_imported_and_what_it_is_like_is_told(cli: Cli, data: Path) -> None:
    told = cli("rec", "import", str(data), "--name", "shop")

    assert told.exit_code == 0, told.stderr
    assert "3 new descriptions of items; 3 new and 1 known interactions" in told.stdout
    assert "1 equal rows" in told.stdout
    assert "2026-03-04 to 2026-03-06" in told.stdout
    assert f"lamina rec refresh --db {cli.db} --recommender shop" in told.stdout


def test_importing_again_changes_nothing_and_says_so(cli: Cli, data: Path) -> None:
    cli.json("rec", "import", str(data), "--name", "shop")

    again = cli.json("rec", "import", str(data), "--name", "shop")

    assert (again["items"], again["new_items"]) == (3, 0)
    assert (again["interactions"], again["new_interactions"]) == (4, 0)
    assert again["operation"] is None


def test_what_was_interrupted_goes_on_where_it_stopped(cli: Cli, data: Path) -> None:
    first = cli.json("rec", "import", str(data), "--limit", "1")

    rest = cli.json("rec", "import", str(data))

    assert first["new_interactions"] == 1
    assert (rest["new_items"], rest["new_interactions"]) == (0, 2)


def test_one_import_is_one_operation_and_is_taken_back_as_one(cli: Cli, data: Path) -> None:
    imported = cli.json("rec", "import", str(data), "--name", "shop")

    [operation] = cli.json("log", "--recommender", "shop")["operations"]
    cli.json("rollback", "--recommender", "shop", imported["operation"])

    assert operation["id"] == imported["operation"]
    assert operation["kind"] == "import"
    found = cli.json("rec", "stats")["data"]
    assert (found["users"], found["items"], found["interactions"]) == (0, 0, 0)


def test_an_import_may_be_named(cli: Cli, data: Path) -> None:
    cli.json("rec", "import", str(data), "--batch", "spring")

    [operation] = cli.json("log", "--recommender", "items")["operations"]

    assert operation["cause"] == "spring"


def test_a_dry_run_stores_nothing(cli: Cli, data: Path) -> None:
    told = cli.json("rec", "import", str(data), "--dry-run")

    assert told["layout"] == "csv"
    assert (told["statistics"]["users"], told["statistics"]["interactions"]) == (2, 4)
    assert not cli.db.exists()


def test_a_line_that_cannot_be_read_is_told_and_passed_over(cli: Cli, tmp_path: Path) -> None:
    data = fill(tmp_path, "cy,c,yesterday,1,", "cy,c,2026-03-07,1,")

    told = cli("rec", "import", str(data))

    assert told.exit_code == 0
    assert "not read: acts.csv, line 6: timestamp: expected a time" in told.stdout
    assert cli.json("rec", "stats")["data"]["interactions"] == 4


def test_strictly_one_such_line_stops_all_and_nothing_is_stored(cli: Cli, tmp_path: Path) -> None:
    data = fill(tmp_path, "cy,c,yesterday,1,")

    line = cli.fails("rec", "import", str(data), "--strict", code=2)

    assert line.startswith("acts.csv, line 6: timestamp: expected a time")
    assert not cli.db.exists()


def test_further_files_may_describe_the_items(cli: Cli, data: Path, tmp_path: Path) -> None:
    more = tmp_path / "more.jsonl"
    more.write_text(json.dumps({"id": "c", "title": "Higher Hills"}), encoding="utf-8")

    taken = cli.json("rec", "import", str(data / "acts.csv"), "--items", str(more))

    assert taken["files"] == ["more.jsonl", "acts.csv"]
    assert (taken["new_items"], taken["statistics"]["items"]) == (1, 3)


def test_what_is_no_data_is_refused_in_one_line(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("just words\n", encoding="utf-8")

    line = cli.fails("rec", "import", str(path), code=2)

    assert line.startswith("notes.txt: no data in a layout that is known")


def test_a_file_of_which_no_line_can_be_read_is_refused(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "acts.csv"
    path.write_text("user,item,timestamp\nann,a,never\n", encoding="utf-8")

    line = cli.fails("rec", "import", str(path), code=2)

    assert line.startswith("acts.csv: nothing in it can be read: acts.csv, line 2: timestamp")


def test_an_item_that_is_described_anew_is_told_as_it_is_now(cli: Cli, data: Path) -> None:
    cli.json("rec", "import", str(data), "--name", "shop")
    (data / "items.csv").write_text("id,title\n0,Slower Boats\n", encoding="utf-8")

    again = cli.json("rec", "import", str(data), "--name", "shop")

    assert again["new_items"] == 1
    hits = cli.json("search", "--recommender", "shop", "boats", "--top-k", "5")["hits"]
    texts = [hit["text"] for hit in hits]
    assert "Slower Boats" in texts


def test_every_layout_that_is_read_can_be_named() -> None:
    assert list(FORMATS) == ["auto", *LAYOUTS]


def test_importing_what_was_rolled_back_tells_how_to_restore_it(cli: Cli, data: Path) -> None:
    imported = cli.json("rec", "import", str(data), "--name", "shop")
    cli.json("rollback", "--recommender", "shop", imported["operation"])

    told = cli("rec", "import", str(data)).stdout

    assert "6 rows known already were rolled back since" in told
    [line] = [line for line in told.splitlines() if line.startswith("to restore them: ")]
    assert f"lamina rollback --db {cli.db} --recommender shop " in line
    cli.json("rollback", "--recommender", "shop", line.split()[-1])
    assert cli.json("rec", "stats")["data"]["interactions"] == 3


def test_without_a_name_the_only_recommender_is_filled(cli: Cli, data: Path) -> None:
    cli.json("rec", "import", str(data), "--limit", "1", "--name", "films")

    again = cli.json("rec", "import", str(data))

    assert again["recommender"] == "films"
    assert cli.json("rec", "stats")["data"]["interactions"] == 3


def test_without_a_name_none_of_several_recommenders_is_filled(cli: Cli, data: Path) -> None:
    for name in ("films", "books"):
        cli.json("rec", "import", str(data), "--name", name)

    line = cli.fails("rec", "import", str(data), code=2)

    assert line.startswith("which recommender? Give --name")


def test_of_many_faults_the_first_are_named_and_how_to_see_all(cli: Cli, tmp_path: Path) -> None:
    data = fill(tmp_path, *(f"cy,c,never {n},1," for n in range(30)))

    few = cli("rec", "import", str(data), "--dry-run").stdout
    every = cli("rec", "import", str(data), "--dry-run", "--faults", "30").stdout

    assert few.count("not read: ") == 5
    assert "30 lines in all could not be read; --faults 30 names them all" in few
    assert every.count("not read: ") == 30


def test_made_up_times_are_not_told_as_dates(cli: Cli, tmp_path: Path) -> None:
    acts = tmp_path / "acts.csv"
    acts.write_text("user,item\nann,a\nbo,b\n", encoding="utf-8")

    told = cli("rec", "import", str(acts)).stdout + cli("rec", "stats").stdout

    assert told.count("none told; the order of the data is kept") == 2
    assert "1970" not in told


def test_a_second_description_of_an_item_is_told_as_one(cli: Cli, tmp_path: Path) -> None:
    items = tmp_path / "items.csv"
    items.write_text("id,title\na,Boats\na,Fast Boats\n", encoding="utf-8")

    told = cli("rec", "import", str(items)).stdout

    assert "2 new descriptions of items" in told
