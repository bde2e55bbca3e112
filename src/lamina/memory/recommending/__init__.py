"""A recommender: items, who did what with them, what that tells, and rankings made of it."""

from lamina.memory.recommending.recommender import Recommender

__all__ = ["Recommender"]
