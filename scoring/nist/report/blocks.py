"""The text block of one utterance's alignment: header, scores and aligned lines of words.

A slot is one place of an alignment: a reference word, a hypothesis word, or both. Byte text is a
`str` with one character per byte.
"""

from __future__ import annotations

from formats.schema import NamedTuple
from scoring.alignment import load_core
from scoring.alignment.system import (
    CASE_SENSITIVE,
    CHARACTER_ALIGNED,
    HYPOTHESIS_CONFIDENCES,
    HYPOTHESIS_SPAN,
    HYPOTHESIS_TIMES,
    HYPOTHESIS_WEIGHTS,
    REFERENCE_CONFIDENCES,
    REFERENCE_SPAN,
    REFERENCE_TIMES,
    REFERENCE_WEIGHTS,
    System,
    Utterances,
)
from scoring.model.counts import NO_HYPOTHESIS, NO_REFERENCE, Edit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Protocol

    from scoring.alignment.numbered import NumberedWords

    class BlockRenderer(Protocol):
        """Draws the text blocks of a system's utterances."""

        def render(
            self, utterances: Sequence[int], line_width: int, full: bool, heads: Sequence[str] = ()
        ) -> bytes:
            """Return the blocks of utterances.

            `heads` has a byte text to print before each block.
            """

        def block(self, utterance: int, line_width: int, full: bool) -> bytes:
            """Return the block of one utterance, without the empty line after it."""


FEEDBACK_LINE_WIDTH = 199
"""Line width of the blocks in the progress output at feedback level 2 and above."""

_FULL_WIDTH = 7
_MEASURED = (
    REFERENCE_TIMES
    | HYPOTHESIS_TIMES
    | REFERENCE_CONFIDENCES
    | HYPOTHESIS_CONFIDENCES
    | REFERENCE_WEIGHTS
    | HYPOTHESIS_WEIGHTS
)
# A side without a word takes at least a column, even if the other side's word has no text.
UNPAIRED = NO_REFERENCE | NO_HYPOTHESIS
_UNCOUNTED = (Edit.MERGED, Edit.SPLIT)
_ERRORS = frozenset({Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION, *_UNCOUNTED})
_SHOWN = bytes.maketrans(bytes(range(8)), b" SDI  SS")
# Sum of the widths a line starts with: 6 columns of its head, 3 more of `>> ` on later lines.
_FIRST_INDENT, _LATER_INDENT = 6, 9


class _Row(NamedTuple):
    """A line of a block: its heading, the column with its values, and the bit that enables it."""

    head: str
    attribute: int
    of_reference: bool
    column: str
    decimals: int


_ROWS = (
    _Row("R_T1: ", REFERENCE_TIMES, True, "starts", 2),
    _Row("R_T2: ", REFERENCE_TIMES, True, "finishes", 2),
    _Row("RCNF: ", REFERENCE_CONFIDENCES, True, "confidences", 4),
    _Row("HYP:  ", 0, False, "", 0),
    _Row("H_T1: ", HYPOTHESIS_TIMES, False, "starts", 2),
    _Row("H_T2: ", HYPOTHESIS_TIMES, False, "finishes", 2),
    _Row("CONF: ", HYPOTHESIS_CONFIDENCES, False, "confidences", 4),
    _Row("R_WE: ", REFERENCE_WEIGHTS, True, "weights", 4),
    _Row("H_WE: ", HYPOTHESIS_WEIGHTS, False, "weights", 4),
)


class _Words(NamedTuple):
    """The displayed words of every slot, and the widths of the slots."""

    references: list[str]
    hypotheses: list[str]
    widths: list[int]


def renderer(system: System) -> BlockRenderer:
    """Return a renderer for a system, to be used for all its blocks.

    A line is broken before the word that would reach the line width in bytes. A line has at least
    one word, even if this word is longer than the line (sclite would run forever). `full` blocks
    also show times, confidences and weights.
    """
    streams = system.utterances.streams
    prepared = _renderer(system)
    return prepared if streams is None else _StreamsNamed(prepared, streams)


class _BlockByBlock:
    """Base of renderers that create the blocks of several utterances from single blocks."""

    def block(self, utterance: int, line_width: int, full: bool) -> bytes:
        """Return the block of one utterance."""
        raise NotImplementedError

    def render(
        self, utterances: Sequence[int], line_width: int, full: bool, heads: Sequence[str] = ()
    ) -> bytes:
        """Return the blocks of some utterances, each followed by an empty line.

        `heads` has a byte text to print before each block.
        """
        if heads and len(heads) != len(utterances):
            raise ValueError("heads: expected one for each utterance")
        begins = [head.encode("latin-1") for head in heads] or [b""] * len(utterances)
        return b"".join(
            head + self.block(utterance, line_width, full) + b"\n"
            for head, utterance in zip(begins, utterances, strict=True)
        )


