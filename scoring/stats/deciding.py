"""The default significance test, and the comparison of its p-value with a level.

Rankings, `compare`, `bench` and `history` use this module. The test exchanges outputs at random,
utterance by utterance or speaker by speaker (`scoring.stats.blocks` chooses). A difference is
significant if its p-value is at most the level. The drop-in `sc_stats` keeps NIST's tests.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

ResamplingTest: TypeAlias = Literal["randomisation", "bootstrap"]
DEFAULT_TEST: ResamplingTest = "randomisation"
SIGNIFICANCE = 0.05


def is_significant(p_value: float | None, level: float = SIGNIFICANCE) -> bool:
    """Return True if a p-value is at most the level; None means that there was no test.

    >>> is_significant(0.05), is_significant(0.0501), is_significant(None)
    (True, False, False)
    """
    return p_value is not None and p_value <= level


def level_of_tests(coverage: float) -> float:
    """Return the significance level of tests shown beside intervals with a given coverage.

    >>> level_of_tests(0.95)
    0.05
    """
    return round(1 - coverage, 10)
