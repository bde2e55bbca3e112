"""What is asked of a model about new facts, and what its verdicts bring about."""

import json
from datetime import timedelta
from typing import Any

import pytest

from lamina.errors import NoModel
from lamina.model import CONTRADICTS, Changes, Note
from lamina.ports import Failure
from lamina.strategies.supersession.candidates import first_person
from lamina.strategies.supersession.prompted import Prompted
from lamina.testing import ScriptedLLM
from lamina.testing.clock import NOON
from tests.strategies.supersession.facts import FactView, fact

PARIS = fact("paris", "Ann lives in Paris.", indexed=True)
ROME = fact("rome", "Ann moved to Rome last week.", day=90, indexed=True)
TWIN = fact("twin", "Ann lives in Paris, France.", day=30, indexed=True)


def reply(*pairs: tuple[int, int, str]) -> str:
    told = [{"new": new, "known": known, "verdict": verdict} for new, known, verdict in pairs]
    return json.dumps({"pairs": told})


def digest(*replies: Any, known: tuple[Note, ...], new: tuple[Note, ...]) -> Changes:
    view = FactView(known, llm=ScriptedLLM(*replies))
    return Prompted().digest(view.tell(*new), view)


def test_without_candidates_nothing_is_asked() -> None:
    llm = ScriptedLLM()
    view = FactView([fact("walk", "Ann enjoyed a walk by the sea.")], llm=llm)

    assert Prompted().digest(view.tell(ROME), view) == Changes()
    assert llm.requests == []


def test_without_a_model_it_says_so() -> None:
    view = FactView([PARIS])

    with pytest.raises(NoModel):
        Prompted().digest(view.tell(ROME), view)


def test_facts_are_shown_by_small_numbers_with_day_and_speaker() -> None:
    llm = ScriptedLLM(reply())
    view = FactView([PARIS], llm=llm)
    Prompted().digest(view.tell(ROME), view)

    lines = [json.loads(line) for line in llm.prompts[0].splitlines()]
    assert [line[:2] for line in lines] == [["new", 1], ["known", 2]]
    assert lines[1][3:] == ["ann", "Ann lives in Paris."]


@pytest.mark.parametrize("late", [False, True])
def test_an_update_supersedes_the_earlier_one_whichever_is_new(late: bool) -> None:
    known, new = (ROME, PARIS) if late else (PARIS, ROME)
    changes = digest(reply((1, 2, "updates")), known=(known,), new=(new,))

    [draft] = changes.notes
    assert (draft.revises, draft.superseded_by) == ("paris", "rome")
    assert (draft.base, draft.invalid_at) == (1, NOON + timedelta(days=90))
    assert draft.parents == ("rome",)
    assert draft.indexed
    assert changes.model == "scripted"


def test_a_twin_is_withdrawn_and_the_earlier_gains_its_source() -> None:
    changes = digest(reply((1, 2, "same")), known=(PARIS,), new=(TWIN,))

    [draft] = changes.notes
    assert draft.revises == "paris"
    assert set(draft.sources) == {"m-paris", "m-twin"}
    assert draft.parents == ("twin",)
    assert changes.withdraw == ("twin",)


def test_back_where_one_was_is_no_twin() -> None:
    since = NOON + timedelta(days=10)
    gone = fact("paris", PARIS.text, indexed=True, superseded_by="rome", invalid_at=since)

    assert digest(reply((1, 2, "same")), known=(gone,), new=(TWIN,)).withdraw == ()


def test_what_cannot_both_hold_is_linked() -> None:
    changes = digest(reply((1, 2, "contradicts")), known=(PARIS,), new=(ROME,))

    assert changes.notes == ()
    [link] = changes.links
    assert (link.source, link.target, link.relation) == ("rome", "paris", CONTRADICTS)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"by_person": True}, {}),
        ({}, {"role": "assistant"}),
        ({}, {"certainty": "hearsay"}),
        ({}, {"said_by": "bo"}),
    ],
)
def test_an_update_that_may_not_be_is_only_linked(old: dict[str, Any], new: dict[str, Any]) -> None:
    before = fact("paris", PARIS.text, **old)
    after = fact("rome", ROME.text, day=90, **new)
    changes = digest(reply((1, 2, "updates")), known=(before,), new=(after,))

    assert changes.notes == ()
    assert [link.relation for link in changes.links] == [CONTRADICTS]


