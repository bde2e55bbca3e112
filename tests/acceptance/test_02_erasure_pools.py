"""Behaviours 2 and 3, of pools: who is forgotten is nowhere, and nobody else's support goes."""

import json
from pathlib import Path

import lamina
from lamina.ports import Request
from lamina.testing import ScriptedLLM, WordEncoder
from tests.acceptance.telling import answer
from tests.acceptance.walking import films, texts, told, walk
from tests.conftest import Open

CANARY = "zanzibarquokka"
OTHERS = ("ab", "a%", "A", "user:a")


def fill(memory: lamina.Memory) -> lamina.Recommender:
    """Let somebody share with others what they did, under a name and with words of their own."""
    acts = walk(CANARY, "nnwwnnww", text=f"{CANARY} says so.")
    made = films(memory, acts, *(walk(user, "nnww") for user in OTHERS))
    made.rank(CANARY)
    return made


def everything(memory: lamina.Memory, made: lamina.Recommender) -> str:
    """Return all that a pool and its recommender tell anybody, and all that they export."""
    kept = [*made.pool.export(), *made.export()]
    logs = [each.to_dict() for each in (*made.pool.operations(), *made.operations())]
    shared = told(made, *OTHERS, "new")
    return "".join(kept) + json.dumps(logs, default=str) + shared + str(memory.stats().troubles)


def gone_from_files(path: str) -> bool:
    files = Path(path).parent.glob(f"{Path(path).name}*")
    return not any(CANARY.encode() in file.read_bytes() for file in files)


def test_who_is_forgotten_is_told_of_nowhere(open_memory: Open, path: str) -> None:
    memory = open_memory(encoder=WordEncoder())
    made = fill(memory)
    assert CANARY in everything(memory, made)

    receipt = memory.user(CANARY).forget()

    assert CANARY not in everything(memory, made)
    assert "films" in [part.scope.id for part in receipt.parts if part.scope.kind == "pool"]
    made.pool.refresh()
    assert CANARY not in everything(memory, made)
    assert texts(made.pool, CANARY) == texts(made.pool)
    assert memory.check() == []
    assert path == ":memory:" or (receipt.stage == "physical" and gone_from_files(path))


def test_what_a_model_replied_of_who_is_forgotten_goes_too(open_memory: Open, path: str) -> None:
    def tells(request: Request) -> str:
        return answer(request, aside=CANARY)

    memory = open_memory(ScriptedLLM(always=tells), encoder=WordEncoder())
    made = fill(memory)
    receipt = memory.user(CANARY).forget()

    found = memory.verify_erasure([CANARY], pool="films")
    assert found.clean, found
    assert path == ":memory:" or (receipt.stage == "physical" and gone_from_files(path))
    for pattern in made.pool.patterns("ab"):
        assert CANARY not in "".join(each.text for each in made.pool.history(pattern.id))


def test_what_a_model_replied_before_there_was_a_pool_goes_too(
    open_memory: Open, path: str
) -> None:
    def tells(request: Request) -> str:
        return answer(request, aside=CANARY)

    memory = open_memory(ScriptedLLM(always=tells), encoder=WordEncoder())
    asked = [films(memory, walk(CANARY, "nnww"), name=name, share=False) for name in ("one", "two")]
    for made in asked:
        made.pool.encode(made.interactions(CANARY))

    memory.user(CANARY).forget()
    asked[0].pool.encode([{"title": f"The {CANARY}", "categories": ["noir"]}])
    asked[0].forget()

    assert memory.verify_erasure([CANARY]).clean
    assert path == ":memory:" or gone_from_files(path)


def test_the_support_of_others_stays_and_tells_the_same(open_memory: Open) -> None:
    memory = open_memory(encoder=WordEncoder())
    made = fill(memory)
    without = films(memory, *(walk(user, "nnww") for user in OTHERS), name="without")

    memory.user(CANARY).forget()
    made.pool.refresh()

    found, alone = made.pool.measure(), without.pool.measure()
    assert (found.parts, found.users, found.pending) == (alone.parts, alone.users, 0)
    assert max(p.contributors for p in made.pool.patterns()) == len(OTHERS)
    for user in OTHERS:
        assert any(pattern.yours for pattern in made.pool.patterns(user))
    assert memory.check() == []


def test_below_k_after_somebody_went_it_is_told_to_others_no_more(open_memory: Open) -> None:
    memory = open_memory(encoder=WordEncoder())
    made = films(memory, *(walk(user, "ooo") for user in ("ann", "bob", "cid")))
    assert texts(made.pool) != []

    memory.user("cid").forget()

    assert texts(made.pool) == []
    made.pool.refresh()
    assert texts(made.pool) == []
    assert [p.contributors for p in made.pool.patterns("ann")] == [2]


def test_one_interaction_that_is_deleted_takes_only_the_windows_it_was_in(
    open_memory: Open,
) -> None:
    memory = open_memory(encoder=WordEncoder())
    made = films(memory, *(walk(user, "nnwwoo") for user in ("ann", "bob", "cid", "dee")))
    before = made.pool.measure()

    [first, *_] = made.interactions("ann")
    made.delete(first.id)
    done = made.pool.refresh()

    assert (done.withdrawn, done.new) == (1, 0)
    assert made.pool.measure().parts == before.parts - 1
    assert made.pool.refresh().withdrawn == 0
    assert memory.check() == []


def test_a_recommender_that_is_forgotten_takes_its_pool_along(open_memory: Open, path: str) -> None:
    memory = open_memory(encoder=WordEncoder())
    made = fill(memory)
    made.forget()

    assert made.pool.operations() == []
    assert texts(made.pool, CANARY) == []
    assert path == ":memory:" or gone_from_files(path)
    assert memory.check() == []


def test_a_pool_is_forgotten_without_its_recommender(open_memory: Open) -> None:
    memory = open_memory(encoder=WordEncoder())
    made = fill(memory)
    before = texts(made.pool)
    made.pool.leave("ab")

    made.pool.forget()
    assert (texts(made.pool, "a%"), made.pool.operations()) == ([], [])
    assert len(made.interactions("a%")) == 4

    made.pool.refresh()
    assert texts(made.pool) != []
    assert before != []
    assert not any(pattern.yours for pattern in made.pool.patterns("ab"))
