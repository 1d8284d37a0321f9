"""The lines that Kaldi's `compute-wer` prints, with its rounding; `n/a` for an undefined rate.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from formats.schema import NamedTuple
from scoring.drawing import numbers
from scoring.model.counts import Counts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias


def percentage(part: int, whole: int) -> str:
    """Return a share in percent with two decimals, computed in single precision like Kaldi.

    >>> percentage(4, 7), percentage(0, 0)
    ('57.14', 'n/a')
    """
    return _exactly(part, whole) if whole else "n/a"


def _exactly(part: int, whole: int) -> str:
    """Return a share in percent as C prints it, including `-nan` and `inf`."""
    return numbers.decimals(numbers.percentage(part, whole))


Digits: TypeAlias = Callable[[int, int], str]


def wer_line(
    counts: Counts,
    *,
    partial: bool = False,
    digits: Digits = percentage,
    length: int | None = None,
) -> str:
    """Return the line of the word error rate. `partial`: a reference had no hypothesis.

    Errors are divided by `length`, or by the number of reference words if it is None.

    >>> wer_line(Counts(6, 0, 1, 3), partial=True)
    '%WER 57.14 [ 4 / 7, 3 ins, 1 del, 0 sub ] [PARTIAL]'
    """
    words = counts.reference_tokens if length is None else length
    return (
        f"%WER {digits(counts.errors, words)} "
        f"[ {counts.errors} / {words}, {counts.insertions} ins, "
        f"{counts.deletions} del, {counts.substitutions} sub ]{' [PARTIAL]' if partial else ''}"
    )


def sentence_line(errors: int, sentences: int, digits: Digits = percentage) -> str:
    """Return the line of the sentence error rate."""
    return f"%SER {digits(errors, sentences)} [ {errors} / {sentences} ]"


def scored_line(number: int, missing: int, items: str = "sentences") -> str:
    """Return Kaldi's line with the number of scored utterances."""
    return f"Scored {number} {items}, {missing} not present in hyp."


class TableScore(NamedTuple):
    """The counts that `compute-wer` prints."""

    counts: Counts  # of all sentences; every error costs one, ties as in `compute-wer`
    sentences: int
    wrong_sentences: int
    absent: int  # reference sentences without a hypothesis, scored as empty or not scored

    def text(self) -> str:
        """Return the three lines that `compute-wer` prints, as byte text."""
        lines = (
            wer_line(self.counts, partial=self.absent > 0, digits=_exactly),
            sentence_line(self.wrong_sentences, self.sentences, _exactly),
            scored_line(self.sentences, self.absent),
        )
        return "".join(f"{line}\n" for line in lines)


def speaker_rows(listed: Sequence[Counts]) -> Iterator[tuple[str, Sequence[object]]]:
    """Yield the row of a speaker's counts and, if there are words, the row of the rates.

    A row is its first column (`raw` or `sys`) and the numbers.
    """
    correct, substitutions, deletions, insertions = counts = sum(listed, Counts())
    words, sentences = counts.reference_tokens, len(listed)
    numbers = (correct, substitutions, insertions, deletions, counts.errors)
    wrong = sum(utterance.errors > 0 for utterance in listed)
    yield "raw", (sentences, words, *numbers, wrong)
    if words:
        rates = [f"{100 * number / words:.2f}" for number in numbers]
        yield "sys", (sentences, words, *rates, f"{100 * wrong / sentences:.2f}")
