from dataclasses import replace

import pytest

from lamina.memory.differences import between, words
from lamina.model import Revision
from lamina.testing.clock import NOON


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("I live in Bergen.", "I live in Oslo.", '"Bergen" became "Oslo"'),
        ("I swim.", "I swim on Mondays.", '"on Mondays" was added'),
        ("I swim on Mondays.", "I swim.", '"on Mondays" was left out'),
        ("她住在奥斯陆。", "她现在住在卑尔根。", '"现在" was added; "奥斯陆" became "卑尔根"'),
        ("The same.", "The same.", ""),
        ("Two  blanks", "Two blanks", "written otherwise"),
        ("", "Something", '"Something" was added'),
    ],
)
def test_a_difference_names_the_words_that_changed(before: str, after: str, told: str) -> None:
    assert words(before, after) == told


def test_a_long_difference_is_told_in_short() -> None:
    many = words(" ".join(f"a{i} same" for i in range(9)), " ".join(f"b{i} same" for i in range(9)))
    whole = words("x " * 5000, "y " * 5000)

    assert many.endswith("and 4 more changes")
    assert len(whole) < 200


def test_a_difference_tells_tags_keywords_and_context_that_came_and_went() -> None:
    before = Revision(
        note="n", number=1, text="Heat", operation="o", cause="write", model=None,
        prompt_digest=None, sources=("m",), parents=(), known_at=NOON, recorded_at=NOON,
        tags=("Crime",), keywords=("heist", "bank"),
    )  # fmt: skip
    after = replace(before, tags=("Crime", "Musical"), keywords=(), context="after Casino")

    assert between(before, after, None) == [
        'tag "Musical" was added',
        'keywords "heist", "bank" were left out',
        'context: "after Casino" was added',
    ]
    assert between(before, before, None) == []
