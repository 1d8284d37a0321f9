"""The result of a test on all pairs of systems, and its matrix of verdicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from formats.schema import NamedTuple
from scoring.nist.report.comparison.ensemble import Ensemble
from scoring.nist.report.comparison.layout import longest
from scoring.nist.report.tables import centred
from scoring.stats.paired_tests import Verdict

SAME = "same"
PairKey = tuple[int, int]


class Compared(NamedTuple):
    """The result of a test on all pairs of systems."""

    verdicts: Mapping[PairKey, Verdict]  # by pair of systems
    analyses: Callable[[], Sequence[str]]  # draws that of each pair, or of the whole
    # Draws the comparison matrix; None if the test shows it in its analyses. Not to be drawn unless
    # it is shown: tables depend on the tables before them
    matrix: Callable[[], str] | None


def better_title(ensemble: Ensemble, pair: PairKey, verdict: Verdict, same: str = SAME) -> str:
    """Return the title of a pair's better system, or `same` without a significant difference."""
    if verdict.better == 0:
        return same
    return ensemble.systems[pair[verdict.better > 0]].title


def speaker_matrix(ensemble: Ensemble, title: str, verdicts: Mapping[PairKey, Verdict]) -> str:
    """Return the matrix of a test's verdicts, for a test over speakers."""
    page = 79
    using = "Using the Speaker Word Error Rate (%) Percentage per Speaker"
    heads = [f"{centred(line, page)}\n" for line in (title, using, "as the Comparison Metric")]
    titles = ensemble.titles
    width = longest(titles)
    cell = width + 3
    count = len(titles) + 1
    margin = " " * ((page - (count * cell + 1)) // 2)
    frame = f"{margin}|{'-' * (count * cell - 1)}|\n"
    between = f"{margin}|{'+'.join(['-' * (cell - 1)] * count)}|\n"
    rows = [["", *titles]]
    for first, name in enumerate(titles):
        texts = [
            better_title(ensemble, (first, second), verdicts[first, second])
            if second > first
            else ""
            for second in range(len(titles))
        ]
        rows.append([name, *texts])
    lines = [f"{margin}|{''.join(f' {text:>{width}} |' for text in row)}\n" for row in rows]
    return "".join([*heads, "\n", frame, between.join(lines), frame])
