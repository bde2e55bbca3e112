"""What surrounds a model call: replies by schema, budget, ledger, cache, roles."""

from lamina.models.replies import Parsed, Question, ask, by_model
from lamina.models.tokens import rough_input_tokens, rough_tokens

__all__ = [
    "Parsed",
    "Question",
    "ask",
    "by_model",
    "rough_input_tokens",
    "rough_tokens",
]
