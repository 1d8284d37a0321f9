"""Arrow's C data interface in plain Python: what the compiled module must agree with.

Everything has the names, arguments and results of `scoring._native.arrow`. A stream gives batches;
a batch is a table (`+s`: a child for each column) or a single column.
"""

from __future__ import annotations

import ctypes
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from ctypes import POINTER, c_char_p, c_int, c_int64, c_void_p, pythonapi, string_at
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from formats.blanks import words_of_text
from scoring.alignment.arguments import buffer, require, whole
from scoring.alignment.plain import align_token_pairs
from scoring.alignment.plain_costs import MOST_THREADS
from scoring.model import characters, characters_and_blanks

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# A name and a format of our own, or a stream and the number of its column; likewise a column.
Field: TypeAlias = "tuple[str | Stream, str | int]"
Column: TypeAlias = "tuple[Any, ...]"

KINDS = {
    format_string: kind
    for kind, format_strings in (
        ("nothing but nulls", "n"),
        ("truth values", "b"),
        ("bytes", "z Z vz"),
        ("texts", "u U vu"),
        ("records", "+s"),
    )
    for format_string in format_strings.split()
}
_SIZED = "int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64"
KINDS |= {
    letter: f"numbers ({name})" for letter, name in zip("cCsSiIlLefg", _SIZED.split(), strict=True)
}
BEGINNINGS = {
    "d": "numbers (decimal)",
    "t": "times",
    "w": "bytes",
    "+": "lists or other nested values",
}
TEXTS = ("u", "U", "vu", "n")
# Letters of the module `array` for the formats of whole numbers.
NUMBERS = {"c": "b", "C": "B", "s": "h", "S": "H", "i": "i", "I": "I", "l": "q", "L": "Q"}
SIZES = {"i": 4, "l": 8, "g": 8, "U": 8}
INLINE = 12


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


