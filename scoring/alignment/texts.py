"""Columns of texts from any library that speaks Arrow's C data interface, read where they lie.

pyarrow, polars, pandas, DuckDB and nanoarrow do; none of them is needed.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, Union, overload

from formats.lines import words_of_text
from scoring.model import characters
from scoring.native import load

if TYPE_CHECKING:
    from scoring.alignment.plain_arrow import (
        Batch,
        Stream,
        Texts,
        align_columns,
        count_columns,
        stream_of,
    )
else:
    _module = load("arrow")
    if _module is None:
        from scoring.alignment import plain_arrow as _module
    Batch, Stream, Texts = _module.Batch, _module.Stream, _module.Texts
    align_columns, count_columns = _module.align_columns, _module.count_columns
    stream_of = _module.stream_of

__all__ = [
    "AnyColumn",
    "Batch",
    "ColumnWords",
    "Stream",
    "Texts",
    "align_columns",
    "count_columns",
    "folds",
    "rows_from",
    "stream_from",
    "stream_of",
    "texts_from",
]

# The units that columns are cut in where they lie.
UNITS = ("word", "char")
_STREAM, _ARRAY = "__arrow_c_stream__", "__arrow_c_array__"
# Case is folded in no code point from here on.
_CASELESS = 0x1F000
_ROWS = 4096


class _Streams(Protocol):
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


class _Arrays(Protocol):
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...


class _Listed(Protocol):
    @property
    def dtype(self) -> Any: ...
    def tolist(self) -> Any: ...


# A column, or a table, of any library; arrays of numpy.
AnyColumn: TypeAlias = Union[_Streams, _Arrays, _Listed]  # noqa: UP007


class ColumnWords(Sequence[tuple[str, ...]]):
    """The words, or characters, of a column of texts, cut at ASCII blanks when somebody looks.

    Parameters
    ----------
    texts
        The column; a null has no words.
    unit
        `word` or `char`.
    """

    __slots__ = ("texts", "unit")

    def __init__(self, texts: Texts, unit: str = "word") -> None:
        self.texts = texts
        self.unit = unit

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, index: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> list[tuple[str, ...]]: ...
    def __getitem__(self, index: int | slice) -> tuple[str, ...] | list[tuple[str, ...]]:
        rows = range(len(self))[index]
        if isinstance(rows, range):
            if rows.step == 1:
                return self._cut(rows.start, max(rows.start, rows.stop))
            return [self[row] for row in rows]
        return self._cut(rows, rows + 1)[0]

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        for begin in range(0, len(self), _ROWS):
            yield from self._cut(begin, min(begin + _ROWS, len(self)))

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[list[Any]], tuple[list[tuple[str, ...]]]]:
        return list, (list(self),)  # other processes have no part of the column's memory

    def _cut(self, begin: int, end: int) -> list[tuple[str, ...]]:
        rows = [words_of_text(text or "") for text in self.texts.texts(begin, end)]
        return rows if self.unit == "word" else list(map(characters, rows))

    def in_unit(self, unit: str) -> ColumnWords:
        """The same column in another unit, one of `UNITS`."""
        return ColumnWords(self.texts, unit)

    def chosen(self, rows: Sequence[int]) -> ColumnWords:
        """These rows; -1 is one without words."""
        return ColumnWords(self.texts.chosen(array("q", rows)), self.unit)

    def aligned_with(
        self, other: ColumnWords, ignore_case: bool, prices: tuple[int, int, int, int, int]
    ) -> tuple[bytes, bytes, bytes]:
        """Align row by row; results as of `scoring.alignment.kernel.align_token_pairs`."""
        unit, table = UNITS.index(self.unit), folds() if ignore_case else None
        return align_columns(self.texts, other.texts, unit, table, *prices)


@lru_cache(maxsize=1)
def folds() -> list[tuple[int, bytes]]:
    """The code points beyond ASCII that Unicode's full case folding changes, and what they become.

    >>> dict(folds())[ord("ß")], len(folds()) > 1000
    (b'ss', True)
    """
    every = ((code, chr(code).casefold()) for code in range(0x80, _CASELESS))
    surrogates = range(0xD800, 0xE000)
    return [
        (code, folded.encode())
        for code, folded in every
        if code not in surrogates and folded != chr(code)
    ]


def stream_from(given: object) -> Stream | None:
    """What speaks Arrow, as a stream of batches; None for anything else.

    Raises
    ------
    ValueError
        If what is said makes no sense.
    """
    if hasattr(given, _STREAM):
        try:
            return Stream(getattr(given, _STREAM)())
        except ImportError:  # pandas needs pyarrow for it
            return None
    if hasattr(given, _ARRAY):
        return Stream(*getattr(given, _ARRAY)())
    return None


def texts_from(given: object, what: str) -> Texts | None:
    """The texts of a column that speaks Arrow; None for anything else, and for lists of tokens.

    Parameters
    ----------
    what
        `reference`, `references` and so on, for messages.

    Raises
    ------
    TypeError
        If it holds no texts, or is a table of several columns.
    ValueError
        If texts are no UTF-8, or bounds of theirs cannot be; the message names the row.
    """
    try:
        stream = stream_from(given)
        if stream is None:
            return None
        names, kinds = stream.names(), stream.kinds()
        if len(names) != 1:
            example = f"table[{names[0]!r}]" if names else "a column"
            raise TypeError(
                f"{what}: expected one column, found a table of {', '.join(names) or 'none'}: pass "
                f"one, as in {example}, or the table to scoring.score_columns"
            )
        [(is_text, kind)] = kinds
        if not is_text:
            if kind.startswith("lists") and hasattr(given, "__len__"):
                return None
            raise TypeError(f"{what}: expected texts, found {kind}")
        texts = Texts()
        while (batch := stream.next()) is not None:
            texts.add(stream, batch, 0)
        return texts
    except ValueError as problem:
        raise ValueError(f"{what}: {problem}") from None


def rows_from(given: object) -> Sequence[object] | None:
    """The rows of a Series, an array of numpy, an iterator; None for anything else.

    What stands for a missing value is None.

    Raises
    ------
    TypeError
        If an array has several dimensions.
    """
    taken: Any = given
    if hasattr(given, "tolist") and hasattr(given, "dtype"):
        if getattr(given, "ndim", 1) != 1:
            raise TypeError(f"expected one dimension, found {taken.ndim}")
        rows = taken.tolist()
    elif hasattr(given, "to_pylist"):  # of pyarrow, nanoarrow
        rows = taken.to_pylist()
    elif isinstance(given, Iterator) and not hasattr(given, "readline"):
        rows = list(given)
    else:
        return None
    return [None if _is_missing(row) else row for row in rows]


def _is_missing(row: object) -> bool:
    if isinstance(row, str | list | tuple):
        return False
    return row is None or type(row).__name__ in ("NAType", "NaTType") or row != row
