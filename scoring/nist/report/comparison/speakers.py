"""The sign test and the signed rank test over speakers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from scoring.nist.report.comparison.ensemble import Ensemble
from scoring.nist.report.comparison.layout import decimal, longest
from scoring.nist.report.comparison.verdicts import Compared, PairKey, speaker_matrix
from scoring.nist.report.tables import centred
from scoring.stats.distributions import fair_binomial_below
from scoring.stats.paired_tests import (
    EQUAL_WITHIN,
    SIGNIFICANCE,
    SignedRanks,
    Signs,
    sign_test,
    signed_rank_test,
)
from scoring.stats.sample import moments

_PAGE = 79
_MEASURE = "Speaker Word Error Rate (%)"
_NUMBER_WIDTH = 6
_Result = TypeVar("_Result", Signs, SignedRanks)


def compare_signs(ensemble: Ensemble) -> Compared:
    """Run the sign test on every pair of systems."""
    return _compared(ensemble, "Sign", sign_test, _signs_analysis)


def compare_signed_ranks(ensemble: Ensemble) -> Compared:
    """Run the signed rank test on every pair of systems."""
    return _compared(ensemble, "Wilcoxon", signed_rank_test, _ranks_analysis)


def _compared(
    ensemble: Ensemble,
    name: str,
    test: Callable[[Sequence[float], Sequence[float]], _Result],
    analysis: Callable[[_Columns, _Result], Iterator[str]],
) -> Compared:
    verdicts = {}
    drawn: list[tuple[_Columns, _Result]] = []
    for pair in ensemble.pairs:
        result = test(*map(ensemble.column, pair))
        verdicts[pair] = result.verdict
        drawn.append((_Columns(ensemble, pair, result.first_is_worse), result))
    title = f"Comparison Matrix for the {name} Test"
    return Compared(
        verdicts,
        lambda: ["".join(analysis(*columns_and_result)) for columns_and_result in drawn],
        lambda: speaker_matrix(ensemble, title, verdicts),
    )


class _Columns:
    """The columns that both tables share: the speaker, and the rates of both systems."""

    def __init__(self, ensemble: Ensemble, pair: PairKey, first_is_worse: bool) -> None:
        worse, better = pair if first_is_worse else (pair[1], pair[0])
        self.worse = ensemble.systems[worse].title
        self.better = ensemble.systems[better].title
        self.worse_rates = ensemble.column(worse)
        self.better_rates = ensemble.column(better)
        self.speakers = ensemble.speakers
        self.name_width = longest(self.speakers, 4)
        self.rate_width = longest([self.worse, self.better], _NUMBER_WIDTH)

    def rate(self, value: float) -> str:
        """Return a rate as text for the column of a system."""
        # the blanks are those around six characters, be the number longer or not
        blanks = self.rate_width - _NUMBER_WIDTH
        return f"{'':{blanks // 2}}{decimal(value, _NUMBER_WIDTH, 2)}{'':{blanks - blanks // 2}}"

    def cells(self, name: str, worse: str, better: str) -> str:
        """Return the columns of a line that both tables share."""
        return f"{centred(name, self.name_width)}    {worse}    {better}"

    def titles(self, name: str = "", worse: str = "", better: str = "") -> str:
        """Return the shared columns of a line of titles."""
        width = self.rate_width
        return self.cells(name, centred(worse, width), centred(better, width))

    def rates(self, speaker: int) -> str:
        """Return the shared columns of a speaker's line: the name and the rates."""
        worse, better = self.worse_rates[speaker], self.better_rates[speaker]
        return self.cells(self.speakers[speaker], self.rate(worse), self.rate(better))

    def means(self) -> str:
        """Return the shared columns of the line of means."""
        worse, better = map(_mean, (self.worse_rates, self.better_rates))
        return self.cells("Avg.", self.rate(worse), self.rate(better))


def _mean(values: Sequence[float]) -> float:
    return moments(values).mean if values else 0.0


def _line(text: str) -> str:
    return centred(text, _PAGE) + "\n"


