"""Vectors from any server with OpenAI's `/v1/embeddings`: the extra `models`."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import BaseModel, Field, FiniteFloat, ValidationError

from lamina.adapters.encoders.vectors import encodable
from lamina.adapters.encoders.windows import averaged, spread
from lamina.errors import EncoderError, EncoderUnavailable, MissingExtra, MissingKey
from lamina.ports import EncoderSpace
from lamina.settings import Secret

if TYPE_CHECKING:
    from openai import OpenAI

    from lamina.model import Vectors

OPENAI_URL = "https://api.openai.com/v1"
SCHEME = 1
"""Raise it when the way from a text to a vector changes: it is part of the id."""
BATCH_TEXTS = 64
"""Texts in one request."""
BYTES_PER_TOKEN = 3
"""Of UTF-8. English has more, Chinese and Japanese about as many: an estimate on the safe side."""


class _Row(BaseModel):
    index: int
    embedding: Annotated[list[FiniteFloat], Field(min_length=1)]


class _Answer(BaseModel):
    data: list[_Row]


class OpenAIEncoder:
    """An `Encoder` on a server, asked over HTTP.

    That a vector depends on its text alone is then the server's promise, not ours. Texts longer
    than `max_tokens` by our estimate are split; see `windows.averaged`. Blank text is not sent.
    """

    def __init__(
        self,
        model: str,
        *,
        url: str | None = None,
        key: Secret | None = None,
        languages: frozenset[str] = frozenset(),
        max_tokens: int = 512,
        timeout: float = 30.0,
        retries: int = 3,
    ) -> None:
        """Check what is asked for. The first call that needs the server connects.

        Args:
            model: The server's name for the model. It names the space of the vectors, wherever
                the server is.
            url: The server's address with its /v1; OpenAI's own if not given.
            key: The server's key, if it wants one.
            languages: ISO 639-1 codes of what the model reads well.
            max_tokens: Sent at once. Every known model reads 512.
            timeout: Seconds that one try may take.
            retries: How often a call that got no answer, or 429 or 5xx, is tried again.

        Raises:
            MissingExtra: The client is not installed.
            MissingKey: OpenAI's own server needs a key.
        """
        if find_spec("openai") is None:
            raise MissingExtra(
                "embeddings from a server need an extra that is not installed;"
                " run: pip install 'lamina[models]'"
            )
        if url is None and key is None:
            raise MissingKey(
                f"openai:{model} needs a key and none is set; set LAMINA_ENCODER_KEY,"
                " or LAMINA_ENCODER_URL for another server"
            )
        self._name = model
        self._url = url or OPENAI_URL
        self._key = key
        self._languages = languages
        self._max_tokens = max_tokens
        self._timeout = timeout
        self._retries = retries
        self._connecting = threading.Lock()
        self._client: OpenAI | None = None

    @cached_property
    def space(self) -> EncoderSpace:
        """The space that its vectors lie in. The first time, one word is sent to learn its size.

        Raises:
            EncoderUnavailable: The server did not answer.
        """
        dim = len(self._ask(["dimension"])[0])
        return EncoderSpace(
            id=f"openai:{self._name}-{dim}-{SCHEME}",
            dim=dim,
            max_tokens=self._max_tokens,
            languages=self._languages,
        )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder.encode`.

        Raises:
            EncoderUnavailable: The server did not answer, was busy, or failed; try again later.
            EncoderError: It refused the request, or its answer cannot be used.
        """
        if not texts:
            return np.zeros((0, self.space.dim), np.float32)
        return averaged([self._windows(text) for text in texts], _tokens, self._rows)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """See `Encoder.count_tokens`; estimated, since the server does not tell."""
        return [_tokens(encodable(text)) for text in texts]

    def close(self) -> None:
        """Let go of the connections."""
        with self._connecting:
            if self._client is not None:
                self._client.close()
            self._client = None

    def _windows(self, text: str) -> list[str]:
        """Cut a long text into parts of as many characters each."""
        content = encodable(text)
        parts, size = -(-_tokens(content) // self._max_tokens), len(content)
        if parts <= 1:
            return [content]
        edges = [size * part // parts for part in range(parts + 1)]
        return spread([content[a:b] for a, b in pairwise(edges)])

    def _rows(self, windows: list[str]) -> Vectors:
        rows = np.zeros((len(windows), self.space.dim), np.float32)
        sent = [i for i, window in enumerate(windows) if window.strip()]
        for start in range(0, len(sent), BATCH_TEXTS):
            batch = sent[start : start + BATCH_TEXTS]
            answer = self._ask([windows[i] for i in batch])
            if {len(row) for row in answer} != {self.space.dim}:
                raise EncoderError(
                    f"{self._name} answered with vectors that do not have"
                    f" {self.space.dim} dimensions"
                )
            rows[batch] = answer
        return rows

    def _ask(self, texts: list[str]) -> list[list[float]]:
        """Return a row a text, in order."""
        import openai

        body = {"model": self._name, "input": texts, "encoding_format": "float"}
        try:
            raw = self._connected().post("/embeddings", cast_to=object, body=body)
            rows = {row.index: row.embedding for row in _Answer.model_validate(raw).data}
        # No `from`: the server's words, and so the cause's, may quote the key or the text.
        except openai.APIStatusError as error:
            raise self._refusal(error.status_code) from None
        except openai.APIConnectionError:
            raise EncoderUnavailable(f"{self._url} did not answer; try again later") from None
        except (openai.OpenAIError, ValidationError, ValueError):
            raise EncoderError(f"{self._url} did not answer with embeddings") from None
        if rows.keys() != set(range(len(texts))):
            raise EncoderError(f"{self._url} did not answer with one vector a text")
        return [rows[i] for i in range(len(texts))]

    def _refusal(self, status: int) -> EncoderError:
        if status == 429 or status >= 500:
            return EncoderUnavailable(f"{self._url} is not able now (HTTP {status}); try later")
        hint = {401: "check the key", 403: "check the key", 404: "check address and model"}
        return EncoderError(
            f"{self._url} refused {self._name} (HTTP {status});"
            f" {hint.get(status, 'check the model and its limits')}"
        )

    def _connected(self) -> OpenAI:
        from openai import OpenAI

        with self._connecting:
            if self._client is None:
                self._client = OpenAI(
                    base_url=self._url,
                    # The client insists on one; a server that wants none ignores it.
                    api_key=self._key.reveal() if self._key else "none",
                    timeout=self._timeout,
                    max_retries=self._retries,
                )
            return self._client


def _tokens(text: str) -> int:
    return -(-len(text.encode()) // BYTES_PER_TOKEN)
