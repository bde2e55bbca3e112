"""What a pool asks a model for 1,000 windows: calls and tokens of a window, by stage.

`python -m benchmarks.pool_cost [WINDOWS]`. The model is scripted: it tells windows in sentences of
usual length, and links half of what it is shown, each with a text of its own. Vectors are made of
hashed words. It is done in an empty pool, and again for as many windows in the pool that this left:
what is asked must not grow with it.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from threading import Lock
from typing import Any

import lamina
from benchmarks.atomrec_build import Hashed
from benchmarks.pool_data import catalogue, history
from benchmarks.timing import verdict
from lamina.models.tokens import rough_input_tokens, rough_tokens
from lamina.ports import Failure, Reply, Request
from lamina.testing import ScriptedLLM

COUNT = 1_000
EACH = 20
W = 3


class Model(ScriptedLLM):
    """Abstracts and judges by what it is shown alone, and takes its time."""

    def __init__(self, *, abstracting: float = 0.0, judging: float = 0.0) -> None:
        """Take the seconds of an answer."""
        super().__init__(always=answer)
        self._pauses = {"abstract": abstracting, "judge": judging}
        self._counting = Lock()
        self.seconds, self.calls = 0.0, 0

    def complete(self, requests: Sequence[Request]) -> list[Reply | Failure]:
        """See `LLM.complete`."""
        began = time.perf_counter()
        time.sleep(sum(self._pauses[stage(request)] for request in requests))
        found = super().complete(requests)
        with self._counting:
            self.seconds += time.perf_counter() - began
            self.calls += len(requests)
        return found


def main() -> None:
    """Count what is asked, in an empty pool and in one that is filled."""
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    users = max(1, (numbers[0] if numbers else COUNT) // EACH)
    model = Model()
    with lamina.open(":memory:", encoder=Hashed(), llm=model) as memory:
        films = memory.recommender("films")
        films.add_items(catalogue())
        for first in (0, users):
            films.add_interactions(
                act for user in range(first, first + users) for act in history(user, EACH + W - 1)
            )
            model.requests = []
            films.pool.refresh()
            patterns = films.pool.measure().patterns
            print(f"\n{users * EACH} windows, after which there are {patterns} patterns:")
            tell(model.requests, users * EACH)


def tell(asked: Sequence[Request], windows: int) -> None:
    """Print calls and tokens of a window, by stage."""
    calls, read, written = Counter[str](), Counter[str](), Counter[str]()
    for request in asked:
        name = stage(request)
        calls[name] += 1
        read[name] += rough_input_tokens(request)
        written[name] += rough_tokens(answer(request))
    print(f"{'':12}{'calls':>8}{'tokens in':>12}{'tokens out':>12}   a window")
    for name in calls:
        each = (calls[name] / windows, read[name] / windows, written[name] / windows)
        print(f"  {name:10}{each[0]:8.2f}{each[1]:12.0f}{each[2]:12.0f}")
    verdict("calls a window", calls.total() / windows, "at most 1.6")
    print(f"tokens a window: {read.total() / windows:.0f} in, {written.total() / windows:.0f} out")


def stage(request: Request) -> str:
    """Return which stage asks: `abstract` or `judge`."""
    properties = (request.schema or {}).get("properties", {})
    return "judge" if "linked" in properties else "abstract"


def answer(request: Request) -> str:
    """Return what the model says; the same for the same request."""
    lines = [json.loads(line) for line in request.prompt.splitlines() if line.startswith("[")]
    if stage(request) == "judge":
        shown = [line for line in lines if isinstance(line[0], int)]
        links = [
            {"id": number, "reason": "Both show the same tendency.", **_merged(lines[0], told)}
            for number, *told in shown[::2]
        ]
        return json.dumps({"linked": links})
    told = [{"id": number, **_abstracted(kinds)} for number, kinds in _windows(lines)]
    return json.dumps({"windows": told})


def _windows(lines: Sequence[list[Any]]) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each window that is shown, and the first kind of each of its items."""
    number, kinds = 0, list[str]()
    for line in lines:
        if line[0] == "window":
            if number:
                yield number, kinds
            number, kinds = line[1], []
        elif line[0] != "names":
            kinds.append(_split(line[1])[0])
    yield number, kinds


def _split(listed: str) -> list[str]:
    return listed.split("; ")


def _abstracted(kinds: Sequence[str]) -> dict[str, Any]:
    [(most, _), *rest] = Counter(kinds).most_common()
    other = rest[0][0] if rest else most
    return {
        "behavior_explanation": f"A liking for {most} stories that leads from time to time to"
        f" {other}, with a preference for what is told with care over what is new.",
        "pattern_description": f"Chooses {', then '.join(kinds)}, and rates what comes after a"
        f" change of {most} as high as what came before.",
        "keywords": sorted(set(kinds)),
    }


def _merged(new: Sequence[Any], old: Sequence[Any]) -> dict[str, Any]:
    """Return the older text with the keywords of both."""
    return {
        "behavior_explanation": old[0],
        "pattern_description": old[1],
        "keywords": list(dict.fromkeys([*_split(old[2]), *_split(new[3])]))[:6],
    }


if __name__ == "__main__":
    main()
