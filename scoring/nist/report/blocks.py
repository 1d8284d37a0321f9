"""The block that shows one utterance's alignment: its head, its scores and its lines of words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

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
    Words,
)
from scoring.model import NO_HYPOTHESIS, NO_REFERENCE, Edit
from scoring.native import load

FEEDBACK_LINE_WIDTH = 199
"""Line width of the blocks shown while aligning, at feedback level 2 and more."""

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


class BlockRenderer(Protocol):
    """Draws blocks of the utterances of one system."""

    def render(self, utterances: Iterable[int], line_width: int, full: bool) -> bytes:
        """The blocks of some utterances, by position, an empty line after each."""

    def block(self, utterance: int, line_width: int, full: bool) -> bytes:
        """The block of one utterance, without a line after it."""


class _Row(NamedTuple):
    """One line of an alignment: its head and a text for every slot."""

    head: str
    texts: Sequence[str]


class _Words(NamedTuple):
    """Both words of every slot as they are shown, and the columns they take."""

    references: list[str]
    hypotheses: list[str]
    widths: list[int]


def renderer(system: System) -> BlockRenderer:
    """A renderer prepared for a system; worth keeping while that system's blocks are drawn."""
    native = load("blocks")
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
        system.edit_offsets,
        system.counts,
    )
    return prepared


def block(system: System, utterance: int, line_width: int, full: bool) -> bytes:
    """The block of one utterance.

    Parameters
    ----------
    utterance
        Position in the columns of the system.
    line_width
        A line is broken before the word that would reach this many bytes. Where a single word is
        too long, sclite never ends; we put at least one word on a line.
    full
        Show times, confidences and weights as well.
    """
    return renderer(system).block(utterance, line_width, full)


def native_side(words: Words) -> tuple[object, ...]:
    """The columns of one side as the native module takes them."""
    return (
        words.types,
        words.begins,
        words.ends,
        words.starts,
        words.finishes,
        words.confidences,
        words.weights,
    )


