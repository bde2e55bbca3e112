"""The arrays that recall computes with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
"""Scores, cosines, weights: of any shape."""
Ints = NDArray[np.int32]
"""Numbers of rows, turns, sessions or terms."""
