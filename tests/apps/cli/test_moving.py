import json
from pathlib import Path

import pytest

from tests.apps.cli.conftest import Cli


@pytest.fixture
def elsewhere_too(tmp_path: Path) -> Cli:
    """The command line on another store, which is not there yet."""
    return Cli(tmp_path / "other.db")


@pytest.fixture
def archive(moved: Cli, tmp_path: Path) -> Path:
    """What one memory holds, as a file."""
    path = tmp_path / "sam.jsonl"
    told = moved.json("export", "--output", str(path))
    assert told["lines"] == len(path.read_text(encoding="ascii").splitlines())
    return path


def answers(cli: Cli, user: str) -> list[object]:
    calls: list[tuple[str, ...]] = [
        ("list", "--all", "--superseded"), ("list", "--kind", "message"), ("log",),
        ("list", "--as-of", "2025-03-01"),
    ]  # fmt: skip
    return [cli.json(*call, "--user", user) for call in calls]


def test_an_export_is_imported_with_ids_times_and_revisions(
    moved: Cli, archive: Path, elsewhere_too: Cli
) -> None:
    imported = elsewhere_too.json("import", str(archive))

    assert (imported["format"], imported["restored"]["messages"]) == ("lamina", 2)
    assert imported["processed"]["failed"] == []
    before, after = answers(moved, "sam"), answers(elsewhere_too, "sam")
    assert after[:2] == before[:2]
    assert after[3] == before[3]
    call = ("search", "Where do I live?", "--top-k", "1")
    assert elsewhere_too.json(*call)["hits"][0]["text"] == "I live in Rome now."


def test_an_export_goes_to_standard_output_and_comes_from_standard_input(
    moved: Cli, archive: Path, elsewhere_too: Cli
) -> None:
    text = moved("export").stdout

    assert text == archive.read_text(encoding="ascii")
    told = elsewhere_too("import", "--user", "anna", "--no-process", "-", input=text).stdout
    assert told.startswith("2 messages, ")
    assert "put into user anna" in told


def test_an_archive_is_put_into_an_empty_memory_only(moved: Cli, archive: Path) -> None:
    line = moved.fails("import", str(archive), code=2)

    assert "the user 'sam' has a memory already" in line
    assert moved.json("import", "--user", "anna", str(archive))["restored"]["messages"] == 2


def test_an_export_is_not_written_over_something(moved: Cli, archive: Path) -> None:
    before = archive.read_bytes()

    assert "name another file" in moved.fails("export", "-o", str(archive), code=2)
    assert archive.read_bytes() == before


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda lines: lines[:-1], "lines after the first, not"),
        (lambda lines: [*lines[:-1], "{}"], "expected one thing a line"),
        (lambda lines: [lines[0], "é"], "is ASCII"),
    ],
)
def test_an_archive_that_is_spoiled_leaves_nothing_behind(
    archive: Path, elsewhere_too: Cli, spoil: object, told: str
) -> None:
    assert callable(spoil)
    lines = spoil(archive.read_text(encoding="ascii").splitlines())
    archive.write_text("\n".join(lines), encoding="utf-8")

    line = elsewhere_too.fails("import", str(archive), code=2)

    assert line.startswith("sam.jsonl: ")
    assert told in line
    assert not elsewhere_too.db.exists()


def test_what_is_no_archive_cannot_be_imported_as_one(talk: Path, elsewhere_too: Cli) -> None:
    assert "talk.json: " in elsewhere_too.fails("import", "--format", "lamina", str(talk), code=2)


def test_an_archive_costs_nothing_to_estimate(archive: Path, elsewhere_too: Cli) -> None:
    assert "--dry-run" in elsewhere_too.fails("import", "--dry-run", str(archive), code=2)


def test_grants_move_with_a_space(cli: Cli, elsewhere_too: Cli) -> None:
    cli.json("grant", "--space", "team", "user:ann", "--write")
    cli.json("add", "--space", "team", "--as", "user:ann", "We sail on Friday.")

    elsewhere_too("import", "-", input=cli("export", "--space", "team").stdout)

    hits = elsewhere_too.json("search", "--space", "team", "--as", "user:ann", "sailing")["hits"]
    assert [hit["text"] for hit in hits] == ["We sail on Friday."]


def test_a_backup_is_a_store_like_any_other(moved: Cli, tmp_path: Path) -> None:
    path = tmp_path / "backup.db"

    told = moved.json("backup", str(path))

    assert told == {"path": str(path), "bytes": path.stat().st_size}
    assert answers(Cli(path), "sam") == answers(moved, "sam")
    assert "choose another path" in moved.fails("backup", str(path), code=2)


def test_an_export_is_json_lines(archive: Path) -> None:
    first, *rest = map(json.loads, archive.read_text(encoding="ascii").splitlines())

    assert first["lamina"] == "archive"
    assert {key for line in rest for key in line} >= {"message", "operation", "revision"}
