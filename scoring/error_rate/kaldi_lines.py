"""The lines of Kaldi's compute-wer, with its digits."""

from __future__ import annotations

from struct import pack, unpack

from scoring.model import Counts


def percentage(part: int, whole: int, undefined: str = "n/a") -> str:
    """A share in percent, two decimals, computed in single precision as Kaldi does.

    Parameters
    ----------
    undefined
        What to print of nothing out of nothing; something out of nothing is `inf` to Kaldi, and
        is printed so unless `undefined` is `n/a`.

    Examples
    --------
    >>> percentage(4, 7), percentage(0, 0), percentage(2, 0, "-nan")
    ('57.14', 'n/a', 'inf')
    """
    if not whole:
        return undefined if not part or undefined == "n/a" else "inf"
    return f"{_single(_single(100 * _single(part)) / _single(whole)):.2f}"


def _single(value: float) -> float:
    """The nearest number of single precision."""
    single: float = unpack("f", pack("f", value))[0]
    return single


def wer_line(counts: Counts, *, partial: bool = False, undefined: str = "n/a") -> str:
    """The line of the word error rate; `partial` if a reference had no hypothesis.

    Examples
    --------
    >>> wer_line(Counts(6, 0, 1, 3), partial=True)
    '%WER 57.14 [ 4 / 7, 3 ins, 1 del, 0 sub ] [PARTIAL]'
    """
    rate = percentage(counts.errors, counts.reference_tokens, undefined)
    return (
        f"%WER {rate} [ {counts.errors} / {counts.reference_tokens}, {counts.insertions} ins, "
        f"{counts.deletions} del, {counts.substitutions} sub ]{' [PARTIAL]' if partial else ''}"
    )


def sentence_line(errors: int, sentences: int, undefined: str = "n/a") -> str:
    """The line of the sentence error rate.

    Examples
    --------
    >>> sentence_line(2, 3)
    '%SER 66.67 [ 2 / 3 ]'
    """
    return f"%SER {percentage(errors, sentences, undefined)} [ {errors} / {sentences} ]"


def scored_line(sentences: int, missing: int) -> str:
    """The line of what was scored.

    Examples
    --------
    >>> scored_line(3, 1)
    'Scored 3 sentences, 1 not present in hyp.'
    """
    return f"Scored {sentences} sentences, {missing} not present in hyp."
