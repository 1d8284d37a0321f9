"""The tables of a score: which files are tables, and which columns they have."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from formats.io.folders import files_of_table
from formats.io.source import is_collection, is_url, open_source
from formats.manifests.messages import NEAR_COLUMN, NO_COLUMN, TEXT_COLUMN
from formats.manifests.roles import VAGUE, Roles, names_in_line
from formats.reading import detect_source, stream
from formats.reading.member_names import NAMES
from formats.schema.errors import FormatError, OptionError
from formats.schema.messages import Advice, Message
from formats.tables.arrow import (
    ARROW,
    PARQUET,
    STREAM,
    ArrowFile,
    open_tables,
)
from formats.tables.nested import (
    column_paths,
)
from scoring.score.text_tables import BatchedText
from scoring.sides.side_files import is_manifest

if TYPE_CHECKING:
    from scoring.results.record import Shard


class TableInputs:
    """The rows of files, folders and patterns, one table at a time in bounded memory.

    For a shard, only the row groups with rows of the shard are read.
    """

    def __init__(self, paths: Sequence[str], shard: Shard | None = None) -> None:
        self._paths = paths
        self.rows = 0
        self._bytes = self._before = 0
        self._place = (0, 1, 1)
        self._chosen: range | None = None
        if shard is not None:
            self._sizes = [table.group_sizes() for table in self._tables()]
            self._chosen = shard.rows(list(chain.from_iterable(self._sizes)))
            self._bytes = self._before = 0

    @property
    def begin(self) -> int:
        """The number of rows before the first row that is read."""
        return 0 if self._chosen is None else self._chosen.start

    def __iter__(self) -> Iterator[ArrowFile]:
        if self._chosen is None:
            yield from self._tables()
            return
        row, has_rows = 0, False
        for table, sizes in zip(self._tables(), self._sizes, strict=True):
            count = sum(sizes)
            first, last = (
                min(max(border - row, 0), count) for border in (self.begin, self._chosen.stop)
            )
            row += count
            # the last one has the columns of a shard without rows
            if first < last or (not has_rows and row >= self._chosen.stop):
                has_rows = True
                table.narrow(range(first, last))
                yield table
            if row >= self._chosen.stop:
                break

    def _tables(self) -> Iterator[ArrowFile]:
        for path in self._paths:
            if path != "-":
                with open_source(path) as source:
                    self._bytes += sum(map(_size, source.parts or [path]))
        names = set[str]()
        for path in self._paths:
            # read batch by batch, whatever its size
            with open_source(path, max_bytes=1 << 62) as source:
                is_table = False
                for table in open_tables(source):
                    is_table, size = True, _size(table.name)
                    target = os.path.realpath(table.name)
                    if target in names and size:
                        raise OptionError(
                            path=table.name, expected="each table once", found="twice"
                        )
                    names.add(target)
                    self._place = (self.rows, table.rows or 0, size)
                    yield table
                    self._before += size
                if not is_table:
                    raise OptionError(path=source.name, expected="a table", found="an empty file")

    def read(self, rows: int) -> float:
        """Count `rows` as read.

        Return the fraction of the tables that has been read, from 0 to 1.
        """
        self.rows += rows
        if self._chosen is not None:
            return min(1.0, self.rows / max(1, len(self._chosen)))
        begin, count, size = self._place
        share = (self.rows - begin) / count if count else 0.0
        return min(1.0, (self._before + share * size) / max(1, self._bytes))


def _size(path: str) -> int:
    return os.path.getsize(path) if os.path.isfile(path) else 0


def name_of(paths: Sequence[str]) -> str:
    """Return the path of a single table, or the folder of the first of several tables.

    Commands may write reports beside this path.
    """
    is_one = len(paths) == 1 and (os.path.exists(paths[0]) or is_url(paths[0]))
    if is_one:
        return paths[0].rstrip("/")
    here = os.path.dirname(paths[0]) or os.path.basename(os.getcwd())
    return here or "tables"


def of_this_machine(paths: Sequence[str]) -> list[str]:
    """Return the files, folders and patterns that exist on this machine."""
    here = [path for path in paths if path != "-" and not is_url(path)]
    return [path for path in here if is_binary_table(path) is not None]


def roles_of(names: Sequence[str], text: str) -> dict[str, str]:
    """Return the columns of names and groups by role.

    `text` is the text column, maybe a nested one.
    """
    return Roles(names if text in names else [*names, text], text).by_role


def may_read_part(paths: Sequence[str]) -> bool:
    """Return True if the rows of a shard can be read without reading the rest of the tables."""
    return "-" not in paths and all(map(is_binary_table, paths))


def is_binary_table(path: str) -> bool | None:
    """Return True if a path is Parquet or Arrow, False for other files, None if it is missing."""
    signatures = (PARQUET, ARROW[:4], STREAM)
    if is_url(path):
        with open_source(path) as source:
            source.head(1)
            return source.signature[:4] in signatures
    if os.path.isfile(path):
        with open(path, "rb") as file:
            return file.read(4) in signatures
    return path == "-" or bool(files_of_table(path)) or None


def column_of_side(
    side: str, paths: Sequence[str], chosen: Sequence[str], encoding: str
) -> str | None:
    """Return the only column that has the usual name of a side's words; None if there is no such.

    `chosen` are the columns of the other side. Several columns are none, except that `pred_text`
    is always the hypothesis. Only the first table is looked at, if it is on this machine.
    """
    try:
        columns = [
            name
            for name in names_of_columns(paths[0], (*chosen, None)[0], encoding)
            if name not in chosen
        ]
    except (FormatError, OSError):
        # the table is read again, with its errors, such as that it has no column of that name
        if side == "hypothesis" or not chosen or len(paths) > 1:
            return None
        if (column := column_of_side(side, paths, [], encoding)) is None:
            raise
        return column
    usual = NAMES["text" if side == "reference" else "pred_text"].usual
    named = [name for name in columns if name.lower() in usual]
    certain = [name for name in named if name.lower() not in VAGUE] or named
    if side == "hypothesis" and usual[0] in certain:
        return usual[0]
    return certain[0] if len(certain) == 1 else None


def are_tables_of_both(folder: str) -> bool:
    """Return True if a folder has Parquet or Arrow tables with the words of both sides."""
    if not is_binary_table(folder):
        return False
    reference = column_of_side("reference", [folder], [], "auto")
    return reference is not None and bool(
        column_of_side("hypothesis", [folder], [reference], "auto")
    )


def names_of_columns(path: str, column: str | None, encoding: str) -> list[str]:
    """Return the names of a table's columns; `column` is the name of one with texts.

    Without it, the first line of a text table shows the names.
    """
    if not of_this_machine([path]):
        return []
    if is_binary_table(path):
        return column_paths(next(iter(TableInputs([path]))).schema)
    if column is None:
        with open_source(path) as source:
            return names_in_line(next(iter(source.head_lines()), ""))
    check_is_table(path)
    with stream(path, encoding=encoding, field=column) as segments:
        first = next(iter(segments), None)
    return [] if first is None else [name for name, _ in first.properties]


def is_table(path: str) -> bool:
    """Return True if a readable file is a table."""
    try:
        check_is_table(path)
    except (FormatError, OSError):
        return False
    return True


def check_is_table(path: str) -> None:
    """Raise an error if a path is a file of another kind than a table."""
    if is_collection(path):
        return
    with open_source(path) as source:
        name = detect_source(source).name
    if not is_manifest(name):
        expected = "a table (CSV, TSV, Excel, JSON lines, Parquet or Arrow)"
        raise OptionError(path=path, expected=expected, found=name)


def check_columns(
    table: ArrowFile | BatchedText, references: Sequence[str], hypotheses: Sequence[str]
) -> None:
    """Reject names of text columns that a table lacks, and columns without texts."""
    names = (*references, *hypotheses)
    for place, name in enumerate(names):
        try:
            table.check_texts(name)
        except OptionError as error:
            side = "reference" if place < len(references) else "hypothesis"
            advise_column(error, side, names)
            raise


def advise_column(error: FormatError, side: str, chosen: Sequence[str]) -> None:
    """Name the option of a missing column in the error; never suggest a column that was chosen."""
    value = error.value
    if value is None:
        return
    if value.entry in (NO_COLUMN, NEAR_COLUMN):
        near = [name for name in value.fields.get("near", ()) if name not in chosen]
        fields = {name: value.fields[name] for name in ("column", "names")}
        value = (
            Message(NEAR_COLUMN, {**fields, "near": near}) if near else Message(TEXT_COLUMN, fields)
        )
    error.value = value.with_option("field", Advice(f"{side}_column", "NAME"))
    error.message = str(error.value)
