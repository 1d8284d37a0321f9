"""sclite's summaries of labels, by class, drawn by the code that draws sclite's.

A class replaces a speaker. A class has its labels in the reference,
right or wrong, and labels of it that were inserted; a substitution belongs to the class that should
have been recognised. So the last line is the sum of those above, and errors are those of the other
reports.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from formats.times import SECOND
from scoring.drawing.terminal import printable
from scoring.labels.reports.page import sums_of
from scoring.labels.scored import AlignedOutcomes
from scoring.nist.report.registry import ReportPart
from scoring.nist.report.summary import Headings, Scopes, amounts_of, percentages_of
from scoring.nist.report.tables import TableDrawer
from scoring.nist.report.tallies import Tally

_FOOTNOTE = """
* Not in the reference: {amounts} instead of percents.
+ Without those that are not in the reference.
"""


def _headings(scope: str, amounts: str, column: str) -> Headings:
    footnote = _FOOTNOTE.format(amounts="seconds" if column == "# Sec" else "numbers")
    title = f"PERCENTAGES OF {amounts} by {scope.upper()}"
    return Headings(title, f" {scope}", " # Utt", column, "U.Err", footnote=footnote, exact=True)


_HEADINGS = {
    "events": _headings("Class", "EVENTS", "# Evt"),
    "words": _headings("Word", "WORDS", "# Wrd"),
    "keywords": _headings("Keyword", "KEYWORDS", "# Occ"),
    "seconds": _headings("Class", "TIME", "# Sec")._replace(per_unit=SECOND, decimals=2),
}
# The endings of sclite's names for the reports that have a meaning.
ENDINGS: Final = {"sum": "sys", "rsum": "raw"}


def parts_of(
    evaluation: AlignedOutcomes, reports: Collection[str], title: str
) -> Iterator[ReportPart]:
    """The files of some reports, by sclite's names for them."""
    for name, form in ENDINGS.items():
        if name in reports:
            yield ReportPart(f".{form}", "", report(evaluation, form, title))


def report(evaluation: AlignedOutcomes, form: str, title: str) -> Iterator[bytes]:
    """One of the reports in UTF-8: ``sys`` or ``raw``; widths are those of bytes."""
    by_class: dict[str, dict[str, list[Any]]] = {}
    for utterance, pairs in evaluation.aligned.items():
        for pair in pairs:
            if pair.label is not None:
                by_class.setdefault(pair.label.value, {}).setdefault(utterance, []).append(pair)
    classes = sorted(by_class)
    tallies = [_tally(by_class[value]) for value in classes]
    scopes = Scopes(printable(title), [printable(value) for value in classes], tallies)
    headings = _HEADINGS[evaluation.unit]
    if form == "sys":
        return percentages_of(scopes, TableDrawer(), headings)
    amounts = "SECONDS" if evaluation.unit == "seconds" else "NUMBERS"
    title = headings.title.replace("PERCENTAGES", amounts)
    return amounts_of(scopes, TableDrawer(), headings._replace(title=title))


def _tally(utterances: dict[str, list[Any]]) -> Tally:
    rows = []
    for pairs in utterances.values():
        correct, *wrong = sums_of(pairs)
        rows.append((1, correct, *wrong, sum(wrong) > 0, *(number > 0 for number in wrong)))
    return Tally(*(sum(column) for column in zip(*rows, strict=True)))
