"""Word errors by speaker and system (`sum`, `rsum`), and totals by system (`es`, `res`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import nan

from scoring.model.counts import Counts
from scoring.nist.report.comparison.ensemble import NOBODY, Ensemble, error_rate
from scoring.nist.report.entropy import CrossEntropies, cross_entropies
from scoring.nist.report.rounding import (
    Tally,
    mean,
    median,
    percentage,
    rounded,
    standard_deviation,
    total,
)
from scoring.nist.report.tables import ReportRow, TableDrawer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.model.aliases import Say


def percentages(ensemble: Ensemble, drawer: TableDrawer) -> Iterator[bytes]:
    """Yield the report `sum`: percent word error by speaker and system."""
    title = "Scoring Summmary of Percent Word Error by Speaker"
    forms = ((1, "6.1f"),) * 3
    yield _table(_speaker_rows(ensemble, title, " Average ", error_rate, forms), drawer, 0)


def counts(ensemble: Ensemble, drawer: TableDrawer) -> Iterator[bytes]:
    """Yield the report `rsum`: number of word errors by speaker and system."""

    def errors(tally: Tally) -> float:
        return float(tally.counts.errors)

    title = "Scoring Summmary of Word Errors by Speaker"
    forms = ((0, "5.0f"), (1, "5.0f"), (1, "5.1f"))
    yield _table(_speaker_rows(ensemble, title, " Sum ", errors, forms), drawer, 0)


def _table(rows: Sequence[ReportRow], drawer: TableDrawer, padding: int) -> bytes:
    drawer.centring = True
    return "".join(drawer.draw(rows, padding)).encode("latin-1")


def _title_rows(ensemble: Ensemble, title: str) -> list[ReportRow]:
    if not ensemble.description:
        return [ReportRow("c", [title], before=" ", after=" ")]
    return [
        ReportRow("c", [title], before=" "),
        ReportRow("c", [f"{ensemble.description} Test"], after=" "),
    ]


def _speaker_rows(
    ensemble: Ensemble,
    title: str,
    total_name: str,
    value: Callable[[Tally], float],
    forms: Sequence[tuple[int, str]],
) -> list[ReportRow]:
    """Return the rows of the speakers, the row of the total, and the rows of the statistics.

    `forms` has three pairs, one for each kind of row: the decimals and the format of its values.
    """
    of_speaker, of_all, of_statistic = forms

    def text(number: float, form: tuple[int, str]) -> str:
        return f"{rounded(number, form[0]):{form[1]}} "

    others = "|c" * len(ensemble.systems)
    speakers = list(ensemble.systems[0].speakers)
    values = [
        [
            value(tallies[speaker] if speaker < len(tallies) else NOBODY)
            for speaker in range(len(speakers))
        ]
        for tallies in ensemble.tallies
    ]
    rows = _title_rows(ensemble, title)
    rows.append(ReportRow(f"c{others}", ["Spkr", *ensemble.titles], before="-"))
    for speaker, name in enumerate(speakers):
        cells = [text(column[speaker], of_speaker) for column in values]
        rows.append(ReportRow(f"l{others}", [f" {name} ", *cells], before="-"))
    totals = [text(value(total([NOBODY, *tallies])), of_all) for tallies in ensemble.tallies]
    rows.append(ReportRow(f"c{others}", [total_name, *totals], before="="))
    for name, statistic, rule in (
        (" Mean ", mean, "-"),
        (" StdDev ", standard_deviation, ""),
        (" Median ", median, " "),
    ):
        cells = [text(statistic(column), of_statistic) for column in values]
        rows.append(ReportRow(f"c{others}", [name, *cells], before=rule))
    return rows


def executive_percentages(ensemble: Ensemble, drawer: TableDrawer, warn: Say) -> Iterator[bytes]:
    """Yield the report `es`: percentages over all words of each system."""

    def text(part: float, whole: float) -> str:
        return f"{rounded(percentage(part, whole), 1):.1f}"

    title = "Executive Scoring Summary by Percentages"
    yield _table(_executive_rows(ensemble, title, text, warn), drawer, 1)


def executive_counts(ensemble: Ensemble, drawer: TableDrawer, warn: Say) -> Iterator[bytes]:
    """Yield the report `res`: word counts of each system."""

    def text(part: float, _whole: float) -> str:
        return f"{part:.0f}"

    title = "Executive Scoring Summary by Word Tokens"
    yield _table(_executive_rows(ensemble, title, text, warn), drawer, 1)


def _executive_rows(
    ensemble: Ensemble, title: str, text: Callable[[float, float], str], warn: Say
) -> list[ReportRow]:
    entropies = [
        # without an utterance there is none that lacks confidences
        cross_entropies(system, [tally.counts for tally in tallies], warn)
        if len(system)
        else CrossEntropies([], nan)
        for system, tallies in zip(ensemble.systems, ensemble.tallies, strict=True)
    ]
    confident = any(entropy is not None for entropy in entropies)
    layout = "c|cc|cccccc" + "|c" * confident
    names = ["System", "# Snt", "# Ref", "Corr", "Sub", "Del", "Ins", "Err", "S.Err"]
    rows = _title_rows(ensemble, title)
    rows.append(ReportRow(layout, names + ["NCE"] * confident))
    for position, tallies in enumerate(ensemble.tallies):
        tally = total([NOBODY, *tallies])
        words: Counts = tally.counts
        cells = [ensemble.titles[position], f"{tally.utterances}", f"{words.reference_tokens}"]
        cells += [text(part, words.reference_tokens) for part in (*words, words.errors)]
        cells.append(text(tally.utterances_with_errors, tally.utterances))
        if confident:
            cross_entropy = entropies[position]
            cells.append(
                "---" if cross_entropy is None else f"{rounded(cross_entropy.overall, 3):.3f}"
            )
        rows.append(ReportRow(layout, cells, before="-" * (position == 0)))
    return rows
