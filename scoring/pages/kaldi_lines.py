"""The lines of Kaldi's compute-wer, with its digits, `n/a` where there is no rate."""

from __future__ import annotations

from scoring.model import Counts
from scoring.pages import numbers


def percentage(part: int, whole: int) -> str:
    """A share in percent, two decimals, computed in single precision as Kaldi does.

    Examples
    --------
    >>> percentage(4, 7), percentage(0, 0)
    ('57.14', 'n/a')
    """
    return numbers.decimals(numbers.percentage(part, whole)) if whole else "n/a"


def wer_line(counts: Counts, *, partial: bool = False) -> str:
    """The line of the word error rate; `partial` if a reference had no hypothesis.

    Examples
    --------
    >>> wer_line(Counts(6, 0, 1, 3), partial=True)
    '%WER 57.14 [ 4 / 7, 3 ins, 1 del, 0 sub ] [PARTIAL]'
    """
    return (
        f"%WER {percentage(counts.errors, counts.reference_tokens)} "
        f"[ {counts.errors} / {counts.reference_tokens}, {counts.insertions} ins, "
        f"{counts.deletions} del, {counts.substitutions} sub ]{' [PARTIAL]' if partial else ''}"
    )


def sentence_line(errors: int, sentences: int) -> str:
    """The line of the sentence error rate.

    Examples
    --------
    >>> sentence_line(2, 3)
    '%SER 66.67 [ 2 / 3 ]'
    """
    return f"%SER {percentage(errors, sentences)} [ {errors} / {sentences} ]"


def scored_line(sentences: int, missing: int) -> str:
    """The line of what was scored.

    Examples
    --------
    >>> scored_line(3, 1)
    'Scored 3 sentences, 1 not present in hyp.'
    """
    return f"Scored {sentences} sentences, {missing} not present in hyp."
