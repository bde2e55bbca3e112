"""What callers hold: a `Memory`, its handles, and their verbs."""

from lamina.memory.handle import Handle
from lamina.memory.memory import Memory, Tenant
from lamina.memory.values import Added, Answer, Moment, Processed, Stats, Why

__all__ = ["Added", "Answer", "Handle", "Memory", "Moment", "Processed", "Stats", "Tenant", "Why"]
