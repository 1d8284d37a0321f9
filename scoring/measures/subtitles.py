"""Subtitles: SubER, error rates after the exact cut, breaks, and how much time is covered.

Unlike other measures this one aligns anew: whole files, without case and punctuation, as SubER's
tool does. Each number is counted at a subtitle of the reference, so that groups and intervals work.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scoring.alignment.direction import direction_edits
from scoring.alignment.sequences import edit_distance
from scoring.measures.recordings import recordings_of
from scoring.measures.spans import covered
from scoring.measures.suber import (
    SubtitleBlock,
    SubtitleEdits,
    edits_of,
    parts,
    plain_word,
    with_breaks,
)
from scoring.model import UNIT_COSTS, Edit
from scoring.rates.measured import Figure, MeasureSpec, f1_figures

if TYPE_CHECKING:
    from formats.model import Segment
    from scoring.measures.view import View

_MARGIN = 10  # nanoseconds between a word and the ends of its block, in SubER's tool
SUBER_COLUMNS = tuple(f"suber_{name}" for name in SubtitleEdits._fields)
RATES = ("as_wer", "as_cer", "wer_seg", "t_wer", "t_wer_suber")
COLUMNS = (
    *SUBER_COLUMNS,
    *(f"{name}_{kind}" for name in RATES for kind in ("errors", "size")),
    *(f"breaks_{kind}" for kind in ("matched", "reference", "hypothesis")),
    *(f"covered_{kind}" for kind in ("reference", "hypothesis", "both")),
)


class _Cut(NamedTuple):
    """Where the words of each block begin in a hypothesis, the end, and the alignment's edits."""

    bounds: list[int]
    path: bytes


def block_of(segment: Segment) -> SubtitleBlock:
    """The subtitle of a segment; times are -1 where it has none."""
    layout = segment.get("lines")
    lines = [segment.words] if layout is None else map(str.split, layout.split("\n"))
    start, end = segment.start_ns, segment.end_ns
    timed = start is not None and end is not None
    return SubtitleBlock(start if timed else -1, end if timed else -1, tuple(map(tuple, lines)))  # type: ignore[arg-type]


def cut_words(reference: Sequence[Sequence[str]], words: Sequence[str]) -> _Cut:
    """Cut a text at the blocks of a reference as SubER does, along an alignment without case.

    An inserted word goes to the block of the reference word before it, before the first to the
    first block; a block whose words are all deleted gets none.

    >>> cut_words([["we", "left"], ["the", "sea"]], ["we", "left", "um", "the", "sea"]).bounds
    [0, 3, 5]
    """
    left: list[Hashable] = [plain_word(word, True) for block in reference for word in block]
    path = direction_edits(left, [plain_word(word, True) for word in words])
    # words of the hypothesis up to each word of the reference, and behind it
    before = [0]
    for edit in path:
        if edit == Edit.INSERTION:
            before[-1] += 1
        else:
            before.append(before[-1] + (edit != Edit.DELETION))
    ends = accumulate(map(len, reference))
    return _Cut([0, *(before[end] for end in ends)], path)


@cache
def _bare(word: str) -> str:
    """A word in small letters without punctuation of any script."""
    letters = [letter for letter in word.lower() if unicodedata.category(letter)[0] != "P"]
    return "".join(letters)


def _words(tokens: Sequence[str]) -> list[str]:
    return [bare for bare in map(_bare, tokens) if bare]


def _errors(reference: Sequence[Hashable], hypothesis: Sequence[Hashable]) -> int:
    return edit_distance(reference, hypothesis, costs=UNIT_COSTS).errors