class PlainBlockRenderer:
    """The twin of the native renderer."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._reference_weights = system.weights_of(system.reference)
        self._hypothesis_weights = system.weights_of(system.hypothesis)

    def render(self, utterances: Iterable[int], line_width: int, full: bool) -> bytes:
        """The blocks of some utterances, an empty line after each."""
        return b"".join(self.block(one, line_width, full) + b"\n" for one in utterances)

    def block(self, utterance: int, line_width: int, full: bool) -> bytes:
        """The block of one utterance."""
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
        for name, column in (
            ("Labels", utterances.labels),
            ("File", utterances.files),
            ("Channel", utterances.channels),
        ):
            value = column[utterance] if column is not None else None
            if value is not None:
                parts.append(f"{name}: {value}\n")
        parts.append(self._scores(utterance))
        attributes = utterances.attributes[utterance]
        names = _attribute_names(attributes, full)
        if names:
            parts.append(f"Attributes: {names}\n")
        if full and attributes & REFERENCE_SPAN:
            begins, ends = utterances.span_begins, utterances.span_ends
            assert begins is not None
            assert ends is not None
            parts.append(f"Ref times: t1= {begins[utterance]:.2f} t2= {ends[utterance]:.2f}\n")
        begins, ends = utterances.hypothesis_span_begins, utterances.hypothesis_span_ends
        if full and attributes & HYPOTHESIS_SPAN and begins is not None and ends is not None:
            parts.append(f"Hyp times: t1= {begins[utterance]:.2f} t2= {ends[utterance]:.2f}\n")
        return "".join(parts)

    def _scores(self, utterance: int) -> str:
        system = self._system
        begin, end = system.edit_offsets[utterance], system.edit_offsets[utterance + 1]
        uncounted = sum(system.edits.count(edit, begin, end) for edit in _UNCOUNTED)
        kinds, numbers = "#C #S #D #I", [*system.counts_of(utterance)]
        if uncounted:
            kinds, numbers = f"{kinds} #UNK", [*numbers, uncounted]
        return f"Scores: ({kinds}) {' '.join(map(str, numbers))}\n"

    def _words(self, utterance: int) -> _Words:
        system = self._system
        types = system.vocabulary.types
        upper = system.vocabulary.upper
        folded = not system.utterances.attributes[utterance] & CASE_SENSITIVE
        shown = _Words([], [], [])
        for edit, left, right in system.slots(utterance):
            reference = types[system.reference.types[left]].text if left is not None else ""
            hypothesis = types[system.hypothesis.types[right]].text if right is not None else ""
            if edit == Edit.INSERTION:
                reference = "*" * len(hypothesis)
            elif edit == Edit.DELETION:
                hypothesis = "*" * len(reference)
            # upper case may take more bytes; sclite measures before it changes the case
            shown.widths.append(max(len(reference), len(hypothesis), edit in UNPAIRED))
            if folded and edit in _ERRORS:
                reference, hypothesis = upper(reference), upper(hypothesis)
            shown.references.append(reference)
            shown.hypotheses.append(hypothesis)
        return shown

    def _rows(self, utterance: int, words: _Words, attributes: int) -> list[_Row]:
        system = self._system
        references, hypotheses = words.references, words.hypotheses
        begin, end = system.edit_offsets[utterance], system.edit_offsets[utterance + 1]
        letters = system.edits[begin:end].translate(_SHOWN).decode("ascii")
        left = _Measures(system, utterance, reference=True)
        right = _Measures(system, utterance, reference=False)
        rows = [_Row("REF:  ", references)]
        if attributes & REFERENCE_TIMES:
            rows.append(_Row("R_T1: ", left.column(system.reference.starts, 2)))
            rows.append(_Row("R_T2: ", left.column(system.reference.finishes, 2)))
        if attributes & REFERENCE_CONFIDENCES:
            rows.append(_Row("RCNF: ", left.column(system.reference.confidences, 4)))
        rows.append(_Row("HYP:  ", hypotheses))
        if attributes & HYPOTHESIS_TIMES:
            rows.append(_Row("H_T1: ", right.column(system.hypothesis.starts, 2)))
            rows.append(_Row("H_T2: ", right.column(system.hypothesis.finishes, 2)))
        if attributes & HYPOTHESIS_CONFIDENCES:
            rows.append(_Row("CONF: ", right.column(system.hypothesis.confidences, 4)))
        if attributes & REFERENCE_WEIGHTS:
            rows.append(_Row("R_WE: ", left.column(self._reference_weights, 4)))
        if attributes & HYPOTHESIS_WEIGHTS:
            rows.append(_Row("H_WE: ", right.column(self._hypothesis_weights, 4)))
        # a blank would widen a slot in which neither word has a text
        rows.append(_Row("Eval: ", [letter.strip() for letter in letters]))
        return rows


class _Measures:
    """The numbers that belong to the words of one side of an utterance."""

    def __init__(self, system: System, utterance: int, *, reference: bool) -> None:
        # None: no word, nothing to show. -1: the empty partner of a skipped word, all zeros.
        self._positions: list[int | None] = []
        missing = NO_REFERENCE if reference else NO_HYPOTHESIS
        for slot in system.slots(utterance):
            position = slot.reference if reference else slot.hypothesis
            if slot.edit in missing and slot.edit >= Edit.SKIPPED_REFERENCE:
                position = -1
            self._positions.append(position)

    def column(self, values: Sequence[float] | None, decimals: int) -> list[str]:
        """A text per slot; a side that lacks the values its attributes promise shows zeros."""
        return [
            "" if position is None else f"{_number(values, position):.{decimals}f}"
            for position in self._positions
        ]


def _number(column: Sequence[float] | None, position: int) -> float:
    return 0.0 if column is None or position < 0 else column[position]


def _attribute_names(attributes: int, full: bool) -> str:
    names = ""
    if full and attributes & CHARACTER_ALIGNED:
        names += "Character_align "
    if attributes & CASE_SENSITIVE:
        names += "Case_sensitve "  # sclite's spelling
    if full and attributes & REFERENCE_WEIGHTS:
        names += "Ref_weight "
    if full and attributes & HYPOTHESIS_WEIGHTS:
        names += "Hyp_weight "
    return names


def _passes(rows: Sequence[_Row], widths: Sequence[int], line_width: int) -> Iterator[str]:
    """The rows of an utterance, broken into as many groups of lines as they need."""
    begin = 0
    while begin < len(widths):
        end = _pass_end(widths, begin, line_width)
        prefix = "\n" if begin else ""
        for row in rows:
            mark = ">> " if begin else ""
            words = [
                text.ljust(width) + " "
                for text, width in zip(row.texts[begin:end], widths[begin:end], strict=True)
            ]
            yield f"{prefix}{mark}{row.head}{''.join(words)}\n"
            prefix = ""
        begin = end


def _pass_end(widths: Sequence[int], begin: int, line_width: int) -> int:
    """The slot before which a line that starts with slot `begin` is broken."""
    position = _LATER_INDENT if begin else _FIRST_INDENT
    end = begin
    while position < line_width and end < len(widths):
        position += widths[end] + 1
        end += 1
    if end < len(widths):
        end -= 1  # the word that reached the width goes to the next line
    return max(end, begin + 1)
