"""McNemar's test on utterances with and without errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scoring.model.counts import Edit
from scoring.nist.report.comparison.ensemble import Ensemble
from scoring.nist.report.comparison.verdicts import Compared, better_title
from scoring.nist.report.tables import ReportRow, TableDrawer
from scoring.stats.distributions import fair_binomial_below
from scoring.stats.paired_tests import SIGNIFICANCE, Verdict, mcnemar_test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.model.aliases import Say

_CORRECT = bytes([Edit.CORRECT])
_SHOWN_UP_TO = 0.25
_LEAST_CONFIDENCE = 0.001


class Contingency(NamedTuple):
    """The 2 by 2 table: how many utterances or segments each of two systems has right or wrong."""

    both_right: int = 0
    only_second_wrong: int = 0
    only_first_wrong: int = 0
    both_wrong: int = 0


def compare(ensemble: Ensemble, drawer: TableDrawer, warn: Say) -> Compared:
    """Run the test on every pair of systems."""
    wrong = [
        [bool(system.edits_of(number).strip(_CORRECT)) for number in range(len(system))]
        for system in ensemble.systems
    ]
    verdicts: dict[tuple[int, int], Verdict] = {}
    tables: list[tuple[Contingency, str, str]] = []
    for pair in ensemble.pairs:
        left, right = (ensemble.systems[number] for number in pair)
        counts = [0, 0, 0, 0]
        for utterance, others in ensemble.matched(*pair, warn):
            if not others:
                speaker = left.speakers[left.utterances.speakers[utterance]]
                path = left.utterances.identifiers[utterance]
                warn(
                    f"Warning: Speaker's '{speaker}' path '{path}' in system '{left.title}' is not "
                    f"in system '{right.title}'\n"
                )
            for second in others:
                counts[2 * wrong[pair[0]][utterance] + wrong[pair[1]][second]] += 1
        table = Contingency(*counts)
        verdicts[pair] = mcnemar_test(table.only_first_wrong, table.only_second_wrong)
        tables.append((table, left.title, right.title))
    return Compared(
        verdicts,
        lambda: [analysis(*table) for table in tables],
        lambda: _matrix(ensemble, verdicts, drawer),
    )


def analysis(table: Contingency, first: str, second: str) -> str:
    """Return the detailed analysis of a pair of systems, with their titles."""
    head = (
        f"\n\n{'':28}McNemar test results\n{'':28}====================\n\n{'':37}{second}\n\n"
        f"{'':34}corr     incorr\n"
        f"      {first:>15}      corr   {table.both_right:3d}        "
        f"{table.only_second_wrong:3d}\n"
        f"\t                 incorr   {table.only_first_wrong:3d}        {table.both_wrong:3d}\n"
    )
    if table.only_first_wrong == table.only_second_wrong:
        return head + _ALIKE
    return head + "".join(_decision(table, first, second)) + "\f"


_ALIKE = (
    "\n\n\t\tSUMMARY:\n\t\t-------\n\n\n\n"
    "\tThe two totals for utterances missed by either test results\n"
    "\tare both zero, therefore there is no significant difference\n"
    "\tbetween the two tests!\n"
)
_HYPOTHESES = """\
The NULL Hypothesis:

     The number unique utterance errors are equal for both systems.

Alternate Hypothesis:

     The number of unique utterance errors for both systems are NOT equal.
Decision Analysis:

     Assumptions:
        A1: The distribution of unique utterance errors
            follows the binomial distribution for N fair coin tosses.

     Rejection criterion:
        Reject the null hypothesis at the 95% confidence level based
        on the following critical values table.  N is the sum of the
        unique utterance errors for both systems being compared and
        MIN(uue) is the minimum number of unique utterance
        foe either system.

"""


def _decision(table: Contingency, first: str, second: str) -> Iterator[str]:
    fewer = min(table.only_first_wrong, table.only_second_wrong)
    every = table.only_first_wrong + table.only_second_wrong
    verdict = mcnemar_test(table.only_first_wrong, table.only_second_wrong)
    yield _HYPOTHESES
    yield f"          MIN(uue)      P(MIN(uue) | N={every:3d})\n"
    yield "          --------      -------------------\n"
    probability = max(_SHOWN_UP_TO, verdict.probability)
    number = 0
    while 2 * fair_binomial_below(number - 1, every) < probability:
        value = 2 * fair_binomial_below(number, every)
        text = f"{value:5.3f}" if value >= 0.0005 else "  -  "
        threshold = value < SIGNIFICANCE < 2 * fair_binomial_below(number + 1, every)
        mark = "  <---  Null Hypothesis rejection threshold" if threshold else ""
        yield f"             {number:3d}               {text}{mark}\n"
        number += 1
    yield (
        f"\n     Decision:\n        There were MIN(uue)={fewer} unique utterance errors, the "
        f"probability of\n        it occurring is {verdict.probability:5.3f}, therefore the null "
        "hypothesis is "
    )
    if verdict.better:
        better = second if verdict.better > 0 else first
        yield (
            f"REJECTED\n        in favor of the Alternate Hypothesis.  Further, {better} is the\n"
            "        better System.\n"
        )
    else:
        yield (
            f"ACCEPTED\n        There is no statistical difference between {first} and {second}\n"
        )


def _matrix(
    ensemble: Ensemble, verdicts: dict[tuple[int, int], Verdict], drawer: TableDrawer
) -> str:
    titles = ensemble.titles
    layout = "|".join("c" * (len(titles) + 1))
    rows = [
        ReportRow("c", ["COMPARISON MATRIX: McNEMAR'S TEST ON CORRECT SENTENCES FOR THE TEST:"]),
        ReportRow("c", [ensemble.description], after=" -"),
        ReportRow(layout, ["", *titles]),
    ]
    for first, name in enumerate(titles):
        confidences, texts = [name], [""]
        for second in range(len(titles)):
            if second <= first:
                confidences.append("")
                texts.append("")
                continue
            verdict = verdicts[first, second]
            confidence = max(verdict.probability, _LEAST_CONFIDENCE)
            confidences.append(f"Conf=({confidence:.3f})")
            texts.append(better_title(ensemble, (first, second), verdict))
        rows.append(ReportRow(layout, confidences, before="-"))
        rows.append(ReportRow(layout, texts))
    drawer.centring = True
    return "".join(drawer.draw(rows, 1))
