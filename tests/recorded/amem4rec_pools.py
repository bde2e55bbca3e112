"""Two pools of patterns made by a model: windows abstracted in batches, then gated and merged.

Replies are kept by the digest of their prompt. `python -m tests.recorded.amem4rec_pools FOLDER`
reads those that lie there (`POOL/STAGE-DIGEST.reply.json`), goes as far as they lead, writes each
prompt that is not answered yet (`POOL/STAGE-DIGEST.txt`), and tells what was made of the others.
All abstractions of a pool can be answered at once; of judgements each needs those before it. With
`--record=WHO` what was answered is kept beside this file.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lamina.adapters.encoders import open_encoder
from lamina.ports import Encoder, Failure, Reply, Request
from lamina.strategies.amem4rec.building import Built, build
from lamina.strategies.amem4rec.prompted import Prompted
from lamina.strategies.amem4rec.stages import Abstraction, Judging, Linked, Window
from tests.recorded.amem4rec_windows import CONFIG, pools
from tests.recorded.cases import prompt_digest

HERE = Path(__file__).parent / "amem4rec"


class Unanswered(Exception):
    """A judgement is needed to go on."""


@dataclass(slots=True, kw_only=True)
class Told:
    """An `LLM` that gives kept replies by the digest of their prompt, and keeps the requests."""

    replies: Mapping[str, str]
    asked: dict[str, Request] = field(default_factory=dict)
    """By digest, in order."""

    def complete(self, requests: Sequence[Request]) -> list[Reply | Failure]:
        """See `LLM.complete`."""
        return [self._answer(request) for request in requests]

    def unanswered(self) -> dict[str, Request]:
        """Return what was asked and is not answered."""
        return {key: each for key, each in self.asked.items() if key not in self.replies}

    def _answer(self, request: Request) -> Reply | Failure:
        key = prompt_digest(request)
        self.asked[key] = request
        if key not in self.replies:
            return Failure(reason="server", detail="not answered")
        return Reply(text=self.replies[key], model="recorded")


class Watched(Prompted):
    """Keeps what came out of each stage; stops where a judgement is not answered."""

    def __init__(self, llm: Told) -> None:
        super().__init__(CONFIG, llm)
        self.said: list[tuple[Window, Abstraction | Failure | None]] = []
        self.judged: list[tuple[Judging, tuple[Linked, ...]]] = []

    def abstract(self, windows: Sequence[Window]) -> list[Abstraction | Failure | None]:
        """See `Forming.abstract`."""
        said = super().abstract(windows)
        self.said += zip(windows, said, strict=True)
        return said

    def judge(self, asked: Judging) -> tuple[Linked, ...] | Failure:
        """See `Forming.judge`.

        Raises:
            Unanswered: There is no reply yet.
        """
        judged = super().judge(asked)
        if isinstance(judged, Failure):
            if judged.reason == "server":
                raise Unanswered
            return judged
        self.judged.append((asked, judged))
        return judged


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """How far the replies lead."""

    llm: Told
    stages: Watched
    built: Built | None
    """`None` where something is not answered."""


def walk(windows: Sequence[Window], replies: Mapping[str, str], encoder: Encoder) -> Walk:
    """Form a pool from kept replies."""
    llm = Told(replies=replies)
    first = Watched(llm)
    for start in range(0, len(windows), CONFIG.at_once):
        first.abstract(windows[start : start + CONFIG.at_once])
    if llm.unanswered():
        return Walk(llm=llm, stages=first, built=None)

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        return encoder.encode(texts)

    stages = Watched(llm)
    try:
        built = build(windows, stages, encode, CONFIG, CONFIG.taus(encoder.space.id))
    except Unanswered:
        return Walk(llm=llm, stages=stages, built=None)
    return Walk(llm=llm, stages=stages, built=built)


def stage(request: Request) -> str:
    """Return by which stage a request was made."""
    return "judge" if request.prompt.startswith('["new"') else "abstract"


def recorded(pool: str) -> dict[str, str]:
    """Return the recorded replies of a pool, by the digest of their prompt."""
    path = HERE / f"{pool}.json"
    if not path.exists():
        return {}
    return {told["prompt_digest"]: told["reply"] for told in json.loads(path.read_text("utf-8"))}


def _beside(folder: Path) -> dict[str, str]:
    found = {}
    for path in sorted(folder.glob("*.reply.json")):
        found[path.name.split(".")[0].split("-")[-1]] = path.read_text("utf-8")
    return found


def _render(folder: Path, windows: Sequence[Window], encoder: Encoder) -> Walk:
    folder.mkdir(parents=True, exist_ok=True)
    done = walk(windows, _beside(folder), encoder)
    for window, said in done.stages.said:
        sys.stdout.write(f"{[each.title for each in window.seen]}\n  {said}\n")
    for asked, linked in done.stages.judged:
        sys.stdout.write(f"{asked.new.shown!r} is linked: {linked}\n")
    for key, request in done.llm.unanswered().items():
        path = folder / f"{stage(request)}-{key}.txt"
        path.write_text(f"{request.system}\n\n{request.prompt}\n", "utf-8")
        sys.stdout.write(f"answer {path} into {path.with_suffix('')}.reply.json\n")
    if done.built:
        sys.stdout.write(f"{len(done.built.patterns)} patterns; nothing is left to answer\n")
    return done


def _record(pool: str, done: Walk, by: str) -> None:
    HERE.mkdir(exist_ok=True)
    kept = [
        {"prompt_digest": key, "stage": stage(request), "by": by, "reply": done.llm.replies[key]}
        for key, request in done.llm.asked.items()
        if key in done.llm.replies
    ]
    text = json.dumps(kept, ensure_ascii=False, indent=1)
    (HERE / f"{pool}.json").write_text(f"{text}\n", "utf-8")


def main() -> None:
    """Render the prompts of both pools, or of one; with `--record=WHO`, keep the replies."""
    who = [each.removeprefix("--record=") for each in sys.argv[1:] if each.startswith("--record=")]
    folder, *chosen = [each for each in sys.argv[1:] if not each.startswith("--")]
    encoder = open_encoder("minilm")
    for pool, windows in pools().items():
        if not chosen or pool in chosen:
            done = _render(Path(folder) / pool, windows, encoder)
            for by in who:
                _record(pool, done, by)


if __name__ == "__main__":
    main()
