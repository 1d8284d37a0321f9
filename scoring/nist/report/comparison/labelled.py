"""The report `lur`: error rates by system and label of the utterances."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.nist.report.comparison.ensemble import Ensemble
from scoring.nist.report.labelled import (
    LabelSums,
    category_titles,
    described,
    layouts,
    statistic_cells,
    sum_cells,
)
from scoring.nist.report.rounding import mean, median, standard_deviation
from scoring.nist.report.tables import ReportRow, TableDrawer

_BLOCKS = (
    "Set/Subset #Words and System Set/Subset Average Word Error Rate",
    "Set/Subset Mean #Words/Speaker and Set/Subset Mean Word Error Rate/Speaker",
    "Associated Standard Deviations",
    "Set/Subset Median #Words/Speaker and Set/Subset Median Word Error Rate/Speaker",
)
_STATISTICS = (None, mean, standard_deviation, median)


def render(ensemble: Ensemble, drawer: TableDrawer) -> Iterator[bytes]:
    """Yield the report; the first system defines the labels and categories of all systems."""
    yield "".join(drawer.draw(list(_rows(ensemble)), 1)).encode("latin-1")


def _rows(ensemble: Ensemble) -> Iterator[ReportRow]:
    first = ensemble.systems[0]
    categories = [-1] * len(first.labels)
    sums = [LabelSums(system, first.labels, categories).cells for system in ensemble.systems]
    data, titles, joined = layouts(categories)
    whole = f"c|ca{'aa' * (len(first.labels) - 1)}" if first.labels else "c"
    yield ReportRow("c", ["By System Test Subset Scoring Summary"])
    yield ReportRow("c", [f"For the {ensemble.description} Test"])
    yield from described(first)
    if first.categories:
        yield ReportRow(joined, category_titles(first, joined), before="-")
    yield ReportRow(titles, ["SYSTEM", *(label.title for label in first.labels)], before="-")
    yield ReportRow(titles, ["", *[" #Wrd %WE"] * len(first.labels)])
    for block, heading in enumerate(_BLOCKS):
        yield ReportRow(
            whole, ["", heading] if first.labels else [""], before="-" if block == 2 else "="
        )
        rule = "-"
        for title, cells in zip(ensemble.titles, sums, strict=True):
            texts: list[str] = []
            for row in cells:
                counted = [cell for cell in row if cell.words + cell.errors]
                statistic = _STATISTICS[block]
                texts += (
                    sum_cells(row) if statistic is None else statistic_cells(counted, statistic)
                )
            yield ReportRow(data, [title, *texts], before=rule)
            rule = ""
