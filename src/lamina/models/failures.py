"""Where a verb can't go on without a reply, its failure becomes an error."""

from __future__ import annotations

from lamina.errors import BudgetExceeded, MalformedReply, ModelError, ModelUnavailable
from lamina.ports import Failure


def error_of(failure: Failure) -> ModelError:
    """Return the error to raise for a failure.

    >>> error_of(Failure(reason="timeout", detail="openai:gpt-5-mini: no answer in time"))
    ModelUnavailable('the model gave no answer (timeout): openai:gpt-5-mini: no answer in time')
    """
    if failure.reason == "budget":
        return BudgetExceeded(f"{failure.detail}; raise it, or go on without a model")
    if failure.reason == "malformed":
        return MalformedReply(failure.detail)
    return ModelUnavailable(f"the model gave no answer ({failure.reason}): {failure.detail}")
