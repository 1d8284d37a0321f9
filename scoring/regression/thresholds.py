"""When a change is too much: limits given in percent, compared without rounding."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from scoring.errors import StatisticsError
from scoring.model import Counts


class Threshold(NamedTuple):
    """A limit of the new system's error rate.

    Attributes
    ----------
    text
        As it was given.
    kind
        `absolute`: the rate in percent; `points`: how much it may be above the baseline's, in
        percentage points; `relative`: the same in percent of the baseline's.
    value
        The number.
    """

    text: str
    kind: str
    value: Fraction

    def limit(self, baseline: Counts) -> Fraction:
        """The highest rate that is allowed, a ratio.

        Raises
        ------
        StatisticsError
            If the baseline has no rate.
        """
        if self.kind == "absolute":
            return self.value / 100
        own = rate_of(baseline, "the baseline")
        return own + self.value / 100 if self.kind == "points" else own * (1 + self.value / 100)

    def exceeded(self, baseline: Counts, new: Counts) -> bool:
        """Whether the new system's rate is above the limit; equal is not above.

        Raises
        ------
        StatisticsError
            If a rate is needed that is not defined.

        Examples
        --------
        >>> parse_threshold("10%").exceeded(Counts(90, 10), Counts(89, 11))
        False
        >>> parse_threshold("+0.5").exceeded(Counts(90, 10), Counts(89, 11))
        True
        """
        return rate_of(new, "the new system") > self.limit(baseline)

    def __str__(self) -> str:
        if self.kind == "absolute":
            return f"above {self.text} %"
        return f"more than {self.text.lstrip('+')} {self._unit} above the baseline"

    @property
    def _unit(self) -> str:
        return "points" if self.kind == "points" else "(relative)"


def rate_of(counts: Counts, whose: str) -> Fraction:
    """The exact error rate.

    Raises
    ------
    StatisticsError
        If there are no reference words.
    """
    if not counts.reference_tokens:
        raise StatisticsError(f"{whose} has no error rate: there are no reference words")
    return Fraction(counts.errors, counts.reference_tokens)


def parse_threshold(text: str) -> Threshold:
    """Read `12.5` (a rate in percent), `5%` (relative to the baseline) or `+0.5` (in points).

    Raises
    ------
    ValueError
        If it is none of these.

    Examples
    --------
    >>> parse_threshold("5%").kind, parse_threshold("12.5").value
    ('relative', Fraction(25, 2))
    """
    kind, number = "absolute", text
    if text.endswith("%"):
        kind, number = "relative", text[:-1].removeprefix("+")
    elif text.startswith("+"):
        kind, number = "points", text[1:]
    digits = number.replace(".", "", 1)
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"expected such as 12.5, 5% or +0.5, found {text!r}")
    return Threshold(text, kind, Fraction(number))
