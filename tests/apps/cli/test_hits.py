from io import StringIO

from rich.console import Console

from lamina.apps.cli.render.hits import hits_table
from lamina.model import Hit
from lamina.testing.factories import at, note


def shown(hit: Hit) -> str:
    out = StringIO()
    Console(file=out, width=200).print(hits_table([hit]))
    return " ".join(out.getvalue().split())


def hit(**more: object) -> Hit:
    given: dict[str, object] = {
        "kind": "message", "id": "m1", "text": "I row.", "relevance": 1.0, "session": "s",
        "speaker": "ann", "role": "user", "began_at": at(0), "said_at": at(0),
    }  # fmt: skip
    return Hit(**{**given, **more})  # type: ignore[arg-type]


def test_a_hit_that_nothing_is_known_against_is_shown_plainly() -> None:
    assert "I row. 1.00" in shown(hit())


def test_a_hit_says_what_says_otherwise() -> None:
    told = shown(hit(disagrees_with=("a" * 32, "b" * 32)))

    assert "I row. (disagrees with aaaaaaaa, bbbbbbbb)" in told


def test_a_hit_says_how_sure_it_is_and_whose_place_it_took() -> None:
    told = shown(hit(certainty="hearsay", valid_at=at(0), supersedes=("a" * 32,)))

    assert f"(hearsay; from {at(0):%Y-%m-%d}; in place of aaaaaaaa)" in told


def test_a_hit_is_shown_with_its_kin_of_other_times() -> None:
    told = shown(hit(kin=(note("n1", "Ann rows each spring."),)))

    assert "beside it, of other times: Ann rows each spring." in told
