"""Structured, evolving memory for agents that talk and agents that recommend.

>>> import lamina
>>> with lamina.open(":memory:") as memory:
...     alice = memory.user("alice")
...     added = alice.add("I moved to Oslo last week.", timestamp="2026-03-04T10:00:00Z")
...     alice.search("Where does Alice live?")[0].text
'I moved to Oslo last week.'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lamina.errors import LaminaError
    from lamina.items import Evidence, Facet, Interaction, Item, Pattern, Ranked, Ranking
    from lamina.memory import (
        Added,
        Agent,
        Answer,
        Change,
        Configuration,
        Explanation,
        Handle,
        Loan,
        Member,
        Memory,
        Moment,
        Plan,
        Processed,
        Profile,
        Recommender,
        Restored,
        RolledBack,
        Space,
        Stats,
        Tenant,
        Verification,
        Why,
    )
    from lamina.memory.pooling import (
        Measured,
        Pool,
        PoolConfiguration,
        Refreshed,
        Thresholds,
        Tidied,
    )
    from lamina.model import Event, Hit, Message, Note, Revision, Scope, Session
    from lamina.settings import Settings
    from lamina.wiring import open

_HOMES = {
    "lamina.errors": ("LaminaError",),
    "lamina.items": ("Evidence", "Facet", "Interaction", "Item", "Pattern", "Ranked", "Ranking"),
    "lamina.memory": (
        "Added", "Agent", "Answer", "Change", "Configuration", "Explanation", "Handle", "Loan",
        "Member", "Memory", "Moment", "Plan", "Processed", "Profile", "Recommender", "Restored",
        "RolledBack", "Space", "Stats", "Tenant", "Verification", "Why",
    ),
    "lamina.memory.pooling": (
        "Measured", "Pool", "PoolConfiguration", "Refreshed", "Thresholds", "Tidied",
    ),
    "lamina.model": ("Event", "Hit", "Message", "Note", "Revision", "Scope", "Session"),
    "lamina.settings": ("Settings",),
    "lamina.wiring": ("open",),
}  # fmt: skip
_WHERE = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Added",
    "Agent",
    "Answer",
    "Change",
    "Configuration",
    "Event",
    "Evidence",
    "Explanation",
    "Facet",
    "Handle",
    "Hit",
    "Interaction",
    "Item",
    "LaminaError",
    "Loan",
    "Measured",
    "Member",
    "Memory",
    "Message",
    "Moment",
    "Note",
    "Pattern",
    "Plan",
    "Pool",
    "PoolConfiguration",
    "Processed",
    "Profile",
    "Ranked",
    "Ranking",
    "Recommender",
    "Refreshed",
    "Restored",
    "Revision",
    "RolledBack",
    "Scope",
    "Session",
    "Settings",
    "Space",
    "Stats",
    "Tenant",
    "Thresholds",
    "Tidied",
    "Verification",
    "Why",
    "open",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used, so that importing costs nothing."""
    if name not in _WHERE:
        raise AttributeError(f"module 'lamina' has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return __all__
