"""What may be told of a pool: to whom, in which words, and what it is looked up by."""

from datetime import timedelta

import numpy as np
import pytest

from lamina.errors import BadInput, NotFound
from lamina.items import Interaction, Item
from lamina.testing.clock import NOON
from tests.memory.pooling.cinema import KINDS, Cinema

CRIME = ("Crime", "Crime", "Drama")


@pytest.fixture
def shared(cinema: Cinema) -> Cinema:
    """Three users share one pattern; Di alone did something else."""
    for place, user in enumerate(("ann", "bo", "cy")):
        cinema.watched(user, *CRIME, minute=10 * place)
    cinema.watched("di", "Horror", "Comedy", "Horror", minute=60)
    cinema.films.refresh()
    return cinema


def test_what_k_users_support_is_told_to_all(shared: Cinema) -> None:
    [told] = shared.pool.patterns()

    assert (told.contributors, told.evolution_count, told.yours) == (3, 2, False)
    assert told.keywords == ("Crime", "Drama")
    assert shared.pool.pattern(told.id).explanation == told.explanation
    assert told.to_text().endswith("(evolved 2 times)")


def test_what_one_user_did_alone_is_told_to_them_alone(shared: Cinema) -> None:
    own = [each for each in shared.pool.patterns("di") if each.yours]

    assert [each.contributors for each in own] == [1]
    assert {each.id for each in shared.pool.patterns("ann")}.isdisjoint({own[0].id})
    assert shared.pool.pattern(own[0].id, user="di").yours


def test_what_may_not_be_told_is_not_found_in_the_words_of_what_is_not_there(
    shared: Cinema,
) -> None:
    [own] = [each for each in shared.pool.patterns("di") if each.yours]
    said = []
    for id_ in (own.id, "0" * 32):
        with pytest.raises(NotFound) as error:
            shared.pool.pattern(id_, user="ann")
        said.append(str(error.value).replace(id_, "ID"))

    assert said[0] == said[1]


def test_below_k_nothing_is_told_however_near_it_is(shared: Cinema) -> None:
    horror = shared.pool.encode(["Horror0", "Comedy0", "Horror0"])

    assert [each.contributors for each in shared.pool.retrieve(horror)] == [3]
    assert [each.yours for each in shared.pool.retrieve(horror, user="di")] == [True, False]


def test_a_higher_k_hides_what_was_told(shared: Cinema) -> None:
    shared.pool.configure(k=4)

    assert shared.pool.patterns() == []
    assert len(shared.pool.patterns("ann")) == 1


def test_the_recommenders_own_k_holds_where_it_is_not_open(shared: Cinema) -> None:
    shared.films.configure(privacy="silo", k=4)

    assert shared.pool.patterns() == []


def test_at_a_moment_only_who_contributed_before_counts(cinema: Cinema) -> None:
    for place, user in enumerate(("ann", "bo", "cy")):
        cinema.watched(user, *CRIME, minute=10 * place)
    cinema.films.refresh()
    third = NOON + timedelta(minutes=22)

    [told] = cinema.pool.patterns(as_of=third + timedelta(minutes=1))
    before = [each for user in ("ann", "bo") for each in cinema.pool.patterns(user, as_of=third)]
    assert told.contributors == 3
    assert cinema.pool.patterns(as_of=third) == []
    assert all(each.contributors < 3 for each in before)


def test_in_a_list_weights_are_shares_by_evolution_among_all_that_may_be_told(
    shared: Cinema,
) -> None:
    listed = shared.pool.patterns("di")
    [first] = shared.pool.patterns("di", limit=1)
    alone = shared.pool.pattern(listed[1].id, user="di")

    assert [each.similarity for each in (*listed, first, alone)] == [0.0] * 4
    assert sum(each.weight for each in listed) == pytest.approx(1.0)
    assert first.weight == listed[0].weight > listed[1].weight > 0
    assert listed[0].evolution_count > listed[1].evolution_count
    assert alone.weight == 1.0


def test_times_are_told_to_the_day(shared: Cinema) -> None:
    [told] = shared.pool.patterns()

    assert told.first_at == told.last_at == NOON.replace(hour=0)


@pytest.mark.parametrize(
    "history",
    [
        ["Crime0", "Crime0", "Drama0"],
        ["Comedy0", "Crime0", "Crime0", "Drama0"],
        [Item(id="x", categories=("Crime",)), "Crime1", {"id": "Drama1"}],
        [{"title": "Anything", "categories": ["Crime"], "rating": 4, "action": "rate"}] * 2
        + [{"title": "Else", "categories": "Drama"}],
        [
            Interaction(id="", user="z", item=item, at=NOON)
            for item in ("Crime0", "Crime1", "Drama0")
        ],
    ],
    ids=["ids", "only the last w count", "items and ids", "mappings", "interactions"],
)
def test_a_history_is_encoded_as_parts_are(shared: Cinema, history: list[object]) -> None:
    vector = shared.pool.encode(history)  # type: ignore[arg-type]

    assert vector.shape == (32,)
    assert vector.dtype == np.float32
    [found] = shared.pool.retrieve(vector)
    assert found.similarity == pytest.approx(1.0)
    assert found.weight == pytest.approx(1.0)


def test_less_than_w_is_encoded_too(shared: Cinema) -> None:
    assert shared.pool.retrieve(shared.pool.encode(["Crime0"]))[0].similarity > 0.5


