"""Open both sides, whatever they are given as: files, texts, lists, mappings, columns."""

from __future__ import annotations

import os
from array import array
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from scoring.model.errors import InputError
from scoring.sides.corpus import Corpus, RowNumbers
from scoring.sides.given import Given, as_corpus, file_of, listed, reading_of
from scoring.sides.reading import AS_FOUND, Reading

if TYPE_CHECKING:
    from formats.schema.errors import UnknownFormatError
    from scoring.alignment.texts import Texts
    from scoring.options import SeriesMatch
    from scoring.score.pairs import LikelyKaldi, Undecided

# Smaller files are read as quickly into segments.
LEAST_BYTES = 1 << 18


def as_side(source: Given, role: str, reading: Reading = AS_FOUND) -> Corpus:
    """One side, whatever it was given as: `scoring.sides.given.as_corpus`, and columns.

    The identifiers of a column are the numbers of its rows; one that is null, or otherwise
    missing, is no utterance. A large file of an utterance per line is read as columns, too.
    """
    columns = _columns_of_file(source, reading)
    return columns if isinstance(columns, Corpus) else _as_given(source, role, reading)


def _as_given(source: Given, role: str, reading: Reading) -> Corpus:
    """As `as_side`; files are read by their formats' readers."""
    is_column = file_of(source) is None and not isinstance(source, Corpus | str | list | tuple)
    columns = _side_of_column(source, role) if is_column else None
    return as_corpus(source, role, reading) if columns is None else columns


def _columns_of_file(source: Given, reading: Reading) -> Corpus | LikelyKaldi | None:
    """The columns of a large file of an utterance per line; None for anything else."""
    file = file_of(source)
    if file is None or file.name is None:
        return None
    try:
        if os.stat(file.name).st_size < LEAST_BYTES:
            return None
    except (OSError, ValueError):
        return None  # the reader reports the problem
    from scoring.score.line_columns import columns_of

    return columns_of(file.name, reading_of(file, reading))


def _side_of_column(column: object, role: str) -> Corpus | None:
    """A side from a column of any library, of numpy, or an iterator; None for anything else."""
    from scoring.alignment.texts import rows_from, texts_from

    try:
        texts = texts_from(column, role)
    except ValueError as problem:
        raise InputError(f"<{role}>", None, None, str(problem).partition(": ")[2]) from None
    if texts is not None:
        return side_of_texts(role, texts)
    rows = rows_from(column)
    if rows is None:
        return None
    filled = [number for number, row in enumerate(rows) if row is not None]
    numbers = RowNumbers(range(len(rows)) if len(filled) == len(rows) else filled)
    return listed(role, numbers, [rows[number] for number in filled])._replace(by_position=True)


def side_of_texts(role: str, texts: Texts) -> Corpus:
    """One side from a column of texts; a null is no utterance."""
    missing = array("q", texts.nulls())
    if not missing:
        return side_of_rows(role, texts, range(len(texts)))
    gaps = set(missing)
    kept = array("q", (row for row in range(len(texts)) if row not in gaps))
    return side_of_rows(role, texts.chosen(kept), kept)


def side_of_rows(role: str, texts: Texts, rows: Sequence[int]) -> Corpus:
    """One side from texts, each an utterance named by the number of its row."""
    from scoring.alignment.texts import ColumnWords

    unknown = [None] * len(texts)
    corpus = Corpus(f"<{role}>", None, RowNumbers(rows), unknown, ColumnWords(texts), unknown, {})
    return corpus._replace(by_position=True)


def matched_series(
    reference: Given, hypothesis: Given, match: SeriesMatch | None
) -> tuple[Given, Given]:
    """Both sides, two Series of pandas matched by index as mappings from labels of rows."""
    sides: tuple[Any, Any] = reference, hypothesis
    indexes: list[Any] = [getattr(side, "index", None) for side in sides]
    if not all(hasattr(index, "equals") for index in indexes):
        if match == "index":
            raise ValueError("match: expected two Series of pandas for 'index', found others")
        return reference, hypothesis
    if match == "index":
        rows = [side.dropna() for side in sides]
        labels = [list(map(str, side.index)) for side in rows]
        for role, names in zip(("reference", "hypothesis"), labels, strict=True):
            if len(set(names)) < len(names):
                raise ValueError(f"{role}: expected an index without repeated labels")
        left, right = (dict(zip(*side, strict=True)) for side in zip(labels, rows, strict=True))
        return left, right
    if match is None and not indexes[0].equals(indexes[1]):
        raise ValueError(
            "expected Series with equal indexes, found different ones: match='index' pairs rows "
            "with the same label, match='position' rows in their order"
        )
    return reference, hypothesis


def sides_of(
    reference: Given, hypothesis: Given, readings: tuple[Reading, Reading]
) -> tuple[Corpus, Corpus]:
    """Read both sides; errors as of `as_side`.

    What a plain file is may depend on the other side: see `scoring.score.pairs`.
    """
    left = open_side(reference, "reference", readings[0])
    right = open_side(hypothesis, "hypothesis", readings[1])
    if not isinstance(left, Corpus) or not isinstance(right, Corpus):
        from scoring.score.pairs import decided

        left, right = decided(left, right)
    has_recordings = left.is_unnamed or right.is_unnamed
    if has_recordings and (left.named_by_file or right.named_by_file):
        from scoring.sides.matching.names import without_languages

        return without_languages(left, right)
    return left, right


def open_side(source: Given, role: str, reading: Reading) -> Corpus | Undecided | LikelyKaldi:
    """Read a side, unless its format depends on the other one."""
    columns = _columns_of_file(source, reading)
    if columns is None or isinstance(columns, Corpus):
        return _opened(source, role, reading) if columns is None else columns
    return columns._replace(read=partial(_opened, source, role, reading))


def _opened(source: Given, role: str, reading: Reading) -> Corpus | Undecided:
    """As `open_side`; files are read by their formats' readers."""
    file = file_of(source)
    settings = reading if file is None else reading_of(file, reading)
    is_decided = settings.format is not None or bool(settings.options)
    if file is None or is_decided or file.name in (None, "-"):
        return _as_given(source, role, reading)
    from formats.schema.errors import UnknownFormatError
    from scoring.sides.side_files import lines_of, look_alike_problem, read_detected

    corpus: Corpus | None = None
    lines: Corpus | None = None
    problem: UnknownFormatError | InputError | None = None
    try:
        corpus = read_detected(file.path, settings)
        lines = lines_of(corpus, settings)
        problem = look_alike_problem(lines)
    except UnknownFormatError as error:
        problem = error
    if corpus is not None and corpus.format != "txt":
        return corpus
    from scoring.score.pairs import Undecided, examined

    def read_as(name: str) -> Corpus:
        return as_side(replace(file, format=name), role, reading)

    return examined(Undecided(file.name, settings, read_as, problem, corpus, lines))
