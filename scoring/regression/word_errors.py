"""The word errors of two systems, counted by word difference.

A difference is a confusion of two words, a lost word, an inserted word, or a run of at least
`LEAST_RUN` lost or inserted words. The words of a run are not recorded. `errors_of` finds the
errors of one alignment. `ErrorColumns` finds the errors of many alignments in columns. Both find
the same differences.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import chain, compress, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoring.alignment.results import taken
from scoring.model.counts import NO_HYPOTHESIS, NO_REFERENCE, Alignment
from scoring.regression.units import rows_of_counts

if TYPE_CHECKING:
    from formats.schema.words import Words
    from scoring.model.arrays import Integers
    from scoring.score.rates import ErrorRates

LEAST_RUN = 3
"""Smallest number of consecutive lost or inserted words that form a run."""
CONFUSION, LOST, INSERTED = "confusion", "lost", "inserted"
LOST_RUN, INSERTED_RUN = "lost run", "inserted run"
RUNS = {
    LOST_RUN: f"runs of {LEAST_RUN} or more words lost",
    INSERTED_RUN: f"runs of {LEAST_RUN} or more words inserted",
}
_KINDS = {1: CONFUSION, 2: LOST, 3: INSERTED}  # by the number of an `Edit`
_NO_REFERENCE, _NO_HYPOTHESIS = (frozenset(map(int, of)) for of in (NO_REFERENCE, NO_HYPOTHESIS))
_OF_RUNS = {LOST: LOST_RUN, INSERTED: INSERTED_RUN}
# The kinds by number: a run is 2 above the kind of its words.
_NUMBERED_KINDS = ("", CONFUSION, LOST, INSERTED, LOST_RUN, INSERTED_RUN)
_WORD_BITS = 29  # of a key: the kind, whether digits are near, and 1 + the number of either word


class DifferenceKey(NamedTuple):
    """A difference: its kind and its words; a run has no words."""

    kind: str
    reference: str = ""
    hypothesis: str = ""
    is_beside_number: bool = False  # digits are wrong in the same row of errors

    @property
    def title(self) -> str:
        """The difference as readable text."""
        if self.kind == CONFUSION:
            return f"{self.reference} → {self.hypothesis}"
        return RUNS.get(self.kind) or f"{self.reference or self.hypothesis} {self.kind}"

    @property
    def has_digit(self) -> bool:
        """True if one of the words has a digit."""
        return _has_digit(self.reference + self.hypothesis)


class KeyedError(NamedTuple):
    """An error, and the range of its reference words (empty for insertions)."""

    key: DifferenceKey
    start: int
    end: int


def errors_of(alignment: Alignment, fold: bool) -> list[KeyedError]:
    """Return the errors of an alignment; with `fold`, case does not matter.

    A run of lost or inserted words is one error.
    """
    errors: list[KeyedError] = []
    heard = start = run = row = 0
    before = ""
    references, hypotheses = alignment.reference, alignment.hypothesis
    for code in alignment.edits:  # plain numbers: an enumeration takes several times as long
        end = start + (code not in _NO_REFERENCE)
        kind = _KINDS.get(code, "")
        if kind:
            reference = "" if kind == INSERTED else str(references[start])
            hypothesis = "" if kind == LOST else str(hypotheses[heard])
            if fold:
                reference, hypothesis = reference.casefold(), hypothesis.casefold()
            errors.append(KeyedError(DifferenceKey(kind, reference, hypothesis), start, end))
        heard += code not in _NO_HYPOTHESIS
        start = end
        run = run + 1 if kind == before else 1
        if before and not kind:
            _mark_numbers(errors, row)
        row = row if kind else len(errors)
        before = kind
        if run >= LEAST_RUN and kind in _OF_RUNS:
            for index in range(len(errors) - run, len(errors)):
                errors[index] = errors[index]._replace(key=DifferenceKey(_OF_RUNS[kind]))
    _mark_numbers(errors, row)
    return errors


def _mark_numbers(errors: list[KeyedError], begin: int) -> None:
    """Mark errors as next to a number if an error among them, from index `begin` on, has digits."""
    row = [error.key for error in errors[begin:]]
    if len(row) > 1 and any(key.has_digit for key in row):
        for index, key in enumerate(row, begin):
            if key.kind not in RUNS and not key.has_digit:
                errors[index] = errors[index]._replace(key=key._replace(is_beside_number=True))


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


class ErrorColumns:
    """The word errors of two systems in their common utterances, counted by word difference.

    `more` maps each difference to its errors in the new system minus its errors in the old system.
    Utterances in which neither system has an error are skipped.
    """

    def __init__(
        self, old: ErrorRates, new: ErrorRates, common: Sequence[tuple[int, int]], fold: bool
    ) -> None:
        self._words: defaultdict[str, int] = defaultdict()
        self._words.default_factory = self._words.__len__
        self._change: Callable[[str], str] = str.casefold if fold else str
        places = np.array(common, np.int64).reshape(-1, 2)
        rates = (old, new)
        wrong = np.zeros(len(places), np.bool_)
        for side, rows in zip(rates, places.T, strict=True):
            wrong |= rows_of_counts(side.per_utterance.array)[rows, 0] > 0
        self._utterances = np.flatnonzero(wrong)  # indices in `common`
        pairs = [
            self._errors(side, rows[wrong]) for side, rows in zip(rates, places.T, strict=True)
        ]
        keys, numbers = np.unique(np.concatenate([pair[0] for pair in pairs]), return_inverse=True)
        bounds = 0, len(pairs[0][0]), len(numbers)
        self._numbers = [numbers[begin:end] for begin, end in pairwise(bounds)]
        self._owners = [pair[1] for pair in pairs]
        sums = [np.bincount(of, minlength=len(keys)) for of in self._numbers]
        self._keys = self._read_keys(keys)
        more = (sums[1] - sums[0]).tolist()
        self.more: Counter[DifferenceKey] = Counter(dict(zip(self._keys, more, strict=True)))

    def place_of(self, key: DifferenceKey, sign: int) -> int:
        """Return the index in `common` of the utterance in which a difference changed most.

        A positive sign asks for the greatest increase, a negative sign for the greatest decrease.
        """
        number = self._keys.index(key)
        sums = [
            np.bincount(owners[numbers == number], minlength=len(self._utterances))
            for owners, numbers in zip(self._owners, self._numbers, strict=True)
        ]
        return int(self._utterances[np.argmax(sign * (sums[1] - sums[0]))])

    def _errors(self, rates: ErrorRates, rows: Integers) -> tuple[Integers, Integers]:
        """Return the key of each error as an integer, and the index of its utterance in `rows`."""
        aligned = rates.aligned
        bounds = np.asarray(aligned.offsets, np.int64)
        begins, sizes = bounds[rows], np.diff(bounds)[rows]
        owners = np.repeat(np.arange(len(rows)), sizes)
        within = np.arange(len(owners)) - (np.cumsum(sizes) - sizes)[owners]
        edits = np.frombuffer(aligned.edits, np.uint8)[begins[owners] + within]
        codes = np.where((edits >= 1) & (edits <= len(_KINDS)), edits, 0)  # see `_KINDS`
        chosen = np.flatnonzero(codes)
        kinds = codes[chosen].astype(np.int64)
        owners = owners[chosen]
        words: list[Integers] = []
        for side, lacking, without in (
            (aligned.references, _NO_REFERENCE, 3),
            (aligned.hypotheses, _NO_HYPOTHESIS, 2),
        ):
            has_word = kinds != without
            column = np.zeros(len(chosen), np.int64)
            places = _place(edits, lacking)[chosen[has_word]]
            column[has_word] = 1 + self._numbered(taken(side, rows.tolist()), places)
            words.append(column)
        apart = np.ones(len(chosen), np.bool_)  # from the error before, by other slots
        apart[1:] = (np.diff(chosen) > 1) | (np.diff(owners) > 0)
        other = apart.copy()
        other[1:] |= np.diff(kinds) != 0
        runs = np.cumsum(other) - 1
        is_run = (np.bincount(runs)[runs] >= LEAST_RUN) & (kinds > 1)
        kinds[is_run] += 2
        for column in words:
            column[is_run] = 0
        has_digit = np.array([False, *map(_has_digit, self._words)])
        digits = has_digit[words[0]] | has_digit[words[1]]
        stretches = np.cumsum(apart) - 1
        beside = np.bincount(stretches, digits)[stretches] > 0
        beside &= (np.bincount(stretches)[stretches] > 1) & ~digits & ~is_run
        keys = (kinds * 2 + beside) << _WORD_BITS * 2 | words[0] << _WORD_BITS | words[1]
        return keys, owners

    def _numbered(self, utterances: Sequence[Words], places: Integers) -> Integers:
        """Return a number for each word at the indices `places`; equal words have equal numbers.

        The indices count the words of all utterances.
        """
        is_wanted = np.zeros(int(places[-1]) + 1 if len(places) else 0, np.uint8)
        is_wanted[places] = 1
        words = compress(chain.from_iterable(utterances), is_wanted.tobytes())
        texts = map(self._change, map(str, words))
        return np.fromiter(map(self._words.__getitem__, texts), np.int64, len(places))

    def _read_keys(self, keys: Integers) -> list[DifferenceKey]:
        """Convert distinct integer keys to the differences that they encode."""
        texts = ["", *self._words]
        rest, right = np.divmod(keys, 1 << _WORD_BITS)
        rest, left = np.divmod(rest, 1 << _WORD_BITS)
        kinds, beside = np.divmod(rest, 2)
        columns = (column.tolist() for column in (kinds, left, right, beside))
        return [
            DifferenceKey(_NUMBERED_KINDS[kind], texts[reference], texts[hypothesis], bool(near))
            for kind, reference, hypothesis, near in zip(*columns, strict=True)
        ]


def _place(edits: np.ndarray[tuple[int], np.dtype[np.uint8]], lacking: frozenset[int]) -> Integers:
    """Return, for each alignment slot, the index of its word among all words of a side."""
    table = np.ones(256, np.int64)
    table[list(lacking)] = 0
    steps = table[edits]
    return np.cumsum(steps) - steps
