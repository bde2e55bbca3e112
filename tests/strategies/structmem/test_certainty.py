import pytest

from lamina.model import Certainty
from lamina.strategies.structmem.certainty import certainty


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I moved to Oslo.", "stated"),
        ("She'll be there on Monday.", "stated"),
        ("The sea is loud, I can hear it.", "stated"),
        ("I think he's right.", "uncertain"),
        ("I'm not really sure.", "uncertain"),
        ("We might move in May.", "uncertain"),
        ("I heard that Cy bought it.", "hearsay"),
        ("Maria said they closed it.", "hearsay"),
        ("My sister told me so.", "hearsay"),
        ("Apparently it's shut.", "hearsay"),
        ("According to the news, maybe.", "hearsay"),
        ("听说那家书店下个月要关门。", "hearsay"),
        ("我可能明年搬家。", "uncertain"),
        ("明日は雨かもしれません。", "uncertain"),
        ("Peut-être demain.", "uncertain"),
        ("Vielleicht morgen.", "uncertain"),
        ("Может быть, завтра.", "uncertain"),
        ("Al parecer cerró.", "hearsay"),
        ("", "stated"),
    ],
)
def test_doubt_and_hearsay_are_told_by_their_words(text: str, expected: Certainty) -> None:
    assert certainty(text) == expected
