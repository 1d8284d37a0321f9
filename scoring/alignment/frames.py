"""Results as columns, for any library of tables: pandas, polars, pyarrow, DuckDB."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, Union

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Numbers, which are masked where there are none; or texts.
Values: TypeAlias = Union["NDArray[Any]", Sequence[str | None]]
# By a numpy letter and a size: the format of Arrow.
_FORMATS = {"i4": "i", "i8": "l", "f8": "g"}


def buffers_of(values: Values) -> tuple[str, tuple[Any, ...]]:
    """A column's format and buffers, as `scoring.alignment.texts.stream_of` takes them.

    >>> import numpy as np
    >>> form, (known, numbers) = buffers_of(np.ma.array([1.5, 0.0], mask=[False, True]))
    >>> form, known.tolist(), numbers.tolist()
    ('g', [1], [1.5, 0.0])
    """
    import numpy as np

    if isinstance(values, np.ndarray):
        known = None
        mask = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
        if mask is not None and mask.any():
            known = np.packbits(~mask, bitorder="little")
        return _FORMATS[values.dtype.str[1:]], (known, np.ascontiguousarray(np.ma.getdata(values)))
    pieces = [b"" if text is None else text.encode("utf-8", "replace") for text in values]
    offsets = np.zeros(len(pieces) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, pieces), np.int64, len(pieces)), out=offsets[1:])
    known = None
    if any(text is None for text in values):
        known = np.packbits([text is not None for text in values], bitorder="little")
    return "U", (known, offsets, b"".join(pieces))


def count_columns_of(counts: object) -> dict[str, Values]:
    """Columns of counts, of which each row is four int32, and of `rates_of_counts`."""
    import numpy as np

    rows = np.asarray(counts, np.int32).reshape(-1, 4)
    names = ("correct", "substitutions", "deletions", "insertions")
    columns: dict[str, Values] = {name: rows[:, at] for at, name in enumerate(names)}
    columns["rate"] = rates_of_counts(rows)
    return columns


def rates_of_counts(rows: NDArray[np.int32]) -> NDArray[np.float64]:
    """Errors per reference word of each row; masked where there are no words."""
    import numpy as np

    words = rows[:, :3].sum(axis=1, dtype=np.int64)
    errors = rows[:, 1:].sum(axis=1, dtype=np.int64)
    rates: NDArray[np.float64] = np.ma.array(errors / np.maximum(words, 1), mask=words == 0)
    return rates


class _Handed:
    def __init__(self, capsule: object) -> None:
        self._capsule = capsule

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._capsule


class Framed:
    """What can be looked at as a table: by the name of each column its values, all as many."""

    __slots__ = ()

    def frame_columns(self) -> Mapping[str, Values]:
        """The columns."""
        raise NotImplementedError

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        from scoring.alignment.texts import stream_of

        found = self.frame_columns()
        columns = {name: buffers_of(values) for name, values in found.items()}
        batch = (len(next(iter(found.values()))), [buffers for _, buffers in columns.values()])
        fields: list[tuple[Any, str | int]] = [(name, form) for name, (form, _) in columns.items()]
        return stream_of(fields, iter([batch]))

    def to_arrow(self) -> Any:
        """A `pyarrow.Table`; needs pyarrow."""
        import pyarrow

        return pyarrow.table(self)

    def to_polars(self) -> Any:
        """A `polars.DataFrame`; needs polars."""
        import polars

        # which takes a sequence for rows, whatever else it is
        return polars.DataFrame(_Handed(self.__arrow_c_stream__()))

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame`, in which missing numbers are NaN; needs pandas."""
        import numpy as np
        import pandas

        columns = self.frame_columns()
        return pandas.DataFrame(
            {
                name: values.filled(np.nan) if isinstance(values, np.ma.MaskedArray) else values
                for name, values in columns.items()
            }
        )
