"""AtomRec with a language model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from lamina.errors import NoModel
from lamina.identity import digest
from lamina.models.lines import Count, Shown, roughly
from lamina.models.replies import Parsed, Question, ask
from lamina.ports import LLM, Failure, Request
from lamina.strategies.atomrec import evidence, prompts, sheets
from lamina.strategies.atomrec import replies_forming as forming
from lamina.strategies.atomrec import replies_ranking as ranking
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.strategies.atomrec.stages import (
    Candidate,
    Click,
    Evolution,
    Evolving,
    Fields,
    Linking,
    Reading,
    Reflecting,
    Reflection,
    Relation,
    Scored,
    Synthesis,
    Taste,
    Written,
)

T = TypeVar("T")


class Prompted:
    """All stages, by asking models; see `Stages`. A malformed reply is asked for once more."""

    name = "atomrec-prompted"
    asks = True

    def __init__(
        self,
        config: AtomRecConfig | None = None,
        memory_llm: LLM | None = None,
        rank_llm: LLM | None = None,
        count: Count = roughly,
    ) -> None:
        """Take what is asked.

        Args:
            config: How the method works.
            memory_llm: Writes, links, evolves, reflects and synthesises.
            rank_llm: Tells tastes and scores; `memory_llm`, if there is none.
            count: The encoder's `count_tokens`. Budgets hold by it and by the rough count.
        """
        self._config = config or AtomRecConfig()
        self._memory = memory_llm
        self._rank = rank_llm or memory_llm
        self._count = count
        self._model: str | None = None

    @property
    def model(self) -> str | None:
        """See `Forming.model`."""
        return self._model

    def write(self, clicks: Sequence[Click]) -> list[Written | Failure]:
        """See `Stages.write`; where an item may tell only its description, that is asked apart."""
        apart = [click.new_item and click.metadata_only for click in clicks]
        alone = [click for click, is_apart in zip(clicks, apart, strict=True) if is_apart]
        questions: list[Question[Any]] = [
            *(_question(sheets.write(c, self._count), forming.written(c)) for c in clicks),
            *(_question(sheets.write_item(c, self._count), forming.item_note) for c in alone),
        ]
        answers = self._ask(self._memory, questions)
        items = iter(answers[len(clicks) :])
        return [
            _joined(answer, next(items) if is_apart else None)
            for answer, is_apart in zip(answers[: len(clicks)], apart, strict=True)
        ]

    def link(self, asked: Sequence[Linking]) -> list[tuple[Relation, ...] | Failure]:
        """See `Stages.link`; where nothing is near, nothing is asked."""
        near = [each for each in asked if each.near]
        questions: list[Question[tuple[Relation, ...]]] = []
        for each in near:
            shown = Shown.of(each.near)
            request = sheets.link(each, shown, self._count)
            questions.append(_question(request, forming.linked(each, shown)))
        answers = self._ask(self._memory, questions)
        found = iter(answers)
        return [next(found) if each.near else () for each in asked]

    def evolve(self, asked: Sequence[Evolving]) -> list[Evolution | Failure | None]:
        """See `Stages.evolve`."""
        questions = []
        for each in asked:
            shown = Shown.of((each.new, each.target, *each.nearby))
            request = sheets.evolve(each, shown, self._count)
            questions.append(_question(request, forming.evolved(each, shown)))
        return [*self._ask(self._memory, questions)]

    def reflect(self, asked: Sequence[Reflecting]) -> list[Reflection | Failure | None]:
        """See `Stages.reflect`."""
        questions = []
        for each in asked:
            shown = Shown.of((each.note, each.item, *each.neighbours))
            request = sheets.reflect(each, shown, self._count)
            questions.append(_question(request, forming.reflected(each, shown)))
        return [*self._ask(self._memory, questions)]

    def synthesise(self, reading: Reading) -> Synthesis | Failure:
        """See `Stages.synthesise`."""
        asked = evidence.synthesise(reading, self._config, self._count)
        parse = ranking.synthesis(asked.cards, self._config.facets)
        return self._ask(self._memory, [_question(asked.request, parse)])[0]

    def taste(self, reading: Reading, synthesis: Synthesis | None) -> Taste | Failure:
        """See `Stages.taste`."""
        asked = evidence.taste(reading, synthesis, self._config, self._count)
        parse = ranking.taste(asked.cards, self._config)
        return self._ask(self._rank, [_question(asked.request, parse)])[0]

    def score(
        self,
        reading: Reading,
        synthesis: Synthesis | None,
        taste: Taste | None,
        candidates: Sequence[Candidate],
    ) -> Scored | Failure:
        """See `Stages.score`; without candidates nothing is asked."""
        if not candidates:
            return Scored()
        read = (synthesis, taste)
        asked = evidence.score(reading, read, candidates, self._config, self._count)
        parse = ranking.scores(asked.candidates)
        return self._ask(self._rank, [_question(asked.request, parse)])[0]

    def _ask(self, llm: LLM | None, questions: Sequence[Question[T]]) -> list[T | Failure]:
        """Ask all at once.

        Raises:
            NoModel: There is something to ask, and nobody to answer.
        """
        if not questions:
            return []
        if llm is None:
            raise NoModel
        answers = ask(llm, questions)
        read = [answer for answer in answers if isinstance(answer, Parsed)]
        self._model = read[-1].reply.model if read else self._model
        return [answer.value if isinstance(answer, Parsed) else answer for answer in answers]


def prompt_digest(*stages: prompts.Stage) -> str:
    """Return a digest of the wording of some stages."""
    return digest(*map(prompts.load, stages))


def _question(request: Request, parse: Callable[[Any], T]) -> Question[T]:
    return Question(request=request, parse=parse)


def _joined(answer: Written | Failure, item: Fields | Failure | None) -> Written | Failure:
    """Return both notes of an interaction, or why one of them could not be had."""
    if isinstance(answer, Failure) or item is None:
        return answer
    return item if isinstance(item, Failure) else Written(user=answer.user, item=item)
