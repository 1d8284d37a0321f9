"""Subtitles: SubER, error rates after the exact cut, breaks, and how much time is covered.

Unlike other measures this one aligns anew: whole files, without case and punctuation, as SubER's
tool does. Each number is counted at a subtitle of the reference, so that groups and intervals work.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoring.alignment.direction import direction_edits
from scoring.alignment.sequences import edit_distance_batch
from scoring.measures import suber
from scoring.measures.recordings import recordings_of
from scoring.measures.spans import covered
from scoring.measures.suber import SubtitleBlock, SubtitleEdits, plain_word, with_breaks
from scoring.model import UNIT_COSTS, Edit
from scoring.rates.counted import Integers
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


class _Recording(NamedTuple):
    """The subtitles of both sides; the row of each one of the reference."""

    rows: Sequence[int]
    reference: Sequence[SubtitleBlock]
    hypothesis: Sequence[SubtitleBlock]


def block_of(segment: Segment) -> SubtitleBlock:
    """The subtitle of a segment; times are -1 where it has none."""
    layout = segment.get("lines")
    lines = [segment.words] if layout is None else map(str.split, layout.split("\n"))
    start, end = segment.start_ns, segment.end_ns
    times = (-1, -1) if start is None or end is None else (start, end)
    return SubtitleBlock.of(*times, lines)


def cut_words(reference: Sequence[Sequence[str]], words: Sequence[str]) -> tuple[list[int], bytes]:
    """Cut a text at the blocks of a reference as SubER does, along an alignment without case.

    An inserted word goes to the block of the reference word before it, before the first to the
    first block; a block whose words are all deleted gets none. Returns where the words of each
    block begin, the end, and the edits of the alignment.

    >>> cut_words([["we", "left"], ["the", "sea"]], ["we", "left", "um", "the", "sea"])[0]
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
    return [0, *(before[end] for end in ends)], path


@cache
def _bare(word: str) -> str:
    """A word in small letters without punctuation of any script."""
    letters = [letter for letter in word.lower() if unicodedata.category(letter)[0] != "P"]
    return "".join(letters)


def _bare_words(words: Iterable[str]) -> list[str]:
    return list(filter(None, map(_bare, words)))


