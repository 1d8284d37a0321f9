"""NeMo's keyword counts (`compute_fscore`) on NeMo's own alignment.

NeMo 3 aligns like kaldialign, NeMo 1 and 2 like texterrors. In texterrors, an insertion or deletion
costs 1. A pair costs 1.5 times the edit distance of its bytes, divided by the length of the longer
word. If costs are nearly equal, a pair is preferred to a deletion, and a deletion to an insertion.
A phrase is a hit if its reference words are consecutive and each is aligned with an equal word. A
keyword that replaces another keyword of one word is not a false alarm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from scoring.alignment.kernel import align_tokens
from scoring.measures.word_list import ListEntry, character_edits
from scoring.model.counts import UNIT_COSTS, Edit

if TYPE_CHECKING:
    from formats.schema.words import Words

# A pair of words; None is a word that is not there.
Pairs = list[tuple[str | None, str | None]]
PAIR, NEARLY = 1.5, 0.01
COMPUTE_WER = 2  # the ties of kaldialign


@lru_cache(1 << 16)
def pair_cost(left: str, right: str) -> float:
    """Return texterrors' cost of aligning two words.

    >>> pair_cost("okafor", "okafor"), pair_cost("ab", "ax")
    (0.0, 0.75)
    """
    sides = left.encode("utf-8", "surrogatepass"), right.encode("utf-8", "surrogatepass")
    return (
        PAIR * character_edits(*(side.decode("latin-1") for side in sides)) / max(map(len, sides))
    )


def align_words(reference: Sequence[str], hypothesis: Sequence[str]) -> Pairs:
    """Return the pairs of kaldialign's alignment.

    >>> align_words(["see", "okafor"], ["see", "miro"])
    [('see', 'see'), ('okafor', 'miro')]
    """
    edits, _ = align_tokens(list(reference), list(hypothesis), UNIT_COSTS, COMPUTE_WER)
    words, others = iter(reference), iter(hypothesis)
    return [
        (
            None if edit == Edit.INSERTION else next(words),
            None if edit == Edit.DELETION else next(others),
        )
        for edit in edits
    ]


def align_by_bytes(reference: Sequence[str], hypothesis: Sequence[str]) -> Pairs:
    """Return the pairs of texterrors' cheapest alignment.

    >>> align_by_bytes(["mira", "okafor"], ["okafor", "miro"])
    [('mira', None), ('okafor', 'okafor'), (None, 'miro')]
    """
    above = [float(column) for column in range(len(hypothesis) + 1)]
    moves = [[2] * len(above)]
    for row, word in enumerate(reference, 1):
        costs, steps = [float(row)], [1]
        for column, other in enumerate(hypothesis, 1):
            cost, step = above[column - 1] + pair_cost(word, other), 0
            for change, way in ((above[column] + 1, 1), (costs[column - 1] + 1, 2)):
                if change < cost and cost - change >= NEARLY:
                    cost, step = change, way
            costs.append(cost)
            steps.append(step)
        above = costs
        moves.append(steps)
    pairs: Pairs = []
    row, column = len(reference), len(hypothesis)
    while row or column:
        step = moves[row][column]
        row, column = row - (step != 2), column - (step != 1)
        pairs.append(
            (None if step == 2 else reference[row], None if step == 1 else hypothesis[column])
        )
    return pairs[::-1]


def nemo_entries(
    pairs: Pairs, entries: Mapping[Words, ListEntry]
) -> tuple[list[ListEntry], list[ListEntry], list[ListEntry]]:
    """Return the keywords in the reference, the hits, and the hits plus NeMo's false alarms.

    >>> entries = {(word,): ListEntry((word,), word, None) for word in ("okafor", "lindqvist")}
    >>> [len(side) for side in nemo_entries([("see", "see"), ("okafor", "lindqvist")], entries)]
    [1, 0, 0]
    """
    said: list[ListEntry] = []
    hits: list[ListEntry] = []
    false_alarms: list[ListEntry] = []
    for size in {len(words) for words in entries}:
        for side in (0, 1):
            present = [pair for pair in pairs if pair[side] is not None]
            for start in range(len(present) - size + 1):
                phrase = present[start : start + size]
                entry = entries.get(tuple(str(pair[side]) for pair in phrase))
                if entry is None:
                    continue
                is_hit = all(left == right for left, right in phrase)
                if side == 0:
                    said.append(entry)
                    hits += [entry] * is_hit
                elif not is_hit and (size > 1 or (phrase[0][0],) not in entries):
                    false_alarms.append(entry)
    return said, hits, hits + false_alarms
