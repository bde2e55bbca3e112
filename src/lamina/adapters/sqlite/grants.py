"""Who may read and write a shared space: see `lamina.ports.Grants`."""

from __future__ import annotations

from lamina.adapters.sqlite import rows, scopes
from lamina.adapters.sqlite.part import Part
from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.words import pack
from lamina.model import Scope
from lamina.ports import Grant
from lamina.times import to_micros

SQL = load("grants")


class SqliteGrants(Part):
    """Grants, by principal."""

    def grant(self, scope: Scope, grant: Grant) -> None:
        """See `Grants.grant`."""
        principal, given_at = pack(grant.principal), to_micros(grant.given_at)
        with self._db.writing() as tx:
            key = scopes.ensure(tx, scope).key
            if grant.read or grant.write:
                tx.execute(SQL["grant"], (key, principal, grant.read, grant.write, given_at))
            else:
                tx.execute(SQL["revoke"], (key, principal))

    def grants(self, scope: Scope) -> list[Grant]:
        """See `Grants.grants`."""
        with self._db.reading() as tx:
            row = scopes.find(tx, scope)
            found = tx.execute(SQL["grants"], (row.key,)).fetchall() if row else []
        return sorted(map(rows.grant, found), key=lambda grant: grant.principal)

    def granted(self, tenant: str, principal: str) -> list[Scope]:
        """See `Grants.granted`."""
        with self._db.reading() as tx:
            found = tx.execute(SQL["granted"], (pack(tenant), pack(principal))).fetchall()
        return [scopes.from_columns(*row) for row in found]
