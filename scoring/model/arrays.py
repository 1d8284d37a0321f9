"""Type aliases of arrays."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.int64]
"""An array of 64-bit integers."""
Floats: TypeAlias = NDArray[np.float64]
"""An array of double-precision numbers."""
