"""Supersession with a language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lamina.errors import NoModel
from lamina.model import Changes
from lamina.models.replies import Parsed, Question, ask
from lamina.ports import Batch, Failure, StepView
from lamina.strategies.supersession.candidates import Pairing, pairings
from lamina.strategies.supersession.config import SupersessionConfig
from lamina.strategies.supersession.judgement import Judged, parser, prompt_digest, request
from lamina.strategies.supersession.verdicts import changes


class Prompted:
    """Asks the view's model about new facts that have something near to them to be held against.

    Without candidates nothing is asked. A reply that cannot be used changes nothing.
    """

    name = "supersession"

    def __init__(self, config: SupersessionConfig | None = None) -> None:
        self._config = config or SupersessionConfig()

    def digest(self, batch: Batch, view: StepView) -> Changes:
        """Return what a `supersede` step wants written; a redo if there was no good reply.

        Raises:
            NoModel: The view has no model, and there is something to ask.
        """
        facts = [note for note in batch.notes if note.kind == "fact"]
        found = pairings(facts, view, self._config)
        if not found:
            return Changes()
        if view.llm is None:
            raise NoModel
        size = self._config.facts_a_call
        asked = [found[start : start + size] for start in range(0, len(found), size)]
        answers = ask(view.llm, [_question(each) for each in asked])
        failed = [answer for answer in answers if isinstance(answer, Failure)]
        if failed:
            return Changes(redo=f"facts could not be compared: {failed[0].reason}"
                           f" ({failed[0].detail})")  # fmt: skip
        return _judged([answer for answer in answers if isinstance(answer, Parsed)], view)


def _question(pairings: Sequence[Pairing]) -> Question[list[Judged]]:
    return Question(request=request(pairings), parse=parser(pairings))


def _judged(answers: Sequence[Parsed[list[Judged]]], view: StepView) -> Changes:
    verdicts = [judged for answer in answers for judged in answer.value]
    events = [n.event for judged in verdicts for n in (judged.new, judged.known) if n.event]
    written = changes(verdicts, view.authors(list(dict.fromkeys(events))))
    return replace(written, model=answers[0].reply.model, prompt_digest=prompt_digest())
