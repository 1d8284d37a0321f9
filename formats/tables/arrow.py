"""parquet and arrow: binary tables of data sets, with one utterance per row.

=====================================  ======================================================
in the file                            in the schema
=====================================  ======================================================
a row                                  read like a JSON object with the same members
                                       (`formats.json.jsonl`); the row number is used as line
a folder, ``data/*.parquet``           one table (`formats.io.folders`)
a map with texts as keys               read like a JSON object with these members
bytes (sound, pictures), unions        not read, named in a note; bytes in columns of names and
                                       times are read as texts in UTF-8
durations                              times in `time_unit`; the unit of the column is ignored
dates, times of the day, decimals      texts; as starts, ends and durations, they are an error
a row without text (null)              no segment, with a warning
=====================================  ======================================================

pyarrow (the extra ``arrow``) reads the files in batches of rows, so that memory use does not grow
with the file. Arrow files, Feather files (version 2) and Arrow streams, as ``datasets`` writes
them, are one format.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import accumulate, chain, compress, pairwise, repeat
from typing import Any

from formats.detection.head import Head
from formats.detection.spec import (
    FEATURES,
    MEMBER,
    TEXT_FIELD,
    TIME_UNITS,
    UNIT_OPTION,
    FormatSpec,
    Sniff,
    decimals,
)
from formats.io.errors import EncodingFormatError, SizeLimitError, UnreadableFileError
from formats.io.source import Source, is_url
from formats.json.jsonl import NamedRows
from formats.json.rows import SPAN
from formats.json.value import JsonDocument, JsonValue
from formats.manifests.records import first_twice
from formats.manifests.roles import Roles, lacking_column
from formats.reading.member_names import MOST_TRIED, mapped_members
from formats.schema.errors import FileLine, FormatError, OptionError, SyntaxFormatError, quoted
from formats.schema.model import Segment
from formats.tables.arrow_writer import UNIT, write
from formats.tables.messages import TABLE_COLUMNS, TABLE_NULL, TABLE_TOKENS
from formats.tables.nested import (
    TEXTS,
    ColumnPath,
    column_paths,
    find_path,
    holds_texts,
    holds_tokens,
    is_any,
    leaves_of,
    odd_tokens,
    selected,
    texts_of,
)

ROWS = 1 << 14
BUFFER = 1 << 20
PARQUET = b"PAR1"
ARROW = b"ARROW1"
STREAM = b"\xff\xff\xff\xff"
SOUND = ("audio", "file", "wav")
"""Names that may mean a recording, or its sound in bytes."""
NO_TEXT = (b"", b"\xef\xbb\xbf")
BYTES = ("binary", "large_binary", "binary_view", "fixed_size_binary")
NAMES = {PARQUET: "a Parquet file", ARROW: "an Arrow file", STREAM: "a stream of Arrow"}


class ArrowFile:
    """One Parquet or Arrow file, which several threads may read."""

    def __init__(self, name: str, content: str | bytes, signature: bytes) -> None:
        self.name = name
        self._kind = next((kind for kind in NAMES if signature.startswith(kind)), b"")
        if not self._kind:
            expected = f"{NAMES[PARQUET]} or {NAMES[ARROW]}"
            found = "an old Feather file: write it anew" if signature[:4] == b"FEA1" else "another"
            raise SyntaxFormatError(path=name, expected=expected, found=found)
        self._content = content
        self._metadata: Any = None
        try:
            import pyarrow.parquet  # noqa: F401 -- that it is there
        except ImportError:
            raise OptionError(
                path=name, expected="pyarrow to read it (the extra arrow)", found="none"
            ) from None
        self.rows: int | None = None
        self.groups = 1
        # the rows that are read, if they are not all, and the row groups with any of them
        self._chosen: range | None = None
        self._numbers: Sequence[int] = ()
        self._begins: Sequence[int] = ()
        self._sizes: list[int] | None = None
        with self._errors_reported(), self._reader() as reader:
            self.schema = reader.schema
            if self._kind == PARQUET:
                self.schema, self._metadata = reader.schema_arrow, reader.metadata
                self.rows, self.groups = self._metadata.num_rows, self._metadata.num_row_groups
            elif self._kind == ARROW:
                self.groups = reader.num_record_batches
            _Layout(self.schema)  # decodes the names here, where damage is reported
        self._numbers = range(self.groups)

    @contextmanager
    def _reader(self, columns: Sequence[int] = ()) -> Iterator[Any]:
        """Open pyarrow's reader at the start of the file.

        `columns` limits the columns of an Arrow file, and has no effect on Parquet.
        """
        import pyarrow as pa
        import pyarrow.parquet as parquet

        with self._opened() as file:
            if self._kind == PARQUET:
                yield parquet.ParquetFile(
                    file, metadata=self._metadata, buffer_size=BUFFER, pre_buffer=False
                )
                return
            options = pa.ipc.IpcReadOptions(included_fields=list(columns), use_threads=False)
            opened = pa.ipc.open_stream if self._kind == STREAM else pa.ipc.open_file
            yield opened(file, options=options)

    def _opened(self) -> Any:
        """Open the file: a local path, a URL or bytes in memory."""
        import pyarrow as pa

        content = self._content
        if not isinstance(content, str):
            return pa.BufferReader(content)
        if not is_url(content):
            return pa.OSFile(content)
        from formats.io.remote import RemoteFile

        return pa.PythonFile(RemoteFile(content), mode="r")

    @contextmanager
    def _errors_reported(self) -> Iterator[None]:
        """Convert errors that pyarrow raises about the file to `FormatError`."""
        import pyarrow as pa

        try:
            yield
        except FormatError:
            raise
        except MemoryError:
            raise SizeLimitError("needs more memory than there is", path=self.name) from None
        except (pa.ArrowException, OSError, ValueError, KeyError, OverflowError) as problem:
            if isinstance(problem, OSError) and problem.errno is not None:
                reason = problem.strerror or str(problem)
                raise UnreadableFileError(f"cannot be read: {reason}", path=self.name) from None
            reason = " ".join(str(problem).split())[:200]
            raise SyntaxFormatError(
                path=self.name, expected=NAMES[self._kind], found=f"damage ({reason})"
            ) from None

    def batches(
        self, columns: Sequence[str], leaves: Sequence[str] = (), group: int | None = None
    ) -> Iterator[Any]:
        """Yield record batches with these columns, after checking their buffers.

        For a nested column of Parquet, `leaves` holds paths of members, and only these members are
        read. `group` is the index of the only row group to read.
        """
        groups = self._numbers if group is None else [self._numbers[group]]
        skipped, rest = self._bounds(groups)
        with ExitStack() as stack:
            with self._errors_reported():
                places = [self.place(name) for name in columns]
                reader = stack.enter_context(self._reader(places))
                if self._kind == PARQUET:
                    batches = reader.iter_batches(
                        ROWS,
                        row_groups=list(groups),
                        columns=self._leaves(leaves or columns),
                        use_threads=False,
                    )
                elif self._kind == STREAM:
                    batches = iter(reader)
                else:
                    batches = map(reader.get_batch, groups)
            while rest != 0:
                with self._errors_reported():
                    batch = next(batches, None)
                    if batch is None:
                        return
                    batch.validate()
                    batch = selected(batch, columns)
                if rest is not None:
                    size = len(batch)
                    batch = batch.slice(skipped, rest)
                    skipped, rest = max(0, skipped - size), rest - len(batch)
                for begin in range(0, len(batch), ROWS):
                    yield batch.slice(begin, ROWS)

    def _leaves(self, columns: Sequence[str]) -> list[str]:
        """Return the paths of the leaf columns (innermost members in Parquet) of these columns."""
        schema = self._metadata.schema
        numbers = (leaves_of(self.schema, self.path(name)) for name in columns)
        return [schema.column(number).path for number in chain.from_iterable(numbers)]

    def group_rows(self, number: int) -> int:
        """Return how many rows of a Parquet row group are read."""
        _, rest = self._bounds([self._numbers[number]])
        return self._size_of(self._numbers[number]) if rest is None else rest

    def _size_of(self, group: int) -> int:
        return int(self._metadata.row_group(group).num_rows)

    def _bounds(self, groups: Sequence[int]) -> tuple[int, int | None]:
        """Return how many rows of these row groups to skip, and how many to read (`None`: all)."""
        if self._chosen is None:
            return 0, None
        if not groups:
            return 0, 0
        begin, end = self._begins[groups[0]], self._begins[groups[-1] + 1]
        first, last = max(begin, self._chosen.start), min(end, self._chosen.stop)
        return first - begin, max(0, last - first)

    def group_sizes(self) -> list[int]:
        """Return the number of rows in each Parquet row group, or in each Arrow batch."""
        if self._sizes is None:
            self._sizes = self._read_sizes()
        return self._sizes

    def _read_sizes(self) -> list[int]:
        if self._kind == PARQUET:
            return list(map(self._size_of, range(self._metadata.num_row_groups)))
        with self._errors_reported(), self._reader([0]) as reader:
            if self._kind == STREAM:
                return [sum(map(len, reader))]
            return [len(reader.get_batch(number)) for number in range(reader.num_record_batches)]

    @property
    def first(self) -> int:
        """The index in the file of the first row that is read."""
        return 0 if self._chosen is None else self._chosen.start

    @property
    def chosen(self) -> range:
        """The range of rows that are read."""
        return range(sum(self.group_sizes())) if self._chosen is None else self._chosen

    def narrow(self, rows: range) -> None:
        """Restrict reading to a range of rows; row groups without such rows are skipped."""
        self._chosen = rows
        self._begins = [0, *accumulate(self.group_sizes())]
        self._numbers = [
            number
            for number, (begin, end) in enumerate(pairwise(self._begins))
            if max(begin, rows.start) < min(end, rows.stop)
        ]
        self.groups = len(self._numbers)
        self.rows = None if self.rows is None else len(rows)

    def place(self, name: str) -> int:
        """Return the index of a column; for a path, of the column that contains the member."""
        return int(self.schema.names.index(self.path(name).names[0]))

    def path(self, name: str) -> ColumnPath:
        """Return the path of a column, given its name or the path of a nested column."""
        path = find_path(self.schema, name)
        if path is not None:
            return path
        number = self.schema.names.count(name)
        if number:
            expected = f"a column {quoted(name)}"
            raise OptionError(path=self.name, expected=expected, found=f"{number} of them")
        raise lacking_column(column_paths(self.schema), name, self.name)

    def with_paths(self, names: Sequence[str]) -> Any:
        """Return the schema, with an additional column for each name that is a path."""
        schema = self.schema
        for name in names:
            path = find_path(schema, name)
            if path is not None and path.is_nested:
                import pyarrow as pa

                schema = schema.append(pa.field(name, path.kind))
        return schema

    def check_texts(self, name: str) -> None:
        """Reject a column that has no texts."""
        kind = self.path(name).kind
        if not holds_texts(kind):
            raise SyntaxFormatError(
                path=self.name, expected=f"texts in the column {quoted(name)}", found=str(kind)
            )


def open_tables(source: Source) -> Iterator[ArrowFile]:
    """Yield the tables of an input in order. Read each table before the next is opened."""
    for path in source.parts or (None,):
        file = source if path is None else source.beside(path)
        try:
            if not file.head(1)[0] and file.signature in NO_TEXT and path is None:
                return  # an empty file is reported elsewhere
            yield ArrowFile(file.name, file.path_or_data(), file.signature)
        finally:
            if file is not source:
                file.close()


def _is_read(kind: Any) -> bool:
    """Return True if the values of a type are texts or numbers, or lists and structs of these."""
    import pyarrow as pa

    if isinstance(kind, pa.DictionaryType):
        return _is_read(kind.value_type)
    if is_any(kind, ("struct",)):
        return all(_is_read(field.type) for field in kind)
    if is_any(kind, ("list", "large_list")):
        return _is_read(kind.value_type)
    return is_any(kind, (*TEXTS, "primitive", "null", "decimal"))


def _is_object(kind: Any) -> bool:
    """Return True if the type is a map from texts to values, like a JSON object."""
    return is_any(kind, ("map",)) and is_any(kind.key_type, TEXTS) and _is_read(kind.item_type)


class _Layout:
    """The columns of a table that are read. In structs, audio data are not read."""

    def __init__(
        self, schema: Any, roles: Mapping[str, str] | None = None, per_second: int = 1
    ) -> None:
        import pyarrow.types as types

        self._text = (roles or {}).get("text")
        self.tokens = (0, 0)
        decoded = {name for name in (roles or {}).values() if name.lower() not in SOUND}
        self._per_second = per_second
        self.columns: list[str] = []
        self.leaves: list[str] = []
        self.left_out: list[str] = []
        self.fields: dict[str, list[str]] = {}
        for field in schema:
            inner = list(field.type) if types.is_struct(field.type) else []
            names = [member.name for member in inner if _is_read(member.type)]
            is_decoded = field.name in decoded and is_any(field.type, BYTES)
            if _is_read(field.type) or _is_object(field.type) or is_decoded:
                self.columns.append(field.name)
                self.leaves.append(field.name)
            elif names:
                self.columns.append(field.name)
                self.fields[field.name] = names
                self.leaves += [f"{field.name}.{name}" for name in names]
                self.left_out += [
                    f"{field.name}.{member.name}" for member in inner if member.name not in names
                ]
            else:
                self.left_out.append(field.name)

    def values(self, batch: Any) -> dict[str, list[Any]]:
        """Return the columns of a batch that have values, as JSON values."""
        batch.validate(full=True)
        values: dict[str, list[Any]] = {}
        tokens = self.tokens
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            if column.null_count == len(column):
                continue
            if name in self.fields:
                members = self.fields[name]
                rows = zip(*(values_of(column.field(member)) for member in members), strict=True)
                values[name] = [
                    dict(zip(members, row, strict=True)) if is_valid else None
                    for row, is_valid in zip(rows, column.is_valid().to_pylist(), strict=True)
                ]
            else:
                if name == self._text and holds_tokens(column.type):
                    odd, total = odd_tokens(column)
                    tokens = (tokens[0] + odd, tokens[1] + total)
                    column = texts_of(column)
                values[name] = values_of(column, self._per_second)
        self.tokens = tokens
        return values


def values_of(column: Any, per_second: int = 1) -> list[Any]:
    """Return the values of an array as JSON values; durations become text with a unit."""
    import pyarrow as pa
    import pyarrow.types as types

    if types.is_dictionary(column.type):
        column = column.dictionary_decode()
    kind = column.type
    if types.is_duration(kind):
        times = column.cast(pa.duration("ns")).cast(pa.int64()).to_pylist()
        return [None if ns is None else _decimal(ns * per_second) for ns in times]
    if types.is_temporal(kind) or types.is_decimal(kind) or is_any(kind, BYTES):
        column = column.cast(pa.string())
    values: list[Any] = column.to_pylist()
    if types.is_map(kind):
        values = [None if value is None else _object_of(value) for value in values]
    return values


def _decimal(billionths: int) -> str:
    """Return a number of billionths as decimal text, without trailing zeros."""
    from decimal import Decimal

    return format(Decimal(billionths).scaleb(-9).normalize(), "f")


def _object_of(members: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    by_name = dict(members)
    if len(by_name) < len(members):
        name = first_twice(name for name, _ in members) or ""
        raise ValueError(f"a name twice in a map: {quoted(name)}")
    return by_name


class _Rows(JsonDocument):
    """The rows of one table, for messages: rows have numbers instead of lines and columns."""

    def __init__(self, source: Source, name: str) -> None:
        self._set(source, "", 1, [])
        self.name = name

    def place(self, value: JsonValue) -> tuple[int | None, int | None]:
        """Return the row number as line; there is no column."""
        while value.parent is not None:
            value = value.parent
        return FileLine(int(value.step), self.name), None


def read(
    source: Source, *, field: str = "text", time_unit: str = "auto", member: str = ""
) -> Iterator[Segment]:
    """Yield one segment per row."""
    members = mapped_members(member, side=source.log.side)
    for table in open_tables(source):
        schema = table.with_paths((field, *members.values()))
        first = first_values(table)
        roles = Roles(schema.names, field, source, None, members=members, values=first)
        per_second = roles.per_second(TIME_UNITS.get(time_unit, 0) or units_per_second(table))
        layout = _Layout(schema, roles.by_role, per_second)
        if layout.left_out:
            source.log.say(TABLE_COLUMNS, names=list(layout.left_out))
        text = roles.by_role["text"]
        reader = NamedRows(schema.names, roles, source, per_second)
        table.check_texts(text)
        for name in schema.names:
            table.place(name)
        for name in filter(None, map(roles.by_role.get, SPAN)):
            _check_times(table, name)
        rows, silent = _Rows(source, table.name), 0
        for lines, columns in _decoded(table, layout, source):
            filled = [value is not None for value in columns.get(text, ())]
            if not all(filled) or not filled:
                silent += len(lines) - sum(filled)
                lines = list(compress(lines, filled))
                columns = {name: list(compress(column, filled)) for name, column in columns.items()}
            try:
                segments = reader.segments(columns, lines)
            except ValueError:
                segments = None
            if segments is not None:
                yield from segments
                continue
            for line, row in zip(lines, zip(*columns.values(), strict=True), strict=True):
                members = dict(zip(columns, row, strict=True))
                try:
                    yield reader.segment(JsonValue(members, rows, None, line), line)
                except SyntaxFormatError as error:
                    source.log.reject("TABLE-ROW", error)
        if silent:
            source.log.say(TABLE_NULL, rows=silent)
        odd, total = layout.tokens
        if odd:
            source.log.say(TABLE_TOKENS, path=table.name, tokens=odd, total=total)


def units_per_second(table: ArrowFile) -> int:
    """Return the unit of times that the metadata of a table name, as our writer does, or 0."""
    named = (table.schema.metadata or {}).get(UNIT.encode(), b"")
    return TIME_UNITS.get(named.decode("utf-8", "replace"), 0)


def first_values(table: ArrowFile) -> dict[str, list[Any]]:
    """Return the values of the first rows by column, which show what the columns mean.

    Dates and times of the day have no values here. The result is empty if values are damaged.
    """
    import pyarrow as pa

    layout = _Layout(table.schema)
    batch = next(table.batches(layout.columns, layout.leaves), None)
    try:
        values = {} if batch is None else layout.values(batch.slice(0, MOST_TRIED))
    except (pa.ArrowException, ValueError):
        return {}
    return {name: column for name, column in values.items() if not _has_dates(table, name)}


def _has_dates(table: ArrowFile, name: str) -> bool:
    """Return True if a column has dates or times of the day."""
    import pyarrow.types as types

    kind = table.path(name).kind
    inner = kind.value_type if types.is_dictionary(kind) else kind
    return bool(types.is_temporal(inner) and not types.is_duration(inner))


def _check_times(table: ArrowFile, name: str) -> None:
    """Reject a column of dates or of times of the day."""
    if _has_dates(table, name):
        expected = f"numbers or durations in the column {quoted(name)}"
        found = str(table.path(name).kind)
        raise SyntaxFormatError(path=table.name, expected=expected, found=found)


def _decoded(
    table: ArrowFile, layout: _Layout, source: Source
) -> Iterator[tuple[list[FileLine], dict[str, list[Any]]]]:
    """Yield batches of rows as columns, each with the row numbers. Damaged rows are rejected."""
    import pyarrow as pa

    done = 0
    for batch in table.batches(layout.columns, layout.leaves):
        lines = list(map(FileLine, range(done + 1, done + len(batch) + 1), repeat(table.name)))
        done += len(batch)
        try:
            columns = layout.values(batch)
        except (pa.ArrowException, ValueError):
            pass  # row by row, below
        else:
            yield lines, columns
            continue
        for index, line in enumerate(lines):
            try:
                columns = layout.values(batch.slice(index, 1))
            except (pa.ArrowException, ValueError) as problem:
                reason = " ".join(str(problem).split())[:200]
                is_coded = "UTF8" in reason or "utf-8" in reason
                kind = EncodingFormatError if is_coded else SyntaxFormatError
                expected = "texts in UTF-8" if is_coded else "values"
                error = kind(line=line, expected=expected, found=f"others ({reason})")
                source.log.reject("TABLE-VALUE", error)
                continue
            yield [line], columns


def sniff(kinds: tuple[bytes, ...], head: Head) -> Sniff:
    """Return `SURE` if the first bytes are those of an Arrow or Parquet file."""
    return Sniff.SURE if head.signature.startswith(kinds) else Sniff.NO


def _spec(title: str, sign: str, *kinds: bytes) -> FormatSpec:
    return FormatSpec(
        title=title,
        sign=sign,
        read=read,
        write=partial(write, PARQUET in kinds),
        sniff=partial(sniff, kinds),
        holds=tuple(n for n in FEATURES if n not in ("alternations", "definitions", "comments")),
        read_options=(
            TEXT_FIELD,
            UNIT_OPTION,
            MEMBER,
        ),
        write_options=(decimals(9),),
    )


PARQUET_SPEC = _spec("tables of Parquet: one utterance per row", "PAR1", PARQUET)
ARROW_SPEC = _spec(
    "tables of Arrow and Feather, data sets of Hugging Face: one utterance per row",
    "ARROW1, or a stream of Arrow",
    *(ARROW, STREAM),
)
