"""The store in one SQLite file."""

from __future__ import annotations

from pathlib import Path

from lamina.adapters.sqlite import opening
from lamina.adapters.sqlite.accounts import SqliteAccounts
from lamina.adapters.sqlite.erasure import SqliteErasure
from lamina.adapters.sqlite.grants import SqliteGrants
from lamina.adapters.sqlite.notes import SqliteNotes
from lamina.adapters.sqlite.observations import SqliteObservations
from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.queueing import SqliteQueue
from lamina.adapters.sqlite.recall import Shelves, SqliteRecall
from lamina.adapters.sqlite.recommending import SqliteRecommending
from lamina.adapters.sqlite.transfer import SqliteTransfer
from lamina.adapters.sqlite.upkeep import SqliteUpkeep
from lamina.errors import BadInput
from lamina.ports import Tenancy

SQL = load("upkeep")
CACHE_BYTES = 2**30
"""How much of what search and ranking read is kept in memory between them."""


class SqliteStore(
    SqliteObservations,
    SqliteNotes,
    SqliteRecommending,
    SqliteRecall,
    SqliteQueue,
    SqliteAccounts,
    SqliteGrants,
    SqliteErasure,
    SqliteTransfer,
    SqliteUpkeep,
):
    """A `Store` in the file at `path`. Threads may share it; processes may share the file."""

    def __init__(
        self,
        path: Path | str,
        *,
        tenancy: Tenancy | None = None,
        read_only: bool = False,
        busy_seconds: float = 30.0,
        cache_bytes: int = CACHE_BYTES,
    ) -> None:
        """Open the store; it is made if there is none.

        Args:
            path: The file.
            tenancy: Whether its scopes have tenants; `None` takes it as it is, and makes a new one
                for a single tenant.
            read_only: Write nothing, and make nothing.
            busy_seconds: How long to wait while others keep the file locked.
            cache_bytes: How much of what search reads to keep in memory.

        Raises:
            BadInput: It was made with another tenancy; or there is no such folder.
            StoreError: See `lamina.adapters.sqlite.opening`.
        """
        self._db = opening.open_database(Path(path), read_only=read_only, busy_seconds=busy_seconds)
        self._space = None
        self._shelves = Shelves(cache_bytes)
        self.tenancy = self._settled(tenancy)

    def close(self) -> None:
        """See `Upkeep.close`."""
        self._shelves.drop()
        self._db.close()

    def _settled(self, tenancy: Tenancy | None) -> Tenancy:
        """Return the tenancy of the file; a new one takes the one that is given."""
        with self._db.reading() as tx:
            stored = tx.execute(SQL["tenancy"]).fetchone()
        if stored is None and not self._db.read_only:
            with self._db.writing() as tx:
                tx.execute(SQL["settle_tenancy"], (tenancy or "single",))
                stored = tx.execute(SQL["tenancy"]).fetchone()
        found: Tenancy = stored[0] if stored else "single"
        if tenancy is not None and tenancy != found:
            self.close()
            raise BadInput(
                f"this store was made with tenancy {found!r}; open it with tenancy={found!r}, or "
                f"choose another path for one with tenancy={tenancy!r}"
            )
        return found
