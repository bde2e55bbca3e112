import pytest

from lamina.evaluation.datasets import Category
from lamina.evaluation.wording import overlap, token_f1, tokens


def test_case_articles_punctuation_and_endings_do_not_count() -> None:
    assert tokens("The dogs, and A cat's running!") == ["dog", "cat", "run"]


def test_commas_do_not_part_numbers() -> None:
    assert tokens("1,000 km") == ["1000", "km"]


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("7 May 2023", "7 May 2023", 1.0),
        ("She went on 7 May 2023", "7 May 2023", 2 * 3 / (6 + 3)),
        ("a dog", "the cat", 0.0),
        ("red red car", "red car", 2 * 2 / (3 + 2)),
        ("", "Ann", 0.0),
        ("the", "a", 0.0),
    ],
)
def test_overlap_is_the_harmonic_mean_of_precision_and_recall(
    answer: str, gold: str, expected: float
) -> None:
    assert overlap(answer, gold) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("category", "answer", "gold", "expected"),
    [
        ("multi-hop", "sailing, chess", "chess, pottery", 0.5),
        ("multi-hop", "chess and pottery", "chess, pottery", 2 / 3),
        ("single-hop", "sailing, chess", "chess, pottery", 0.5),
        ("open-domain", "yes", "Yes; she said that she would", 1.0),
        ("temporal", "yes", "Yes; she said", 0.5),
        ("adversarial", "That is not mentioned.", "Not mentioned in the conversation", 1.0),
        ("adversarial", "A boat", "Not mentioned in the conversation", 0.0),
    ],
)
def test_each_category_has_its_own_rule(
    category: Category, answer: str, gold: str, expected: float
) -> None:
    assert token_f1(answer, gold, category) == pytest.approx(expected)
