"""What a report for people says, in blocks of a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from formats.times import SECOND
from scoring.drawing.blocks import Block, Heading, Items, Note, Rows, Table
from scoring.drawing.numbers import decimal, percent
from scoring.labels.aggregation import AggregatedConfusion
from scoring.labels.aligners.pairs import LabelPair
from scoring.labels.aligners.segments import ActiveStretch, SegmentPair
from scoring.labels.amounts import KeywordRates, Measures
from scoring.labels.confusion import substitutions_of
from scoring.labels.label_set import STATISTICS, LabelSet
from scoring.labels.outcome import Outcome
from scoring.model import Alignment, Edit


class Reportable(Protocol):
    """What reports need of an evaluation."""

    unit: ClassVar[str]
    title: ClassVar[str]

    @property
    def ref_outcome(self) -> Outcome:
        """The reference."""

    @property
    def hyp_outcome(self) -> Outcome:
        """The hypothesis."""

    @property
    def confusion(self) -> AggregatedConfusion:
        """All values together."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Notes for the reader."""

    @property
    def aligned(self) -> Mapping[str, Sequence[Any]]:
        """Pairs or segments by utterance."""

    @property
    def failing_utterances(self) -> list[str]:
        """Utterances with an error."""

    @property
    def utterance_durations(self) -> dict[str, float]:
        """Seconds by utterance."""

    def grouped(self, by: Iterable[str]) -> dict[tuple[str | None, ...], AggregatedConfusion]:
        """The confusions by groups of labels."""

    def keyword_rates(self, keywords: str | Iterable[str] | None) -> KeywordRates | None:
        """Rates of keywords, where labels are keywords."""


OVERALL, CLASSES, CONFUSIONS = "overall", "classes", "confusions"
LENGTHS, UTTERANCES = "lengths", "utterances"
SECTIONS = (OVERALL, CLASSES, CONFUSIONS, LENGTHS, UTTERANCES)
DEFAULT_SECTIONS = (OVERALL, CLASSES, CONFUSIONS, LENGTHS)
COUNTED = ("N", "correct", "sub", "del", "ins")
_NOTES = {
    "seconds": "N, correct, sub, del, ins in seconds; rates in percent",
    "events": "N, correct, sub, del, ins are numbers of events; rates in percent",
    "words": "N, correct, sub, del, ins are numbers of words; rates in percent",
    "keywords": "N, correct, sub, del, ins are numbers of keywords; precision, recall, F in "
    "percent, other rates are ratios",
}


def amount(number: float) -> str:
    """Events as they are, seconds with two decimals.

    >>> amount(3), amount(3.0)
    ('3', '3.00')
    """
    return f"{number}" if isinstance(number, int) else f"{number:.2f}"


def alarm_rate(rate: float | None) -> str:
    """A rate of false alarms; a small one with an exponent.

    >>> alarm_rate(0.05), alarm_rate(0.00012), alarm_rate(0)
    ('0.0500', '1.2e-04', '0.0000')
    """
    if rate is not None and 0 < rate < 0.001:
        return f"{rate:.1e}"
    return decimal(rate, 4)


def seconds(time: float | None) -> str:
    """A time of a label; nothing if there is none."""
    return "" if time is None else f"{time:.3f}"


def basic(measures: Measures) -> list[str]:
    """Total, correct, substitutions, deletions and insertions."""
    names = ("total", "correct", "substitutions", "deletions", "insertions")
    return [amount(getattr(measures, name)) for name in names]


SCORED = (Edit.CORRECT, Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION)


def sums_of(items: Iterable[LabelPair | SegmentPair]) -> list[int]:
    """Correct, substitutions, deletions and insertions: events, or nanoseconds of segments."""
    sums = dict.fromkeys(SCORED, 0)
    for item in items:
        sums[item.edit] += item.nanoseconds if isinstance(item, ActiveStretch) else 1
    return list(sums.values())


