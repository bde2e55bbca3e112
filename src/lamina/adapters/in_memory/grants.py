"""Who may read and write a shared space: see `lamina.ports.Grants`."""

from __future__ import annotations

from dataclasses import replace

from lamina.adapters.in_memory.part import Part
from lamina.adapters.in_memory.state import utc
from lamina.model import Scope
from lamina.ports import Grant


class InMemoryGrants(Part):
    """Grants."""

    def grant(self, scope: Scope, grant: Grant) -> None:
        """See `Grants.grant`."""
        with self._writing(scope) as state:
            state.grants.pop(grant.principal, None)
            if grant.read or grant.write:
                state.grants[grant.principal] = replace(grant, given_at=utc(grant.given_at))

    def grants(self, scope: Scope) -> list[Grant]:
        """See `Grants.grants`."""
        grants = self._read(scope).grants
        return [grants[principal] for principal in sorted(grants)]

    def granted(self, tenant: str, principal: str) -> list[Scope]:
        """See `Grants.granted`."""
        with self._lock:
            return [
                scope
                for scope, state in self._states.items()
                if (scope.tenant, scope.kind) == (tenant, "space") and principal in state.grants
            ]
