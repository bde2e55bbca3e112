"""What of a reply is taken, dropped and refused, stage by stage."""

from typing import Any

import pytest

from lamina.errors import MalformedReply
from lamina.models.lines import Shown
from lamina.strategies.atomrec import replies_forming as forming
from lamina.strategies.atomrec import replies_ranking as ranking
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.strategies.atomrec.stages import Evolution, Reflection, Relation
from tests.strategies.atomrec import shown

NAN, INF = float("nan"), float("inf")
FIELDS = {"content": "Rated Heat 4.0.", "keywords": ["heist"], "tags": ["Crime"], "context": ""}
CHANGED: dict[str, Any] = {
    "keywords": ["heist"], "tags": ["Crime"], "context": "First of several.", "links": [],
    "confidence": 0.8, "supporting_notes": [1],
}  # fmt: skip
NOT_SHOWN = [0, -1, 9, True, False, 1.0, None, "a", "01x", [1], {"id": 1}]
"""What names none of three notes."""


def link(*items: Any) -> tuple[Relation, ...]:
    asked = shown.linking("a", "b", "c")
    return forming.linked(asked, Shown.of(asked.near))({"links": list(items)})


def evolve(**given: Any) -> Evolution | None:
    asked = shown.evolving("a")
    ids = Shown.of((asked.new, asked.target, *asked.nearby))
    return forming.evolved(asked, ids)({"evolve": True, **CHANGED, **given})


def reflect(**given: Any) -> Reflection:
    asked = shown.reflecting("a", "b")
    ids = Shown.of((asked.note, asked.item, *asked.neighbours))
    return forming.reflected(asked, ids)({"user": FIELDS, **given})


@pytest.mark.parametrize("given", NOT_SHOWN)
def test_a_link_to_what_was_not_shown_is_dropped(given: Any) -> None:
    assert link({"id": given, "relation": "x"}, {"id": 2, "relation": "same"}) == (
        Relation(target="b", relation="same"),
    )
    with pytest.raises(MalformedReply):
        link({"id": given, "relation": "x"})


def test_links_are_told_once_by_id_and_not_by_place() -> None:
    found = link({"id": 3, "relation": "x"}, {"id": "1"}, {"id": 3, "relation": "again"})

    assert [(each.target, each.relation) for each in found] == [("c", "x"), ("a", None)]
    assert link() == ()


@pytest.mark.parametrize("relation", [None, "", "  ", 7, ["x"]])
def test_a_relation_that_is_no_text_is_none(relation: Any) -> None:
    assert link({"id": 1, "relation": relation}) == (Relation(target="a"),)


@pytest.mark.parametrize("named", [[], [2], [0], [9], ["x"], [True], None, 1, "1", [2, 2]])
def test_a_change_that_no_other_note_bears_out_is_none(named: Any) -> None:
    assert evolve(supporting_notes=named) is None


def test_support_is_kept_of_those_shown_and_never_the_target_itself() -> None:
    found = evolve(supporting_notes=[3, 2, 3, 0, 9, 1])

    assert found is not None
    assert found.supporting == ("a", "new")


def test_evolution_may_be_declined() -> None:
    assert evolve(evolve=False) is None


@pytest.mark.parametrize("evolves", [None, 1, 0, "true", []])
def test_whether_it_evolves_must_be_said(evolves: Any) -> None:
    with pytest.raises(MalformedReply):
        evolve(evolve=evolves)


@pytest.mark.parametrize("confidence", [None, "0.8", True, NAN, INF, -INF, [0.8]])
def test_a_confidence_that_is_no_finite_number_is_malformed(confidence: Any) -> None:
    with pytest.raises(MalformedReply):
        evolve(confidence=confidence)


@pytest.mark.parametrize(("told", "kept"), [(1.7, 1.0), (-3, 0.0), (10**400, 1.0), (0.25, 0.25)])
def test_a_confidence_is_cut_to_its_bounds(told: float, kept: float) -> None:
    found = evolve(confidence=told)

    assert found is not None
    assert found.confidence == kept


