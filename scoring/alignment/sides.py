"""Aligning whole files: the utterances of two sides, their words in columns.

Most utterances are plain sequences and go to the linear aligner in one batch. Those with
alternations, null words or optional words, and all of them under word weights or time-mediated
costs, are aligned one by one as word graphs; so are those to be sorted by time in which words are
not in order of time.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import compress, count, groupby, islice, pairwise
from operator import itemgetter, le, not_
from typing import NamedTuple

from scoring.alignment import kernel
from scoring.alignment.numbered import Side
from scoring.alignment.word_costs import CostMode, WordCosts
from scoring.model import SCLITE_COSTS, Counts, Edit

UNPAIRED = frozenset({Edit.DELETION, Edit.INSERTION})
_RUN = re.compile(b"[%c%c]{2,}" % (Edit.DELETION, Edit.INSERTION))


class Edits(NamedTuple):
    """The alignments of all utterances.

    `Edit` bytes of all utterances, int64 offsets of them, int32 counts (correct, substitutions,
    deletions, insertions), and the utterances in which two null words were paired, once per pair.
    """

    edits: bytes
    offsets: array[int]
    counts: array[int]
    null_pairs: list[int]


def align_sides(
    reference: Side, hypothesis: Side, costs: WordCosts, *, by_time: bool = False, threads: int = 0
) -> Edits:
    """Align utterance by utterance; utterance u of one side belongs to u of the other.

    The sides are changed so that each utterance consists of the words its alignment uses.
    """
    special = set(reference.graphs) | set(hypothesis.graphs)
    for side in (reference, hypothesis):
        special.update(with_words(side, costs.special()))
        if by_time and not side.in_order:
            special.update(_unsorted(side))
    if costs.mode == CostMode.FIXED:
        plain = _align_plain(reference, hypothesis, costs, special, threads)
    else:
        plain = _align_priced(reference, hypothesis, costs, special, by_time)
    if not special:
        return plain
    return _merged(plain, sorted(special), _GraphAligner(reference, hypothesis, costs, by_time))


def with_words(side: Side, words: Collection[int]) -> Iterator[int]:
    """Utterances that contain any of these words."""
    if words:
        positions = (position for position, number in enumerate(side.types) if number in words)
        yield from _around(side, positions)


def _unsorted(side: Side) -> Iterator[int]:
    """Utterances in which a word begins before the word before it."""
    starts = side.starts
    if starts is None:
        raise ValueError("expected words with times")
    unordered = compress(count(), map(not_, map(le, starts, islice(starts, 1, None))))
    last = {end - 1 for end in side.ends}
    yield from _around(side, (position for position in unordered if position not in last))


def _around(side: Side, positions: Iterator[int]) -> Iterator[int]:
    """Utterances that contain words at any of these positions."""
    spans = zip(side.begins, side.ends, count(), strict=False)
    filled = sorted(span for span in spans if span[0] < span[1])
    begins = [begin for begin, _, _ in filled]
    for position in positions:
        number = bisect_right(begins, position) - 1
        if number >= 0 and position < filled[number][1]:
            yield filled[number][2]


def _spans(side: Side, special: Collection[int]) -> tuple[array[int], array[int]]:
    """Begins and ends of the utterances of a side, the special ones emptied."""
    begins, ends = side.begins, side.ends
    if special:
        begins, ends = begins[:], ends[:]
        for utterance in special:
            begins[utterance] = ends[utterance] = 0
    return begins, ends


def _align_plain(
    reference: Side, hypothesis: Side, costs: WordCosts, special: Collection[int], threads: int
) -> Edits:
    """Plain utterances under fixed costs.

    Between two pairs of words there are either deletions or insertions, never both: a
    substitution costs less. Sorting by time thus changes nothing where words are in order.
    """
    left, right = (
        side.types if costs.plain else array("i", map(costs.values.__getitem__, side.types))
        for side in (reference, hypothesis)
    )
    ours, theirs = _spans(reference, special), _spans(hypothesis, special)
    edits, offsets, counts = kernel.align_linear(
        left, *ours, right, *theirs, *SCLITE_COSTS, 0, threads
    )
    return Edits(edits, array("q", offsets), array("i", counts), [])


def _align_priced(
    reference: Side, hypothesis: Side, costs: WordCosts, special: Collection[int], by_time: bool
) -> Edits:
    """Plain utterances under costs that differ from word to word."""
    left = costs.chains(reference, *_spans(reference, special))
    right = costs.chains(hypothesis, *_spans(hypothesis, special))
    edits, packed_offsets = kernel.align_chains(left, right, int(costs.mode))
    offsets = array("q", packed_offsets)
    if by_time:
        edits = _sorted_by_time(edits, offsets, reference, hypothesis)
    counts = array("i")
    spans = zip(
        (edits[a:b] for a, b in pairwise(offsets)),
        left.begins,
        left.ends,
        right.begins,
        right.ends,
        count(),
    )
    for path, begin, end, begin_too, end_too, utterance in spans:
        counts.extend(Counts.of(path))
        if not path and (begin < end or begin_too < end_too):
            # nothing was affordable
            reference.keep(utterance, ())
            hypothesis.keep(utterance, ())
    return Edits(edits, offsets, counts, [])


def _sorted_by_time(edits: bytes, offsets: array[int], reference: Side, hypothesis: Side) -> bytes:
    """The edits with runs of deletions and insertions sorted by start time, stably.

    The words of either side are in order of time already, so that only edits change places.
    """
    ordered = bytearray(edits)
    starts, others = reference.starts, hypothesis.starts
    assert starts is not None
    assert others is not None
    spans = zip(pairwise(offsets), reference.begins, hypothesis.begins, strict=True)
    for (begin, end), a, b in spans:
        done = begin
        for run in _RUN.finditer(edits, begin, end):
            first = run.start()
            a += first - done - edits.count(Edit.INSERTION, done, first)
            b += first - done - edits.count(Edit.DELETION, done, first)
            done = run.end()
            deletions = run[0].count(Edit.DELETION)
            insertions = done - first - deletions
            if deletions and insertions:
                mine = iter(starts[a : a + deletions])
                theirs = iter(others[b : b + insertions])
                keyed = [(next(mine if e == Edit.DELETION else theirs), e) for e in run[0]]
                keyed.sort(key=itemgetter(0))
                ordered[first:done] = bytes([edit for _, edit in keyed])
            a += deletions
            b += insertions
    return bytes(ordered)


def _merged(plain: Edits, special: Sequence[int], solver: _GraphAligner) -> Edits:
    pieces: list[bytes] = []
    offsets = array("q", [0])
    counts = plain.counts
    null_pairs: list[int] = []
    done = length = 0
    for utterance in [*special, len(plain.offsets) - 1]:
        # the plain utterances up to here
        begin, end = plain.offsets[done], plain.offsets[utterance]
        pieces.append(plain.edits[begin:end])
        shift = length - begin
        offsets.extend([offset + shift for offset in plain.offsets[done + 1 : utterance + 1]])
        length += end - begin
        if utterance == len(plain.offsets) - 1:
            break
        edits, dropped = solver.align(utterance)
        null_pairs += [utterance] * dropped
        pieces.append(edits)
        length += len(edits)
        offsets.append(length)
        counts[4 * utterance : 4 * utterance + 4] = array("i", Counts.of(edits))
        done = utterance + 1
    return Edits(b"".join(pieces), offsets, counts, null_pairs)


class _GraphAligner:
    """Aligns single utterances as word graphs."""

    def __init__(self, reference: Side, hypothesis: Side, costs: WordCosts, by_time: bool) -> None:
        self._reference = reference
        self._hypothesis = hypothesis
        self._costs = costs
        self._by_time = by_time

    def align(self, utterance: int) -> tuple[bytes, int]:
        """Edits of one utterance, and how many pairs of null words were dropped."""
        left, mine = self._costs.network(self._reference, utterance)
        right, theirs = self._costs.network(self._hypothesis, utterance)
        table = self._costs.match_table(self._reference, mine, self._hypothesis, theirs)
        steps = array("i", kernel.align_network(left, right, int(self._costs.mode), table)[0])
        path: list[_Step] = []
        null_pairs = 0
        for a, b in zip(steps[::2], steps[1::2], strict=True):
            pair = (mine[a - 1] if a else None, theirs[b - 1] if b else None)
            edit = self._edit(*pair)
            if edit is not None:
                path.append(_Step(*pair, edit))
            elif a and b:
                null_pairs += 1
        if self._by_time:
            # runs of neighbouring deletions and insertions are sorted by start time, stably
            runs = groupby(path, key=lambda step: step.edit in UNPAIRED)
            path = [
                step
                for unpaired, run in runs
                for step in (sorted(run, key=self._start) if unpaired else run)
            ]
        self._reference.keep(utterance, [s.reference for s in path if s.reference is not None])
        self._hypothesis.keep(utterance, [s.hypothesis for s in path if s.hypothesis is not None])
        return bytes([step.edit for step in path]), null_pairs

    def _edit(self, reference: int | None, hypothesis: int | None) -> int | None:
        """The edit of a step; None for null words without a partner or with each other."""
        types = self._costs.types
        mine = None if reference is None else self._reference.types[reference]
        theirs = None if hypothesis is None else self._hypothesis.types[hypothesis]
        if mine is not None and theirs is not None:
            if types[mine].null and types[theirs].null:
                return None
            return Edit.CORRECT if self._costs.match(mine, theirs) else Edit.SUBSTITUTION
        if mine is not None:
            word = types[mine]
            edit = Edit.SKIPPED_REFERENCE if word.optional else Edit.DELETION
        else:
            assert theirs is not None
            word = types[theirs]
            edit = Edit.SKIPPED_HYPOTHESIS if word.optional else Edit.INSERTION
        return None if word.null else edit

    def _start(self, step: _Step) -> float:
        side, position = self._reference, step.reference
        if position is None:
            side, position = self._hypothesis, step.hypothesis
        assert side.starts is not None
        assert position is not None
        return side.starts[position]


class _Step(NamedTuple):
    """A step of an alignment: positions of words, None without a partner."""

    reference: int | None
    hypothesis: int | None
    edit: int
