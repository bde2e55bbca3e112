"""What the parts of the store share."""

from __future__ import annotations

from lamina.adapters.sqlite.database import Database
from lamina.ports import EncoderSpace


class Part:
    """One protocol's methods on the database that all parts share."""

    _db: Database
    _space: EncoderSpace | None
    """The space that this process has been told of. Another one in the file means that another
    process has switched since, and that our vectors would be compared with strangers."""
