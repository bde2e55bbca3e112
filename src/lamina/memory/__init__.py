"""What callers hold: a `Memory`, its handles, and their verbs."""

from lamina.memory.handle import Handle
from lamina.memory.lending import Loan
from lamina.memory.memory import Memory, Tenant
from lamina.memory.recommending import Configuration, Explanation, Profile, Recommender
from lamina.memory.space import Agent, Member, Space
from lamina.memory.transfer import Restored
from lamina.memory.values import (
    Added,
    Answer,
    Change,
    Moment,
    Plan,
    Processed,
    RolledBack,
    Stats,
    Why,
)
from lamina.memory.verifying import Verification

__all__ = [
    "Added",
    "Agent",
    "Answer",
    "Change",
    "Configuration",
    "Explanation",
    "Handle",
    "Loan",
    "Member",
    "Memory",
    "Moment",
    "Plan",
    "Processed",
    "Profile",
    "Recommender",
    "Restored",
    "RolledBack",
    "Space",
    "Stats",
    "Tenant",
    "Verification",
    "Why",
]
