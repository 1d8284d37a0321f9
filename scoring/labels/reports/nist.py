"""sclite's reports of labels: its summaries and its dump of alignments, by class.

The tables and blocks are drawn by the very code that draws sclite's. A class stands in the place of
a speaker. What belongs to a class are its labels in the reference, right or wrong, and labels of it
that were inserted; a substitution belongs to the class that should have been recognised. So the
last line is the sum of those above, and errors are those of the other reports.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from scoring.alignment.numbered import WordType
from scoring.alignment.system import (
    CASE_SENSITIVE,
    HYPOTHESIS_TIMES,
    REFERENCE_TIMES,
    System,
    Utterances,
    Vocabulary,
    Words,
)
from scoring.drawing.terminal import printable
from scoring.labels.aligners.pairs import LabelPair
from scoring.labels.aligners.segments import ActiveStretch, SegmentPair
from scoring.labels.aligners.spans import LabelLike
from scoring.labels.reports.page import SCORED, Reportable, sums_of
from scoring.nist.report.alignments import Grouping, grouped
from scoring.nist.report.blocks import BlockRenderer, PlainBlockRenderer, renderer
from scoring.nist.report.registry import ReportPart
from scoring.nist.report.summary import Headings, Scopes, amounts_of, percentages_of
from scoring.nist.report.tables import LINE_WIDTH, TableDrawer
from scoring.nist.report.tallies import Tally

SECOND: Final = 10**9

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
_GROUPINGS = {
    "events": Grouping("Classes", "Events of class"),
    "words": Grouping("Words", "Places of word"),
    "keywords": Grouping("Keywords", "Occurrences of keyword"),
    "seconds": Grouping("Classes", "Segments of class"),
}

Item = LabelPair | SegmentPair


class _Part(NamedTuple):
    """What one utterance has of one class."""

    utterance: str
    items: list[Item]


# The endings of sclite's names for the reports that have a meaning.
ENDINGS: Final = {"sum": "sys", "rsum": "raw", "pralign": "pra"}


def parts_of(
    evaluation: Reportable, reports: Collection[str], title: str, line_width: int | None
) -> Iterator[ReportPart]:
    """The files of some reports, by sclite's names for them; None: lines as wide as sclite's."""
    for name, form in ENDINGS.items():
        if name in reports:
            yield ReportPart(
                f".{form}", "", report(evaluation, form, title, line_width or LINE_WIDTH)
            )


def report(
    evaluation: Reportable, form: str, title: str, line_width: int = LINE_WIDTH
) -> Iterator[bytes]:
    """One of the reports in UTF-8: ``sys``, ``raw`` or ``pra``; widths are those of bytes."""
    parts = parts_by_class(evaluation)
    if form == "pra":
        system = system_of(evaluation, parts, title)
        blocks: BlockRenderer = renderer(system)
        if evaluation.unit == "seconds":
            blocks = _SecondsRenderer(system, parts)
        return grouped(system, blocks, line_width, _GROUPINGS[evaluation.unit], full=True)
    tallies = [_tally(class_parts) for class_parts in parts.values()]
    scopes = Scopes(printable(title), [printable(value) for value in parts], tallies)
    headings = _HEADINGS[evaluation.unit]
    if form == "sys":
        return percentages_of(scopes, TableDrawer(), headings)
    amounts = "SECONDS" if evaluation.unit == "seconds" else "NUMBERS"
    title = headings.title.replace("PERCENTAGES", amounts)
    return amounts_of(scopes, TableDrawer(), headings._replace(title=title))


def parts_by_class(evaluation: Reportable) -> dict[str, list[_Part]]:
    """Aligned items by class, sorted, and utterance."""
    by_class: dict[str, list[_Part]] = {}
    for utterance, items in evaluation.aligned.items():
        for item in items if evaluation.unit == "words" else sorted(items, key=_time):
            label = item.hyp if item.ref is None else item.ref
            if label is None:
                continue
            parts = by_class.setdefault(label.value, [])
            if not parts or parts[-1].utterance != utterance:
                parts.append(_Part(utterance, []))
            parts[-1].items.append(item)
    return dict(sorted(by_class.items()))


def _time(item: Item) -> float:
    if isinstance(item, ActiveStretch):
        return item.start
    label = item.hyp if item.ref is None else item.ref
    return -1.0 if label is None or label.start is None else label.start


def _tally(parts: Sequence[_Part]) -> Tally:
    rows = []
    for part in parts:
        correct, substituted, deleted, inserted = sums_of(part.items)
        wrong = (substituted + deleted + inserted, substituted, deleted, inserted)
        rows.append((1, correct, substituted, deleted, inserted, *(number > 0 for number in wrong)))
    return Tally(*(sum(column) for column in zip(*rows, strict=True)))


def system_of(evaluation: Reportable, parts: dict[str, list[_Part]], title: str) -> System:
    """What sclite's reports are drawn from, classes in the place of speakers."""
    rows = [
        (number, part) for number, class_parts in enumerate(parts.values()) for part in class_parts
    ]
    items = [part.items for _, part in rows]
    numbers: dict[str, int] = {}
    reference, reference_timed = _side(
        [[(item, item.ref) for item in row] for row in items], numbers
    )
    hypothesis, hypothesis_timed = _side(
        [[(item, item.hyp) for item in row] for row in items], numbers
    )
    attributes = [
        CASE_SENSITIVE | REFERENCE_TIMES * left | HYPOTHESIS_TIMES * right
        for left, right in zip(reference_timed, hypothesis_timed, strict=True)
    ]
    counts = [sum(item.edit == edit for item in row) for row in items for edit in SCORED]
    return System(
        title=printable(title),
        reference_name=None,
        hypothesis_name=None,
        creation_date=None,
        fragments_correct=False,
        optional_deletable=False,
        weights_name=None,
        labels=(),
        categories=(),
        speakers=[printable(value) for value in parts],
        utterances=Utterances(
            [f"({printable(part.utterance)})" for _, part in rows],
            array("i", [number for number, _ in rows]),
            array("i", attributes),
            array("i", range(len(rows))),
        ),
        vocabulary=Vocabulary(
            [WordType(text, (None, None), text, False, False, False) for text in numbers]
        ),
        reference=reference,
        hypothesis=hypothesis,
        edits=bytes(item.edit for row in items for item in row),
        edit_offsets=array("q", accumulate(map(len, items), initial=0)),
        counts=array("i", counts),
    )


