"""The promises of `lamina.ports.Recall` about spaces of vectors, as tests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lamina.errors import EncoderMismatch
from lamina.ports import Documents, EncoderSpace, Store
from lamina.testing.clock import NOON
from lamina.testing.factories import (
    SPACE,
    document,
    gone,
    note,
    say,
    scope,
    undo,
    vector,
    write,
    writing,
)
from lamina.testing.store_contract import StoreContract

ALICE, BO = scope("alice"), scope("bo")
OTHER = EncoderSpace(id="tests/2", dim=4, max_tokens=9, languages=frozenset({"en", "zh"}))


def documents(store: Store) -> Documents:
    """Return alice's documents."""
    with store.snapshot(ALICE) as snapshot:
        return snapshot.documents


class SpacesContract(StoreContract):
    """What `Recall` promises of spaces of vectors; see `StoreContract`."""

    def test_the_space_is_declared_once(self, store: Store) -> None:
        store.set_space(SPACE)

        with pytest.raises(EncoderMismatch, match="tests/1"):
            store.set_space(OTHER)
        with pytest.raises(EncoderMismatch):
            store.set_space(replace(SPACE, dim=9))

        assert store.space() == SPACE

    def test_reencoding_goes_on_beside_until_the_switch(self, store: Store) -> None:
        say(store, ALICE, "a", "b")
        say(store, BO, "c")
        for owner in (ALICE, BO):
            ids = [each.id for each in store.documents_of(owner, 0, 9)]
            store.reencode(owner, {id_: vector(str(id_), 4) for id_ in ids}, OTHER)
            if owner is ALICE:
                with pytest.raises(EncoderMismatch):
                    store.switch_space(OTHER)
            assert store.space() == SPACE
            assert documents(store).vectors.shape == (2, SPACE.dim)

        store.switch_space(OTHER)

        assert store.space() == OTHER
        np.testing.assert_array_equal(documents(store).vectors, [vector("1", 4), vector("2", 4)])
        assert store.check() == []
        with pytest.raises(ValueError, match="shape"):
            say(store, ALICE, "of the old encoder")

    def test_what_goes_while_it_is_reencoded_is_passed_over(self, store: Store) -> None:
        [id_] = say(store, ALICE, "a")
        old = store.documents_of(ALICE, 0, 9)[0].id
        store.apply(ALICE, writing(documents=(document("turn", id_, "b"),)), now=NOON)

        store.reencode(ALICE, {old: vector("a", 4)}, OTHER)

        with pytest.raises(EncoderMismatch):
            store.switch_space(OTHER)
        assert store.check() == []

    def test_a_document_hidden_during_a_switch_is_encoded_too(self, store: Store) -> None:
        one, two = say(store, ALICE, "tea", "milk")
        write(store, ALICE, id_="op1", gone=gone("message", one))
        walked = store.documents_of(ALICE, 0, 9)
        assert [each.ref for each in walked] == [one, two]
        store.reencode(ALICE, {each.id: vector(each.ref, 4) for each in walked}, OTHER)
        store.switch_space(OTHER)

        undo(store, ALICE, "op1", by="op2")

        np.testing.assert_array_equal(documents(store).vectors, [vector(one, 4), vector(two, 4)])
        assert store.check() == []

    def test_documents_of_the_past_are_encoded_too(self, store: Store) -> None:
        [id_] = say(store, ALICE, "hello")
        first = note("n", "in oslo", event=id_)
        write(store, ALICE, first, id_="op1")
        write(store, ALICE, replace(first, text="in rome", revision=2), id_="op2")
        walked = store.documents_of(ALICE, 0, 9)
        store.reencode(ALICE, {each.id: vector(f"{each.id}", 4) for each in walked}, OTHER)
        store.switch_space(OTHER)

        undo(store, ALICE, "op2", by="op3")

        [old] = [each.id for each in walked if each.revision == 1]
        np.testing.assert_array_equal(documents(store).vectors[1], vector(f"{old}", 4))
        assert store.check() == []


class UndeclaredSpaceContract:
    """What holds before a space is declared. Its `store` fixture gives a new store."""

    def test_a_new_store_has_no_space(self, store: Store) -> None:
        assert store.space() is None
        with store.snapshot(ALICE) as snapshot:
            assert snapshot.documents.vectors.shape == (0, 0)

    def test_without_a_space_nothing_is_stored(self, store: Store) -> None:
        with pytest.raises(EncoderMismatch):
            say(store, ALICE, "hello")

        assert store.latest(ALICE, 9) == []
