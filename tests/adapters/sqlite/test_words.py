from hypothesis import given
from hypothesis import strategies as st

from lamina.adapters.sqlite.words import pack, pack_maybe, unpack, unpack_maybe

ANY_TEXT = st.text(st.characters(exclude_categories=()))
"""With NUL and lone surrogates."""


@given(ANY_TEXT)
def test_any_text_comes_back_as_it_was(text: str) -> None:
    assert unpack(pack(text)) == text
    assert unpack_maybe(pack_maybe(text)) == text


@given(ANY_TEXT, ANY_TEXT)
def test_different_texts_have_different_columns(one: str, two: str) -> None:
    assert (pack(one) == pack(two)) == (one == two)


def test_nothing_stays_nothing() -> None:
    assert unpack_maybe(pack_maybe(None)) is None