def page_of(
    evaluation: Reportable,
    sections: Sequence[str],
    keyword_groups: Mapping[str, Sequence[str]],
    by: Sequence[str] = (),
) -> Iterator[Block]:
    """The page of an evaluation with some of its sections, and at its end with groups."""
    if evaluation.remarks:
        yield Items(evaluation.remarks, lead="note: ")
    for section in sections:
        if section == CLASSES:
            yield from _classes(evaluation, keyword_groups)
        else:
            yield from _SECTIONS[section](evaluation)
    if by:
        rows = [
            [
                *(
                    f"(no {name})" if value is None else value
                    for name, value in zip(by, values, strict=True)
                ),
                *basic(whole),
                *(percent(rate) for rate in (whole.precision, whole.recall, whole.f_measure())),
                percent(whole.error_rate),
            ]
            for values, whole in evaluation.grouped(by).items()
        ]
        yield Heading("Groups")
        yield Table([*by, *COUNTED, "precision", "recall", "F1", "error rate"], rows, len(by))


def _overall(evaluation: Reportable) -> Iterator[Block]:
    whole = evaluation.confusion
    rows: list[tuple[str, str]] = []
    note = _NOTES[evaluation.unit]
    if (spotting := evaluation.keyword_rates(None)) is not None:
        occurring = sorted(evaluation.ref_outcome.all_values)
        scopes = [("", spotting), (" of keywords in the reference", None)]
        if occurring:
            scopes[1] = (scopes[1][0], evaluation.keyword_rates(occurring))
        for scope, rates in scopes:
            if rates is not None:
                names = ("TWV", "FRR", "FAR")
                rows += [
                    (name + scope, text) for name, text in zip(names, _rates(rates), strict=True)
                ]
        known = evaluation.aligned.keys() <= evaluation.utterance_durations.keys()
        duration = f"{evaluation.ref_outcome.total_duration:.2f} s" if known else "n/a"
        rows.append(("duration", duration))
        if not known:
            note += "; FAR and TWV need the duration of every utterance"
    rows += [
        ("precision", f"{percent(whole.precision)} %"),
        ("recall", f"{percent(whole.recall)} %"),
        ("F1", f"{percent(whole.f_measure())} %"),
        ("accuracy", f"{percent(whole.accuracy)} %"),
        ("error rate", f"{percent(whole.error_rate)} %"),
        ("mean precision of all classes", f"{percent(whole.precision_mean)} %"),
        ("mean recall of all classes", f"{percent(whole.recall_mean)} %"),
        *zip(COUNTED, basic(whole), strict=True),
        ("utterances", str(len(evaluation.aligned))),
        ("utterances with errors", str(len(evaluation.failing_utterances))),
    ]
    yield from (Heading("Overall"), Table((), rows), Note(note))


def _rates(rates: KeywordRates) -> tuple[str, str, str]:
    """Term-weighted value, false rejection rate, false alarm rate."""
    rejections, alarms, value = rates
    return decimal(value), decimal(rejections, 4), alarm_rate(alarms)


def _classes(
    evaluation: Reportable, keyword_groups: Mapping[str, Sequence[str]]
) -> Iterator[Block]:
    spotting = evaluation.keyword_rates(None) is not None
    last = ["TWV", "FRR", "FAR"] if spotting else ["error rate"]
    rows = []
    for confusion in sorted(evaluation.confusion.confusions, key=lambda confusion: confusion.value):
        rates = (confusion.precision, confusion.recall, confusion.f_measure())
        cells = [*basic(confusion), amount(confusion.substitutions_out), *map(percent, rates)]
        keyword_rates = evaluation.keyword_rates(confusion.value)
        cells += [percent(confusion.error_rate)] if keyword_rates is None else _rates(keyword_rates)
        rows.append([confusion.value, *cells])
    headings = ["keyword" if spotting else "class", *COUNTED, "sub out", "precision", "recall"]
    yield Heading("Keywords" if spotting else "Classes")
    yield Table([*headings, "F1", *last], rows)
    if not (spotting and keyword_groups):
        return
    groups = []
    for group, keywords in keyword_groups.items():
        if (rates_of_group := evaluation.keyword_rates(list(keywords))) is not None:
            groups.append([group, " ".join(keywords), *_rates(rates_of_group)])
    yield Heading("Keyword Groups")
    yield Table(["group", "keywords", *last], groups, text_columns=2)


