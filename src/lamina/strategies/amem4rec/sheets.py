"""What a model is shown: the requests that abstract windows, and that judge a new part.

Each line has its share of tokens and is cut to it. Users are not shown, and nothing but the content
of what is asked decides a request.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lamina.models.lines import Count, Shown, Shrinks, cut, fitted, generous, line, listed
from lamina.models.values import ID, TEXT, TEXTS
from lamina.ports import Request
from lamina.strategies.amem4rec import prompts
from lamina.strategies.amem4rec.stages import Abstraction, Judging, Seen, Window

SEEN_TOKENS = 60
SAID_TOKENS = 220
NAMES_TOKENS = 120
"""Tokens of a line at most: of an interaction; of a pattern; of names."""
WINDOW_OUTPUT = 250
LINKED_OUTPUT = 300
FRAME_OUTPUT = 100
"""Tokens of the reply at most: for each window; for each candidate; and besides."""
EQUAL = 0.7
SOME = 0.4
"""Weights from which on a new text has that much say."""

_SAID: Mapping[str, Any] = {
    "behavior_explanation": TEXT, "pattern_description": TEXT, "keywords": TEXTS,
}  # fmt: skip


def _listing(name: str, required: list[str], **properties: Any) -> dict[str, Any]:
    each = {"type": "object", "properties": properties, "required": required}
    listing = {"type": "array", "items": each}
    return {"type": "object", "properties": {name: listing}, "required": [name]}


WINDOWS = _listing("windows", ["id", *_SAID], id=ID, **_SAID)
LINKED = _listing("linked", ["id", "reason"], id=ID, reason=TEXT, **_SAID)
"""Schemas of the replies."""


def abstract(windows: Sequence[Window], named: Sequence[Sequence[str]], count: Count) -> Request:
    """Return what is asked about windows, numbered from 1.

    Args:
        windows: What to say in general terms.
        named: For each of them the names that an earlier answer gave away.
        count: Tokens of texts.
    """
    lines: list[tuple[Shrinks, int]] = []
    for number, (window, names) in enumerate(zip(windows, named, strict=True), 1):
        lines.append((_plain("window", number), SEEN_TOKENS))
        lines += [(_seen(each), SEEN_TOKENS) for each in window.seen]
        lines += [(_names(names), NAMES_TOKENS)] if names else []
    return Request(
        role="memory",
        system=prompts.load("abstract"),
        prompt="\n".join(fitted(lines, generous(count))),
        schema=WINDOWS,
        max_output_tokens=FRAME_OUTPUT + WINDOW_OUTPUT * len(windows),
    )


def judge(asked: Judging, shown: Shown, every: bool, count: Count) -> Request:
    """Return what is asked about a new part and its candidates.

    Args:
        asked: Both.
        shown: By which numbers candidates go.
        every: Whether all are to be linked.
        count: Tokens of texts.
    """
    system = prompts.load("judge")
    lines = [(_said(asked.new, "new"), SAID_TOKENS), (lambda share: "candidates", SAID_TOKENS)]
    for each in asked.candidates:
        number = shown.number(each.pattern.id)
        lines.append((_said(each.pattern.said, number, say(each.weight)), SAID_TOKENS))
    return Request(
        role="memory",
        system=f"{system}\n\n{prompts.load('judge_all')}" if every else system,
        prompt="\n".join(fitted(lines, generous(count))),
        schema=LINKED,
        max_output_tokens=FRAME_OUTPUT + LINKED_OUTPUT * len(asked.candidates),
    )


def say(weight: float) -> str:
    """Return in a word how much a new text is to weigh.

    >>> [say(weight) for weight in (1.0, 0.6, 0.2, 0.0)]
    ['equal', 'some', 'little', 'settled']
    """
    if weight <= 0:
        return "settled"
    return "equal" if weight >= EQUAL else "some" if weight >= SOME else "little"


def _plain(*items: object) -> Shrinks:
    return lambda share: line(*items)


def _seen(seen: Seen) -> Shrinks:
    def shrinks(share: float) -> str:
        title = cut(seen.title, 120 * min(1.0, 2 * share))
        kinds = listed(seen.categories, 120 * share)
        return line(title, kinds, cut(seen.action, 30), seen.rating)

    return shrinks


def _names(names: Sequence[str]) -> Shrinks:
    return lambda share: line("names", *(cut(name, 80 * share) for name in names))


def _said(said: Abstraction, label: object, *rest: object) -> Shrinks:
    def shrinks(share: float) -> str:
        return line(
            label,
            cut(said.explanation, 400 * share),
            cut(said.description, 400 * share),
            listed(said.keywords, 200 * share),
            *rest,
        )

    return shrinks
