"""Rates made of counts: WER, CER, MER, WIL, WIP, SER, and the counts themselves."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from scoring.compat.metrics.counting import HUNT, LEVENSHTEIN, MODES, SCLITE, checked_mode, count
from scoring.compat.metrics.metric import Metric, Statistics, Words, fill
from scoring.model import Counts
from scoring.pages.diff.opcodes import OpcodeCounts

HALF = 0.5


class _Counting(Metric):
    """Base: statistics are the four counts, in the order of `Counts`."""

    __slots__ = ("mode",)
    mode: str

    def __init__(self, mode: str = SCLITE) -> None:
        fill(self, mode=checked_mode(mode, MODES))

    @property
    def components(self) -> tuple[str, ...]:
        """The names of `Counts`."""
        return Counts._fields

    def statistics(self, reference: Words, hypothesis: Words) -> Statistics:
        """The counts of one utterance."""
        return tuple(count(self.items(reference), self.items(hypothesis), self.mode))

    def items(self, words: Words) -> Sequence[Hashable]:
        """What is compared: the words."""
        return words


class WordErrorRate(_Counting):
    """Errors per reference word.

    In the mode `hunt` an insertion or deletion is half an error.

    Examples
    --------
    >>> reference, hypothesis = "aa bb cc dd".split(), "aa aa bb cc dd dd".split()
    >>> [WordErrorRate(mode).of(reference, hypothesis) for mode in ("strict", "hunt")]
    [0.5, 0.25]
    """

    __slots__ = ()
    name = "wer"

    def score(self, total: Sequence[int]) -> float | None:
        """A ratio from 0, above 1 where insertions abound; None without reference."""
        counts = Counts(*total)
        if not counts.reference_tokens:
            return None
        gaps = counts.deletions + counts.insertions
        errors = counts.substitutions + (HALF * gaps if self.mode == HUNT else gaps)
        return errors / counts.reference_tokens


class CharacterErrorRate(WordErrorRate):
    """Errors per reference character: code points of the words, without what separates words.

    The default is the least number of errors, which is BenchmarkSTT's only mode. Unlike
    `scoring.wer(unit="char")` no words are kept whole.

    Examples
    --------
    >>> CharacterErrorRate().of(["good", "day"], ["god", "days"])
    0.2857142857142857
    """

    __slots__ = ()
    name = "cer"

    def __init__(self, mode: str = LEVENSHTEIN) -> None:
        super().__init__(mode)

    def items(self, words: Words) -> Sequence[Hashable]:
        """The characters of all words."""
        return list("".join(words))


class MatchErrorRate(_Counting):
    """Errors per place of the alignment, between 0 and 1 (MER).

    >>> MatchErrorRate().of(["a", "b"], ["a", "x", "y"])
    0.6666666666666666
    """

    __slots__ = ()
    name = "mer"

    def score(self, total: Sequence[int]) -> float | None:
        """From 0 to 1; None if both sides are empty."""
        counts = Counts(*total)
        places = counts.correct + counts.errors
        return counts.errors / places if places else None


class WordInformationPreserved(_Counting):
    """Share of right words in the reference times that in the hypothesis (WIP).

    Morris, Maier and Green (2004).

    >>> WordInformationPreserved().of(["a", "b"], ["a", "x", "y", "z"])
    0.125
    """

    __slots__ = ()
    name = "wip"

    def score(self, total: Sequence[int]) -> float | None:
        """From 0 to 1; None if a side is empty."""
        counts = Counts(*total)
        if not counts.reference_tokens or not counts.hypothesis_tokens:
            return None
        return (counts.correct / counts.reference_tokens) * (
            counts.correct / counts.hypothesis_tokens
        )


class WordInformationLost(WordInformationPreserved):
    """The rest of `WordInformationPreserved` to 1 (WIL).

    >>> WordInformationLost().of(["a", "b"], ["a", "x", "y", "z"])
    0.875
    """

    __slots__ = ()
    name = "wil"

    def score(self, total: Sequence[int]) -> float | None:
        """From 0 to 1; None if a side is empty."""
        preserved = super().score(total)
        return None if preserved is None else 1 - preserved


class SentenceErrorRate(Metric):
    """Share of utterances with any error (SER).

    >>> SentenceErrorRate().of(["a"], ["a"]), SentenceErrorRate().score((3, 4))
    (0.0, 0.75)
    """

    __slots__ = ()
    name = "ser"

    @property
    def components(self) -> tuple[str, ...]:
        """Utterances with errors, utterances."""
        return ("with_errors", "utterances")

    def statistics(self, reference: Words, hypothesis: Words) -> Statistics:
        """Whether the words differ, and 1."""
        return int(list(reference) != list(hypothesis)), 1

    def score(self, total: Sequence[int]) -> float | None:
        """From 0 to 1; None without utterances."""
        wrong, utterances = total
        return wrong / utterances if utterances else None


class DifferenceCounts(_Counting):
    """How many words are equal, replaced, inserted and deleted.

    >>> DifferenceCounts("strict").of("hello cruel world".split(), "goodbye world".split())
    OpcodeCounts(equal=1, replace=1, insert=0, delete=1)
    """

    __slots__ = ()
    name = "diffcounts"

    def score(self, total: Sequence[int]) -> Any:
        """An `OpcodeCounts`."""
        correct, substitutions, deletions, insertions = total
        return OpcodeCounts(correct, substitutions, insertions, deletions)
