"""md-eval's alignment of two lists that are sorted by time, based on scores of pairs.

A path is pruned if it is worse than the best path by a margin. Of equal paths, the first wins.
Scores are added in md-eval's order, because rounding may decide between two paths.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from scoring.model.errors import ScoringError

NOBODY = -1


class AlignedPath(NamedTuple):
    """The best path to a position of the reference and of the system's list, and its last step."""

    score: float
    source: int  # the place of the system's list that it comes from
    previous: int  # the place of the reference's list that it comes from
    partner: int | None  # the place of the system's list that is aligned here


# The paths at each place of the reference, by the last place of the system that they used.
AlignedPaths: TypeAlias = list[dict[int, AlignedPath]]


class EndlessAlignmentError(ScoringError):
    """All paths of the alignment were pruned; md-eval would never terminate."""


class PathSearch:
    """The alignment paths through both lists.

    Parameters
    ----------
    insertions
        The score of each item of the system if it has no partner.
    deletion
        A function from a place of the reference to the score of its item if it has no partner.
    matches
        A function from a place of the reference to its possible places in the system's list, in
        order, with the scores.
    margin
        The greatest difference between the score of a path and the best score.
    """

    def __init__(
        self,
        size: int,
        insertions: Sequence[float],
        deletion: Callable[[int], float],
        matches: Callable[[int], Iterable[tuple[int, float]]],
        margin: float,
    ) -> None:
        self.paths: AlignedPaths = [{} for _ in range(size)]
        # the sum before each place of the system's list, so that place -1 has the first
        self.inserted = list(accumulate(insertions, initial=0.0))
        self.deletion, self.matches, self.margin = deletion, matches, margin

    def extend(self, places: Iterable[int]) -> None:
        """Extend the paths through these positions of the reference."""
        inserted = self.inserted
        whole = inserted[-1]
        before, previous = {NOBODY: AlignedPath(0.0, NOBODY, NOBODY, None)}, NOBODY
        for place in places:
            here = self.paths[place]
            ends = {
                index: path.score + whole - inserted[index + 1] for index, path in before.items()
            }
            least = max(ends.values(), default=0.0) - self.margin
            deletion = self.deletion(place)
            for index, end in ends.items():
                if end > least:
                    earlier = here.get(index)
                    partner = None if earlier is None else earlier.partner
                    score = before[index].score + deletion
                    here[index] = AlignedPath(score, index, previous, partner)
            in_order = sorted((index, path.score) for index, path in before.items())
            for match, score in self.matches(place):
                best = here.get(match)
                highest = None if best is None else best.score
                source = None
                for index, earlier_score in in_order:
                    if index >= match:
                        break
                    reached = score + earlier_score + inserted[match] - inserted[index + 1]
                    if highest is None or reached > highest:
                        highest, source = reached, index
                if source is not None and highest is not None:
                    here[match] = AlignedPath(highest, source, previous, match)
            before, previous = here, place
        if previous != NOBODY:
            last = len(inserted) - 2
            for index, path in before.items():
                if index < last:
                    rest = whole - inserted[index + 1]
                    before[index] = path._replace(score=path.score + rest)

    def pairs(self, last: int) -> list[tuple[int, int]]:
        """Return the pairs of the best path to a reference position, in reverse order."""
        ends = self.paths[last]
        if not ends:
            raise EndlessAlignmentError(
                "expected a margin (-p, -P) that some alignment is within, found a smaller one"
            )
        best = max(sorted(ends), key=lambda index: ends[index].score)
        pairs = []
        place, path = last, ends[best]
        while True:
            if path.partner is not None:
                pairs.append((place, path.partner))
            if path.source == NOBODY:
                return pairs
            place = path.previous
            path = self.paths[place][path.source]


class Neighbours:
    """An index of spans that finds the spans near another span."""

    def __init__(self, spans: Sequence[tuple[float, float]]) -> None:
        self._latest = list(accumulate((end for _, end in spans), max))
        earliest = accumulate((begin for begin, _ in reversed(spans)), min)
        self._earliest = [*earliest][::-1]

    def near(self, begin: float, end: float, distance: float) -> range:
        """Return a range of positions with all spans within a distance, and possibly more spans."""
        reach = distance + 1e-6
        return range(
            bisect_left(self._latest, begin - reach), bisect_right(self._earliest, end + reach)
        )
