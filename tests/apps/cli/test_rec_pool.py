import json
from pathlib import Path
from shutil import copyfile

import pytest

from tests.apps.cli.conftest import Cli
from tests.apps.cli.test_rec_import import fill

KINDS = {"n": "noir", "w": "western", "o": "opera"}
WALKS = {"ann": "nnww", "bob": "nnww", "cid": "nnww", "dee": "nnww", "eve": "ooo"}


@pytest.fixture(scope="module")
def shared_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with films, what five users watched, and what they share."""
    folder = tmp_path_factory.mktemp("films")
    lines: list[dict[str, object]] = [
        {"id": f"{letter}{n}", "title": f"Zan{letter}quok {n}", "categories": [kind]}
        for letter, kind in KINDS.items()
        for n in range(8)
    ]
    lines += [
        {"user": user, "item": f"{kind}{step + len(user)}", "rating": 5,
         "timestamp": f"2026-01-{day + step:02}T10:00:00Z"}
        for day, (user, kinds) in enumerate(WALKS.items(), 1)
        for step, kind in enumerate(kinds)
    ]  # fmt: skip
    path = folder / "films.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    once = Cli(folder / "memory.db")
    once.json("rec", "import", str(path), "--name", "films")
    once.json("rec", "refresh")
    return once.db


@pytest.fixture
def films(shared_once: Path, cli: Cli) -> Cli:
    copyfile(shared_once, cli.db)
    return cli


def patterns(cli: Cli, *args: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = cli.json("rec", "patterns", *args)["patterns"]
    return found


def test_a_refresh_forms_notes_and_takes_in_what_users_do(cli: Cli, tmp_path: Path) -> None:
    cli.json("rec", "import", str(fill(tmp_path)))

    before = cli.json("rec", "refresh", "--dry-run")
    assert (before["dry_run"], before["pending"], before["pool"]["dry_run"]) == (True, 3, True)

    without = cli.json("rec", "refresh", "--no-pool")
    assert (without["pool"], without["pending"]) == (None, 0)
    assert cli.json("log", "--pool", "items")["operations"] == []


def test_a_refresh_tells_what_was_taken_in_and_the_next_does_nothing(films: Cli) -> None:
    told = films("rec", "refresh", "--workers", "2").stdout
    again = films.json("rec", "refresh")["pool"]

    assert "0 new windows told in general terms, 0 withdrawn; 9 windows in all" in told
    assert (again["new"], again["withdrawn"], again["taken_in"], again["windows"]) == (0, 0, 0, 9)


def test_patterns_are_told_with_how_often_they_evolved_and_below_k_to_nobody(films: Cli) -> None:
    told = films("rec", "patterns").stdout
    own = patterns(films, "--user", "eve")

    assert "(evolved " in told
    assert " times)" in told
    assert "opera" not in told
    assert [each["yours"] for each in own if "opera" in str(each["explanation"])] == [True]
    assert not any(each["yours"] for each in patterns(films))


def test_one_pattern_is_shown_by_the_beginning_of_its_id(films: Cli) -> None:
    [first, *_] = patterns(films)
    shown = films.json("rec", "patterns", str(first["id"])[:8])
    told = films("rec", "patterns", str(first["id"])).stdout

    assert shown["id"] == first["id"]
    assert "supported by" in told
    assert "4 users" in told


def test_what_may_not_be_told_is_not_found_as_what_is_not_there(films: Cli) -> None:
    [own] = [p for p in patterns(films, "--user", "eve") if p["yours"]]
    unknown, hidden = "0" * 32, str(own["id"])

    lines = [films.fails("rec", "patterns", id, code=2) for id in (hidden, unknown)]
    assert lines[0].replace(hidden, "") == lines[1].replace(unknown, "")
    assert films.json("rec", "patterns", hidden[:8], "--user", "eve")["id"] == hidden


def test_a_patterns_history_tells_each_part_and_operation_to_operators(films: Cli) -> None:
    [first, *_] = patterns(films)
    revisions = films.json("rec", "patterns", str(first["id"]), "--history")["revisions"]
    same = films.json("history", "--pool", "films", str(first["id"])[:8])["revisions"]

    assert len(revisions) == int(str(first["evolution_count"])) + 1
    assert revisions == same
    films.fails("rec", "patterns", "--history", code=2)


def test_of_a_moment_before_there_was_anything_it_says_so_and_advises_no_refresh(
    films: Cli,
) -> None:
    then = films("rec", "patterns", "--as-of", "2025-01-01").stdout

    assert then.startswith("nothing that enough users support was known by then")
    assert "--order time" in then
    assert "refresh" not in then


def test_a_history_tells_whose_part_each_revision_took_in_and_what_it_said(films: Cli) -> None:
    [first, *_] = patterns(films)
    told = films.json("rec", "patterns", str(first["id"]), "--history")
    taken = told["contributions"]
    shown = films("rec", "patterns", str(first["id"]), "--history").stdout

    assert [each["revision"] for each in taken] == [each["number"] for each in told["revisions"]]
    assert {each["user"] for each in taken} == {"ann", "bob", "cid", "dee"}
    assert all(each["live"] and each["explanation"] and each["said_at"] for each in taken)
    assert all(user in shown for user in ("Whose part", "ann", "bob", "cid", "dee"))
    assert "the same words" in shown


def test_operators_see_the_history_of_what_is_told_to_nobody_by_the_beginning_of_its_id(
    films: Cli,
) -> None:
    [own] = [p for p in patterns(films, "--user", "eve") if p["yours"]]
    beginning = str(own["id"])[:8]

    told = films.json("rec", "patterns", beginning, "--history")["contributions"]

    assert {each["user"] for each in told} == {"eve"}
    assert films.json("history", "--pool", "films", beginning)["revisions"]


def test_an_operation_of_a_pool_is_rolled_back_and_back_again(films: Cli) -> None:
    before = patterns(films)
    [last, *_] = films.json("log", "--pool", "films", "--kind", "write")["operations"]

    undone = films("rollback", "--pool", "films", str(last["number"]))
    assert f"lamina rollback --db {films.db} --pool films" in undone.stdout
    assert patterns(films) != before

    [rollback, *_] = films.json("log", "--pool", "films")["operations"]
    films.json("rollback", "--pool", "films", rollback["id"][:8])
    assert patterns(films) == before


def test_a_pattern_is_deleted(films: Cli) -> None:
    [first, *_] = patterns(films)

    films.json("delete", "--pool", "films", str(first["id"])[:8])

    assert first["id"] not in [each["id"] for each in patterns(films)]


@pytest.mark.parametrize("method", ["lamina", "atomrec", "amem4rec"])
def test_a_ranking_tells_which_patterns_spoke_in_it(films: Cli, method: str) -> None:
    found = films.json("rec", "rank", "ann", "--method", method)
    told = films("rec", "rank", "ann", "--method", method).stdout

    assert bool(found["patterns"]) == (method != "atomrec")
    assert ("What users share that speaks here" in told) == (method != "atomrec")
    assert ("(evolved " in told) == (method != "atomrec")


def test_a_summary_is_for_programs(films: Cli) -> None:
    found = films.json("rec", "rank", "new", "--method", "amem4rec", "--summary", "--top", "2")

    assert set(found) == {"user_id", "retrieved_memories", "ranked_items"}
    assert [each["rank"] for each in found["ranked_items"]] == [1, 2]
    assert set(found["retrieved_memories"][0]) == {"pattern", "evolution_count"}


def test_a_summary_for_people_is_refused(films: Cli) -> None:
    assert "--json" in films.fails("rec", "rank", "new", "--summary", code=2)


def test_who_leaves_shares_no_longer_until_they_enter(films: Cli) -> None:
    left = films.json("rec", "leave", "ann")
    films.json("rec", "refresh")
    assert left["messages"] == 2
    assert not any(each["yours"] for each in patterns(films, "--user", "ann"))

    assert films("rec", "enter", "ann").stdout == "ann shares again\n"
    films.json("rec", "refresh")
    assert any(each["yours"] for each in patterns(films, "--user", "ann"))


def test_who_leaves_is_told_what_went_and_a_name_that_nobody_has_is_told(films: Cli) -> None:
    first, again = films("rec", "leave", "ann").stdout, films("rec", "leave", "ann").stdout
    nobody = films("rec", "leave", "an").stdout
    films.json("rec", "leave", "an")

    assert first.startswith("ann left\nerased: 2 parts of theirs and what rested on them\n")
    assert "lamina rec refresh" in first
    assert again == "ann had left already\n"
    assert nobody == (
        "an left\nmind: nobody of the name an did anything here; it holds for when they do\n"
    )
    assert films.json("rec", "leave", "an")["left_before"]


def test_the_log_tells_one_erasure_from_another(films: Cli) -> None:
    films.json("rec", "leave", "ann")
    films.json("rec", "leave", "bob")

    told = films("log", "--pool", "films", "--kind", "erasure").stdout

    assert [n for n in ("1", "2") if f"erasure no. {n}" in told] == ["1", "2"]


def test_who_enters_is_named(films: Cli) -> None:
    films.json("rec", "leave", "ann")

    assert films("rec", "enter", "ann").stdout == "ann shares again\n"
    assert films("rec", "enter", "ann").stdout == "ann shares already; nothing changed\n"


def test_before_a_user_is_forgotten_it_says_where_they_have_a_part(films: Cli) -> None:
    asked = films("rec", "forget", "ann", input="n\n").stderr

    part = "and what is theirs in 1 recommender, 1 pool, for good?"
    assert f"Erase user ann, 0 messages, {part}" in asked


def test_what_a_pool_keeps_to_is_kept_and_can_be_given_back(films: Cli) -> None:
    films.json("rec", "pool-configure", "--k", "5", "--tau-low", "0.4", "--half-life-days", "90")
    found = films.json("rec", "pool-configure", "--cap", "100", "--order", "time")
    assert found["order"] == "time"
    assert (found["k"], found["tau_low"], found["half_life_days"], found["cap"]) == (
        5, 0.4, 90.0, 100,
    )  # fmt: skip
    assert found["encoder"].startswith("minilm")
    assert patterns(films) == []

    films.json("rec", "pool-configure", "--tau-low", "off", "--half-life-days", "off", "--k", "3")
    told = films("rec", "pool-configure").stdout
    assert "age does not count" in told
    assert "as belongs to the encoder" in told
    assert "neither a number" in films.fails("rec", "pool-configure", "--tau-low", "x", code=2)


def test_a_pool_is_measured_and_tidied_and_that_is_taken_back(films: Cli) -> None:
    before = films.json("rec", "pool-measure")
    planned = films.json("rec", "pool-tidy", "--dry-run")
    done = films("rec", "pool-tidy").stdout
    after = films.json("rec", "pool-measure")

    assert before["users"] == 5
    measured = films("rec", "pool-measure").stdout
    assert all(name in measured for name in ("near twins", "told to others", "usable reply"))
    assert len(planned["withdrawn"]) + len(planned["merged"]) > 0
    assert after["patterns"] < before["patterns"]
    assert f"lamina rollback --db {films.db} --pool films" in done


def test_what_was_merged_into_what_is_shown_and_taken_back_in_one_line(films: Cli) -> None:
    films.json("forget", "--pool", "films", "--yes")
    films.json("rec", "pool-configure", "--tau-low", "0.9999", "--tau-high", "1")
    films.json("rec", "refresh")
    films.json("rec", "pool-configure", "--tau-low", "off", "--tau-high", "off")
    before = films.json("rec", "pool-measure")["patterns"]

    told = films("rec", "pool-tidy").stdout

    assert "Into" in told
    [back] = [line for line in told.splitlines() if line.startswith("to take it back: ")]
    numbers = back.partition("for each in ")[2].partition(";")[0].split()
    assert back.endswith(f"do lamina rollback --db {films.db} --pool films $each; done")
    for number in numbers:
        films.json("rollback", "--pool", "films", number)
    assert films.json("rec", "pool-measure")["patterns"] == before


def test_thresholds_are_proposed_only_where_there_is_enough(films: Cli) -> None:
    assert "too few" in films.fails("rec", "pool-calibrate", code=2)


def test_a_pool_is_taken_elsewhere_with_its_recommender(films: Cli, tmp_path: Path) -> None:
    other = Cli(tmp_path / "other.db")
    for owner in ("recommender", "pool"):
        archive = tmp_path / f"{owner}.lamina"
        films.json("export", f"--{owner}", "films", "-o", str(archive))
        other.json("import", str(archive))

    assert patterns(other) == patterns(films)
    assert other.json("rec", "refresh")["pool"]["new"] == 0


def test_a_pool_is_forgotten_and_the_recommender_stays(films: Cli) -> None:
    asked = films("forget", "--pool", "films", input="n\n")
    films.json("forget", "--pool", "films", "--yes")

    assert "all that the users of films share" in asked.stderr
    assert patterns(films) == []
    assert films.json("rec", "stats")["data"]["interactions"] == 19
    assert films.json("verify-erasure", "--pool", "films", "zanzibarquokka")["clean"]


def test_a_pool_that_is_not_there_is_not_found(films: Cli) -> None:
    line = films.fails("log", "--pool", "flims", code=2)

    assert line == "there is no recommender 'flims' here; there is --recommender films"


def test_a_conversation_does_not_go_into_a_pool(films: Cli, talk: Path) -> None:
    assert "lamina rec import" in films.fails("import", "--pool", "films", str(talk), code=2)
