from lamina.models.tokens import FRAME_TOKENS, rough_input_tokens, rough_tokens
from lamina.ports import Request


def test_a_token_is_four_bytes_rounded_up() -> None:
    assert [rough_tokens(text) for text in ("", "a", "abcd", "abcde", "搬到奥斯陆")] == [
        0,
        1,
        1,
        2,
        4,
    ]


def test_text_that_is_no_valid_unicode_is_counted_all_the_same() -> None:
    assert rough_tokens("\ud800" * 4) == 3


def test_a_request_is_its_texts_and_their_frame() -> None:
    request = Request(role="memory", system="abcd", prompt="abcdefgh")

    assert rough_input_tokens(request) == FRAME_TOKENS + 1 + 2