class _Counter:
    """The columns of one recording, a row per block of the reference."""

    def __init__(
        self, reference: Sequence[SubtitleBlock], hypothesis: Sequence[SubtitleBlock]
    ) -> None:
        self.reference, self.hypothesis = reference, hypothesis
        self.rows = [dict.fromkeys(COLUMNS, 0) for _ in reference]

    def count(self) -> list[dict[str, int]]:
        """Everything that the files allow; without times there is neither SubER nor t-WER."""
        if all(block.start_ns >= 0 for block in (*self.reference, *self.hypothesis)):
            self._count_parts()
            self._count_by_time()
        self._count_cut()
        return self.rows

    def _rate(self, row: int, name: str, reference: Sequence[str], words: Sequence[str]) -> None:
        self.rows[row][f"{name}_errors"] += _errors(reference, words)
        self.rows[row][f"{name}_size"] += len(reference)

    def _count_parts(self) -> None:
        row = 0
        # the blocks of the reference, of the hypothesis, and of both, and the row of each
        spans: list[list[tuple[SubtitleBlock, int]]] = [[], [], []]
        for part in parts(self.reference, self.hypothesis):
            row = part.reference[0] if part.reference else row
            left = [self.reference[place] for place in part.reference]
            right = [self.hypothesis[place] for place in part.hypothesis]
            for name, number in zip(SUBER_COLUMNS, edits_of(left, right), strict=True):
                self.rows[row][name] += number
            for number, blocks in enumerate((left, right, left + right)):
                spans[number] += [(block, row) for block in blocks]
            row = part.reference[-1] if part.reference else row
        totals = []
        for side in spans:
            begins, ends = (
                [block.start_ns for block, _ in side],
                [block.end_ns for block, _ in side],
            )
            totals.append(covered(begins, ends, [row for _, row in side], len(self.rows)))
        for counts, ours, theirs, union in zip(self.rows, *totals, strict=True):
            counts["covered_reference"], counts["covered_hypothesis"] = int(ours), int(theirs)
            counts["covered_both"] = int(ours + theirs - union)

    def _count_cut(self) -> None:
        words = [word for block in self.hypothesis for word in block.words]
        behind = [mark for block in self.hypothesis for mark in block.breaks]
        cut = cut_words([block.words for block in self.reference], words)
        for row, block in enumerate(self.reference):
            share = slice(*cut.bounds[row : row + 2])
            ours, heard = block.words, words[share]
            self._rate(row, "as_wer", _words(ours), _words(heard))
            self._rate(row, "as_cer", *map(_letters, (ours, heard)))
            shown = with_breaks(heard, behind[share])
            self._rate(row, "wer_seg", _words(with_breaks(ours, block.breaks)), _words(shown))
            self.rows[row]["breaks_reference"] = sum(map(bool, block.breaks))
            self.rows[row]["breaks_hypothesis"] = len(shown) - len(heard)
        self._count_breaks(cut.path, behind)

    def _count_breaks(self, path: bytes, behind: Sequence[str]) -> None:
        """Breaks of one kind at the same gap between words of the alignment."""
        ours = [(row, mark) for row, block in enumerate(self.reference) for mark in block.breaks]
        i = j = 0
        used = [-1, -1]
        for edit in path:
            i += edit != Edit.INSERTION
            j += edit != Edit.DELETION
            if i and j and i != used[0] and j != used[1]:
                row, mark = ours[i - 1]
                if mark and mark == behind[j - 1]:
                    self.rows[row]["breaks_matched"] += 1
                    used = [i, j]

    def _count_by_time(self) -> None:
        starts = [block.start_ns for block in self.reference]
        shares: list[list[str]] = [[] for _ in starts]
        for block in self.hypothesis:
            for word, (floor, ceiling) in zip(block.words, _moments(block), strict=True):
                row = bisect_left(starts, ceiling) - 1
                if row >= 0 and floor < self.reference[row].end_ns:
                    shares[row].append(word)
                elif starts:
                    bare = len(_words([word]))
                    self.rows[self._nearest(row, floor)]["t_wer_errors"] += bare
        for row, block in enumerate(self.reference):
            for name in ("t_wer", "t_wer_suber"):
                self._rate(row, name, _words(block.words), _words(shares[row]))

    def _nearest(self, row: int, moment: int) -> int:
        """The nearest block to a moment behind this one, or before the first."""
        if row < 0 or row + 1 == len(self.reference):
            return max(row, 0)
        before = moment - self.reference[row].end_ns
        return row if before <= self.reference[row + 1].start_ns - moment else row + 1


def _letters(words: Sequence[str]) -> list[str]:
    return list(" ".join(map(_bare, words)))


def _moments(block: SubtitleBlock) -> Iterator[tuple[int, int]]:
    """The time of each word, spread evenly over its block, rounded down and up."""
    number = len(block.words)
    begin, length = block.start_ns + _MARGIN, block.end_ns - block.start_ns - 2 * _MARGIN
    for place in range(number):
        parts_ = max(number - 1, 1)
        yield begin + place * length // parts_, begin - (-place * length // parts_)


def count_file(
    reference: Sequence[SubtitleBlock], hypothesis: Sequence[SubtitleBlock]
) -> list[dict[str, int]]:
    """The columns of one file, a row per subtitle of the reference; nothing without any."""
    return _Counter(reference, hypothesis).count() if reference else []


def count(view: View) -> dict[str, Any]:
    """The columns of all recordings."""
    columns = np.zeros((len(view), len(COLUMNS)), np.int64)
    for rows, reference, hypothesis in recordings_of(view, "subtitles"):
        counts = count_file(list(map(block_of, reference)), list(map(block_of, hypothesis)))
        columns[rows] = [list(row.values()) for row in counts]
    return dict(zip(COLUMNS, columns.T, strict=True))


MEASURE = MeasureSpec(
    name="subtitles",
    title="Subtitles",
    question="How good are the subtitles?",
    definition="SubER (version 0.4.0 of its tool): edits of words and breaks, and shifts, divided "
    "by words and breaks of the reference, in small letters without punctuation; tokens match "
    "only if their blocks overlap in time. AS-WER, AS-CER and WER-seg (with breaks) are counted "
    "after the hypothesis is cut at the reference's blocks along an exact alignment of the whole "
    "text. t-WER gives each word the block at its time, spread evenly over its own; words in no "
    "block are insertions of the nearest one. t-WER (SubER) drops these words, as SubER's tool "
    "does: text invented in silence costs nothing. A break matches if both sides have the same "
    "kind (line or block) in the same gap of words. Coverage compares the time inside blocks. "
    "This measure aligns anew and does not use the normalisation of the score.",
    figures=(
        Figure(
            "suber",
            "SubER",
            f"{' + '.join(SUBER_COLUMNS[2:])} / {' + '.join(SUBER_COLUMNS[:2])}",
            high=None,
        ),
        *(
            Figure(name, title, f"{name}_errors / {name}_size", high=None)
            for name, title in zip(
                RATES, ("AS-WER", "AS-CER", "AS-WER-seg", "t-WER", "t-WER (SubER)"), strict=True
            )
        ),
        *f1_figures(
            *("breaks_matched", "breaks_reference", "breaks_hypothesis"), "break_", "breaks: {}"
        ),
        *f1_figures(
            *("covered_both", "covered_reference", "covered_hypothesis"),
            *("coverage_", "coverage: {}"),
        ),
    ),
    columns=COLUMNS,
    count=count,
    needs=frozenset({"sources"}),
)
