from pathlib import Path

import numpy as np
import pytest

from lamina.errors import FormatError
from lamina.evaluation.rec.candidate_files import given, read, write
from lamina.evaluation.rec.candidates import catalogue, drawn
from lamina.evaluation.rec.splits import leave_last_out
from tests.evaluation.rec.made import log


def test_candidates_come_back_as_they_were_written(tmp_path: Path) -> None:
    one = log()
    fold = leave_last_out(one).test[0]
    sets = drawn(one, fold, size=5, sampling="uniform", part="test", seed=0)
    path = tmp_path / "candidates.jsonl"

    lines = write(path, one, [("test", fold, [sets, catalogue(one, fold)])])

    assert lines == len(fold.rows)
    (back,) = given(one, fold, "test", read(path))
    np.testing.assert_array_equal(back.items, sets.items)
    np.testing.assert_array_equal(back.targets, sets.targets)


def test_a_candidate_told_twice_counts_once(tmp_path: Path) -> None:
    one = log()
    fold = leave_last_out(one, most=1).test[0]
    row, path = int(fold.rows[0]), tmp_path / "candidates.jsonl"
    target = one.catalogue.items[one.of[row]]
    other = next(i for i in one.catalogue.items if i != target)
    path.write_text(
        f'{{"set": "mine", "part": "test", "user": "{one.users[one.by[row]]}",'
        f' "at": {one.at[row]}, "target": "{target}",'
        f' "candidates": ["{other}", "{target}", "{other}"]}}\n'
    )

    (back,) = given(one, fold, "test", read(path))

    assert back.items.shape == (1, 2)
    assert back.targets.tolist() == [1]


def test_a_question_without_candidates_is_refused(tmp_path: Path) -> None:
    one = log()
    fold = leave_last_out(one).test[0]
    path = tmp_path / "candidates.jsonl"
    sets = drawn(one, fold, size=5, sampling="uniform", part="test", seed=0)
    write(path, one, [("test", fold, [sets])])
    path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))

    with pytest.raises(FormatError, match="no line for user"):
        given(one, fold, "test", read(path))


@pytest.mark.parametrize("line", ["{", "[]", '{"set": "x"}'])
def test_a_malformed_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "candidates.jsonl"
    path.write_text(line + "\n")

    with pytest.raises(FormatError, match="line 1"):
        read(path)
