"""The report for people, as blocks of a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from formats.schema.times import SECOND
from scoring.drawing import decimal, percent
from scoring.drawing.blocks import Block, Heading, Items, Lead, Note, RateCurve, Rows, Table
from scoring.model.counts import Alignment, Edit
from scoring.tasks.labels.aligners.pairs import Aligned
from scoring.tasks.labels.amounts import KeywordRates, Measures
from scoring.tasks.labels.label_set import STATISTICS, LabelSet
from scoring.tasks.labels.scored import AlignedOutcomes
from scoring.tasks.labels.thresholds import LIMITS, ThresholdReport

OVERALL, CLASSES, CONFUSIONS = "overall", "classes", "confusions"
LENGTHS, UTTERANCES = "lengths", "utterances"
SECTIONS = (OVERALL, CLASSES, CONFUSIONS, LENGTHS, UTTERANCES)
DEFAULT_SECTIONS = (OVERALL, CLASSES, CONFUSIONS, LENGTHS)
COUNTED = ("N", "correct", "sub", "del", "ins")
SCORED = (Edit.CORRECT, Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION)


def page_of(
    evaluation: AlignedOutcomes, sections: Sequence[str], operation: ThresholdReport | None = None
) -> Iterator[Block]:
    """Yield the blocks of the page of an evaluation: the selected sections and thresholds."""
    if OVERALL in sections:
        yield Lead(_sentence(evaluation))
    if evaluation.remarks:
        yield Items(list(map(str, evaluation.remarks)), lead="note: ")
    for section in sections:
        yield from _SECTIONS[section](evaluation)
        if section == OVERALL and operation is not None:
            yield from _operation(operation)


def _sentence(evaluation: AlignedOutcomes) -> str:
    """Return the error rate in words."""
    whole, unit = evaluation.confusion, evaluation.unit
    if not whole.total:
        return f"There are no {unit} in the reference, so there is no rate"
    errors = whole.substitutions + whole.deletions + whole.insertions
    if not errors:
        return f"No errors: 0.0 % ({amount(whole.total)} {unit})"
    rate = percent(whole.error_rate, 1)
    if errors > whole.total:
        return f"{amount(errors)} {unit} of errors in {amount(whole.total)} {unit}: {rate} %"
    return f"{amount(errors)} of {amount(whole.total)} {unit} are wrong: {rate} %"


def amount(number: float) -> str:
    """Format a number of events unchanged, or seconds with two decimals."""
    return f"{number}" if isinstance(number, int) else f"{number:.2f}"


def sums_of(pairs: Iterable[Aligned]) -> list[int]:
    """Sum correct, substituted, deleted and inserted events (or nanoseconds of segments)."""
    sums = dict.fromkeys(SCORED, 0)
    for pair in pairs:
        sums[pair.edit] += pair.amount
    return list(sums.values())


def _basic(measures: Measures) -> list[str]:
    names = ("total", "correct", "substitutions", "deletions", "insertions")
    return [amount(getattr(measures, name)) for name in names]


_QUALITY = ("precision %", "recall %", "F1 %")


def _quality(measures: Measures) -> list[str]:
    return [percent(measures.precision), percent(measures.recall), percent(measures.f_measure())]


_KEYWORD_RATES = ("TWV", "FRR", "FAR")


def _rates(rates: KeywordRates | None) -> list[str]:
    """Return term-weighted value, false rejections and false alarms as text."""
    if rates is None:
        return []
    rejections, alarms, value = rates
    small = alarms is not None and 0 < alarms < 0.001
    return [
        decimal(value),
        decimal(rejections, 4),
        f"{alarms:.1e}" if small else decimal(alarms, 4),
    ]


def _overall(evaluation: AlignedOutcomes) -> Iterator[Block]:
    whole = evaluation.confusion
    rows: list[tuple[str, str]] = []
    counted = "in" if evaluation.unit == "seconds" else "are numbers of"
    note = f"N, correct, sub, del, ins {counted} {evaluation.unit}; "
    if (spotting := evaluation.keyword_rates()) is None:
        note += "rates in percent"
    else:
        note += "precision, recall, F in percent, other rates are ratios"
        occurring = sorted(evaluation.ref_outcome.all_values)
        rows += zip(_KEYWORD_RATES, _rates(spotting), strict=True)
        if occurring:
            names = (f"{name} of keywords in the reference" for name in _KEYWORD_RATES)
            rows += zip(names, _rates(evaluation.keyword_rates(occurring)), strict=True)
        if evaluation.aligned.keys() <= evaluation.utterance_durations.keys():
            rows.append(("duration", f"{evaluation.ref_outcome.total_duration:.2f} s"))
            rows.append(("false alarms per hour", decimal(evaluation.false_alarms_per_hour())))
        else:
            rows.append(("duration", "n/a"))
            note += "; FAR and TWV need the duration of every utterance"
    for title, rate in (
        *(("precision", whole.precision), ("recall", whole.recall), ("F1", whole.f_measure())),
        *(("accuracy", whole.accuracy), ("error rate", whole.error_rate)),
        ("mean precision of all classes", whole.precision_mean),
        ("mean recall of all classes", whole.recall_mean),
    ):
        rows.append((title, f"{percent(rate)} %"))
    rows += zip(COUNTED, _basic(whole), strict=True)
    rows += [
        ("utterances", str(len(evaluation.aligned))),
        ("utterances with errors", str(len(evaluation.failing_utterances))),
    ]
    yield from (Heading("Overall"), Table((), rows), Note(note))


def _operation(operation: ThresholdReport) -> Iterator[Block]:
    """Yield the best thresholds for limits on false accepts per hour, and the whole curve."""
    limits = LIMITS if operation.limit is None else (operation.limit,)
    rows = []
    for limit in limits:
        best = operation.curve.best(limit)
        rows.append(
            [
                f"{limit:g}",
                "none" if best.threshold is None else f"{best.threshold:g}",
                percent(best.false_rejection_rate),
                decimal(best.false_alarms_per_hour),
                str(best.false_rejects),
                str(best.false_accepts),
            ]
        )
    yield Heading("Thresholds")
    headings = ["FA/h at most", "threshold", "FRR %", "FA/h", "false rejects", "false accepts"]
    yield Table(headings, rows, text_columns=0)
    yield Note(
        "Each row has the highest threshold with the fewest false rejects at this limit of false "
        "accepts per hour (FA/h). Without a threshold, no detection is accepted."
    )
    points = [
        (
            point.false_alarms_per_hour or 0,
            point.false_rejection_rate or 0,
            f"{'none' if point.threshold is None else format(point.threshold, 'g')}: "
            f"FRR {percent(point.false_rejection_rate)} %, "
            f"FA/h {decimal(point.false_alarms_per_hour)}",
        )
        for point in operation.curve.corners
    ]
    yield RateCurve(points, "false accepts per hour", "false rejects in %")


def _classes(evaluation: AlignedOutcomes) -> Iterator[Block]:
    spotting = evaluation.keyword_rates() is not None
    rows = []
    for value, confusion in sorted(evaluation.confusion.instances.items()):
        rates = _rates(evaluation.keyword_rates(value)) or [percent(confusion.error_rate)]
        out = amount(confusion.substitutions_out)
        rows.append([value, *_basic(confusion), out, *_quality(confusion), *rates])
    unit = " s" if evaluation.unit == "seconds" else ""
    counted = [f"{name}{unit}" for name in (*COUNTED, "sub out")]
    headings = ["keyword" if spotting else "class", *counted, *_QUALITY]
    yield Heading("Keywords" if spotting else "Classes")
    yield Table([*headings, *(_KEYWORD_RATES if spotting else ["error rate %"])], rows)


def _confusions(evaluation: AlignedOutcomes) -> Iterator[Block]:
    rows = [
        [value, substitute, amount(number), percent(number / confusion.total)]
        for value, confusion in sorted(evaluation.confusion.instances.items())
        for substitute, number in confusion.substitutions_by_count()
    ]
    yield Heading("Confusions")
    headings = ["reference", "taken for", evaluation.unit, "% of reference"]
    note = Note("no class was taken for another")
    yield Table(headings, rows, text_columns=2) if rows else note


def _lengths(evaluation: AlignedOutcomes) -> Iterator[Block]:
    sides = ("reference", evaluation.ref_outcome), ("hypothesis", evaluation.hyp_outcome)
    label_sets = [(side, outcome.label_set()) for side, outcome in sides]
    rows = [["(all)", side, *_length_cells(labels)] for side, labels in label_sets]
    by_value = [(side, outcome.label_sets()) for side, outcome in sides]
    for value in sorted({value for _, sets in by_value for value in sets}):
        for side, sets in by_value:
            rows.append([value, side, *_length_cells(sets.get(value, LabelSet()))])
    without = sum(labels.without_length for _, labels in label_sets)
    headings = ["class", "side", "count", *map(_with_unit, STATISTICS)]
    yield from (Heading("Lengths"), Table(headings, rows, text_columns=2))
    if without:
        yield Note(f"{without} labels without an end, or without times, have no length")


def _with_unit(statistic: str) -> str:
    return f"{statistic} s²" if statistic == "variance" else f"{statistic} s"


def _length_cells(labels: LabelSet) -> list[str]:
    return [str(labels.count), *map(decimal, labels.statistics.values())]


def _utterances(evaluation: AlignedOutcomes) -> Iterator[Block]:
    yield Heading("Utterances")
    for utterance, pairs in evaluation.aligned.items():
        sums: Sequence[float] = sums_of(pairs)
        unit = ""
        if evaluation.unit == "seconds":
            sums, unit = [number / SECOND for number in sums], " s"
        named = zip(map(amount, sums), COUNTED[1:], strict=True)
        counts = ", ".join(f"{number}{unit} {name}" for number, name in named)
        yield Heading(f"{utterance}: {counts}", 3, wrong=any(sums[1:]))
        yield _alignment(pairs, evaluation.unit)
    if not evaluation.aligned:
        yield Note("there are none")


def _alignment(pairs: Sequence[Any], unit: str) -> Table | Rows:
    """Return the alignment: a table in order of time for segments and events, rows for words."""
    if unit == "words":
        edits = bytes(pair.edit for pair in pairs)
        references = [pair.ref.value for pair in pairs if pair.ref is not None]
        hypotheses = [pair.hyp.value for pair in pairs if pair.hyp is not None]
        return Rows(Alignment(edits, references, hypotheses, 0.0))
    rows = []
    for pair in pairs if unit == "seconds" else sorted(pairs):
        letter = "" if pair.edit == Edit.CORRECT else pair.edit.letter
        sides = (pair.ref, pair.hyp)
        values = ["-" if label is None else label.value for label in sides]
        spans = [pair] if unit == "seconds" else sides
        rows.append([letter, *values, *(time for span in spans for time in _times(span))])
    headings = ["eval", "reference", "hypothesis", "start s", "end s", "hyp start s", "hyp end s"]
    return Table(headings[: 5 if unit == "seconds" else 7], rows, text_columns=3)


def _times(span: Any) -> list[str]:
    times = (None, None) if span is None else (span.start, span.end)
    return ["" if time is None else f"{time:.3f}" for time in times]


_SECTIONS = {
    OVERALL: _overall,
    CLASSES: _classes,
    CONFUSIONS: _confusions,
    LENGTHS: _lengths,
    UTTERANCES: _utterances,
}
