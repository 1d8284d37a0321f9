"""The registry of tests and reports on several systems, in the order of sc_stats.

The module of a report is imported when the report is first written, because a run usually writes
few reports.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from formats.schema import NamedTuple
from scoring.nist.report.comparison.ensemble import Ensemble
from scoring.nist.report.comparison.verdicts import Compared
from scoring.nist.report.registry import ReportSettings as ReportSettings
from scoring.nist.report.registry import made


class TestSpec(NamedTuple):
    """A test of option `-t`."""

    abbreviation: str  # in the unified matrix and in messages
    description: str
    # The function that runs it on every pair and the settings it takes, as of
    # `scoring.nist.report.registry.ReportSpec`
    source: str
    takes: tuple[str, ...] = ()
    analysed_when_unified: bool = False  # with a unified matrix the analyses are still shown
    paged: bool = False  # the matrix begins on a page of its own after analyses
    # The file is announced even if the report went to standard output instead
    announced_on_stdout: bool = False
    between_analyses: str = ""  # what stands between two analyses

    def compare(self, ensemble: Ensemble, settings: ReportSettings) -> Compared:
        """Run the test on an ensemble."""
        compared: Compared = made(f"comparison.{self.source}", ensemble, settings, self.takes)
        return compared


class ComparisonSpec(NamedTuple):
    """A report of option `-r`: file suffix, announcement, and the function that renders it."""

    suffix: str
    announcement: str
    source: str
    takes: tuple[str, ...]

    def render(self, ensemble: Ensemble, settings: ReportSettings) -> Iterator[bytes]:
        """Yield the content of the report."""
        content: Iterator[bytes] = made(f"comparison.{self.source}", ensemble, settings, self.takes)
        return content


MARGINS = "mapsswe_seg"
"""A pseudo-test that shows how the segments of `mapsswe` depend on their margin."""

PAIRED_TESTS: Mapping[str, TestSpec] = {
    "mapsswe": TestSpec(
        "MP",
        "Matched Pair Sentence Segment (Word Error)",
        "matched_pairs:compare",
        ("warn",),
        paged=True,
    ),
    "sign": TestSpec(
        "SI",
        "Signed Paired Comparison (Speaker Word Error Rate (%))",
        "speakers:compare_signs",
        analysed_when_unified=True,
    ),
    "wilc": TestSpec(
        "WI",
        "Wilcoxon Signed Rank (Speaker Word Error Rate (%))",
        "speakers:compare_signed_ranks",
    ),
    "mcn": TestSpec(
        "MN",
        "McNemar (Sentence Error)",
        "mcnemar:compare",
        ("drawer", "warn"),
        analysed_when_unified=True,
        paged=True,
        announced_on_stdout=True,
    ),
    "anovar": TestSpec(
        "AN",
        "Analysis of Variance by Ranks",
        "friedman:compare",
        analysed_when_unified=True,
        between_analyses="\f",
    ),
}
TESTS = (*PAIRED_TESTS, MARGINS)
GRAPHS = ("range", "grange", "grange2", "det")


_SCORING, _DRAWN, _WARNED = "    Writing scoring report to '", ("drawer",), ("drawer", "warn")
REPORTS: Mapping[str, ComparisonSpec] = {
    "sum": ComparisonSpec(".sys", _SCORING, "summary:percentages", _DRAWN),
    "rsum": ComparisonSpec(".raw", "    Writing raw scoring report to '", "summary:counts", _DRAWN),
    "es": ComparisonSpec(
        ".es",
        "    Writing executive scoring report to '",
        "summary:executive_percentages",
        _WARNED,
    ),
    "res": ComparisonSpec(
        ".res",
        "    Writing raw executive scoring report to '",
        "summary:executive_counts",
        _WARNED,
    ),
    "prn": ComparisonSpec(
        ".prn",
        "    Writing Multi-system alignments to '",
        "common:render",
        ("line_width", "warn"),
    ),
    "lur": ComparisonSpec(".lur", "    Writing LUR scoring report to '", "labelled:render", _DRAWN),
}
"""Reports of option `-r`, in the order in which they are written."""

NEED_A_SYSTEM = ("sum", "rsum", "prn", "lur")
"""Reports that need at least one system (the original crashes without a system)."""