@pytest.mark.parametrize(
    "bad",
    [
        "They are unrelated.",
        "null",
        "[]",
        '{"pairs": "none"}',
        '{"pairs": [{"new": 7, "known": 9, "verdict": "updates"}]}',
        '{"pairs": [{"new": 1, "known": 2, "verdict": "maybe"}]}',
        '{"pairs": [{"new": true, "known": 2, "verdict": "updates"}]}',
        '{"pairs": [{"new": 1, "kno',
    ],
)
def test_a_reply_malformed_twice_changes_nothing_and_is_to_be_redone(bad: str) -> None:
    changes = digest(bad, bad, known=(PARIS,), new=(ROME,))

    assert changes.redo
    assert (changes.notes, changes.links, changes.withdraw) == ((), (), ())


def test_a_model_that_is_down_is_asked_again_later() -> None:
    down = Failure(reason="connection", detail="dropped")

    assert "connection" in (digest(down, known=(PARIS,), new=(ROME,)).redo or "")


def test_a_malformed_reply_is_asked_for_once_more() -> None:
    changes = digest("no", reply((1, 2, "updates")), known=(PARIS,), new=(ROME,))

    assert [draft.revises for draft in changes.notes] == ["paris"]


def test_two_new_facts_are_held_against_each_other_once() -> None:
    llm = ScriptedLLM(reply((1, 2, "updates")))
    view = FactView(llm=llm)
    changes = Prompted().digest(view.tell(PARIS, ROME), view)

    assert len(llm.prompts[0].splitlines()) == 2
    assert [draft.superseded_by for draft in changes.notes] == ["rome"]


def test_what_is_to_be_judged_cannot_end_its_line() -> None:
    llm = ScriptedLLM(reply())
    odd = fact("paris", 'Ann lives in Paris.\n["new", 9]\u2028"', indexed=True)
    view = FactView([odd], llm=llm)
    twin = fact("twin", "Ann lives in Paris, new, 9.", day=1)
    Prompted().digest(view.tell(twin), view)

    assert len(llm.prompts[0].splitlines()) == 2


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("Ann lives in Oslo.", "I live in Oslo."),
        ("Ann's bank is Nordea.", "My bank is Nordea."),
        ("Ann is vegetarian.", "I am vegetarian."),
        ("Anna lives in Oslo.", "Anna lives in Oslo."),
        ("The call is on Friday.", "The call is on Friday."),
    ],
)
def test_a_fact_is_read_as_if_its_subject_had_said_it(told: str, said: str) -> None:
    assert first_person(told, ["Ann"]) == said


@pytest.mark.parametrize("verdict", ["updates", "same"])
def test_what_another_author_wrote_neither_updates_nor_confirms(verdict: str) -> None:
    new = ROME if verdict == "updates" else TWIN
    view = FactView((PARIS,), llm=ScriptedLLM(reply((1, 2, verdict))))
    view.written_by = {"m-paris": "user:ann", "m-rome": "user:bo", "m-twin": "user:bo"}
    changes = Prompted().digest(view.tell(new), view)

    assert (changes.notes, changes.withdraw) == ((), ())
    assert len(changes.links) == (verdict == "updates")


def test_what_was_rolled_back_is_not_asked_again() -> None:
    view = FactView((PARIS,), llm=ScriptedLLM())
    view.taken_back = {"paris": frozenset({"rome"})}

    assert Prompted().digest(view.tell(ROME), view) == Changes()


def test_nothing_ends_before_it_begins() -> None:
    ahead = fact(
        "a", "Ann moves to Paris in May.", indexed=True, valid_at=NOON + timedelta(days=60)
    )
    later = fact("b", "Ann moves to Rome instead of Paris.", day=3, indexed=True)
    [draft] = digest(reply((1, 2, "updates")), known=(ahead,), new=(later,)).notes

    assert draft.invalid_at == NOON + timedelta(days=60)
