"""Behaviour 5: what changed is told as it is now, as it was then, and why; nothing is destroyed."""

import json

import pytest

import lamina
from lamina.ports import Request
from lamina.testing import ScriptedLLM
from tests.conftest import Open

PARIS = ("I live in Paris.", "2026-03-02T10:00:00Z")
ROME = ("I live in Rome now.", "2026-06-05T10:00:00Z")
ASKED = "Where does Ann live?"


def tell(user: lamina.Handle, *told: tuple[str, str]) -> None:
    """Let each thing be said in a session of its own, and form memory after each."""
    for text, timestamp in told:
        user.add(text, session_id=timestamp[:10], timestamp=timestamp, wait=True)


@pytest.fixture
def ann(memory: lamina.Memory) -> lamina.Handle:
    """Ann, who lived in Paris in March and in Rome from June on."""
    user = memory.user("ann")
    tell(user, PARIS, ROME)
    return user


def texts(hits: list[lamina.Hit]) -> list[str]:
    return [hit.text for hit in hits]


def test_asked_now_only_what_holds_is_told(ann: lamina.Handle) -> None:
    assert texts(ann.search(ASKED)) == [ROME[0]]
    assert "Paris" not in ann.context(ASKED)


def test_asked_as_of_april_only_what_was_known_is_told(ann: lamina.Handle) -> None:
    assert texts(ann.search(ASKED, as_of="2026-04-15")) == [PARIS[0]]
    assert "Paris" in ann.context(ASKED, as_of="2026-04-15")
    [fact] = ann.list(kind="fact", as_of="2026-04-15")
    assert (fact.text, fact.superseded_by, fact.invalid_at) == (PARIS[0], None, None)


def test_what_held_in_april_is_told_as_it_is_known_now(ann: lamina.Handle) -> None:
    [hit] = ann.search(ASKED, valid_on="2026-04-15")

    assert hit.text == PARIS[0]
    assert hit.invalid_at is not None
    assert hit.invalid_at.date().isoformat() == "2026-06-05"
    assert texts(ann.search(ASKED, valid_on="2026-07-01")) == [ROME[0]]
    assert "until 2026-06-05" in ann.context(ASKED, valid_on="2026-04-15")


def test_history_shows_both_why_and_when(ann: lamina.Handle) -> None:
    rome, paris = ann.list(kind="fact", superseded=True)
    before, after = ann.history(paris.id)

    assert (before.cause, after.cause) == ("bind", "supersede")
    assert (before.superseded_by, after.superseded_by) == (None, rome.id)
    assert after.invalid_at == rome.began_at
    assert after.sources == before.sources
    assert "Rome" in after.difference
    assert ann.why(rome.id).sources[0].text == ROME[0]


def test_the_story_tells_both_in_order(ann: lamina.Handle) -> None:
    first, second = ann.timeline("living in Paris or Rome")

    assert (first.text, second.text) == (PARIS[0], ROME[0])
    assert (first.until, second.until) == (second.said_at, None)


def test_nothing_is_destroyed(ann: lamina.Handle) -> None:
    assert [message.text for message in ann.messages()] == [PARIS[0], ROME[0]]
    assert {PARIS[0], ROME[0]} == set(texts(ann.search(ASKED, superseded=True)))


def test_the_end_is_the_same_in_whatever_order_it_was_told(memory: lamina.Memory) -> None:
    oslo = ("I live in Oslo now.", "2026-09-01T10:00:00Z")
    orders = ([PARIS, ROME, oslo], [oslo, ROME, PARIS], [ROME, oslo, PARIS], [PARIS, oslo, ROME])
    ends = []
    for i, order in enumerate(orders):
        user = memory.user(f"ann-{i}")
        tell(user, *order)
        facts = {note.text: note for note in user.list(kind="fact", superseded=True)}
        names = {note.id: text for text, note in facts.items()}
        ends.append(
            {
                text: (names.get(note.superseded_by or ""), note.invalid_at)
                for text, note in facts.items()
            }
        )
        assert texts(user.search("Where do I live?")) == [oslo[0]]

    assert ends.count(ends[0]) == len(ends)
    assert [after for after, _ in ends[0].values()].count(None) == 1


def test_superseded_notes_do_not_crowd_out_live_ones(memory: lamina.Memory) -> None:
    user = memory.user("ann")
    cities = ("Paris", "Rome", "Oslo", "Lima", "Kyoto", "Cairo", "Quito", "Perth", "Turin", "Bern")
    tell(
        user,
        *((f"I live in {c} now.", f"2026-01-{d:02}T10:00:00Z") for d, c in enumerate(cities, 1)),
    )
    user.add("My flat has a balcony.", timestamp="2026-01-20T10:00:00Z", wait=True)

    found = texts(user.search("Where do I live, and in what flat?", top_k=2))
    assert set(found) == {"I live in Bern now.", "My flat has a balcony."}


def test_a_change_in_chinese_is_one_too(memory: lamina.Memory) -> None:
    user = memory.user("安")
    tell(user, ("我住在北京。", "2026-03-02T10:00:00Z"), ("我搬到上海了。", "2026-06-05T10:00:00Z"))

    assert user.search("我住在哪里？")[0].text == "我搬到上海了。"
    assert user.search("我住在哪里？", as_of="2026-04-15")[0].text == "我住在北京。"


def test_a_correction_takes_the_place_of_what_it_corrects(memory: lamina.Memory) -> None:
    user = memory.user("ann")
    user.add("My meeting is on Tuesday.", timestamp="2026-03-02T10:00:00Z")
    user.add("Actually, my meeting is on Thursday.", timestamp="2026-03-02T10:01:00Z", wait=True)

    assert texts(user.search("When is my meeting?")) == ["Actually, my meeting is on Thursday."]


def test_what_both_may_hold_stays(memory: lamina.Memory) -> None:
    user = memory.user("ann")
    tell(
        user,
        ("I like tea.", "2026-03-02T10:00:00Z"),
        ("I like coffee.", "2026-03-03T10:00:00Z"),
        ("My sister lives in Rome.", "2026-03-04T10:00:00Z"),
        PARIS,
    )

    assert len(user.list(kind="fact")) == 4


def test_a_person_outranks_what_is_said_later(memory: lamina.Memory) -> None:
    user = memory.user("ann")
    tell(user, PARIS)
    [fact] = user.list(kind="fact")
    user.update(fact.id, "Ann lives in Lyon.")
    tell(user, ROME)

    assert "Ann lives in Lyon." in [note.text for note in user.list(kind="fact")]
    assert user.get(fact.id).text == "Ann lives in Lyon."


def test_a_model_may_judge(open_memory: Open) -> None:
    def answer(request: Request) -> str:
        if '["known"' in request.prompt:
            verdict = {"new": 1, "known": 2, "why": "She moved.", "verdict": "updates"}
            return json.dumps({"pairs": [verdict]})
        city = "Rome" if "Rome" in request.prompt else "Paris"
        fact = {"source_id": 1, "fact": f"Ann lives in {city}."}
        return json.dumps({"facts": [fact], "relations": []})

    user = open_memory(ScriptedLLM(always=answer)).user("ann")
    tell(user, PARIS, ROME)

    assert [note.text for note in user.list(kind="fact")] == ["Ann lives in Rome."]
    rome, paris = user.list(kind="fact", superseded=True)
    assert paris.superseded_by == rome.id
    assert user.history(paris.id)[-1].model == "scripted"
    assert user.search(ASKED, kinds=["fact"])[0].text == "Ann lives in Rome."
