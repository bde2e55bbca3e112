"""What a well-behaved model answers where pools ask, by what it is shown alone."""

import json
from collections import Counter
from typing import Any

from lamina.ports import Request


def answer(request: Request, *, aside: str = "") -> str:
    """Return what windows say, or that the new part belongs to all candidates; else nothing.

    Args:
        request: What is asked.
        aside: What the reply says besides, where nobody reads it.
    """
    lines = [json.loads(line) for line in request.prompt.splitlines() if line.startswith("[")]
    if asks_to_judge(request):
        shown = [line for line in lines if isinstance(line[0], int)]
        links = [{"id": number, "reason": "Alike.", **_said(old)} for number, *old in shown]
        return json.dumps({"linked": links, "aside": aside})
    if "windows" not in (request.schema or {}).get("properties", {}):
        return json.dumps({"aside": aside})
    return json.dumps({"windows": _windows(lines), "aside": aside})


def asks_to_judge(request: Request) -> bool:
    """Whether a request shows candidates, and not windows."""
    return "linked" in (request.schema or {}).get("properties", {})


def _windows(lines: list[Any]) -> list[dict[str, Any]]:
    found: list[tuple[int, list[str]]] = []
    for line in lines:
        if line[0] == "window":
            found.append((line[1], []))
        elif line[0] != "names":
            found[-1][1].append(str(line[1]).split("; ")[0])
    return [{"id": number, **_tendency(kinds)} for number, kinds in found]


def _tendency(kinds: list[str]) -> dict[str, Any]:
    [(most, _), *_] = Counter(kinds).most_common()
    return {
        "behavior_explanation": f"A liking for {most}.",
        "pattern_description": f"Turns to {kinds[-1]} in the end.",
        "keywords": sorted(set(kinds)),
    }


def _said(old: list[Any]) -> dict[str, Any]:
    return {
        "behavior_explanation": old[0],
        "pattern_description": old[1],
        "keywords": str(old[2]).split("; "),
    }
