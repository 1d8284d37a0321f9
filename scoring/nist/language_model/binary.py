"""Reader of the binary models of the CMU-Cambridge toolkit, version 2.

All numbers are big-endian, without padding. Words are numbered from 1, and 0 is the unknown word,
so that columns with an entry per word are one entry longer than the vocabulary. Level k has the
n-grams of k + 1 words.
"""

from __future__ import annotations

import sys
from array import array
from typing import TypeVar

from scoring.nist.language_model.discounting import (
    Discount,
    absolute,
    good_turing,
    linear,
    witten_bell,
)
from scoring.nist.language_model.model import MalformedModelError
from scoring.nist.language_model.ngrams import BackOffCodes, CountModel, NgramLevel

_Column = TypeVar("_Column", "array[int]", "array[float]")

VERSION = 970314
WORD_TABLE_VERSION = 940728
HIGHEST_CODE = 65535
DISCOUNTINGS = {1: "Good-Turing", 2: "absolute", 3: "linear", 4: "Witten-Bell"}


def read_binary(name: str, data: bytes) -> CountModel:
    """Parse a binary model; bytes after its end are ignored."""
    return _ModelReader(name, data).read()


class _Numbers:
    """Reads numbers from the bytes of a file, in order."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.offset = 0
        self._data = data

    def unsigned(self, count: int, noun: str) -> array[int]:
        """Return `count` unsigned two-byte numbers."""
        return self._fill(array("H"), count, noun)

    def integers(self, count: int, noun: str) -> array[int]:
        """Return `count` signed four-byte numbers."""
        return self._fill(array("i"), count, noun)

    def singles(self, count: int, noun: str) -> array[float]:
        """Return `count` four-byte floating-point numbers."""
        return self._fill(array("f"), count, noun)

    def doubles(self, count: int, noun: str) -> array[float]:
        """Return `count` eight-byte floating-point numbers."""
        return self._fill(array("d"), count, noun)

    def _fill(self, column: _Column, count: int, noun: str) -> _Column:
        column.frombytes(self.take(count, column.itemsize, noun))
        if sys.byteorder == "little":
            column.byteswap()
        return column

    def take(self, count: int, size: int, noun: str) -> bytes:
        """Return the bytes of `count` elements of a fixed size."""
        if count < 0:
            raise self.malformed(f"expected the size of {noun}, found {count}")
        begin = self.offset
        there = (len(self._data) - begin) // size
        if there < count:
            raise MalformedModelError(
                self.name,
                begin,
                f"expected {noun}, found the end of the file",
                f"rr_fread: problems reading {noun}.  Only {there} of {count} elements were read\n",
            )
        self.offset = begin + count * size
        return self._data[begin : self.offset]

    def malformed(self, problem: str) -> MalformedModelError:
        """Return the error for a file that contradicts itself at the current offset."""
        return MalformedModelError(self.name, self.offset, problem)


class _ModelReader:
    """Reads the parts of a model in the order of the file."""

    def __init__(self, name: str, data: bytes) -> None:
        self._name = name
        self._data = data
        self._numbers = _Numbers(name, data)
        self._order = 0
        self._entries = 0
        self._wide_counts = self._wide_back_offs = False
        self._count_tables: list[array[int]] = []

    def read(self) -> CountModel:
        """Read the whole file and return the model."""
        self._check_version()
        numbers = self._numbers
        vocabulary, highest_count_code, discounting = self._read_sizes()
        lowest, highest = numbers.doubles(2, "range of the back-off weights")
        room, out_of_range = numbers.unsigned(2, "size of the out-of-range table")
        numbers.integers(1, "number of training words")
        numbers.doubles(2, "fractions used in training")
        wide_counts, wide_back_offs, _ = numbers.unsigned(3, "flags")
        self._wide_counts, self._wide_back_offs = bool(wide_counts), bool(wide_back_offs)
        words = self._read_words(vocabulary)
        marginals = self._read_counts(self._entries, "marginal counts")
        others = numbers.doubles(out_of_range, "out-of-range table")
        if not self._wide_counts:
            self._count_tables = [
                numbers.integers(highest_count_code + 1, "count table") for _ in range(self._order)
            ]
        pointer_tables = [
            numbers.integers(size, "pointer table")
            for size in numbers.unsigned(self._order, "sizes of the pointer tables")
        ]
        unigrams = numbers.doubles(self._entries, "unigram probabilities")
        numbers.doubles(self._entries, "logarithms of the unigram probabilities")
        numbers.unsigned(self._entries, "context cues")
        numbers.unsigned(self._order, "cut-offs")
        discounts = self._read_discounts(discounting)
        levels = self._read_levels(pointer_tables)
        codes = None
        if not self._wide_back_offs:
            codes = BackOffCodes(lowest, highest, HIGHEST_CODE - room, others)
        marginals = self._decoded(marginals, 0)
        return CountModel(self._name, words, marginals, unigrams, levels, discounts, codes)

    def _read_sizes(self) -> tuple[int, int, str]:
        """Read the size of the vocabulary, the highest code of counts, and the kind of discount."""
        numbers = self._numbers
        self._order, vocabulary = numbers.unsigned(2, "order and size of the vocabulary")
        if not self._order:
            raise numbers.malformed("expected an order of at least 1, found 0")
        self._entries = vocabulary + 1
        numbers.unsigned(2, "number of context cues and type of the vocabulary")
        highest_count_code, discounting = numbers.unsigned(2, "size of the count tables")
        if discounting not in DISCOUNTINGS:
            expected = ", ".join(f"{code} ({kind})" for code, kind in DISCOUNTINGS.items())
            raise numbers.malformed(f"expected a discounting of {expected}, found {discounting}")
        return vocabulary, highest_count_code, DISCOUNTINGS[discounting]

    def _check_version(self) -> None:
        if self._numbers.integers(1, "from lm file")[0] == VERSION:
            return
        found = "a file of another kind"
        if self._data.startswith(VERSION.to_bytes(4, "little")):
            found = "one with its bytes in the opposite order"
        elif b"\\data\\" in self._data:
            found = "an ARPA text, which is given as `-L arpa:FILE`"
        raise MalformedModelError(
            self._name,
            0,
            f"expected a binary model of the CMU-Cambridge toolkit, found {found}",
            f"Error : Language model file {self._name} appears to be corrupted.\n",
        )

    def _read_words(self, vocabulary: int) -> dict[bytes, int]:
        """Read the table of words in the file; return the number of each word."""
        numbers = self._numbers
        version = numbers.integers(1, "version of the word table")[0]
        if version != WORD_TABLE_VERSION:
            raise MalformedModelError(
                self._name,
                numbers.offset - 4,
                "expected a word table",
                f"sih_val_rd_fm_file ERROR: version of '{self._name}' is {version}, "
                f"current version is {WORD_TABLE_VERSION}\n",
            )
        numbers.doubles(2, "settings of the word table")
        numbers.integers(1, "settings of the word table")
        slots, _ = numbers.integers(2, "size of the word table")
        word_numbers = numbers.integers(slots, "word table")
        size = numbers.integers(1, "size of the words")[0]
        texts = numbers.take(size, 1, "string_block").split(b"\0")
        if len(texts) != slots + 1 or texts[-1]:
            raise numbers.malformed(
                f"expected {slots} words, each with a NUL byte after it, found {len(texts) - 1}"
            )
        words: dict[bytes, int] = {}
        for text, number in zip(texts, word_numbers, strict=False):
            if text:
                if not 0 <= number <= vocabulary:
                    raise numbers.malformed(
                        f"expected word numbers up to {vocabulary}, found {number}"
                    )
                words.setdefault(text, number)
        return words

    def _read_counts(self, count: int, noun: str) -> array[int]:
        read = self._numbers.integers if self._wide_counts else self._numbers.unsigned
        return read(count, noun)

    def _decoded(self, counts: array[int], level: int) -> array[int]:
        """Return the counts of a level.

        Numbers of two bytes are not counts, but positions in a table of counts.
        """
        if self._wide_counts:
            return counts
        table = self._count_tables[level]
        if counts and max(counts) >= len(table):
            raise self._numbers.malformed(
                f"expected codes of counts below {len(table)}, found {max(counts)}"
            )
        return array("i", map(table.__getitem__, counts))

    def _read_discounts(self, kind: str) -> list[Discount]:
        """Read the discount of each level."""
        numbers, order = self._numbers, self._order
        if kind == "Witten-Bell":
            return [witten_bell] * order
        if kind != "Good-Turing":
            make = linear if kind == "linear" else absolute
            return [make(value) for value in numbers.doubles(order, f"{kind} discounts")]
        sizes = numbers.unsigned(order, "sizes of the frequencies of counts")
        ranges = numbers.unsigned(order, "discounting ranges")
        for size in sizes:
            numbers.integers(size + 1, "frequencies of counts")
        return [good_turing(numbers.doubles(last + 1, "discount ratios")) for last in ranges]

    def _read_levels(self, pointer_tables: list[array[int]]) -> list[NgramLevel]:
        numbers, order, entries = self._numbers, self._order, self._entries
        sizes = [entries, *numbers.integers(order, "numbers of n-grams")[1:]]
        counts = [self._read_counts(entries, "counts")]
        back_offs: list[array[float] | array[int]] = [self._read_back_offs(entries)]
        pointers = [numbers.unsigned(entries, "pointers")] if order > 1 else [array("H")]
        words = [array("H"), *(numbers.unsigned(size, "words of n-grams") for size in sizes[1:])]
        counts += [self._read_counts(size, "counts") for size in sizes[1:]]
        back_offs += [self._read_back_offs(size) for size in sizes[1:-1]]
        pointers += [numbers.unsigned(size, "pointers") for size in sizes[1:-1]]
        if order > 1:  # the longest n-grams have neither
            back_offs.append(array("f"))
            pointers.append(array("H"))
        return [
            NgramLevel(
                words[k], self._decoded(counts[k], k), back_offs[k], pointers[k], pointer_tables[k]
            )
            for k in range(order)
        ]

    def _read_back_offs(self, count: int) -> array[float] | array[int]:
        if self._wide_back_offs:
            return self._numbers.singles(count, "back-off weights")
        return self._numbers.unsigned(count, "back-off weights")