class _Counter:
    """The columns of all recordings, a row per subtitle of the reference."""

    def __init__(self, size: int) -> None:
        self.columns = {name: np.zeros(size, np.int64) for name in COLUMNS}
        # rows, and the texts of both sides
        self.texts: dict[str, tuple[list[int], list[list[str]], list[list[str]]]]
        self.texts = {name: ([], [], []) for name in RATES if name != "t_wer"}
        # the parts of the files: rows, and the tokens of both sides
        self.part_rows: list[int] = []
        self.part_tokens: tuple[list[suber.SubtitleTokens], ...] = [], []
        # begin, end and row of the blocks of each side and of both
        self.spans: dict[str, list[tuple[int, int, int]]]
        self.spans = {name: [] for name in ("reference", "hypothesis", "both")}

    def add(self, recording: _Recording) -> None:
        """Add a recording; without times there is neither SubER nor t-WER."""
        _, reference, hypothesis = recording
        if all(block.start_ns >= 0 for block in (*reference, *hypothesis)):
            self._add_parts(*recording)
            self._add_by_time(recording)
        self._add_cut(recording)

    def result(self) -> dict[str, Integers]:
        """Count everything that was added."""
        for name, (rows, *sides) in self.texts.items():
            counts = np.asarray(edit_distance_batch(*sides, costs=UNIT_COSTS).array)
            self.columns[f"{name}_errors"][rows] += counts.reshape(-1, 4)[:, 1:].sum(axis=1)
        for kind in ("errors", "size"):  # t-WER adds the words that are in no block
            self.columns[f"t_wer_{kind}"] += self.columns[f"t_wer_suber_{kind}"]
        table = np.array(list(suber.edits_of(*self.part_tokens)), np.int64)
        edits = table.reshape(-1, len(SUBER_COLUMNS)).T
        for name, numbers in zip(SUBER_COLUMNS, edits, strict=True):
            np.add.at(self.columns[name], self.part_rows, numbers)
        size = len(self.columns["suber_shifts"])
        tables = (np.array(spans, np.int64).reshape(-1, 3).T for spans in self.spans.values())
        ours, theirs, both = (covered(table[0], table[1], table[2], size) for table in tables)
        times = ours, theirs, ours + theirs - both
        return self.columns | dict(zip(COLUMNS[-3:], times, strict=True))

    def _add_parts(
        self,
        rows: Sequence[int],
        reference: Sequence[SubtitleBlock],
        hypothesis: Sequence[SubtitleBlock],
    ) -> None:
        row = rows[0]
        for part in suber.parts(reference, hypothesis):
            row = rows[part.reference[0]] if part.reference else row
            left = [reference[place] for place in part.reference]
            right = [hypothesis[place] for place in part.hypothesis]
            self.part_rows.append(row)
            for tokens, blocks in zip(self.part_tokens, (left, right), strict=True):
                tokens.append(suber.tokens_of(blocks))
            for spans, blocks in zip(self.spans.values(), (left, right, left + right), strict=True):
                spans += [(block.start_ns, block.end_ns, row) for block in blocks]
            row = rows[part.reference[-1]] if part.reference else row

    def _add_cut(self, recording: _Recording) -> None:
        rows, reference, hypothesis = recording
        words = [word for block in hypothesis for word in block.words]
        behind = [mark for block in hypothesis for mark in block.breaks]
        numbers = [block.break_count for block in (*reference, *hypothesis)]
        if len(reference) == 1 and numbers == [1, 1]:
            # one break on each side, at the end
            bounds = [0, len(words)]
            self.columns["breaks_matched"][rows[0]] = 1
        else:
            bounds, path = cut_words([block.words for block in reference], words)
            self._count_breaks(recording, behind, path)
        bare = list(map(_bare, words))
        for row, block, (begin, end) in zip(rows, reference, pairwise(bounds), strict=True):
            spoken, heard, marks = list(map(_bare, block.words)), bare[begin:end], behind[begin:end]
            self._compare("as_wer", row, list(filter(None, spoken)), list(filter(None, heard)))
            self._compare("as_cer", row, " ".join(spoken), " ".join(heard))
            shown = with_breaks(spoken, block.breaks), with_breaks(heard, marks)
            self._compare("wer_seg", row, *shown)
            self.columns["breaks_reference"][row] = block.break_count
            self.columns["breaks_hypothesis"][row] = len(marks) - marks.count("")

    def _compare(self, name: str, row: int, left: Sequence[str], right: Sequence[str]) -> None:
        """Add two texts, words or characters, whose errors are counted later."""
        self.columns[f"{name}_size"][row] = len(left)
        if left != right:
            rows, references, hypotheses = self.texts[name]
            rows.append(row)
            references.append(list(left))
            hypotheses.append(list(right))

    def _count_breaks(self, recording: _Recording, behind: Sequence[str], path: bytes) -> None:
        """Breaks of one kind at the same gap between words of the alignment."""
        blocks = zip(recording.rows, recording.reference, strict=True)
        ours = [(row, mark) for row, block in blocks for mark in block.breaks]
        i = j = 0
        used = [-1, -1]
        for edit in path:
            i += edit != Edit.INSERTION
            j += edit != Edit.DELETION
            if i and j and behind[j - 1] and i != used[0] and j != used[1]:
                row, mark = ours[i - 1]
                if mark == behind[j - 1]:
                    self.columns["breaks_matched"][row] += 1
                    used = [i, j]

    def _add_by_time(self, recording: _Recording) -> None:
        rows, reference, hypothesis = recording
        starts = [block.start_ns for block in reference]
        shares: list[list[str]] = [[] for _ in starts]
        for block in hypothesis:
            first, last = block.start_ns + _MARGIN, block.end_ns - _MARGIN
            place = bisect_left(starts, first) - 1
            is_inside = 0 <= place == bisect_left(starts, last) - 1
            if is_inside and first <= last < reference[place].end_ns:
                shares[place] += block.words
                continue
            for word, (floor, ceiling) in zip(block.words, _moments(block), strict=True):
                place = bisect_left(starts, ceiling) - 1
                if place >= 0 and floor < reference[place].end_ns:
                    shares[place].append(word)
                else:
                    row = rows[_nearest(reference, place, floor)]
                    self.columns["t_wer_errors"][row] += bool(_bare(word))
        for row, block, share in zip(rows, reference, shares, strict=True):
            texts = _bare_words(block.words), _bare_words(share)
            self._compare("t_wer_suber", row, *texts)


def _nearest(blocks: Sequence[SubtitleBlock], place: int, moment: int) -> int:
    """The nearest block to a moment behind this one, or before the first."""
    if place < 0 or place + 1 == len(blocks):
        return max(place, 0)
    before = moment - blocks[place].end_ns
    return place if before <= blocks[place + 1].start_ns - moment else place + 1


def _moments(block: SubtitleBlock) -> Iterator[tuple[int, int]]:
    """The time of each word, spread evenly over its block, rounded down and up."""
    gaps = max(len(block.words) - 1, 1)
    begin, length = block.start_ns + _MARGIN, block.end_ns - block.start_ns - 2 * _MARGIN
    for place in range(len(block.words)):
        yield begin + place * length // gaps, begin - (-place * length // gaps)


def count(view: View) -> dict[str, Integers]:
    """The columns of all recordings."""
    counter = _Counter(len(view))
    for rows, *sides in recordings_of(view, "subtitles"):
        counter.add(_Recording(rows, *([block_of(segment) for segment in side] for side in sides)))
    return counter.result()


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
