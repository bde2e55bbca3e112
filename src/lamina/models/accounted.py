"""The model that work is given: with its ledger and its cache."""

from __future__ import annotations

from lamina.model import Scope
from lamina.models.cache import Cached
from lamina.models.ledger import Ledger, Recorded
from lamina.ports import LLM, Accounts, Clock


def for_work(
    llm: LLM,
    *,
    accounts: Accounts,
    scope: Scope,
    operation: str,
    clock: Clock,
    cache: bool = True,
    epoch: int | None = None,
) -> LLM:
    """Return `llm` for one operation in one scope.

    Args:
        llm: The model, within its budget if there is one (`budget.within_budget`).
        accounts: Where calls are recorded and replies kept.
        scope: Whose work it is; no reply of another scope is ever given.
        operation: The id under which its calls stand in the ledger.
        clock: Tells when a call was made.
        cache: Whether replies are kept.
        epoch: The scope's when the work began: if it was erased meanwhile, keeping a reply raises
            `StaleEpoch`.
    """
    ledger = Ledger(accounts=accounts, scope=scope, operation=operation, clock=clock)
    recorded = Recorded(llm, ledger)
    return Cached(recorded, ledger, epoch=epoch) if cache else recorded
