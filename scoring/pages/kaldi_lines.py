"""The lines of Kaldi's compute-wer, with its digits, `n/a` where there is no rate."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from scoring.drawing import numbers
from scoring.model import Counts


def percentage(part: int, whole: int) -> str:
    """A share in percent, two decimals, computed in single precision as Kaldi does.

    Examples
    --------
    >>> percentage(4, 7), percentage(0, 0)
    ('57.14', 'n/a')
    """
    return _exactly(part, whole) if whole else "n/a"


def _exactly(part: int, whole: int) -> str:
    """As C prints it, which has something to say where there is no rate, too."""
    return numbers.decimals(numbers.percentage(part, whole))


Shown: TypeAlias = Callable[[int, int], str]


def wer_line(counts: Counts, *, partial: bool = False, rate: Shown = percentage) -> str:
    """The line of the word error rate; `partial` if a reference had no hypothesis.

    Examples
    --------
    >>> wer_line(Counts(6, 0, 1, 3), partial=True)
    '%WER 57.14 [ 4 / 7, 3 ins, 1 del, 0 sub ] [PARTIAL]'
    """
    return (
        f"%WER {rate(counts.errors, counts.reference_tokens)} "
        f"[ {counts.errors} / {counts.reference_tokens}, {counts.insertions} ins, "
        f"{counts.deletions} del, {counts.substitutions} sub ]{' [PARTIAL]' if partial else ''}"
    )


def sentence_line(errors: int, sentences: int, rate: Shown = percentage) -> str:
    """The line of the sentence error rate.

    Examples
    --------
    >>> sentence_line(2, 3)
    '%SER 66.67 [ 2 / 3 ]'
    """
    return f"%SER {rate(errors, sentences)} [ {errors} / {sentences} ]"


def scored_line(sentences: int, missing: int) -> str:
    """The line of what was scored.

    Examples
    --------
    >>> scored_line(3, 1)
    'Scored 3 sentences, 1 not present in hyp.'
    """
    return f"Scored {sentences} sentences, {missing} not present in hyp."


class TableScore(NamedTuple):
    """What `compute-wer` prints."""

    # Of all sentences; every error costs one, ties as Kaldi's `compute-wer` breaks them
    counts: Counts
    sentences: int  # how many were scored, and how many of them have an error
    wrong_sentences: int
    absent: int  # reference sentences without a hypothesis, whether scored as empty or not scored

    def text(self) -> str:
        r"""The three lines, as byte text.

        Examples
        --------
        >>> TableScore(Counts(6, 0, 1, 3), 3, 2, 1).text()[:53]
        '%WER 57.14 [ 4 / 7, 3 ins, 1 del, 0 sub ] [PARTIAL]\n%'
        """
        lines = (
            wer_line(self.counts, partial=self.absent > 0, rate=_exactly),
            sentence_line(self.wrong_sentences, self.sentences, _exactly),
            scored_line(self.sentences, self.absent),
        )
        return "".join(f"{line}\n" for line in lines)
