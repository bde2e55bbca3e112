"""A recommender: items, who did what with them, what that tells, and rankings made of it."""

from lamina.memory.recommending.configuring import Configuration
from lamina.memory.recommending.explaining import Explanation
from lamina.memory.recommending.recommender import Recommender
from lamina.memory.recommending.tasting import Profile

__all__ = ["Configuration", "Explanation", "Profile", "Recommender"]
