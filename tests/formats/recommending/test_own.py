import json
from datetime import UTC, datetime
from pathlib import Path

from tests.formats.recommending.taken import take, write


def test_the_documented_columns_of_a_table_are_read(tmp_path: Path) -> None:
    write(
        tmp_path, "items.csv",
        "id,title,description,categories,tags,price,attributes,known_since",
        '0,Anchor,"Fish, and\nmore fish",Food|Bars,salty,12.5,"{""area"": ""north""}",2020-01-02',
        "007,Bell,,,,,,",
    )  # fmt: skip
    write(
        tmp_path, "interactions.csv", "user,item,timestamp,rating,text,action,id,device",
        "ann,0,2026-03-04T10:00:00+01:00,4,Salty.,visit,v1,phone", "0,007,1772614800000,,,,,",
    )  # fmt: skip

    taken = take(tmp_path)

    anchor, bell = taken.items
    assert (anchor.id, anchor.description) == ("0", "Fish, and\nmore fish")
    assert (anchor.categories, anchor.tags) == (("Food", "Bars"), ("salty",))
    assert anchor.attributes == {"price": 12.5, "area": "north"}
    assert anchor.known_since == datetime(2020, 1, 2, tzinfo=UTC)
    assert (bell.id, dict(bell.attributes), bell.known_since) == ("007", {}, None)
    visit, click = taken.interactions
    assert (visit.id, visit.action, visit.rating, visit.text) == ("v1", "visit", 4.0, "Salty.")
    assert visit.metadata == {"device": "phone"}
    assert visit.at.isoformat() == "2026-03-04T10:00:00+01:00"
    assert (click.user, click.item, click.action, click.rating) == ("0", "007", "click", None)
    assert click.at == datetime(2026, 3, 4, 9, tzinfo=UTC)


def test_a_line_of_json_may_be_either(tmp_path: Path) -> None:
    item = {"id": 3, "title": "Bell (1999)", "categories": ["Bars"], "open": True, "none": None}
    done = {"user": "ann", "item": 3, "timestamp": 5, "rating": 0, "seen": {"on": "phone"}}
    path = write(tmp_path, "all.jsonl", json.dumps(item), "", json.dumps(done))

    taken = take(path)

    [bell], [rated] = taken.items, taken.interactions
    assert taken.layout == "jsonl"
    assert (bell.id, bell.attributes) == ("3", {"year": 1999, "open": True})
    assert (rated.item, rated.rating, rated.action) == ("3", 0.0, "rate")
    assert rated.metadata == {"seen": {"on": "phone"}}


def test_tables_may_have_tabs_or_semicolons(tmp_path: Path) -> None:
    write(tmp_path, "a.tsv", "user_id\titem_id\ttime", "1\t2\t3")
    write(tmp_path, "b.csv", "id;title", "2;Anchor, the")

    taken = take(tmp_path)

    assert [(i.user, i.item) for i in taken.interactions] == [("1", "2")]
    assert [item.title for item in taken.items] == ["Anchor, the"]


def test_interactions_without_a_time_keep_the_order_of_the_file(tmp_path: Path) -> None:
    write(tmp_path, "a.csv", "user,item", "ann,b", "ann,a")

    first, second = take(tmp_path).interactions

    assert first.at < second.at
    assert first.metadata == {"order_only": True}


def test_each_line_that_will_not_do_says_why(tmp_path: Path) -> None:
    path = write(
        tmp_path, "all.jsonl", '{"user": "ann", "item": "a"}', "no JSON", '{"user": "ann"}',
        '{"user": "ann", "item": "a", "rating": 1e999}',
        '{"user": "ann", "item": "a", "rating": NaN}',
        '{"user": "ann", "item": "a", "action": "describe"}', '{"id": true}', "[1]",
        '{"id": "a", "categories": {}}', '{"user": "ann", "item": "b"',
    )  # fmt: skip

    taken = take(path)

    assert [i.item for i in taken.interactions] == ["a"]
    assert [fault.split(", ")[1].split(": ")[0] for fault in taken.faults] == [
        f"line {number}" for number in range(2, 11)
    ]


def test_text_that_is_not_utf_8_is_told_by_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", "user,item,text", "ann,a,é", encoding="latin-1")
    path.write_bytes(path.read_bytes() + "bo,a,é\n".encode())

    taken = take(path)

    assert taken.faults == ["a.csv, line 2: not UTF-8 text"]
    assert [i.text for i in taken.interactions] == ["é"]


def test_a_quote_that_is_never_closed_takes_no_line_with_it_silently(tmp_path: Path) -> None:
    write(tmp_path, "a.csv", "user,item,text", "ann,a,fine", 'bo,a,"open', "cy,a,lost")

    taken = take(tmp_path)

    assert [i.user for i in taken.interactions] == ["ann"]
    assert taken.faults[0].startswith("a.csv, line 3: cannot be cut into columns")