def _confusions(evaluation: Reportable) -> Iterator[Block]:
    rows = []
    for confusion in sorted(evaluation.confusion.confusions, key=lambda one: one.value):
        for confused_value, number in substitutions_of(confusion):
            share = percent(number / confusion.total)
            rows.append([confusion.value, confused_value, amount(number), share])
    yield Heading("Confusions")
    headings = ["reference", "taken for", evaluation.unit, "% of reference"]
    note = Note("no class was taken for another")
    yield Table(headings, rows, text_columns=2) if rows else note


def _lengths(evaluation: Reportable) -> Iterator[Block]:
    headings = ["class", "side", "count", *STATISTICS]
    sides = [
        ("reference", evaluation.ref_outcome.label_set(), evaluation.ref_outcome.label_sets()),
        ("hypothesis", evaluation.hyp_outcome.label_set(), evaluation.hyp_outcome.label_sets()),
    ]
    rows = [["(all)", side, *_length_cells(whole)] for side, whole, _ in sides]
    for value in sorted({value for _, _, sets in sides for value in sets}):
        for side, _, sets in sides:
            rows.append([value, side, *_length_cells(sets.get(value, LabelSet()))])
    without = sum(whole.without_length for _, whole, _ in sides)
    note = "seconds"
    if without:
        note += f"; {without} labels without an end, or without times, have no length"
    yield from (Heading("Lengths"), Table(headings, rows, text_columns=2), Note(note))


def _length_cells(labels: LabelSet) -> list[str]:
    return [str(labels.count), *map(decimal, labels.statistics)]


def _utterances(evaluation: Reportable) -> Iterator[Block]:
    yield Heading("Utterances")
    for utterance, items in evaluation.aligned.items():
        in_seconds = evaluation.unit == "seconds"
        sums = [item / SECOND if in_seconds else item for item in sums_of(items)]
        wrong = any(sums[1:])
        counts = ", ".join(
            f"{amount(number)} {name}" for name, number in zip(COUNTED[1:], sums, strict=True)
        )
        yield Heading(f"{utterance}: {counts}", 3, wrong=wrong)
        yield _alignment(items, evaluation)
    if not evaluation.aligned:
        yield Note("there are none")


def _alignment(items: Sequence[LabelPair | SegmentPair], evaluation: Reportable) -> Table | Rows:
    """Segments and events as a table in order of time, words as they follow each other."""
    if evaluation.unit == "words":
        edits = bytes(item.edit for item in items)
        references = [item.ref.value for item in items if item.ref is not None]
        hypotheses = [item.hyp.value for item in items if item.hyp is not None]
        return Rows(Alignment(edits, references, hypotheses, 0.0))
    if evaluation.unit == "seconds":
        rows = [_segment_cells(item) for item in items if isinstance(item, ActiveStretch)]
        return Table(["eval", "reference", "hypothesis", "start", "end"], rows, text_columns=3)
    pairs = sorted(item for item in items if isinstance(item, LabelPair))
    headings = ["eval", "reference", "hypothesis", "start", "end", "hyp start", "hyp end"]
    return Table(headings, [_pair_cells(pair) for pair in pairs], text_columns=3)


def _letter(item: LabelPair | SegmentPair) -> str:
    return "" if item.edit == Edit.CORRECT else item.edit.letter


def _segment_cells(item: SegmentPair) -> list[str]:
    values = ["-" if entry is None else entry.value for entry in (item.ref, item.hyp)]
    return [_letter(item), *values, seconds(item.start), seconds(item.end)]


def _pair_cells(pair: LabelPair) -> list[str]:
    values, times = [], []
    for one in (pair.ref, pair.hyp):
        values.append("-" if one is None else one.value)
        times += ["", ""] if one is None else [seconds(one.start), seconds(one.end)]
    return [_letter(pair), *values, *times]


_SECTIONS = {
    OVERALL: _overall,
    CONFUSIONS: _confusions,
    LENGTHS: _lengths,
    UTTERANCES: _utterances,
}
