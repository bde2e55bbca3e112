import pytest

from lamina.errors import BudgetExceeded, MalformedReply, ModelError, ModelUnavailable
from lamina.models.failures import error_of
from lamina.ports import Failure

KINDS: list[tuple[Failure, type[ModelError]]] = [
    (Failure(reason="budget", detail="the budget of 5 calls"), BudgetExceeded),
    (Failure(reason="malformed", detail="not as asked"), MalformedReply),
    (Failure(reason="connection", detail="dropped"), ModelUnavailable),
    (Failure(reason="refused", detail="the key was refused"), ModelUnavailable),
]


@pytest.mark.parametrize(("failure", "kind"), KINDS)
def test_a_failure_becomes_an_error_that_tells_its_detail(
    failure: Failure, kind: type[ModelError]
) -> None:
    error = error_of(failure)

    assert type(error) is kind
    assert failure.detail in str(error)
