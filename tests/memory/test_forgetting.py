"""What erasing somebody takes away, and what it leaves."""

import pytest

import lamina
from lamina.errors import BadInput, NotFound
from lamina.memory.space import Space
from lamina.model import Message
from tests.conftest import Open

CANARY = "zanzibarquince"


@pytest.fixture
def team(memory: lamina.Memory) -> Space:
    """A space in which ann and bo have spoken in one session that is over."""
    team = memory.space("team")
    for who in ("ann", "bo"):
        team.grant(f"user:{who}", write=True)
    for minute, (who, said) in enumerate(
        [
            ("ann", f"My harbour code is {CANARY}."),
            ("bo", "The harbour opens at seven."),
            ("ann", f"Then {CANARY} opens the gate at seven."),
            ("bo", "The harbour closes at nine."),
        ]
    ):
        moment = f"2026-01-01T10:{minute:02}:00Z"
        memory.user(who).space("team").add(said, session_id="s1", timestamp=moment)
    team.close_session("s1")
    memory.process()
    return team


def everything(memory: lamina.Memory) -> str:
    """All that any verb tells of anybody."""
    told: list[object] = [memory.stats().to_dict()]
    for handle in memory.handles():
        told += [handle.scope, *handle.messages(), *handle.list(), *handle.export()]
        told += [handle.context(CANARY), *handle.search(CANARY), *handle.timeline(CANARY)]
    return str(told)


def test_a_user_is_erased_with_what_they_wrote_in_spaces(
    memory: lamina.Memory, team: Space
) -> None:
    memory.user("ann").add(f"Only I know {CANARY}.", wait=True)
    assert CANARY in everything(memory)

    receipt = memory.user("ann").forget()

    assert CANARY not in everything(memory)
    assert (receipt.stage, receipt.messages) == ("physical", 3)
    [part] = receipt.parts
    assert (part.scope, part.author, part.stage, part.messages) == (
        team.scope,
        "user:ann",
        "physical",
        2,
    )
    assert receipt.notes > part.notes > 0
    assert CANARY not in str(receipt.to_dict())
    assert memory.check() == []


def test_what_others_wrote_stays_and_is_formed_anew(memory: lamina.Memory, team: Space) -> None:
    memory.user("ann").forget()
    assert [m.text for m in team.messages()] == [
        "The harbour opens at seven.",
        "The harbour closes at nine.",
    ]

    memory.process()

    assert CANARY not in everything(memory)
    assert [note.text for note in team.list(kind="fact")] == [
        "The harbour closes at nine.",
        "The harbour opens at seven.",
    ]
    assert team.search("harbour")
    assert "erasure" in {operation.kind for operation in team.operations()}
    assert memory.check() == []


def test_who_was_erased_may_no_longer_read(memory: lamina.Memory, team: Space) -> None:
    memory.user("ann").forget()

    assert [grant.principal for grant in team.grants()] == ["user:bo"]
    with pytest.raises(NotFound):
        memory.user("ann").space("team").messages()


def test_the_log_does_not_name_who_was_erased(memory: lamina.Memory, team: Space) -> None:
    for minute, (who, said) in enumerate(
        [
            ("ann", "The harbour gate is locked at night."),
            ("bo", "Because the harbour gate is locked we sail at seven."),
            ("bo", "The harbour gate opens at seven."),
        ]
    ):
        moment = f"2026-02-01T10:{minute:02}:00Z"
        memory.user(who).space("team").add(said, session_id="s2", timestamp=moment)
    team.close_session("s2")
    memory.process()
    locked = next(m.id for m in team.messages() if "at night" in m.text)
    # A summary of both goes with it, so that bo's message is back in the buffer: that is kept.
    memory.user("ann").space("team").delete(locked)
    assert "user:ann" in {operation.cause for operation in team.operations()}

    memory.user("ann").forget()

    assert "delete" in {operation.kind for operation in team.operations()}
    assert "user:ann" not in str(list(team.export()))


def test_a_grant_where_nothing_was_said_goes_too(memory: lamina.Memory) -> None:
    plans = memory.space("plans")
    plans.grant("user:ann", write=True)

    memory.user("ann").forget()

    assert plans.grants() == []


def test_what_somebody_said_in_conversations_goes(memory: lamina.Memory) -> None:
    pair = memory.conversation("pair")
    pair.add({"content": f"It is {CANARY}.", "speaker": "ann"}, timestamp="2026-01-01T10:00:00Z")
    pair.add({"content": "I see.", "speaker": "bo"}, timestamp="2026-01-01T10:01:00Z", wait=True)

    memory.user("ann").forget()
    memory.process()

    assert [message.speaker for message in pair.messages()] == ["bo"]
    assert CANARY not in everything(memory)
    assert memory.check() == []


