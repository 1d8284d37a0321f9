"""The parameters of a keyword-search score: costs, tolerances, and the program to imitate."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from scoring.model.errors import ScoringError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Values = TypeVar("Values", float, "npt.NDArray[np.float64]")


class KeywordSearchError(ScoringError):
    """The keyword-search data or parameters cannot be scored."""

    status = 2


class ContradictingDecisionsError(KeywordSearchError):
    """No single score separates accepted detections from rejected detections.

    `most_no` is the greatest score of a rejected detection, and `least_yes` the least score of an
    accepted one, as written in the file.
    """

    def __init__(self, problem: str, most_no: str = "", least_yes: str = "") -> None:
        super().__init__(problem)
        self.most_no = most_no
        self.least_yes = least_yes


class SearchRules(NamedTuple):
    """The rules in which NIST's F4DE seems to err: each rule has F4DE's value or the sound value.

    Attributes, each true for F4DE's behaviour
    ------------------------------------
    trials_divided: T is the duration *divided* by the trials per second. Sound: multiplied. No
        difference at one trial per second.
    nested_excerpts_lose_time: an excerpt ends, for the duration, where the next one begins, even
        if that one ends earlier. Sound: only time that is covered twice is counted once. F4DE's T
        is then smaller, and P_FA larger.
    first_word_decides: a reference is scored if its first word lies inside an excerpt. Sound: all
        of it has to. F4DE has more references.
    later_words_ignore_case: only the first word of a keyword obeys the list's case rule. Sound:
        all words do. Matters only without ``lowercase``: F4DE then finds more references.
    first_dot_ends_names: a detection's file name loses its ending only if everything after the
        *first* dot is ``sph``; an excerpt's loses whatever follows its last dot. Sound: both lose
        the ending of an audio file, and nothing else. F4DE drops detections of
        ``news.v1.sph``.
    binary_times: times are added as binary floating-point numbers, so that 0.1 + 0.2 lies beyond
        an excerpt that ends at 0.3. Sound: whole nanoseconds.
    pool_keeps_denominator: the pooled false-alarm probability is of T trials, however many
        keywords are pooled. Sound: of T for each keyword. F4DE's pooled P_FA is larger.
    undefined_average_precision_is_zero: a keyword without references counts 0 in MAP where such
        keywords are evaluated. Sound: it is dropped. F4DE's MAP is then lower.
    undefined_false_alarms_print_zero: a P_FA that has no denominator is printed ``0``. Sound: NA.
    two_digit_syllables: the attribute ``Syllables`` is written with two digits.
    first_excerpt_types_segments: all segments of a file and channel have the source type of its
        first excerpt. Sound: of the excerpt they lie in.
    statistics_of_everything: in the statistics below a summary NA counts 0, a single value has the
        deviation 0, and there is a decimal at least. Sound: NA does not count, and a single value
        has no deviation.
    columns_as_filled: in the report by keyword the columns of a set stand where the first keyword
        fills them, so that those of a set without evaluated keyword come last, and further
        measures are missing for subsets. Sound: sets in their order, and measures after the first.
    binary_values: β and values are computed in binary floating-point numbers, each step rounded,
        and these decide which threshold is the best. Sound: exact fractions of the decimals given.
        F4DE's default β is 999.9000000000001, so that last digits may differ.
    optimum_needs_scores: without any scored detection, optimum and supremum are undefined. Sound:
        they are the values for a system without detections.
    """

    trials_divided: bool = False
    nested_excerpts_lose_time: bool = False
    first_word_decides: bool = False
    later_words_ignore_case: bool = False
    first_dot_ends_names: bool = False
    binary_times: bool = False
    pool_keeps_denominator: bool = False
    undefined_average_precision_is_zero: bool = False
    undefined_false_alarms_print_zero: bool = False
    two_digit_syllables: bool = False
    first_excerpt_types_segments: bool = False
    statistics_of_everything: bool = False
    columns_as_filled: bool = False
    binary_values: bool = False
    optimum_needs_scores: bool = False


SOUND = SearchRules()
F4DE = SearchRules(*(True for _ in SearchRules._fields))


class Parameters(NamedTuple):
    """Costs, tolerances and modes; the defaults are those of the OpenKWS evaluations.

    Attributes
    ----------
    cost, value: cost of an incorrect detection and value of a correct one; above 0.
    prior: probability of a keyword in a trial; above 0, at most 1.
    largest_gap: seconds between two words of a keyword at most.
    tolerance: greatest distance, in seconds, of a detection's midpoint from a reference.
    trials_per_second: see `SearchRules.trials_divided`.
    segments: True if the trials are time spans between speaker changes, and not seconds.
    with_untargeted: evaluate keywords without references as well.
    searched_only: evaluate only keywords for which the system searched.
    pooled: all keywords are scored together, as if they were a single keyword.
    consistent: decisions that no single threshold explains are an error; otherwise there is no
        threshold of the actual decisions.
    rules: see `SearchRules`.

    Examples
    --------
    >>> Parameters().beta
    999.9
    >>> Parameters(cost=0.5, value=2, prior=0.01).beta
    24.75
    """

    cost: float = 0.1
    value: float = 1.0
    prior: float = 0.0001
    largest_gap: float = 0.5
    tolerance: float = 0.5
    trials_per_second: float = 1.0
    segments: bool = False
    with_untargeted: bool = False
    searched_only: bool = False
    pooled: bool = False
    consistent: bool = True
    rules: SearchRules = SOUND

    @property
    def exact_beta(self) -> Fraction:
        """The weight of false alarms as an exact fraction, from the decimal parameters."""
        cost, value, prior = (Fraction(repr(x)) for x in (self.cost, self.value, self.prior))
        return cost / value * (1 / prior - 1)

    @property
    def beta(self) -> float:
        """The weight of false alarms: cost / value · (1 / prior - 1)."""
        if self.rules.binary_values:
            return self.cost / self.value * (1 / self.prior - 1)
        return float(self.exact_beta)

    def twv(self, p_fa: Values, p_miss: Values) -> Values:
        """Return the term-weighted value for P_FA and P_miss, which may be columns.

        Examples
        --------
        >>> Parameters().twv(2 / 32, 1.0), Parameters(rules=F4DE).twv(2 / 32, 1.0)
        (-62.49375, -62.493750000000006)
        """
        if self.rules.binary_values:
            return 1 - (p_miss + self.beta * p_fa)
        return 1 - p_miss - self.beta * p_fa

    def check(self) -> None:
        """Raise `KeywordSearchError` if a number is out of its range."""
        bounds = {
            "cost": self.cost,
            "value": self.value,
            "prior": self.prior,
            "trials per second": self.trials_per_second,
        }
        for name, number in bounds.items():
            if not 0 < number < float("inf"):
                raise KeywordSearchError(f"expected a {name} above 0, found {number:g}")
        if self.prior > 1:
            raise KeywordSearchError(f"expected a prior of at most 1, found {self.prior:g}")
        for name, number in (("gap", self.largest_gap), ("tolerance", self.tolerance)):
            if not 0 <= number < float("inf"):
                raise KeywordSearchError(f"expected a {name} of 0 or more, found {number:g}")
