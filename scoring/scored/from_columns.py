"""A side as columns: of any library that speaks Arrow, of numpy, an iterator."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from scoring.alignment.texts import ColumnWords, Texts, rows_from, texts_from
from scoring.errors import InputError
from scoring.sides.corpus import Corpus, RowNumbers
from scoring.sides.given import listed


def side_of_column(column: object, role: str) -> Corpus | None:
    """A side from a column of any library, of numpy, or an iterator; None for anything else."""
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
    unknown = [None] * len(texts)
    corpus = Corpus(f"<{role}>", None, RowNumbers(rows), unknown, ColumnWords(texts), unknown, {})
    return corpus._replace(by_position=True)
