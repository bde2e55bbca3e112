"""What one state of a note has changed against another, in words that people read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import islice

from lamina.model import Revision
from lamina.recall.scripts import LETTERS

_UNSPACED = "".join(LETTERS[script] for script in ("thai", "southeast", "kana", "han"))
_TOKEN = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+(?:['’.,:/\-][^\W{_UNSPACED}]+)*|[^\w\s]")
"""A word; a single character where words are not set apart; or a sign."""
MOST_CHANGES = 5
LONGEST_QUOTE = 60
"""Characters."""
MOST_COMPARED = 2000
"""Words of the part that differs; a longer one is told as a whole."""


def words(before: str, after: str) -> str:
    """Return what changed from one text to the other.

    >>> words("I live in Bergen.", "I live in Oslo now.")
    '"Bergen" became "Oslo now"'
    >>> words("她住在奥斯陆。", "她住在卑尔根。")
    '"奥斯陆" became "卑尔根"'
    """
    old, new = _spans(before), _spans(after)
    changes = _changes([before[a:b] for a, b in old], [after[a:b] for a, b in new])
    told = [_told(_quoted(before, old[i:j]), _quoted(after, new[k:m])) for i, j, k, m in changes]
    if not told:
        return "" if before == after else "written otherwise"
    more = len(told) - MOST_CHANGES
    return "; ".join([*told[:MOST_CHANGES], *([f"and {more} more changes"] if more > 0 else [])])


def between(before: Revision, after: Revision, successor: str | None) -> list[str]:
    """Return what a revision changed, each as a phrase.

    Args:
        before: The revision that it was made from.
        after: The revision.
        successor: What the note says that took the place of this one, if one did.
    """
    return [
        phrase
        for phrase in (
            words(before.text, after.text),
            _listed("tag", before.tags, after.tags),
            _listed("keyword", before.keywords, after.keywords),
            _context(before.context, after.context),
            _supersession(before, after, successor),
            _validity(before, after),
            _evidence(before, after),
        )
        if phrase
    ]


def _spans(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in _TOKEN.finditer(text)]


def _changes(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Return which tokens (from, to) gave way to which."""
    start = next(
        (i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b),
        min(len(old), len(new)),
    )
    most = min(len(old), len(new)) - start
    end = next(
        (i for i in range(most) if old[len(old) - 1 - i] != new[len(new) - 1 - i]),
        most,
    )
    left, right = old[start : len(old) - end], new[start : len(new) - end]
    if not left and not right:
        return []
    if max(len(left), len(right)) > MOST_COMPARED:
        return [(start, len(old) - end, start, len(new) - end)]
    compared = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    return [
        (start + i, start + j, start + k, start + m)
        for kind, i, j, k, m in compared
        if kind != "equal"
    ]


def _quoted(text: str, spans: Sequence[tuple[int, int]]) -> str:
    return quoted(text[spans[0][0] : spans[-1][1]]) if spans else ""


def quoted(text: str) -> str:
    """Return a text in quotes, on one line and not too long."""
    line = " ".join(islice(text.split(), LONGEST_QUOTE))
    return f'"{line}"' if len(line) <= LONGEST_QUOTE else f'"{line[: LONGEST_QUOTE - 1]}…"'


def _told(old: str, new: str) -> str:
    if old and new:
        return f"{old} became {new}"
    return f"{new} was added" if new else f"{old} was left out"


def _listed(what: str, before: Sequence[str], after: Sequence[str]) -> str:
    """Return which tags or keywords came and which went."""
    told = []
    for some, others, done in ((after, before, "added"), (before, after, "left out")):
        changed = [quoted(word) for word in some if word not in others]
        if changed:
            number = (what, "was") if len(changed) == 1 else (f"{what}s", "were")
            told.append(f"{number[0]} {', '.join(changed)} {number[1]} {done}")
    return "; ".join(told)


def _context(before: str, after: str) -> str:
    changed = words(before, after)
    return f"context: {changed}" if changed else ""


def _supersession(before: Revision, after: Revision, successor: str | None) -> str:
    if after.superseded_by == before.superseded_by:
        return ""
    if after.superseded_by is None:
        return "no longer superseded"
    return f"superseded by {quoted(successor or after.superseded_by)}"


def _validity(before: Revision, after: Revision) -> str:
    told = []
    if after.valid_at and after.valid_at != before.valid_at:
        told.append(f"holds from {after.valid_at.date()}")
    if after.invalid_at and after.invalid_at != before.invalid_at:
        told.append(f"holds until {after.invalid_at.date()}")
    return ", ".join(told)


def _evidence(before: Revision, after: Revision) -> str:
    gained = len(set(after.sources) - set(before.sources))
    if not gained:
        return ""
    return "gained a source" if gained == 1 else f"gained {gained} sources"
