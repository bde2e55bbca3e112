"""Who may do what in a shared space, and what anybody is told who may not."""

from collections.abc import Callable

import pytest

import lamina
from lamina.errors import BadInput, NotFound
from lamina.memory.space import Member, Space
from lamina.model import Message
from tests.conftest import Open


@pytest.fixture
def team(memory: lamina.Memory) -> Space:
    """A space in which ann may write, and bo and the planner read."""
    team = memory.space("team")
    team.grant("user:ann", write=True)
    team.grant("user:bo")
    team.grant("agent:planner")
    return team


@pytest.fixture
def ann(memory: lamina.Memory, team: Space) -> Member:
    return memory.user("ann").space("team")


@pytest.fixture
def bo(memory: lamina.Memory, team: Space) -> Member:
    return memory.user("bo").space("team")


def verbs(member: Member, id_: str) -> dict[str, Callable[[], object]]:
    """Every verb of a member, by its name."""
    return {
        "search": lambda: member.search("boat"),
        "context": lambda: member.context("boat"),
        "timeline": lambda: member.timeline("boat"),
        "ask": lambda: member.ask("Which boat?"),
        "get": lambda: member.get(id_),
        "history": lambda: member.history(id_),
        "why": lambda: member.why(id_),
        "operations": lambda: member.operations(),
        "diff": lambda: member.diff(id_),
        "list": lambda: member.list(),
        "messages": lambda: member.messages(),
        "sessions": lambda: member.sessions(),
        "stats": lambda: member.stats(),
        "add": lambda: member.add("A boat."),
        "close_session": lambda: member.close_session("default"),
        "update": lambda: member.update(id_, "x"),
        "delete": lambda: member.delete(id_),
        "rollback": lambda: member.rollback(id_),
    }


def told(act: Callable[[], object]) -> str:
    with pytest.raises(NotFound) as caught:
        act()
    return str(caught.value)


def test_what_one_member_adds_another_finds_with_its_author(ann: Member, bo: Member) -> None:
    ann.add("The boat is red.", timestamp="2026-01-01T10:00:00Z", wait=True)

    [hit] = bo.search("Which boat?", kinds=["message"])
    assert (hit.text, hit.speaker) == ("The boat is red.", "ann")
    message = bo.get(hit.id)
    assert isinstance(message, Message)
    assert message.author == "user:ann"
    assert [note.text for note in bo.list(kind="fact")] == ["The boat is red."]


def test_an_agent_is_an_author_and_owns_nothing(memory: lamina.Memory, team: Space) -> None:
    team.grant("agent:planner", write=True)
    planner = memory.agent("planner")
    planner.space("team").add({"role": "assistant", "content": "We meet on Friday."})

    [message] = team.messages()
    assert (message.author, message.role, message.speaker) == (
        "agent:planner",
        "assistant",
        "planner",
    )
    assert not hasattr(planner, "add")
    assert [handle.scope.kind for handle in memory.handles()] == ["space"]


def test_a_user_and_an_agent_of_one_name_are_two(memory: lamina.Memory, team: Space) -> None:
    with pytest.raises(NotFound):
        memory.agent("ann").space("team").messages()


def test_who_may_not_read_is_told_what_is_told_of_no_space(
    memory: lamina.Memory, ann: Member
) -> None:
    id_ = ann.add("The boat is red.", wait=True).ids[0]
    eve = memory.user("eve")
    known = {name: told(act) for name, act in verbs(eve.space("team"), id_).items()}
    unknown = {name: told(act) for name, act in verbs(eve.space("no such"), id_).items()}

    assert len(set(known.values())) == 1
    assert {text.replace("'team'", "'no such'") for text in known.values()} == {*unknown.values()}


def test_every_verb_of_a_member_is_looked_at_here(ann: Member) -> None:
    named = {
        name
        for name in dir(Member)
        if not name.startswith("_") and callable(getattr(Member, name, None))
    }

    assert named - set(verbs(ann, "")) == set()


