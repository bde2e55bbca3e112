from datetime import UTC, datetime, timedelta, timezone

import pytest

from lamina.apps.cli.render.text import brief, clean, span, when

MOMENT = datetime(2026, 3, 4, 10, 5, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain 漢字 café\n\ttab", "plain 漢字 café\n\ttab"),
        ("\x1b]0;title\x07\x1b[2J", "␛]0;title␇␛[2J"),
        ("a\x00b\x7f\x9b31m", "a␀b␡\ufffd31m"),
        ("pay \u202eevil\u202c", "pay \ufffdevil\ufffd"),
        ("half \ud83d", "half \ufffd"),
        ("family 👩‍👩‍👧", "family 👩‍👩‍👧"),
    ],
)
def test_what_could_steer_a_terminal_is_shown_as_a_picture(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_times_are_told_in_the_offset_they_were_said_in() -> None:
    assert when(MOMENT) == "2026-03-04 10:05"
    assert when(MOMENT.astimezone(timezone(timedelta(hours=-5)))) == "2026-03-04 05:05 -05:00"


def test_what_lasts_more_than_a_day_shows_its_first_and_last() -> None:
    assert span(MOMENT, MOMENT) == "2026-03-04 10:05"
    assert span(MOMENT - timedelta(days=3), MOMENT) == "2026-03-01 to 2026-03-04"


def test_long_text_is_shown_by_its_beginning() -> None:
    shown = brief("word " * 1000)

    assert shown.startswith("word word")
    assert shown.endswith("… (5,000 characters)")
    assert brief("short") == "short"
