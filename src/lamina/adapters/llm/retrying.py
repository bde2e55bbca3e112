"""When to try a model call again, and what to say when it failed for good."""

from __future__ import annotations

import random
from dataclasses import dataclass

from lamina.ports import Failure, Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """One try that failed."""

    failure: Failure
    passing: bool
    """Whether the same request may well succeed a little later."""
    wait: float | None = None
    """Seconds that the provider asks to wait, if it says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrying:
    """How often and how soon a call is tried again. Seconds throughout."""

    tries: int = 4
    """In all, the first included."""
    first_wait: float = 0.5
    """Doubled with every further try; half of it is left to chance."""
    longest_wait: float = 30.0
    """A provider that asks for more than this gets its wish: the call fails, and the work that
    needed it is done later."""

    def wait(self, trouble: Trouble, attempt: int) -> float | None:
        """Return the seconds to wait before the next try, `None` to give up.

        Args:
            trouble: What happened.
            attempt: How many tries there were, at least 1.
        """
        if not trouble.passing or attempt >= self.tries:
            return None
        asked = trouble.wait or 0.0
        if asked > self.longest_wait:
            return None
        ours = min(self.first_wait * 2.0 ** (attempt - 1), self.longest_wait)
        # Not for secrets: many callers that failed together should not come back together.
        return max(asked, ours * random.uniform(0.5, 1.0))


def trouble_of(error: Exception, model: str) -> Trouble:
    """Say what a failed try means, in words that hold neither key nor text.

    Args:
        error: What pydantic-ai or the transport raised.
        model: PROVIDER:NAME.
    """
    reason, passing, words = _meaning(error)
    status = getattr(error, "status_code", None)
    status_words = f" (HTTP {status})" if isinstance(status, int) else ""
    return Trouble(
        failure=Failure(reason=reason, detail=f"{model}: {words}{status_words}"),
        passing=passing,
        wait=getattr(error, "retry_after", None),
    )


def may_be_the_schema(error: Exception) -> bool:
    """Whether a request was refused as such, so that leaving its schema out may help."""
    from pydantic_ai import exceptions as known

    others = (
        known.ModelAuthenticationError,
        known.ModelNotFoundError,
        known.ModelContextWindowExceededError,
    )
    return isinstance(error, known.ModelRequestRejectedError) and not isinstance(error, others)


def _meaning(error: Exception) -> tuple[Reason, bool, str]:
    """Return the reason, whether it passes, and words for it. The first kind that fits counts."""
    from pydantic_ai import exceptions as known

    meanings: list[tuple[type[Exception], tuple[Reason, bool, str]]] = [
        (known.ModelRequestTimeout, ("timeout", False, "no answer in time")),
        (known.ModelTimeoutError, ("timeout", False, "no answer in time")),
        (TimeoutError, ("timeout", False, "no answer in time")),
        (known.ModelConnectionError, ("connection", True, "no connection, or it was dropped")),
        (known.ModelRateLimitError, ("rate_limit", True, "too many requests")),
        (known.ModelQuotaExceededError, ("refused", False, "the account's quota is used up")),
        (known.ModelOverloadedError, ("rate_limit", True, "the provider is overloaded")),
        (known.ModelUnavailableError, ("server", True, "the provider is not available")),
        (known.ModelServerError, ("server", True, "the provider failed")),
        (known.ModelAuthenticationError, ("refused", False, "the key was refused")),
        (known.ModelNotFoundError, ("refused", False, "there is no such model or address")),
        (known.ModelContextWindowExceededError, ("refused", False, "the prompt is too long")),
        (known.ContentFilterError, ("refused", False, "the provider withheld the answer")),
        (known.ModelHTTPError, ("refused", False, "the request was refused")),
        (known.UserError, ("refused", False, "the request cannot be made to this model")),
    ]
    for kind, meaning in meanings:
        if isinstance(error, kind):
            return meaning
    return "malformed", False, "the answer is not what the provider's interface promises"
