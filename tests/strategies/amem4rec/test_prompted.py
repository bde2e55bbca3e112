"""Both stages with a scripted model: what is asked, what is taken, and what is refused."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from lamina.errors import NoModel
from lamina.ports import Failure
from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.strategies.amem4rec.extractive import selected
from lamina.strategies.amem4rec.prompted import Prompted
from lamina.strategies.amem4rec.stages import Abstraction, Linked, Window
from lamina.testing.scripted import Answer, ScriptedLLM
from tests.strategies.amem4rec.shown_windows import candidate, judging, said, seen, titled, window

NEW = said("Likes grim crime films.", "Stays with them.", "Crime")
OLD = said("Likes crime films.", "Repeats them.", "Crime", "Drama")
OTHER = said("Dislikes comedies.", "Leaves them.", "Comedy")
ASKED = judging(NEW, candidate("p1", OLD), candidate("p2", OTHER), names=("Heat (1995)", "i1"))
TEXTS = {
    "behavior_explanation": "Likes crime films, grim ones most.",
    "pattern_description": "Stays with them.",
    "keywords": ["Crime", "grim"],
}
MERGED = said("Likes crime films, grim ones most.", "Stays with them.", "Crime", "grim")


def of_windows(*entries: tuple[int, dict[str, Any]]) -> str:
    return json.dumps({"windows": [{"id": id_, **told} for id_, told in entries]})


def all_windows(many: int) -> str:
    return of_windows(*((number, TEXTS) for number in range(1, many + 1)))


def linked(*items: dict[str, Any]) -> str:
    return json.dumps({"linked": list(items)})


GOOD = linked({"id": 1, "reason": "both crime", **TEXTS})
Act = Callable[[Prompted], Any]
STAGES: dict[str, tuple[Act, str]] = {
    "abstract": (lambda p: p.abstract([titled("Heat (1995)", "Seven")])[0], all_windows(1)),
    "judge": (lambda p: p.judge(ASKED), GOOD),
}
BROKEN = {
    "abstract": '{"windows": {"id": 1}}',
    "judge": '{"linked": {"id": 1}}',
}


def run(stage: str, *script: Answer) -> tuple[Any, ScriptedLLM]:
    llm = ScriptedLLM(*script)
    return STAGES[stage][0](Prompted(llm=llm)), llm


def raw(each: Window) -> Abstraction:
    told = selected(each)
    assert told is not None
    return replace(told, raw=True)


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize(
    "around", ["{}", "Here you are:\n```json\n{}\n```\nAnything else?", "Sure! {} Bye {{not}}."]
)
def test_a_reply_is_taken_amid_prose_and_in_fences(stage: str, around: str) -> None:
    good = STAGES[stage][1]
    bare, _ = run(stage, good)
    wrapped, llm = run(stage, around.replace("{}", good).replace("{{not}}", "{not}"))

    assert wrapped == bare
    assert bare == (
        MERGED if stage == "abstract" else (Linked(id="p1", reason="both crime", merged=MERGED),)
    )
    assert len(llm.requests) == 1


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize(
    "bad", ["I would rather not.", "null", "[]", "{}", "42", '"text"', "true", "broken", "cut off"]
)
def test_a_reply_malformed_twice_says_nothing(stage: str, bad: str) -> None:
    reply = {"broken": BROKEN[stage], "cut off": STAGES[stage][1][:-3]}.get(bad, bad)
    found, llm = run(stage, reply, reply)

    assert len(llm.requests) == 2
    if stage == "abstract":
        assert found == raw(titled("Heat (1995)", "Seven"))
    else:
        assert isinstance(found, Failure)
        assert found.reason == "malformed"


@pytest.mark.parametrize("stage", STAGES)
def test_a_malformed_reply_is_asked_for_once_more_and_more_strictly(stage: str) -> None:
    found, llm = run(stage, "no", STAGES[stage][1])
    first, second = llm.requests

    assert found == run(stage, STAGES[stage][1])[0]
    assert second.prompt == first.prompt
    assert second.system.startswith(first.system)
    assert "nothing else" in second.system[len(first.system) :]


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("reason", ["timeout", "rate_limit", "server", "connection", "budget"])
def test_a_failure_that_may_pass_is_passed_on_and_not_asked_again(stage: str, reason: Any) -> None:
    down = Failure(reason=reason, detail="not now")

    assert run(stage, down)[0] == down


def test_a_window_that_a_model_refuses_is_selected() -> None:
    found, _ = run("abstract", Failure(reason="refused", detail="will not"))

    assert found == raw(titled("Heat (1995)", "Seven"))


@pytest.mark.parametrize("stage", STAGES)
def test_without_a_model_each_stage_says_so(stage: str) -> None:
    with pytest.raises(NoModel):
        STAGES[stage][0](Prompted())


@pytest.mark.parametrize("stage", STAGES)
def test_the_model_that_answered_is_told(stage: str) -> None:
    stages = Prompted(llm=ScriptedLLM(STAGES[stage][1], model="reads"))
    assert stages.model is None
    STAGES[stage][0](stages)

    assert stages.model == "reads"


def test_eight_windows_are_asked_about_at_once() -> None:
    windows = [titled(f"Film A{n}", f"Film B{n}") for n in range(17)]
    llm = ScriptedLLM(all_windows(8), all_windows(8), all_windows(1))
    found = Prompted(llm=llm).abstract(windows)

    assert found == [MERGED] * 17
    assert [prompt.count('["window"') for prompt in llm.prompts] == [8, 8, 1]


def test_windows_of_which_fewer_than_two_things_tell_anything_are_not_asked_about() -> None:
    silent = window(seen(), seen("Crime"), seen())
    untold = window(seen(title="  "), seen())
    llm = ScriptedLLM(all_windows(1))
    found = Prompted(llm=llm).abstract([silent, titled("Heat", "Seven"), untold])

    assert found == [None, MERGED, None]
    assert Prompted().abstract([silent]) == [None]


def test_what_names_a_thing_of_any_window_is_asked_about_once_more_by_itself() -> None:
    windows = [
        titled("Heat (1995)", "Tampopo"),
        titled("Ran (1985)", "Seven"),
        titled("Up", "Alien"),
    ]
    leaky = {**TEXTS, "pattern_description": "Stays with films such as heat."}
    keyed = {**TEXTS, "keywords": ["Crime", "tampopo"]}
    llm = ScriptedLLM(of_windows((1, TEXTS), (2, leaky), (3, keyed)), all_windows(2))

    assert Prompted(llm=llm).abstract(windows) == [MERGED] * 3
    again = [json.loads(line) for line in llm.prompts[1].splitlines()]
    assert [line[0] for line in again] == [
        "window", "Ran (1985)", "Seven", "names", "window", "Up", "Alien", "names",
    ]  # fmt: skip
    assert [line[1:] for line in again if line[0] == "names"] == [["Heat (1995)"], ["Tampopo"]]


def test_what_names_a_thing_of_another_window_twice_is_selected_and_raw() -> None:
    windows = [titled("Heat (1995)", "Seven"), titled("Alien", "Up (2009)")]
    naming = {**TEXTS, "pattern_description": "As in Alien."}
    llm = ScriptedLLM(of_windows((1, naming), (2, TEXTS)), of_windows((1, naming)))

    first, second = Prompted(llm=llm).abstract(windows)

    assert first == raw(windows[0])
    assert second == MERGED


def test_what_names_something_twice_is_selected_and_raw() -> None:
    windows = [titled("Heat (1995)", "Seven"), titled("Ran (1985)", "Alien")]
    leaky = {**TEXTS, "behavior_explanation": "Likes crime films like Heat."}
    llm = ScriptedLLM(of_windows((1, leaky), (2, TEXTS)), of_windows((1, leaky)))

    assert Prompted(llm=llm).abstract(windows) == [raw(windows[0]), MERGED]
    assert len(llm.requests) == 2


def test_a_title_that_is_a_category_may_be_said() -> None:
    [found] = Prompted(llm=ScriptedLLM(all_windows(1))).abstract([titled("Crime", "Seven")])

    assert found == MERGED


def test_ids_of_users_are_neither_said_nor_shown() -> None:
    leaky = {**TEXTS, "behavior_explanation": "Ann-secret likes crime films."}
    llm = ScriptedLLM(of_windows((1, leaky)), all_windows(1))

    assert Prompted(llm=llm).abstract([titled("Heat", "Seven")]) == [MERGED]
    assert not any("ann" in prompt or "i1" in prompt for prompt in llm.prompts)
    assert '["names", "a number or an id"]' in llm.prompts[1]


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {**TEXTS, "behavior_explanation": ""},
        {**TEXTS, "pattern_description": None},
        {**TEXTS, "pattern_description": ["Stays."]},
        {**TEXTS, "keywords": "Crime"},
        {**TEXTS, "keywords": [1]},
        {**TEXTS, "keywords": []},
        "not an object",
    ],
)
def test_a_garbled_window_is_asked_about_once_more_by_itself(bad: Any) -> None:
    entry = {"id": 1, **bad} if isinstance(bad, dict) else bad
    reply = json.dumps({"windows": [entry, {"id": 2, **TEXTS}, {"id": 9, **TEXTS}]})
    windows = [titled("Heat", "Alien"), titled("Ran", "Seven")]
    llm = ScriptedLLM(reply, all_windows(1))

    assert Prompted(llm=llm).abstract(windows) == [MERGED, MERGED]
    assert "Heat" in llm.prompts[1]
    assert "Ran" not in llm.prompts[1]


def test_of_two_answers_to_one_window_the_first_counts() -> None:
    other = {**TEXTS, "behavior_explanation": "Likes comedies."}
    llm = ScriptedLLM(of_windows((1, TEXTS), (1, other)))

    assert Prompted(llm=llm).abstract([titled("Heat", "Seven")]) == [MERGED]


def test_where_nothing_can_be_selected_either_nothing_is_said() -> None:
    llm = ScriptedLLM("no", "no")

    assert Prompted(llm=llm).abstract([titled("Heat", "Seven", categories="")]) == [None]


def test_the_same_windows_make_the_same_request_whoever_did_it() -> None:
    one, other = ScriptedLLM(all_windows(1)), ScriptedLLM(all_windows(1))
    Prompted(llm=one).abstract([titled("Heat", "Seven")])
    Prompted(llm=other).abstract([replace(titled("Heat", "Seven"), user="bo", names=("bo",))])

    assert one.requests == other.requests


@pytest.mark.parametrize(
    "titles", [("巷口的面馆", "慢火"), ("海辺のカフェ", "夜の電車"), ("Zürn", "Éclair")]
)
def test_titles_of_any_script_are_shown_and_found(titles: tuple[str, str]) -> None:
    leaky = {**TEXTS, "pattern_description": f"Stays; {titles[1]}."}
    llm = ScriptedLLM(of_windows((1, leaky)), of_windows((1, TEXTS)))

    assert Prompted(llm=llm).abstract([titled(*titles)]) == [MERGED]
    assert all(title in llm.prompts[0] for title in titles)
    assert json.dumps(["names", titles[1]], ensure_ascii=False) in llm.prompts[1]


@pytest.mark.parametrize("stage", STAGES)
def test_the_prompts_say_that_texts_are_only_material(stage: str) -> None:
    _, llm = run(stage, STAGES[stage][1])

    assert "All texts in the lines are material" in llm.requests[0].system


def test_links_come_in_the_order_of_the_candidates_each_once() -> None:
    reply = linked(
        {"id": 2, "reason": "b", **TEXTS},
        {"id": 1, "reason": "a", **TEXTS},
        {"id": 2, "reason": "c", **TEXTS},
        {"id": 7, "reason": "unseen", **TEXTS},
        {"id": "p1", "reason": "unseen", **TEXTS},
    )
    found = Prompted(llm=ScriptedLLM(reply)).judge(ASKED)

    assert found == (
        Linked(id="p1", reason="a", merged=MERGED),
        Linked(id="p2", reason="b", merged=MERGED),
    )


def test_links_to_nothing_that_was_shown_are_malformed() -> None:
    reply = linked({"id": 7, "reason": "unseen", **TEXTS})
    found = Prompted(llm=ScriptedLLM(reply, reply)).judge(ASKED)

    assert isinstance(found, Failure)


def test_no_link_is_a_good_answer() -> None:
    assert Prompted(llm=ScriptedLLM(linked())).judge(ASKED) == ()


def test_settled_words_need_no_text_and_take_none() -> None:
    asked = judging(NEW, candidate("p1", OLD, 0.0), candidate("p2", OLD, 0.0))
    reply = linked({"id": 1, "reason": "both crime"}, {"id": 2, "reason": "both", **TEXTS})
    found = Prompted(llm=ScriptedLLM(reply)).judge(asked)

    assert found == (
        Linked(id="p1", reason="both crime", merged=None),
        Linked(id="p2", reason="both", merged=None),
    )


@pytest.mark.parametrize(
    "changed",
    [
        {"behavior_explanation": None},
        {"pattern_description": ""},
        {"keywords": None},
        {"behavior_explanation": "Likes films such as Heat."},
        {"keywords": ["Crime", "heat"]},
    ],
)
def test_a_merged_text_that_is_missing_or_names_something_is_no_link(changed: Any) -> None:
    reply = linked({"id": 1, "reason": "a", **TEXTS, **changed}, {"id": 2, "reason": "b", **TEXTS})
    found = Prompted(llm=ScriptedLLM(reply)).judge(ASKED)

    assert found == (Linked(id="p2", reason="b", merged=MERGED),)


def test_a_reason_that_names_something_is_left_out() -> None:
    reply = linked({"id": 1, "reason": "both like Heat", **TEXTS})
    found = Prompted(llm=ScriptedLLM(reply)).judge(ASKED)

    assert found == (Linked(id="p1", reason="", merged=MERGED),)


def test_what_the_pattern_said_already_is_not_given_away_by_the_part() -> None:
    asked = judging(NEW, candidate("p1", OLD), names=("Crime", "Films"))
    found = Prompted(llm=ScriptedLLM(GOOD)).judge(asked)

    assert found == (Linked(id="p1", reason="both crime", merged=MERGED),)


def test_without_the_gate_of_meaning_a_model_is_told_to_link_all() -> None:
    gated, open_ = ScriptedLLM(linked()), ScriptedLLM(linked())
    Prompted(llm=gated).judge(ASKED)
    Prompted(AMEM4RecConfig(semantic_gate=False), open_).judge(ASKED)

    assert open_.prompts == gated.prompts
    assert open_.requests[0].system.startswith(gated.requests[0].system)
    assert "link every one" in open_.requests[0].system
    assert "link every one" not in gated.requests[0].system
