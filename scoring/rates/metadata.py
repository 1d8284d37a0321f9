"""Facts about utterances, recordings or speakers from a file of their own, to group results by.

A table (CSV, TSV or Parquet) with a header, or one of Kaldi's files of two columns, such as
`utt2lang` and `spk2gender`. Its identifiers are those of utterances, recordings or speakers,
whichever most utterances have.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import isfinite
from typing import NamedTuple

from scoring.errors import InputError
from scoring.options import LEVELS, MetadataGiven
from scoring.sides.account import ListedNames

NONE = "(none)"
# A column of numbers with more values than this is cut into parts with equal numbers of words.
MOST_VALUES, PARTS = 20, 4
_KALDI = re.compile(r"(?:utt|spk|reco|rec|wav)2(\w+)\Z")


class Metadata(NamedTuple):
    """A table: by name of column the value of each identifier; empty values are absent.

    `conflicts` has a message for each column in which an identifier has two values.
    """

    path: str
    identifiers: frozenset[str]
    columns: Mapping[str, Mapping[str, str]]
    conflicts: Mapping[str, InputError]


class Joined(NamedTuple):
    """Columns by name, a value for each utterance; all names; a note on utterances without."""

    columns: Mapping[str, Sequence[str]]
    names: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


NO_COLUMNS = Joined({})


class JoinKeys(NamedTuple):
    """What utterances are called on each level, None where unknown."""

    utterance: Sequence[str | None]
    recording: Sequence[str | None]
    speaker: Sequence[str | None]


def join_metadata(
    given: MetadataGiven,
    names: Sequence[str],
    keys: JoinKeys,
    key: str | None = None,
    encoding: str = "utf-8",
) -> Joined:
    """The columns of these names that the metadata has, a value for each utterance.

    Parameters
    ----------
    given
        A file, or a mapping from identifiers to values by name of column.
    names
        The columns that are asked for; those that the metadata does not have are skipped. Without
        any, the only column.
    key
        `utterance`, `recording` or `speaker`, and after `=` the column of the identifiers (default:
        the first). None: the level is the one with most matches.

    Raises
    ------
    InputError
        If the file is invalid, no identifier matches, or two levels match equally well and give
        different groups.
    """
    level, _, column = (key or "").partition("=")
    metadata = _read(given, column, encoding)
    for name in names:
        if name in metadata.conflicts:
            raise metadata.conflicts[name]
    every = tuple(metadata.columns)
    if not names and len(every) != 1:
        found = ", ".join(every) or "no columns"
        raise _error(metadata.path, f"expected --by with a column of the metadata, found {found}")
    asked = [name for name in names or every if name in metadata.columns]
    if not asked:
        return Joined({}, every)
    levels = [level] if level else LEVELS
    matches = {
        name: sum(value in metadata.identifiers for value in getattr(keys, name)) for name in levels
    }
    most = max(matches.values())
    if not most:
        example = next(iter(sorted(metadata.identifiers)), "nothing")
        expected = " or ".join(f"{name}s" for name in levels)
        first = next(iter(keys.utterance), "no utterance")
        message = f"expected identifiers of {expected}, such as {first!r}, found {example!r}"
        raise _error(metadata.path, message)
    best = [name for name, number in matches.items() if number == most]
    tables = [
        {
            name: [metadata.columns[name].get(value or "", NONE) for value in getattr(keys, level)]
            for name in asked
        }
        for level in best
    ]
    if any(table != tables[0] for table in tables):
        found = " and ".join(f"{name}s" for name in best)
        message = f"expected identifiers of one kind, found as many of {found}"
        raise _error(metadata.path, f"{message} (--metadata-key {best[0]})")
    present = [value in metadata.identifiers for value in getattr(keys, best[0])]
    if all(present):
        return Joined(tables[0], every)
    lacking = ListedNames.of(
        str(name)
        for name, is_present in zip(keys.utterance, present, strict=True)
        if not is_present
    )
    note = f"note: {metadata.path}: joined by {best[0]}; utterances without values, group {NONE}: "
    return Joined(tables[0], every, (f"{note}{lacking}",))


def _error(path: str, message: str, line: int | None = None) -> InputError:
    return InputError(path, line, None, message)


def _read(given: MetadataGiven, column: str, encoding: str) -> Metadata:
    if isinstance(given, Mapping):
        facts = dict.fromkeys(name for values in given.values() for name in values)
        rows = ([key, *(values.get(name) for name in facts)] for key, values in given.items())
        return _table("<metadata>", ["identifier", *facts], enumerate(rows, 1), column)
    path = os.fspath(given)
    suffix = os.path.splitext(path)[1].lower()
    kaldi = _KALDI.match(os.path.basename(path))
    if kaldi is None and suffix not in (".csv", ".tsv", ".parquet", ".arrow", ".feather"):
        raise _error(
            path,
            "expected a name with .csv, .tsv or .parquet, or Kaldi's utt2lang, "
            f"spk2gender and the like, found {os.path.basename(path)!r}",
        )
    from formats.source import open_source

    with open_source(path, encoding=encoding) as source:
        if suffix in (".parquet", ".arrow", ".feather"):
            from formats.tables.arrow import open_tables, values_of

            [table] = open_tables(source)
            names: list[str] = table.schema.names
            batches = table.batches(names)
            columns = ([values_of(batch.column(n)) for n in range(len(names))] for batch in batches)
            cells = (row for batch in columns for row in zip(*batch, strict=True))
            return _table(path, names, enumerate(cells, 1), column)
        if kaldi is not None:
            pairs = ((n, line.split(None, 1)) for n, line in source.lines() if line.strip())
            return _table(path, ["identifier", kaldi[1]], pairs, column)
        from formats.tables.table import csv_rows

        lines = csv_rows(source, "\t" if suffix == ".tsv" else ",")
        header = next(lines, None)
        if header is None:
            raise _error(path, "expected a header, found an empty file")
        return _table(path, [name.strip() for name in header[1]], lines, column)


def _table(
    path: str, names: Sequence[str], rows: Iterable[tuple[int, Sequence[object]]], key: str
) -> Metadata:
    """The columns by identifier; `key` is the name of their column, the first if it is empty."""
    if key and key not in names:
        raise _error(path, f"expected a column {key!r}, found {', '.join(names)}", 1)
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        raise _error(path, f"expected column names used once, found {min(repeated)!r} again", 1)
    place = names.index(key) if key else 0
    columns: dict[str, dict[str, str]] = {name: {} for name in names if name != names[place]}
    conflicts: dict[str, InputError] = {}
    identifiers = set()
    for number, row in rows:
        if len(row) > len(names) or place >= len(row):
            raise _error(path, f"expected {len(names)} fields, found {len(row)}", number)
        identifier = str(row[place]).strip()
        identifiers.add(identifier)
        for name, value in zip(names, row, strict=False):
            text = "" if value is None else str(value).strip()
            if name == names[place] or not text:
                continue
            before = columns[name].setdefault(identifier, text)
            if before != text and name not in conflicts:
                conflicts[name] = _error(
                    path,
                    f"expected one {name!r} of {identifier!r}, found {before!r} and {text!r}",
                    number,
                )
    return Metadata(path, frozenset(identifiers), columns, conflicts)


def binned(
    values: Sequence[str | None], words: Sequence[int], bins: Sequence[float] = ()
) -> Sequence[str | None]:
    """A column of numbers cut into ranges; any other column as it is.

    Parameters
    ----------
    values
        Texts, one for each utterance; None or `(none)` where there is none.
    words
        Reference words of each utterance.
    bins
        The borders, ascending. Without them a column with more than 20 different numbers is cut
        into four ranges with nearly equal numbers of words.

    Examples
    --------
    >>> binned(["0.5", "3", "12", "(none)"], [1, 1, 1, 1], [0, 2, 10])
    ['[0, 2)', '[2, 10)', '>= 10', '(none)']
    """
    numbers = [_number(value) for value in values]
    finite = [number for number in numbers if number is not None]
    is_number = bool(finite) and all(
        number is not None or value in (None, NONE)
        for number, value in zip(numbers, values, strict=True)
    )
    borders = list(bins)
    if is_number and not bins and len(set(finite)) > MOST_VALUES:
        borders = list(_quartiles(numbers, words))
    if not is_number or not borders:
        return values
    texts = [f"{border:.12g}" for border in borders]
    inner = (f"[{low}, {high})" for low, high in pairwise(texts))
    labels = [f"< {texts[0]}", *inner, f">= {texts[-1]}"]
    return [
        value if number is None else labels[bisect_right(borders, number)]
        for value, number in zip(values, numbers, strict=True)
    ]


def _number(value: str | None) -> float | None:
    try:
        number = float(value or "")
    except ValueError:
        return None
    return number if isfinite(number) else None


def _quartiles(numbers: Sequence[float | None], words: Sequence[int]) -> Iterator[float]:
    """The borders between four ranges with nearly equal numbers of words; equal numbers stay."""
    totals: dict[float, int] = {}
    for number, count in zip(numbers, words, strict=True):
        if number is not None:
            totals[number] = totals.get(number, 0) + count
    whole, smaller, part = sum(totals.values()), 0, 1
    for place, number in enumerate(sorted(totals)):
        if place and PARTS * smaller >= part * whole:
            yield number
            while part < PARTS and PARTS * smaller >= part * whole:
                part += 1
        if part == PARTS:
            return
        smaller += totals[number]
