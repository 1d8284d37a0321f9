"""References without a hypothesis: the mark in tables of several systems, and those of one result.

A system with missing answers is not comparable with the others, so every table of rates shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoring.sides.corpus import ListedNames

if TYPE_CHECKING:
    from scoring.score.rates import ErrorRates

MARK = "†"
LEAST_SILENT = 5  # successive references without a word that are not chance
# Ways of matching in which a hypothesis has no identifiers.
_BY_TIME = ("time", "recording")


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


def missing_of(result: ErrorRates, rates: ErrorRates) -> ListedNames:
    """Return the number and the names of references without hypothesis.

    `rates` are those of `result` in the units of a comparison. The account of a result lists the
    first ten names only. If there are more, the names are those of all references without
    hypothesis words, and include empty hypotheses.

    Hypotheses that are matched by time have no identifiers, so a file that ends early looks like
    silence. Runs of references without a word, and all references of speakers of whom no word was
    heard, are missing, too. In meetings, these names are those of a session and a speaker.
    """
    missing = result.matching_summary.reference_only
    if len(missing.identifiers) < missing.number:
        empty = [
            name
            for name, silent in zip(rates.identifiers, _is_silent(rates), strict=True)
            if silent
        ]
        missing = ListedNames(missing.number, tuple(empty))
    if result.session_of:
        names = _silent_speakers(result, missing.identifiers)
    elif result.matching_summary.matched_by.partition("(")[0] in _BY_TIME:
        names = _silent_parts(result)
    else:
        return missing
    more = [name for name in names if name not in {*missing.identifiers}]
    number = max(missing.number, len(names))
    if len(missing.identifiers) == missing.number:
        number = missing.number + len(more)
    return ListedNames(number, (*missing.identifiers, *more))


def _is_silent(rates: ErrorRates) -> list[bool]:
    """Return whether each unit has words in the reference and none in the hypothesis."""
    counts = np.asarray(rates.aligned.counts.array).reshape(-1, 4)  # the deletions are the third
    silent: list[bool] = ((counts[:, 2] > 0) & (counts[:, [0, 1, 3]].sum(axis=1) == 0)).tolist()
    return silent


def _silent_speakers(rates: ErrorRates, sessions: Iterable[str]) -> list[str]:
    """Return the speakers of meetings without a word in the hypothesis, except in `sessions`."""
    heard: dict[tuple[str, str], bool] = {}
    for session, speaker, is_silent in zip(
        rates.session_of, rates.speakers, _is_silent(rates), strict=True
    ):
        if speaker is not None and session not in sessions:
            place = (session, str(speaker))
            heard[place] = heard.get(place, False) or not is_silent
    return [
        f"{session}-{speaker}" for (session, speaker), has_words in heard.items() if not has_words
    ]


def _silent_parts(rates: ErrorRates) -> list[str]:
    """Return the references of silent speakers, and runs of silent references."""
    is_silent = _is_silent(rates)
    rows = [row for row, counts in enumerate(rates.aligned.counts) if counts.reference_tokens]
    of_speakers: dict[str, list[int]] = {}
    for row in rows:
        if rates.speakers[row] is not None:
            of_speakers.setdefault(str(rates.speakers[row]), []).append(row)
    parts = [list(run) for silent, run in groupby(rows, is_silent.__getitem__) if silent]
    parts += [part for part in of_speakers.values() if all(map(is_silent.__getitem__, part))]
    lost = {row for part in parts if len(part) >= LEAST_SILENT for row in part}
    return [rates.identifiers[row] for row in sorted(lost)]
