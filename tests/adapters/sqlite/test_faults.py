import ast
import sqlite3
from pathlib import Path

import pytest

import lamina.adapters.sqlite
from lamina.adapters.sqlite.faults import in_our_words, translated
from lamina.errors import (
    BadInput,
    LaminaError,
    NotALaminaFile,
    ReadOnlyStore,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreLocked,
)

CODES = {name: code for name, code in vars(sqlite3).items() if name.startswith("SQLITE_")}


def failure(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("as SQLite says it")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("SQLITE_BUSY", StoreLocked),
        ("SQLITE_BUSY_SNAPSHOT", StoreLocked),
        ("SQLITE_LOCKED", StoreLocked),
        ("SQLITE_FULL", StoreFull),
        ("SQLITE_IOERR_WRITE", StoreFull),
        ("SQLITE_READONLY_DBMOVED", ReadOnlyStore),
        ("SQLITE_CANTOPEN", ReadOnlyStore),
        ("SQLITE_CORRUPT_INDEX", StoreDamaged),
        ("SQLITE_NOTADB", NotALaminaFile),
        ("SQLITE_TOOBIG", BadInput),
        ("SQLITE_IOERR_READ", StoreError),
        ("SQLITE_CONSTRAINT_UNIQUE", StoreError),
    ],
)
def test_each_fault_has_its_error(name: str, ours: type[LaminaError]) -> None:
    assert type(translated(failure(CODES[name]))) is ours


def test_every_code_that_sqlite_knows_becomes_an_error_of_ours() -> None:
    for code in CODES.values():
        assert isinstance(translated(failure(code)), LaminaError)


def test_a_fault_of_the_driver_itself_keeps_its_words() -> None:
    ours = translated(sqlite3.ProgrammingError("Cannot operate on a closed database."))

    assert type(ours) is StoreError
    assert "closed database" in str(ours)


def test_what_sqlite_reported_stays_the_cause() -> None:
    cause = failure(sqlite3.SQLITE_FULL)

    with pytest.raises(StoreFull) as caught, in_our_words():
        raise cause

    assert caught.value.__cause__ is cause


def test_a_text_too_long_for_sqlite_is_refused_with_a_reason() -> None:
    connection = sqlite3.connect(":memory:")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1000)

    with pytest.raises(BadInput, match="too long"), in_our_words():
        connection.execute("SELECT ?", ("x" * 2000,))
    connection.close()


def test_only_one_place_turns_sqlites_errors_into_ours() -> None:
    """Others may catch one only to try again, and then raise it as it was."""
    folder = Path(lamina.adapters.sqlite.__file__).parent
    catching = {
        path.name
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler) and "sqlite3" in ast.unparse(node.type or node)
    }

    assert catching == {"faults.py", "database.py"}


def test_connections_are_used_only_where_errors_are_translated() -> None:
    folder = Path(lamina.adapters.sqlite.__file__).parent
    connecting = [p.name for p in folder.glob("*.py") if "sqlite3.connect(" in p.read_text("utf-8")]

    assert connecting == ["database.py"]
