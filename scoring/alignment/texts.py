"""Text columns of any library with Arrow's C data interface, read in place.

pyarrow, polars, pandas, DuckDB and nanoarrow have this interface. The compiled core reads their
columns without importing them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence, Set
from functools import lru_cache
from itertools import accumulate, chain
from operator import methodcaller
from typing import Protocol, TypeVar, Union, overload

from formats.schema import words_of_texts
from scoring.alignment import load_core
from scoring.model.counts import characters, characters_and_blanks
from scoring.model.errors import OptionValueError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from formats.schema.words import Words
    from scoring.alignment.plain_arrow import Batch as Batch
    from scoring.alignment.plain_arrow import Rewriting as Rewriting
    from scoring.alignment.plain_arrow import Stream as Stream
    from scoring.alignment.plain_arrow import Texts as Texts
    from scoring.alignment.plain_arrow import align_columns as align_columns
    from scoring.alignment.plain_arrow import count_columns as count_columns
    from scoring.alignment.plain_arrow import cut_lines as cut_lines
    from scoring.alignment.plain_arrow import rows_of_compounds as rows_of_compounds
    from scoring.alignment.plain_arrow import stream_of as stream_of
else:
    _core = load_core()
    if _core is None:
        from scoring.alignment import plain_arrow as _core
    Batch, Stream, Texts = _core.Batch, _core.Stream, _core.Texts
    Rewriting = _core.Rewriting
    align_columns, count_columns = _core.align_columns, _core.count_columns
    cut_lines, stream_of = _core.cut_lines, _core.stream_of
    rows_of_compounds = _core.rows_of_compounds

Row = TypeVar("Row")

# The units that columns are cut in where they lie.
UNITS = ("word", "char", "char+space")
_CUTTERS = {"char": characters, "char+space": characters_and_blanks}
# Case is folded in no code point from here on.
_CASELESS = 0x1F000
_ROWS = 4096
_AT_SPACES, _OTHER_BLANKS = methodcaller("split", " "), "\t\n\r\v\f"


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


class _Column(Sequence[Row]):
    """A text column with values that are computed on access."""

    __slots__ = ("texts",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, texts: Texts) -> None:
        self.texts = texts

    def __len__(self) -> int:
        return len(self.texts)

    def _rows(self, begin: int, end: int) -> list[Row]:
        raise NotImplementedError

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        rows = range(len(self))[index]
        if isinstance(rows, range):
            if rows.step == 1:
                return self._rows(rows.start, max(rows.start, rows.stop))
            return [self[row] for row in rows]
        return self._rows(rows, rows + 1)[0]

    def __iter__(self) -> Iterator[Row]:
        for begin in range(0, len(self), _ROWS):
            yield from self._rows(begin, min(begin + _ROWS, len(self)))

    def __eq__(self, other: object) -> bool:
        if self.is_like(other):
            return True
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    def is_like(self, other: object) -> bool:
        """Return True if another column has the same texts and settings."""
        return (
            isinstance(other, _Column)
            and (type(self), self._cut) == (type(other), other._cut)
            and self.texts.equals(other.texts)
        )

    @property
    def _cut(self) -> object:
        """The settings that determine the values of the column, apart from the data."""
        return None

    def __reduce__(self) -> tuple[type[list[Any]], tuple[list[Row]]]:
        return list, (list(self),)  # other processes have no part of the column's memory


class ColumnWords(_Column["Words"]):
    """The words or characters of a column of texts, split at ASCII blanks on access.

    A null row has no words. `unit` is one of `UNITS`.
    """

    __slots__ = ("unit",)

    def __init__(self, texts: Texts, unit: str = "word") -> None:
        super().__init__(texts)
        self.unit = unit

    def _rows(self, begin: int, end: int) -> list[Words]:
        rows = words_of_texts(self._texts(begin, end))
        return list(rows if self.unit == "word" else map(_CUTTERS[self.unit], rows))

    @property
    def _cut(self) -> object:
        return self.unit

    def in_unit(self, unit: str) -> ColumnWords:
        """Return the same column in another unit, one of `UNITS`."""
        return ColumnWords(self.texts, unit)

    def chosen(self, rows: Sequence[int]) -> ColumnWords:
        """Return a column of the given rows; -1 gives a row without words."""
        return ColumnWords(chosen_texts(self.texts, rows), self.unit)

    def replaced(self, rows: Sequence[int], others: ColumnWords) -> ColumnWords:
        """Return the column in which the rows of `others` replace the given rows, in order."""
        return ColumnWords(self.texts.replaced(array("q", rows), others.texts), self.unit)

    def rewritten(self, rewriting: Rewriting) -> ColumnWords:
        """Return the column with rewritten words; unchanged if no word is rewritten."""
        column, is_other = Texts(), False
        while len(column) < len(self):
            data, ends, is_other_now = rewriting.rows(self.texts, len(column))
            add_texts(column, data, ends)
            is_other = is_other or is_other_now
        return ColumnWords(column, self.unit) if is_other else self

    def with_words(self, rows: Sequence[int], words: Sequence[Words]) -> ColumnWords | None:
        """Return the column with new words in the given rows; None if a word has a blank."""
        texts = list(map(" ".join, words))
        if list(words_of_texts(texts)) != list(words):
            return None
        pieces = [text.encode("utf-8", "surrogatepass") for text in texts]
        ends = array("i", accumulate(map(len, pieces), initial=0))
        others = column_of(b"".join(pieces), ends.tobytes())
        return self.replaced(rows, ColumnWords(others, self.unit))

    def vocabulary(self) -> set[str]:
        """Return the distinct words of the column."""
        words: set[str] = set()
        for texts, by_spaces in self._batches():
            words.update(
                " ".join(texts).split(" ")
                if by_spaces
                else chain.from_iterable(words_of_texts(texts))
            )
        return words - {""}

    def rows_with(self, words: Set[str]) -> list[int]:
        """Return the rows that contain any of the given words."""
        apart = words.isdisjoint
        rows: list[int] = []
        for number, (texts, by_spaces) in enumerate(self._batches()):
            cut = map(_AT_SPACES, texts) if by_spaces else words_of_texts(texts)
            begin = number * _ROWS
            rows += [row for row, row_words in enumerate(cut, begin) if not apart(row_words)]
        return rows

    def _batches(self) -> Iterator[tuple[list[str], bool]]:
        """Yield batches of texts, each with True if spaces are the only blanks in its texts."""
        for begin in range(0, len(self), _ROWS):
            texts = self._texts(begin, min(begin + _ROWS, len(self)))
            joined = "".join(texts)
            yield texts, not any(map(joined.__contains__, _OTHER_BLANKS))

    def _texts(self, begin: int, end: int) -> list[str]:
        return [text or "" for text in self.texts.texts(begin, end)]

    def empty_rows(self) -> Sequence[int]:
        """Return the indices of the rows without words."""
        return array("q", self.texts.wordless())

    def aligned_with(
        self, hypotheses: ColumnWords, ignore_case: bool, prices: tuple[int, int, int, int, int]
    ) -> tuple[bytes, bytes, bytes]:
        """Align two columns row by row; the results are those of `kernel.align_token_pairs`."""
        unit, table = UNITS.index(self.unit), folds() if ignore_case else None
        return align_columns(self.texts, hypotheses.texts, unit, table, *prices)


class ColumnNames(_Column[str]):
    """A column of distinct identifiers, without nulls."""

    __slots__ = ()

    def _rows(self, begin: int, end: int) -> list[str]:
        return [text for text in self.texts.texts(begin, end) if text is not None]

    def chosen(self, rows: Sequence[int]) -> ColumnNames:
        """Return the identifiers of the given rows."""
        return ColumnNames(chosen_texts(self.texts, rows))

    def find(self, others: ColumnNames) -> Sequence[int]:
        """Return the row of each identifier of `others`; -1 if this column lacks it."""
        if self.texts is others.texts or self.texts.equals(others.texts):
            return range(len(self))
        return array("q", self.texts.find(others.texts))


class ColumnSpeakers(_Column[str | None]):
    """The speaker of each identifier, as `speaker_of` computes it."""

    __slots__ = ("_speaker_of",)

    def __init__(self, names: ColumnNames, speaker_of: Callable[[str], str | None]) -> None:
        super().__init__(names.texts)
        self._speaker_of = speaker_of

    @property
    def _cut(self) -> object:
        return self._speaker_of

    def _rows(self, begin: int, end: int) -> list[str | None]:
        return [self._speaker_of(text) for text in self.texts.texts(begin, end) if text is not None]


def chosen_texts(texts: Texts, rows: Sequence[int]) -> Texts:
    """Return a column of the given rows; -1 gives a null row."""
    return texts.chosen(rows if isinstance(rows, range) else array("q", rows))


def column_of(data: bytes, ends: bytes) -> Texts:
    """Return a column of UTF-8 texts from data in the layout of `add_texts`."""
    column = Texts()
    add_texts(column, data, ends)
    return column


def add_texts(column: Texts, data: bytes, ends: bytes) -> None:
    """Add concatenated UTF-8 texts, given 0 and the end of each text (int32)."""
    if Stream.__module__.endswith("plain_arrow"):
        column.add_encoded(data, ends)  # which needs no pyarrow
        return
    batches = [(len(ends) // array("i").itemsize - 1, [(None, ends, data)])]
    stream = Stream(stream_of([("texts", "u")], iter(batches)))
    while (batch := stream.next()) is not None:
        column.add(stream, batch, 0)


@lru_cache(maxsize=1)
def folds() -> list[tuple[int, bytes]]:
    """Return the non-ASCII code points that full case folding changes, with their folds."""
    every = ((code, chr(code).casefold()) for code in range(0x80, _CASELESS))
    surrogates = range(0xD800, 0xE000)
    return [
        (code, folded.encode())
        for code, folded in every
        if code not in surrogates and folded != chr(code)
    ]


def stream_from(source: Any) -> Stream | None:
    """Return a stream of a table or column with Arrow's interface; None for other values."""
    names = [name for name in ("__arrow_c_stream__", "__arrow_c_array__") if hasattr(source, name)]
    if not names:
        return None
    try:
        if Stream.__module__.endswith("plain_arrow"):
            return Stream(source)
        capsules = getattr(source, names[0])()
    except ImportError:
        # pandas needs pyarrow for it, as the plain reader does; both have rows without
        library = type(source).__module__.partition(".")[0]
        if library == "pandas" or hasattr(source, "to_pylist"):
            return None
        hint = "needs pyarrow here (pip install 'sclite-kit[arrow]')"
        raise ImportError(f"reading columns of {library} {hint}") from None
    return Stream(*capsules) if isinstance(capsules, tuple) else Stream(capsules)