@pytest.mark.parametrize("name", ["keywords", "tags"])
@pytest.mark.parametrize("words", [None, "heist", {"0": "heist"}, ["heist", 3], [None], [["x"]]])
def test_words_that_are_no_list_of_texts_are_malformed(name: str, words: Any) -> None:
    with pytest.raises(MalformedReply):
        evolve(**{name: words})
    with pytest.raises(MalformedReply):
        forming.written(shown.click())({"user_note": {**FIELDS, name: words}})


def test_words_are_told_once_and_bounded() -> None:
    found = evolve(keywords=["Heist", "heist ", "", "x" * 99, *(f"w{i}" for i in range(40))])

    assert found is not None
    assert found.keywords[:2] == ("Heist", "w0")
    assert len(found.keywords) == 12


@pytest.mark.parametrize("content", [None, "", "  \n", 3, ["x"]])
def test_a_note_without_content_is_malformed(content: Any) -> None:
    with pytest.raises(MalformedReply):
        forming.written(shown.click())({"user_note": {**FIELDS, "content": content}})


def test_a_target_is_not_linked_with_itself() -> None:
    found = evolve(links=[{"id": 2, "relation": "self"}, {"id": 3, "relation": "x"}])

    assert found is not None
    assert [each.target for each in found.links] == ["a"]


@pytest.mark.parametrize("links", [None, "none", {}, [None, 3, "x"]])
def test_links_of_no_form_are_left_out_of_a_change(links: Any) -> None:
    found = evolve(links=links)

    assert found is not None
    assert found.links == ()


def test_stage_w_changes_neighbours_that_were_shown_each_once() -> None:
    told = [{**CHANGED, "id": i, "context": f"c{i}"} for i in (3, 3, 4, 1, 2, 0, 9)]
    found = reflect(neighbours=told)

    assert [(id_, each.context) for id_, each in found.neighbours] == [("a", "c3"), ("b", "c4")]


@pytest.mark.parametrize(
    "neighbours",
    [None, {}, "none", [None], [3], [{**CHANGED, "id": 3, "confidence": "sure"}],
     [{**CHANGED, "id": 3, "supporting_notes": [3]}], [{**CHANGED, "id": 3, "tags": None}]],
)  # fmt: skip
def test_stage_w_leaves_out_what_is_of_no_form_and_keeps_the_profile(neighbours: Any) -> None:
    found = reflect(neighbours=neighbours)

    assert found.neighbours == ()
    assert found.profile.content == "Rated Heat 4.0."


def test_stage_w_changes_the_item_where_another_note_bears_it_out() -> None:
    borne_out = reflect(item=CHANGED).item

    assert borne_out is not None
    assert borne_out.supporting == ("new",)
    assert reflect(item={**CHANGED, "supporting_notes": [2]}).item is None
    assert reflect(item=None).item is None


def paths(*given: Any) -> tuple[tuple[str, ...], ...]:
    reading = shown.reading()
    parse = ranking.synthesis((*reading.own, *reading.linked), 7)
    return parse({"summary": "Likes heists.", "evidence_paths": list(given)}).evidence_paths


def test_paths_begin_with_an_own_note_and_follow_links() -> None:
    assert paths([1, 3], [2], [1], [1, 3]) == (("a", "c"), ("b",), ("a",))


@pytest.mark.parametrize(
    "path", [[], [3], [3, 1], [2, 3], [1, 2], [1, 9], [1, 0], [1, 1], [True], 1, None, "1"]
)
def test_a_path_that_leaves_the_links_is_dropped(path: Any) -> None:
    assert paths(path) == ()


def test_hints_are_texts_told_once_and_few() -> None:
    parse = ranking.synthesis((), 3)
    hints = ["a", "a", "", 3, None, "b", "c", "d"]

    assert parse({"summary": "x", "facet_hints": hints}).facet_hints == ("a", "b", "c")
    assert parse({"summary": "x", "facet_hints": "a"}).facet_hints == ()


def facets(*given: Any, edges: Any = ()) -> Any:
    reading = shown.reading()
    parse = ranking.taste((*reading.own, *reading.linked), AtomRecConfig(lasting_days=2))
    return parse({"facets": list(given), "support_edges": edges})


def facet(name: Any = "heists", confidence: Any = 0.6, notes: Any = (1, 2)) -> dict[str, Any]:
    supporting = list(notes) if isinstance(notes, tuple) else notes
    return {"facet": name, "confidence": confidence, "supporting_notes": supporting}


