"""Invented conversations, and what readers answered to the prompts that they give.

A recording bears the digest of its prompt. When the wording changes, its test fails until somebody
(or some model) answers the new prompt: `python -m tests.recorded.cases CASE` prints it.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from lamina.identity import digest
from lamina.memory import answer
from lamina.model import Changes, Hit, Message, Note
from lamina.models.replies import Question, read
from lamina.ports import Failure, Reply, Request
from lamina.recall.context import Context, fill
from lamina.strategies.structmem.config import StructMemConfig
from lamina.strategies.structmem.prompted import Prompted
from tests.recorded import comparisons
from tests.strategies.structmem.listed import ListedView

HERE = Path(__file__).parent
CONVERSATIONS = (("kiln", "dairy"), ("zh-kiln",), ("swim", "lake"))
"""Sessions that belong to one memory, in order of time."""
QUESTIONS = {
    "ask-closing": ("kiln", "dairy", "When does the Kiln House close, and was it a rumour?"),
    "ask-allergy": ("kiln", "dairy", "Is Nadia vegan, and what is she allergic to?"),
    "ask-bank": ("kiln", "dairy", "Which bank does Nadia use?"),
    "ask-race": ("kiln", "dairy", "Will Nadia and Tom run the river race?"),
    "ask-zh-party": ("zh-kiln", "娜迪娅妈妈的聚会是哪一天，有什么惊喜？"),
}
"""Name to the sessions of a memory, and what is asked of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """What a reader answered to one prompt."""

    prompt_digest: str
    by: str
    """Who answered, and how."""
    reply: str
    """Word for word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchanged:
    """A prompt as it is now, and the recorded answer to it."""

    case: str
    request: Request


class Recorded:
    """An `LLM` that gives the recorded answers of some cases in order, and keeps the requests."""

    def __init__(self, *cases: str) -> None:
        self._cases = list(cases)
        self.exchanged: list[Exchanged] = []

    def complete(self, requests: Sequence[Request]) -> list[Reply | Failure]:
        """See `LLM.complete`."""
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Reply | Failure:
        if not self._cases:
            return Failure(reason="server", detail="no more recordings: one was malformed")
        case = self._cases.pop(0)
        self.exchanged.append(Exchanged(case=case, request=request))
        found = recording(case)
        if found is None:
            return Failure(reason="server", detail=f"{case} is not recorded")
        return Reply(text=found.reply, model="recorded")


def recording(case: str) -> Recording | None:
    """Return what was recorded for a case, if anything was."""
    path = HERE / "replies" / f"{case}.json"
    return Recording(**json.loads(path.read_text("utf-8"))) if path.exists() else None


def prompt_digest(request: Request) -> str:
    """Return what tells whether a prompt has changed."""
    return digest(request.system, request.prompt)


def messages(session: str) -> list[Message]:
    """Return an invented session."""
    path = HERE / "conversations" / f"{session}.jsonl"
    return [
        _message(session, position, json.loads(line))
        for position, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
    ]


def _message(session: str, position: int, told: dict[str, str]) -> Message:
    said_at = datetime.fromisoformat(told["timestamp"])
    return Message(
        id=f"{session}-{position}",
        session=session,
        role="assistant" if told.get("role") == "assistant" else "user",
        speaker=told["speaker"],
        text=told["content"],
        said_at=said_at,
        recorded_at=said_at,
        position=position,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Formed:
    """A memory formed from recorded answers, and every step of forming it."""

    view: ListedView
    steps: dict[str, Changes]
    """`SESSION.bind` and `SESSION.consolidate` to what the step wanted written."""
    exchanged: tuple[Exchanged, ...]


@cache
def formed(*sessions: str) -> Formed:
    """Bind and consolidate sessions one after the other with the recorded answers."""
    view = ListedView()
    steps: dict[str, Changes] = {}
    exchanged: list[Exchanged] = []
    for session in sessions:
        view.messages += messages(session)
        for kind in ("bind", "consolidate"):
            view.llm = llm = Recorded(f"{session}.{kind}")
            batch = (view.bind_batch if kind == "bind" else view.buffer_batch)(session, closed=True)
            steps[f"{session}.{kind}"] = changes = Prompted().digest(batch, view)
            view.apply(changes)
            exchanged += llm.exchanged
    return Formed(view=view, steps=steps, exchanged=tuple(exchanged))


@cache
def formed_in_two_calls(session: str) -> Formed:
    """Bind a session with a call for each perspective."""
    llm = Recorded(f"{session}.bind-facts", f"{session}.bind-relations")
    view = ListedView(messages(session), llm)
    changes = Prompted(StructMemConfig(calls="two")).digest(view.bind_batch(session), view)
    view.apply(changes)
    steps = {f"{session}.bind": changes}
    return Formed(view=view, steps=steps, exchanged=tuple(llm.exchanged))


def asked(case: str) -> tuple[Context, Request]:
    """Return the context and the request of a question."""
    *sessions, question = QUESTIONS[case]
    view = formed(*sessions).view
    later = datetime(2030, 1, 1, tzinfo=UTC)
    [found] = view.nearest([question], 30, before=later)
    hits = [_hit(each.entry, each.similarity) for each in found]
    context = fill(hits, max_tokens=900, count=view.count_tokens)
    return context, answer.request(context.text, question)


def said(case: str) -> answer.Said:
    """Return what the recorded answer to a question says."""
    _, request = asked(case)
    found = recording(case)
    assert found is not None, f"{case} is not recorded"
    reply = Reply(text=found.reply, model="recorded")
    return read(reply, Question(request=request, parse=answer.parse)).value


def prompts() -> dict[str, Request]:
    """Return every prompt as it is now, by case."""
    found = [formed(*sessions) for sessions in CONVERSATIONS]
    found.append(formed_in_two_calls("kiln"))
    forming = {each.case: each.request for memory in found for each in memory.exchanged}
    asking = {case: asked(case)[1] for case in QUESTIONS}
    return forming | asking | {case: comparisons.asked(case) for case in comparisons.CASES}


def _hit(entry: Note | Message, relevance: float) -> Hit:
    if isinstance(entry, Message):
        return Hit(
            kind="message",
            id=entry.id,
            text=entry.text,
            relevance=relevance,
            session=entry.session,
            speaker=entry.speaker,
            role=entry.role,
            began_at=entry.said_at,
            said_at=entry.said_at,
            sources=(entry.id,),
        )
    return Hit(
        kind=entry.kind,
        id=entry.id,
        text=entry.text,
        relevance=relevance,
        session=None,
        speaker=entry.said_by,
        role=entry.role,
        certainty=entry.certainty,
        began_at=entry.began_at,
        said_at=entry.said_at,
        valid_at=entry.valid_at,
        sources=entry.sources,
    )


def main() -> None:
    """Print the prompt of the case that is named, or the names of all cases."""
    found = prompts()
    for case in sys.argv[1:] or found:
        request = found[case]
        text = f"{request.system}\n\n{request.prompt}" if sys.argv[1:] else case
        sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    main()
