"""Statements that update, correct, confirm or only resemble earlier ones: what ends superseded."""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lamina
from benchmarks.contradictions_dev import cases as generated

FOLDER = Path(__file__).parent / "contradictions"
PARTS = ("dev", "natural", "lookalike", "test")
SESSION = "talk"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of one case."""

    case: dict[str, Any]
    superseded: frozenset[int]
    """The places of the messages whose fact ended superseded."""

    @property
    def expected(self) -> frozenset[int]:
        """The places of those that should have."""
        return frozenset(self.case["superseded"])


def main(arguments: Sequence[str] | None = None) -> None:
    """Print precision and recall by kind and language; or write the part made for development."""
    given = _parser().parse_args(sys.argv[1:] if arguments is None else arguments)
    if "make-dev" in given.names:
        _write(FOLDER / "dev.jsonl", generated())
        return
    for part in [given.part] if given.part else PARTS:
        path = FOLDER / f"{part}.jsonl"
        if path.exists():
            outcomes = list(run(_read(path)))
            print(f"\n{part}: {len(outcomes)} cases")
            report(outcomes)
            if given.failures:
                _tell_failures(outcomes)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks contradictions")
    parser.add_argument("names", nargs="*", help="make-dev: write dev.jsonl anew")
    parser.add_argument("--part", choices=PARTS, help="only this part")
    parser.add_argument("--failures", action="store_true", help="list what came out wrong")
    return parser


def run(cases: Iterable[dict[str, Any]]) -> Iterator[Outcome]:
    """Tell each case to a new user without a model, and look at what is superseded.

    The messages of a case are told in the order said, or if it is `out_of_order`, the later one
    of its pair before all others.
    """
    with lamina.open(":memory:") as memory:
        for number, case in enumerate(cases):
            yield _outcome(memory.user(f"user-{number}"), case)


def _outcome(user: lamina.Handle, case: dict[str, Any]) -> Outcome:
    for message in _delivered(case):
        user.add(_spoken(message), session_id=message.get("session_id", SESSION), wait=True)
    facts = user.list(kind="fact", limit=1000, superseded=True)
    texts = {message.id: message.text for message in user.messages(limit=1000)}
    gone = {
        (texts[note.event], note.began_at)
        for note in facts
        if note.superseded_by and note.event in texts
    }
    told = [(m["text"], lamina_time(m["said_at"])) for m in case["messages"]]
    return Outcome(
        case=case, superseded=frozenset(i for i, each in enumerate(told) if each in gone)
    )


def lamina_time(text: str) -> Any:
    """Return a moment as messages bear it."""
    from lamina.times import parse

    return parse(text)


def _delivered(case: dict[str, Any]) -> list[dict[str, Any]]:
    messages = [*case["messages"]]
    if not case["out_of_order"]:
        return [*case.get("fillers", ()), *messages]
    later = max(case.get("pair", (len(messages) - 2, len(messages) - 1)))
    return [messages[later], *case.get("fillers", ()), *messages[:later], *messages[later + 1 :]]


def _spoken(message: dict[str, Any]) -> dict[str, Any]:
    told = {"role": "user", "content": message["text"], "timestamp": message["said_at"]}
    return told | ({"speaker": message["speaker"]} if "speaker" in message else {})


def report(outcomes: Sequence[Outcome]) -> None:
    """Print a line for each kind and language, and for all."""
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for each in outcomes:
        groups[f"{each.case['kind']} {each.case['language']}"].append(each)
        groups["out of order" if each.case["out_of_order"] else "in order"].append(each)
    print(f"{'':24}{'cases':>7}{'expected':>10}{'superseded':>12}{'precision':>11}{'recall':>8}")
    for name, group in [*sorted(groups.items()), ("all", list(outcomes))]:
        expected = sum(len(each.expected) for each in group)
        told = sum(len(each.superseded) for each in group)
        right = sum(len(each.superseded & each.expected) for each in group)
        print(
            f"{name:24}{len(group):7}{expected:10}{told:12}"
            f"{_share(right, told):>11}{_share(right, expected):>8}"
        )


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"


def _tell_failures(outcomes: Sequence[Outcome]) -> None:
    for each in outcomes:
        if each.superseded != each.expected:
            verdict = "wrong" if each.superseded - each.expected else "missed"
            texts = " | ".join(message["text"] for message in each.case["messages"])
            print(f"{verdict:7} {each.case['id']:22} {texts}")


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def _write(path: Path, cases: Iterable[dict[str, Any]]) -> None:
    lines = [json.dumps(case, ensure_ascii=False) for case in cases]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} cases written to {path}")


if __name__ == "__main__":
    main()
