from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.formats.recommending.taken import take, write

NEWS = (
    "N1\tsports\tsailing\tA boat race\tIt rained.\turl\t"
    '[{"Label": "Oslo", "Type": "G"}]\t[{"Label": "Oslo"}, {"Label": "Rain"}]',
    "N2\tnews\tworld\tA vote\t\turl\t[]\t",
)
EARLY = "2\tU1\t11/11/2019 9:05:58 AM\tN7 N8\tN1-0 N2-1 N3-0"
LATE = "1\tU1\t11/11/2019 1:05:58 PM\tN7 N8\tN2-0 N1-1"


def test_news_are_read_with_what_they_are_about(tmp_path: Path) -> None:
    write(tmp_path, "news.tsv", *NEWS)

    boat, vote = take(tmp_path).items

    assert (boat.id, boat.title, boat.description) == ("N1", "A boat race", "It rained.")
    assert (boat.categories, boat.tags) == (("sports", "sailing"), ("Oslo", "Rain"))
    assert (vote.categories, vote.tags) == (("news", "world"), ())


def test_clicks_tell_what_was_passed_over(tmp_path: Path) -> None:
    write(tmp_path, "behaviors.tsv", "1\tU1\t11/11/2019 9:05:58 PM\t\tN1-0 N2-1 N3-0")

    [click] = take(tmp_path).interactions

    assert (click.user, click.item, click.action) == ("U1", "N2", "click")
    assert click.at == datetime(2019, 11, 11, 21, 5, 58, tzinfo=UTC)
    assert click.metadata == {"impression": "1", "passed_over": ["N1", "N3"]}


def test_a_history_is_read_once_in_order_before_the_first_impression(tmp_path: Path) -> None:
    write(tmp_path, "behaviors.tsv", LATE, EARLY)

    interactions = take(tmp_path).interactions

    history = [i for i in interactions if i.metadata.get("order_only")]
    first = datetime(2019, 11, 11, 9, 5, 58, tzinfo=UTC)
    assert [i.item for i in interactions] == ["N7", "N8", "N1", "N2"]
    assert [i.at for i in history] == [first - timedelta(seconds=s) for s in (2, 1)]


def test_impressions_without_labels_and_noon_and_midnight_are_read(tmp_path: Path) -> None:
    write(
        tmp_path, "behaviors.tsv", "1\tU1\t11/11/2019 12:00:00 AM\tN1\tN2 N3",
        "2\tU2\t11/11/2019 12:00:00 PM\tN1\tN2-1",
    )  # fmt: skip

    taken = take(tmp_path)

    assert [i.at.hour for i in taken.interactions] == [23, 11, 12]
    assert taken.faults == []


def test_a_line_without_its_columns_is_told(tmp_path: Path) -> None:
    write(tmp_path, "behaviors.tsv", EARLY, "3\tU1\t11/31/2019 1:00:00 PM\t\tN1-1", "4\tU1\tN1-1")

    taken = take(tmp_path)

    assert len(taken.interactions) == 3
    assert "line 2: time: expected a time" in taken.faults[0]
    assert taken.faults[1] == "behaviors.tsv, line 3: expected 5 columns, found 3"