def texts_from(column: object, side: str) -> Texts | None:
    """Return the texts of a column with Arrow's interface; None for any other value."""
    try:
        stream = stream_from(column)
        if stream is None:
            return None
        names, kinds = stream.names(), stream.kinds()
        if len(names) != 1:
            example = f"table[{names[0]!r}]" if names else "a column"
            raise TypeError(
                f"{side}: expected one column, found a table of {', '.join(names) or 'none'}: pass "
                f"one, as in {example}, or the table to scoring.score_columns"
            )
        [(is_text, kind)] = kinds
        if not is_text:
            if kind.startswith("lists") and hasattr(column, "__len__"):
                return None
            raise TypeError(f"{side}: expected texts, found {kind}")
        texts = Texts()
        while (batch := stream.next()) is not None:
            texts.add(stream, batch, 0)
        return texts
    except ValueError as problem:
        raise OptionValueError(side, str(problem)) from None


def rows_from(source: Any) -> Sequence[object] | None:
    """Return the rows of a Series, numpy array or iterator as a list; None for other values.

    Missing values become None.
    """
    if hasattr(source, "tolist") and hasattr(source, "dtype"):
        if getattr(source, "ndim", 1) != 1:
            raise TypeError(f"expected one dimension, found {source.ndim}")
        rows = source.tolist()
    elif hasattr(source, "to_pylist"):  # of pyarrow, nanoarrow
        rows = source.to_pylist()
    elif isinstance(source, Iterator) and not hasattr(source, "readline"):
        rows = list(source)
    else:
        return None
    return [None if _is_missing(row) else row for row in rows]


def _is_missing(row: object) -> bool:
    if isinstance(row, str | list | tuple):
        return False
    return row is None or type(row).__name__ in ("NAType", "NaTType") or row != row
