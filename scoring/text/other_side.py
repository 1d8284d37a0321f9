"""The other side of a text with readings: what each reading is compared with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import TYPE_CHECKING, NamedTuple

from formats.schema.words import Words
from scoring.alignment.results import taken
from scoring.model.counts import Costs

if TYPE_CHECKING:
    from scoring.text.settling import TurnedPairs


class Facing(NamedTuple):
    """The other side, with which readings are compared: utterances as read, and edit costs."""

    words: Sequence[Words]
    special: Set[int]
    """Utterances of the other side that have alternatives of their own."""
    costs: Costs
    turned: list[TurnedPairs] | None = None
    """The numbered words of both sides, which the first direction leaves for the second."""

    def facing_words(self, rows: Sequence[int]) -> Iterator[Words | None]:
        """Yield the words of the other side for some rows; None for rows with alternatives."""
        for row, words in zip(rows, taken(self.words, rows), strict=True):
            yield None if row in self.special else words
