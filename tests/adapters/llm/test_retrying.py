import pytest

from lamina.adapters.llm.retrying import Retrying, Trouble, may_be_the_schema, trouble_of
from lamina.ports import Failure

known = pytest.importorskip("pydantic_ai.exceptions", reason="needs: pip install 'lamina[models]'")

DOWN = Failure(reason="server", detail="HTTP 500")
PASSING = Trouble(failure=DOWN, passing=True)
RETRYING = Retrying(tries=4, first_wait=1.0, longest_wait=3.0)


def test_waits_double_up_to_the_longest_and_tries_are_bounded() -> None:
    waits = [RETRYING.wait(PASSING, attempt) for attempt in (1, 2, 3, 4)]

    assert waits[3] is None
    for wait, most in zip(waits[:3], (1.0, 2.0, 3.0), strict=True):
        assert wait is not None
        assert most / 2 <= wait <= most


def test_a_provider_gets_the_wait_it_asks_for() -> None:
    assert RETRYING.wait(Trouble(failure=DOWN, passing=True, wait=2.5), 1) == 2.5


def test_a_provider_that_asks_for_too_long_a_wait_is_left_alone() -> None:
    assert RETRYING.wait(Trouble(failure=DOWN, passing=True, wait=60.0), 1) is None


def test_what_does_not_pass_is_not_tried_again() -> None:
    assert RETRYING.wait(Trouble(failure=DOWN, passing=False), 1) is None


def http(category: type[Exception], status: int) -> Exception:
    body = {"error": {"message": "Incorrect key sk-secret; you said: I moved to Oslo"}}
    error: Exception = known.ModelHTTPError.for_category(
        category, status_code=status, model_name="m", body=body
    )
    return error


@pytest.mark.parametrize(
    ("error", "reason", "passing"),
    [
        (TimeoutError(), "timeout", False),
        (known.ModelTimeoutError("m", "sk-secret"), "timeout", False),
        (known.ModelConnectionError("m", "sk-secret"), "connection", True),
        (http(known.ModelRateLimitError, 429), "rate_limit", True),
        (http(known.ModelOverloadedError, 529), "rate_limit", True),
        (http(known.ModelUnavailableError, 503), "server", True),
        (http(known.ModelServerError, 500), "server", True),
        (http(known.ModelQuotaExceededError, 402), "refused", False),
        (http(known.ModelAuthenticationError, 401), "refused", False),
        (http(known.ModelNotFoundError, 404), "refused", False),
        (http(known.ModelRequestRejectedError, 400), "refused", False),
        (known.ContentFilterError("I moved to Oslo"), "refused", False),
        (known.UserError("I moved to Oslo"), "refused", False),
        (known.UnexpectedModelBehavior("I moved to Oslo"), "malformed", False),
        (IndexError("list index out of range"), "malformed", False),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
def test_an_error_becomes_a_failure_that_holds_neither_key_nor_text(
    error: Exception, reason: str, passing: bool
) -> None:
    trouble = trouble_of(error, "openai:x")

    assert (trouble.failure.reason, trouble.passing) == (reason, passing)
    assert trouble.failure.detail.startswith("openai:x: ")
    assert "secret" not in trouble.failure.detail
    assert "Oslo" not in trouble.failure.detail


def test_only_a_request_refused_as_such_may_be_refused_for_its_schema() -> None:
    assert may_be_the_schema(http(known.ModelRequestRejectedError, 400))
    assert not may_be_the_schema(http(known.ModelAuthenticationError, 401))
    assert not may_be_the_schema(http(known.ModelServerError, 500))