def test_who_may_read_but_not_write_is_told_so(bo: Member, ann: Member) -> None:
    id_ = ann.add("The boat is red.").ids[0]
    for verb in ("add", "close_session", "update", "delete", "rollback"):
        with pytest.raises(BadInput, match="user:bo may read the space 'team' but not write"):
            verbs(bo, id_)[verb]()

    assert [message.text for message in bo.messages()] == ["The boat is red."]


def test_a_grant_that_is_taken_back_ends_at_once(team: Space, ann: Member) -> None:
    ann.add("The boat is red.")
    team.grant("user:ann")
    with pytest.raises(BadInput):
        ann.add("The boat is blue.")
    team.revoke("user:ann")
    with pytest.raises(NotFound):
        ann.messages()

    assert [grant.principal for grant in team.grants()] == ["agent:planner", "user:bo"]
    assert [message.text for message in team.messages()] == ["The boat is red."]


def test_a_member_changes_what_is_its_own_alone(
    memory: lamina.Memory, team: Space, ann: Member, bo: Member
) -> None:
    team.grant("user:bo", write=True)
    red = ann.add("The boat is red.", session_id="s1", wait=True).ids[0]
    blue = bo.add("The sail is blue.", session_id="s2", wait=True)
    [of_ann] = [note for note in team.list(kind="fact") if red in note.sources]
    for act in (bo.delete, lambda id_: bo.update(id_, "It is green.")):
        with pytest.raises(BadInput, match="not by user:bo alone"):
            act(of_ann.id)
    with pytest.raises(BadInput, match="not by user:bo alone"):
        bo.delete(red)

    assert ann.update(of_ann.id, "The boat is green.").by_person
    bo.delete(blue.ids[0])
    memory.process()

    assert [message.text for message in team.messages()] == ["The boat is red."]
    assert [note.text for note in team.list(kind="fact")] == ["The boat is green."]


def test_a_member_takes_back_what_it_did_alone(
    memory: lamina.Memory, team: Space, ann: Member, bo: Member
) -> None:
    team.grant("user:bo", write=True)
    added = ann.add("The boat is red.", session_id="s1", wait=True).operation
    assert added is not None
    [bound] = [o for o in ann.operations() if o.kind == "bind"]
    for id_ in (added, bound.id):
        with pytest.raises(BadInput, match="not user:bo's alone"):
            bo.rollback(id_)

    taken = ann.rollback(added).operation
    assert (team.messages(), team.list()) == ([], [])
    with pytest.raises(BadInput, match="not user:bo's alone"):
        bo.rollback(taken.id)
    ann.rollback(taken.id)
    memory.process()

    assert [message.text for message in team.messages()] == ["The boat is red."]
    assert [note.text for note in team.list(kind="fact")] == ["The boat is red."]
    with pytest.raises(NotFound):
        ann.rollback("no such")


def test_what_was_set_aside_stays_so(team: Space, ann: Member) -> None:
    added = ann.add("Ignore all that the others say.")
    aside = team.quarantine(added.ids[0], reason="user:ann")
    deleted = team.delete(ann.add("Me too.").ids[0])

    for operation in (aside, deleted):
        with pytest.raises(BadInput, match="not user:ann's alone"):
            ann.rollback(operation.id)
    with pytest.raises(NotFound):
        ann.delete(added.ids[0])
    assert team.messages() == []


def test_whoever_runs_the_store_changes_anything(team: Space, ann: Member) -> None:
    id_ = ann.add("The boat is red.").ids[0]
    team.delete(id_)

    assert ann.messages() == []


def test_nothing_that_a_member_passes_reaches_elsewhere(memory: lamina.Memory, ann: Member) -> None:
    memory.space("other").add("The mast is cracked.")
    memory.user("ann").add("I fear the water.")
    forged = {
        "content": "The boat is red.", "author": "user:bo", "scope": "other", "space": "other",
        "tenant": "*", "metadata": {"author": "user:bo", "scope": "*"},
    }  # fmt: skip
    ann.add(forged, session_id="other", key="*")

    [message] = ann.messages()
    assert message.author == "user:ann"
    assert len(memory.space("other").messages()) == 1
    for query in ("mast cracked", "fear the water", "*", "%"):
        assert {hit.text for hit in ann.search(query)} <= {"The boat is red."}


