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
from itertools import compress, count, islice, pairwise
from operator import itemgetter, le, not_
from typing import NamedTuple

from scoring.alignment import kernel
from scoring.alignment.numbered import Side
from scoring.alignment.one_by_one import OneByOne
from scoring.alignment.word_costs import CostMode, WordCosts
from scoring.model import SCLITE_COSTS, Counts, Edit

_RUN = re.compile(b"[%c%c]{2,}" % (Edit.DELETION, Edit.INSERTION))


class Edits(NamedTuple):
    """The alignments of all utterances.

    Attributes
    ----------
    edits
        `Edit` bytes of all utterances, one after the other.
    offsets
        int64, one more than there are utterances: where each one's edits begin.
    counts
        int32, four per utterance: correct, substitutions, deletions, insertions.
    null_pairs
        Utterances in which two null words were paired, once per pair (possible under weights).
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
    return _merged(plain, sorted(special), OneByOne(reference, hypothesis, costs, by_time))


def with_words(side: Side, words: Collection[int]) -> Iterator[int]:
    """Utterances that contain any of these words."""
    if words:
        positions = (at for at, number in enumerate(side.types) if number in words)
        yield from _around(side, positions)


def _unsorted(side: Side) -> Iterator[int]:
    """Utterances in which a word begins before the word before it."""
    starts = side.starts
    if starts is None:
        raise ValueError("expected words with times")
    unordered = compress(count(), map(not_, map(le, starts, islice(starts, 1, None))))
    last = {end - 1 for end in side.ends}
    yield from _around(side, (at for at in unordered if at not in last))


def _around(side: Side, positions: Iterator[int]) -> Iterator[int]:
    """Utterances that contain words at any of these positions."""
    spans = zip(side.begins, side.ends, count(), strict=False)
    filled = sorted(span for span in spans if span[0] < span[1])
    begins = [begin for begin, _, _ in filled]
    for position in positions:
        at = bisect_right(begins, position) - 1
        if at >= 0 and position < filled[at][1]:
            yield filled[at][2]


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
    for found, begin, end, begin_too, end_too, utterance in spans:
        counts.extend(Counts.of(found))
        if not found and (begin < end or begin_too < end_too):
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
            at = run.start()
            a += at - done - edits.count(Edit.INSERTION, done, at)
            b += at - done - edits.count(Edit.DELETION, done, at)
            done = run.end()
            deletions = run[0].count(Edit.DELETION)
            insertions = done - at - deletions
            if deletions and insertions:
                mine = iter(starts[a : a + deletions])
                theirs = iter(others[b : b + insertions])
                keyed = [(next(mine if e == Edit.DELETION else theirs), e) for e in run[0]]
                keyed.sort(key=itemgetter(0))
                ordered[at:done] = bytes([edit for _, edit in keyed])
            a += deletions
            b += insertions
    return bytes(ordered)


def _merged(plain: Edits, special: Sequence[int], solver: OneByOne) -> Edits:
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
