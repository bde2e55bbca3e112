import pytest

from lamina.apps.cli import progress


def test_short_work_says_nothing_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with progress.progress("importing") as advance:
        advance(1, 2)
        advance(2, 2)

    assert capsys.readouterr() == ("", "")


def test_long_work_says_now_and_then_how_far_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = iter([0.0, 4.0, 12.0, 12.0])
    monkeypatch.setattr("lamina.apps.cli.progress.time.monotonic", lambda: next(seconds, 15.0))

    with progress.progress("importing") as advance:
        for done in (1, 2, 3):
            advance(done, 4)

    assert capsys.readouterr() == ("", "importing: 2 of 4\n")


def test_a_terminal_gets_a_bar(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TTY_COMPATIBLE", "1")

    with progress.progress("importing") as advance:
        advance(3, 4)

    told = capsys.readouterr()
    assert told.out == ""
    assert "importing" in told.err
    assert "3/4" in told.err
