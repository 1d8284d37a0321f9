"""Sums that other programs printed, compared with ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from scoring.model import Counts
from scoring.regression.evidence import Check, Difference, compare_all
from scoring.scored.rates import ErrorRates

_NUMBER = r"(\d{1,15})"
_SENTENCES = re.compile(rf"^%SER +\S+ +\[ +{_NUMBER} +/ +{_NUMBER} +\]", re.MULTILINE)
# of Kaldi, icefall, WeNet and the raw table of sclite, with the order of the numbers
_LINES = tuple(
    (re.compile(pattern.replace("#", _NUMBER), re.MULTILINE), names.split())
    for pattern, names in (
        (
            r"^%WER +[0-9.]+ +\[ +# +/ +#, +# +ins, +# +del, +# +sub +\]",
            "errors words insertions deletions substitutions",
        ),
        (
            r"^Errors: # insertions, # deletions, # substitutions, over # reference words",
            "insertions deletions substitutions words",
        ),
        (
            r"^Overall -> \S+ % N=# C=# S=# D=# I=#",
            "words correct substitutions deletions insertions",
        ),
        (
            r"^[ \t]*\| *Sum *\| *# +# *\| +# +# +# +# +# +# *\|",
            "utterances words correct substitutions deletions insertions errors wrong",
        ),
    )
)


class Totals(NamedTuple):
    """Sums over a test set; None where they are not recorded."""

    counts: Counts
    utterances: int | None = None
    wrong: int | None = None  # utterances with an error

    def items(self, *, with_kinds: bool) -> Iterator[tuple[str, int | None]]:
        """The numbers by name; the kinds of errors depend on how ties are broken."""
        yield "errors", self.counts.errors
        for name in ("substitutions", "deletions", "insertions") if with_kinds else ():
            yield name, getattr(self.counts, name)
        yield "reference words", self.counts.reference_tokens
        yield "utterances", self.utterances
        yield "utterances wrong", self.wrong


def read_totals(text: str) -> Totals | None:
    r"""The sums in what Kaldi, SpeechBrain, sclite, icefall or WeNet print; None without any.

    >>> read_totals("%WER 57.14 [ 4 / 7, 3 ins, 1 del, 0 sub ]\n%SER 66.67 [ 2 / 3 ]\n").wrong
    2
    """
    for pattern, names in _LINES:
        matches = list(pattern.finditer(text))
        if not matches:
            continue
        if "utterances" in names and len(matches) > 1:
            return None  # several systems
        numbers = dict(zip(names, map(int, matches[0].groups()), strict=True))
        if (sentences := _SENTENCES.search(text)) and "utterances" not in names:
            numbers["wrong"], numbers["utterances"] = map(int, sentences.groups())
        substitutions, deletions = numbers["substitutions"], numbers["deletions"]
        correct = numbers["words"] - substitutions - deletions
        counts = Counts(correct, substitutions, deletions, numbers["insertions"])
        if not numbers["words"] or correct < 0:
            return None
        if numbers.get("errors", counts.errors) != counts.errors:
            return None
        return Totals(counts, numbers.get("utterances"), numbers.get("wrong"))
    return None


def totals_check(path: str, recorded: Totals, ours: ErrorRates, *, with_kinds: bool) -> Check:
    """Recorded sums against ours, with or without the kinds of errors."""
    if not ours.counts.reference_tokens:
        return Check(path, 0, remark="there are no reference words")
    computed = Totals(ours.counts, len(ours), ours.sentence_errors)
    values = dict(computed.items(with_kinds=with_kinds))
    return compare_all(
        path,
        [
            Difference(name, str(value), str(values[name]))
            for name, value in recorded.items(with_kinds=with_kinds)
            if value is not None
        ],
    )
