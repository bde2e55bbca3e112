"""Behaviour 3: erasing one person takes nothing of another's, and what they share is revised."""

import pytest

import lamina

NEIGHBOURS = ["ab", "a%", "A", "a ", "*"]


def fill(user: lamina.Handle) -> None:
    user.add(
        ["I keep bees.", "The hives stand in the orchard.", "I sold the honey in May."],
        timestamp="2026-01-01T10:00:00Z",
    )
    user.close_session("default")
    user.process()


def state(user: lamina.Handle) -> list[object]:
    """All that a user has, with scores to the last digit."""
    return [
        [hit.to_dict() for hit in user.search("Where are the hives?", explain=True)],
        [note.to_dict() for note in user.list()],
        [message.to_dict() for message in user.messages()],
        [operation.to_dict() for operation in user.operations()],
    ]


def test_erasing_one_changes_nothing_of_neighbours(memory: lamina.Memory) -> None:
    users = [memory.user(name) for name in ("a", *NEIGHBOURS)]
    for user in users:
        fill(user)
    before = [state(user) for user in users[1:]]

    users[0].forget()

    assert users[0].messages() == []
    assert [state(user) for user in users[1:]] == before
    assert memory.check() == []


@pytest.fixture
def shared(memory: lamina.Memory) -> lamina.Memory:
    """A conversation of Ann and Bo, with facts of each, and relations and a summary of both."""
    pair = memory.conversation("ann-and-bo")
    pair.add(
        [
            {"speaker": "ann", "content": "I bought the zanzibar chest at the market."},
            {"speaker": "bo", "content": "I painted the hull of my boat green this week."},
            {"speaker": "bo", "content": "My boat lies in the harbour of Bergen."},
            {"speaker": "bo", "content": "In May I sail to the Faroe islands with my cousin."},
        ],
        timestamp="2026-01-01T10:00:00Z",
    )
    pair.close_session("default")
    memory.process()
    return memory


def test_what_two_share_keeps_the_others_part(shared: lamina.Memory) -> None:
    pair = shared.conversation("ann-and-bo")
    [summary] = pair.list(kind="summary")
    assert "zanzibar" in summary.text

    shared.user("ann").forget()
    assert not any("zanzibar" in note.text for note in pair.list())
    assert [message.speaker for message in pair.messages()] == ["bo"] * 3

    shared.process()
    [again] = pair.list(kind="summary")
    assert "zanzibar" not in again.text
    assert set(again.sources) <= {message.id for message in pair.messages()}
    assert pair.search("Where does the boat lie?")[0].text.startswith("My boat lies")
    assert shared.check() == []


def test_what_was_revised_says_so(shared: lamina.Memory) -> None:
    pair = shared.conversation("ann-and-bo")
    shared.user("ann").forget()
    shared.process()

    [summary] = pair.list(kind="summary")
    operation = pair.why(summary.id).operation
    assert operation is not None
    assert "erasure" in operation.cause


def test_in_a_space_only_the_authors_part_goes(memory: lamina.Memory) -> None:
    team = memory.space("team")
    for name in ("user:ann", "user:bo"):
        team.grant(name, read=True, write=True)
    memory.user("ann").space("team").add("The zanzibar key hangs behind the door.", wait=True)
    memory.user("bo").space("team").add("The printer needs toner.", wait=True)

    memory.user("ann").forget()

    assert [message.text for message in team.messages()] == ["The printer needs toner."]
    assert not any("zanzibar" in hit.text for hit in team.search("zanzibar key", top_k=20))
    assert [grant.principal for grant in team.grants()] == ["user:bo"]
    assert memory.check() == []


def test_a_person_who_returns_starts_anew(memory: lamina.Memory) -> None:
    user = memory.user("a")
    fill(user)
    user.forget()
    user.add("I keep bees.", timestamp="2026-01-01T10:00:00Z", wait=True)

    [message] = user.messages()
    assert message.position == 1
    assert len(user.operations(kinds=["add"])) == 1