_Schema._fields_ = [
    *(("format", c_char_p), ("name", c_char_p), ("metadata", c_void_p), ("flags", c_int64)),
    *(("n_children", c_int64), ("children", POINTER(POINTER(_Schema)))),
    *(("dictionary", POINTER(_Schema)), ("release", c_void_p), ("private_data", c_void_p)),
]
_Array._fields_ = [
    *(("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64)),
    *(("n_children", c_int64), ("buffers", POINTER(c_void_p))),
    *(("children", POINTER(POINTER(_Array))), ("dictionary", POINTER(_Array))),
    *(("release", c_void_p), ("private_data", c_void_p)),
]
_Stream._fields_ = [
    *(("get_schema", c_void_p), ("get_next", c_void_p), ("get_last_error", c_void_p)),
    *(("release", c_void_p), ("private_data", c_void_p)),
]
Structure = TypeVar("Structure", _Schema, _Array, _Stream)
_TAKE = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)
_TELL = ctypes.CFUNCTYPE(c_void_p, c_void_p)
_RELEASE = ctypes.CFUNCTYPE(None, c_void_p)
_pointer_in = ctypes.PYFUNCTYPE(c_void_p, ctypes.py_object, c_char_p)(
    ("PyCapsule_GetPointer", pythonapi)
)
_is_valid = ctypes.PYFUNCTYPE(c_int, ctypes.py_object, c_char_p)(("PyCapsule_IsValid", pythonapi))
NAME = b"arrow_array_stream"


class _Owned:
    """A structure and the duty to release it."""

    def __init__(self, here: Any) -> None:
        self.here = here

    def __del__(self) -> None:
        if self.here.release:
            _RELEASE(self.here.release)(ctypes.addressof(self.here))


def _taken(capsule: object, name: bytes, kind: type[Structure]) -> _Owned:
    if not _is_valid(capsule, name):
        found = type(capsule).__name__
        wanted = f"a capsule of Arrow named {name.decode()}"
        raise TypeError(f"column: expected {wanted}, found {found}")
    there: Any = kind.from_address(_pointer_in(capsule, name) or 0)
    if not there.release:
        raise ValueError("the Arrow data was taken already")
    here = kind()
    ctypes.pointer(here)[0] = there
    there.release = None
    return _Owned(here)


class Stream:
    """A table, or a single column, that comes in batches.

    Parameters
    ----------
    stream
        A capsule `arrow_array_stream`; or the capsule of a schema, with one of an array.

    Raises
    ------
    TypeError, ValueError
        If it is no such capsule, or what it holds was taken already.
    """

    def __init__(self, stream: object, array: object = None) -> None:
        self._stream: _Owned | None = None
        self._only: _Owned | None = None
        if array is not None:
            self.schema = _taken(stream, b"arrow_schema", _Schema)
            self._only = _taken(array, b"arrow_array", _Array)
        else:
            self._stream = _taken(stream, NAME, _Stream)
            self.schema = _Owned(_Schema())
            self._ask(self._stream.here.get_schema, self.schema.here)
        schema = self.schema.here
        require(schema.format is not None, "expected a schema with a format, found none")

    def _ask(self, function: int, into: Any) -> None:
        assert self._stream is not None
        place = ctypes.addressof(self._stream.here)
        status = _TAKE(function)(place, ctypes.addressof(into))
        if status:
            told = _TELL(self._stream.here.get_last_error)(place)
            text = string_at(told).decode("utf-8", "replace") if told else f"error {status}"
            raise ValueError(text)

    def is_table(self) -> bool:
        """Whether there may be several columns."""
        return bool(self.schema.here.format == b"+s")

    def fields(self) -> list[Any]:
        """The schema of each column."""
        schema = self.schema.here
        if not self.is_table():
            return [schema]
        return [schema.children[at].contents for at in range(schema.n_children)]

    def as_pyarrow(self) -> Any:
        """The schema of a table."""
        import pyarrow

        place = ctypes.addressof(self.schema.here)
        schema = pyarrow.Schema._import_from_c(place)
        schema._export_to_c(place)
        return schema

    def names(self) -> list[str]:
        """What each column is called."""
        return [(one.name or b"").decode("utf-8", "replace") for one in self.fields()]

    def kinds(self) -> list[tuple[bool, str]]:
        """Whether each column holds texts, and what it holds."""
        return [(_is_text(one), _kind_of(one)) for one in self.fields()]

    def next(self) -> Batch | None:
        """The next rows; None: there are none left."""
        if self._stream is None:
            made, self._only = self._only, None
        else:
            made = _Owned(_Array())
            self._ask(self._stream.here.get_next, made.here)
            made = made if made.here.release else None
        if made is None:
            return None
        found = made.here
        require(
            found.length >= 0 and found.offset >= 0,
            f"expected a length of 0 or more, found {found.length}",
        )
        if self.is_table():
            wanted = self.schema.here.n_children
            require(
                found.n_children == wanted,
                f"expected {wanted} columns, found {found.n_children}",
            )
            for at in range(wanted):
                column = found.children[at].contents
                require(
                    column.offset >= 0 and column.length - found.offset >= found.length,
                    f"expected {found.length} rows in every column, found {column.length}",
                )
            has_nulls = found.n_buffers > 0 and found.buffers[0]
            require(
                not has_nulls or found.null_count == 0, "expected records, found some that are null"
            )
        return Batch(self, made)


class Batch:
    """Rows of a stream."""

    def __init__(self, stream: Stream, held: _Owned) -> None:
        self.stream = stream
        self.held = held

    def __len__(self) -> int:
        return int(self.held.here.length)

    def as_pyarrow(self) -> Any:
        """The rows of a table."""
        import pyarrow

        place = ctypes.addressof(self.held.here)
        batch = pyarrow.RecordBatch._import_from_c(place, self.stream.as_pyarrow())
        batch._export_to_c(place)
        return batch

    def column(self, number: int) -> tuple[Any, int]:
        """A column, and how many of its rows come before the first."""
        here = self.held.here
        if not self.stream.is_table():
            return here, 0
        return here.children[number].contents, here.offset


def _kind_of(schema: Any) -> str:
    if schema.dictionary:
        return f"a dictionary of {_kind_of(schema.dictionary.contents)}"
    name = schema.format.decode("utf-8", "replace")
    return KINDS.get(name) or BEGINNINGS.get(name[:1], f'the unknown format "{name}"')


def _is_text(schema: Any) -> bool:
    name = schema.format.decode("utf-8", "replace")
    if schema.dictionary:
        inner = schema.dictionary.contents
        return name in NUMBERS and not inner.dictionary and _is_text(inner)
    return name in TEXTS


def _numbers(letter: str, place: int | None, first: int, length: int) -> array[int]:
    made = array(letter)
    if length:
        if not place:
            raise ValueError("expected a buffer of places, found none")
        made.frombytes(string_at(place + first * made.itemsize, length * made.itemsize))
    return made


def _rows(schema: Any, found: Any, first: int, length: int, before: int) -> list[str | None]:
    """The texts of some rows of an array."""
    if found.offset < 0 or first > found.length or length > found.length - first:
        raise ValueError(
            f"expected {length} rows from row {first} on, found an array of length {found.length} "
            f"and offset {found.offset}"
        )
    name = schema.format.decode()
    if not schema.dictionary and name == "n":
        return [None] * length
    least = 2 if schema.dictionary else 3
    is_views = not schema.dictionary and name == "vu"
    if found.n_buffers < least or (found.n_buffers != least and not is_views):
        raise ValueError(f"expected {least} buffers, found {found.n_buffers}")
    begin = found.offset + first
    buffers = found.buffers
    is_null = [False] * length
    if buffers[0] and found.null_count != 0:
        bits = string_at(buffers[0], (begin + length + 7) // 8)
        is_null = [not bits[at >> 3] >> (at & 7) & 1 for at in range(begin, begin + length)]
    if schema.dictionary:
        if not found.dictionary:
            raise ValueError("expected a dictionary, found none")
        inner = found.dictionary.contents
        try:
            entries = _rows(schema.dictionary.contents, inner, 0, inner.length, 0)
        except ValueError as problem:
            raise ValueError(f"dictionary: {problem}") from None
        places = _numbers(NUMBERS[name], buffers[1], begin, length)
        for row, (place, null) in enumerate(zip(places, is_null, strict=True)):
            if not null and not 0 <= place < len(entries):
                found_number = place if place < 2**63 else place - 2**64
                raise ValueError(
                    f"row {before + row + 1}: expected one of {len(entries)} entries, found "
                    f"number {found_number}"
                )
        return [None if null else entries[at] for at, null in zip(places, is_null, strict=True)]
    if is_views:
        pieces = _views(found, begin, length, is_null, before)
    else:
        pieces = _slices(found, "q" if name == "U" else "i", begin, length, before)
    return [
        None if null else _decoded(piece, before + row)
        for row, (piece, null) in enumerate(zip(pieces, is_null, strict=True))
    ]


def _slices(found: Any, letter: str, begin: int, length: int, before: int) -> Iterator[bytes]:
    if not length:
        return
    offsets = _numbers(letter, found.buffers[1], begin, length + 1)
    last = 0
    for at, offset in enumerate(offsets):
        if offset < last:
            raise ValueError(
                f"row {before + max(at, 1)}: expected an offset of {last} or more, found {offset}"
            )
        last = offset
    if offsets[-1] > offsets[0] and not found.buffers[2]:
        raise ValueError("expected a buffer of texts, found none")
    for at in range(length):
        size = offsets[at + 1] - offsets[at]
        yield string_at(found.buffers[2] + offsets[at], size) if size else b""


def _views(
    found: Any, begin: int, length: int, is_null: Sequence[bool], before: int
) -> Iterator[bytes]:
    blocks = found.n_buffers - 3
    sizes = _numbers("q", found.buffers[found.n_buffers - 1], 0, blocks)
    if length and not found.buffers[1]:
        raise ValueError("expected a buffer of places, found none")
    for row in range(length):
        if is_null[row]:
            yield b""
            continue
        view = string_at(found.buffers[1] + 16 * (begin + row), 16)
        size, _, block, offset = array("i", view)
        where = f"row {before + row + 1}"
        if size < 0:
            raise ValueError(f"{where}: expected a length of 0 or more, found {size}")
        if size <= INLINE:
            yield view[4 : 4 + size]
            continue
        if not 0 <= block < blocks:
            raise ValueError(f"{where}: expected one of {blocks} blocks, found number {block}")
        if offset < 0 or size > sizes[block] - offset or not found.buffers[2 + block]:
            raise ValueError(
                f"{where}: expected a text within a block of {sizes[block]} bytes, found bytes "
                f"{offset} to {offset + size}"
            )
        yield string_at(found.buffers[2 + block] + offset, size)


def _decoded(piece: bytes, row: int) -> str:
    try:
        return piece.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise ValueError(
            f"row {row + 1}: expected UTF-8, found the byte 0x{piece[problem.start]:02X} at "
            f"position {problem.start + 1}"
        ) from None


class Texts:
    """A column of texts, None where a text is null."""

    def __init__(self, rows: Sequence[str | None] = ()) -> None:
        self._rows = list(rows)

    def add(self, stream: Stream, batch: Batch, column: int) -> None:
        """Add the rows of a batch.

        Raises
        ------
        ValueError
            If they are no texts, have bounds that cannot be, or are no UTF-8.
        """
        number = whole(column, "column", 0, len(stream.fields()) - 1)
        schema = stream.fields()[number]
        require(_is_text(schema), f"expected texts, found {_kind_of(schema)}")
        found, first = batch.column(number)
        self._rows += _rows(schema, found, first, len(batch), len(self._rows))

    def __len__(self) -> int:
        return len(self._rows)

    def texts(self, begin: int, end: int) -> list[str | None]:
        """Some of the texts."""
        first = whole(begin, "begin", 0, len(self))
        return self._rows[first : whole(end, "end", first, len(self))]

    def nulls(self) -> bytes:
        """int64: which rows are null."""
        return array("q", [at for at, text in enumerate(self._rows) if text is None]).tobytes()

    def chosen(self, rows: ReadableBuffer | range) -> Texts:
        """These rows (int64) of the column; -1 is null."""
        places = rows if isinstance(rows, range) else buffer(rows, "int64", "rows")
        for row in places:
            if not -1 <= row < len(self):
                raise ValueError(f"rows: expected -1 to {len(self) - 1}, found {row}")
        return Texts([None if row < 0 else self._rows[row] for row in places])

    def repeated(self) -> int:
        """The first row with a text of an earlier one; -1: there is none."""
        seen: set[str] = set()
        for row, text in enumerate(self._rows):
            if text in seen:
                return row
            if text is not None:
                seen.add(text)
        return -1

    def equals(self, others: Texts, threads: int) -> bool:
        """Whether another column has the same texts in the same order, and no nulls."""
        whole(threads, "threads", 0, MOST_THREADS)
        return None not in self._rows and self._rows == others._rows

    def find(self, others: Texts) -> bytes:
        """int64: a row of this column with each text of another; -1: there is none, or null."""
        rows: dict[str | None, int] = {}
        for row, text in enumerate(self._rows):
            rows.setdefault(text, row)
        rows[None] = -1
        found = [rows.get(text, -1) for text in others._rows]
        for row, (own, text) in enumerate(zip(self._rows, others._rows, strict=False)):
            if text is not None and own == text:
                found[row] = row
        return array("q", found).tobytes()

    def lengths(self, unit: int) -> bytes:
        """int32: how many tokens each text has, in a unit of `align_columns`."""
        cut = whole(unit, "unit", 0, 2)
        return array("i", map(len, _cut(self._rows, cut))).tobytes()


def line_parts(
    data: bytes, named_first: bool, odd: bytes, marks: bytes
) -> tuple[bytes, bytes] | None:
    r"""Where lines fall apart in a name and a text.

    Parameters
    ----------
    named_first
        A line is a name and its text, with a blank between; else a text, and in parentheses a name
        that holds a hyphen or an underscore.
    odd
        Bytes that are nowhere in such lines.
    marks
        Bytes that are in no line that falls apart.

    Returns
    -------
    tuple[bytes, bytes] | None
        int64: 0, then two ends for each line, that of the part that comes first, and that of the
        line; and the numbers, from 0, of lines that do not fall apart, comments say, whose first
        part is empty. None if the last line has no end, or a byte is odd.

    Examples
    --------
    >>> ends, others = line_parts(b"a b (x-1)\n\n(x-2)\n", False, b"\0", b"{") or (b"", b"")
    >>> list(array("q", ends)), list(array("q", others))
    ([0, 4, 10, 10, 11, 11, 17], [1])
    >>> line_parts(b"a b\n", False, b"b", b"")
    """
    *lines, rest = data.split(b"\n")
    if rest or set(odd).intersection(data):
        return None
    ends, others = array("q", [0]), array("q")
    for number, line in enumerate(lines):
        if named_first:
            cut = len(re.split(rb"[ \t]", line, maxsplit=1)[0])
            is_plain = cut > 0
        else:
            cut = line.find(b"(")
            name = line[cut + 1 :]
            is_named = name.endswith(b")") and name.count(b"(") == 0 and name.count(b")") == 1
            is_plain = cut >= 0 and line[0] not in b";*" and is_named
            is_plain = is_plain and bool(re.search(rb"[-_]", name))
        if not is_plain or set(marks).intersection(line):
            others.append(number)
            cut = 0
        ends.extend((ends[-1] + cut, ends[-1] + len(line) + 1))
    return ends.tobytes(), others.tobytes()


def _cut(rows: Sequence[str | None], unit: int) -> list[tuple[str, ...]]:
    every = [words_of_text(text or "") for text in rows]
    return list(map((tuple, characters, characters_and_blanks)[unit], every))


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
    """Align the texts of two columns row by row; results as of `align_token_pairs`.

    Parameters
    ----------
    unit
        0: words, cut at ASCII blanks; 1: characters; 2: characters and blanks, see
        `scoring.normalize.units`.
    folds
        What becomes of code points beyond ASCII (in UTF-8) where words are compared without case;
        None: with it.
    """
    cut = whole(unit, "unit", 0, 2)
    table = None if folds is None else {code: text.decode() for code, text in folds}
    ascii_letters = {code: chr(code + 32) for code in range(ord("A"), ord("Z") + 1)}

    def tokens(texts: Texts) -> list[list[str]]:
        rows = _cut(texts.texts(0, len(texts)), cut)
        if table is None:
            return [list(row) for row in rows]
        every = {**table, **ascii_letters}
        return [[word.translate(every) for word in row] for row in rows]

    left, right = tokens(references), tokens(hypotheses)
    return align_token_pairs(left, right, substitution, deletion, insertion, ties, threads)


def count_columns(
    references: Texts,
    hypotheses: Texts,
    unit: int,
    folds: Sequence[tuple[int, bytes]] | None,
    substitution: int,
    deletion: int,
    insertion: int,
    ties: int,
    threads: int,
) -> bytes:
    """The counts alone of `align_columns`."""
    prices = substitution, deletion, insertion, ties, threads
    return align_columns(references, hypotheses, unit, folds, *prices)[2]


def stream_of(fields: Sequence[Field], batches: Iterable[tuple[int, list[Column]]]) -> object:
    """The capsule `arrow_array_stream` of a table of our own making.

    This twin needs pyarrow: whoever takes the table may release it while an error is under way,
    when nothing written in Python can run.

    Parameters
    ----------
    fields
        Of each column a name and a format (`i` int32, `l` int64, `g` float64, `U` texts), or a
        stream of a table and the number of its column that is handed on.
    batches
        An iterator over pairs of a length and a list of columns: a tuple of buffers each (bits
        that tell which rows are not null, or None; numbers, or int64 offsets and UTF-8), or a
        batch of the stream and the number of its column.
    """
    import pyarrow

    kinds = {"i": "int32", "l": "int64", "g": "float64", "U": "large_string"}
    schema = pyarrow.schema(
        [
            name.as_pyarrow().field(form)
            if isinstance(name, Stream)
            else pyarrow.field(name, pyarrow.type_for_alias(kinds[str(form)]))
            for name, form in fields
        ]
    )

    def made() -> Iterator[Any]:
        for length, columns in batches:
            require(
                length >= 0 and len(columns) == len(fields),
                f"expected {len(fields)} columns, found {len(columns)}",
            )
            arrays = []
            for field, kind, given in zip(fields, schema.types, columns, strict=True):
                if isinstance(field[0], Stream):
                    arrays.append(given[0].as_pyarrow().column(given[1]))
                    continue
                wanted = 3 if field[1] == "U" else 2
                require(len(given) == wanted, f"expected {wanted} buffers, found {len(given)}")
                rooms = [(length + 7) // 8, SIZES[str(field[1])] * length, 0]
                rooms[1] += SIZES["l"] if field[1] == "U" else 0
                buffers = [None if one is None else pyarrow.py_buffer(one) for one in given]
                for one, room in zip(buffers, rooms, strict=False):
                    require(
                        one is None or one.size >= room,
                        f"{field[0]}: expected a buffer of {room} bytes, "
                        f"found {one and one.size} bytes",
                    )
                arrays.append(pyarrow.Array.from_buffers(kind, length, buffers))
            yield pyarrow.RecordBatch.from_arrays(arrays, schema=schema)

    return pyarrow.RecordBatchReader.from_batches(schema, made()).__arrow_c_stream__()
