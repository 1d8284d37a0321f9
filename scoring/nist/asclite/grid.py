"""The input of asclite's grid: the words of each axis and the costs of the steps.

The grid has one axis for each hypothesis stream and each reference speaker.
"""

from __future__ import annotations

from array import array

from formats.schema import NamedTuple

NEVER = 1 << 29
WHOLE, BEGINNING, END = range(3)


class Axis(NamedTuple):
    """The words of one axis, stored as columns.

    Words are numbered from 1. The number 0 is the position before the first word.
    """

    texts: array[int]  # of each word, a place in the list of texts (int32)
    begins: array[int]  # milliseconds, negative where unknown (int64)
    ends: array[int]
    singles: array[int]  # what the word alone costs (int64)
    loose: bytes  # 1 if the word's times are those of its segment (bytes)
    # Which words it may follow: numbers below its own, those of word `w` from `offsets[w - 1]` to
    # `offsets[w]` (int64, int32)
    offsets: array[int]
    before: array[int]
    lasts: array[int]  # the words a path may end with (int32); empty if there are none


class Prices(NamedTuple):
    """The costs of the steps in the grid."""

    # A pair of different words; with a `divider`, each millisecond between their times
    substitution: int
    wrong_speaker: int  # added to a pair of equal words if the stream is another speaker's
    nearness: int = 0  # added to a pair: `nearness * gap // duration`; nearness 0 switches it off
    duration: int = 1
    # Pairs of words further apart than so many milliseconds are not allowed; -1: all are
    widest: int = -1
    # Words without times of their own cannot be deleted so many milliseconds before a word that
    # another axis stands at; -1: all can
    prune: int = -1
    divider: int = 0  # above 0: words are paired by their times and not by their texts
    optional: int = 0  # what an axis that stays costs where no word says so (under `multiple`)
    letters: bool = False  # pairs of different words cost their edit distance in addition
    fragments: bool = False  # a part of a word is equal to it
    multiple: bool = False  # any axes may step together


def same_text(left: bytes, part: int, right: bytes, other_part: int) -> bool:
    """Return True if two words are equal under asclite's rules for fragments.

    A whole word equals a beginning or an end of it. Two beginnings are equal if one text contains
    the other. Two ends are equal if one text ends with the other. A beginning never equals an end.

    >>> same_text(b"ab", BEGINNING, b"abc", WHOLE), same_text(b"bc", BEGINNING, b"abc", WHOLE)
    (True, False)
    """
    if part == other_part:
        if part == WHOLE:
            return left == right
        if part == END:
            return left.endswith(right) or right.endswith(left)
        return left in right or right in left
    if WHOLE not in (part, other_part):
        return False
    complete, piece = (left, right) if part == WHOLE else (right, left)
    if BEGINNING in (part, other_part):
        return complete.startswith(piece)
    return complete.endswith(piece)
