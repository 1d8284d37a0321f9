"""Differences inside running text, wrapped to the width of a terminal.

Without colour, deleted words are in ``[-…-]`` and inserted words in ``{+…+}``, as in `wdiff`. With
colour, they are red and green. Lines are measured in columns: wide letters take two columns,
combining marks none. Differences are enclosed in Unicode's isolates, so that right-to-left text
stays in order. A line that begins from right to left continues in this direction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from formats.console import shown
from formats.console.terminal import (
    begins_right_to_left,
    coloured,
    isolated,
    right_to_left_line,
    width,
)
from scoring.drawing.opcodes import DELETE, EQUAL, INSERT, opcodes_of
from scoring.model.counts import Alignment

LEFT_OUT = "…"
LEAST_COLUMNS = 20
_MARKS = {EQUAL: ("", ""), DELETE: ("[-", "-]"), INSERT: ("{+", "+}")}
_COLOURS = {DELETE: "31", INSERT: "32"}


class EditRun(NamedTuple):
    """Consecutive words of the same kind: `equal`, `delete` or `insert`."""

    tag: str
    words: Sequence[str]


def runs(alignment: Alignment, context: int | None = None) -> list[EditRun]:
    """Return the runs of an alignment; in a difference, deleted words precede inserted words.

    >>> from scoring.alignment.sequences import align
    >>> for run in runs(align("o a b c d e".split(), "o a b x d e".split()), context=1):
    ...     print(run.tag, *run.words)
    equal … b
    delete c
    insert x
    equal d e
    """
    runs = []
    for opcode in opcodes_of(alignment):
        old = list(alignment.reference[opcode.reference_begin : opcode.reference_end])
        new = list(alignment.hypothesis[opcode.hypothesis_begin : opcode.hypothesis_end])
        if opcode.tag == EQUAL:
            runs.append(EditRun(EQUAL, old))
            continue
        runs.extend(run for run in (EditRun(DELETE, old), EditRun(INSERT, new)) if run.words)
    if context is None or len(runs) == 1:  # without a difference there is nothing to shorten
        return runs
    last = len(runs) - 1
    return [_shortened(run, context, index > 0, index < last) for index, run in enumerate(runs)]


def _shortened(run: EditRun, context: int, follows: bool, precedes: bool) -> EditRun:
    head, tail = context * follows, context * precedes
    if run.tag != EQUAL or len(run.words) <= head + tail + 1:
        return run
    behind = run.words[len(run.words) - tail :] if tail else []
    return EditRun(EQUAL, [*run.words[:head], LEFT_OUT, *behind])


class _Word(NamedTuple):
    tag: str
    text: str
    opens: bool
    closes: bool


def inline_lines(
    alignment: Alignment,
    columns: int,
    colour: bool,
    *,
    indent: str = "",
    context: int | None = None,
) -> Iterator[str]:
    """Yield an alignment as lines of running text; `context` is that of `runs`.

    >>> from scoring.alignment.sequences import align
    >>> print(*inline_lines(align("the cat sat".split(), "a cat sat up".split()), 40, False))
    [-the-] {+a+} cat sat {+up+}
    """
    words = [
        _Word(run.tag, shown(text), index == 0, index == len(run.words) - 1)
        for run in runs(alignment, context)
        for index, text in enumerate(run.words)
    ]
    room = max(columns, LEAST_COLUMNS) - width(indent)
    leftwards = begins_right_to_left(" ".join(word.text for word in words))
    for row in _rows(words, room, colour):
        line = " ".join(_part(list(part), colour) for _, part in groupby(row, itemgetter(0)))
        yield indent + (right_to_left_line(line) if leftwards else line)


def _rows(words: Sequence[_Word], room: int, colour: bool) -> Iterator[list[_Word]]:
    row: list[_Word] = []
    used = 0
    for word in words:
        opening, closing = (0, 0) if colour else map(len, _MARKS[word.tag])
        columns = width(word.text) + opening * word.opens
        # at a line's end the bracket is closed, on the next line it is opened again
        if row and used + 1 + columns + closing > room:
            yield row
            row, used = [], 0
            columns += opening * (not word.opens)
        used += columns + closing * word.closes + bool(row)
        row.append(word)
    if row:
        yield row


def _part(words: Sequence[_Word], colour: bool) -> str:
    tag = words[0].tag
    text = " ".join(word.text for word in words)
    if tag == EQUAL:
        return isolated(text)
    if colour:
        return coloured(isolated(text), _COLOURS[tag], True)
    opening, closing = _MARKS[tag]
    return f"{opening}{isolated(text)}{closing}"
