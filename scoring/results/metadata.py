"""Metadata about utterances, recordings or speakers from a separate file, for groups.

The file is a table (CSV, TSV or Parquet) with a header, or a file of Kaldi with two columns, such
as `utt2lang` and `spk2gender`. Its identifiers name utterances, recordings or speakers; of these,
the kind that matches most utterances is used.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from formats.schema.messages import Message
from scoring.alignment.results import LazyColumn
from scoring.model.errors import InputError
from scoring.options import LEVELS, MetadataGiven, Options
from scoring.results.messages import (
    BY_COLUMN,
    BY_NO_COLUMN,
    LEVELS_EQUAL,
    NO_IDENTIFIERS,
    OTHER_IDENTIFIERS,
    SPEAKERS_IN_NAMES,
    SPEAKERS_OF_METADATA,
    WITHOUT_METADATA,
)
from scoring.results.value_order import NONE
from scoring.sides.corpus import ListedNames

if TYPE_CHECKING:
    from formats.io.source import Source

# By name: of each utterance its value, None where there is none.
PropertyColumns: TypeAlias = Mapping[str, Sequence[str | None]]
# A column of numbers with more values than this is cut into parts with equal numbers of words.
MOST_VALUES, PARTS = 20, 4
SHIFT = 0.005  # the share of words by which a border may move so that it has fewer digits
# Roles of columns whose numbers are names. `text` includes labels.
_NAMED = ("text", "id", "recording", "speaker", "channel")
_KALDI = re.compile(r"(?:utt|spk|reco|rec|wav)2(\w+)\Z")
_BINARY = (".parquet", ".arrow", ".feather")


class Metadata(NamedTuple):
    """The requested metadata columns by name; each column maps identifiers to nonempty values."""

    path: str = ""
    names: Sequence[str] = ()  # of all columns but that of the identifiers
    identifiers: frozenset[str] = frozenset()
    columns: Mapping[str, Mapping[str, str]] = {}
    by: Sequence[str] = ()  # the columns that are groups if the options name none

    def values(self, keys: PropertyColumns, key: str | None) -> PropertyColumns:
        """Return the columns with one value per utterance; see `groups`."""
        return self._joined(keys, key)[0]

    def groups(
        self,
        options: Options,
        others: PropertyColumns,
        keys: PropertyColumns,
        words: Sequence[int],
        path: str,
    ) -> tuple[PropertyColumns, tuple[Message, ...]]:
        """Return the requested columns, and notes on utterances without metadata.

        `others` are columns of the reference at `path`. `keys` has for each level (`LEVELS`) the
        identifier of each utterance, None if unknown.
        """
        columns, remarks = self._joined(keys, options.metadata_key)
        columns = {**others, **columns}
        cut = {
            name: binned(columns[name], words, options.bins)
            if name in self.columns or options.bins or not _names_something(name)
            else columns[name]
            for name in options.by or self.by
        }
        if options.bins and all(cut[name] is columns[name] for name in cut):
            message = f"bins: expected a column of numbers to cut, found {', '.join(cut)}"
            raise _error(path, message)
        return cut, remarks

    def _beginnings(self, utterance: str) -> list[str]:
        """Return the identifiers of the metadata with which the name of an utterance begins.

        A sign that is no letter or digit ends such a beginning.
        """
        parts = re.split(r"[\W_]", utterance)
        lengths = accumulate(map(len, parts[:-1]), lambda end, part: end + 1 + part)
        return [
            utterance[:length]
            for length in lengths
            if length and utterance[:length] in self.identifiers
        ]

    def _speakers_in_names(self, keys: PropertyColumns) -> list[str]:
        """Return the speaker with whose identifier the name of each utterance begins.

        The result is empty if there are other speakers, or if any utterance begins with none or
        with several identifiers of the metadata.
        """
        if any(keys["speaker"]):
            return []
        found = [self._beginnings(str(utterance)) for utterance in keys["utterance"]]
        return [row[0] for row in found] if all(len(row) == 1 for row in found) else []

    def _begun_by(self, keys: PropertyColumns) -> dict[str, str]:
        """Return an utterance without speaker whose identifier begins with one of the metadata.

        The result is empty if there is none.
        """
        if any(keys["speaker"]):
            return {}
        for utterance in map(str, keys["utterance"]):
            if beginnings := self._beginnings(utterance):
                return {"first": utterance, "found": beginnings[0]}
        return {}

    def _joined(
        self, keys: PropertyColumns, key: str | None
    ) -> tuple[PropertyColumns, tuple[Message, ...]]:
        """Return the columns with one value per utterance.

        The identifiers of metadata are compared with those of the level `key`; without `key`, with
        those of the level at which most match.

        Also return notes on utterances without metadata.
        """
        if not self.columns:
            return {}, ()
        levels = [key.partition("=")[0]] if key else LEVELS
        matches = {
            level: sum(value in self.identifiers for value in keys[level]) for level in levels
        }
        most = max(matches.values())
        notes: tuple[Message, ...] = ()
        if not most and "speaker" in levels and (speakers := self._speakers_in_names(keys)):
            keys = {**keys, "speaker": speakers}
            matches["speaker"] = most = len(speakers)
            first = {"first": next(iter(keys["utterance"])), "found": speakers[0]}
            notes = (Message(SPEAKERS_IN_NAMES, {"path": self.path, **first}),)
        if not most:
            wanted = {"levels": [f"{level}s" for level in levels]}
            fields: dict[str, Any] = {**wanted, "first": next(iter(keys["utterance"]), "")}
            value = Message(NO_IDENTIFIERS, fields)
            if beginning := self._begun_by(keys):
                value = Message(SPEAKERS_OF_METADATA, {**fields, **beginning})
            elif self.identifiers:
                value = Message(OTHER_IDENTIFIERS, {**fields, "found": min(self.identifiers)})
            raise _error(self.path, value)
        best = [level for level, number in matches.items() if number == most]
        table, *others = (
            {
                name: [values.get(value or "", NONE) for value in keys[level]]
                for name, values in self.columns.items()
            }
            for level in best
        )
        if any(other != table for other in others):
            equal = {"levels": [f"{level}s" for level in best], "level": best[0]}
            raise _error(self.path, Message(LEVELS_EQUAL, equal))
        lacking = ListedNames.of(
            str(name)
            for name, value in zip(keys["utterance"], keys[best[0]], strict=True)
            if value not in self.identifiers
        )
        if not lacking.number:
            return table, notes
        level = {"path": self.path, "level": best[0], "group": NONE}
        return table, (Message(WITHOUT_METADATA, {**level, **lacking.fields}),)


def read_metadata(options: Options) -> Metadata:
    """Read the columns of the metadata that `by` and `where` name; without these, the only one."""
    if options.metadata is None:
        return Metadata()
    path = "<metadata>" if isinstance(options.metadata, Mapping) else os.fspath(options.metadata)
    rows = _rows(options.metadata, options.encoding)
    names = [str(name).strip() for name in next(rows, (0, ()))[1]]
    key = (options.metadata_key or "").partition("=")[2]
    if not names:
        raise _error(path, "expected a header, found an empty file")
    if key and key not in names:
        raise _error(path, f"expected a column {key!r}, found {', '.join(names)}", 1)
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        raise _error(
            path, f"the column name {min(repeated)!r} appears twice: rename one of the columns", 1
        )
    place = names.index(key) if key else 0
    facts = [name for name in names if name != names[place]]
    used_names = options.by
    if options.where:
        from scoring.model.row_conditions import conditions_of

        used_names = (*used_names, *(condition.name for condition in conditions_of(options.where)))
    has_wanted = bool(options.by) or not {*used_names}.isdisjoint(facts)
    if not has_wanted and len(facts) != 1:
        raise _error(path, Message(BY_COLUMN, {"names": facts}) if facts else Message(BY_NO_COLUMN))
    columns: dict[str, dict[str, str]] = {
        name: {} for name in (used_names if has_wanted else facts) if name in facts
    }
    places = {name: names.index(name) for name in columns}
    identifiers = set()
    for number, row in rows:
        if len(row) > len(names) or place >= len(row):
            raise _error(path, f"expected {len(names)} fields, found {len(row)}", number)
        cells = ["" if value is None else str(value).strip() for value in row]
        identifiers.add(identifier := cells[place])
        for name, values in columns.items():
            text = cells[places[name]] if places[name] < len(cells) else ""
            if text and values.setdefault(identifier, text) != text:
                pair = f"{values[identifier]!r} and {text!r}"
                message = f"expected one {name!r} of {identifier!r}, found {pair}"
                raise _error(path, message, number)
    by = () if has_wanted else facts
    return Metadata(path, facts, frozenset(identifiers), columns, by)


def _rows(given: MetadataGiven, encoding: str) -> Iterator[tuple[int, Sequence[object]]]:
    """Yield the column names of a table, then all rows, each with its line or row number."""
    if isinstance(given, Mapping):
        facts = dict.fromkeys(name for values in given.values() for name in values)
        yield 1, ["identifier", *facts]
        for number, (identifier, values) in enumerate(given.items(), 1):
            yield number, [identifier, *map(values.get, facts)]
        return
    path = os.fspath(given)
    name, suffix = os.path.basename(path), os.path.splitext(path)[1].lower()
    kaldi = _KALDI.match(name)
    if kaldi is None and suffix not in (".csv", ".tsv", ".xlsx", *_BINARY):
        expected = (
            "a name with .csv, .tsv, .xlsx or .parquet, or the name of a file of Kaldi such as "
            "utt2lang or spk2gender"
        )
        raise _error(path, f"expected {expected}, found {name!r}")
    from formats.io.decoding import certain
    from formats.io.source import open_source

    with open_source(path, encoding=certain(encoding)) as source:
        if kaldi is not None:
            yield 1, ["identifier", kaldi[1]]
            yield from ((n, line.split(None, 1)) for n, line in source.lines() if line.strip())
        elif suffix in _BINARY:
            yield from _binary_rows(source)
        elif suffix == ".xlsx":
            from formats.tables.workbook import sheet_rows

            yield from sheet_rows(source)
        else:
            from formats.tables.csv_file import csv_rows

            yield from csv_rows(source, "\t" if suffix == ".tsv" else "")


def _binary_rows(source: Source) -> Iterator[tuple[int, Sequence[object]]]:
    """Yield the numbered rows of Parquet or Arrow files; all files of a folder are one table."""
    from formats.tables.arrow import open_tables, values_of

    names: list[str] = []
    number = 0
    for table in open_tables(source):
        if not names:
            names = table.schema.names
            yield 1, names
        for batch in table.batches(names):
            for row in zip(*map(values_of, batch.columns), strict=True):
                number += 1
                yield number, row


def _error(path: str, message: str | Message, line: int | None = None) -> InputError:
    return InputError(path, line, None, message)


def binned(
    values: Sequence[str | None], words: Sequence[int], bins: Sequence[float] = ()
) -> Sequence[str | None]:
    """Cut a column of numbers into ranges at the borders `bins`; return other columns unchanged.

    Without borders, a column with more than 20 distinct numbers is cut into four ranges with about
    equal numbers of words.

    >>> binned(["0.5", "3", "12", "(none)"], [1, 1, 1, 1], [0, 2, 10])
    ['[0, 2)', '[2, 10)', '>= 10', '(none)']
    """
    distinct = values.distinct() if isinstance(values, LazyColumn) else set(values)
    if any(_number(value) is None and value not in (None, NONE) for value in distinct):
        return values
    numbers = [_number(value) for value in values]
    finite = [number for number in numbers if number is not None]
    borders = list(bins)
    if not bins and len(set(finite)) > MOST_VALUES:
        borders = _quartiles(numbers, words)
    if not finite or not borders:
        return values
    texts = [f"{border:.12g}" for border in borders]
    inner = (f"[{low}, {high})" for low, high in pairwise(texts))
    labels = [f"< {texts[0]}", *inner, f">= {texts[-1]}"]
    return [
        value if number is None else labels[bisect_right(borders, number)]
        for value, number in zip(values, numbers, strict=True)
    ]


def is_cut(name: str, values: Sequence[str | None]) -> bool:
    """Return True if a column of the reference with these values is cut into ranges."""
    return not _names_something(name) and binned(values, [1] * len(values)) is not values


def _names_something(name: str) -> bool:
    """Return True if the name of a column suggests that its numbers are identifiers."""
    from formats.reading.member_names import NAMES, name_parts, plain_name

    plain = plain_name(name)[0]
    return "id" in name_parts(name) or any(plain in NAMES[role].plain for role in _NAMED)


def _number(value: str | None) -> float | None:
    try:
        number = float(value or "")
    except ValueError:
        return None
    return number if isfinite(number) else None


def _quartiles(numbers: Sequence[float | None], words: Sequence[int]) -> list[float]:
    """Return the borders of four ranges with similar numbers of words.

    Equal values are in the same range. A border has as few digits as possible; for that, up to
    0.5 % of the words may be in the next range.
    """
    totals = Counter[float]()
    for number, count in zip(numbers, words, strict=True):
        if number is not None:
            totals[number] += count
    ordered = sorted(totals)
    *before, whole = accumulate(map(totals.__getitem__, ordered), initial=0)

    def place_of(words_before: float) -> int:
        return max(1, bisect_left(before, words_before))

    parts = [part * whole / PARTS for part in range(1, PARTS)]
    borders = []
    for target in dict.fromkeys(parts):
        lowest, place, highest = (place_of(target + whole * share) for share in (-SHIFT, 0, SHIFT))
        if place < len(ordered):
            ends = ordered[lowest - 1], ordered[min(highest, len(ordered) - 1)]
            borders.append(_shortest(ordered[place], *ends))
    return sorted(set(borders))


def _shortest(value: float, low: float, high: float) -> float:
    """Return the number nearest to a value that has the fewest digits, in (low, high].

    >>> _shortest(15.0233366015, 14.98, 15.05), _shortest(18.0, 17.0, 18.0)
    (15.0, 18.0)
    """
    for digits in range(-9, 16):
        rounded = round(value, digits)
        if low < rounded <= high:
            return rounded
    return value
