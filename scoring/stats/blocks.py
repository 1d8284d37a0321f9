"""The resampling unit (utterance or speaker) of all intervals and tests.

Utterances of one speaker tend to be good or bad together. The design effect is the variance of the
rate by speakers, divided by the variance by utterances. If it is above 1, utterances are not
independent, and speakers are resampled.

With two systems, the design effect of their difference decides, because difficulties that both
systems share cancel out. A test that exchanges fewer than six speakers can never be significant at
5 %. In this case the test exchanges utterances, and the result has a flag for few speakers.

The rows of a table of several systems have one unit, because numbers by different units cannot be
compared: the pooled design effect of all rates, or of the differences of all pairs, decides.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from math import ceil, log2
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoring.model.arrays import Floats, Integers
from scoring.stats.limits import error_of, influence

if TYPE_CHECKING:
    from scoring.stats.bootstrapping import Bootstrap


def fewest_exchanged(pairs: int = 1) -> int:
    """Return how many speakers a test must exchange to be significant at 5 % among so many pairs.

    Holm's method multiplies the least p-value by the number of pairs.

    >>> [fewest_exchanged(pairs) for pairs in (1, 3, 10)]
    [6, 7, 9]
    """
    return 1 + ceil(log2(max(pairs, 1) / 0.05))


FEWEST_EXCHANGED = fewest_exchanged()


class Blocks(NamedTuple):
    """The unit of intervals and tests.

    Attributes
    ----------
    labels
        The block of each utterance; None: each utterance is a block.
    name
        The kind of block: `utterance`, `speaker`, `recording`, `session`, `given blocks`.
    speakers
        Number of speakers; None if unknown, or if there are as many speakers as utterances.
    design_effect
        Variance by speakers over variance by utterances; None if it cannot be measured.
    """

    labels: Sequence[Hashable] | None
    name: str
    speakers: int | None = None
    design_effect: float | None = None

    def mark(self, found: Bootstrap) -> Bootstrap:
        """Return the interval with this unit, number of speakers and design effect filled in."""
        return found._replace(
            block=self.name, speakers=self.speakers, design_effect=self.design_effect
        )


def choose_blocks(
    systems: Sequence[Integers | Floats],
    speakers: Sequence[Hashable] | None,
    unit: str = "utterance",
) -> Blocks:
    """Choose the resampling unit for the rate of a system, or for the difference of two systems.

    Parameters
    ----------
    systems
        Errors and words of each utterance, of one or two systems.
    speakers
        The speaker of each utterance; None: unknown.
    unit
        The name of the rows, for example `utterance`.
    """
    singles = measured(systems, speakers, unit)
    effect, number = singles.design_effect, singles.speakers
    if effect is None or number is None or effect <= 1:
        return singles
    if len(systems) > 1 and number < FEWEST_EXCHANGED:
        return singles
    return singles._replace(labels=speakers, name="speaker")


def measured(
    systems: Sequence[Integers | Floats],
    speakers: Sequence[Hashable] | None,
    unit: str = "utterance",
) -> Blocks:
    """Return utterances as resampling units, with the number of speakers and the design effect."""
    singles = Blocks(None, unit)
    if speakers is None or not 1 < (number := len(set(speakers))) < len(speakers):
        return singles
    singles = singles._replace(speakers=number)
    influences = [influences_of(rows) for rows in systems]
    change = influences[0] if len(influences) == 1 else influences[1] - influences[0]
    return singles._replace(design_effect=pooled_effect([(change, speakers)]))


def influences_of(rows: Integers | Floats) -> Floats:
    """Return the influence of each utterance on the error rate, from errors and words."""
    return influence(rows[:, 0].astype(float), rows[:, 1].astype(float))


def pooled_effect(parts: Iterable[tuple[Floats, Sequence[Hashable] | None]]) -> float | None:
    """Return the design effect of several rates or differences together.

    Each part has the influence of every utterance, and the speakers; None where they are unknown.
    The variances by speakers and those by utterances are added before they are divided. The result
    is None if no part has speakers, or if nothing varies.
    """
    alone = together = 0.0
    is_known = False
    for change, speakers in parts:
        single = error_of(change) ** 2
        alone += single
        if speakers is None or not 1 < (number := len(set(speakers))) < len(speakers):
            together += single
            continue
        is_known = True
        places = {speaker: place for place, speaker in enumerate(dict.fromkeys(speakers))}
        numbers = [places[speaker] for speaker in speakers]
        together += error_of(np.bincount(numbers, change, number).astype(np.float64)) ** 2
    return together / alone if is_known and alone > 1e-24 else None
