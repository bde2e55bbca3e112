"""What readers made of the prompts: facts, relations, summaries and answers."""

from functools import cache

import pytest

from lamina.model import Note, NoteKind
from lamina.ports import Request
from lamina.strategies.structmem.own_language import keeps_language
from tests.recorded import cases, comparisons


@cache
def current() -> dict[str, Request]:
    return cases.prompts()


CASES = [
    *(f"{s}.{kind}" for group in cases.CONVERSATIONS for s in group for kind in
      ("bind", "consolidate")),
    "kiln.bind-facts",
    "kiln.bind-relations",
    *cases.QUESTIONS,
    *comparisons.CASES,
]  # fmt: skip


def notes(*sessions: str, kind: NoteKind | None = None) -> list[Note]:
    """Return the notes of the last of these sessions."""
    found = cases.formed(*sessions).view.notes.values()
    own = [n for n in found if any(s.startswith(f"{sessions[-1]}-") for s in n.sources)]
    return [n for n in own if kind in (None, n.kind)]


def tells_day(text: str, *spellings: str) -> bool:
    """Whether a day is in `text`, as readers may write it."""
    return any(spelling in text for spelling in spellings)


def summary(*sessions: str) -> Note:
    return notes(*sessions, kind="summary")[-1]


def of(session: str, position: int, kind: NoteKind = "fact") -> list[Note]:
    """Return what was read from one message."""
    view = cases.formed(session).view
    [event] = view.events([f"{session}-{position}"])
    return [n for n in event.notes if n.kind == kind]


@pytest.mark.parametrize("case", CASES)
def test_the_recorded_answer_is_to_the_prompt_as_it_is_now(case: str) -> None:
    recorded = cases.recording(case)

    assert recorded is not None, f"record it: python -m tests.recorded.cases {case}"
    assert recorded.prompt_digest == cases.prompt_digest(current()[case]), (
        f"the prompt of {case} has changed; answer it anew: python -m tests.recorded.cases {case}"
    )


def test_every_recording_is_used() -> None:
    recorded = {path.stem for path in (cases.HERE / "replies").glob("*.json")}

    assert recorded == set(CASES) == set(current())


@pytest.mark.parametrize("group", cases.CONVERSATIONS)
def test_every_reply_is_taken_at_once(group: tuple[str, ...]) -> None:
    formed = cases.formed(*group)

    assert [step.redo for step in formed.steps.values()] == [None] * 2 * len(group)
    assert all(m.progress == "bound" and m.consolidated for m in formed.view.messages)


@pytest.mark.parametrize(
    ("session", "position", "words"),
    [
        ("kiln", 2, "24 February"),
        ("kiln", 3, "Mill Lane"),
        ("kiln", 3, "140"),
        ("kiln", 5, "sixtieth"),
        ("kiln", 7, "Montreal"),
        ("kiln", 9, "autumn"),
        ("kiln", 11, "4 hours 12"),
        ("kiln", 11, "Tuesdays"),
        ("kiln", 18, "pork"),
        ("kiln", 21, "105"),
        ("zh-kiln", 2, "三楼"),
        ("zh-kiln", 3, "140"),
        ("zh-kiln", 5, "六十岁"),
        ("zh-kiln", 7, "蒙特利尔"),
        ("zh-kiln", 11, "4小时12分"),
        ("zh-kiln", 18, "猪肉"),
    ],
)
def test_what_a_message_says_is_among_its_facts(session: str, position: int, words: str) -> None:
    assert any(words in note.text for note in of(session, position))


@pytest.mark.parametrize("session", ["kiln", "zh-kiln"])
def test_an_image_is_part_of_what_was_said(session: str) -> None:
    assert len(of(session, 5)) >= 1
    assert any(w in n.text for n in of(session, 19) for w in ("puppy", "小狗"))


@pytest.mark.parametrize("session", ["kiln", "zh-kiln"])
@pytest.mark.parametrize(
    ("position", "day"),
    [
        (2, "2024-02-24"),
        (3, "2024-03-02"),
        (7, "2024-04-06"),
        (16, "2024-03-07"),
        (19, "2024-03-08"),
        (20, "2024-03-15"),
        (21, "2024-03-11"),
    ],
)
def test_a_relative_date_is_resolved(session: str, position: int, day: str) -> None:
    assert any(day in note.text for note in of(session, position))


@pytest.mark.parametrize("session", ["kiln", "zh-kiln"])
def test_what_was_done_holds_from_its_day_and_what_is_planned_does_not(session: str) -> None:
    days = {
        position: {n.valid_at.date().isoformat() for n in of(session, position) if n.valid_at}
        for position in (3, 7, 16, 19, 20, 21)
    }

    assert days == {3: {"2024-03-02"}, 7: set(), 16: {"2024-03-07"}, 19: {"2024-03-08"},
                    20: set(), 21: set()}  # fmt: skip


@pytest.mark.parametrize("session", ["kiln", "zh-kiln"])
def test_hearsay_and_doubt_are_kept(session: str) -> None:
    assert "hearsay" in {n.certainty for n in of(session, 8)}
    assert {n.certainty for n in of(session, 14)} == {"uncertain"}


