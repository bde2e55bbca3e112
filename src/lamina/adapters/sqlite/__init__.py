"""A store in one SQLite file, with the standard library's SQLite and no extension."""

from lamina.adapters.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
