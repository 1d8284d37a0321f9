"""The parameters of a keyword-search score: costs, tolerances, and the program to imitate."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from scoring.model.errors import ScoringError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from formats.schema.messages import Message

Values = TypeVar("Values", float, "npt.NDArray[np.float64]")


class KeywordSearchError(ScoringError):
    """The keyword-search data or parameters cannot be scored."""

    status = 2


class ContradictingDecisionsError(KeywordSearchError):
    """No single score separates accepted detections from rejected detections.

    `most_no` is the greatest score of a rejected detection, and `least_yes` the least score of an
    accepted one, as written in the file. `rows` are the two detections, by their index.
    """

    def __init__(
        self,
        problem: str | Message,
        most_no: str = "",
        least_yes: str = "",
        rows: tuple[int, int] = (-1, -1),
    ) -> None:
        super().__init__(problem)
        self.most_no = most_no
        self.least_yes = least_yes
        self.rows = rows


class SearchRules(NamedTuple):
    """The rules in which NIST's F4DE seems to err: each rule has F4DE's value or the sound value.

    A rule is True for F4DE's behaviour and False for sound behaviour. T is the number of trials.

    Attributes
    ----------
    trials_divided: F4DE computes T as the duration *divided* by the trials per second. Sound: the
        duration multiplied by this number. With one trial per second, both are equal.
    nested_excerpts_lose_time: for the duration, F4DE ends an excerpt where the next excerpt begins,
        even if the next excerpt ends first. Sound: only time in two excerpts is counted once.
        F4DE's T is then smaller, and its P_FA is larger.
    first_word_decides: F4DE scores a reference if its first word is inside an excerpt. Sound: all
        words must be inside. F4DE has more references.
    later_words_ignore_case: in F4DE, only the first word of a keyword obeys the list's case rule.
        Sound: all words obey it. Without ``lowercase``, F4DE then finds more references.
    first_dot_ends_names: F4DE removes the ending of a detection's file name only if the text after
        the *first* dot is ``sph``; of an excerpt's file name, it removes the text after the last
        dot. Sound: both names lose only the ending of an audio file. F4DE drops the detections of
        ``news.v1.sph``.
    binary_times: F4DE adds times as binary floating-point numbers, so that 0.1 + 0.2 is after the
        end of an excerpt that ends at 0.3. Sound: whole nanoseconds.
    pool_keeps_denominator: F4DE divides the pooled false alarms by T, for any number of keywords.
        Sound: T for each keyword. F4DE's pooled P_FA is larger.
    undefined_average_precision_is_zero: in F4DE, a keyword without references counts as 0 in MAP if
        keywords without references are evaluated. Sound: the keyword is dropped. F4DE's MAP is then
        lower.
    undefined_false_alarms_print_zero: F4DE prints a P_FA without denominator as ``0``. Sound: NA.
    two_digit_syllables: F4DE writes the attribute ``Syllables`` with two digits.
    first_excerpt_types_segments: in F4DE, all segments of a file and channel have the source type
        of the first excerpt. Sound: a segment has the type of the excerpt that contains it.
    statistics_of_everything: in F4DE's statistics below a summary, NA counts as 0, the deviation of
        a single value is 0, and numbers have at least one decimal. Sound: NA does not count, and a
        single value has no deviation.
    columns_as_filled: in F4DE's report by keyword, the first keyword that fills the columns of a
        set decides their position. Columns of a set without evaluated keyword are last, and
        further measures are missing for subsets. Sound: the sets have columns in their order, and
        measures follow the first set.
    binary_values: F4DE computes β and values in binary floating-point numbers, with rounding at
        each step, and these numbers decide which threshold is best. Sound: exact fractions of the
        given decimals. F4DE's default β is 999.9000000000001, so that last digits may differ.
    optimum_needs_scores: in F4DE, optimum and supremum are undefined if no detection has a score.
        Sound: they are the values of a system without detections.
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
    cost, value: cost of an incorrect and value of a correct detection; above 0.
    prior: probability of a keyword in a trial; above 0, at most 1.
    largest_gap: seconds between two words of a keyword at most.
    tolerance: greatest distance, in seconds, of a detection's midpoint from a reference.
    trials_per_second: see `SearchRules.trials_divided`.
    segments: True if the trials are time spans between speaker changes, and not seconds.
    with_untargeted: evaluate keywords without references as well.
    searched_only: evaluate only keywords for which the system searched.
    pooled: all keywords are scored together, as if they were a single keyword.
    consistent: True if decisions that no single threshold explains are an error, as in F4DE; if
        False (default), such decisions have no actual threshold, and a warning says so.
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
    consistent: bool = False
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
