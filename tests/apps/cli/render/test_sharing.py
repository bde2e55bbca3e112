import pytest
from rich.text import Text

from lamina.apps.cli.render import sharing
from lamina.items import Pattern
from lamina.memory.pooling import Refreshed, Thresholds, Tidied


def pattern(count: int, **given: object) -> Pattern:
    return Pattern(
        id="0123456789abcdef", explanation="Likes noir.", description="Repeats noir.",
        evolution_count=count, contributors=3, **given,  # type: ignore[arg-type]
    )  # fmt: skip


def test_a_pattern_says_how_often_it_evolved_if_it_did() -> None:
    told = [sharing.told(pattern(count)).plain for count in (0, 1, 1200)]

    assert told == [
        "Likes noir. Repeats noir.",
        "Likes noir. Repeats noir. (evolved once)",
        "Likes noir. Repeats noir. (evolved 1,200 times)",
    ]


def test_what_was_looked_up_is_told_with_its_weight_and_nothing_is_no_heading() -> None:
    [head, line] = sharing.looked_up([pattern(2, weight=0.25)])

    assert head.plain == "What users share that speaks here"
    assert line.plain == "Likes noir. Repeats noir. (evolved 2 times)  weight 0.25, 01234567"
    assert list(sharing.looked_up([])) == []


def test_a_dry_run_tells_what_is_to_be_done_and_a_refresh_what_failed() -> None:
    dry = [t.plain for t in sharing.refreshed(
        Refreshed(windows=9, new=1, withdrawn=2, dry_run=True)
    )]  # fmt: skip
    failed = [t.plain for t in sharing.refreshed(
        Refreshed(windows=9, new=0, withdrawn=0, failed=3, troubles=("timeout: 60 s",), calls=1)
    )]  # fmt: skip

    assert dry == ["1 new window to be told in general terms, 2 to be withdrawn; 9 windows in all"]
    assert "3 windows left to the next refresh" in failed
    assert "to be tried again: timeout: 60 s" in failed
    assert "1 model call, 0 tokens in, 0 out" in failed


def test_what_tells_nothing_is_told_apart_from_what_was_taken_out_and_from_who_left() -> None:
    found = Refreshed(windows=9, new=0, withdrawn=0, silent=3, removed=1, left=2)

    lines = [line.plain for line in sharing.refreshed(found)]

    assert lines[1:] == [
        "3 windows told nothing in general terms",
        "1 window passed over: what was told was taken out",
        "2 users passed over: they left",
    ]


def test_of_what_was_merged_some_is_shown_and_the_rest_counted() -> None:
    merged = Tidied(merged={"a": "b", "c": "d"}, withdrawn={"e": "too old"})

    said = [told for told in sharing.tidied(merged, [("noir", "crime")]) if isinstance(told, Text)]

    assert [told.plain for told in said] == [
        "2 patterns merged into another",
        "and 1 more",
        "1 pattern withdrawn: too old",
    ]


@pytest.mark.parametrize(
    ("low", "high", "change"),
    [
        (0.5, 0.7, "if set, fewer patterns come into question to be linked, and more are taken"),
        (0.4, 0.8, "that changes nothing"),
        (0.3, 0.8, "if set, more patterns come into question to be linked, and as many are taken"),
    ],
)
def test_what_proposed_thresholds_would_change_is_told(
    low: float, high: float, change: str
) -> None:
    proposed = Thresholds(
        encoder="words", tau_low=low, tau_high=high, low_in_use=0.4, high_in_use=0.8, texts=40
    )

    told = [each.plain for each in sharing.thresholds(proposed, "set them")]

    assert any(line.startswith(change) for line in told)
