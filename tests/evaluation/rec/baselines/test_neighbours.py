import numpy as np
import pytest
from scipy.sparse import csr_matrix

from lamina.evaluation.rec.baselines.neighbours import ease, item_knn
from tests.evaluation.rec.made import asks, had, lesson, log


@pytest.mark.filterwarnings("ignore:Method expects CSR")
def test_item_knn_scores_as_another_implementation_does() -> None:
    from implicit.nearest_neighbours import CosineRecommender

    one = log()
    matrix = csr_matrix(had(one))
    other = CosineRecommender(K=30, num_threads=1)
    other.fit(matrix, show_progress=False)

    scores = item_knn(lesson(one), k=30)(asks(one))

    np.testing.assert_allclose(scores, (matrix @ other.similarity).toarray(), atol=1e-5)


def test_item_knn_hands_on_to_the_nearest_alone() -> None:
    one = log()
    first = asks(one).part(np.array([0]))
    single = type(first)(
        users=first.users, at=first.at, starts=np.array([0, 1]), items=first.items[:1],
        ratings=first.ratings[:1],
    )  # fmt: skip

    few, every = (item_knn(lesson(one), k=k)(single)[0] for k in (3, 30))

    assert np.count_nonzero(few) <= 3
    np.testing.assert_allclose(np.sort(few)[-3:], np.sort(every)[-3:], atol=1e-6)


def test_shrinkage_holds_chance_meetings_down() -> None:
    one = log()

    plain, shrunk = (item_knn(lesson(one), k=30, shrinkage=s)(asks(one)) for s in (0.0, 5.0))

    assert (shrunk <= plain + 1e-6).all()
    assert shrunk.sum() < plain.sum()


@pytest.mark.parametrize(("users", "items"), [(12, 30), (40, 15)])
def test_ease_is_a_ridge_regression_of_each_item_on_the_others(users: int, items: int) -> None:
    one, ridge = log(users, items), 5.0
    matrix = had(one)
    weights = np.zeros((matrix.shape[1], matrix.shape[1]))
    for item in range(matrix.shape[1]):
        others = np.delete(np.arange(matrix.shape[1]), item)
        x = matrix[:, others]
        solved = np.linalg.solve(x.T @ x + ridge * np.eye(len(others)), x.T @ matrix[:, item])
        weights[others, item] = solved

    scores = ease(lesson(one), ridge=ridge)(asks(one))

    np.testing.assert_allclose(scores, matrix @ weights, atol=1e-4)
