"""Behaviours 2 and 3, of recommenders: who is forgotten is nowhere, and nobody else changes."""

from pathlib import Path

import lamina
from lamina.testing import WordEncoder
from tests.acceptance.watching import act, films, told
from tests.conftest import Open

CANARY = "zanzibarquokka"
ALIKE = ("ab", "a%", "A", "user:a")


def fill(memory: lamina.Memory) -> lamina.Recommender:
    """Let a tell a secret of what others watched too."""
    acts = [act("a", item, 1 + i, f"{CANARY} number {i}.") for i, item in enumerate("123")]
    acts += [act(user, item, 10 + 3 * i + j, f"{user} liked it, part {j}.")
             for i, user in enumerate(ALIKE) for j, item in enumerate("120")]  # fmt: skip
    made = films(memory, *acts)
    made.join("a", f"group of {CANARY}")
    made.rank("ab", explain=True)
    return made


def test_who_is_forgotten_is_told_of_nowhere(open_memory: Open, path: str) -> None:
    memory = open_memory(encoder=WordEncoder())
    made = fill(memory)
    assert CANARY in told(made, "a")

    receipt = memory.user("a").forget()
    said = [told(made, "a", *ALIKE), "".join(made.export()), str(made.operations())]
    made.process()
    said.append(told(made, "a", *ALIKE))

    assert receipt.messages >= 4
    assert "user:a'" not in said[1] + said[2]
    assert not any(CANARY in text for text in said)
    assert made.rank("a").cold
    assert memory.check() == []
    if path != ":memory:":
        assert receipt.stage == "physical"
        files = Path(path).parent.glob(f"{Path(path).name}*")
        assert not any(CANARY.encode() in file.read_bytes() for file in files)


def test_nobody_else_loses_a_word(open_memory: Open) -> None:
    memory = open_memory(encoder=WordEncoder())
    made = fill(memory)
    before = {user: made.interactions(user) for user in ALIKE}
    texts = {n.id: n.text for n in made.list(kind="user_note", limit=1000) if n.about != "a"}

    memory.user("a").forget()
    made.process()

    assert {user: made.interactions(user) for user in ALIKE} == before
    after = {note.id: note.text for note in made.list(kind="user_note", limit=1000)}
    assert after == texts
    assert {done.item for done in made.interactions("ab")} <= set(made.rank("new").ids)


def test_who_comes_back_begins_anew(open_memory: Open) -> None:
    memory = open_memory(encoder=WordEncoder())
    made = fill(memory)
    memory.user("a").forget()
    made.add_interactions([act("a", "2", 28, "Back again.")], wait=True)

    assert [done.text for done in made.interactions("a")] == ["Back again."]
    assert CANARY not in told(made, "a")


def test_a_recommender_that_is_forgotten_is_empty(open_memory: Open) -> None:
    memory = open_memory(encoder=WordEncoder())
    made = fill(memory)
    made.forget()

    assert made.list() == []
    assert made.messages() == []
    assert made.rank("a").items == ()
    assert made.configuration.privacy == "open"
