import pytest

import lamina
from lamina.errors import BadInput
from lamina.recall.context import CONTEXT_BEGIN, CONTEXT_END
from tests.conftest import Open

TALK = [
    ("Ann", "I adopted a cat, Miso, from the shelter in Bergen."),
    ("Bo", "Lovely! How old is she?"),
    ("Ann", "Three. She sleeps on the piano."),
    ("Bo", "I started to learn the cello last week."),
    ("Ann", "With whom?"),
    ("Bo", "With Mrs Lindgren, every Tuesday."),
]


@pytest.fixture
def pair(memory: lamina.Memory) -> lamina.Handle:
    pair = memory.conversation("ann-and-bo")
    for minute, (who, text) in enumerate(TALK):
        said = {"speaker": who, "content": text}
        pair.add(said, session_id="s1", timestamp=f"2026-01-05T09:{minute:02}:00Z")
    pair.close_session("s1")
    memory.process()
    return pair


def test_what_was_added_is_found_by_the_next_search(memory: lamina.Memory) -> None:
    user = memory.user("ann")
    for number in range(20):
        text = f"Locker number {number} holds item {number * 37}."
        user.add(text, timestamp=f"2026-01-01T10:{number:02}:00Z")
        assert user.search(f"What does locker number {number} hold?", top_k=1)[0].text == text


def test_hits_are_sorted_carry_evidence_and_are_at_most_k(pair: lamina.Handle) -> None:
    hits = pair.search("Who teaches Bo the cello?", top_k=4)

    assert len(hits) == 4
    assert [h.relevance for h in hits] == sorted((h.relevance for h in hits), reverse=True)
    known = {message.id for message in pair.messages()}
    assert all(hit.sources and set(hit.sources) <= known for hit in hits)


def test_an_answer_is_found_through_the_question_before_it(pair: lamina.Handle) -> None:
    found = [hit.text for hit in pair.search("How old is the cat?", top_k=4)]

    assert "Three. She sleeps on the piano." in found


def test_hits_expand_to_their_whole_event(pair: lamina.Handle) -> None:
    hit = next(h for h in pair.search("cello", kinds=["message"]) if "cello" in h.text)

    assert {note.kind for note in hit.event} == {"fact", "relation"}
    assert all(note.event == hit.id for note in hit.event)


def test_kinds_narrow_what_is_listed(pair: lamina.Handle) -> None:
    assert {hit.kind for hit in pair.search("cat and cello", kinds=["summary"])} == {"summary"}
    assert {hit.kind for hit in pair.search("cat", kinds=["message"])} == {"message"}


def test_explain_shows_what_adds_up_to_the_relevance(pair: lamina.Handle) -> None:
    for hit in pair.search("When did Bo start the cello?", explain=True):
        assert sum(hit.signals.values()) == pytest.approx(hit.relevance, abs=1e-5)
    assert pair.search("cello")[0].signals == {}


def test_flat_uses_no_exchange_and_no_session(pair: lamina.Handle) -> None:
    for hit in pair.search("Who teaches Bo the cello?", variant="flat", explain=True):
        assert not {s for s in hit.signals if s.startswith(("exchange", "near", "session"))}
        assert hit.kind != "summary"


def test_an_unknown_variant_is_refused(pair: lamina.Handle) -> None:
    with pytest.raises(BadInput, match="use one of flat, events, full"):
        pair.search("cello", variant="round")  # type: ignore[arg-type]


def test_near_duplicates_give_way(memory: lamina.Memory) -> None:
    user = memory.user("ann")
    for minute in range(5):
        user.add("I really like plum cake.", timestamp=f"2026-01-01T10:{minute:02}:00Z")
    user.add("The dentist moved to Elm Street.", timestamp="2026-01-01T11:00:00Z")

    texts = [hit.text for hit in user.search("plum cake", top_k=3)]
    assert texts.count("I really like plum cake.") == 1


def test_time_words_prefer_what_is_of_that_time(memory: lamina.Memory) -> None:
    user = memory.user("ann")
    for month in range(1, 13):
        user.add("I went for a long run.", timestamp=f"2025-{month:02}-10T10:00:00Z")

    best = user.search("Which run did I do last March?", asked_at="2026-01-15T00:00:00Z")[0]
    assert best.said_at.month == 3
    best = user.search("上个月跑步", asked_at="2026-01-15T00:00:00Z")[0]
    assert best.said_at.month == 12


def test_a_context_fits_its_budget_and_cites(pair: lamina.Handle) -> None:
    from lamina.adapters.encoders import open_encoder

    count = open_encoder("minilm").count_tokens
    for budget in (40, 80, 200):
        text = pair.context("Who teaches Bo the cello?", max_tokens=budget)
        assert sum(count(text.splitlines())) <= budget
    assert text.startswith(CONTEXT_BEGIN)
    assert text.endswith(CONTEXT_END)
    assert "[1] 2026-01-05" in text
    assert "Bo" in text


def test_an_empty_scope_has_no_hits_and_no_context(memory: lamina.Memory) -> None:
    assert memory.user("nobody").search("anything") == []
    assert memory.user("nobody").context("anything") == ""


def test_hits_tell_themselves_as_data(pair: lamina.Handle) -> None:
    import json

    [hit] = pair.search("cello", top_k=1)
    data = json.loads(json.dumps(hit.to_dict()))

    assert data["said_at"].startswith("2026-01-05T09:")
    assert data["sources"] == list(hit.sources)


def test_search_does_not_depend_on_the_store(open_memory: Open, path: str) -> None:
    memory = open_memory()
    user = memory.user("ann")
    user.add([text for _, text in TALK], timestamp="2026-01-05T09:00:00Z")
    memory.process()

    hits = [(h.text, round(h.relevance, 4)) for h in user.search("Who has a cat?", top_k=3)]
    assert hits == EXPECTED.setdefault("hits", hits), f"{path} differs from the other store"


EXPECTED: dict[str, list[tuple[str, float]]] = {}
