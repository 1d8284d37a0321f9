"""Words on the wrong side of a border between segments: deleted here, inserted next door."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from scoring.model.counts import NO_HYPOTHESIS, NO_REFERENCE, Edit

if TYPE_CHECKING:
    from formats.schema.messages import Message
    from formats.schema.words import Words
    from scoring.alignment.results import Alignments

_KINDS = Edit.DELETION, Edit.INSERTION
_ABSENT = NO_REFERENCE, NO_HYPOTHESIS  # edits without a word of each side
_MOST = 200  # words without partner at a border that are compared


def runs_of(runs: Sequence[int], kept: Sequence[int]) -> list[int]:
    """Return the numbers of neighbours among the rows that are kept.

    >>> runs_of([2, 3], [0, 1, 4])
    [2, 1]
    """
    ends = [bisect_left(kept, end) for end in accumulate(runs, initial=0)]
    return [end - begin for begin, end in pairwise(ends)]


def words_across(aligned: Alignments, runs: Sequence[int], ignore_case: bool = False) -> int:
    """Count the words that one segment lacks and its neighbour has too much.

    They are compared in order between the last word of a segment that is right and the first of the
    next one. `runs` are the numbers of utterances that follow each other in time.

    >>> from scoring.alignment.sequences import align
    >>> from scoring.alignment.results import Alignments
    >>> pairs = [align(["a", "b", "c"], ["a", "b"]), align(["d"], ["c", "d"]), align(["c"], [])]
    >>> words_across(Alignments.of(pairs), [2, 1])
    1
    """
    _, _, deletions, insertions = aligned.counts.columns()
    number = 0
    for begin, end in pairwise(accumulate(runs, initial=0)):
        for row in range(begin, end - 1):
            if (deletions[row] and insertions[row + 1]) or (insertions[row] and deletions[row + 1]):
                before = _unpaired(aligned, row, True)
                after = _unpaired(aligned, row + 1, False)
                if ignore_case:
                    before, after = _folded(before), _folded(after)
                number += _in_common(before[0], after[1]) + _in_common(before[1], after[0])
    return number


def _unpaired(aligned: Alignments, row: int, is_end: bool) -> tuple[Words, Words]:
    """Return the deleted and the inserted words at the end of an utterance, or at its begin."""
    path, sides = aligned.edits_of(row), (aligned.references[row], aligned.hypotheses[row])
    begin, end = path.rfind(Edit.CORRECT) + 1, len(path)
    if not is_end:
        begin, end = 0, path.find(Edit.CORRECT) if begin else end
    found: list[Words] = []
    for kind, without, words in zip(_KINDS, _ABSENT, sides, strict=True):
        edits = [edit for edit in path if edit not in without]
        first = sum(edit not in without for edit in path[:begin])
        last = first + sum(edit not in without for edit in path[begin:end])
        found.append(tuple(words[place] for place in range(first, last) if edits[place] == kind))
    return found[0], found[1]


def remark_on_borders(
    aligned: Alignments, runs: Sequence[int], name: str, ignore_case: bool
) -> Iterator[Message]:
    """Yield a note of the words across borders, if there are any."""
    words = words_across(aligned, runs, ignore_case)
    if words:
        from scoring.score.messages import ACROSS_BORDERS, Message

        errors = aligned.counts.total().errors
        yield Message(
            ACROSS_BORDERS, {"path": name, "words": words, "errors": 2 * words, "all": errors}
        )


def _folded(sides: tuple[Words, Words]) -> tuple[Words, Words]:
    deleted, inserted = (tuple(map(str.casefold, words)) for words in sides)
    return deleted, inserted


def _in_common(left: Words, right: Words) -> int:
    """Return the length of the longest common subsequence of two short texts."""
    lengths = [0] * (len(right[:_MOST]) + 1)
    for word in left[:_MOST]:
        above = lengths[:]
        for column, other in enumerate(right[:_MOST], 1):
            longest = max(above[column], lengths[column - 1])
            lengths[column] = above[column - 1] + 1 if word == other else longest
    return lengths[-1]
