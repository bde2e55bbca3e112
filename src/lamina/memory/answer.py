"""Answering a question from memory: search, ask a model, and once more if it needs another look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from lamina.errors import MalformedReply, NoModel
from lamina.identity import digest
from lamina.memory import read
from lamina.memory.standpoint import NOW, Standpoint
from lamina.memory.values import Answer
from lamina.model import Hit, Scope
from lamina.models.failures import error_of
from lamina.models.replies import Parsed, Question
from lamina.models.replies import ask as ask_model
from lamina.ports import LLM, Request
from lamina.work.engine import Engine

SYSTEM = (files("lamina.memory") / "prompts" / "answer.md").read_text(encoding="utf-8")
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "answer": {"type": "string"},
        "cited": {"type": "array", "items": {"type": "integer"}},
        "search": {"type": ["string", "null"]},
    },
    "required": ["answer", "cited", "search"],
    "additionalProperties": False,
}
MAX_OUTPUT_TOKENS = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What the model replied."""

    answer: str
    cited: tuple[int, ...]
    """Numbers of the lines in the context, from 1."""
    search: str | None
    """What to look for as well, if the context did not suffice."""


def ask(
    engine: Engine, scope: Scope, question: str, max_tokens: int, view: Standpoint = NOW
) -> Answer:
    """Answer from the context; see `Handle.ask`."""
    operation = digest("ask", question, engine.clock.now().isoformat())
    llm = engine.llm(scope, "answer", operation)
    if llm is None:
        raise NoModel(
            "to answer, a language model is needed; set LAMINA_MODEL, for example to "
            "ollama:qwen3, or use `search` and `context`, which need none"
        )
    queries = [question]
    context = read.context(engine, scope, question, max_tokens, standpoint=view)
    said, model = _said(llm, request(context.text, question))
    wanted = (said.search or "").strip()
    if wanted and wanted != question:
        queries.append(wanted)
        wider = read.context(engine, scope, "\n".join(queries), max_tokens, standpoint=view)
        if wider.text != context.text:
            context = wider
            said, model = _said(llm, request(context.text, question, searched=wanted))
    return Answer(
        text=said.answer,
        cited=_cited(said.cited, context.hits),
        queries=tuple(queries),
        model=model,
    )


def request(context: str, question: str, *, searched: str = "") -> Request:
    """Return what the model is asked.

    Args:
        context: The block that it may cite.
        question: As it was asked.
        searched: What was looked for besides, at the model's own wish.
    """
    besides = f"\n\nThe memory was also searched for: {searched}" if searched else ""
    return Request(
        role="answer",
        system=SYSTEM,
        prompt=f"{context}{besides}\n\nQuestion: {question}",
        schema=SCHEMA,
        max_output_tokens=MAX_OUTPUT_TOKENS,
    )


def parse(value: Mapping[str, Any]) -> Said:
    """Read a reply. Raises `MalformedReply` where it is not as asked for."""
    answer, search, cited = value.get("answer"), value.get("search"), value.get("cited", [])
    if not isinstance(answer, str) or not isinstance(cited, list):
        raise MalformedReply("`answer` must be a text and `cited` a list of numbers")
    numbers = [n for n in cited if isinstance(n, int) and not isinstance(n, bool)]
    return Said(
        answer=answer.strip(),
        cited=tuple(dict.fromkeys(numbers)),
        search=search if isinstance(search, str) else None,
    )


def _said(llm: LLM, asked: Request) -> tuple[Said, str]:
    [outcome] = ask_model(llm, [Question(request=asked, parse=parse)])
    if isinstance(outcome, Parsed):
        return outcome.value, outcome.reply.model
    raise error_of(outcome)


def _cited(numbers: Sequence[int], hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the hits that were cited; numbers that were not shown are dropped."""
    return tuple(hits[n - 1] for n in numbers if 1 <= n <= len(hits))
