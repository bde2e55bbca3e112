"""The SQL, in files beside this one. A query has a name and a line saying what it is for."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_HEAD = re.compile(r"^-- (\w+): .+$", re.MULTILINE)


@cache
def load(name: str) -> dict[str, str]:
    """Return the queries of `name`.sql by their names."""
    text = (files(__name__) / f"{name}.sql").read_text(encoding="utf-8")
    _, *parts = _HEAD.split(text)
    return {
        query: sql.strip().removesuffix(";")
        for query, sql in zip(parts[::2], parts[1::2], strict=True)
    }