@pytest.mark.parametrize("session", ["kiln", "zh-kiln"])
def test_what_the_assistant_claimed_is_its_own_claim(session: str) -> None:
    planner = ("Planner", "日程助手")

    for note in of(session, 17):
        assert note.role == "assistant"
        assert note.said_by in planner
        assert any(name in note.text for name in planner)
    assert not any(
        w in n.text
        for position in (*range(1, 17), 18, 19, 20, 21, 22)
        for n in of(session, position)
        for w in ("allergic", "过敏")
    )


@pytest.mark.parametrize("session", ["kiln", "zh-kiln"])
def test_an_instruction_in_a_message_is_only_something_that_was_received(session: str) -> None:
    about_it = [n for n in notes(session, kind="fact") if "NordPay" in n.text or "北付" in n.text]

    assert about_it
    assert all("mail" in n.text or "邮件" in n.text for n in about_it)
    assert "NordPay" not in " ".join(n.text for n in of(session, 18))


@pytest.mark.parametrize(
    "group", [("kiln",), ("kiln", "dairy"), ("zh-kiln",), ("swim",), ("swim", "lake")]
)
def test_what_readers_wrote_is_borne_out(group: tuple[str, ...]) -> None:
    doubted = [n.text for n in notes(*group) if not n.supported]

    assert doubted == []


def test_chinese_stays_chinese() -> None:
    said = "我们搬到新房子了。"

    assert all(keeps_language(n.text, said) for n in notes("zh-kiln"))
    assert keeps_language(cases.said("ask-zh-party").answer, said)


def test_relations_are_one_a_message_and_tell_how_things_hang_together() -> None:
    relations = notes("kiln", kind="relation")

    assert len({n.event for n in relations}) == len(relations) > 8
    assert any("because" in n.text for n in relations)


def test_two_calls_read_what_one_call_reads() -> None:
    """Compared on one session: the same days and the same doubts, at 1.7 times the input."""
    one = notes("kiln")
    two = list(cases.formed_in_two_calls("kiln").view.notes.values())

    def days(found: list[Note]) -> set[tuple[str | None, str]]:
        return {(n.event, n.valid_at.date().isoformat()) for n in found if n.valid_at}

    def doubts(found: list[Note]) -> set[str | None]:
        return {n.event for n in found if n.kind == "fact" and n.certainty != "stated"}

    assert len(days(one) & days(two)) >= 0.8 * len(days(two))
    assert doubts(one) == doubts(two)
    assert abs(len(one) - len(two)) <= 0.2 * len(one)


def test_a_summary_covers_its_session_with_dates() -> None:
    told = summary("kiln")

    assert (told.began_at.date(), told.said_at.date()) == (
        told.said_at.date(),
        told.began_at.date(),
    )
    assert {m for m in told.sources} >= {"kiln-3", "kiln-7", "kiln-11", "kiln-19"}
    for words in ("Kiln House", "Karim", "4 hours 12", "Lisbon"):
        assert words in told.text
    assert tells_day(told.text, "2024-04-06", "6 April 2024")


def test_a_later_summary_weaves_in_what_led_to_it() -> None:
    told = summary("kiln", "dairy")

    assert told.began_at < told.said_at
    assert {"kiln-8", "kiln-13"} <= set(told.sources)
    assert "hearsay" in told.text or "rumour" in told.text
    for words in ("scarf", "Okafor", "Graça", "1.5 km"):
        assert words in told.text
    assert tells_day(told.text, "2024-07-31", "31 July 2024")


def test_a_summary_that_is_out_of_date_is_revised() -> None:
    [told] = notes("swim", "lake", kind="summary")

    assert told.revision == 2
    assert tells_day(told.text, "2024-09-15", "15 September 2024")
    assert "2 km" in told.text
    assert "35 euros" in told.text
    assert {"swim-1", "lake-2"} <= set(told.sources)


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("ask-closing", ("31 July 2024",)),
        ("ask-allergy", ("not vegan", "Planner")),
        ("ask-bank", ("does not tell",)),
        ("ask-race", ("No", "swim")),
        ("ask-zh-party", ("4月6日", "卡里姆")),
    ],
)
def test_a_question_is_answered_from_the_memory(case: str, words: tuple[str, ...]) -> None:
    said = cases.said(case)
    context, _ = cases.asked(case)

    assert all(word in said.answer for word in words)
    assert all(1 <= number <= len(context.hits) for number in said.cited)
    assert bool(said.cited) == (said.search is None)


def test_what_the_memory_does_not_tell_is_searched_for() -> None:
    assert cases.said("ask-bank").search
    assert cases.said("ask-closing").search is None


@pytest.mark.parametrize("case", comparisons.CASES)
def test_facts_are_held_against_each_other(case: str) -> None:
    recorded = cases.recording(case)
    assert recorded is not None, f"record it: python -m tests.recorded.cases {case}"
    expected = comparisons.expected(case)
    told = {(j.new.id, j.known.id): j.verdict for j in comparisons.judged(case, recorded.reply)}
    verdicts = {pair: told.get(pair, "unrelated") for pair in expected}
    updates = {pair for pair, verdict in verdicts.items() if verdict == "updates"}

    assert updates <= {pair for pair, verdict in expected.items() if verdict == "updates"}
    assert sum(verdicts[pair] == verdict for pair, verdict in expected.items()) >= 9
