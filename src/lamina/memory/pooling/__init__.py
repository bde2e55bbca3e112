"""A pool: what the users of a recommender share, as patterns that all of them shape."""

from lamina.memory.pooling.calibrating import Thresholds
from lamina.memory.pooling.configuring import PoolConfiguration
from lamina.memory.pooling.contributing import Contribution
from lamina.memory.pooling.measuring import Measured
from lamina.memory.pooling.pool import Pool
from lamina.memory.pooling.refreshing import Refreshed
from lamina.memory.pooling.tidying import Tidied

__all__ = [
    "Contribution",
    "Measured",
    "Pool",
    "PoolConfiguration",
    "Refreshed",
    "Thresholds",
    "Tidied",
]