def _side(
    rows: Sequence[Sequence[tuple[Item, LabelLike | None]]], numbers: dict[str, int]
) -> tuple[Words, list[bool]]:
    """The words of one side, numbered, and for each utterance whether all of them have times."""
    types, starts, finishes = array("i"), array("d"), array("d")
    begins, ends = array("q"), array("q")
    timed = []
    for row in rows:
        begins.append(len(types))
        has_times = True
        for item, label in row:
            if label is None:
                continue
            types.append(numbers.setdefault(printable(label.value), len(numbers)))
            span: SegmentPair | LabelLike = item if isinstance(item, ActiveStretch) else label
            has_times = has_times and span.start is not None and span.end is not None
            starts.append(span.start or 0.0)
            finishes.append(span.end or 0.0)
        ends.append(len(types))
        timed.append(has_times and begins[-1] < ends[-1])
    return Words(types, begins, ends, starts, finishes), timed


class _SecondsRenderer(PlainBlockRenderer):
    """Blocks whose scores are seconds."""

    def __init__(self, system: System, parts: dict[str, list[_Part]]) -> None:
        super().__init__(system)
        self._seconds = [
            [amount / SECOND for amount in sums_of(part.items)]
            for class_parts in parts.values()
            for part in class_parts
        ]

    def _scores(self, utterance: int) -> str:
        numbers = " ".join(f"{own:.2f}" for own in self._seconds[utterance])
        return f"Scores: (#C #S #D #I seconds) {numbers}\n"
