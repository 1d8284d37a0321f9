"""Reader of the binary models of the CMU-Cambridge toolkit, version 2.

All numbers are big-endian, without padding. Words are numbered from 1 to the size of the
vocabulary; 0 is the unknown word, so a column of words has one entry more. Level k holds the
n-grams of k + 1 words.
"""

from __future__ import annotations

import sys
from array import array
from typing import TYPE_CHECKING, TypeVar

from scoring.language_model.discounting import Discount, discount_of
from scoring.language_model.model import MalformedModelError
from scoring.language_model.ngrams import BackOffCodes, CountModel, Level

if TYPE_CHECKING:
    _Column = TypeVar("_Column", array[int], array[float])

VERSION = 970314
WORD_TABLE_VERSION = 940728
HIGHEST_CODE = 65535
DISCOUNTINGS = {1: "Good-Turing", 2: "absolute", 3: "linear", 4: "Witten-Bell"}


def read_binary(name: str, data: bytes) -> CountModel:
    """The model in the bytes of a file; bytes behind its end are not looked at.

    Parameters
    ----------
    name
        Of the file, byte text, for messages.

    Raises
    ------
    MalformedModelError
        If the file is of another kind, ends early or contradicts itself.
    """
    return _ModelReader(name, data).read()


class _Numbers:
    """Takes numbers off the bytes of a file, in order."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.offset = 0
        self._data = data

    def unsigned(self, count: int, what: str) -> array[int]:
        """Numbers of two bytes."""
        return self._fill(array("H"), count, what)

    def integers(self, count: int, what: str) -> array[int]:
        """Numbers of four bytes, with a sign."""
        return self._fill(array("i"), count, what)

    def singles(self, count: int, what: str) -> array[float]:
        """Floating-point numbers of four bytes."""
        return self._fill(array("f"), count, what)

    def doubles(self, count: int, what: str) -> array[float]:
        """Floating-point numbers of eight bytes."""
        return self._fill(array("d"), count, what)

    def _fill(self, column: _Column, count: int, what: str) -> _Column:
        column.frombytes(self.take(count, column.itemsize, what))
        if sys.byteorder == "little":
            column.byteswap()
        return column

    def take(self, count: int, size: int, what: str) -> bytes:
        """So many elements of so many bytes."""
        if count < 0:
            raise self.malformed(f"expected the size of {what}, found {count}")
        begin = self.offset
        there = (len(self._data) - begin) // size
        if there < count:
            raise MalformedModelError(
                self.name,
                begin,
                f"expected {what}, found the end of the file",
                f"rr_fread: problems reading {what}.  Only {there} of {count} elements were read\n",
            )
        self.offset = begin + count * size
        return self._data[begin : self.offset]

    def malformed(self, problem: str) -> MalformedModelError:
        """The error of a file that contradicts itself at this place."""
        return MalformedModelError(self.name, self.offset, problem)


class _ModelReader:
    """Reads the parts of a model in the order of the file."""

    def __init__(self, name: str, data: bytes) -> None:
        self._name = name
        self._data = data
        self._numbers = _Numbers(name, data)
        self._order = 0
        self._entries = 0
        self._wide_counts = False
        self._wide_back_offs = False

    def read(self) -> CountModel:
        numbers = self._numbers
        self._check_version()
        self._order, vocabulary = numbers.unsigned(2, "order and size of the vocabulary")
        if not self._order:
            raise numbers.malformed("expected an order of at least 1, found 0")
        self._entries = vocabulary + 1
        numbers.unsigned(2, "number of context cues and type of the vocabulary")
        count_codes, discounting = numbers.unsigned(2, "size of the count tables and discounting")
        if discounting not in DISCOUNTINGS:
            raise numbers.malformed(f"expected a kind of discounting from 1 to 4, found {discounting}")
        lowest, highest = numbers.doubles(2, "range of the back-off weights")
        room, out_of_range = numbers.unsigned(2, "sizes of the out-of-range tables")
        numbers.integers(1, "number of training words")
        numbers.doubles(2, "fractions used in training")
        wide_counts, wide_back_offs, _ = numbers.unsigned(3, "flags and first word")
        self._wide_counts, self._wide_back_offs = bool(wide_counts), bool(wide_back_offs)
        words = self._read_words(vocabulary)
        marginals = self._read_counts(self._entries, "marginal counts")
        codes = BackOffCodes(
            lowest, highest, HIGHEST_CODE - room, numbers.doubles(out_of_range, "back-off weights")
        )
        tables = self._read_count_tables(count_codes)
        pointer_tables = [
            numbers.integers(size, "pointer table")
            for size in numbers.unsigned(self._order, "sizes of the pointer tables")
        ]
        unigrams = numbers.doubles(self._entries, "unigram probabilities")
        numbers.doubles(self._entries, "logarithms of the unigram probabilities")
        numbers.unsigned(self._entries, "context cues")
        numbers.unsigned(self._order, "cut-offs")
        discounts = self._read_discounts(DISCOUNTINGS[discounting])
        return CountModel(
            self._name,
            words=words,
            marginals=_decoded(marginals, tables[0]) if tables else marginals,
            unigrams=unigrams,
            levels=self._read_levels(tables, pointer_tables),
            discounts=discounts,
            codes=codes,
        )
