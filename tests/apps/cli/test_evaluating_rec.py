import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lamina.apps.cli.root import root

SIMPLE = ("--no-memory", "--candidates", "10", "--seed", "1")


def evaluate(*args: str) -> Result:
    return CliRunner().invoke(root, ["eval", "rec", *args])


def told(*args: str) -> dict:  # type: ignore[type-arg]
    result = evaluate(*args, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)  # type: ignore[no-any-return]


@pytest.fixture
def data(tmp_path: Path) -> str:
    folder = tmp_path / "ml"
    folder.mkdir()
    films = [f"{n},Film {n} ({1990 + n % 9}),{'Drama' if n % 2 else 'Comedy'}" for n in range(40)]
    (folder / "movies.csv").write_text("movieId,title,genres\n" + "\n".join(films) + "\n")
    rows = [
        f"{user},{(user * 7 + n * (3 + user % 2)) % 40},{1 + n % 5},{1000 + 100 * n + user}"
        for user in range(12)
        for n in range(10)
    ]
    (folder / "ratings.csv").write_text("userId,movieId,rating,timestamp\n" + "\n".join(rows))
    return str(folder)


def test_the_report_is_json_by_method(data: str) -> None:
    report = told("--data", data, *SIMPLE)

    assert report["protocol"]["name"] == "replay"
    assert {"random", "popularity", "item-knn", "ease", "bpr", "markov", "tf-idf", "blend"} == (
        report["methods"].keys()
    )
    assert {"H@1", "H@3", "H@5", "H@10", "N@1", "N@3", "N@5", "N@10", "MRR", "n"} <= (
        report["methods"]["blend"].keys()
    )
    assert {"a", "b", "metric", "difference", "interval"} <= report["comparisons"][0].keys()


def test_the_same_seed_finds_the_same(data: str) -> None:
    first, again = (told("--data", data, *SIMPLE) for _ in range(2))

    assert first["methods"] == again["methods"]
    assert first["comparisons"] == again["comparisons"]


def test_leaving_the_last_out_is_declared_leaky(data: str) -> None:
    shown = evaluate("--data", data, "--protocol", "leave-last-out", *SIMPLE).stdout

    assert "LEAKY" in shown
    assert "stage" in shown


def test_candidates_are_written_and_read_again(data: str, tmp_path: Path) -> None:
    file = str(tmp_path / "candidates.jsonl")

    first = told("--data", data, *SIMPLE, "--candidates-out", file)
    again = told("--data", data, "--no-memory", "--seed", "1", "--candidates", file)

    assert first["methods"]["ease"]["N@5"] == again["methods"]["ease"]["N@5"]


def test_one_method_can_be_asked_for(data: str) -> None:
    report = told("--data", data, *SIMPLE, "--method", "ease", "--method", "blend")

    assert list(report["methods"]) == ["ease", "blend"]


def test_sets_that_are_drawn_in_several_ways_fit_into_one_command(data: str) -> None:
    sets = ("uniform-5", "popularity-6", "all")

    report = told("--data", data, "--no-memory", *(f"--candidates={each}" for each in sets))

    assert list(report["methods"]["ease"]["by_candidates"]) == list(sets)


def test_a_page_with_plots_is_written(data: str, tmp_path: Path) -> None:
    page = tmp_path / "report.html"

    result = evaluate("--data", data, *SIMPLE, "--report", str(page))

    assert result.exit_code == 0, result.output
    written = page.read_text()
    assert "data:image/png" in written
    assert "What each stage may see" in written


@pytest.mark.parametrize(
    "wrong",
    [
        ("--candidates", "1"),
        ("--candidates", "many"),
        ("--users", "none"),
        ("--method", "magic"),
    ],
)
def test_what_cannot_be_run_is_a_wrong_call(data: str, wrong: tuple[str, ...]) -> None:
    assert evaluate("--data", data, "--no-memory", *wrong).exit_code == 2


def test_missing_data_says_how_to_name_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAMINA_DATA", str(tmp_path))

    result = evaluate("--no-memory")

    assert result.exit_code == 2
    assert "--data" in result.stderr


def test_histories_are_cut_to_several_lengths(data: str) -> None:
    report = told("--data", data, *SIMPLE, "--cold", "1", "--cold", "3", "--method", "item-knn")

    assert report["protocol"]["name"] == "leave-last-out"
    assert list(report["methods"]["item-knn"]["by_candidates"]) == [
        "uniform-10, last 1", "uniform-10, last 3",
    ]  # fmt: skip


def test_a_replay_is_not_cut(data: str) -> None:
    result = evaluate("--data", data, "--no-memory", "--protocol", "replay", "--cold", "3")

    assert result.exit_code == 2
    assert "leave-last-out alone" in result.stderr
