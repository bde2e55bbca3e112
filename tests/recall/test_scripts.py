import pytest

from lamina.recall.scripts import readable_share

ENGLISH = frozenset({"en"})


@pytest.mark.parametrize(
    ("text", "languages", "share"),
    [
        ("Where does Alice live?", ENGLISH, 1.0),
        ("Où habite Alice ?", ENGLISH, 1.0),  # Latin script is one: languages are not told apart
        ("她住在哪里？", ENGLISH, 0.0),
        ("她住在哪里？", frozenset({"en", "zh"}), 1.0),
        ("京都はどこ", frozenset({"zh"}), 0.4),
        ("кофе", ENGLISH, 0.0),
        ("القهوة", frozenset({"ar"}), 1.0),
        ("เขาอยู่ไหน", ENGLISH, 0.0),
        ("커피", frozenset({"ko"}), 1.0),
        ("42 ?!", ENGLISH, 1.0),
        ("", frozenset[str](), 1.0),
        ("Alice", frozenset[str](), 0.0),
    ],
)
def test_the_share_of_letters_that_an_encoder_reads(
    text: str, languages: frozenset[str], share: float
) -> None:
    assert readable_share(text, languages) == pytest.approx(share)


def test_a_mixed_text_is_read_in_part() -> None:
    assert 0 < readable_share("Alice 住在北京", ENGLISH) < 1