def _margined(width: int) -> Callable[[str], str]:
    margin = " " * ((_PAGE - width) // 2)
    return lambda text: f"{margin}{text}\n"


_SIGNS_HYPOTHESES = """\
The NULL Hypothesis:

     The number of speakers for which the differences is positive
     equals the number of speakers for which the differences is
     negative.
\t\t\t P(N(+)) = P(N(-)) = 0.50

Alternate Hypothesis:

     The number of speakers for which the differences is positive 
     is NOT equal to the number of speakers for which the difference
     is negative.

Decision Analysis:

     Assumptions:
        A1: The distibrution of positive and negative differences
            follows the binomial distribution for N fair coin tosses.

        A2: In order to resolve the complication caused by cases where the
            difference in Word Accuracy is zero, half of the cases will
            be assigned to N(+) and half to N(-).  In the event of an
            odd number of zero differences, N(-) will get one extra, this
            reduces the probability of there being a difference between
            the two systems.

     Rejection criterion:
        Reject the null hypothesis at the 95% confidence level based
        on the following critical values table.  N is the number of
        speakers being compared and N(-) is the number of negative
        differences.

"""  # noqa: W291 a blank that the original has


def _signs_analysis(columns: _Columns, result: Signs) -> Iterator[str]:
    label = f"[{columns.worse} - {columns.better}]"
    sign_width = max(15, len(label))
    width = columns.name_width + 2 * columns.rate_width + 12 + sign_width
    line = _margined(width)
    yield _line("Sign Test Calculations Table Comparing")
    yield _line(f"Spkr {_MEASURE} Percentages for Systems {columns.worse} and {columns.better}")
    yield _line("(Threshold for equal percentages +- 0.005)") + "\n"
    yield line(f"{columns.titles()}    {centred('Difference Sign', sign_width)}")
    titles = columns.titles("Spkr", columns.worse, columns.better)
    yield line(f"{titles}    {centred(label, sign_width)}")
    yield line("-" * width)
    for speaker, (worse, better) in enumerate(
        zip(columns.worse_rates, columns.better_rates, strict=True)
    ):
        difference = worse - better
        sign = "0" if abs(difference) <= EQUAL_WITHIN else "-" if difference < 0 else "+"
        yield line(f"{columns.rates(speaker)}    {centred(sign, sign_width)}")
    yield line("-" * width)
    yield line(columns.means()) + "\n"
    for kind, sign, count in (
        ("Positive", "+", result.positive),
        ("Negative", "-", result.negative),
        ("No", "0", result.zero),
    ):
        yield _line(f"No. Speakers with {kind} {_MEASURE} Differences = N({sign}) = {count:2d}")
    yield "\n\n" + _SIGNS_HYPOTHESES
    yield from _signs_thresholds(result)
    yield from _signs_decision(columns, result)


def _signs_thresholds(result: Signs) -> Iterator[str]:
    every = result.halved_positive + result.halved_negative
    yield f"          MIN(N(-),N(+))      P(MIN(N(-),N(+)) | N={every:2d})\n"
    yield "          --------------      ------------------------\n"
    number = 0
    while number <= every // 2 and number - 3 <= result.halved_negative:
        value = 2 * fair_binomial_below(number, every)
        if value < 0.0005:
            text = f"          {number:3d}                <0.001  "
        else:
            text = f"          {number:3d}                 {value:5.3f}"
        threshold = value < SIGNIFICANCE < 2 * fair_binomial_below(number + 1, every)
        mark = "  <---  Null Hypothesis rejected at or below this point" if threshold else ""
        yield f"{text}{mark}\n"
        number += 1


def _signs_decision(columns: _Columns, result: Signs) -> Iterator[str]:
    yield (
        f"\n     Decision:\n        There were N(-)={result.halved_negative} negative "
        "differences , the probability of\n"
        f"        it occurring is {result.verdict.probability:5.3f}, therefore the null "
        "hypothesis is "
    )
    if result.verdict.better:
        yield (
            "REJECTED\n        in favor of the Alternate Hypothesis.  Further, "
            f"{columns.better} is the\n        better System.\n\f"
        )
    else:
        yield (
            "ACCEPTED\n        There is no statistical difference between "
            f"{columns.worse} and {columns.better}\n\f"
        )


_RANKS_HYPOTHESES = """\
    The Null Hypothesis:

         The two populations represented by the respective matched
         pairs are identical.

    Alternate Hypothesis:

         The two populations are not equal and therefore
         there is a difference between systems.

    Decision Analysis:

         Assumptions:
              The distribution of signed ranks is approximated
              by the normal distribution if the number of Blocks
              is greater than equal to 8.

         Rejection Threshold:
              Based on a 95% confidence interval, the Z-score should
              be greater than 1.96 or less than -1.96.

         Decision:
"""


def _ranks_analysis(columns: _Columns, result: SignedRanks) -> Iterator[str]:
    width = columns.name_width + 2 * columns.rate_width + 37
    line = _margined(width)
    yield _line("Wilcoxon Test Calculations Table")
    systems = f"{columns.worse} and {columns.better}"
    yield _line(f"Comparing Spkr {_MEASURE} Percentages for Systems {systems}") + "\n"
    yield line(f"{columns.titles()}  {'':20}Signed")
    titles = columns.titles("Spkr", columns.worse, columns.better)
    yield line(f"{titles}  Difference   Rank    Rank")
    yield line("-" * width)
    for speaker, (difference, rank) in enumerate(
        zip(result.differences, result.ranks, strict=True)
    ):
        minus = difference < 0 and abs(difference) > EQUAL_WITHIN
        yield line(
            f"{columns.rates(speaker)}   {difference:6.2f}    {rank:5.1f}    "
            f"{-rank if minus else rank:5.1f}"
        )
    yield line("-" * width)
    yield line(f"{columns.means()}   {_mean(result.differences):6.2f}") + "\n"
    yield _line(f"Sum of {result.positive:2d} positive ranks = {result.positive_sum:4.1f}")
    yield _line(f"Sum of {result.negative:2d} negative ranks = {result.negative_sum:4.1f}")
    yield "\n\n" + _RANKS_HYPOTHESES
    yield f"              The Z statistic = {decimal(result.z, 4, 2)}, therefore the Hypothesis\n"
    if result.verdict.better:
        worse_wins = result.positive < result.negative
        better = columns.worse if worse_wins else columns.better
        yield (
            "              is REJECTED in favor of the Null Hypothesis.\n\n"
            f"              Further, {better} is the better System.\n\f"
        )
    else:
        yield "              is ACCEPTED.\n\f"
