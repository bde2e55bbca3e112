"""AMEM4Rec with a language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias, TypeVar

from lamina.errors import NoModel
from lamina.identity import digest
from lamina.models.lines import Count, Shown, roughly
from lamina.models.replies import Parsed, Question, ask
from lamina.ports import LLM, Failure
from lamina.strategies.amem4rec import prompts, replies, sheets
from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.strategies.amem4rec.extractive import selected
from lamina.strategies.amem4rec.leaks import leaked
from lamina.strategies.amem4rec.stages import LASTING, Abstraction, Judging, Linked, Window

T = TypeVar("T")


UNTITLED = "a number or an id"
"""What is told of a name that a model is not shown."""


class _Unusable(NamedTuple):
    """An answer left a window out, garbled it, or named something."""

    names: tuple[str, ...] = ()
    """What it gave away: titles."""


_Answer: TypeAlias = Abstraction | Failure | _Unusable


class Prompted:
    """Both stages, by asking a model; see `Forming`. A malformed reply is asked for once more."""

    name = "amem4rec-prompted"

    def __init__(
        self,
        config: AMEM4RecConfig | None = None,
        llm: LLM | None = None,
        count: Count = roughly,
    ) -> None:
        """Take what is asked.

        Args:
            config: How the method works.
            llm: Abstracts and judges.
            count: The encoder's `count_tokens`. Lines hold by it and by the rough count.
        """
        self._config = config or AMEM4RecConfig()
        self._llm = llm
        self._count = count
        self._model: str | None = None

    @property
    def model(self) -> str | None:
        """See `Forming.model`."""
        return self._model

    def abstract(self, windows: Sequence[Window]) -> list[Abstraction | Failure | None]:
        """See `Forming.abstract`; `config.at_once` windows a question.

        Windows that the answer left out, garbled, or in which it named something of any window that
        it was shown are asked about once more, by themselves, with what was named. What is no
        better then, or of which every answer was malformed or refused, is selected and `raw`.
        """
        told = {place: () for place, window in enumerate(windows) if _tells(window)}
        first = self._round(windows, told)
        left = {place: each.names for place, each in first.items() if isinstance(each, _Unusable)}
        answers = first | self._round(windows, left)
        return [_settled(window, answers.get(place)) for place, window in enumerate(windows)]

    def judge(self, asked: Judging) -> tuple[Linked, ...] | Failure:
        """See `Forming.judge`: one question for all candidates."""
        shown = Shown.of(each.pattern for each in asked.candidates)
        request = sheets.judge(asked, shown, not self._config.semantic_gate, self._count)
        return self._ask([Question(request=request, parse=replies.linked(asked, shown))])[0]

    def _round(
        self, windows: Sequence[Window], named: Mapping[int, tuple[str, ...]]
    ) -> dict[int, _Answer]:
        """Ask about windows, told by place with what was named, and return what was answered."""
        places, size = list(named), self._config.at_once
        batches = [places[start : start + size] for start in range(0, len(places), size)]
        questions: list[Question[dict[int, Abstraction]]] = []
        for batch in batches:
            shown, names = [windows[place] for place in batch], [named[place] for place in batch]
            request = sheets.abstract(shown, names, self._count)
            questions.append(Question(request=request, parse=replies.abstracted(len(batch))))
        found: dict[int, _Answer] = {}
        answers = self._ask(questions)
        for batch, answer in zip(batches, answers, strict=True):
            told = [name for place in batch for name in named[place]]
            usable = _usable([windows[place] for place in batch], answer, told)
            found |= dict(zip(batch, usable, strict=True))
        return found

    def _ask(self, questions: Sequence[Question[T]]) -> list[T | Failure]:
        """Ask all at once.

        Raises:
            NoModel: There is something to ask, and nobody to answer.
        """
        if not questions:
            return []
        if self._llm is None:
            raise NoModel
        answers = ask(self._llm, questions)
        read = [answer for answer in answers if isinstance(answer, Parsed)]
        self._model = read[-1].reply.model if read else self._model
        return [answer.value if isinstance(answer, Parsed) else answer for answer in answers]


def prompt_digest(*stages: prompts.Stage) -> str:
    """Return a digest of the wording of some stages."""
    return digest(*map(prompts.load, stages))


def _tells(window: Window) -> bool:
    """Whether two of its items, or the only one, tell anything."""
    told = sum(bool(each.title.strip() or each.categories) for each in window.seen)
    return told >= min(2, len(window.seen)) > 0


def _usable(
    shown: Sequence[Window], answer: Mapping[int, Abstraction] | Failure, told: Sequence[str]
) -> list[_Answer]:
    """Return what an answer says of each window shown, if it names nothing that was shown.

    That is their things, and the names it was told not to say again, which may be others'.
    """
    if isinstance(answer, Failure):
        return [answer for _ in shown]
    own = (name for window in shown for name in window.names)
    names = tuple(dict.fromkeys((*own, *told)))
    seen = [each for window in shown for each in window.seen]
    titles = {each.title.strip() for each in seen}
    categories = [name for each in seen for name in each.categories]
    found: list[_Answer] = []
    for place in range(len(shown)):
        said = answer.get(place)
        given_away = leaked("\n".join(said.words), names, categories) if said else ()
        if said is None or given_away:
            titled = tuple(name for name in given_away if name in titles)
            found.append(_Unusable(titled or ((UNTITLED,) if given_away else ())))
        else:
            found.append(said)
    return found


def _settled(window: Window, answer: _Answer | None) -> Abstraction | Failure | None:
    """Return what a window says: where no answer of use came, or will, what is selected of it."""
    if isinstance(answer, _Unusable) or (isinstance(answer, Failure) and answer.reason in LASTING):
        said = selected(window)
        return replace(said, raw=True) if said else None
    return answer
