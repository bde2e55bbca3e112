"""What words tell in a catalogue, whatever came when."""

import lamina
from lamina.memory.recommending import Recommender
from lamina.testing import WordEncoder
from lamina.times import parse, to_micros
from lamina.work.catalogues import catalogue_of
from tests.conftest import Open

EARLY, LATE = "2026-01-05T00:00:00Z", "2026-02-05T00:00:00Z"


def weight(memory: lamina.Memory, made: Recommender, term: str, by: str) -> float:
    store = memory._engine.store
    catalogue = catalogue_of(store, made.scope, store.graph(made.scope))
    return round(catalogue.weight(term, to_micros(parse(by))), 6)


def test_an_item_counts_from_when_it_was_known_first_whatever_was_told_first(
    open_memory: Open,
) -> None:
    memory = open_memory(encoder=WordEncoder())
    early = {"id": "1", "title": "Heron", "known_since": EARLY}
    late = {"id": "1", "title": "Raven", "known_since": LATE}
    other = {"id": "2", "title": "Reed"}
    told, turned = memory.recommender("told"), memory.recommender("turned")
    told.add_items([other, early])
    turned.add_items([other, late])
    assert weight(memory, turned, "heron", LATE) > 0
    turned.add_items([early])

    for by in (EARLY, LATE):
        for term in ("heron", "reed"):
            assert weight(memory, turned, term, by) == weight(memory, told, term, by)


def test_an_item_that_is_described_after_others_went_counts(open_memory: Open) -> None:
    memory = open_memory(encoder=WordEncoder())
    made, fresh = memory.recommender("made"), memory.recommender("fresh")
    made.add_interactions([{"user": "ann", "item": "0", "timestamp": EARLY}])
    made.add_items([{"id": "1", "title": "Heron"}])
    weight(memory, made, "heron", LATE)
    memory.user("ann").forget()
    for each in (made, fresh):
        each.add_items([{"id": "1", "title": "Heron"}, {"id": "2", "title": "Reed"}])

    assert weight(memory, made, "reed", LATE) == weight(memory, fresh, "reed", LATE)
