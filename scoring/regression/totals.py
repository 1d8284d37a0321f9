"""Sums that others have reckoned, as they printed them, to compare where there are no words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from scoring.model import Counts
from scoring.regression.evidence import Check, Difference, compare_all
from scoring.scored.rates import ErrorRates

_NUMBER = r"(\d{1,15})"
_KALDI = re.compile(
    rf"^%WER +[0-9.]+ +\[ +{_NUMBER} +/ +{_NUMBER}, +{_NUMBER} +ins, +{_NUMBER} +del, "
    rf"+{_NUMBER} +sub +\]",
    re.MULTILINE,
)
_KALDI_SENTENCES = re.compile(rf"^%SER +\S+ +\[ +{_NUMBER} +/ +{_NUMBER} +\]", re.MULTILINE)
_ICEFALL = re.compile(
    rf"^Errors: {_NUMBER} insertions, {_NUMBER} deletions, {_NUMBER} substitutions, "
    rf"over {_NUMBER} reference words",
    re.MULTILINE,
)
_WENET = re.compile(
    rf"^Overall -> \S+ % N={_NUMBER} C={_NUMBER} S={_NUMBER} D={_NUMBER} I={_NUMBER}", re.MULTILINE
)
_SUM = re.compile(
    rf"^[ \t]*\| *Sum(/Avg)? *\| *{_NUMBER} +{_NUMBER} *\|"
    r"((?: +\d{1,15}(?:\.\d{1,3})?){6}) *\|",
    re.MULTILINE,
)
NAMES = ("errors", "substitutions", "deletions", "insertions")


class Totals(NamedTuple):
    """Sums over a test set."""

    rate: Fraction  # errors per reference word, a ratio
    words: int  # of the reference
    counts: Counts | None = None  # the errors; None where only percentages were printed
    utterances: int | None = None
    wrong: int | None = None  # utterances with an error

    @classmethod
    def of(cls, rates: ErrorRates) -> Totals:
        """Our own; there must be reference words."""
        counts = rates.counts
        share = Fraction(counts.errors, counts.reference_tokens)
        return cls(share, counts.reference_tokens, counts, len(rates), rates.sentence_errors)

    def named(self, *, with_kinds: bool = True) -> Iterator[tuple[str, int | None]]:
        """The numbers by name; without kinds of errors those that do not depend on ties."""
        for name in NAMES if with_kinds else NAMES[:1]:
            yield name, None if self.counts is None else getattr(self.counts, name)
        yield "reference words", self.words
        yield "utterances", self.utterances
        yield "utterances wrong", self.wrong


def read_totals(text: str) -> Totals | None:
    r"""The sums in what Kaldi, SpeechBrain, sclite, icefall or WeNet print; None without any.

    Examples
    --------
    >>> read_totals("%WER 57.14 [ 4 / 7, 3 ins, 1 del, 0 sub ]\n%SER 66.67 [ 2 / 3 ]\n").wrong
    2
    """
    if found := _KALDI.search(text):
        errors, words, insertions, deletions, substitutions = map(int, found.groups())
        sentences = _KALDI_SENTENCES.search(text)
        wrong, utterances = map(int, sentences.groups()) if sentences else (None, None)
        made = _counted(words, substitutions, deletions, insertions, utterances, wrong)
        return made if made and made.counts and made.counts.errors == errors else None
    if found := _ICEFALL.search(text):
        insertions, deletions, substitutions, words = map(int, found.groups())
        return _counted(words, substitutions, deletions, insertions)
    if found := _WENET.search(text):
        words, _, substitutions, deletions, insertions = map(int, found.groups())
        return _counted(words, substitutions, deletions, insertions)
    raw: list[Totals | None] = []
    printed: list[Totals | None] = []
    for found in _SUM.finditer(text):
        utterances, words = int(found[2]), int(found[3])
        numbers = found[4].split()
        if found[1] is None and all(map(str.isdigit, numbers)):
            _, substitutions, deletions, insertions, _, wrong = map(int, numbers)
            raw.append(_counted(words, substitutions, deletions, insertions, utterances, wrong))
        else:
            printed.append(_printed(numbers[4], words, utterances))
    # more than one of a kind are several systems
    return None if max(len(raw), len(printed)) != 1 else (raw or printed)[0]


def _printed(percentage: str, words: int, utterances: int) -> Totals | None:
    """From a rate with one decimal; exact where one number of errors alone is shown so."""
    if not words:
        return None
    middle, half = Fraction(percentage) * words / 100, Fraction(words, 2000)
    least, most = ceil(middle - half), floor(middle + half)
    rate = Fraction(least, words) if least == most else middle / words
    return Totals(rate, words, None, utterances)


def _counted(
    words: int,
    substitutions: int,
    deletions: int,
    insertions: int,
    utterances: int | None = None,
    wrong: int | None = None,
) -> Totals | None:
    correct = words - substitutions - deletions
    if not words or correct < 0:
        return None
    counts = Counts(correct, substitutions, deletions, insertions)
    return Totals(Fraction(counts.errors, words), words, counts, utterances, wrong)


def totals_check(path: str, recorded: Totals, ours: ErrorRates, *, with_kinds: bool) -> Check:
    """Recorded sums against ours."""
    if not ours.counts.reference_tokens:
        return Check(path, 0, remark="there are no reference words")
    own = dict(Totals.of(ours).named(with_kinds=with_kinds))
    return compare_all(
        path,
        [
            Difference(name, str(value), str(own[name]))
            for name, value in recorded.named(with_kinds=with_kinds)
            if value is not None
        ],
    )


class Recorded(NamedTuple):
    """One side of a comparison of which there are sums, but no words."""

    name: str
    kind: str
    totals: Totals
    checks: Sequence[Check] = ()
