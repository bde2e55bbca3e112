from pathlib import Path
from shutil import copyfile

import pytest

from tests.apps.cli.conftest import Cli

ITEMS = (
    "id,title,description,categories,area,price",
    "boat,Boat Trip,Out on the bay in a small boat,Sailing,north,cheap",
    "race,Regatta,Fast boats race around the bay,Sailing,south,expensive",
    "hill,High Hill,A steep walk up to the view,Walks,north,cheap",
    "tea,Tea House,Quiet rooms and scones,Tea,south,cheap",
    "quay,Sailing School,Learn to sail a small boat,Sailing,north,expensive",
)
ACTS = (
    "user,item,timestamp,rating",
    "ann,boat,2026-01-04,5",
    "ann,race,2026-02-04,5",
    "bo,tea,2026-01-05,5",
    "bo,hill,2026-02-05,4",
    "cy,boat,2026-01-06,4",
    "cy,quay,2026-02-06,5",
)


@pytest.fixture(scope="module")
def harbour_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with things to do in a harbour, and notes of what three users did."""
    folder = tmp_path_factory.mktemp("harbour")
    (folder / "data").mkdir()
    for name, lines in (("items.csv", ITEMS), ("acts.csv", ACTS)):
        (folder / "data" / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    once = Cli(folder / "memory.db")
    once.json("rec", "import", str(folder / "data"), "--name", "harbour")
    once.json("rec", "refresh")
    return once.db


@pytest.fixture
def harbour(harbour_once: Path, cli: Cli) -> Cli:
    copyfile(harbour_once, cli.db)
    return cli


def order(ranking: dict[str, list[dict[str, str]]]) -> list[str]:
    return [ranked["item"] for ranked in ranking["items"]]


def test_what_a_user_has_not_had_is_ranked_with_reasons(harbour: Cli) -> None:
    ranking = harbour.json("rec", "rank", "ann")

    assert sorted(order(ranking)) == ["hill", "quay", "tea"]
    assert order(ranking)[0] == "quay"
    assert ranking["items"][0]["rationale"]
    assert ranking["items"][0]["evidence"]


def test_people_are_shown_a_table_with_places_titles_and_evidence(harbour: Cli) -> None:
    told = harbour("rec", "rank", "ann", "--top", "1").stdout

    assert "Sailing School" in told
    assert "-04 did: " in told
    assert "High Hill" not in told


@pytest.mark.parametrize("given", ["ids", "file", "stdin"])
def test_candidates_are_ids_or_the_lines_of_a_file(
    harbour: Cli, tmp_path: Path, given: str
) -> None:
    lines = "tea\n\nquay\ntea\nnowhere\n"
    (tmp_path / "ids.txt").write_text(lines, encoding="utf-8")
    candidates = {"ids": "tea,quay, tea,nowhere", "file": str(tmp_path / "ids.txt"), "stdin": "-"}

    ranking = harbour.json("rec", "rank", "bo", "--candidates", candidates[given], input=lines)

    assert sorted(order(ranking)) == ["quay", "tea"]
    assert (ranking["duplicates"], ranking["unknown"]) == (1, ["nowhere"])


def test_what_was_given_twice_or_is_unknown_is_told(harbour: Cli) -> None:
    told = harbour("rec", "rank", "bo", "--candidates", "tea,quay,tea,nowhere").stdout

    assert "1 candidate unknown and left out: nowhere" in told
    assert "1 candidate given more than once" in told


def test_no_candidates_at_all_is_a_wrong_call(harbour: Cli) -> None:
    line = harbour.fails("rec", "rank", "bo", "--candidates", " , ", code=2)

    assert line.startswith("there are no candidates")


def test_what_is_asked_for_goes_before_what_is_liked(harbour: Cli) -> None:
    asked = "something cheap in the north"

    ranking = harbour.json("rec", "rank", "ann", "--instruction", asked)

    assert order(ranking)[0] == "hill"


def test_as_of_a_moment_only_what_was_known_before_counts(harbour: Cli) -> None:
    ranking = harbour.json("rec", "rank", "ann", "--as-of", "2026-01-20")

    assert "race" in order(ranking)
    assert "2026-02" not in str(ranking["items"])


def test_of_somebody_new_nothing_is_known_and_that_is_told(harbour: Cli) -> None:
    ranking = harbour.json("rec", "rank", "zoe")

    assert ranking["cold"] is True
    assert len(order(ranking)) == 5
    assert "nothing is known of this user" in harbour("rec", "rank", "zoe").stdout


def test_ranking_does_not_wait_and_tells_what_is_not_formed(harbour: Cli, tmp_path: Path) -> None:
    more = tmp_path / "more.csv"
    more.write_text("user,item,timestamp\nann,tea,2026-03-04\n", encoding="utf-8")
    harbour.json("rec", "import", str(more), "--name", "harbour")

    told = harbour("rec", "rank", "ann").stdout

    assert "1 interaction not formed into notes yet: lamina rec refresh" in told
    assert "tea" not in order(harbour.json("rec", "rank", "ann"))


def test_what_speaks_for_one_item_is_told_with_dates(harbour: Cli) -> None:
    told = harbour("rec", "explain", "ann", "quay", "--instruction", "not expensive")
    found = harbour.json("rec", "explain", "ann", "quay", "--instruction", "not expensive")

    assert told.exit_code == 0, told.stderr
    assert "Sailing School for ann" in told.stdout
    assert "2026-02-04 did: " in told.stdout
    assert found["breaks"]
    assert "breaks what is asked for" in told.stdout


def test_others_are_not_named_in_what_speaks_for_an_item(harbour: Cli) -> None:
    found = harbour.json("rec", "explain", "ann", "tea")

    assert "bo" not in [word for e in found["evidence"] for word in e["text"].split()]


def test_an_item_that_is_not_there_is_not_found(harbour: Cli) -> None:
    line = harbour.fails("rec", "explain", "ann", "nowhere", code=2)

    assert "nowhere" in line


def test_a_profile_tells_sides_of_a_taste_and_what_bears_them_out(harbour: Cli) -> None:
    profile = harbour.json("rec", "profile", "ann")

    assert profile["interactions"] == 2
    [sailing] = [f for f in profile["facets"] if f["facet"].casefold() == "sailing"]
    assert len(sailing["supporting_notes"]) == 2
    assert sailing["lasting"] is False
    assert "sailing" in harbour("rec", "profile", "ann").stdout.casefold()


def test_of_somebody_new_there_is_no_profile(harbour: Cli) -> None:
    assert "nothing is known of zoe" in harbour("rec", "profile", "zoe").stdout


def test_a_moment_that_is_none_is_a_wrong_call(harbour: Cli) -> None:
    harbour.fails("rec", "rank", "ann", "--as-of", "soon", code=2)


def test_what_an_item_is_is_found_beside_notes_and_is_known_always(harbour: Cli) -> None:
    found = harbour("search", "--recommender", "harbour", "a small boat", "--top-k", "3")
    notes = harbour.json(
        "search", "--recommender", "harbour", "a small boat", "--kind", "user_note"
    )["hits"]

    assert found.exit_code == 0, found.stderr
    assert "Out on the bay in a small boat" in found.stdout
    assert "always" in found.stdout
    assert {hit["kind"] for hit in notes} == {"user_note"}


def test_one_note_is_shown_with_its_keywords_and_tags_and_one_act_with_its_rating(
    harbour: Cli,
) -> None:
    [note, *_] = harbour.json("list", "--recommender", "harbour")["entries"]

    shown = harbour("get", "--recommender", "harbour", note["id"]).stdout
    act = harbour("get", "--recommender", "harbour", note["event"]).stdout

    assert "keywords" in shown
    assert "Sailing" in shown
    assert "what was done  rate 5" in act


def test_a_file_of_candidates_that_is_not_there_is_told(harbour: Cli) -> None:
    line = harbour.fails("rec", "rank", "ann", "--candidates", "nofile.txt", code=2)

    assert line == "there is no file 'nofile.txt', nor an item with this id"


def test_an_empty_ranking_says_so(harbour: Cli) -> None:
    assert harbour("rec", "rank", "ann", "--candidates", "x,y").stdout.startswith(
        "no candidate is known\n"
    )
    early = harbour("rec", "rank", "ann", "--candidates", "x,y", "--as-of", "2020-01-01").stdout
    assert early.startswith("no candidate is known at that moment\n")


def test_nobody_is_not_ranked_for(harbour: Cli) -> None:
    for verb in (("rank", ""), ("explain", "", "tea"), ("profile", "")):
        assert "must be a text that is not blank" in harbour.fails("rec", *verb, code=2)


def test_how_to_form_what_waits_can_be_copied(cli: Cli, tmp_path: Path) -> None:
    acts = tmp_path / "acts.csv"
    acts.write_text("\n".join(ACTS) + "\n", encoding="utf-8")
    cli.json("rec", "import", str(acts), "--name", "harbour")

    told = cli("rec", "rank", "ann").stdout

    assert (
        "6 interactions not formed into notes yet: lamina rec refresh"
        f" --db {cli.db} --recommender harbour" in told
    )
