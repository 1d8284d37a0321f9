"""Counts of utterances and words by speaker, the input of the summaries."""

from __future__ import annotations

from collections.abc import Sequence

from formats.schema import NamedTuple
from scoring.model.counts import Counts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.alignment.system import System


class Tally(NamedTuple):
    """Counts over utterances: words by kind of edit, and utterances that have such an edit."""

    utterances: int = 0
    correct: int = 0
    substitutions: int = 0
    deletions: int = 0
    insertions: int = 0
    utterances_with_errors: int = 0
    utterances_with_substitutions: int = 0
    utterances_with_deletions: int = 0
    utterances_with_insertions: int = 0

    @property
    def counts(self) -> Counts:
        """The word counts alone."""
        return Counts(self.correct, self.substitutions, self.deletions, self.insertions)


def total(tallies: Sequence[Tally]) -> Tally:
    """Return the sum of tallies.

    >>> total([Tally(1, 5), Tally(2, 7, 1, utterances_with_errors=1)])[:3]
    (3, 12, 1)
    """
    return Tally(*(sum(column) for column in zip(*tallies, strict=True)))


def by_speaker(system: System) -> list[Tally]:
    """Return one tally per speaker of a system, in the order of `System.speakers`."""
    columns = [column.tolist() for column in system.counts.columns()]
    return [_tally(columns, group) for group in system.utterances_of]


def _tally(columns: Sequence[list[int]], utterances: Sequence[int]) -> Tally:
    first, last = (utterances[0], utterances[-1] + 1) if utterances else (0, 0)
    if last - first == len(utterances):  # as a rule a speaker's stand together
        correct, *errors = (column[first:last] for column in columns)
    else:
        correct, *errors = ([*map(column.__getitem__, utterances)] for column in columns)
    wrong = [len(utterances) - kind.count(0) for kind in errors]
    right = list(zip(*errors, strict=True)).count((0, 0, 0))
    sums = [len(utterances), sum(correct), *map(sum, errors)]
    return Tally._make([*sums, len(utterances) - right, *wrong])
