"""The installed program as a process of its own: exit codes, pipes, interruption."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

MANY = 700
COMMAND = [sys.executable, "-c", "from lamina.apps.cli import main; main()"]


def run(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *args], capture_output=True, text=True, env={**os.environ, **environment}
    )


def lines(path: Path, count: int) -> Path:
    path.write_text(
        "".join(
            json.dumps({"text": f"Number {n} is a fine number.", "timestamp": 1_772_618_400 + n})
            + "\n"
            for n in range(count)
        ),
        encoding="utf-8",
    )
    return path


def test_answers_errors_and_exit_codes_of_a_real_process(tmp_path: Path) -> None:
    db = str(tmp_path / "memory.db")

    added = run("add", "--user", "alice", "I moved to Oslo.", LAMINA_DB=db)
    found = run("search", "Where does Alice live?", "--json", LAMINA_DB=db)
    wrong = run("search", LAMINA_DB=db)

    assert (added.returncode, found.returncode, wrong.returncode) == (0, 0, 2)
    assert json.loads(found.stdout)["hits"][0]["text"] == "I moved to Oslo."
    assert found.stderr == ""
    assert wrong.stderr == "lamina: Missing argument 'QUERY'; see: lamina search --help\n"


def test_a_reader_that_goes_away_is_no_failure_to_tell(tmp_path: Path) -> None:
    db = str(tmp_path / "memory.db")
    more_than_a_pipe_holds = json.dumps({"text": "a" * 300_000})
    (tmp_path / "log.jsonl").write_text(more_than_a_pipe_holds, encoding="utf-8")
    source = str(tmp_path / "log.jsonl")
    assert run("import", "--user", "u", "--no-process", "--db", db, source).returncode == 0

    listing = [*COMMAND, "list", "--kind", "message", "--json", "--db", db]
    with subprocess.Popen(listing, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        told = process.stderr.read()

    assert told == b""


def test_an_interrupted_import_keeps_what_it_stored_and_goes_on_later(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    source = lines(tmp_path / "log.jsonl", MANY)
    importing = ["import", "--user", "u", "--no-process", "--db", str(db), str(source)]

    with subprocess.Popen(
        [*COMMAND, *importing], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        while process.poll() is None and not _stored(db):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate()

    assert process.returncode == 130
    assert stdout == ""
    assert stderr.strip() == "lamina: interrupted; each finished step is kept"
    kept = json.loads(run("stats", "--db", str(db), "--json").stdout)["counts"]["messages"]
    assert 0 < kept < MANY
    assert json.loads(run("check", "--db", str(db), "--json").stdout) == {"findings": []}
    again = json.loads(run(*importing, "--json").stdout)
    assert (again["turns"], again["new"]) == (MANY, MANY - kept)


def _stored(db: Path) -> int:
    """Return how many messages are stored so far."""
    if not db.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True)) as reader:
            (count,) = reader.execute("SELECT count(*) FROM message").fetchone()
            return int(count)
    except sqlite3.OperationalError:  # It is only just being made.
        return 0
