import numpy as np
from numpy.typing import NDArray

def resample(
    units: NDArray[np.int64],
    groups: NDArray[np.int64],
    group_tables: NDArray[np.int64],
    singles: NDArray[np.int64],
    singles_table: int,
    thresholds: NDArray[np.uint64],
    firsts: NDArray[np.int64],
    seed: int,
    replications: int,
    threads: int,
) -> NDArray[np.int64]: ...
