"""A pool: what the users of a recommender share, as patterns that all of them shape."""

from lamina.memory.pooling.configuring import PoolConfiguration
from lamina.memory.pooling.pool import Pool
from lamina.memory.pooling.refreshing import Refreshed
from lamina.memory.pooling.tidying import Tidied

__all__ = ["Pool", "PoolConfiguration", "Refreshed", "Tidied"]
