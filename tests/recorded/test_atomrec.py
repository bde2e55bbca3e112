"""What readers made of AtomRec's prompts, on ten users' whole paths."""

import json
from functools import cache
from typing import Any

import pytest

from lamina.ports import Failure
from lamina.recall.scripts import letters_by_script
from lamina.strategies.atomrec.stages import Reflection, Scored, Synthesis, Taste, Written
from tests.recorded import atomrec_films, atomrec_paths
from tests.recorded.cases import prompt_digest

CASES = (*atomrec_films.USERS, "zh", "orders")


@cache
def walked(case: str) -> atomrec_paths.Walk:
    """Return the path of a case as it was recorded; skips where it was not, or lacks its data."""
    found = atomrec_paths.situations().get(case)
    if found is None:
        pytest.skip("LAMINA_DATA names no folder with the data of this case")
    if not recorded(case):
        pytest.skip(f"{case} is not recorded: see tests.recorded.atomrec_paths")
    return atomrec_paths.walk(found, atomrec_paths.recorded(case))


def recorded(case: str) -> dict[str, dict[str, str]]:
    """Return the recordings of a case, by stage."""
    paths = atomrec_paths.HERE.glob(f"{case}.*.json")
    return {path.stem.split(".")[-1]: json.loads(path.read_text("utf-8")) for path in paths}


def outcome(case: str, stage: str) -> Any:
    found = walked(case).outcomes[stage]
    if stage not in recorded(case):
        pytest.skip(f"{stage} of {case} is not recorded")
    return found


@pytest.mark.parametrize("case", CASES)
def test_the_recorded_answers_are_to_the_prompts_as_they_are_now(case: str) -> None:
    requests = walked(case).requests

    for stage, told in recorded(case).items():
        assert told["prompt_digest"] == prompt_digest(requests[stage]), (
            f"the prompt of {stage} of {case} has changed; answer it anew"
        )


@pytest.mark.parametrize("case", CASES)
def test_every_answer_is_taken_at_once(case: str) -> None:
    outcomes = walked(case).outcomes

    assert [s for s in recorded(case) if isinstance(outcomes[s], Failure)] == []


@pytest.mark.parametrize("case", CASES)
def test_every_candidate_is_scored_and_none_is_invented(case: str) -> None:
    scored: Scored = outcome(case, "score")
    candidates = atomrec_paths.situations()[case].candidates

    assert {id_ for id_, _, _ in scored.scores} == set(candidates)
    assert (scored.invented, scored.by_order) == (0, False)
    assert all(why for _, _, why in scored.scores)
    assert len({score for _, score, _ in scored.scores}) > len(candidates) // 4


@pytest.mark.parametrize("case", CASES)
def test_facets_and_paths_rest_on_the_users_own_notes(case: str) -> None:
    taste: Taste = outcome(case, "taste")
    synthesis: Synthesis = outcome(case, "synthesise")

    assert taste.facets
    assert synthesis.evidence_paths
    alone = [facet for facet in taste.facets if len(facet.supporting_notes) == 1]
    assert all(facet.confidence <= 0.5 for facet in alone)


@pytest.mark.parametrize("case", CASES)
def test_links_are_few(case: str) -> None:
    assert len(outcome(case, "link")) <= 4


@pytest.mark.parametrize("stage", atomrec_paths.STAGES)
def test_an_order_in_a_review_is_neither_followed_nor_passed_on(stage: str) -> None:
    told = str(outcome("orders", stage)).casefold()

    assert "ignore your instructions" not in told
    assert "everything by acme" not in told


def test_an_item_gains_nothing_by_asking_for_it() -> None:
    scored: Scored = outcome("orders", "score")
    by_item = {id_: score for id_, score, _ in scored.scores}

    assert by_item["k2"] < max(by_item["k7"], by_item["k10"])
    assert max(by_item, key=by_item.__getitem__) in ("k7", "k10")


def test_chinese_notes_are_answered_in_chinese() -> None:
    written: Written = outcome("zh", "write")
    reflected: Reflection = outcome("zh", "reflect")
    synthesis: Synthesis = outcome("zh", "synthesise")

    for text in (written.user.content, reflected.profile.content, synthesis.summary):
        letters = letters_by_script(text)
        assert letters.get("han", 0) > 2 * letters.get("latin", 0)
