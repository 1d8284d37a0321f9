"""Results of phoneme scoring by utterance and in total; alignments determine all numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, overload

from scoring.drawing import percent
from scoring.model.counts import Alignment, Counts
from scoring.tasks.phonemes.network import Pronunciation


class PhonemeScore(NamedTuple):
    """The score of one utterance.

    Attributes
    ----------
    pronunciations
        The chosen pronunciation of each word. With the method `columns`, the longest pronunciation,
        padded with epsilons.
    alignment
        The alignment of these phonemes with the predicted phonemes. With the method `columns`,
        forgiven substitutions are pairs of different phonemes that count as correct, and forgiven
        deletions are skipped epsilons.
    """

    pronunciations: tuple[Pronunciation, ...]
    alignment: Alignment

    @property
    def counts(self) -> Counts:
        """The numbers of correct, substituted, deleted and inserted phonemes.

        With the method `columns`, skipped epsilons count as correct, so that
        `counts.hypothesis_tokens` may exceed `predicted`.
        """
        return self.alignment.counts()

    @property
    def errors(self) -> int:
        """The number of substitutions, deletions and insertions."""
        return self.counts.errors

    @property
    def total(self) -> int:
        """The number of reference phonemes; the method `columns` includes epsilons."""
        return len(self.alignment.reference)

    @property
    def predicted(self) -> int:
        """The number of predicted phonemes."""
        return len(self.alignment.hypothesis)

    @property
    def rate(self) -> float | None:
        """Errors per reference phoneme; None without reference phonemes."""
        return self.counts.error_rate


@dataclass(frozen=True, slots=True, init=False, repr=False)
class PhonemeScores:
    """The scores of many utterances; `a + b` has the utterances of both.

    Examples
    --------
    >>> from scoring.tasks.phonemes import PhonemeErrorRate
    >>> rate = PhonemeErrorRate({"guy": [["g", "a", "i"]]})
    >>> scores = rate.score_batch([["guy"], ["guy", "guy"]], [["g", "i"], list("gaigai")])
    >>> scores
    <PhonemeScores 11.11 % of 2 utterances, 1 error of 9>
    >>> scores.counts, scores[0].errors
    (Counts(correct=8, substitutions=0, deletions=1, insertions=0), 1)
    """

    scores: tuple[PhonemeScore, ...]

    def __init__(self, scores: Iterable[PhonemeScore] = ()) -> None:
        object.__setattr__(self, "scores", tuple(scores))

    @property
    def counts(self) -> Counts:
        """The sum over all utterances."""
        return sum((score.counts for score in self.scores), Counts())

    @property
    def per_utterance(self) -> Sequence[Counts]:
        """The counts of each utterance."""
        return [score.counts for score in self.scores]

    @property
    def errors(self) -> int:
        """Substitutions, deletions and insertions of all utterances."""
        return self.counts.errors

    @property
    def total(self) -> int:
        """Reference phonemes of all utterances."""
        return sum(score.total for score in self.scores)

    @property
    def predicted(self) -> int:
        """Phonemes of all predictions."""
        return sum(score.predicted for score in self.scores)

    @property
    def rate(self) -> float | None:
        """Errors per reference phoneme over all utterances; None without reference phonemes."""
        return self.counts.error_rate

    def __len__(self) -> int:
        return len(self.scores)

    def __iter__(self) -> Iterator[PhonemeScore]:
        return iter(self.scores)

    @overload
    def __getitem__(self, index: int) -> PhonemeScore: ...
    @overload
    def __getitem__(self, index: slice) -> PhonemeScores: ...
    def __getitem__(self, index: int | slice) -> PhonemeScore | PhonemeScores:
        if isinstance(index, slice):
            return PhonemeScores(self.scores[index])
        return self.scores[index]

    def __add__(self, other: object) -> PhonemeScores:
        if not isinstance(other, PhonemeScores):
            return NotImplemented
        return PhonemeScores(self.scores + other.scores)

    def __radd__(self, other: object) -> PhonemeScores:
        # `sum` starts from 0
        return self if other == 0 else NotImplemented

    def __repr__(self) -> str:
        counts = self.counts
        errors = "1 error" if counts.errors == 1 else f"{counts.errors} errors"
        size = "1 utterance" if len(self) == 1 else f"{len(self)} utterances"
        rate = "no rate" if self.rate is None else f"{percent(self.rate)} %"
        return f"<PhonemeScores {rate} of {size}, {errors} of {self.total}>"
