"""rover's alignment and vote in plain Python: the fallback for the compiled ones, and their oracle.

Both work on columns over the words of all files (`RoverWords`), in which word 0 is the null word. A
set has the words that face each other, one from each file. Sets are two columns: the members of all
sets (int32), and where each set begins, with the end of the last one (int64).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import pairwise

from scoring.alignment.network import Network
from scoring.alignment.plain_network import align_network
from scoring.nist.rover.candidates import (
    RESULT,
    NoBestWordError,
    TooManyTextsError,
    VotingColumns,
    candidates_of,
    scorer,
    winner_of,
)
from scoring.nist.transcripts.characters import byte_text

NO_WORD = 0
# Modes of `align_network`.
BY_WEIGHTS, BY_TIMES = 1, 2
# A method of each rule that `vote_on_sets` knows.
METHODS_OF_RULES = ("meth1", "maxconf", "avgconf")


def align_files(
    begins: array[int],
    ends: array[int],
    compared: array[int],
    voted: array[int],
    starts: array[float],
    finishes: array[float],
    singles: array[float],
    weights: array[float],
    null_text: int,
    by_time: bool,
    most_arcs: int,
) -> tuple[bytes, bytes, int]:
    """Align the words of each file with the sets of the files before it.

    `begins` and `ends` are the ranges of words, one for each file. `compared` has the text number
    by which a word is added, `voted` that by which it takes part in later alignments. Texts have
    `singles` and `weights`, as in `scoring.alignment.network`; with `by_time`, words that are not
    null cost their duration or the distance of their times.

    Returns the sets, and how many words are lost because no alignment is affordable. Raises
    OverflowError if a file or the sets before it have more than `most_arcs` words.
    """
    mode = BY_TIMES if by_time else BY_WEIGHTS

    def network(
        words: Sequence[int], texts: Sequence[int], sets: Sequence[Sequence[int]]
    ) -> Network:
        types = array("i", [texts[word] for word in words])
        begin, end = (array("d", [times[word] for word in words]) for times in (starts, finishes))
        costs = array("d", [singles[text] for text in types])
        if by_time:
            for arc, text in enumerate(types):
                costs[arc] = costs[arc] if text == null_text else end[arc] - begin[arc]
        weight = array("d", [weights[text] for text in types])
        return Network(types, *_arcs_of(sets), bytes(len(words)), costs, weight, begin, end)

    sets = [[word] for word in range(begins[0], ends[0])]
    uncombined = 0
    for file in range(1, len(begins)):
        added = range(begins[file], ends[file])
        members = [word for members_of_set in sets for word in members_of_set]
        if max(len(members), len(added)) > most_arcs:
            raise OverflowError("the networks are too large to align")
        reference = network(members, voted, sets)
        path, _ = align_network(reference, network(added, compared, [[0]] * len(added)), mode)
        if path:
            sets = _merged(sets, added, memoryview(path).cast("i").tolist(), file)
        else:
            uncombined += len(added)
    offsets = array("q", [0])
    for members_of_set in sets:
        offsets.append(offsets[-1] + len(members_of_set))
    members = [word for members_of_set in sets for word in members_of_set]
    return array("i", members).tobytes(), offsets.tobytes(), uncombined


def _arcs_of(sets: Sequence[Sequence[int]]) -> tuple[array[int], array[int], array[int]]:
    """Return the offsets, the predecessors and the final arcs of sets in a row."""
    offsets, predecessors, before, arcs = array("i", [0]), array("i"), range(1), 0
    for members in sets:
        for _ in members:
            predecessors.extend(before)
            offsets.append(len(predecessors))
        before = range(arcs + 1, arcs + len(members) + 1)
        arcs += len(members)
    return offsets, predecessors, array("i", before)


def _merged(
    sets: Sequence[list[int]], added: range, path: Sequence[int], files: int
) -> list[list[int]]:
    """Return the sets with the words of a file along a path; `files` were combined before."""
    set_of_arc = [number for number, members in enumerate(sets) for _ in members]
    merged = []
    for arc, other in zip(path[::2], path[1::2], strict=True):
        word = added[other - 1] if other else NO_WORD
        merged.append([*sets[set_of_arc[arc - 1]], word] if arc else [word] + [NO_WORD] * files)
    return merged


def vote_on_sets(
    members: Sequence[int],
    offsets: Sequence[int],
    voted: array[int],
    starts: array[float],
    finishes: array[float],
    confidences: array[float],
    rule: int,
    alpha: float,
    texts: list[str],
    null_text: int,
    lead: bytes,
) -> tuple[str, int]:
    """Vote over sets, up to the first that has no winner or too many different texts.

    Returns the lines of the winners that are not null, and the number of sets. A line is `lead`,
    start, duration, text and confidence; the figures are means over the words with the text. Byte
    text is a `str` with one character per byte. All numbers must be finite.

    >>> sets = [1, 2, 3, 4], [0, 2, 4]
    >>> columns = [array("d", [0.0, 1.0, 1.1, 1.5, 1.5])] * 2, array("d", [0.0, 0.5, 0.6, 0.9, 0.2])
    >>> words = array("i", [0, 1, 1, 1, 2]), *columns[0], columns[1]
    >>> lines, count = vote_on_sets(*sets, *words, 0, 0.5, ["@", "a", "b"], 0, b"m A ")
    >>> print(lines, count)
    m A 1.050 0.000 a 0.550000
    m A 1.500 0.000 a 0.900000
     2
    """
    columns = VotingColumns(voted, starts, finishes, confidences)
    score = scorer(METHODS_OF_RULES[rule], alpha)
    lines: list[str] = []
    for number, (begin, end) in enumerate(pairwise(offsets)):
        try:
            candidates, total = candidates_of(members[begin:end], columns)
            winner = winner_of(candidates, score, end - begin, total)
        except (NoBestWordError, TooManyTextsError):
            return "".join(lines), number
        if winner.text != null_text:
            lines.append(byte_text(lead) + RESULT % winner.figures(texts))
    return "".join(lines), len(offsets) - 1
