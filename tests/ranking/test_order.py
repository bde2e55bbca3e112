import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lamina.ranking.order import best_first, merged
from lamina.ranking.order import given as as_given

ids = st.lists(st.text(max_size=3) | st.sampled_from(["0", "", "1", "\ud800"]), max_size=12)
scores = st.sampled_from([0.0, 0.5, 1.0])


@given(candidates=ids, known=ids)
def test_given_candidates_are_ranked_once_or_counted(
    candidates: list[str], known: list[str]
) -> None:
    found = as_given(candidates, dict.fromkeys(known))
    assert set(found.ids) == set(candidates) & set(known)
    assert set(found.unknown) == set(candidates) - set(known)
    assert len(found.ids) + len(found.unknown) + found.duplicates == len(candidates)
    assert len(set(found.ids)) == len(found.ids)


@given(data=st.data(), some=ids.map(lambda each: list(dict.fromkeys(each))))
def test_the_order_is_a_permutation_that_the_order_given_does_not_change(
    data: st.DataObject, some: list[str]
) -> None:
    scored = {id_: data.draw(scores) for id_ in some}
    other = data.draw(st.permutations(some))

    def order(given_: list[str]) -> list[str]:
        values = np.array([scored[id_] for id_ in given_])
        return [given_[at] for at in best_first(given_, values, "ann")]

    assert sorted(order(some)) == sorted(some)
    assert order(some) == order(other)
    assert [scored[id_] for id_ in order(some)] == sorted(scored.values(), reverse=True)


def test_ties_fall_otherwise_for_another_user_and_another_seed() -> None:
    some = [str(n) for n in range(30)]
    even = np.zeros(30)
    first = best_first(some, even, "ann")
    assert first != best_first(some, even, "bo")
    assert first != best_first(some, even, "ann", seed="another")
    assert first != list(range(30))


told = st.lists(
    st.tuples(
        st.text(max_size=2) | st.sampled_from(["0", "1"]),
        st.floats(allow_nan=True, allow_infinity=True),
    ),
    max_size=15,
)


@given(some=ids.map(lambda each: list(dict.fromkeys(each))), said=told)
def test_any_reply_gives_a_permutation(some: list[str], said: list[tuple[str, float]]) -> None:
    found = merged(said, some)
    assert sorted(found.ids) == sorted(some)
    assert set(found.ids[: found.told]) == {id_ for id_, _ in said} & set(some)
    assert found.invented == len(said) - found.told
    rest = found.ids[found.told :]
    assert list(rest) == [id_ for id_ in some if id_ in rest]


def test_the_first_score_of_an_id_counts_and_the_order_told_breaks_ties() -> None:
    found = merged([("b", 0.5), ("a", 0.5), ("b", 0.9), ("0", 0.7)], ["a", "0", "b", "c"])
    assert found.ids == ("0", "b", "a", "c")
    assert found.invented == 1
