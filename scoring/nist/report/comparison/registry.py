"""All tests and reports on several systems, in the order in which sc_stats makes them.

What makes a report is imported when it is made: a run of the command needs few of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scoring.nist.report.comparison.ensemble import Ensemble
    from scoring.nist.report.comparison.verdicts import Compared
    from scoring.nist.report.tables import TableDrawer


class Settings(NamedTuple):
    """What tests and reports need to know beside the systems.

    Attributes
    ----------
    drawer
        One for a whole run of a command: tables depend on the tables before them.
    warn
        Is given what sc_stats says on the error stream, newline included.
    line_width
        Width of the lines of `prn`.
    """

    drawer: TableDrawer
    warn: Callable[[str], None]
    line_width: int


class TestSpec(NamedTuple):
    """A test of option `-t`.

    Attributes
    ----------
    abbreviation, description
        In the unified matrix and in messages.
    compare
        Runs it on every pair.
    analysed_when_unified
        With a unified matrix the analyses are still shown.
    paged
        The matrix begins on a page of its own behind analyses.
    announced_on_stdout
        The file is announced even if the report went to standard output instead.
    between_analyses
        What stands between two analyses.
    """

    abbreviation: str
    description: str
    compare: Callable[[Ensemble, Settings], Compared]
    analysed_when_unified: bool = False
    paged: bool = False
    announced_on_stdout: bool = False
    between_analyses: str = ""


class ReportSpec(NamedTuple):
    """A report of option `-r`: what is added to the root, the announcement, the content."""

    suffix: str
    announcement: str
    render: Callable[[Ensemble, Settings], Iterator[bytes]]


def _matched_pairs(ensemble: Ensemble, settings: Settings) -> Compared:
    from scoring.nist.report.comparison import matched_pairs

    return matched_pairs.compare(ensemble, settings.warn)


def _signs(ensemble: Ensemble, _settings: Settings) -> Compared:
    from scoring.nist.report.comparison import speakers

    return speakers.compare_signs(ensemble)


def _signed_ranks(ensemble: Ensemble, _settings: Settings) -> Compared:
    from scoring.nist.report.comparison import speakers

    return speakers.compare_signed_ranks(ensemble)


def _mcnemar(ensemble: Ensemble, settings: Settings) -> Compared:
    from scoring.nist.report.comparison import mcnemar

    return mcnemar.compare(ensemble, settings.drawer, settings.warn)


def _friedman(ensemble: Ensemble, _settings: Settings) -> Compared:
    from scoring.nist.report.comparison import friedman

    return friedman.compare(ensemble)


MARGINS = "mapsswe_seg"
"""A test that compares nothing: it shows how the segments of `mapsswe` depend on their margin."""

PAIRED_TESTS: Mapping[str, TestSpec] = {
    "mapsswe": TestSpec(
        "MP", "Matched Pair Sentence Segment (Word Error)", _matched_pairs, paged=True
    ),
    "sign": TestSpec(
        "SI",
        "Signed Paired Comparison (Speaker Word Error Rate (%))",
        _signs,
        analysed_when_unified=True,
    ),
    "wilc": TestSpec("WI", "Wilcoxon Signed Rank (Speaker Word Error Rate (%))", _signed_ranks),
    "mcn": TestSpec(
        "MN",
        "McNemar (Sentence Error)",
        _mcnemar,
        analysed_when_unified=True,
        paged=True,
        announced_on_stdout=True,
    ),
    "anovar": TestSpec(
        "AN",
        "Analysis of Variance by Ranks",
        _friedman,
        analysed_when_unified=True,
        between_analyses="\f",
    ),
}
TESTS = (*PAIRED_TESTS, MARGINS)
GRAPHS = ("range", "grange", "grange2", "det")


def _sum(ensemble: Ensemble, settings: Settings) -> Iterator[bytes]:
    from scoring.nist.report.comparison import summary

    return summary.percentages(ensemble, settings.drawer)


def _raw_sum(ensemble: Ensemble, settings: Settings) -> Iterator[bytes]:
    from scoring.nist.report.comparison import summary

    return summary.counts(ensemble, settings.drawer)


def _executive(ensemble: Ensemble, settings: Settings) -> Iterator[bytes]:
    from scoring.nist.report.comparison import summary

    return summary.executive_percentages(ensemble, settings.drawer, settings.warn)


def _raw_executive(ensemble: Ensemble, settings: Settings) -> Iterator[bytes]:
    from scoring.nist.report.comparison import summary

    return summary.executive_counts(ensemble, settings.drawer, settings.warn)


def _common(ensemble: Ensemble, settings: Settings) -> Iterator[bytes]:
    from scoring.nist.report.comparison import common

    return common.render(ensemble, settings.line_width, settings.warn)


def _labelled(ensemble: Ensemble, settings: Settings) -> Iterator[bytes]:
    from scoring.nist.report.comparison import labelled

    return labelled.render(ensemble, settings.drawer)


REPORTS: Mapping[str, ReportSpec] = {
    "sum": ReportSpec(".sys", "    Writing scoring report to '", _sum),
    "rsum": ReportSpec(".raw", "    Writing raw scoring report to '", _raw_sum),
    "es": ReportSpec(".es", "    Writing executive scoring report to '", _executive),
    "res": ReportSpec(".res", "    Writing raw executive scoring report to '", _raw_executive),
    "prn": ReportSpec(".prn", "    Writing Multi-system alignments to '", _common),
    "lur": ReportSpec(".lur", "    Writing LUR scoring report to '", _labelled),
}
"""Reports of option `-r`, in the order in which they are written."""

NEED_A_SYSTEM = ("sum", "rsum", "prn", "lur")
"""Reports that cannot be made of no system at all (the original crashes)."""
