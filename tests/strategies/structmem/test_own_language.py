import pytest

from lamina.strategies.structmem.own_language import keeps_language


@pytest.mark.parametrize(
    ("source", "entry"),
    [
        ("我搬到奥斯陆了。", "安搬到奥斯陆了。"),
        ("我用 PostgreSQL 16。", "安用 PostgreSQL 16。"),
        ("昨日は家族とラーメンを食べました。", "アンは家族とラーメンを食べた。"),
        ("Я живу в Москве.", "Анна живёт в Москве."),
        ("I moved to 北京.", "Ann moved to 北京."),
        ("👍", "Ann agrees."),
        ("12:30", "安同意了。"),
    ],
)
def test_an_entry_in_the_script_of_its_message_keeps_the_language(source: str, entry: str) -> None:
    assert keeps_language(entry, source)


@pytest.mark.parametrize(
    ("source", "entry"),
    [
        ("我上个月搬到奥斯陆了。", "Ann moved to Oslo last month."),
        ("I moved to Oslo last month.", "安上个月搬到奥斯陆了。"),
        ("Я живу в Москве.", "Anna lives in Moscow."),
        ("昨日は家族とラーメンを食べました。", "Ann ate ramen with her family."),
        ("أحب القهوة", "She likes coffee."),
    ],
)
def test_a_translation_does_not(source: str, entry: str) -> None:
    assert not keeps_language(entry, source)
