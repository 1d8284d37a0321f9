"""The other rates by name, for those who look for a function of that name.

Each aligns anew: who wants several asks `scoring.wer` once and reads the attributes of its result.
"""

from __future__ import annotations

from typing import Any

from scoring.error_rate.corpus import Given
from scoring.error_rate.measure import wer
from scoring.error_rate.result import ErrorRates


def cer(reference: Given, hypothesis: Given, *, unit: str = "char", **options: Any) -> ErrorRates:
    """The character error rate: `scoring.wer` with the unit `char`.

    Blanks between words are no characters, as in Kaldi's recipes. jiwer counts them: they are in
    its denominator, and words wrongly joined or parted are errors of blanks.

    Parameters
    ----------
    unit
        `char` (code points) or `grapheme` (what users see as characters).
    **options
        As of `scoring.wer`.

    Examples
    --------
    >>> cer("the cat", "the hat").cer
    0.16666666666666666
    """
    if unit not in ("char", "grapheme"):
        raise ValueError(f"unit: expected char or grapheme, found {unit!r}")
    return wer(reference, hypothesis, unit=unit, **options)


def mer(reference: Given, hypothesis: Given, **options: Any) -> float | None:
    """The match error rate: errors per place of the alignment, from 0 to 1; None without any.

    >>> mer("a b", "a c d")
    0.6666666666666666
    """
    return wer(reference, hypothesis, **options).match_error_rate


def wil(reference: Given, hypothesis: Given, **options: Any) -> float | None:
    """The word information lost, from 0 to 1; None if a side has no words.

    >>> wil("a b", "a c")
    0.75
    """
    return wer(reference, hypothesis, **options).word_information_lost


def wip(reference: Given, hypothesis: Given, **options: Any) -> float | None:
    """The word information preserved, from 0 to 1; None if a side has no words.

    >>> wip("a b", "a c")
    0.25
    """
    return wer(reference, hypothesis, **options).word_information_preserved


def ser(reference: Given, hypothesis: Given, **options: Any) -> float | None:
    """The sentence error rate: the share of utterances with any error; None without utterances.

    >>> ser(["a b", "c"], ["a b", "d"])
    0.5
    """
    return wer(reference, hypothesis, **options).sentence_error_rate
