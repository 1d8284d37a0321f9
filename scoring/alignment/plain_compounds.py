"""Align adjacent words with a compound; part of `scoring.alignment.plain`."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from scoring.alignment.arguments import check_overflow, checked_costs, unexpected
from scoring.alignment.limits import look

# How many reference and hypothesis words face each other.
FacingWords = tuple[int, int]


def align_compounds(
    reference: Sequence[str],
    hypothesis: Sequence[str],
    *costs: int,
    several: bool = False,
    most_bytes: int = 1 << 26,
) -> bytes:
    """Align two lists of strings; adjacent words match a word that they spell together.

    With `several`, adjacent words also match several words of the other side with the same
    spelling. The compiled core keeps tables larger than `most_bytes` in blocks of rows, with the
    same result.

    Among equally cheap steps into a cell of the table, the order of preference is: insertion,
    deletion, pair, several reference words (few before many), several hypothesis words.
    """
    substitution, deletion, insertion = checked_costs(*costs)
    for words, name in ((reference, "reference"), (hypothesis, "hypothesis")):
        if not isinstance(words, list):
            raise unexpected(name, "a list of strings", words)
        for word in words:
            if not isinstance(word, str):
                raise unexpected(name, "a list of strings", word)
            word.encode("utf-8")
    check_overflow((substitution, deletion, insertion), len(reference) + len(hypothesis))
    compounds: dict[FacingWords, list[FacingWords]] = {}
    if several:
        for ends, group in _regions(reference, hypothesis):
            compounds.setdefault(ends, []).append(group)
    else:
        for end, word_number, count in _compounds(reference, hypothesis):
            compounds.setdefault((end, word_number + 1), []).append((count, 1))
        for end, word_number, count in _compounds(hypothesis, reference):
            compounds.setdefault((word_number + 1, end), []).append((1, count))
    if not compounds:
        return b""
    table: dict[FacingWords, int] = {(0, 0): 0}
    origins: dict[FacingWords, FacingWords] = {}
    for i in range(len(reference) + 1):
        look()
        for j in range(len(hypothesis) + 1):
            steps = [(insertion, (0, 1))] * (j > 0) + [(deletion, (1, 0))] * (i > 0)
            if i and j:
                same = reference[i - 1] == hypothesis[j - 1]
                steps.append((0 if same else substitution, (1, 1)))
            # listed by their beginnings: those that begin last are the shortest
            groups = sorted(compounds.get((i, j), []), key=lambda group: group[::-1])
            ways = [(table[i - up, j - left] + cost, (up, left)) for cost, (up, left) in steps]
            ways += [(table[i - up, j - left], (up, left)) for up, left in groups]
            if ways:  # `min` takes the first of equals
                table[i, j], origins[i, j] = min(ways, key=lambda way: way[0])
    pairs, cell = array("i"), (len(reference), len(hypothesis))
    while cell in origins:
        up, left = origins[cell]
        # written backwards, the whole is reversed at the end
        pairs.extend((left, up))
        cell = (cell[0] - up, cell[1] - left)
    pairs.reverse()
    return pairs.tobytes()


def _compounds(parts: Sequence[str], words: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield each run of `parts` that spells a word: its end, the word's index, and its size."""
    for begin in range(len(parts) - 1):
        look()
        for number, word in enumerate(words):
            text = ""
            for end in range(begin, len(parts)):
                text += parts[end]
                if not word.startswith(text):
                    break
                if text == word and end > begin:
                    yield end + 1, number, end + 1 - begin


def _regions(
    reference: Sequence[str], hypothesis: Sequence[str]
) -> Iterator[tuple[FacingWords, FacingWords]]:
    """Yield the minimal regions with equal spelling, except pairs of single words.

    A region is given by its end in each sequence, and by its number of words in each.

    Of regions with the same start, only the shortest is yielded.
    """
    for begin, first in enumerate(reference):
        look()
        for start, other in enumerate(hypothesis):
            left, right, i, j = first, other, begin + 1, start + 1
            while left != right:
                if right.startswith(left) and i < len(reference):
                    left, right, i = reference[i], right[len(left) :], i + 1
                elif left.startswith(right) and j < len(hypothesis):
                    left, right, j = left[len(right) :], hypothesis[j], j + 1
                else:
                    break
            if left == right and i - begin + j - start > 2:
                yield (i, j), (i - begin, j - start)
