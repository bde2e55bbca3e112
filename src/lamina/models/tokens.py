"""A rough count of tokens, for forecasts and budgets; no model's tokenizer is needed."""

from __future__ import annotations

from lamina.ports import Request

BYTES_PER_TOKEN = 4
"""English has about four bytes a token, Chinese about three to four with today's tokenizers."""
FRAME_TOKENS = 8
"""What the roles and marks around a system text and a prompt take."""


def rough_tokens(text: str) -> int:
    """Return about how many tokens `text` has: a token for every four UTF-8 bytes, rounded up.

    >>> rough_tokens("I moved to Oslo.")
    4
    """
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)


def rough_input_tokens(request: Request) -> int:
    """Return about how many input tokens `request` takes, its schema left out."""
    return FRAME_TOKENS + rough_tokens(request.system) + rough_tokens(request.prompt)
