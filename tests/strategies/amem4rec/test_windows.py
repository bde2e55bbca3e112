"""What users did, cut into stretches."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.strategies.amem4rec.windows import in_order, recent, windows
from tests.strategies.amem4rec.made_patterns import done, window

BLOCKS = AMEM4RecConfig(cut="blocks")


def cut(count: int, config: AMEM4RecConfig) -> list[str]:
    did = [done(chr(ord("a") + i), i) for i in range(count)]
    found = windows("ann", did, config)
    return ["".join(name[1] for name in each.interactions) for each in found]


@pytest.mark.parametrize(
    ("count", "found"),
    [(2, []), (3, ["abc"]), (5, ["abc", "bcd", "cde"])],
)
def test_a_sliding_window_begins_at_every_interaction(count: int, found: list[str]) -> None:
    assert cut(count, AMEM4RecConfig()) == found


@pytest.mark.parametrize(
    ("count", "found"),
    [(2, []), (3, ["abc"]), (6, ["abc", "def"]), (7, ["abc", "def", "efg"])],
)
def test_blocks_begin_at_every_third_and_take_in_the_last_three(
    count: int, found: list[str]
) -> None:
    assert cut(count, BLOCKS) == found


@settings(deadline=None)
@given(st.integers(1, 6), st.integers(0, 30), st.sampled_from(["sliding", "blocks"]))
def test_every_interaction_of_who_did_enough_is_in_a_window_of_w(
    w: int, count: int, how: str
) -> None:
    config = AMEM4RecConfig(w=w, cut=how)  # type: ignore[arg-type]

    found = windows("ann", [done(str(i), i) for i in range(count)], config)

    told = {id_ for each in found for id_ in each.interactions}
    assert all(len(each.interactions) == w for each in found)
    assert len(told) == (count if count >= max(w, 2) and w > 1 else 0)
    assert [each.said_at for each in found] == sorted(each.said_at for each in found)


def test_a_window_of_which_less_than_two_items_are_known_is_skipped() -> None:
    unknown = {"title": " ", "categories": ()}
    did = [done("a", 0), done("b", 1, **unknown), done("c", 2, **unknown), done("d", 3)]

    found = windows("ann", did, AMEM4RecConfig())

    assert found == []
    assert len(windows("ann", [*did, done("e", 4)], AMEM4RecConfig())) == 1


def test_an_item_of_which_only_tags_or_words_are_known_is_known() -> None:
    bare = {"title": "", "categories": ()}
    did = [
        done("a", 0, **bare, tags=("noir",)),
        done("b", 1, **bare, description="A heist."),
        done("c", 2, **bare),
    ]

    assert len(windows("ann", did, AMEM4RecConfig())) == 1


def test_a_window_knows_what_may_not_be_told() -> None:
    did = [done("i1", 0), done("i2", 1, title=""), done("i3", 2, title="Heat")]

    (found,) = windows("ann", did, AMEM4RecConfig())

    assert set(found.names) == {"Title i1", "Heat", "i1", "i2", "i3", "ann"}
    assert (found.began_at, found.said_at) == (did[0].said_at, did[2].said_at)


def test_somebody_of_whom_little_is_known_is_served_by_what_there_is() -> None:
    did = [done("a", 0), done("b", 1)]
    found, last = recent("ann", did, 3), recent("ann", [*did, done("c", 2), done("d", 3)], 3)

    assert found is not None
    assert found.interactions == tuple(each.id for each in did)
    assert last is not None
    assert [name[1] for name in last.interactions] == ["b", "c", "d"]
    assert recent("ann", [], 3) is None
    assert recent("ann", [done("a", title="", categories=())], 3) is None


def test_users_take_turns_by_seed_and_each_of_them_by_time() -> None:
    users = [f"u{i}" for i in range(6)]
    given = [window(user, minute) for minute in (5, 0) for user in users]

    one, other = in_order(given, 1), in_order(given, 2)

    assert [each.user for each in one] != [each.user for each in other]
    assert sorted(each.user for each in one) == sorted(each.user for each in other)
    assert all(
        [each.began_at for each in found if each.user == user]
        == [w.began_at for w in given[6:7]] + [w.began_at for w in given[:1]]
        for found in (one, other)
        for user in users
    )
    turns = list(dict.fromkeys(each.user for each in one))
    assert [each.user for each in one] == [user for user in turns for _ in range(2)]


def test_who_comes_first_depends_on_nobody_else() -> None:
    users = [f"u{i}" for i in range(6)]
    all_of_them = in_order([window(user, 0) for user in users], 1)
    some = in_order([window(user, 0) for user in users[3:]], 1)

    assert [each for each in all_of_them if each.user in users[3:]] == some
    assert in_order(list(reversed(all_of_them)), 1) == all_of_them


def test_in_the_order_of_time_what_was_done_first_comes_first() -> None:
    users = [f"u{i}" for i in range(6)]
    given = [window(user, minute) for user in users for minute in (5, 0)]

    found = in_order(given, 1, "time")

    turns = list(dict.fromkeys(each.user for each in in_order(given, 1)))
    assert [(each.user, each.began_at) for each in found] == [
        (user, given[place].began_at) for place in (1, 0) for user in turns
    ]