@pytest.mark.parametrize("name", ["a", "an", "ann%", "an_", "ANN", "annabel", "*"])
def test_erasing_one_leaves_others_as_they_were(
    memory: lamina.Memory, team: Space, name: str
) -> None:
    memory.user(name).add("I am another.")
    before = [list(handle.export()) for handle in memory.handles() if handle.scope.id == "team"]

    receipt = memory.user(name).forget()

    assert (receipt.messages, receipt.parts) == (1, ())
    assert before == [list(handle.export()) for handle in memory.handles()]


def test_other_tenants_are_left_alone(open_memory: Open) -> None:
    memory = open_memory(tenancy="multi")
    for tenant in ("acme", "zeta"):
        memory.tenant(tenant).space("team").grant("user:ann", write=True)
        memory.tenant(tenant).user("ann").space("team").add("Good morning.")

    memory.tenant("acme").user("ann").forget()

    assert memory.tenant("acme").space("team").messages() == []
    assert len(memory.tenant("zeta").user("ann").space("team").messages()) == 1


def test_who_was_let_in_before_an_erasure_writes_nothing_after_it(memory: lamina.Memory) -> None:
    memory.space("team").grant("user:ann", write=True)
    ann = memory.user("ann").space("team")

    class Slow(str):
        """A text that is looked at only when its writer has been erased meanwhile."""

        def strip(self, *_: object) -> str:
            memory.user("ann").forget()
            return "x"

    with pytest.raises(lamina.LaminaError):
        ann.add(CANARY, session_id=Slow("s1"))

    assert memory.space("team").messages() == []
    assert CANARY not in everything(memory)


def test_erasing_can_wait_for_its_second_stage(memory: lamina.Memory) -> None:
    memory.user("ann").add(f"It is {CANARY}.")

    receipt = memory.user("ann").forget(purge=False)

    assert receipt.stage == "logical"
    assert memory.stats().counts["unpurged"] == 1
    assert memory.compact()
    assert memory.stats().counts["unpurged"] == 0
    assert memory.verify_erasure(CANARY, user="ann").clean


def test_erasing_a_space_takes_everybodys_part_and_the_grants(
    memory: lamina.Memory, team: Space
) -> None:
    receipt = team.forget()

    assert receipt.messages == 4
    assert team.messages() == []
    assert team.grants() == []


def test_erasing_again_finds_nothing_more(memory: lamina.Memory, team: Space) -> None:
    memory.user("ann").forget()
    receipt = memory.user("ann").forget()

    assert (receipt.messages, receipt.notes, receipt.documents) == (0, 0, 0)
    assert receipt.epoch == 2


def test_who_returns_to_a_space_begins_anew(memory: lamina.Memory, team: Space) -> None:
    memory.user("ann").forget()
    team.grant("user:ann", write=True)
    added = (
        memory.user("ann")
        .space("team")
        .add(f"My harbour code is {CANARY}.", session_id="s1", timestamp="2026-01-01T10:00:00Z")
    )

    assert added.new == 1
    found = memory.user("ann").space("team").get(added.ids[0])
    assert isinstance(found, Message)


def test_an_erasure_is_verified_byte_by_byte(memory: lamina.Memory, team: Space) -> None:
    said = {"content": f"My harbour code is {CANARY}.", "timestamp": "2026-01-01T10:00:00Z",
            "session_id": "s1"}  # fmt: skip
    memory.user("ann").forget()

    verified = memory.verify_erasure([said, CANARY, "ann"], user="ann")

    assert verified.clean
    assert verified.unpurged == 0
    assert verified.looked_for > 6


def test_what_others_say_too_is_told_as_theirs(memory: lamina.Memory, path: str) -> None:
    memory.user("ann").add("The harbour opens at seven.")
    memory.user("bo").add("I sail from the harbour.")
    memory.user("ann").forget()

    verified = memory.verify_erasure("The harbour opens at seven.", user="ann")

    assert verified.clean
    if path != ":memory:":
        assert "harbour" in {finding.of for finding in verified.findings}
        assert all(finding.used_by_others for finding in verified.findings)


def test_what_was_not_erased_is_found(open_memory: Open, path: str) -> None:
    if path == ":memory:":
        pytest.skip("this store has no files")
    memory = open_memory()
    said = {"content": f"It is {CANARY}.", "timestamp": "2026-01-01T10:00:00Z", "key": "k"}
    memory.user("ann").add(said)
    memory.user("bo").add("Another store would be empty.")
    memory.user("ann").forget(purge=False)

    verified = memory.verify_erasure([said], user="ann")

    assert not verified.clean
    assert {finding.sort for finding in verified.findings} >= {"text", "term", "vector", "id"}
    assert verified.unpurged == 1
    assert memory.compact()
    assert memory.verify_erasure([said], user="ann").clean


@pytest.mark.parametrize("given", [[], "  ", [7]])
def test_there_must_be_something_to_look_for(memory: lamina.Memory, given: object) -> None:
    with pytest.raises(BadInput):
        memory.verify_erasure(given)  # type: ignore[arg-type]


def test_whose_it_was_is_told_once(memory: lamina.Memory) -> None:
    with pytest.raises(BadInput, match="name one of"):
        memory.verify_erasure("x", user="ann", space="team")
