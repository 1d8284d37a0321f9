"""Numbers as reports print them; the modules draw blocks as text, Markdown, HTML, JSON or CSV.

As in Kaldi, some numbers are computed in single precision. Byte text is a `str` with one character
per byte.
"""

from __future__ import annotations

from formats.schema import NamedTuple
from scoring.model.counts import Counts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias


class Appearance(NamedTuple):
    """Settings of text output."""

    columns: int = 100  # how wide lines of alignments may be
    colour: bool = False  # whether headings and errors are coloured
    rule: str = ""  # A letter that underlines the headings of sections; empty: none
    is_screen: bool = False  # whether all lines fit `columns`, as on terminals


USUAL = Appearance()

LEAST_SHOWN = 0.0001


def single(number: float) -> float:
    """Return the nearest single-precision number."""
    cell = memoryview(bytearray(4)).cast("f")
    cell[0] = number
    return cell[0]


def percentage(part: int, whole: int) -> float:
    """Return 100 * part / whole; NaN for 0 / 0, infinity if only the whole is 0.

    >>> decimals(percentage(4, 7)), decimals(percentage(0, 0)), decimals(percentage(1, 0))
    ('57.14', '-nan', 'inf')
    """
    if not whole:
        return float("inf" if part else "nan")
    return single(100 * single(part) / single(whole))


def decimals(number: float) -> str:
    """Return a number as text with two decimals; NaN becomes `-nan`, as in the C library."""
    return "-nan" if number != number else f"{number:.2f}"


def fixed(number: float, places: int, sign: str = "") -> str:
    """Return a number with `places` decimals; a negative number that rounds to 0 has no minus.

    >>> fixed(-0.04, 1), fixed(-0.04, 1, sign="+"), fixed(-0.06, 1)
    ('0.0', '+0.0', '-0.1')
    """
    return f"{round(number, places) + 0.0:{sign}.{places}f}"


def percent(rate: float | None, digits: int = 2, sign: str = "") -> str:
    """Return a ratio in percent; None becomes `n/a`.

    A tie such as 63.205 % is rounded in single precision, so the digits are those of Kaldi's lines.

    >>> percent(0.125), percent(None), percent(0.01, sign="+"), percent(-0.00001)
    ('12.50', 'n/a', '+1.00', '0.00')
    >>> percent(0.63205), decimals(percentage(126_410, 200_000))
    ('63.21', '63.21')
    """
    return "n/a" if rate is None else fixed(single(100 * rate), digits, sign)


def points(change: float | None) -> str:
    """Return a change of a ratio in percentage points.

    >>> points(0.0125), points(None)
    ('+1.25', 'n/a')
    """
    return percent(change, sign="+")


def decimal(number: float | None, places: int = 3) -> str:
    """Return a number with a fixed number of decimals; `n/a` for None."""
    return "n/a" if number is None else fixed(number, places)


def probability(value: float | None) -> str:
    """Return a probability as text with four decimals; `n/a` for None.

    >>> probability(0.0421), probability(0.0), probability(None)
    ('0.0421', '< 0.0001', 'n/a')
    """
    if value is None:
        return "n/a"
    return f"{value:.4f}" if value >= LEAST_SHOWN else f"< {LEAST_SHOWN}"


def p_text(p_value: float | None) -> str:
    """Return a p-value as text with four decimals.

    >>> p_text(0.0421), p_text(0.00001), p_text(None)
    ('p = 0.0421', 'p < 0.0001', 'p = n/a')
    """
    text = probability(p_value)
    return f"p {text}" if text[0] == "<" else f"p = {text}"


def kaldi_percentage(part: int, whole: int) -> str:
    """Return a share in percent with two decimals, computed in single precision like Kaldi.

    >>> kaldi_percentage(4, 7), kaldi_percentage(0, 0)
    ('57.14', 'n/a')
    """
    return _exactly(part, whole) if whole else "n/a"


def _exactly(part: int, whole: int) -> str:
    """Return a share in percent as C prints it, including `-nan` and `inf`."""
    return decimals(percentage(part, whole))


Digits: TypeAlias = "Callable[[int, int], str]"


def wer_line(
    counts: Counts,
    *,
    partial: bool = False,
    digits: Digits = kaldi_percentage,
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


def sentence_line(errors: int, sentences: int, digits: Digits = kaldi_percentage) -> str:
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
