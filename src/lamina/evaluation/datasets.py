"""The questions of a LoCoMo file: what is asked, what the answer is, which turns bear it out.

The evidence of some questions is misspelt: several ids in one field ("D8:6; D9:17"), stray
marks ("D:11:26", "D30:05"), or nothing that could be an id ("D"). What can be read is read; what
cannot, or names a turn that is not in the conversation, is left out and counted.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from lamina.errors import FormatError
from lamina.formats.conversation import Turn
from lamina.formats.documents import expect, load
from lamina.formats.locomo import conversation
from lamina.model import Value

Category = Literal["multi-hop", "temporal", "open-domain", "single-hop", "adversarial"]
CATEGORIES: tuple[Category, ...] = get_args(Category)
"""In the order of their official numbers, from 1."""
SCORED: tuple[Category, ...] = CATEGORIES[:4]
"""What published overall scores cover: the adversarial questions have no answer."""
UNANSWERABLE = "Not mentioned in the conversation"
"""The gold answer of every adversarial question."""

_TURN_ID = re.compile(r"D\W*([0-9]{1,6})\W*:\W*([0-9]{1,6})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Value):
    """One question about a conversation."""

    id: str
    """`locomo_<index of the conversation in the file>_qa<index of the question in it>`."""
    text: str
    answer: str
    category: Category
    evidence: tuple[str, ...]
    """Distinct ids of the turns that bear the answer out, such as `D3:1`; may be empty."""
    unreadable: tuple[str, ...] = ()
    """What the file gives as evidence but is no id of a turn of this conversation."""
    repaired: bool = False
    """Whether the evidence had to be read from fields that are not plain ids."""
    corrected: bool = False
    """Whether answer and evidence are an audit's instead of the file's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """An audited answer and evidence that replace the file's own."""

    answer: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One conversation and what is asked about it."""

    name: str
    turns: tuple[Turn, ...]
    """In the order said; each message's metadata holds its `dia_id`."""
    questions: tuple[Question, ...]


def read(path: Path, corrections: Mapping[str, Correction] | None = None) -> list[Sample]:
    """Return the conversations of a LoCoMo file with their questions.

    Raises:
        FormatError: It is not in the LoCoMo schema.
    """
    document = load(path)
    samples = []
    for index, entry in enumerate(document if isinstance(document, list) else [document]):
        where = f"{path.name}: $[{index}]"
        told = conversation(expect(entry, dict, where), where)
        turns = tuple(told.turns)
        known = [turn.message["metadata"]["dia_id"] for turn in turns]
        asked = questions(entry, index, known, corrections)
        samples.append(Sample(name=told.name or where, turns=turns, questions=tuple(asked)))
    return samples


def read_corrections(path: Path) -> dict[str, Correction]:
    """Return the corrections in a file, by the id of the question.

    Raises:
        FormatError: It is not a list of objects with `question_id`, `correct_answer` and
            `correct_evidence`.
    """
    rows = load(path)
    try:
        return {
            row["question_id"]: Correction(
                answer=str(row["correct_answer"]),
                evidence=tuple(str(field) for field in row["correct_evidence"]),
            )
            for row in rows
        }
    except (TypeError, KeyError) as error:
        raise FormatError(
            f"{path} holds no corrections: expected a list of objects with question_id,"
            " correct_answer and correct_evidence"
        ) from error


def questions(
    entry: Mapping[str, Any],
    index: int,
    turns: Collection[str],
    corrections: Mapping[str, Correction] | None = None,
) -> list[Question]:
    """Return the questions of one conversation, in the file's order.

    Args:
        entry: The conversation as the file has it; its questions are under `qa`.
        index: Its place in the file, from 0.
        turns: The ids of its turns.
        corrections: By the id of the question.

    Raises:
        FormatError: A question is not what the LoCoMo schema says.
    """
    rows = expect(entry.get("qa", []), list, f"conversation {index}: qa")
    return list(_questions(rows, index, frozenset(turns), corrections or {}))


def _questions(
    rows: Sequence[Any], index: int, turns: frozenset[str], corrections: Mapping[str, Correction]
) -> Iterator[Question]:
    for number, row in enumerate(rows):
        name = f"locomo_{index}_qa{number}"
        try:
            yield _question(name, row, turns, corrections.get(name))
        except (TypeError, KeyError, ValueError, AttributeError) as error:
            raise FormatError(
                f"conversation {index}, question {number} is not in the LoCoMo schema: expected"
                " question, category (1 to 5), evidence and answer"
            ) from error


def _question(
    name: str, row: Mapping[str, Any], turns: frozenset[str], correction: Correction | None
) -> Question:
    category = CATEGORIES[(1, 2, 3, 4, 5).index(row["category"])]
    fields = correction.evidence if correction else [str(f) for f in row.get("evidence") or []]
    evidence, unreadable = repair(fields, turns)
    answer = UNANSWERABLE if category == "adversarial" else str(row["answer"])
    return Question(
        id=name,
        text=str(row["question"]),
        answer=correction.answer if correction else answer,
        category=category,
        evidence=evidence,
        unreadable=unreadable,
        corrected=correction is not None,
        repaired=any(field not in turns and repair([field], turns)[0] for field in fields),
    )


def repair(
    fields: Sequence[str], turns: Collection[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Read evidence fields.

    Returns:
        The distinct ids that are turns, in order, and what is left out: fields without an id, and
        ids that are no turn.

    >>> repair(["D8:6; D9:17", "D:1:02", "D"], {"D8:6", "D9:17", "D1:2"})
    (('D8:6', 'D9:17', 'D1:2'), ('D',))
    """
    read: dict[str, None] = {}
    left: list[str] = []
    for field in fields:
        found = [f"D{int(s)}:{int(t)}" for s, t in _TURN_ID.findall(field)]
        read.update(dict.fromkeys(name for name in found if name in turns))
        left.extend([name for name in found if name not in turns] if found else [field])
    return tuple(read), tuple(left)
