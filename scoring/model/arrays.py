"""Names of types of arrays, each with one meaning."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.int64]
"""Whole numbers of 64 bits."""
Floats: TypeAlias = NDArray[np.float64]
"""Doubles."""
