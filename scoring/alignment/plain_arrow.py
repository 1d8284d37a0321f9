"""Text columns read with pyarrow, if the compiled reader of Arrow columns is missing.

The functions and classes have the names and results of `scoring._native`. Only this module needs
pyarrow.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise, takewhile
from operator import lt
from typing import TYPE_CHECKING, Any, TypeAlias

from formats.schema import words_of_text
from scoring.alignment.arguments import buffer, require, whole
from scoring.alignment.plain import align_token_pairs
from scoring.model.counts import characters, characters_and_blanks
from scoring.model.special_errors import RowError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# A name and a format of our own, or a stream and the number of its column; likewise a column.
ArrowField: TypeAlias = "tuple[str | Stream, str | int]"
Column: TypeAlias = "tuple[Any, ...]"
# Rows of a stream: in the compiled core a class of its own.
Batch: TypeAlias = Any
FORMATS = {"i": "int32", "l": "int64", "g": "float64", "u": "string", "U": "large_string"}
# What a column holds, by the predicates of `pyarrow.types`.
KINDS = {
    "is_null": "nothing but nulls",
    "is_boolean": "truth values",
    "is_decimal": "numbers (decimal)",
    "is_temporal": "times",
    "is_struct": "records",
    "is_nested": "lists or other nested values",
}
BINARY = ("is_binary", "is_large_binary", "is_binary_view", "is_fixed_size_binary")
TEXTS = ("is_string", "is_large_string", "is_string_view")
KINDS |= dict.fromkeys(BINARY, "bytes") | dict.fromkeys(TEXTS, "texts")

# Lines of `cut_lines`.
_LINE = re.compile(rb"[^\n]*\n|[^\n]+\Z")
_IRREGULAR = re.compile(
    rb"[\v\f\x1c-\x1f]|\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f"
    rb"|\xe3\x80\x80"
)
_MARKED = re.compile(rb"[-_0-9]")
_IDENTIFIER_FIRST = re.compile(rb"([^ \t]+)(.*)", re.DOTALL)
_IDENTIFIER_LAST = re.compile(rb"\A((?![;*])[^()]*)\(([^(){}@_-]*[-_][^(){}@]*)\)[ \t]*", re.DOTALL)
_MARKUP = re.compile(rb"[{}@]")


class Stream:
    """A table or a single column of any Arrow library, read in batches."""

    def __init__(self, source: Any) -> None:
        import pyarrow

        self._table = True
        if not hasattr(source, "__arrow_c_stream__"):
            rows = pyarrow.array(source)
            self._table = pyarrow.types.is_struct(rows.type)
            batch = rows if self._table else pyarrow.record_batch([rows], names=[""])
            batch = pyarrow.RecordBatch.from_struct_array(rows) if self._table else batch
            self.schema, self._batches = batch.schema, iter([batch])
            return
        try:
            reader = pyarrow.RecordBatchReader.from_stream(source)
            self.schema, self._batches = reader.schema, iter(reader)
        except pyarrow.ArrowInvalid:
            self._table = False
            column = pyarrow.table([pyarrow.chunked_array(source)], names=[""])
            self.schema, self._batches = column.schema, iter(column.to_batches())

    def is_table(self) -> bool:
        """Return True for a table, False for a single column."""
        return self._table

    def names(self) -> list[str]:
        """Return the name of each column."""
        return list(self.schema.names)

    def kinds(self) -> list[tuple[bool, str]]:
        """Return, for each column, whether it has texts, and the name of its type."""
        return [(_is_text(kind), _kind_of(kind)) for kind in self.schema.types]

    def next(self) -> Batch | None:
        """Return the next batch of rows; None at the end of the stream."""
        try:
            return next(self._batches, None)
        except OSError as problem:
            raise ValueError(str(problem)) from None


def _kind_of(kind: Any) -> str:
    """Return the name of a pyarrow type in messages."""
    import pyarrow

    if pyarrow.types.is_dictionary(kind):
        return f"a dictionary of {_kind_of(kind.value_type)}"
    names = (name for test, name in KINDS.items() if getattr(pyarrow.types, test)(kind))
    return next(names, f"numbers ({kind})")


def _is_text(kind: Any) -> bool:
    return _kind_of(kind).removeprefix("a dictionary of ") in ("texts", KINDS["is_null"])


class Texts:
    """A column of texts; null rows are None."""

    def __init__(self, rows: Sequence[str | None] = ()) -> None:
        self._rows = list(rows)

    def add(self, stream: Stream, batch: Batch, column: int) -> None:
        """Add the rows of a batch; raise ValueError if they are not texts or are invalid."""
        rows = batch.column(column)
        require(_is_text(rows.type), f"expected texts, found {_kind_of(rows.type)}")
        try:
            if len(rows):  # pyarrow rejects some empty slices
                rows.validate(full=True)
        except (ValueError, IndexError) as problem:
            # pyarrow tells the row in its text only
            index = re.search(r"UTF8.{0,99} index (\d+)", str(problem))
            if index is None:
                raise ValueError(str(problem)) from None
            row = len(self) + int(index[1]) + 1
            raise RowError(row, f"expected UTF-8, found: {problem}") from None
        self._rows += rows.to_pylist()

    def add_encoded(self, data: bytes, ends: bytes) -> None:
        """Add texts in UTF-8, given their end positions (int32) after a leading 0."""
        bounds = pairwise(array("i", ends))
        self._rows += [data[begin:end].decode("utf-8", "surrogatepass") for begin, end in bounds]

    def __len__(self) -> int:
        return len(self._rows)

    def texts(self, begin: int, end: int) -> list[str | None]:
        """Return the texts of rows `begin` to `end` (exclusive) as a list."""
        first = whole(begin, "begin", 0, len(self))
        return self._rows[first : whole(end, "end", first, len(self))]

    def nulls(self) -> bytes:
        """Return the numbers of the null rows (int64)."""
        return array("q", [row for row, text in enumerate(self._rows) if text is None]).tobytes()

    def wordless(self) -> bytes:
        """Return the numbers of the rows without words (int64)."""
        rows = [row for row, text in enumerate(self._rows) if not words_of_text(text or "")]
        return array("q", rows).tobytes()

    def chosen(self, rows: ReadableBuffer | range) -> Texts:
        """Return a column of the given rows (int64); -1 gives a null row."""
        numbers = rows if isinstance(rows, range) else buffer(rows, "int64", "rows")
        for row in numbers:
            require(-1 <= row < len(self), f"rows: expected -1 to {len(self) - 1}, found {row}")
        return Texts([None if row < 0 else self._rows[row] for row in numbers])

    def replaced(self, rows: ReadableBuffer, others: Texts) -> Texts:
        """Return the column with the given rows (int64) replaced by rows of another column."""
        numbers = buffer(rows, "int64", "rows")
        require(len(numbers) == len(others), "rows: expected one for each text")
        texts = list(self._rows)
        for row, text in zip(numbers, others._rows, strict=True):
            require(0 <= row < len(self), f"rows: expected 0 to {len(self) - 1}, found {row}")
            texts[row] = text
        return Texts(texts)

    def is_distinct(self) -> bool:
        """Return True if no two rows have the same text; null rows are ignored."""
        texts = [text for text in self._rows if text is not None]
        return len(set(texts)) == len(texts)

    def equals(self, others: Texts) -> bool:
        """Return True if two columns have the same texts in the same order, without nulls."""
        return None not in self._rows and self._rows == others._rows

    def find(self, others: Texts) -> bytes:
        """Return the first row with each text of another column (int64); -1 for missing texts."""
        rows: dict[str | None, int] = {None: -1}
        for row, text in enumerate(self._rows):
            rows.setdefault(text, row)
        return array("q", [rows.get(text, -1) for text in others._rows]).tobytes()


_ROWS = 4096


class Rewriting:
    """Text columns in which words are replaced.

    `word` returns the replacement of a word. It is called once for each distinct word.
    """

    def __init__(self, word: Callable[[str], str]) -> None:
        self._word = cache(word)

    def rows(self, texts: Texts, begin: int) -> tuple[bytes, bytes, bool]:
        """Return the rewritten texts of a batch of rows, which starts at row `begin`.

        Returns the texts as UTF-8, their ends (int32, after a leading 0), and True if any word in
        these texts was replaced.
        """
        data, ends, is_other = bytearray(), array("i", [0]), False
        for text in texts.texts(begin, min(begin + _ROWS, len(texts))):
            words = words_of_text(text or "")
            others = list(map(self._word, words))
            is_other = is_other or others != list(words)
            data += " ".join(filter(None, others)).encode()
            ends.append(len(data))
        return bytes(data), ends.tobytes(), is_other


def cut_lines(
    data: bytes, identifier_first: bool
) -> tuple[bytes, bytes, bool, bool, int, bytes] | None:
    """Cut the lines of a file into identifiers and texts.

    Parameters
    ----------
    data
        The bytes of a file, at most 2 GiB; the last line may lack its line end.
    identifier_first
        True: a line is `identifier text`, as in Kaldi. False: `text (identifier)`, as in trn.

    Returns
    -------
    None for data with NUL or a lone CR. Otherwise:

    - 0, and four int32 per line: the ends of the first column, the separator, the second column and
      the line.
    - The numbers (int64, from 0) of irregular lines, whose columns are empty: comments, control
      characters, blanks beyond ASCII, lines without identifier, identifiers in parentheses without
      speaker, markup other than that of the last item. A reader has to parse these lines.
    - True if the identifiers are in ascending byte order.
    - True if each identifier has an ASCII digit, a hyphen or an underscore.
    - The number of lines with two or more tabs, semicolons or points.
    - The numbers (int64) of regular trn lines whose text has alternatives of plain words or null
      words, with blanks around each brace and around each slash in braces.
    """
    form = _IDENTIFIER_FIRST if identifier_first else _IDENTIFIER_LAST
    ends, irregular, braced = array("i", [0]), array("q"), array("q")
    identifiers: list[bytes] = []
    begin = tabular = 0
    for row, line in enumerate(_LINE.findall(data)):
        text = line[:-2] if line.endswith(b"\r\n") else line.removesuffix(b"\n")
        if b"\0" in text or b"\r" in text:
            return None
        tabular += max(map(text.count, (b"\t", b";", b"."))) > 1
        match = None if _IRREGULAR.search(text) else form.fullmatch(text)
        if match and not identifier_first and _MARKUP.search(match[1]):
            has_choices = _has_choices(match[1])
            match = None if has_choices is None else match
            braced.extend([row] if has_choices else ())
        columns = (match.end(1), match.start(2), match.end(2)) if match else (0, 0, 0)
        if match:
            identifiers.append(match[1 if identifier_first else 2])
        else:
            irregular.append(row)
        ends.extend(begin + end for end in (*columns, len(line)))
        begin += len(line)
    is_rising = all(map(lt, identifiers, identifiers[1:]))
    are_marked = all(map(_MARKED.search, identifiers))
    columns_of_numbers = ends.tobytes(), irregular.tobytes()
    return *columns_of_numbers, is_rising, are_marked, tabular, braced.tobytes()


def _has_choices(text: bytes) -> bool | None:
    """Return True if a text has alternatives or null words; None if its marks need parsing."""
    found = is_open = is_empty = False
    for word in filter(None, text.split(b" ")):
        is_between = is_open and word == b"/"
        if word == b"{":
            if is_open:
                return None
            found = is_open = is_empty = True
        elif is_between or word == b"}":
            if not is_open or is_empty:
                return None
            is_open = is_empty = is_between
        else:
            if any(sign in word for sign in (b"{/}\t" if is_open else b"{}\t")):
                return None
            found, is_empty = found or word == b"@", False
    return None if is_open else found


def align_columns(
    references: Texts,
    hypotheses: Texts,
    unit: int,
    folds: Sequence[tuple[int, bytes]] | None,
    substitution: int,
    deletion: int,
    insertion: int,
    ties: int,
    threads: int,
) -> tuple[bytes, bytes, bytes]:
    """Align the texts of two columns row by row; return the results of `align_token_pairs`.

    Parameters
    ----------
    unit
        0: words, cut at ASCII blanks; 1: characters; 2: characters and blanks, see
        `scoring.text.units`.
    folds
        Replacements (in UTF-8) of code points beyond ASCII to compare words without case; None:
        compare with case.
    """
    cut = (tuple, characters, characters_and_blanks)[whole(unit, "unit", 0, 2)]
    fold = _folder(folds)

    def tokens(column: Texts) -> list[tuple[str, ...]]:
        rows = [cut(words_of_text(text or "")) for text in column.texts(0, len(column))]
        return rows if folds is None else [tuple(map(fold, row)) for row in rows]

    prices = substitution, deletion, insertion, ties, threads
    return align_token_pairs(tokens(references), tokens(hypotheses), *prices)


def count_columns(*arguments: Any) -> bytes:
    """Return only the counts of `align_columns`."""
    return align_columns(*arguments)[2]


def rows_of_compounds(
    references: Texts,
    hypotheses: Texts,
    folds: Sequence[tuple[int, bytes]] | None,
    several: bool,
    counts: ReadableBuffer,
) -> bytes:
    """Return the rows (int64) with errors that merging compounds may save.

    In such a row, adjacent words together spell a word of the other side. With `several`, they may
    also spell several words; then merging may save nothing in some of the returned rows. `counts`
    (int32) has four numbers per row; `folds` is as in `align_columns`.
    """
    numbers = buffer(counts, "int32", "counts")
    require(len(numbers) == 4 * len(references), "counts: expected four for each row")
    fold = _folder(folds)
    rows = array("q")
    for row in range(len(references)):
        if not any(numbers[4 * row + 1 : 4 * row + 4]):
            continue
        (left,), (right,) = (side.texts(row, row + 1) for side in (references, hypotheses))
        mine, theirs = (list(map(fold, words_of_text(text or ""))) for text in (left, right))
        if _may_spell(mine, theirs, several) or _may_spell(theirs, mine, several):
            rows.append(row)
    return rows.tobytes()


def _may_spell(parts: Sequence[str], words: Sequence[str], several: bool) -> bool:
    """Return True if adjacent `parts` spell a word.

    With `several`, also return True if they may together spell several words.
    """
    for place, first in enumerate(parts[:-1]):
        for word in words:
            rest = word.removeprefix(first)
            if len(rest) == len(word) or not rest:
                continue
            second = parts[place + 1]
            if several and (rest.startswith(second) or second.startswith(rest)):
                return True
            spelled = accumulate(parts[place:])
            if not several and word in takewhile(word.startswith, spelled):
                return True
    return False


def _folder(folds: Sequence[tuple[int, bytes]] | None) -> Callable[[str], str]:
    """Return a function that folds the case of ASCII, and of the code points in a table."""
    if folds is None:
        return str
    lower = {code: chr(code + 32) for code in range(ord("A"), ord("Z") + 1)}
    lower |= {code: text.decode() for code, text in folds}
    return lambda word: word.translate(lower)


def stream_of(fields: Sequence[ArrowField], batches: Iterable[tuple[int, list[Column]]]) -> object:
    """Return the `arrow_array_stream` capsule of a table whose columns are in memory.

    Parameters
    ----------
    fields
        One pair per column: a name and a format (`i` int32, `l` int64, `g` float64, `U` texts); or,
        to pass a column of another table through, the stream of this table and the column's number.
    batches
        Pairs of a number of rows and a list with one tuple per column: the column's buffers (bits
        that are set for rows that are not null, or None; then numbers, or int64 offsets and UTF-8);
        or, for a column that is passed through, a batch of the stream and the column's number.
    """
    import pyarrow

    schema = pyarrow.schema(
        [
            name.schema.field(form)
            if isinstance(name, Stream)
            else pyarrow.field(name, pyarrow.type_for_alias(FORMATS[str(form)]))
            for name, form in fields
        ]
    )

    def column_of(kind: Any, length: int, parts: Column) -> Any:
        if isinstance(parts[0], pyarrow.RecordBatch):
            return parts[0].column(parts[1])
        buffers = [None if part is None else pyarrow.py_buffer(part) for part in parts]
        return pyarrow.Array.from_buffers(kind, length, buffers)

    def record_batches() -> Iterator[Any]:
        for length, columns in batches:
            number = len(columns)
            require(number == len(fields), f"expected {len(fields)} columns, found {number}")
            triples = zip(schema.types, columns, strict=True)
            arrays = [column_of(kind, length, parts) for kind, parts in triples]
            yield pyarrow.RecordBatch.from_arrays(arrays, schema=schema)

    return pyarrow.RecordBatchReader.from_batches(schema, record_batches()).__arrow_c_stream__()
