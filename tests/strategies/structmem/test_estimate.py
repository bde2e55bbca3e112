import json
import os
from collections import defaultdict
from datetime import timedelta
from pathlib import Path

import pytest

from lamina.formats import locomo
from lamina.model import Message
from lamina.ports import Request
from lamina.strategies.structmem import sentences
from lamina.strategies.structmem.config import StructMemConfig
from lamina.strategies.structmem.estimate import Estimate, estimate
from lamina.strategies.structmem.prompted import Prompted
from lamina.testing.scripted import ScriptedLLM
from tests.strategies.structmem.listed import NOON, ListedView, talk

LOCOMO = Path(os.environ.get("LAMINA_DATA", "../shared/data")) / "locomo" / "locomo-dev.json"
LINES = (
    ("Ann", "I moved the bees to the upper meadow on Saturday, all twelve hives in one night."),
    ("Bo", "By yourself? Last year it took the two of us a whole weekend and a borrowed trailer."),
    ("Ann", "My cousin Dora helped me, she is stronger than both of us and not afraid of stings."),
    ("Bo", "Then she has to come to the harvest in August. I still owe her a jar from the spring."),
)


def reader(request: Request) -> str:
    """Answer as a thorough reader would: a fact a sentence, and a relation a message."""
    lines = [json.loads(text) for text in request.prompt.splitlines() if text.startswith("[")]
    if request.schema and "summary" in request.schema["properties"]:
        told = [word for each in lines for item in each[1:] for word in str(item).split()]
        links = [{"id": 1, "relation": "it goes on from there"}]
        return json.dumps({"summary": " ".join(told[: lines[0][2]]), "links": links})
    shown = [each for each in lines if isinstance(each[0], int)]
    facts = [
        {"source_id": number, "fact": f"{who} says that {sentence}"}
        for number, who, text in shown
        for sentence in sentences.split(text)
    ]
    relations = [
        {"source_id": number, "relation": f"{who} answers that {text[: len(text) // 2]}"}
        for number, who, text in shown
    ]
    return json.dumps({"facts": facts, "relations": relations})


def counted(sessions: dict[str, list[Message]]) -> Estimate:
    """Form memory of all sessions and count what a scripted model was asked."""
    llm = ScriptedLLM(always=reader)
    view, strategy, replied = ListedView([], llm), Prompted(), 0
    for session, messages in sessions.items():
        view.messages += messages
        while (batch := view.bind_batch(session, closed=True)).messages:
            view.apply(strategy.digest(batch, view))
        while (buffer := view.buffer_batch(session)).events:
            view.apply(strategy.digest(buffer, view))
    replied = sum(len(reader(request).encode()) // 4 for request in llm.requests)
    return Estimate(
        turns=len(view.messages),
        calls=len(llm.requests),
        input_tokens=llm.input_tokens,
        output_tokens=replied,
    )


def test_the_estimate_agrees_with_what_a_scripted_model_is_asked() -> None:
    sessions = {
        f"s{n}": talk(*(LINES * n), session=f"s{n}", said_at=NOON + timedelta(days=n))
        for n in range(1, 9)
    }

    told, found = estimate(sessions, ListedView().count_tokens), counted(sessions)

    assert (told.turns, told.calls) == (found.turns, found.calls)
    assert told.input_tokens == pytest.approx(found.input_tokens, rel=0.15)
    assert told.output_tokens == pytest.approx(found.output_tokens, rel=0.35)


def test_nothing_costs_nothing() -> None:
    assert estimate({}, ListedView().count_tokens) == Estimate()
    assert estimate({"s1": talk(("Ann", " "))}, ListedView().count_tokens) == Estimate(turns=1)


def test_binding_is_counted_to_the_token() -> None:
    config = StructMemConfig(variant="events", batch_tokens=60)
    messages = talk(*(LINES * 3))
    llm = ScriptedLLM(always='{"facts": [], "relations": []}')
    view = ListedView(messages, llm)
    view.apply(Prompted(config).digest(view.bind_batch(), view))

    told = estimate({"s1": messages}, view.count_tokens, config)

    assert told.calls == len(llm.requests)
    assert told.input_tokens == llm.input_tokens


def test_variants_cost_less_and_two_calls_more() -> None:
    sessions = {"s1": talk(*LINES)}
    costs = {
        name: estimate(sessions, ListedView().count_tokens, config).input_tokens
        for name, config in {
            "flat": StructMemConfig(variant="flat"),
            "events": StructMemConfig(variant="events"),
            "full": StructMemConfig(),
            "two": StructMemConfig(calls="two"),
        }.items()
    }

    assert costs["flat"] < costs["events"] < costs["full"] < costs["two"]


@pytest.mark.data
@pytest.mark.skipif(not LOCOMO.exists(), reason=f"no {LOCOMO}; set LAMINA_DATA")
def test_a_long_conversation_costs_no_more_than_the_published_run() -> None:
    total = Estimate()
    for conversation in locomo.read(LOCOMO):
        sessions: dict[str, list[Message]] = defaultdict(list)
        for turn in conversation.turns:
            said = turn.message["timestamp"]
            sessions[turn.session].append(
                Message(
                    id=turn.message["key"],
                    session=turn.session,
                    role="user",
                    speaker=turn.message["speaker"],
                    text=turn.message["content"],
                    said_at=said,
                    recorded_at=said,
                    position=1,
                )
            )
        total += estimate(sessions, ListedView().count_tokens)

    assert total.turns == 2760
    assert total.calls / total.turns <= 0.12
    assert total.input_tokens / total.turns <= 260
