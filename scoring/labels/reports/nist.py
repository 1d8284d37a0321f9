"""sclite's reports of labels: its summaries and its dump of alignments, by class.

The tables and blocks are drawn by the very code that draws sclite's. A class stands in the place of
a speaker. What belongs to a class are its labels in the reference, right or wrong, and labels of it
that were inserted; a substitution belongs to the class that should have been recognised. So the
last line is the sum of those above, and errors are those of the other reports.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

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
from scoring.labels.aligners.pairs import LabelPair
from scoring.labels.aligners.segments import Segment, SegmentPair
from scoring.labels.aligners.spans import LabelLike
from scoring.labels.reports.measures import weight
from scoring.model import Edit
from scoring.nist.report.alignments import Grouping, grouped
from scoring.nist.report.blocks import BlockRenderer, PlainBlockRenderer, renderer
from scoring.nist.report.registry import Part
from scoring.nist.report.summary import Headings, Scopes, amounts_of, percentages_of
from scoring.nist.report.tables import LINE_WIDTH, TableDrawer
from scoring.nist.report.tallies import Tally
from scoring.nist.transcripts.characters import byte_text
from scoring.pages.terminal import shown

if TYPE_CHECKING:
    from scoring.labels.evaluation import AnyEvaluation

SECOND: Final = 10**9
_SCORED = (Edit.CORRECT, Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION)

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
    evaluation: AnyEvaluation, reports: Collection[str], title: str, line_width: int | None
) -> Iterator[Part]:
    """The files of some reports, by sclite's names for them; None: lines as wide as sclite's."""
    for name, form in ENDINGS.items():
        if name in reports:
            yield Part(f".{form}", "", report(evaluation, form, title, line_width or LINE_WIDTH))


def report(
    evaluation: AnyEvaluation, form: str, title: str, line_width: int = LINE_WIDTH
) -> Iterator[bytes]:
    """One of the reports in UTF-8: ``sys``, ``raw`` or ``pra``; widths are those of bytes."""
    parts = parts_by_class(evaluation)
    if form == "pra":
        system = system_of(evaluation, parts, title)
        blocks: BlockRenderer = renderer(system)
        if evaluation.unit == "seconds":
            blocks = _SecondsRenderer(system, parts)
        return grouped(system, blocks, line_width, _GROUPINGS[evaluation.unit], full=True)
    tallies = [_tally(own) for own in parts.values()]
    scopes = Scopes(printable(title), [printable(value) for value in parts], tallies)
    headings = _HEADINGS[evaluation.unit]
    if form == "sys":
        return percentages_of(scopes, TableDrawer(), headings)
    amounts = "SECONDS" if evaluation.unit == "seconds" else "NUMBERS"
    title = headings.title.replace("PERCENTAGES", amounts)
    return amounts_of(scopes, TableDrawer(), headings._replace(title=title))


def printable(text: str) -> str:
    """Byte text in one piece, as sclite's words are: blanks become ``_``.

    >>> printable("dog bark")
    'dog_bark'
    """
    return byte_text("_".join(shown(text).split()).encode("utf-8", "backslashreplace"))


def parts_by_class(evaluation: AnyEvaluation) -> dict[str, list[_Part]]:
    """Aligned items by class, sorted, and utterance."""
    found: dict[str, list[_Part]] = {}
    for utterance, items in evaluation.aligned.items():
        for item in items if evaluation.unit == "words" else sorted(items, key=_time):
            label = item.hyp if item.ref is None else item.ref
            if label is None:
                continue
            parts = found.setdefault(label.value, [])
            if not parts or parts[-1].utterance != utterance:
                parts.append(_Part(utterance, []))
            parts[-1].items.append(item)
    return dict(sorted(found.items()))


def _time(item: Item) -> float:
    if isinstance(item, Segment):
        return item.start
    label = item.hyp if item.ref is None else item.ref
    return -1.0 if label is None or label.start is None else label.start


def _sums(items: Iterable[Item]) -> list[int]:
    """Correct, substitutions, deletions, insertions; events or nanoseconds."""
    sums = dict.fromkeys(_SCORED, 0)
    for item in items:
        sums[item.edit] += weight(item)
    return list(sums.values())


def _tally(parts: Sequence[_Part]) -> Tally:
    rows = []
    for part in parts:
        correct, substituted, deleted, inserted = _sums(part.items)
        wrong = (substituted + deleted + inserted, substituted, deleted, inserted)
        rows.append((1, correct, substituted, deleted, inserted, *(one > 0 for one in wrong)))
    return Tally(*(sum(column) for column in zip(*rows, strict=True)))


class _Side:
    """The words of one side, as they are gathered."""

    def __init__(self) -> None:
        self.types = array("i")
        self.begins = array("q")
        self.ends = array("q")
        self.starts = array("d")
        self.finishes = array("d")

    def words(self) -> Words:
        return Words(self.types, self.begins, self.ends, self.starts, self.finishes)


class _Gathered:
    """The columns of a system, as they are gathered from the parts."""

    def __init__(self) -> None:
        self.types: list[WordType] = []
        self.identifiers: list[str] = []
        self.speakers = array("i")
        self.attributes = array("i")
        self.edits = bytearray()
        self.offsets = array("q", [0])
        self.counts = array("i")
        self.sides = (_Side(), _Side())
        self._known: dict[str, int] = {}

    def add(self, number: int, part: _Part) -> None:
        """An utterance of the class of that number."""
        self.identifiers.append(f"({printable(part.utterance)})")
        self.speakers.append(number)
        attributes = CASE_SENSITIVE
        counts = dict.fromkeys(_SCORED, 0)
        for item in part.items:
            counts[item.edit] += 1
        self.edits += bytes(item.edit for item in part.items)
        self.offsets.append(len(self.edits))
        self.counts.extend(counts.values())
        for side, bit in ((0, REFERENCE_TIMES), (1, HYPOTHESIS_TIMES)):
            if self._add_side(self.sides[side], part.items, side):
                attributes |= bit
        self.attributes.append(attributes)

    def _add_side(self, side: _Side, items: Sequence[Item], number: int) -> bool:
        """The words of one side; whether all have times."""
        side.begins.append(len(side.types))
        timed = True
        for item in items:
            label = item.hyp if number else item.ref
            if label is None:
                continue
            side.types.append(self._type(label.value))
            start, end = _times(item, label)
            timed = timed and start is not None and end is not None
            side.starts.append(start or 0.0)
            side.finishes.append(end or 0.0)
        side.ends.append(len(side.types))
        return timed and side.begins[-1] < side.ends[-1]

    def _type(self, value: str) -> int:
        text = printable(value)
        known = self._known.setdefault(text, len(self.types))
        if known == len(self.types):
            self.types.append(WordType(text, (None, None), text, False, False, False))
        return known


def _times(item: Item, label: LabelLike) -> tuple[float | None, float | None]:
    """Of the segment, or of the label."""
    if isinstance(item, Segment):
        return item.start, item.end
    return label.start, label.end


def system_of(evaluation: AnyEvaluation, parts: dict[str, list[_Part]], title: str) -> System:
    """What sclite's reports are drawn from, classes in the place of speakers."""
    gathered = _Gathered()
    for number, own in enumerate(parts.values()):
        for part in own:
            gathered.add(number, part)
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
            gathered.identifiers,
            gathered.speakers,
            gathered.attributes,
            array("i", range(len(gathered.identifiers))),
        ),
        vocabulary=Vocabulary(gathered.types),
        reference=gathered.sides[0].words(),
        hypothesis=gathered.sides[1].words(),
        edits=bytes(gathered.edits),
        edit_offsets=gathered.offsets,
        counts=gathered.counts,
    )


class _SecondsRenderer(PlainBlockRenderer):
    """Blocks whose scores are seconds."""

    def __init__(self, system: System, parts: dict[str, list[_Part]]) -> None:
        super().__init__(system)
        self._seconds = [
            [own / SECOND for own in _sums(part.items)]
            for class_parts in parts.values()
            for part in class_parts
        ]

    def _scores(self, utterance: int) -> str:
        numbers = " ".join(f"{own:.2f}" for own in self._seconds[utterance])
        return f"Scores: (#C #S #D #I seconds) {numbers}\n"
