"""Subtitles: SubER, error rates after the exact cut, line breaks, and covered time.

Other measures use the alignment of the score. These measures align whole files again, without case
and punctuation, as SubER's tool does. Each number is counted at a subtitle of the reference, so
that groups and intervals work.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from scoring.alignment.direction import direction_edits
from scoring.alignment.sequences import edit_distance_batch
from scoring.measures.columns import (
    AlignedColumns,
    PieceColumns,
    WordColumns,
    align_numbers,
    numbers_of,
    spread,
)
from scoring.measures.recordings import Recordings, recordings_of
from scoring.measures.spans import covered, moves
from scoring.measures.suber import (
    BREAKS,
    COUNTS,
    Parts,
    Subtitles,
    count_edits,
    plain_word,
    with_breaks,
)
from scoring.model.arrays import Integers
from scoring.model.counts import UNIT_COSTS, Edit
from scoring.results.measured import Figure, MeasureSpec, f1_figures

if TYPE_CHECKING:
    from scoring.measures.view import View

_MARGIN = 10  # nanoseconds between a word and the ends of its block, in SubER's tool
SUBER_COLUMNS = tuple(f"suber_{name}" for name in COUNTS)
RATES = ("as_wer", "as_cer", "wer_seg", "t_wer", "t_wer_suber")
COLUMNS = (
    *SUBER_COLUMNS,
    *(f"{name}_{kind}" for name in RATES for kind in ("errors", "size")),
    *(f"breaks_{kind}" for kind in ("matched", "reference", "hypothesis")),
    *(f"covered_{kind}" for kind in ("reference", "hypothesis", "both")),
)


def _bare(word: str) -> str:
    """Return a word in lower case without the punctuation of any script."""
    letters = [letter for letter in word.lower() if unicodedata.category(letter)[0] != "P"]
    return "".join(letters)


class _Files:
    """The subtitles of all recordings, placed one after the other on a common time axis.

    Subtitle n of the reference is row n of the result. For each side, `owners` has the recording of
    each subtitle, and `firsts` has the first subtitle of each recording and the total. A recording
    is timed if all its subtitles have times. SubER and t-WER need timed recordings.
    """

    def __init__(self, recordings: Recordings) -> None:
        self.owners, count = recordings.owners, recordings.number
        self.firsts = [np.searchsorted(owners, np.arange(count + 1)) for owners in self.owners]
        self.sides = [*map(Subtitles, recordings.segments)]
        self.size = len(self.owners[0])
        self.is_timed = np.ones(count, np.bool_)
        begins, ends = (
            np.concatenate([getattr(side, name) for side in self.sides])
            for name in ("begins", "ends")
        )
        axis = moves(begins, ends, np.concatenate(self.owners), count, _MARGIN)
        for side, owners in zip(self.sides, self.owners, strict=True):
            self.is_timed[owners[side.begins < 0]] = False
            side.begins += axis[owners]
            side.ends += axis[owners]
        numbers = dict(BREAKS)
        self.words = numbers_of(self.sides, _bare, numbers)
        self.texts = list(numbers)


def cut_words(
    rows: Integers, reference: Sequence[Hashable], hypothesis: Sequence[Hashable]
) -> tuple[Integers, Integers, Integers]:
    """Cut a text at the subtitles of a reference like SubER, along an alignment that ignores case.

    `rows` has the first subtitle, followed by the subtitle of each reference word. An inserted word
    goes to the subtitle of the preceding reference word, or to the first subtitle. Returns the
    subtitle of each hypothesis word, and the numbers of words of each side up to each slot of the
    alignment.
    """
    path = np.frombuffer(direction_edits(reference, hypothesis), np.uint8)
    heard = path != Edit.DELETION
    spoken = np.cumsum(path != Edit.INSERTION)
    return rows[spoken[heard]], spoken, np.cumsum(heard)


def _compare(name: str, *sides: WordColumns) -> dict[str, Integers]:
    """Return the errors and the sizes of all subtitles, whose sides are aligned in a unit.

    The names of the columns start with `name`.
    """
    aligned = AlignedColumns(align_numbers(sides, (side.ids for side in sides)))
    errors = aligned.counts[:, 1:].sum(axis=1)
    return {f"{name}_errors": errors, f"{name}_size": np.diff(sides[0].offsets)}


def _count_cut(files: _Files) -> dict[str, Integers]:
    """Cut the hypothesis at the subtitles of the reference, and return what is then counted.

    The columns are those of AS-WER, AS-CER, WER-seg and breaks.
    """
    (left, right), size = files.sides, files.size
    rows, matched = _cut(files)
    spoken, shown, whole = [], [], []
    is_spoken = [words > 0 for words in files.words]
    for side, words, row, chosen in zip(
        files.sides, files.words, (left.utterances, rows), is_spoken, strict=True
    ):
        tokens, indices = with_breaks(words, side.breaks)
        shown.append(WordColumns((), tokens, np.bincount(row[indices], minlength=size)))
        spoken.append(WordColumns((), words[chosen], np.bincount(row[chosen], minlength=size)))
        whole.append(WordColumns(files.texts, words, np.bincount(row, minlength=size)))
    aligned = AlignedColumns(align_numbers(whole, (side.ids for side in whole)))
    wrong = np.flatnonzero(aligned.edits != Edit.CORRECT)
    # equal words at the begin and the end of a text cost nothing
    different, starts = np.unique(aligned.utterances[wrong], return_index=True)
    first, last = wrong[starts], wrong[np.append(starts, len(wrong))[1:] - 1]
    owners, slots = spread(last - first + 1)
    slots += first[owners]
    letters = []
    for texts, places in zip(whole, (aligned.left[slots], aligned.right[slots]), strict=True):
        sizes = np.bincount(owners[places >= 0], minlength=len(different))
        part = WordColumns(files.texts, texts.ids[places[places >= 0]], sizes)
        # a blank before each word, which costs an edit only where one side has no words
        letters.append(PieceColumns(part, lambda text: f" {text}"))
    numbers = zip(letters, numbers_of(letters, str), strict=True)
    pairs = edit_distance_batch(*(part.rows(ids) for part, ids in numbers), costs=UNIT_COSTS)
    empty = [np.diff(texts.offsets)[different] == 0 for texts in whole]
    errors = np.zeros(size, np.int64)
    errors[different] = np.asarray(pairs.array, np.int64).reshape(-1, 4)[:, 1:].sum(axis=1)
    errors[different] -= empty[0] != empty[1]
    lengths = np.array(list(map(len, files.texts)))[files.words[0]]
    return {
        **_compare("as_wer", *spoken),
        **_compare("wer_seg", *shown),
        "as_cer_errors": errors,
        "as_cer_size": left.sums(lengths) + np.maximum(np.diff(left.offsets) - 1, 0),
        "breaks_matched": matched,
        "breaks_reference": left.sums(left.breaks > 0),
        "breaks_hypothesis": np.bincount(rows[right.breaks > 0], minlength=size),
    }


def _cut(files: _Files) -> tuple[Integers, Integers]:
    """Return the subtitle of each hypothesis word, and how many breaks match in each subtitle.

    Breaks of the same kind match if they are at the same gap between words of the alignment.
    """
    left, right = files.sides
    words = numbers_of(files.sides, lambda word: plain_word(word, True))
    bounds = [side.offsets[firsts] for side, firsts in zip(files.sides, files.firsts, strict=True)]
    rows = np.repeat(files.firsts[0][:-1], np.diff(bounds[1]))
    breaks = [
        np.diff(np.append(0, np.cumsum(side.breaks > 0))[bound])
        for side, bound in zip(files.sides, bounds, strict=True)
    ]
    # one subtitle with one break on each side, at the end
    is_plain = (np.diff(files.firsts[0]) == 1) & (breaks[0] == 1) & (breaks[1] == 1)
    matched = np.zeros(files.size, np.int64)
    matched[files.firsts[0][:-1][is_plain]] = 1
    for number in np.flatnonzero(~is_plain).tolist():
        ours, theirs = (slice(*bound[number : number + 2].tolist()) for bound in bounds)
        targets = np.append(files.firsts[0][number], left.utterances[ours])
        texts = words[0][ours].tolist(), words[1][theirs].tolist()
        rows[theirs], spoken, heard = cut_words(targets, *texts)
        marks = np.append(0, left.breaks[ours])[spoken]
        same = (marks > 0) & (marks == np.append(0, right.breaks[theirs])[heard])
        used = -1, -1
        for gap in zip(spoken[same].tolist(), heard[same].tolist(), strict=True):
            if gap[0] != used[0] and gap[1] != used[1]:
                matched[targets[gap[0]]] += 1
                used = gap
    return rows, matched


def _count_parts(files: _Files) -> dict[str, Integers]:
    """Return the columns of SubER and of covered time.

    A part is counted at its first reference subtitle. A part without reference subtitles is counted
    at the subtitle before it.
    """
    begins = np.concatenate([side.begins for side in files.sides])
    ends = np.concatenate([side.ends for side in files.sides])
    owners = np.concatenate(files.owners)
    parts = Parts.of(begins, ends, np.flatnonzero(files.is_timed[owners]))
    order, number = parts.order, len(parts.order)
    is_left = order < files.size
    places = np.where(is_left, np.arange(number), -1)
    before = np.maximum.accumulate(places)
    after = np.minimum.accumulate(np.where(is_left, places, number)[::-1])[::-1]
    starts = np.flatnonzero(np.diff(parts.numbers, prepend=-1))
    places = np.where(after[starts] < np.append(starts[1:], number), after[starts], before[starts])
    rows = np.where(places < 0, -1, order[places])
    rows = np.maximum(rows, files.firsts[0][owners[order[starts]]])
    edits = count_edits(files.sides, parts).T
    columns = {
        name: np.bincount(rows, numbers, files.size).astype(np.int64)
        for name, numbers in zip(SUBER_COLUMNS, edits, strict=True)
    }
    ours, theirs, both = (
        covered(begins[side], ends[side], rows[parts.numbers[flags]], files.size)
        for flags in (is_left, ~is_left, slice(None))
        for side in (order[flags],)
    )
    times = ours, theirs, ours + theirs - both
    return columns | dict(zip(COLUMNS[-3:], times, strict=True))


def _count_by_time(files: _Files) -> dict[str, Integers]:
    """Return the columns of t-WER.

    The words of each hypothesis subtitle are spread evenly over its time, and assigned to the
    reference's subtitles by time.
    """
    left, right = files.sides
    sizes = np.diff(right.offsets)
    owners, nth = spread(sizes)
    gaps = np.maximum(sizes - 1, 1)[owners]
    begins = right.begins[owners] + _MARGIN
    lengths = (right.ends - right.begins)[owners] - 2 * _MARGIN
    floors, ceilings = begins + nth * lengths // gaps, begins - (-nth * lengths // gaps)
    recordings = files.owners[1][owners]
    first, last = files.firsts[0][recordings], files.firsts[0][recordings + 1] - 1
    rows = np.searchsorted(left.begins, ceilings) - 1
    counts = files.is_timed[recordings] & (files.words[1] > 0)
    is_inside = counts & (rows >= first) & (floors < left.ends[rows])
    # the nearest subtitle to a word in none
    chosen = np.clip(rows, first, last)
    following = np.minimum(rows + 1, last)
    is_nearer = floors - left.ends[chosen] > left.begins[following] - floors
    nearest = np.where((rows >= first) & (rows < last) & is_nearer, following, chosen)
    outside = np.bincount(nearest[counts & ~is_inside], minlength=files.size)
    places = np.flatnonzero(is_inside)
    places = places[np.argsort(rows[places], kind="stable")]
    spoken = files.is_timed[files.owners[0][left.utterances]] & (files.words[0] > 0)
    sides = (
        (files.words[0][spoken], left.utterances[spoken]),
        (files.words[1][places], rows[places]),
    )
    columns = _compare(
        "t_wer_suber",
        *(WordColumns((), words, np.bincount(row, minlength=files.size)) for words, row in sides),
    )
    errors, size = columns.values()
    return {**columns, "t_wer_errors": errors + outside, "t_wer_size": size}


def count(view: View) -> dict[str, Integers]:
    """Return the columns of subtitle counts for all recordings."""
    files = _Files(recordings_of(view, "subtitles"))
    return {**_count_cut(files), **_count_parts(files), **_count_by_time(files)}


MEASURE = MeasureSpec(
    name="subtitles",
    title="Subtitles",
    question="How good are the subtitles?",
    definition="SubER (version 0.4.0 of its tool): edits and shifts of words and breaks, divided "
    "by the words and breaks of the reference. Text is compared in lower case without "
    "punctuation, and tokens match only if their blocks overlap in time. AS-WER, "
    "AS-CER and WER-seg (with breaks) are counted after the hypothesis is cut at the "
    "reference's blocks along an exact alignment of the whole text. For t-WER the "
    "words of a hypothesis block are spread evenly over its time, and each goes to "
    "the reference block at its time. Words in no block are insertions of the nearest "
    "block. t-WER (SubER) drops such words, as SubER's tool does, so text invented in "
    "silence costs nothing. A break matches if both sides have a break of the same "
    "kind (line or block) between the same words. Coverage compares the time inside "
    "blocks. This measure aligns anew and does not use the normalisation of the score.",
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
