import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from lamina.evaluation.rec.baselines.texts import tfidf
from tests.evaluation.rec.made import asks, lesson, log


def test_tfidf_scores_as_another_implementation_does() -> None:
    one = log()
    vectors = TfidfVectorizer().fit_transform(one.catalogue.texts).toarray()
    every = asks(one)

    scores = tfidf(lesson(one), last=3)(every)

    for user in range(len(one.users)):
        query = vectors[every.history(user)[-3:]].sum(axis=0)
        np.testing.assert_allclose(scores[user], vectors @ query, atol=1e-5)


def test_who_did_nothing_yet_gets_no_scores() -> None:
    one = log()
    nobody = asks(one).part(np.array([0]))
    empty = type(nobody)(
        users=nobody.users,
        at=nobody.at,
        starts=np.array([0, 0]),
        items=nobody.items[:0],
        ratings=nobody.ratings[:0],
    )

    assert not tfidf(lesson(one))(empty).any()
