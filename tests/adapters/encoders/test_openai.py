import traceback
from collections.abc import Iterator

import numpy as np
import pytest

from lamina.adapters.encoders.openai import BATCH_TEXTS, OpenAIEncoder
from lamina.adapters.encoders.windows import MAX_WINDOWS
from lamina.errors import EncoderError, EncoderUnavailable, MissingKey
from lamina.settings import Secret
from tests.adapters.encoders import embedding_server
from tests.adapters.encoders.embedding_server import Answer, Server, content, data, drop, status

pytest.importorskip("openai", reason="the extra `models` is not installed")

pytestmark = pytest.mark.wire
KEY = "sk-very-secret"


@pytest.fixture
def server() -> Iterator[Server]:
    with embedding_server.serving() as server:
        yield server


@pytest.fixture
def encoder(server: Server) -> Iterator[OpenAIEncoder]:
    encoder = OpenAIEncoder("some-model", url=server.url, key=Secret(KEY), retries=1, timeout=5)
    yield encoder
    encoder.close()


def test_rows_come_back_in_order_and_of_unit_length(encoder: OpenAIEncoder) -> None:
    rows = encoder.encode(["ab", "abcdef"])

    expected = np.array([[2, 1, 1], [6, 1, 1]]) / np.sqrt([[6], [38]])
    np.testing.assert_allclose(rows, expected, atol=1e-6)
    assert rows.dtype == np.float32


def test_the_space_is_named_after_the_model_and_not_the_address(encoder: OpenAIEncoder) -> None:
    assert encoder.space.id == "openai:some-model-3-1"
    assert encoder.space.dim == 3


def test_the_server_is_asked_for_the_model_with_the_key(
    server: Server, encoder: OpenAIEncoder
) -> None:
    encoder.encode(["hello"])

    assert {request["model"] for request in server.requests} == {"some-model"}
    assert set(server.keys) == {f"Bearer {KEY}"}


def test_constructing_asks_nothing(server: Server, encoder: OpenAIEncoder) -> None:
    assert server.requests == []


def test_many_texts_go_in_several_requests(server: Server, encoder: OpenAIEncoder) -> None:
    texts = [f"text {n}" for n in range(2 * BATCH_TEXTS + 3)]

    assert encoder.encode(texts).shape == (len(texts), 3)

    sizes = [len(request["input"]) for request in server.requests]
    assert sizes == [1, BATCH_TEXTS, BATCH_TEXTS, 3]  # The first learns the dimension.


def test_a_long_text_is_sent_in_parts(server: Server, encoder: OpenAIEncoder) -> None:
    encoder.encode(["x" * 3 * 512 * 4])

    assert [len(part) for part in server.requests[1]["input"]] == [3 * 512] * 4


def test_of_an_endless_text_so_many_parts_are_sent(server: Server, encoder: OpenAIEncoder) -> None:
    encoder.encode(["word " * 100_000])

    assert sum(len(request["input"]) for request in server.requests[1:]) == MAX_WINDOWS


def test_blank_text_has_a_vector_without_being_sent(server: Server, encoder: OpenAIEncoder) -> None:
    rows = encoder.encode(["", "  \n"])

    np.testing.assert_array_equal(rows, [[1, 0, 0], [1, 0, 0]])
    assert len(server.requests) == 1


def test_no_texts_give_no_rows(encoder: OpenAIEncoder) -> None:
    assert encoder.encode([]).shape == (0, 3)


def test_odd_text_can_be_sent(encoder: OpenAIEncoder) -> None:
    assert encoder.encode(["\0", "a\ud800", "{}%s`'\"", "👩‍👩‍👧"]).shape == (4, 3)


def test_tokens_are_estimated(encoder: OpenAIEncoder) -> None:
    assert encoder.count_tokens(["", "hello world", "喝咖啡"]) == [0, 4, 3]


@pytest.mark.parametrize("trouble", [status(429), status(500), status(503), drop])
def test_passing_trouble_is_tried_again(
    server: Server, encoder: OpenAIEncoder, trouble: Answer
) -> None:
    server.script = [trouble]

    assert encoder.encode(["hello"]).shape == (1, 3)


@pytest.mark.parametrize("trouble", [status(429), status(500), status(503), drop])
def test_lasting_trouble_is_told_as_such(
    server: Server, encoder: OpenAIEncoder, trouble: Answer
) -> None:
    server.script = [trouble] * 2

    with pytest.raises(EncoderUnavailable, match="later"):
        encoder.encode(["hello"])

    assert encoder.encode(["hello"]).shape == (1, 3)


@pytest.mark.parametrize(
    ("code", "hint"), [(401, "check the key"), (404, "address and model"), (400, "its limits")]
)
def test_a_refusal_is_not_tried_again(
    server: Server, encoder: OpenAIEncoder, code: int, hint: str
) -> None:
    server.script = [status(code)]

    with pytest.raises(EncoderError, match=hint) as caught:
        encoder.encode(["hello"])

    assert not isinstance(caught.value, EncoderUnavailable)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "answer",
    [
        content("I cannot do that"),
        content("null"),
        content("[]"),
        content('{"data": [{"index": 0}]}'),
        content('{"data": [{"index": 0, "embedding": [1.0, NaN]}]}'),
        data(list.clear),
        data(lambda rows: rows.append({"index": 1, "embedding": [1.0]})),
        data(lambda rows: rows[0].update(index=7)),
        data(lambda rows: rows[0].update(embedding=["a"])),
        data(lambda rows: rows[0].update(embedding=[])),
    ],
)
def test_an_answer_that_is_no_embedding_is_an_error(
    server: Server, encoder: OpenAIEncoder, answer: Answer
) -> None:
    server.script = [answer]

    with pytest.raises(EncoderError, match="did not answer with"):
        encoder.encode(["hello"])


def test_vectors_of_another_dimension_are_an_error(server: Server, encoder: OpenAIEncoder) -> None:
    encoder.encode(["hello"])
    server.script = [data(lambda rows: rows[0].update(embedding=[1.0, 2.0]))]

    with pytest.raises(EncoderError, match="do not have 3 dimensions"):
        encoder.encode(["hello"])


def test_a_server_that_is_not_there_is_unavailable() -> None:
    with embedding_server.serving() as server:
        url = server.url
    encoder = OpenAIEncoder("some-model", url=url, retries=0)

    with pytest.raises(EncoderUnavailable, match="did not answer"):
        encoder.encode(["hello"])

    encoder.close()


@pytest.mark.parametrize("trouble", [status(401), status(500), content("sk-very-secret")])
def test_neither_key_nor_text_shows_in_an_error(
    server: Server, encoder: OpenAIEncoder, trouble: Answer
) -> None:
    encoder.encode(["hello"])
    server.script = [trouble] * 2

    with pytest.raises(EncoderError) as caught:
        encoder.encode(["my private words"])

    told = "".join(traceback.format_exception(caught.value))
    assert KEY not in told
    assert "private" not in told.replace("my private words", "", 1)  # This file's own line.
    assert KEY not in repr(vars(encoder))


def test_openais_own_server_needs_a_key() -> None:
    with pytest.raises(MissingKey, match="LAMINA_ENCODER_KEY"):
        OpenAIEncoder("text-embedding-3-small")
