from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest

import lamina
from lamina.errors import BadInput, EncoderMismatch, NotFound
from lamina.memory.space import Space
from lamina.ports import Encoder, EncoderSpace
from tests.conftest import Open

if TYPE_CHECKING:
    from lamina.model import Vectors


def test_users_and_conversations_of_one_name_are_apart(memory: lamina.Memory) -> None:
    memory.user("x").add("The boat is red.")
    memory.conversation("x").add("The boat is blue.")

    assert [hit.text for hit in memory.user("x").search("boat")] == ["The boat is red."]
    assert {(h.scope.kind, h.scope.id) for h in memory.handles()} == {
        ("user", "x"),
        ("conversation", "x"),
    }


def test_spaces_are_told_apart_from_users_of_their_name(memory: lamina.Memory) -> None:
    memory.user("x").add("The boat is red.")
    memory.space("x").add("The boat is green.")

    assert [hit.text for hit in memory.space("x").search("boat")] == ["The boat is green."]
    [user, space] = sorted(memory.handles(), key=lambda h: h.scope.kind, reverse=True)
    assert (user.scope.kind, space.scope.kind) == ("user", "space")
    assert isinstance(space, Space)
    assert space.grants() == []


def test_calls_with_one_batch_name_are_one_operation(memory: lamina.Memory) -> None:
    user = memory.user("ann")
    added = [
        user.add(said, timestamp=f"2026-01-0{day}", batch="chat.json")
        for day, said in enumerate(["The boat is red.", "The sail is blue."], 1)
    ]
    user.add("I keep bees.", timestamp="2026-01-03")
    [operation] = {each.operation for each in added}
    assert operation is not None

    user.rollback(operation)
    assert [message.text for message in user.messages()] == ["I keep bees."]
    [done] = [each for each in user.operations() if each.kind == "import"]
    assert (done.cause, done.id) == ("chat.json", operation)

    more = user.add("The mast is new.", timestamp="2026-01-04", batch="chat.json")
    assert more.operation not in (None, operation)
    assert "The mast is new." in [message.text for message in user.messages()]
    assert memory.check() == []


def test_what_adds_messages_can_be_rolled_back(memory: lamina.Memory) -> None:
    user = memory.user("ann")
    added = user.add("The boat is red.", key="k")
    again = user.add("The boat is red.", key="k")
    assert added.operation is not None
    assert (again.ids, again.new, again.operation) == (added.ids, 0, None)

    user.rollback(added.operation)

    assert user.messages() == []
    assert user.search("boat") == []


def test_tenants_are_apart_and_must_be_named(open_memory: Open) -> None:
    memory = open_memory(tenancy="multi")
    memory.tenant("acme").user("ann").add("The boat is red.")
    memory.tenant("zeta").user("ann").add("The boat is blue.")

    assert [h.text for h in memory.tenant("acme").user("ann").search("boat")] == [
        "The boat is red."
    ]
    with pytest.raises(BadInput, match="say which"):
        memory.user("ann")


def test_a_store_for_one_tenant_has_no_tenants(memory: lamina.Memory) -> None:
    with pytest.raises(BadInput, match="tenancy"):
        memory.tenant("acme")


def test_an_id_of_another_scope_is_not_found(memory: lamina.Memory) -> None:
    bo = memory.user("bo")
    bo.add("I hid the key under the mat.", timestamp="2026-01-01T10:00:00Z", wait=True)
    [fact] = bo.list(kind="fact")
    ann = memory.user("ann")

    for id_ in (fact.id, bo.messages()[0].id, "no such", ""):
        for verb in (ann.get, ann.delete, ann.history, ann.why, lambda i: ann.update(i, "x")):
            with pytest.raises(NotFound):
                verb(id_)
    assert bo.get(fact.id) == fact


def test_stats_count_what_there_is(memory: lamina.Memory) -> None:
    user = memory.user("ann")
    said = ["I bought a tandem.", "My sister painted it blue."]
    user.add(said, timestamp="2026-01-01T10:00:00Z", wait=True)
    counts = memory.stats().counts

    assert (counts["scopes"], counts["messages"], counts["sessions"]) == (1, 2, 1)
    assert (counts["facts"], counts["relations"]) == (2, 1)
    assert counts["documents"] == 3
    assert memory.stats().usage.calls == 0
    assert memory.stats().encoder is not None


def test_another_encoder_is_refused_by_name(
    open_memory: Open, encoder: Encoder, tmp_path: object
) -> None:
    path = f"{tmp_path}/other.db"
    with lamina.open(path, encoder=_Other()) as memory:
        memory.user("ann").add("I bought a tandem.")

    with pytest.raises(EncoderMismatch, match=r"other/1.*minilm.*lamina reencode"):
        lamina.open(path, encoder=encoder)


def test_reencoding_moves_a_store_to_another_encoder(encoder: Encoder, tmp_path: object) -> None:
    path = f"{tmp_path}/other.db"
    with lamina.open(path, encoder=_Other()) as memory:
        user = memory.user("ann")
        user.add(["I bought a tandem.", "It is blue."], timestamp="2026-01-01T10:00:00Z")
        user.close_session("default")
        memory.process()
        told: list[tuple[int, int]] = []
        encoded = memory.reencode(encoder, progress=lambda n, of: told.append((n, of)))
        assert encoded == memory.stats().counts["documents"]
        assert told[-1] == (encoded, encoded)

    with lamina.open(path, encoder=encoder) as memory:
        assert memory.check() == []
        assert memory.user("ann").search("a bicycle for two")[0].text == "I bought a tandem."


def test_closing_twice_is_harmless(open_memory: Open) -> None:
    memory = open_memory()
    memory.close()
    memory.close()


class _Other:
    """Another encoder, of another space."""

    space = EncoderSpace(id="other/1", dim=4, max_tokens=64, languages=frozenset())

    def encode(self, texts: Sequence[str]) -> "Vectors":
        return np.tile(np.array([0, 1, 0, 0], dtype=np.float32), (len(texts), 1))

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]
