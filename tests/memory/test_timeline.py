import pytest

import lamina


@pytest.fixture
def pair(memory: lamina.Memory) -> lamina.Handle:
    pair = memory.conversation("ann-and-bo")
    talk = [
        ("2026-01-05", "Bo", "I dream of learning the cello."),
        ("2026-02-05", "Ann", "I painted the kitchen yellow."),
        ("2026-03-05", "Ann", "Are you still dreaming of the cello?"),
        ("2026-03-05", "Bo", "I rented a cello, because Mrs Lindgren has a free hour."),
        ("2026-06-05", "Bo", "I gave up the cello; my shoulder hurts."),
    ]
    for minute, (day, who, text) in enumerate(talk):
        said = {"speaker": who, "content": text}
        pair.add(said, session_id=day, timestamp=f"{day}T09:{minute:02}:00Z")
    for session in pair.sessions():
        pair.close_session(session.id)
    memory.process()
    return pair


def test_it_tells_who_mentioned_it_first_and_what_came_later(pair: lamina.Handle) -> None:
    moments = pair.timeline("cello")

    spoken = [m for m in moments if m.role != "summary"]
    assert [m.said_at for m in moments] == sorted(m.said_at for m in moments)
    assert (spoken[0].role, spoken[0].speaker) == ("first mention", "Bo")
    assert spoken[0].text == "I dream of learning the cello."
    assert spoken[-1].text == "I gave up the cello; my shoulder hurts."
    assert [m.role for m in spoken].count("first mention") == 1


def test_it_tells_why_where_that_is_known_and_cites(pair: lamina.Handle) -> None:
    rented = next(m for m in pair.timeline("cello") if "rented" in m.text and m.role == "later")

    assert "Are you still dreaming of the cello?" in rented.why
    assert rented.sources
    assert all(m.sources for m in pair.timeline("cello"))


def test_what_is_off_the_topic_stays_out(pair: lamina.Handle) -> None:
    assert not [m for m in pair.timeline("cello") if m.text == "I painted the kitchen yellow."]


def test_no_topic_no_story(memory: lamina.Memory) -> None:
    assert memory.user("nobody").timeline("cello") == []
