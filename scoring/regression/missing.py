"""References without a hypothesis in tables of several systems: a mark, and what it means.

A system with missing answers is not comparable with the others, so every table of rates shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

MARK = "†"


class MissingHypotheses(NamedTuple):
    """The numbers of references without a hypothesis of a system, by set or group."""

    numbers: Mapping[str, int]  # by the name of the set; the name of a single set may be empty
    is_skipped: bool  # whether their words are not scored; otherwise they count as deletions

    @property
    def total(self) -> int:
        """The number of all sets."""
        return sum(self.numbers.values())

    @property
    def mark(self) -> str:
        """The mark after the name of the system; empty if it has all hypotheses."""
        return MARK * (self.total > 0)

    def in_set(self, name: str) -> str:
        """Return the mark for the result of a set."""
        return MARK * (self.numbers.get(name, 0) > 0)


def lines_on_missing(systems: Iterable[tuple[str, MissingHypotheses]]) -> Iterator[str]:
    """Yield a sentence for each system without some hypotheses, without the mark.

    >>> missing = MissingHypotheses({"clean": 2, "other": 0}, is_skipped=False)
    >>> [*lines_on_missing([("new", missing)])]
    ['new has no hypothesis for 2 references (clean: 2), whose words count as deletions']
    """
    for name, missing in systems:
        if not missing.total:
            continue
        sets = [f"{entry}: {number:,}" for entry, number in missing.numbers.items() if number]
        named = f" ({', '.join(sets)})" if all(missing.numbers) else ""
        references = "reference" if missing.total == 1 else "references"
        effect = "are not scored" if missing.is_skipped else "count as deletions"
        yield (
            f"{name} has no hypothesis for {missing.total:,} {references}{named}, whose words "
            f"{effect}"
        )
