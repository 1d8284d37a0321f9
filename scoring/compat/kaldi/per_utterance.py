"""`wer_per_utt_details.pl`: alignments in columns, and counts of each utterance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scoring.compat.kaldi.streams import Stream, StreamLine

# In this order, and the counts in the order of the name `#csid`.
LINES = ("ref", "hyp", "ops", "csid")


class ShownLines(NamedTuple):
    """What is read and what is written.

    Attributes
    ----------
    special_symbol, separator
        As `align-text` was told.
    lines
        Which of `LINES`.
    """

    special_symbol: str = "<eps>"
    separator: str = ";"
    lines: frozenset[str] = frozenset(LINES)


def per_utterance(stream: Stream, selection: ShownLines) -> Iterator[str]:
    r"""Lines, with their ends, from the output of `align-text`.

    Raises
    ------
    InputError
        If a line is no sequence of pairs with separators between them.

    Examples
    --------
    >>> stream = Stream.of("<stdin>", b"u1 a b ; longer <eps> \n")
    >>> for line in per_utterance(stream, ShownLines()):
    ...     print(repr(line))
    'u1 ref  a  longer\n'
    'u1 hyp  b   <eps>\n'
    'u1 op   S     D  \n'
    'u1 #csid 0 1 0 1\n'
    """
    for line in stream.lines():
        yield from _utterance(line.fields[0], _pairs(stream, line, selection.separator), selection)


def _pairs(stream: Stream, line: StreamLine, separator: str) -> list[tuple[str, str]]:
    words = line.fields[1:]
    for wrong in words[2::3]:
        if wrong != separator:
            problem = f"Detected incorrect separator {wrong} (expected {separator})."
            raise stream.error(line.number, problem)
    if words and len(words) % 3 != 2:
        raise stream.error(
            line.number,
            f"expected pairs of words with {separator} between them, found {words[-1]!r} at the "
            f"end of utterance {line.fields[0]}",
        )
    return list(zip(words[::3], words[1::3], strict=True))


def _utterance(name: str, pairs: Sequence[tuple[str, str]], selection: ShownLines) -> Iterator[str]:
    special = selection.special_symbol
    edits = [_edit(reference, hypothesis, special) for reference, hypothesis in pairs]
    widths = [max(map(len, pair)) for pair in pairs]
    rows = (
        ("ref", "ref", [reference for reference, _ in pairs]),
        ("hyp", "hyp", [hypothesis for _, hypothesis in pairs]),
        ("ops", "op ", edits),
    )
    for line, title, words in rows:
        if line in selection.lines:
            columns = map(_centred, words, widths)
            yield f"{name} {title}  {'  '.join(columns)}\n"
    if "csid" in selection.lines:
        counts = " ".join(str(edits.count(edit)) for edit in "CSID")
        yield f"{name} #csid {counts}\n"


def _edit(reference: str, hypothesis: str, special: str) -> str:
    if hypothesis == special:
        return "D"
    if reference == special:
        return "I"
    return "C" if reference == hypothesis else "S"


def _centred(word: str, width: int) -> str:
    """With the odd blank on the left; `str.center` has it now here, now there."""
    return (word + (width - len(word)) // 2 * " ").rjust(width)