class _StreamsNamed(_BlockByBlock):
    """Adds the name of the compared stream to each block of another renderer."""

    def __init__(self, blocks: BlockRenderer, streams: Sequence[str | None]) -> None:
        self._blocks = blocks
        self._streams = streams

    def block(self, utterance: int, line_width: int, full: bool) -> bytes:
        lines, stream = self._blocks.block(utterance, line_width, full), self._streams[utterance]
        if stream is None:
            return lines
        head, scores, rest = lines.partition(b"\nScores: ")
        return b"%s\nHyp speaker: %s%s%s" % (head, stream.encode("latin-1"), scores, rest)


def _renderer(system: System) -> BlockRenderer:
    native = load_core()
    if native is None:
        return PlainBlockRenderer(system)
    types = system.vocabulary.types
    texts = [word.text for word in types]
    upper = texts
    if not all(bits & CASE_SENSITIVE for bits in set(system.utterances.attributes)):
        upper = list(map(system.vocabulary.upper, texts))
    prepared: BlockRenderer = native.BlockRenderer(
        texts,
        upper,
        system.vocabulary.weights,
        system.utterances,
        native_side(system.reference),
        native_side(system.hypothesis),
        system.edits,
        system.offsets,
        system.counts.numbers,
    )
    return prepared


def native_side(words: NumberedWords) -> tuple[object, ...]:
    """Return the columns of one side as arguments of the compiled module."""
    return (
        words.types,
        words.begins,
        words.ends,
        words.starts,
        words.finishes,
        words.confidences,
        words.weights,
    )


def texts_of(utterances: Utterances, utterance: int) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of an utterance's labels, file and channel, if known."""
    for name, column in (
        ("Labels", utterances.labels),
        ("File", utterances.files),
        ("Channel", utterances.channels),
    ):
        text = None if column is None else column[utterance]
        if text is not None:
            yield name, text


def spans_of(columns: Utterances, utterance: int) -> Iterator[tuple[str, float, float]]:
    """Yield the side (`Ref` or `Hyp`), start and end (in seconds) of each known time span."""
    for bit, side, begins, ends in (
        (REFERENCE_SPAN, "Ref", columns.span_begins, columns.span_ends),
        (HYPOTHESIS_SPAN, "Hyp", columns.hypothesis_span_begins, columns.hypothesis_span_ends),
    ):
        if columns.attributes[utterance] & bit and begins is not None and ends is not None:
            yield side, begins[utterance], ends[utterance]


def times_of(utterances: Utterances, utterance: int) -> Iterator[str]:
    """Yield a line with the times of each side whose time span is known."""
    for side, begin, end in spans_of(utterances, utterance):
        yield f"{side} times: t1= {decimal(begin, 2)} t2= {decimal(end, 2)}\n"


def decimal(value: float, places: int) -> str:
    """Return a number as C prints it, which shows the sign of NaN.

    >>> decimal(1.5, 3), decimal(float("-nan"), 3)
    ('1.500', '-nan')
    """
    text = f"{value:.{places}f}"
    if text != "nan":
        return text
    from math import copysign  # loading it takes as long as writing a short report

    return "-nan" if copysign(1, value) < 0 else text


