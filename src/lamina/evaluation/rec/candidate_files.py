"""Candidates on file: JSON Lines, a question a line, so that others can rank the same."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lamina.errors import FormatError
from lamina.evaluation.rec.candidates import NOBODY, Sets
from lamina.evaluation.rec.logs import Log
from lamina.evaluation.rec.splits import Fold


def write(path: Path, log: Log, posed: Iterable[tuple[str, Fold, Sequence[Sets]]]) -> int:
    """Write the candidates of each part's folds; whole catalogues are not written.

    Returns:
        How many lines were written.
    """
    lines = [
        json.dumps(line, ensure_ascii=False)
        for part, fold, sets in posed
        for one in sets
        if one.name != "all"
        for line in _lines(log, part, fold, one)
    ]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


def _lines(log: Log, part: str, fold: Fold, sets: Sets) -> Iterable[Mapping[str, Any]]:
    names = log.catalogue.items
    for row, items, target in zip(fold.rows, sets.items, sets.targets, strict=True):
        yield {
            "set": sets.name,
            "part": part,
            "user": log.users[log.by[row]],
            "at": int(log.at[row]),
            "target": names[items[target]],
            "candidates": [names[item] for item in items if item != NOBODY],
        }


Given = Mapping[tuple[str, str, str, int, str], Sequence[str]]
"""By set, part, user, moment and target: the candidates."""


def read(path: Path) -> Given:
    """Read candidates as `write` writes them.

    Raises:
        FormatError: The file is not like that.
    """
    found: dict[tuple[str, str, str, int, str], Sequence[str]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            told = json.loads(line)
            key = (told["set"], told["part"], told["user"], int(told["at"]), told["target"])
            found[key] = [str(item) for item in told["candidates"]]
        except (ValueError, KeyError, TypeError) as error:
            raise FormatError(f"{path.name}, line {number}: no line of candidates") from error
    return found


def given(log: Log, fold: Fold, part: str, file: Given) -> tuple[Sets, ...]:
    """Return the sets of a file for the questions of a fold; a candidate told twice counts once.

    Raises:
        FormatError: A question is not in the file, or a candidate not in the log.
    """
    index = {item: n for n, item in enumerate(log.catalogue.items)}
    names = sorted({key[0] for key in file if key[1] == part})
    return tuple(_set(log, fold, part, name, file, index) for name in names)


def _set(log: Log, fold: Fold, part: str, name: str, file: Given, index: Mapping[str, int]) -> Sets:
    rows = []
    for row, target in zip(fold.rows.tolist(), fold.targets.tolist(), strict=True):
        answer = log.catalogue.items[target]
        key = (name, part, log.users[log.by[row]], int(log.at[row]), answer)
        told = list(dict.fromkeys(file.get(key, ())))
        if answer not in told:
            raise FormatError(f"the candidates of {name} have no line for user {key[2]!r}")
        if unknown := [item for item in told if item not in index]:
            raise FormatError(f"the candidates name {unknown[0]!r}, which nobody had to do with")
        rows.append([index[item] for item in told])
    items = np.full((len(rows), max(map(len, rows), default=0)), NOBODY, dtype=np.int32)
    for n, row_items in enumerate(rows):
        items[n, : len(row_items)] = row_items
    targets = [row.index(target) for row, target in zip(rows, fold.targets.tolist(), strict=True)]
    return Sets(name=name, items=items, targets=np.array(targets, dtype=np.int64))
