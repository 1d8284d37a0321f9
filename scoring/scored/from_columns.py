"""A side given as a column: of any library that speaks Arrow, of numpy, as an iterator."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from scoring.alignment.texts import ColumnWords, Texts, rows_from, texts_from
from scoring.errors import InputError
from scoring.sides.corpus import Corpus, RowNumbers
from scoring.sides.files import AS_FOUND, Reading
from scoring.sides.given import Given, as_corpus, file_of, listed


def as_side(given: Given, what: str, reading: Reading = AS_FOUND) -> Corpus:
    """One side, whatever it was given as: `scoring.sides.given.as_corpus`, and columns.

    The identifiers of a column are the numbers of its rows; one that is null, or otherwise
    missing, is no utterance.

    Raises
    ------
    TypeError
        If it is nothing that can be scored.
    InputError
        If texts of a column are no UTF-8, or lie outside its memory.
    """
    if isinstance(given, Corpus | str | list | tuple) or file_of(given) is not None:
        return as_corpus(given, what, reading)
    try:
        texts = texts_from(given, what)
    except ValueError as problem:
        raise InputError(f"<{what}>", None, None, str(problem).partition(": ")[2]) from None
    if texts is not None:
        return side_of_texts(what, texts)
    rows = rows_from(given)
    if rows is None:
        return as_corpus(given, what, reading)
    places = [at for at, row in enumerate(rows) if row is not None]
    numbers = RowNumbers(range(len(rows)) if len(places) == len(rows) else places)
    return listed(what, numbers, [rows[at] for at in places])._replace(by_position=True)


def side_of_texts(what: str, texts: Texts) -> Corpus:
    """One side from a column of texts; a null is no utterance."""
    missing = array("q", texts.nulls())
    if not missing:
        return side_of_rows(what, texts, range(len(texts)))
    gaps = set(missing)
    kept = array("q", (row for row in range(len(texts)) if row not in gaps))
    return side_of_rows(what, texts.chosen(kept), kept)


def side_of_rows(what: str, texts: Texts, rows: Sequence[int]) -> Corpus:
    """One side from texts, each an utterance called by the number of its row."""
    nothing = [None] * len(texts)
    corpus = Corpus(f"<{what}>", None, RowNumbers(rows), nothing, ColumnWords(texts), nothing, {})
    return corpus._replace(by_position=True)
