"""Readers of data for recommending: items and interactions, in the layouts they are published in.

They stream: no file is held whole. A line that cannot be read is yielded as a `Fault`.
"""

from lamina.formats.recommending.detect import detect
from lamina.formats.recommending.records import (
    LAYOUTS,
    ORDER_ONLY,
    DataSet,
    Fault,
    Layout,
    Read,
    Source,
)

__all__ = ["LAYOUTS", "ORDER_ONLY", "DataSet", "Fault", "Layout", "Read", "Source", "detect"]
