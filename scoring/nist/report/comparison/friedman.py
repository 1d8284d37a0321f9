"""Friedman's analysis of variance by ranks: it compares the systems, then the speakers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scoring.nist.report.comparison.ensemble import Ensemble
from scoring.nist.report.comparison.layout import decimal, indent, indented, longest
from scoring.nist.report.comparison.verdicts import SAME, Compared, PairKey
from scoring.stats.friedman import Friedman, compare_rank_sums, friedman_test
from scoring.stats.paired_tests import Verdict

_TITLE = "Friedman Two-way Analysis of Variance by Ranks"
_SEVERE_ADJUSTMENT = 0.5


class _Treatments(NamedTuple):
    """The nouns for the items that an analysis compares.

    `every` is the plural in sentences, `heading` the title of their column.
    """

    every: str
    singular: str
    heading: str


_SYSTEMS = _Treatments("recognizers", "recognition system", "Systems")
_SPEAKERS = _Treatments("speakers", "speaker", "Speakers")


def compare(ensemble: Ensemble) -> Compared:
    """Return the result of both analyses.

    Only the analysis of the systems gives verdicts. The probability of each verdict is 0, because
    the test has none for a single pair of systems.
    """
    result = friedman_test(ensemble.system_ranks)
    verdicts: dict[PairKey, Verdict] = {
        pair: Verdict(better, 0.0)
        for pair, better in compare_rank_sums(result.rank_sums, len(ensemble.speakers)).items()
    }
    for pair in ensemble.pairs:
        verdicts.setdefault(pair, Verdict(0, 0.0))
    systems = _pass(
        _SYSTEMS, result, ensemble.titles, ensemble.system_order, len(ensemble.speakers)
    )
    result = friedman_test(ensemble.speaker_ranks, ties_looked_at=len(ensemble.systems))
    speakers = _pass(
        _SPEAKERS, result, ensemble.speakers, ensemble.speaker_order, len(ensemble.systems)
    )
    return Compared(verdicts, lambda: ["".join(systems), "".join(speakers)], None)


def _pass(
    treatments: _Treatments,
    result: Friedman,
    names: Sequence[str],
    order: Sequence[int],
    blocks: int,
) -> Iterator[str]:
    yield "\n\n\n" + indented(_TITLE) + indent(len(_TITLE)) + "-" * 46 + "\n\n"
    yield f"\tHo: Testing the hypothesis that all {treatments.every} are the same\n\n\n"
    yield f"{'':35}Reject if\n"
    yield f"{'':26}X2_r > X2 of 5% df{result.degrees} ({decimal(result.critical, 2, 3)})\n\n"
    yield f"{'':26}adjustment = {decimal(result.adjustment, 2, 3)}\n"
    yield f"{'':30}  X2_r = {decimal(result.statistic, 2, 3)}\n"
    if result.adjustment < _SEVERE_ADJUSTMENT:
        yield "\n\n\t\t*** Warning:  ties adjustment may have severely\n"
        yield "\t\t              exagerated the X2_r value\n\n"
    yield "ANALYSIS:\n--------\n"
    beyond = "less than 1%."
    if result.significant:
        yield "\tThe test statistic X2_r shows, with 95% confidence, that at\n"
        yield f"\tleast one {treatments.singular} is significantly different.\n\n"
        beyond = "greater that 99.9%."
    else:
        yield "\tThe test statistic X2_r shows that at the 95% confidence\n"
        yield f"\tinterval, the {treatments.singular}s are not significantly\n\tdifferent.\n\n"
    yield "\tFurther, the probablity of there being a difference is\n"
    between = result.confidences
    yield f"\tbetween {between[0]} to {between[1]}.\n" if between else f"\t{beyond}\n"
    yield "\n\n\n\n" + indented(f"COMPARISON MATRIX: Comparing All {treatments.heading}")
    yield indented("Using a Multiple Comparison Test") + "\n\n\n"
    yield from _matrix(names, order, compare_rank_sums(result.rank_sums, blocks))


def _matrix(
    names: Sequence[str], order: Sequence[int], verdicts: Mapping[PairKey, int]
) -> Iterator[str]:
    width = longest(names, 4)
    margin = indent((len(names) + 1) * (width + 3))
    edge = "-" * (width + 2)
    rows = [["", *(names[number] for number in order)]]
    for position, first in enumerate(order):
        rows.append([names[first]] + [""] * (position + 1))
        for second in order[position + 1 :]:
            pair = min(first, second), max(first, second)
            better = verdicts[pair]
            rows[-1].append(names[pair[better > 0]] if better else SAME)
    head, *lines = (f"{margin}{''.join(f'| {text:<{width}} ' for text in row)}|\n" for row in rows)
    frame = f"{margin}|{edge}{'-' * ((width + 3) * len(names))}|\n"
    yield frame
    yield head
    yield f"{margin}|{edge}+{'-' * ((width + 3) * max(1, len(names)) - 1)}|\n"
    yield from lines
    yield frame