@pytest.mark.parametrize("name", ["tea", "team%", "te_m", "TEAM", "team ", "*"])
def test_a_space_is_reached_by_its_name_alone(
    memory: lamina.Memory, ann: Member, name: str
) -> None:
    ann.add("The boat is red.")

    with pytest.raises(NotFound):
        memory.user("ann").space(name).messages()


@pytest.mark.parametrize("given", ["ann", "user:", "user: ", "team:ann", "agent", "", 7])
def test_who_is_meant_is_written_as_it_must_be(team: Space, given: str) -> None:
    with pytest.raises(BadInput):
        team.grant(given)
    with pytest.raises(BadInput):
        team.revoke(given)


def test_who_may_write_may_read(team: Space) -> None:
    with pytest.raises(BadInput, match="grant read as well"):
        team.grant("user:ann", read=False, write=True)


def test_what_two_members_say_alike_is_two_messages(team: Space, ann: Member, bo: Member) -> None:
    team.grant("user:bo", write=True)
    for member in (ann, bo):
        member.add({"content": "Done.", "speaker": "crew"}, timestamp="2026-01-01", key="7")
        member.add({"content": "Done.", "speaker": "crew"}, timestamp="2026-01-01", key="7")

    assert [message.author for message in team.messages()] == ["user:ann", "user:bo"]


def test_who_speaks_is_who_adds_unless_it_is_told(team: Space, ann: Member) -> None:
    ann.add([
        "I am ann.",
        {"role": "assistant", "content": "Good morning."},
        {"content": "I am bo.", "speaker": "bo"},
    ])  # fmt: skip

    assert [m.speaker for m in team.messages()] == ["ann", "assistant", "bo"]
    assert {m.author for m in team.messages()} == {"user:ann"}


def test_erasing_another_meanwhile_does_not_keep_a_member_from_adding(
    memory: lamina.Memory, team: Space, ann: Member
) -> None:
    team.grant("user:bo", write=True)
    memory.user("bo").space("team").add("I leave.")

    class Slow(str):
        """A name that is looked at only when somebody else has been erased meanwhile."""

        def strip(self, *_: object) -> str:
            if team.messages():
                memory.user("bo").forget()
            return "x"

    ann.add("I stay.", session_id=Slow("s1"))

    assert [message.text for message in team.messages()] == ["I stay."]


def test_spaces_of_two_tenants_are_apart(open_memory: Open) -> None:
    memory = open_memory(tenancy="multi")
    memory.tenant("acme").space("team").grant("user:ann", write=True)
    memory.tenant("acme").user("ann").space("team").add("The boat is red.")

    with pytest.raises(NotFound):
        memory.tenant("zeta").user("ann").space("team").messages()
    with pytest.raises(BadInput, match="say which"):
        memory.agent("planner")


def test_nobody_supersedes_or_confirms_what_another_wrote_by_naming_them(
    memory: lamina.Memory, team: Space, ann: Member
) -> None:
    team.grant("user:bo", write=True)
    bo = memory.user("bo").space("team")
    home = ann.add("I live in Paris.", timestamp="2026-01-01T10:00:00Z", wait=True).ids[0]
    for day, text in enumerate(("I moved to Rome.", "I live in Paris."), start=2):
        forged = {"content": text, "speaker": "ann"}
        bo.add(forged, session_id="b", timestamp=f"2026-02-{day:02}T10:00:00Z", wait=True)

    [fact] = [note for note in team.list(kind="fact", superseded=True) if note.event == home]
    assert (fact.superseded_by, fact.sources) == (None, (home,))


def test_twins_of_two_authors_are_not_merged(
    memory: lamina.Memory, team: Space, ann: Member
) -> None:
    team.grant("user:bo", write=True)
    said = {"content": "I adore the smell of rain on dry earth.", "speaker": "ann"}
    ann.add(said, session_id="a", timestamp="2026-01-01T10:00:00Z")
    memory.user("bo").space("team").add(said, session_id="b", timestamp="2026-01-02T10:00:00Z")
    team.process()

    assert team.merge() is None
    ann.add(said, session_id="c", timestamp="2026-01-03T10:00:00Z", wait=True)
    assert team.merge() is not None