@pytest.mark.parametrize(
    "bad",
    [facet(""), facet(3), facet(confidence="0.6"), facet(confidence=NAN), facet(confidence=True),
     facet(notes=()), facet(notes=(3,)), facet(notes=(0, 9)), facet(notes=None), None, "heists"],
)  # fmt: skip
def test_a_facet_without_a_text_a_confidence_and_own_support_is_dropped(bad: Any) -> None:
    assert [each.facet for each in facets(bad, facet("noir")).facets] == ["noir"]
    with pytest.raises(MalformedReply):
        facets(bad)


def test_a_facet_tells_when_its_own_support_was_and_whether_it_lasts() -> None:
    [short, long] = facets(facet("heists", 2, (1, 3)), facet("crime", 0.5, (1, 2, 2))).facets

    assert (short.confidence, short.supporting_notes, short.lasting) == (1.0, ("a", "c"), False)
    assert short.first_at == short.last_at
    assert (long.lasting, (long.last_at - long.first_at).days) == (True, 40)


def test_facets_are_told_once_and_at_most_seven() -> None:
    given = [facet("Heists"), facet("heists "), *(facet(f"f{i}") for i in range(9))]

    assert [each.facet for each in facets(*given).facets] == [
        "Heists",
        *(f"f{i}" for i in range(6)),
    ]
    assert facets().facets == ()


def test_edges_between_what_was_shown_are_kept_and_cut() -> None:
    bad = [(1, 9, 0.5), (0, 1, 0.5), (1, 1, 0.5), (1, 2, "0.5"), (1, 2, NAN), (True, 2, 1)]
    given = [*bad, (1, 2, 1.4), (1, 2, 0.1), (3, 1, 0.5)]
    edges = [{"from": a, "to": b, "weight": w} for a, b, w in given]

    assert facets(facet(), edges=[None, *edges]).support_edges == (
        ("a", "b", 1.0), ("c", "a", 0.5),
    )  # fmt: skip
    assert facets(facet(), edges="none").support_edges == ()


def scores(*items: Any) -> Any:
    return ranking.scores(Shown(("x", "0", "z")))({"scores": list(items)})


@pytest.mark.parametrize("given", NOT_SHOWN)
def test_an_item_that_was_not_shown_is_left_out_and_counted(given: Any) -> None:
    found = scores({"item_id": given, "score": 1.0}, {"item_id": 2, "score": 0.5})

    assert (found.scores, found.invented) == ((("0", 0.5, ""),), 1)
    with pytest.raises(MalformedReply):
        scores({"item_id": given, "score": 1.0})


def test_an_item_named_again_counts_as_invented_and_the_first_word_stands() -> None:
    found = scores(*({"item_id": 1, "score": s} for s in (0.2, 0.9, 0.9)))

    assert (found.scores, found.invented) == ((("x", 0.2, ""),), 2)


@pytest.mark.parametrize("score", ["0.5", None, True, NAN, INF, [1], {}])
def test_a_score_that_is_no_finite_number_is_left_out(score: Any) -> None:
    found = scores({"item_id": 1, "score": score}, {"item_id": 3, "score": 0.5})

    assert [id_ for id_, _, _ in found.scores] == ["z"]
    assert not found.by_order
    with pytest.raises(MalformedReply):
        scores({"item_id": 1, "score": score})


def test_scores_are_cut_to_their_bounds_and_rationales_are_texts() -> None:
    found = scores(
        {"item_id": 1, "score": 7, "rationale": "a heist"},
        {"item_id": 2, "score": -1, "rationale": 3},
    )

    assert found.scores == (("x", 1.0, "a heist"), ("0", 0.0, ""))


@pytest.mark.parametrize(
    "items", [[3, 1], [{"item_id": 3}, {"item_id": 1, "rationale": ""}], ["3", "1"]]
)
def test_a_list_without_scores_becomes_scores_by_order(items: list[Any]) -> None:
    found = scores(*items)

    assert found.by_order
    assert found.scores == (("z", 1.0, ""), ("x", 0.5, ""))


def test_a_list_of_nothing_is_malformed() -> None:
    nothing: list[list[Any]] = [[], [None], [[]], ["best first"]]
    for items in nothing:
        with pytest.raises(MalformedReply):
            scores(*items)
