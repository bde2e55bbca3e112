import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from lamina.errors import NoModel
from lamina.model import Changes, NoteDraft
from lamina.ports import Failure, Reply
from lamina.strategies.structmem.config import StructMemConfig, Triggers
from lamina.strategies.structmem.prompted import Prompted
from lamina.testing.scripted import Script, ScriptedLLM
from tests.strategies.structmem.listed import NOON, ListedView, note, talk

FIRST = talk(
    ("Ann", "I'm building a boat with Cy."), ("Bo", "What will you call the boat?"), session="s1"
)
SECOND = talk(
    ("Ann", "The boat is finished, her name is Gudrun."),
    ("Bo", "When does the boat sail?"),
    session="s2",
    said_at=NOON + timedelta(days=30),
)


def fact(event: str, text: str, **more: Any) -> NoteDraft:
    return NoteDraft(kind="fact", text=text, event=event, sources=(event,), **more)


def two_sessions(*drafts: NoteDraft) -> ListedView:
    """Return a view in which the first session is consolidated and the second is bound."""
    bound = [replace(m, progress="bound", consolidated=m.session == "s1") for m in FIRST + SECOND]
    view = ListedView(bound)
    told = drafts or (
        fact("s1-1", "Ann is building a boat with Cy."),
        fact("s2-1", "Ann's boat is finished and is called Gudrun."),
    )
    view.notes = {made.id: made for draft in told for made in [note(draft, bound)]}
    return view


def reply(summary: object = "Ann's boat Gudrun is finished.", **more: object) -> str:
    return json.dumps({"summary": summary, "links": [], "revises": None, **more})


def consolidated(
    view: ListedView,
    *script: Script,
    session: str = "s2",
    closed: bool = True,
    config: StructMemConfig | None = None,
) -> tuple[Changes, ScriptedLLM]:
    """Consolidate once with a scripted model."""
    view.llm = llm = ScriptedLLM(*script)
    return Prompted(config).digest(view.buffer_batch(session, closed=closed), view), llm


def test_a_summary_names_what_it_covers_and_what_it_was_formed_from() -> None:
    view = two_sessions()

    changes, _ = consolidated(view, reply())
    [summary] = changes.notes

    assert (summary.kind, summary.event, summary.revises) == ("summary", None, None)
    assert summary.sources == ("s2-1",)
    assert set(summary.parents) == set(view.notes)
    assert changes.consolidated == ("s2-1", "s2-2")
    assert changes.model == "scripted"


def test_the_model_sees_the_buffer_and_the_whole_events_of_its_seeds_by_number() -> None:
    more = fact("s1-1", "Cy owns the shed.")
    view = two_sessions(
        fact("s1-1", "Ann is building a boat with Cy."),
        more,
        fact("s2-1", "Ann's boat is finished and is called Gudrun."),
    )

    _, llm = consolidated(view, reply())

    assert llm.requests[0].prompt.splitlines()[1:] == [
        "new",
        '["time", "2024-04-08 Monday 12:01"]',
        '["Ann", "Ann\'s boat is finished and is called Gudrun."]',
        "earlier",
        '[1, "2024-03-09", "Ann", "Ann is building a boat with Cy.", "Cy owns the shed."]',
    ]


def test_a_link_that_was_woven_in_adds_its_message_to_the_sources() -> None:
    view = two_sessions()
    links = [{"id": 1, "relation": "the boat is finished"}, {"id": 9, "relation": "nothing"}, 7]

    [summary] = consolidated(view, reply(links=links))[0].notes

    [built] = [n.id for n in view.notes.values() if n.event == "s1-1"]
    assert summary.sources == ("s1-1", "s2-1")
    assert summary.links == ((built, "the boat is finished"),)


def summed_up(**more: Any) -> ListedView:
    """Return a view in which the first session has a summary."""
    view = two_sessions()
    draft = NoteDraft(kind="summary", text="Ann builds a boat with Cy.", sources=("s1-1",))
    made = replace(note(draft, view.messages), **more)
    view.notes[made.id] = made
    return view


def test_an_earlier_summary_can_be_revised() -> None:
    view = summed_up(revision=3)
    shown = consolidated(view, reply())[1].requests[0].prompt.splitlines()
    [number] = [json.loads(x)[0] for x in shown if '"summary"' in x]

    [summary] = consolidated(view, reply(revises=number))[0].notes

    [earlier] = [n for n in view.notes.values() if n.kind == "summary"]
    assert (summary.revises, summary.base) == (earlier.id, 3)
    assert summary.sources == ("s1-1", "s2-1")
    assert earlier.id in summary.parents


def test_what_a_person_wrote_is_not_revised() -> None:
    view = summed_up(by_person=True)

    assert all(
        consolidated(view, reply(revises=number))[0].notes[0].revises is None for number in (1, 2)
    )


@pytest.mark.parametrize("revises", [0, 99, "x", True, [1], 1.5])
def test_what_was_not_shown_is_not_revised(revises: object) -> None:
    [summary] = consolidated(summed_up(), reply(revises=revises))[0].notes

    assert summary.revises is None


def test_a_plain_event_is_not_revised() -> None:
    [summary] = consolidated(two_sessions(), reply(revises=1))[0].notes

    assert summary.revises is None


