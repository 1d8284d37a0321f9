"""Word diffs as a metric: the counts, and how the differences read."""

from __future__ import annotations

from typing import Any

from scoring.compat.metrics.counting import HUNT, SCLITE, STRICT
from scoring.compat.metrics.metric import Words, fill
from scoring.compat.metrics.rates import DifferenceCounts
from scoring.options import PROFILES
from scoring.pages.diff.dialects import DIALECTS, format_words
from scoring.pages.diff.opcodes import Opcode, opcodes_of
from scoring.pages.diff.ratcliff_obershelp import differences


class WordDifferences(DifferenceCounts):
    """Differences as `DifferenceCounts` counts them, and as a dialect writes them.

    Parameters
    ----------
    dialect
        A name of `scoring.pages.diff.dialects.DIALECTS`.

    Raises
    ------
    ValueError
        If there is no such dialect or mode.

    Examples
    --------
    >>> WordDifferences("html").show(["hello", "you"], ["hello"])
    ' hello<span class="delete"> you</span>'
    """

    __slots__ = ("dialect",)
    name = "worddiffs"
    dialect: str

    def __init__(self, dialect: str = "text", mode: str = SCLITE) -> None:
        super().__init__(mode)
        if dialect not in DIALECTS:
            raise ValueError("Unknown diff dialect", dialect)
        fill(self, dialect=dialect)

    def opcodes(self, reference: Words, hypothesis: Words) -> list[Opcode]:
        """The stretches in which an utterance is equal or differs."""
        if self.mode in (STRICT, HUNT):
            return differences(reference, hypothesis)
        from scoring.alignment.sequences import align

        profile = PROFILES[self.mode]
        return opcodes_of(align(reference, hypothesis, costs=profile.costs, ties=profile.ties))

    def show(self, reference: Words, hypothesis: Words) -> Any:
        """The differences of an utterance, written down."""
        return format_words(
            reference, hypothesis, self.opcodes(reference, hypothesis), self.dialect
        )
