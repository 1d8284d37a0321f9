"""Error rates by system and label of the utterances (`lur`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoring.nist.report.comparison.ensemble import Ensemble
from scoring.nist.report.labelled import LabelCell, LabelSums, category_titles, layouts, rate_cells
from scoring.nist.report.rounding import mean, median, percentage, standard_deviation
from scoring.nist.report.tables import Row, TableDrawer

_BLOCKS = (
    "Set/Subset #Words and System Set/Subset Average Word Error Rate",
    "Set/Subset Mean #Words/Speaker and Set/Subset Mean Word Error Rate/Speaker",
    "Associated Standard Deviations",
    "Set/Subset Median #Words/Speaker and Set/Subset Median Word Error Rate/Speaker",
)
_STATISTICS = (mean, standard_deviation, median)


def render(ensemble: Ensemble, drawer: TableDrawer) -> Iterator[bytes]:
    """The report; the first system's definitions of labels and categories hold for all.

    Raises
    ------
    LabelError
        If an utterance has a label that is not defined, or a label is used in two places of the
        list of labels.
    """
    yield "".join(drawer.draw(list(_rows(ensemble)), 1)).encode("latin-1")


def _rows(ensemble: Ensemble) -> Iterator[Row]:
    first = ensemble.systems[0]
    categories = [-1] * len(first.labels)
    sums = [LabelSums(system, first.labels, categories).cells for system in ensemble.systems]
    data, titles, joined = layouts(categories)
    whole = f"c|ca{'aa' * (len(first.labels) - 1)}" if first.labels else "c"
    yield Row("c", ["By System Test Subset Scoring Summary"])
    yield Row("c", [f"For the {ensemble.description} Test"])
    rule = " "
    for label in first.labels:
        texts = [label.title.replace("//", " "), "->", label.description]
        yield Row("ccc", texts, before=rule)
        rule = ""
    yield Row("ccc", ["", "", ""], before=rule, after=" ")
    if first.categories:
        yield Row(joined, category_titles(first, joined), before="-")
    yield Row(titles, ["SYSTEM", *(label.title for label in first.labels)], before="-")
    yield Row(titles, ["", *[" #Wrd %WE"] * len(first.labels)])
    for block, heading in enumerate(_BLOCKS):
        yield Row(whole, ["", heading] if first.labels else [""], before="-" if block == 2 else "=")
        rule = "-"
        for title, cells in zip(ensemble.titles, sums, strict=True):
            texts = [text for own in cells for text in _cells(own, block)]
            yield Row(data, [title, *texts], before=rule)
            rule = ""


def _cells(cells: Sequence[LabelCell], block: int) -> list[str]:
    if block == 0:
        words = sum(cell.words for cell in cells)
        return rate_cells(words, percentage(sum(cell.errors for cell in cells), words))
    counted = [cell for cell in cells if cell.words + cell.errors]
    statistic = _STATISTICS[block - 1]
    return rate_cells(
        statistic([float(cell.words) for cell in counted]),
        statistic([cell.share for cell in counted]),
    )
