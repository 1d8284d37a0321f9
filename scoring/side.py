"""One side of a comparison before it is aligned: words in columns, alternations beside them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TypeAlias, Union

# The position of a word in the columns of a side, or branches to choose from.
Item: TypeAlias = Union[int, tuple["Branch", ...]]  # noqa: UP007
Branch: TypeAlias = tuple[Item, ...]


class Side:
    """The words of one side, before they are aligned.

    Attributes
    ----------
    types
        int32: the number of each word in the lexicon.
    begins, ends
        int64 per utterance: its words are `types[begins[u]:ends[u]]`.
    graphs
        For utterances with alternations, their nested items (positions in `types`).
    starts, finishes, confidences
        double per word; None where the side has none.
    """

    __slots__ = ("begins", "confidences", "ends", "finishes", "graphs", "starts", "types")

    def __init__(
        self,
        types: array[int],
        begins: array[int],
        ends: array[int],
        graphs: dict[int, Branch] | None = None,
        starts: array[float] | None = None,
        finishes: array[float] | None = None,
        confidences: array[float] | None = None,
    ) -> None:
        self.types = types
        self.begins = begins
        self.ends = ends
        self.graphs = graphs or {}
        self.starts = starts
        self.finishes = finishes
        self.confidences = confidences

    def keep(self, utterance: int, positions: Sequence[int]) -> None:
        """Let an utterance consist of just these words, in this order."""
        begin = self.begins[utterance]
        if list(positions) == list(range(begin, begin + len(positions))):
            self.ends[utterance] = begin + len(positions)
            return
        self.begins[utterance] = len(self.types)
        self.types.extend([self.types[position] for position in positions])
        for column in (self.starts, self.finishes, self.confidences):
            if column is not None:
                column.extend([column[position] for position in positions])
        self.ends[utterance] = len(self.types)
