"""Replies by schema: from what a model wrote to a checked value, asked for once more if need be."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from lamina.errors import MalformedReply
from lamina.ports import LLM, Failure, Reply, Request

T = TypeVar("T")

MAX_REASON = 200
"""Characters of a reason that are told to the model when it is asked again."""
MAX_STARTS = 64
"""Places where JSON may begin that are tried in a text."""

_FENCED = re.compile(r"```(?:json|JSON)?[ \t]*\r?\n(.*?)```", re.DOTALL)
_OPENING = re.compile(r"[{\[]")
_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "object": dict, "array": list, "string": str, "number": (int, float), "integer": int,
    "boolean": bool, "null": type(None),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Generic[T]):
    """A request whose reply is JSON, and how to read it."""

    request: Request
    parse: Callable[[Any], T]
    """From the JSON value to what is wanted. Raises `MalformedReply` or `ValueError` where it is
    not as asked for; its message is told to the model when it is asked again, cut to
    `MAX_REASON`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed(Generic[T]):
    """What a reply said, and the reply."""

    value: T
    reply: Reply


@runtime_checkable
class Keeps(Protocol):
    """A model that keeps replies for later, but only those that proved to be good."""

    def keep(self, accepted: Sequence[tuple[Request, Reply]]) -> None:
        """Keep these replies, so that the same requests need not be paid again."""
        ...


def ask(llm: LLM, questions: Sequence[Question[T]]) -> list[Parsed[T] | Failure]:
    """Ask all questions, once more those whose reply is malformed, and answer in order.

    Args:
        llm: Called at most twice, each time with all that is left to ask.
        questions: Independent of each other: a bad reply spoils nothing but its own question.

    Returns:
        For each question what was read from its reply, or why there is nothing. A reply that was
        malformed twice is a `Failure` of reason `malformed`; other failures are passed on as they
        came and are not asked again.
    """
    answers, malformed = _round(llm, questions)
    again = [
        replace(questions[i], request=stricter(questions[i].request, reason))
        for i, reason in malformed.items()
    ]
    if not again:
        return answers
    second, still = _round(llm, again)
    for place, (i, answer) in enumerate(zip(malformed, second, strict=True)):
        answers[i] = _given_up(still[place]) if place in still else answer
    return answers


def _round(
    llm: LLM, questions: Sequence[Question[T]]
) -> tuple[list[Parsed[T] | Failure], dict[int, MalformedReply]]:
    """Ask once. Where a reply is malformed, its place is in the second value, with the reason."""
    requests = [question.request for question in questions]
    answers: list[Parsed[T] | Failure] = []
    malformed: dict[int, MalformedReply] = {}
    for i, given in enumerate(llm.complete(requests) if requests else []):
        try:
            answers.append(given if isinstance(given, Failure) else read(given, questions[i]))
        except MalformedReply as error:
            malformed[i] = error
            answers.append(_given_up(error))
    if isinstance(llm, Keeps):
        llm.keep(
            [
                (requests[i], answer.reply)
                for i, answer in enumerate(answers)
                if isinstance(answer, Parsed)
            ]
        )
    return answers, malformed


def read(reply: Reply, question: Question[T]) -> Parsed[T]:
    """Return what `reply` says.

    Raises:
        MalformedReply: There is no JSON in it, or not of the form that was asked for.
    """
    schema = question.request.schema or {}
    try:
        value = json_in(reply.text, schema)
        wrong = misfit(value, schema)
        if wrong:
            raise MalformedReply(wrong)
        return Parsed(value=question.parse(value), reply=reply)
    except (MalformedReply, ValueError) as error:
        if reply.truncated:
            raise _CutOff("it was cut off at the limit of its length, so be briefer") from error
        raise MalformedReply(str(error)) from error


def json_in(text: str, schema: Mapping[str, Any] = MappingProxyType({})) -> Any:
    """Return the JSON value in `text`: all of it, or in a fence, or amid prose.

    Amid prose the longest value that `schema` fits is meant: a piece of a broken answer is none.

    Raises:
        MalformedReply: There is none.

    >>> json_in('Here you are: {"facts": []}')
    {'facts': []}
    """
    for candidate in (text, *_FENCED.findall(text)):
        stripped = candidate.strip().lstrip("\ufeff")
        found = _decoded(stripped, 0)
        if found and found[1] == len(stripped):
            return found[0]
    return _amid_prose(text, schema)


def misfit(value: Any, schema: Mapping[str, Any]) -> str | None:
    """Return how the outermost layer of `value` is not what `schema` says; `None` if it is.

    >>> misfit([], {"type": "object"})
    'it is not a JSON object'
    >>> misfit({}, {"type": "object", "required": ["facts"]})
    'it lacks "facts"'
    """
    wanted = schema.get("type")
    expected = _TYPES.get(wanted) if isinstance(wanted, str) else None
    if expected is not None and not isinstance(value, expected):
        return f"it is not a JSON {wanted}"
    if isinstance(value, dict):
        for key in schema.get("required", ()):
            if key not in value:
                return f'it lacks "{key}"'
    return None


def stricter(request: Request, reason: MalformedReply | str) -> Request:
    """Return `request` asked more strictly, naming what was wrong but not repeating the reply."""
    said = " ".join(str(reason).split())[:MAX_REASON]
    return replace(
        request,
        system=f"{request.system}\n\nYour last answer to this could not be used: {said}. Answer "
        "with exactly one JSON value of the form asked for and nothing else: no introduction, no "
        "explanation, no code fence.",
    )


class _CutOff(MalformedReply):
    """The reply ended at the limit of output tokens."""


def _given_up(error: MalformedReply) -> Failure:
    """Return the failure. The reason may quote the reply, so only its kind is told."""
    what = "cut off at the limit of output tokens" if isinstance(error, _CutOff) else "malformed"
    return Failure(
        reason="malformed", detail=f"the model's reply was {what}, also when asked again"
    )


def _decoded(text: str, start: int) -> tuple[Any, int] | None:
    """Return the JSON value that begins at `start`, and where it ends; `None` if there is none."""
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None


def _amid_prose(text: str, schema: Mapping[str, Any]) -> Any:
    longest, value, position = 0, None, 0
    for _ in range(MAX_STARTS):
        opening = _OPENING.search(text, position)
        if opening is None:
            break
        position = opening.end()
        found = _decoded(text, opening.start())
        if found is None or misfit(found[0], schema) or not _shares_a_key(found[0], schema):
            continue
        length, position = found[1] - opening.start(), found[1]
        if length > longest:
            longest, value = length, found[0]
    if not longest:
        raise MalformedReply("it holds no JSON of the form asked for")
    return value


def _shares_a_key(value: Any, schema: Mapping[str, Any]) -> bool:
    named = schema.get("properties")
    return not isinstance(value, dict) or not named or not named.keys().isdisjoint(value)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
