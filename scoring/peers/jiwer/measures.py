"""jiwer's measures of a text, or of equally many references and hypotheses."""

from __future__ import annotations

from scoring.peers.jiwer.process import Texts, Transform, character_rate, measured
from scoring.peers.jiwer.transformations import cer_default, wer_default

__all__ = ["cer", "mer", "wer", "wil", "wip"]


def wer(
    reference: Texts | None = None,
    hypothesis: Texts | None = None,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Return the word error rate; if the references are empty, the number of inserted words.

    >>> wer("the cat sat", "the bat sat down"), wer("", "well well")
    (0.6666666666666666, 2)
    """
    return measured(reference, hypothesis, reference_transform, hypothesis_transform).wer


def mer(
    reference: Texts | None = None,
    hypothesis: Texts | None = None,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Return the match error rate: errors per pair of the alignment."""
    return measured(reference, hypothesis, reference_transform, hypothesis_transform).mer


def wip(
    reference: Texts | None = None,
    hypothesis: Texts | None = None,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Return the word information preserved."""
    return measured(reference, hypothesis, reference_transform, hypothesis_transform).wip


def wil(
    reference: Texts | None = None,
    hypothesis: Texts | None = None,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Return the word information lost."""
    return measured(reference, hypothesis, reference_transform, hypothesis_transform).wil


def cer(
    reference: Texts | None = None,
    hypothesis: Texts | None = None,
    reference_transform: Transform = cer_default,
    hypothesis_transform: Transform = cer_default,
) -> float:
    """Return the character error rate; a blank is a character.

    >>> cer("a cat", "a bat")
    0.2
    """
    return character_rate(reference, hypothesis, reference_transform, hypothesis_transform)
