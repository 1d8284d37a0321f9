"""Results as columns for table libraries: pandas, polars, pyarrow, DuckDB."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, Union

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Numbers, which are masked where there are none; or texts.
Values: TypeAlias = Union["NDArray[Any]", Sequence[str | None]]
# By a numpy letter and a size: the format of Arrow.
_FORMATS = {"i4": "i", "i8": "l", "f8": "g"}


def buffers_of(values: Values) -> tuple[str, tuple[Any, ...]]:
    """Return a column's format and buffers, in the form of `scoring.alignment.texts.stream_of`."""
    import numpy as np

    if isinstance(values, np.ndarray):
        valid = None
        mask = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
        if mask is not None and mask.any():
            valid = np.packbits(~mask, bitorder="little")
        return _FORMATS[values.dtype.str[1:]], (valid, np.ascontiguousarray(np.ma.getdata(values)))
    pieces = [b"" if text is None else text.encode("utf-8", "replace") for text in values]
    offsets = np.zeros(len(pieces) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, pieces), np.int64, len(pieces)), out=offsets[1:])
    valid = None
    if any(text is None for text in values):
        valid = np.packbits([text is not None for text in values], bitorder="little")
    return "U", (valid, offsets, b"".join(pieces))


def count_columns_of(counts: object) -> dict[str, Values]:
    """Return the columns of counts (int32, four numbers per row), and the column of rates."""
    import numpy as np

    rows = np.asarray(counts, np.int32).reshape(-1, 4)
    names = ("correct", "substitutions", "deletions", "insertions")
    columns: dict[str, Values] = {name: rows[:, kind] for kind, name in enumerate(names)}
    columns["error_rate"] = rates_of_counts(rows)
    return columns


def rates_of_counts(rows: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return the error rate of each row; rows without reference words are masked."""
    import numpy as np

    words = rows[:, :3].sum(axis=1, dtype=np.int64)
    errors = rows[:, 1:].sum(axis=1, dtype=np.int64)
    rates: NDArray[np.float64] = np.ma.array(errors / np.maximum(words, 1), mask=words == 0)
    return rates