def test_no_title_is_in_what_is_encoded(shared: Cinema) -> None:
    shared.pool.encode([{"title": "Casablanca", "categories": ["Drama"]}])

    assert all("Casablanca" not in seen.title for seen in shared.stages.windows[-1].seen[1:])
    one = shared.pool.encode([{"title": "Casablanca", "categories": ["Drama"]}])
    other = shared.pool.encode([{"title": "Metropolis", "categories": ["Drama"]}])
    assert (one == other).all()


@pytest.mark.parametrize(
    "history", ["Crime0", {"id": "Crime0"}, [3], [{"id": 3}], [{"rating": "a"}]]
)
def test_what_is_no_history_is_refused(shared: Cinema, history: object) -> None:
    with pytest.raises(BadInput):
        shared.pool.encode(history)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "history",
    [
        ["nope"],
        ["Crime0", "nope"],
        ["nope", "Crime0", "Crime1", "Drama0"],
        ["Crime0", {"id": "nope", "rating": 4}],
        ["Crime0", Item(id="nope")],
    ],
    ids=["alone", "among known ones", "before the last w", "mapping", "item"],
)
def test_an_id_of_no_item_is_refused_by_its_name(shared: Cinema, history: list[object]) -> None:
    with pytest.raises(BadInput, match="no item here has the id 'nope'"):
        shared.pool.encode(history)  # type: ignore[arg-type]


def test_an_item_is_not_known_before_anybody_knew_it(shared: Cinema) -> None:
    shared.films.add_interactions([{"user": "ann", "item": "bare", "timestamp": NOON}])
    shared.films.add_items([{"id": "fresh", "title": "Fresh", "known_since": NOON}])

    shared.pool.encode(["Crime0", "bare", "fresh"])
    for id_ in ("bare", "fresh"):
        with pytest.raises(BadInput, match=id_):
            shared.pool.encode(["Crime0", id_], as_of=NOON)


def test_categories_may_be_such_as_no_item_has(shared: Cinema) -> None:
    assert shared.pool.encode([{"categories": ["犯罪"]}]).shape == (32,)


@pytest.mark.parametrize("history", [[], ["bare"]])
def test_a_history_of_which_nothing_is_known_is_not_found(
    shared: Cinema, history: list[str]
) -> None:
    shared.films.add_interactions([{"user": "ann", "item": "bare", "timestamp": NOON}])

    with pytest.raises(NotFound, match="titles and categories"):
        shared.pool.encode(history)


@pytest.mark.parametrize(
    "vector", [[0.0] * 32, [1.0] * 31, [float("nan")] * 32, ["a"] * 32, None], ids=str
)
def test_what_is_no_vector_of_the_encoder_is_refused(shared: Cinema, vector: object) -> None:
    with pytest.raises(BadInput, match="vector"):
        shared.pool.retrieve(vector)  # type: ignore[arg-type]


def test_links_lead_only_to_what_may_be_told(cinema: Cinema) -> None:
    drawn = np.random.default_rng(2)
    users = [f"u{place}" for place in range(12)]
    for place, user in enumerate(users):
        cinema.watched(user, *drawn.choice(KINDS, 4), minute=10 * place)
    cinema.use(k=5, tau_low=0.6, tau_high=0.99)
    cinema.films.refresh()

    linked = 0
    for told in (cinema.pool.patterns(user, limit=999) for user in (None, *users)):
        linked += sum(len(each.links) for each in told)
        pairs = {(each.id, link) for each in told for link in each.links}
        assert {link for _, link in pairs} <= {each.id for each in told}
        assert pairs == {(link, id_) for id_, link in pairs}
    private = len(cinema.patterns()) - len(cinema.pool.patterns(limit=999))
    assert linked > 0
    assert private > 0


def test_the_pool_is_measured(shared: Cinema) -> None:
    found = shared.pool.measure()

    assert (found.patterns, found.told, found.parts, found.users) == (2, 1, 4, 4)
    assert (found.evolved, found.most_evolved, found.pending) == (1, 2, 0)
    assert found.linked_cosine is None
    assert found.unlinked_cosine is not None
    assert found.near_twins == 0.0


def test_a_pool_without_patterns_tells_nothing(cinema: Cinema) -> None:
    assert cinema.pool.patterns() == []
    assert cinema.pool.retrieve(np.ones(32, np.float32)) == []
    assert cinema.pool.measure().patterns == 0
    with pytest.raises(NotFound, match="refresh the pool"):
        cinema.pool.calibrate()


def test_thresholds_are_proposed_from_the_pools_own_texts(cinema: Cinema) -> None:
    kinds = [f"Kind{letter}" for letter in "abcdefghijklmnop"]
    cinema.films.add_items(
        {"id": f"{kind}0", "title": kind, "categories": [kind]} for kind in kinds
    )
    drawn = np.random.default_rng(1)
    for place in range(60):
        cinema.watched(f"u{place}", *drawn.choice(kinds, 3), minute=10 * place)
    cinema.films.refresh()

    found = cinema.pool.calibrate()

    assert found.encoder == "tests/words"
    assert -1 <= found.tau_low <= found.tau_high <= 1
    assert (found.low_in_use, found.high_in_use) == (0.55, 0.9)
    assert found.texts >= 30