class PlainBlockRenderer(_BlockByBlock):
    """The plain Python version of the native renderer."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._weights = {
            True: system.weights_of(system.reference),
            False: system.weights_of(system.hypothesis),
        }

    def block(self, utterance: int, line_width: int, full: bool) -> bytes:
        """Return the text block of one utterance."""
        parts = [self._head(utterance, full)]
        attributes = self._system.utterances.attributes[utterance]
        words = self._words(utterance)
        minimum = _FULL_WIDTH if full and attributes & _MEASURED else 0
        widths = [max(minimum, width) for width in words.widths]
        rows = self._rows(utterance, words, attributes if full else 0)
        parts += _passes(rows, widths, line_width)
        return "".join(parts).encode("latin-1")

    def _head(self, utterance: int, full: bool) -> str:
        utterances = self._system.utterances
        parts = [f"id: {utterances.identifiers[utterance]}\n"]
        parts += (f"{name}: {text}\n" for name, text in texts_of(utterances, utterance))
        parts.append(self._scores(utterance))
        attributes = utterances.attributes[utterance]
        names = "".join(
            name
            for bit, name, always in (
                (CHARACTER_ALIGNED, "Character_align ", False),
                (CASE_SENSITIVE, "Case_sensitve ", True),  # sclite's spelling
                (REFERENCE_WEIGHTS, "Ref_weight ", False),
                (HYPOTHESIS_WEIGHTS, "Hyp_weight ", False),
            )
            if attributes & bit and (full or always)
        )
        if names:
            parts.append(f"Attributes: {names}\n")
        if full:
            parts += times_of(utterances, utterance)
        return "".join(parts)

    def _scores(self, utterance: int) -> str:
        system = self._system
        edits = system.edits_of(utterance)
        uncounted = sum(map(edits.count, _UNCOUNTED))
        kinds, numbers = "#C #S #D #I", [*system.counts[utterance]]
        if uncounted:
            kinds, numbers = f"{kinds} #UNK", [*numbers, uncounted]
        return f"Scores: ({kinds}) {' '.join(map(str, numbers))}\n"

    def _words(self, utterance: int) -> _Words:
        system = self._system
        types = system.vocabulary.types
        upper = system.vocabulary.upper
        folded = not system.utterances.attributes[utterance] & CASE_SENSITIVE
        columns = _Words([], [], [])
        for edit, left, right in system.slots(utterance):
            reference = types[system.reference.types[left]].text if left is not None else ""
            hypothesis = types[system.hypothesis.types[right]].text if right is not None else ""
            if edit == Edit.INSERTION:
                reference = "*" * len(hypothesis)
            elif edit == Edit.DELETION:
                hypothesis = "*" * len(reference)
            # upper case may take more bytes; sclite measures before it changes the case
            columns.widths.append(max(len(reference), len(hypothesis), edit in UNPAIRED))
            if folded and edit in _ERRORS:
                reference, hypothesis = upper(reference), upper(hypothesis)
            columns.references.append(reference)
            columns.hypotheses.append(hypothesis)
        return columns

    def _rows(
        self, utterance: int, words: _Words, attributes: int
    ) -> list[tuple[str, Sequence[str]]]:
        """Return the lines of a block: the heading of each line, and its text for every slot."""
        system = self._system
        sides = {True: system.reference, False: system.hypothesis}
        # None: no word, nothing to show. -1: the empty partner of a skipped word, all zeros.
        positions: dict[bool, list[int | None]] = {True: [], False: []}
        for edit, left, right in system.slots(utterance):
            skipped = edit >= Edit.SKIPPED_REFERENCE
            positions[True].append(-1 if skipped and edit in NO_REFERENCE else left)
            positions[False].append(-1 if skipped and edit in NO_HYPOTHESIS else right)
        rows: list[tuple[str, Sequence[str]]] = [("REF:  ", words.references)]
        for head, attribute, of_reference, name, decimals in _ROWS:
            if not name:
                rows.append((head, words.hypotheses))
            elif attributes & attribute:
                column: Sequence[float] | None = self._weights[of_reference]
                if name != "weights":
                    column = getattr(sides[of_reference], name)
                # a side that lacks the values its attributes promise shows zeros
                values = [
                    None
                    if position is None
                    else 0.0
                    if column is None or position < 0
                    else column[position]
                    for position in positions[of_reference]
                ]
                texts = ["" if value is None else decimal(value, decimals) for value in values]
                rows.append((head, texts))
        letters = system.edits_of(utterance).translate(_SHOWN).decode("ascii")
        # a blank would widen a slot in which neither word has a text
        rows.append(("Eval: ", [letter.strip() for letter in letters]))
        return rows


def _passes(
    rows: Sequence[tuple[str, Sequence[str]]], widths: Sequence[int], line_width: int
) -> Iterator[str]:
    """Yield the rows of an utterance as text, in groups of lines that fit the width."""
    begin = 0
    while begin < len(widths):
        position, end = _LATER_INDENT if begin else _FIRST_INDENT, begin
        while position < line_width and end < len(widths):
            position += widths[end] + 1
            end += 1
        if end < len(widths):
            end -= 1  # the word that reached the width goes to the next line
        end = max(end, begin + 1)
        prefix, mark = ("\n", ">> ") if begin else ("", "")
        for head, texts in rows:
            words = [
                text.ljust(width) + " "
                for text, width in zip(texts[begin:end], widths[begin:end], strict=True)
            ]
            yield f"{prefix}{mark}{head}{''.join(words)}\n"
            prefix = ""
        begin = end
