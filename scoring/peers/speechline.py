"""The metric of the package speechline: the same name, and by default the same numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scoring.tasks.phonemes import rate
from scoring.tasks.phonemes.columns import EPSILON
from scoring.tasks.phonemes.rate import SearchMethod

__all__ = ["PhonemeErrorRate"]


class PhonemeErrorRate(rate.PhonemeErrorRate):
    """The phoneme error rate with speechline's numbers; its default method is `columns`.

    `scoring.tasks.phonemes.PhonemeErrorRate` is the same class with the method `exact`.

    Examples
    --------
    >>> metric = PhonemeErrorRate({"x": [list("abc"), list("dbe")]})
    >>> metric.compute_measures(["x"], list("abe"))  # mixes both pronunciations
    {'errors': 0, 'total': 3}
    """

    def __init__(
        self,
        lexicon: Mapping[str, Iterable[Iterable[str]]],
        epsilon_token: str = EPSILON,
        *,
        method: SearchMethod = "columns",
    ) -> None:
        super().__init__(lexicon, epsilon_token, method=method)
