"""The promises of `lamina.ports.Grants`, as tests."""

from __future__ import annotations

from lamina.ports import Grant, Store
from lamina.testing.clock import NOON
from lamina.testing.factories import at, say, scope
from lamina.testing.store_contract import StoreContract

TEAM = scope("team", "space")


def grant(principal: str, *, read: bool = True, write: bool = False, minute: float = 0) -> Grant:
    """Return a grant, to read unless told otherwise."""
    return Grant(principal=principal, read=read, write=write, given_at=at(minute))


class GrantsContract(StoreContract):
    """What `Grants` promises; see `StoreContract`."""

    def test_grants_are_told_by_principal(self, store: Store) -> None:
        for who in ("user:bo", "agent:planner", "user:\ud83d\x00"):
            store.grant(TEAM, grant(who, write=who == "user:bo"))

        assert store.grants(TEAM) == [
            grant("agent:planner"),
            grant("user:bo", write=True),
            grant("user:\ud83d\x00"),
        ]
        assert store.grants(scope("other", "space")) == []
        assert store.grants(scope("team", "space", tenant="t")) == []

    def test_the_last_grant_counts(self, store: Store) -> None:
        store.grant(TEAM, grant("user:bo", write=True))
        store.grant(TEAM, grant("user:bo", minute=5))

        assert store.grants(TEAM) == [grant("user:bo", minute=5)]

    def test_granting_nothing_takes_away(self, store: Store) -> None:
        store.grant(TEAM, grant("user:bo"))
        store.grant(TEAM, grant("user:bo", read=False, minute=1))
        store.grant(TEAM, grant("user:nobody", read=False))

        assert store.grants(TEAM) == []
        assert store.granted("", "user:bo") == []

    def test_one_may_be_let_write_and_not_read(self, store: Store) -> None:
        store.grant(TEAM, grant("agent:logger", read=False, write=True))

        assert store.grants(TEAM) == [grant("agent:logger", read=False, write=True)]

    def test_where_somebody_was_granted_anything_is_told(self, store: Store) -> None:
        films = scope("films", "space")
        abroad = scope("team", "space", tenant="t")
        for where in (TEAM, films, abroad):
            store.grant(where, grant("user:bo"))
        store.grant(films, grant("user:b"))

        assert set(store.granted("", "user:bo")) == {TEAM, films}
        assert store.granted("t", "user:bo") == [abroad]
        assert store.granted("", "user:%") == []

    def test_a_grant_makes_no_memory(self, store: Store) -> None:
        store.grant(TEAM, grant("user:bo"))

        assert store.scopes() == []
        assert store.latest(TEAM, 9) == []
        assert store.check() == []

    def test_grants_go_with_the_space(self, store: Store) -> None:
        say(store, TEAM, "hello")
        store.grant(TEAM, grant("user:bo"))

        store.forget(TEAM, now=NOON)

        assert store.grants(TEAM) == []
        assert store.granted("", "user:bo") == []