def test_unsupported_entries_are_not_shown() -> None:
    view = two_sessions(
        fact("s1-1", "Ann's boat has two masts.", supported=False),
        fact("s2-1", "The boat cost a million.", supported=False),
        fact("s2-1", "The boat is called Gudrun."),
    )

    _, llm = consolidated(view, reply())

    assert "million" not in llm.requests[0].prompt
    assert "masts" not in llm.requests[0].prompt


def test_a_message_that_holds_what_was_recalled_is_not_shown() -> None:
    view = two_sessions()
    block = "<recalled-memory>\n[1] plums\n</recalled-memory> Hm."
    view.messages = [replace(m, text=block) if m.id == "s1-1" else m for m in view.messages]

    _, llm = consolidated(view, reply())

    assert "earlier" not in llm.requests[0].prompt.splitlines()


def test_a_message_that_could_not_be_read_speaks_for_itself() -> None:
    view = ListedView([replace(m, progress="unextracted") for m in SECOND])

    [summary] = consolidated(view, reply())[0].notes

    assert summary.sources == ("s2-1", "s2-2")
    assert "The boat is finished, her name is Gudrun." in view.llm.prompts[0]  # type: ignore[union-attr]


def test_doubt_and_roles_are_told() -> None:
    view = two_sessions(fact("s2-1", "The boat leaks.", certainty="hearsay"))
    view.messages = [replace(m, role="tool") if m.id == "s2-1" else m for m in view.messages]

    _, llm = consolidated(view, reply())

    assert '["Ann (tool)", "[hearsay] The boat leaks."]' in llm.requests[0].prompt


def test_a_summary_that_its_notes_do_not_bear_out_is_kept_but_marked() -> None:
    [good] = consolidated(two_sessions(), reply("Ann's boat Gudrun is finished."))[0].notes
    [bad] = consolidated(two_sessions(), reply("Ann sold 12 boats to Dora."))[0].notes

    assert (good.supported, bad.supported) == (True, False)


def test_when_no_trigger_fires_nothing_is_asked() -> None:
    changes, llm = consolidated(two_sessions(), closed=False)

    assert changes == Changes()
    assert llm.requests == []


def test_a_buffer_that_tells_nothing_is_consolidated_without_a_call() -> None:
    view = ListedView([replace(m, progress="bound") for m in SECOND])

    changes, llm = consolidated(view)

    assert (changes.notes, changes.consolidated) == ((), ("s2-1", "s2-2"))
    assert llm.requests == []


def test_a_large_buffer_is_consolidated_in_portions() -> None:
    view = two_sessions(
        fact("s2-1", "Ann's boat is finished and is called Gudrun."),
        fact("s2-2", "Bo wants to know when the boat sails."),
    )
    config = StructMemConfig(buffer_tokens=20)

    first, _ = consolidated(view, reply(), config=config)
    view.apply(first)
    second, _ = consolidated(view, reply(), config=config)

    assert (first.consolidated, second.consolidated) == (("s2-1",), ("s2-2",))
    assert first.next == (view.buffer_batch("s2").step,)
    assert second.next == ()


def test_what_is_shown_is_bounded_however_much_there_is() -> None:
    many = [fact("s2-1", f"The boat has rib number {n} of oak.") for n in range(2000)]
    old = [fact("s1-1", f"Ann bought nail number {n} for the boat.") for n in range(2000)]
    view = two_sessions(*many, *old)

    _, llm = consolidated(view, reply())

    assert len(llm.requests[0].prompt) < 4 * (3000 + 1000) * 1.1


def test_without_seeds_there_is_no_history() -> None:
    _, llm = consolidated(two_sessions(), reply(), config=StructMemConfig(seeds=0))

    assert "earlier" not in llm.requests[0].prompt.splitlines()


def test_a_summary_has_as_many_words_as_there_is_to_say() -> None:
    few = consolidated(two_sessions(), reply())[1]
    long = " ".join(f"The boat has rib number {n} of oak." for n in range(100))
    many = consolidated(two_sessions(fact("s2-1", long[:900])), reply())[1]

    assert json.loads(few.prompts[0].splitlines()[0])[2] == 40
    assert json.loads(many.prompts[0].splitlines()[0])[2] > 80


BAD: list[str | Reply | Failure] = [
    "A fine boat.",
    "null",
    "[]",
    "{}",
    '{"summary": null}',
    '{"summary": "  "}',
    '{"summary": ["a"]}',
    reply("word " * 900),
    reply("安的船造好了。"),
    reply()[:12],
    Failure(reason="budget", detail="used up"),
    Failure(reason="connection", detail="dropped"),
]


@pytest.mark.parametrize("bad", BAD, ids=range(len(BAD)))
def test_without_a_good_reply_nothing_is_consolidated(bad: str | Reply | Failure) -> None:
    changes, _ = consolidated(two_sessions(), bad, bad)

    assert (changes.notes, changes.consolidated, changes.next) == ((), (), ())
    assert changes.redo is not None


def test_without_a_model_consolidating_says_so() -> None:
    view = two_sessions()

    with pytest.raises(NoModel):
        Prompted().digest(view.buffer_batch("s2"), view)


def test_entries_that_wait_long_enough_fire_without_a_closed_session() -> None:
    config = StructMemConfig(triggers=Triggers(session_closed=False, entries=1))

    changes, _ = consolidated(two_sessions(), reply(), closed=False, config=config)

    assert len(changes.notes) == 1
