"""The summaries of a keyword search: one over all keywords, and one by keyword."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import NamedTuple

import numpy as np

from formats.console import shown
from scoring.tasks.kws.alignment import LABELS
from scoring.tasks.kws.det import rows_of_numbers
from scoring.tasks.kws.evaluation import KeywordSearchScores
from scoring.tasks.kws.measures import KeywordScore, Point, SetScores
from scoring.tasks.kws.parameters import F4DE
from scoring.tasks.kws.tables import (
    FALSE_ALARM,
    MISS,
    NA,
    PRECISION,
    VALUE,
    HeadedTable,
    Path,
    count_mean,
    formatted,
    plain,
    threshold,
)

TITLE = "Performance Summary Over and Ensemble of Subsets"
ALIGNMENT_HEADER = (
    "language,file,channel,termid,term,ref_bt,ref_et,sys_bt,sys_et,sys_score,sys_decision,alignment"
)
MEASURES = ("Optimum", "Supremum", "MAP", "MAPpct")
LINES_TOGETHER = 1 << 14
"""Lines of the alignment whose fields are in memory together."""


class TableLayout(NamedTuple):
    """The settings that decide what tables show."""

    measures: tuple[str, ...] = ()  # further ones, out of `MEASURES`
    counts: bool = True  # whether counts are shown in the summary
    totals: bool = False  # whether the summary ends in statistics of its columns
    typed: Mapping[str, str] = {}  # parameters whose texts are given, by their names
    texts: bool = True  # whether the texts of keywords are shown


class KeywordReport(NamedTuple):
    """A table with its heading lines."""

    header: HeadedTable
    table: HeadedTable

    def lines(self, kind: str, *, has_header: bool = True) -> Iterator[str]:
        """Yield the report as ``TXT``, ``CSV`` (the table alone) or ``HTML``.

        Without `has_header`, the text is the table alone.
        """
        if kind == "CSV":
            yield from self.table.csv_lines()
        elif kind == "HTML":
            yield "<html><head><meta charset='utf-8'></head><body>"
            yield from self.header.html_lines()
            yield "<br>"
            yield from self.table.html_lines()
            yield "</body></html>"
        else:
            if has_header:
                yield from self.header.text_lines()
                yield ""
                yield ""
            yield from self.table.text_lines()


def _trial_parameters(scores: SetScores) -> dict[str, str]:
    trials = scores.trials
    values = {"IncludeBlocksWithNoTargets": f"{int(trials.parameters.with_untargeted)}"}
    if trials.duration is not None:
        values["TotDur"] = plain(trials.duration)
    values["TotTrials"] = f"{trials.trials}"
    if trials.duration is not None:
        values["TrialsPerSecond"] = plain(trials.parameters.trials_per_second)
    return values


def _header(sets: Sequence[SetScores], layout: TableLayout) -> tuple[HeadedTable, tuple[str, ...]]:
    """Return the parameters that all sets share, and the names of parameters that differ."""
    parameters = sets[0].trials.parameters
    all_of_them = [_trial_parameters(scores) for scores in sets]
    differing = tuple(
        name
        for name in all_of_them[0]
        if len({parameters_of.get(name) for parameters_of in all_of_them}) > 1
    )
    cost = "0.1000" if parameters.cost == 0.1 else plain(parameters.cost)
    values = {
        "System Title": "NA",
        "Decision ID": "Segment" if parameters.segments else "Occurrence",
        **{name: text for name, text in all_of_them[0].items() if name not in differing},
        "BETA": plain(parameters.beta),
        "Cost": cost,
        "Ptarg": plain(parameters.prior),
        "Value": plain(parameters.value),
    }
    table = HeadedTable()
    for key, value in values.items():
        table.add({(TITLE, "Key"): key, (TITLE, "Value"): layout.typed.get(key, value)})
    return table, differing


def summary_report(sets: Sequence[SetScores], layout: TableLayout | None = None) -> KeywordReport:
    """Return the report with a row per set of keywords."""
    layout = layout or TableLayout()
    header, differing = _header(sets, layout)
    table = HeadedTable()
    for scores in sets:
        row: dict[Path, str] = {(" ", "Title"): scores.trials.name}
        parameters = _trial_parameters(scores)
        row.update({("Parameters", name): parameters[name] for name in differing})
        row.update(_summary_cells(scores, layout))
        table.add(row)
    if layout.totals:
        rules = sets[0].trials.parameters.rules
        _add_statistics(table, of_everything=rules.statistics_of_everything)
    return KeywordReport(header, table)


def _summary_cells(scores: SetScores, layout: TableLayout) -> dict[Path, str]:
    chosen = scores.evaluated
    cells: dict[Path, str] = {}
    actual = "Actual Decision TWV Analysis"
    if layout.counts:
        if len(chosen) > 1:
            cells["Inputs", "#Keyword"] = f"{len(chosen)}"
        cells["Inputs", "#Targ"] = _total(chosen, "targets")
        others = sum(s.false_alarms + s.correct_rejections for s in chosen)
        cells["Inputs", "#NTarg"] = f"{others}"
        cells["Inputs", "#Sys"] = _total(chosen, "detections")
        cells[actual, "#CorDet"] = _total(chosen, "correct")
        cells[actual, "#Cor!Det"] = _total(chosen, "correct_rejections")
        cells[actual, "#FA"] = _total(chosen, "false_alarms")
        cells[actual, "#Miss"] = _total(chosen, "misses")
    cells.update(_point_cells(actual, scores.actual))
    del cells[actual, "Dec. Thresh"]
    # F4DE's spelling
    title = "Dec. Tresh" if scores.trials.parameters.rules == F4DE else "Dec. Thresh"
    cells[actual, title] = formatted(scores.actual.threshold, VALUE)
    cells.update(_point_cells("Maximum TWV Analysis", scores.maximum))
    cells.update(_further_cells(layout, scores, " Analysis"))
    cells.update(_global_cells(layout, scores.mean_average_precision, "MAP", "MAP%"))
    return cells


def _total(scores: Sequence[KeywordScore], name: str) -> str:
    return f"{sum(getattr(score, name) for score in scores)}"


def _point_cells(heading: str, point: Point) -> dict[Path, str]:
    return {
        (heading, "PFA"): formatted(point.p_fa, FALSE_ALARM),
        (heading, "PMiss"): formatted(point.p_miss, MISS),
        (heading, "TWV"): formatted(point.twv, VALUE),
        (heading, "Dec. Thresh"): threshold(point.threshold),
    }


def _global_cells(
    layout: TableLayout, value: float | None, name: str, percent: str
) -> dict[Path, str]:
    cells: dict[Path, str] = {}
    for measure in layout.measures:
        if measure == "MAP":
            cells["Global Measures", name] = formatted(value, PRECISION)
        elif measure == "MAPpct":
            cells["Global Measures", percent] = formatted(
                None if value is None else 100 * value, ".1f"
            )
    return cells


def _add_statistics(table: HeadedTable, *, of_everything: bool) -> None:
    """Add rows with statistics of the printed values, for columns with numbers.

    With `of_everything`, the rows are those of the original: see
    `SearchRules.statistics_of_everything`.
    """
    from statistics import fmean, stdev

    columns: dict[Path, list[str]] = {}
    for _, row in table.rows:
        for path, text in row.items():
            columns.setdefault(path, []).append(text)
    statistics: dict[str, dict[Path, str]] = {
        name: {(" ", "Title"): name} for name in ("Count", "Mean", "StdDev", "-2SE", "+2SE")
    }
    for path, texts in columns.items():
        if path[1] == "Title":
            continue
        values = _numbers(texts, of_everything=of_everything)
        if not values:
            continue
        decimals = max(len(text.strip().partition(".")[2]) for text in texts)
        mean = fmean(values)
        # not a number leaves nothing to spread about
        has_spread = len(values) > 1 and not isnan(mean)
        spread = stdev(values) if has_spread else None
        if of_everything:
            decimals, spread = max(decimals, 1), spread or 0.0
        statistics["Count"][path] = f"{len(values)}"
        statistics["Mean"][path] = _fixed(mean, decimals)
        for name, value in (
            ("StdDev", spread),
            ("-2SE", None if spread is None else mean - 2 * spread),
            ("+2SE", None if spread is None else mean + 2 * spread),
        ):
            statistics[name][path] = NA if value is None else _fixed(value, decimals)
    for cells in statistics.values():
        table.add_totals(cells)


def _fixed(value: float, decimals: int) -> str:
    return "NaN" if isnan(value) else f"{value:.{decimals}f}"


def _numbers(texts: Sequence[str], *, of_everything: bool) -> list[float]:
    if of_everything:
        return [0.0 if text == NA else float(text) for text in texts]
    return [float(text) for text in texts if text not in (NA, "NaN")]


def keyword_report(sets: Sequence[SetScores], layout: TableLayout | None = None) -> KeywordReport:
    """Return the report with a row per keyword, then totals and means.

    Each set of keywords is a group of columns.
    """
    layout = layout or TableLayout()
    header, _ = _header(sets, layout)
    table = HeadedTable(labelled=True)
    pooled = sets[0].trials.blocks and sets[0].trials.blocks[0].keyword < 0
    has_texts = layout.texts and not pooled
    if has_texts:
        table.name_columns([("MetaData", "Text")])
    as_filled = sets[0].trials.parameters.rules.columns_as_filled
    filled = [scores for scores in sets if scores.evaluated] if as_filled else list(sets)
    for scores in filled[:1] if as_filled else filled:
        table.name_columns(_set_columns(scores))
    if filled:
        table.name_columns(list(_further_cells(layout, filled[0])))
        table.name_columns(list(_global_cells(layout, None, "AP", "AP%")))
    for scores in filled[1:]:
        table.name_columns(_set_columns(scores))
    for scores in sets if as_filled else ():
        # of a set without evaluated keyword: as the summary below fills them
        *counts, twv, p_fa, p_miss = _set_columns(scores)
        table.name_columns([*reversed(counts), p_fa, p_miss, twv])
    for number, scores in enumerate(sets):
        for score in sorted(scores.keywords, key=lambda s: s.block.identifier):
            cells: dict[Path, str] = {("MetaData", "Text"): score.block.text} if has_texts else {}
            if score.evaluated:
                cells.update(_keyword_cells(scores, score))
                if number == 0 or as_filled:
                    # what another set has filled stays
                    cells.update(_further_cells(layout, score))
                    cells.update(_global_cells(layout, score.average_precision, "AP", "AP%"))
            if cells or layout.texts:
                table.merge(cells, ("Keyword", score.block.identifier))
    for number, scores in enumerate(sets):
        _add_summary(table, scores, layout, is_first=number == 0)
    return KeywordReport(header, table)


def _set_columns(scores: SetScores) -> list[Path]:
    rejections = ("#Corr!Det",) if scores.trials.parameters.segments else ()
    names = ("#Targ", "#Corr", *rejections, "#FA", "#Miss", "TWV", "PFA", "PMISS")
    return [(scores.trials.name, name) for name in names]


def _count_columns(scores: SetScores) -> dict[str, str]:
    columns = {"#Targ": "targets", "#Corr": "correct"}
    if scores.trials.parameters.segments:
        columns["#Corr!Det"] = "correct_rejections"
    return {**columns, "#FA": "false_alarms", "#Miss": "misses"}


def _keyword_cells(scores: SetScores, score: KeywordScore) -> dict[Path, str]:
    name = scores.trials.name
    cells = {
        (name, label): f"{getattr(score, attribute)}"
        for label, attribute in _count_columns(scores).items()
    }
    cells[name, "TWV"] = formatted(score.twv, VALUE)
    cells[name, "PFA"] = formatted(score.p_fa, FALSE_ALARM)
    if score.p_fa is None and scores.trials.parameters.rules.undefined_false_alarms_print_zero:
        cells[name, "PFA"] = "0"
    cells[name, "PMISS"] = formatted(score.p_miss, MISS)
    return cells


def _further_cells(
    layout: TableLayout, scores: KeywordScore | SetScores, ending: str = ""
) -> dict[Path, str]:
    """Return the cells of optimum and supremum, if they are requested."""
    cells: dict[Path, str] = {}
    for name in ("Optimum", "Supremum"):
        if name in layout.measures:
            cells.update(_point_cells(f"{name} TWV{ending}", getattr(scores, name.lower())))
    return cells


def _add_summary(
    table: HeadedTable, scores: SetScores, layout: TableLayout, *, is_first: bool
) -> None:
    name, chosen = scores.trials.name, scores.evaluated
    totals: dict[Path, str] = {}
    means: dict[Path, str] = {}
    for label, attribute in _count_columns(scores).items():
        total = sum(getattr(score, attribute) for score in chosen)
        totals[name, label] = f"{total}"
        means[name, label] = count_mean(total, len(chosen))
    means[name, "PFA"] = formatted(scores.actual.p_fa, FALSE_ALARM)
    means[name, "PMISS"] = formatted(scores.actual.p_miss, MISS)
    if is_first:
        further = _further_cells(layout, scores)
        means.update({path: text for path, text in further.items() if path[1] != "Dec. Thresh"})
        means.update(_global_cells(layout, scores.mean_average_precision, "AP", "AP%"))
    table.merge(totals, ("Summary", "Totals"))
    table.merge(means, ("Summary", "Means"))
    table.merge({(name, "TWV"): formatted(scores.actual.twv, VALUE)}, ("Summary", "TWV"))


def alignment_lines(scores: KeywordSearchScores) -> Iterator[str]:
    """Yield every scored reference and detection with its outcome.

    Fields are not quoted; control characters in names are escaped, so that a line is a record.
    """
    alignment = scores.alignment
    table, columns = alignment.detections, alignment.detections.columns()
    places = [shown(f"{file},{channel}") for file, channel in alignment.audio.places]
    heads = [shown(f"{k.identifier},{k.text}") for k in alignment.keywords]
    language = shown(scores.language)
    spoken = [f"{each.begin_text},{each.end_text}" for each in alignment.references]
    spoken.append(",")
    # the last item, at -1, is for no reference or no detection
    ends = np.append(columns.begins + columns.durations, 0.0)
    decisions = np.append(columns.decisions, False)
    lines = alignment.table()
    spoken_places = np.array([*(each.place for each in alignment.references), -1])
    detected_places = np.append(columns.places, -1)
    where = np.maximum(spoken_places[lines.references], detected_places[lines.rows])
    chosen = np.flatnonzero(np.isin(lines.keywords, scores.keywords))
    yield ALIGNMENT_HEADER
    for low in range(0, len(chosen), LINES_TOGETHER):
        part = chosen[low : low + LINES_TOGETHER]
        rows = lines.rows[part]
        fields = (*(column[part] for column in (where, *lines)), decisions[rows])
        end_texts = rows_of_numbers([ends[rows]]).split("\n")
        for place, keyword, reference, row, label, is_yes, end in zip(
            *(field.tolist() for field in fields), end_texts, strict=True
        ):
            detected = ",,,"
            if row >= 0:
                begin, score = table.written(row)
                detected = f"{begin},{end},{score},{'YES' if is_yes else 'NO'}"
            yield (
                f"{language},{places[place]},{heads[keyword]},{spoken[reference]},{detected},"
                f"{LABELS[label]}"
            )
