import numpy as np

from lamina.strategies.structmem.centrality import centrality, likeness


def test_likeness_is_a_cosine_of_shared_terms() -> None:
    cosines = likeness([["tea", "cup"], ["tea", "cup"], ["dog"], []])

    assert abs(cosines[0, 1] - 1) < 1e-12
    assert cosines[0, 2] == 0.0
    assert cosines[3].tolist() == [0.0, 0.0, 0.0, 0.0]
    assert np.allclose(cosines, cosines.T)


def test_what_most_sentences_share_is_the_centre() -> None:
    weights = centrality(likeness([["a", "b"], ["b", "c"], ["c", "d", "b"], ["x", "y"]]))

    assert np.argmax(weights) in (1, 2)
    assert weights[3] < weights[1]
    assert abs(weights.sum() - 1) < 1e-6


def test_weights_agree_with_the_eigenvector_of_the_damped_walk() -> None:
    cosines = likeness([["a", "b"], ["b", "c"], ["c", "a", "d"], ["d", "e"], ["e"]])
    n = len(cosines)
    walk = 0.15 / n + 0.85 * cosines / cosines.sum(axis=1, keepdims=True)
    values, vectors = np.linalg.eig(walk.T)
    leading = np.real(vectors[:, np.argmax(np.real(values))])

    assert np.allclose(centrality(cosines), leading / leading.sum(), atol=1e-5)


def test_nothing_has_no_centre() -> None:
    assert centrality(likeness([])).shape == (0,)
