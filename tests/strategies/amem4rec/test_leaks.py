"""Which names a text that is shared gives away."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lamina.strategies.amem4rec.leaks import leaked

FILMS = ("Heat (1995)", "Matrix, The (1999)", "Up (2009)", "霸王别姬", "進撃の巨人 Season 2")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Enjoys HEAT, and noise.", "Heat (1995)"),
        ("Likes Ｈｅａｔ.", "Heat (1995)"),
        ("Went from The Matrix to others.", "Matrix, The (1999)"),
        ("Went from the godfather's world.", "The Godfather"),
        ("Wants a godfather.", "The Godfather"),
        ("Loves star wars.", "Star Wars: Episode IV - A New Hope (1977)"),
        ("Le fabuleux destin d’amélie.", "Amelie (Fabuleux destin d'Amélie, Le) (2001)"),
        ("Wants seven of them.", "Se7en (a.k.a. Seven) (1995)"),
        ("Sees schindler’s list again.", "Schindler's List (1993)"),
        ("Liked Ma\u200btri\u00adx.", "Matrix, The (1999)"),
        ("喜欢霸王别姬这样的片子。", "霸王别姬"),
        ("看了進撃の巨人ｓｅａｓｏｎ　2。", "進撃の巨人 Season 2"),
        ("ชอบดูต้มยำกุ้งมาก", "ต้มยำกุ้ง"),
        ("Straße und STRASSE", "strasse"),
        ("Bought 🍎 twice.", "🍎"),
        ("Sings with !!! at night.", "!!!"),
        ("User 17 likes it.", "17"),
        ("Seen by ann@example.com first.", "ann@example.com"),
        ("Goes for B00005JNOG.", "B00005JNOG"),
        ("Crime, drama.", "Crime Drama"),
        ("cafe\u0301 life", "Café life"),
        ("Fans of TheMatrix.", "Matrix, The (1999)"),
        ("Sees T h e  M a t r i x.", "The Matrix"),
        ("Goes back to the Ma-\ntrix.", "Matrix, The (1999)"),
        ("Likes spiderman.", "Spider-Man (2002)"),
        ("Likes spider man.", "Spiderman"),
        ("As annsmith does.", "ann.smith"),
        ("Fans of \u0410lien.", "Alien"),
        ("Fans of Am\u03b5lie.", "Amelie (2001)"),
        ("Likes Pokemon.", "Pokémon (1998)"),
        ("Amélie and others.", "Amelie (2001)"),
        ("Goes to istanbul.", "İstanbul"),
        ("يحب مَرْحَبًا", "مرحبا"),
        ("Likes Alien.", "Al\x00ien"),
    ],
)  # fmt: skip
def test_a_name_is_found_however_it_is_written(text: str, name: str) -> None:
    assert leaked(text, [name]) == (name,)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Likes heated talk and reheats.", "Heat (1995)"),
        ("Liked films of 1995.", "Heat (1995)"),
        ("User 171 likes it.", "17"),
        ("Goes to a cafe.", "Café"),
        ("Likes rethematrixed things.", "The Matrix"),
        ("Likes a café. It grows.", "It"),
        ("Любит матч", "Alien"),
        ("Likes the crime in drama.", "Crime Drama"),
        ("Is it so?", "?"),
        ("Anything.", ""),
        ("Anything.", "  "),
    ],
)
def test_what_only_resembles_a_name_is_not_found(text: str, name: str) -> None:
    assert leaked(text, [name]) == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Wants it to go up with her.", ()),
        ("Up to the end. It grows.", ()),
        ("Loved It and went to see Up, then Her.", ("It", "Up (2009)", "Her")),
        ("Loved “Her”.", ("Her",)),
    ],
)
def test_words_that_every_text_has_are_names_where_they_are_written_as_names(
    text: str, found: tuple[str, ...]
) -> None:
    assert leaked(text, ["It", "Up (2009)", "Her"]) == found


def test_categories_may_be_said_although_they_are_titles() -> None:
    names = ["Crime", "Film Noir", "Drama Queen", "剧情"]
    text = "From crime to film-noir; a drama queen. 剧情。"

    assert leaked(text, names, ["Crime", "Film-Noir", "Drama", "剧情"]) == ("Drama Queen",)
    assert leaked(text, names) == tuple(names)


def test_a_category_may_be_said_although_it_is_a_title_that_is_parted_otherwise() -> None:
    kinds = ["Sci-Fi", "FilmNoir"]

    assert leaked("Likes Sci-Fi and filmnoir.", ["SciFi", "Film Noir"], kinds) == ()
    assert leaked("Likes Decor.", ["Décor"], ["Décor"]) == ()


def test_names_are_told_in_their_order_and_once() -> None:
    assert leaked("heat, alien, heat", ["Alien", "Heat", "Up", "Alien"]) == ("Alien", "Heat")


WORDS = st.text(st.characters(categories=("L", "N", "M", "P", "S", "Zs", "Cf")), max_size=12)
TITLES = st.one_of(WORDS, st.sampled_from(FILMS), st.text("家族犯罪のドラマ剧情片", max_size=4))


def worded(name: str) -> bool:
    """Whether a name is more than marks and more than words that every text has."""
    return any(c.isalnum() for c in unicodedata.normalize("NFKC", name)) and len(name) > 5


@settings(deadline=None)
@given(TITLES.filter(worded), WORDS, WORDS)
def test_a_name_that_is_said_is_found_in_any_script(name: str, before: str, after: str) -> None:
    for told in (name, name.casefold(), unicodedata.normalize("NFKD", name)):
        assert name in leaked(f"{before} {told} {after}", [name])


@settings(deadline=None)
@given(WORDS, st.lists(TITLES, max_size=4), st.lists(WORDS, max_size=2))
def test_only_names_that_were_given_are_told_and_allowing_more_finds_no_more(
    text: str, names: list[str], allowed: list[str]
) -> None:
    found = leaked(text, names)

    assert set(found) <= set(names)
    assert set(leaked(text, names, allowed)) <= set(found)
    assert set(found) <= set(leaked(f"{text} {' '.join(names)}", names))


@settings(deadline=None)
@given(st.text("犯罪剧情爱", min_size=2, max_size=4), st.text("城市光影", max_size=4))
def test_a_chinese_name_is_found_within_a_sentence(name: str, around: str) -> None:
    assert leaked(f"{around}{name}{around}。", [name]) == (name,)
    assert leaked(f"{around}。", [name]) == ()


LONG = "Dr. Strangelove or: How I Learned to Stop Worrying and Love the Bomb (1964)"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Those who learned to stop worrying and love it.", True),
        ("Learned to stop; worrying and all.", True),
        ("Learned to stop worrying.", False),
        ("Drawn to what people love, the bomb aside.", False),
    ],
)
def test_a_long_name_is_found_by_five_of_its_words_in_a_row(text: str, found: bool) -> None:
    assert leaked(text, [LONG]) == ((LONG,) if found else ())


def test_words_in_a_row_that_may_be_said_or_that_anybody_says_are_no_name() -> None:
    kinds = "Action Adventure Animation Comedy Crime Drama"

    assert leaked(f"From {kinds} on.", [f"{kinds} Hour"], kinds.split()) == ()
    assert leaked("As it was to be by then.", ["So it was to be by him that Ada went"]) == ()
