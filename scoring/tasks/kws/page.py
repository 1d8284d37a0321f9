"""The reports of a keyword search as HTML pages with the common layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from scoring.drawing.blocks import Block, Heading, Lead, Table
from scoring.drawing.markup import html_lines
from scoring.tasks.kws.tables import NA, VALUE, HeadedTable, formatted, threshold

if TYPE_CHECKING:
    from scoring.tasks.kws.measures import SetScores
    from scoring.tasks.kws.reports import KeywordReport

# What the reports for terminals shorten, with units.
NAMES = {
    "#Keyword": "keywords",
    "#Targ": "targets",
    "#NTarg": "other trials",
    "#Sys": "detections",
    "#CorDet": "correct",
    "#Corr": "correct",
    "#Cor!Det": "correct rejections",
    "#Corr!Det": "correct rejections",
    "#FA": "false alarms",
    "#Miss": "misses",
    "PFA": "P(false alarm)",
    "PMiss": "P(miss)",
    "PMISS": "P(miss)",
    "TWV": "value (TWV)",
    "Dec. Tresh": "threshold (score)",
    "Dec. Thresh": "threshold (score)",
    "AP%": "AP (%)",
    "MAP%": "MAP (%)",
    "Decision ID": "scored by",
    "IncludeBlocksWithNoTargets": "keywords without targets (1: included)",
    "TotDur": "duration (s)",
    "TotTrials": "trials",
    "TrialsPerSecond": "trials per second",
    "BETA": "weight of false alarms (β)",
    "Cost": "cost of a false alarm",
    "Ptarg": "probability of a keyword per trial",
    "Value": "value of a correct detection",
}
TEXTS = ("Title", "Text")
TITLES = {
    "sum": "Keyword search",
    "bsum": "Keyword search by keyword",
    "cond.sum": "Keyword search by group",
    "cond.bsum": "Keyword search by group and keyword",
}
SECTIONS = {
    "Actual Decision TWV Analysis": "At the decisions of the system",
    "Maximum TWV Analysis": "At the best threshold for all keywords (maximum)",
    "Optimum TWV Analysis": "At the best threshold of each keyword (optimum)",
    "Optimum TWV": "At the best threshold of each keyword (optimum)",
    "Supremum TWV Analysis": "Without false alarms (supremum)",
    "Supremum TWV": "Without false alarms (supremum)",
    "Global Measures": "Average precision",
}


def page_lines(report: KeywordReport, sets: Sequence[SetScores], name: str) -> Iterator[str]:
    """Return a report by its name in `TITLES`, as a page that begins with the value of each set."""
    return html_lines(_blocks(report, sets), TITLES[name])


def _blocks(report: KeywordReport, sets: Sequence[SetScores]) -> Iterator[Block]:
    for scores in sets:
        yield Lead(_sentence(scores, is_named=len(sets) > 1))
    yield from _sections(report.table)
    yield Heading("Parameters")
    _, *rows = report.header.records()
    shown = [
        [NAMES.get(name or "", name or ""), value or ""] for name, value in rows if value != NA
    ]
    yield Table(["parameter", "value"], shown)


def _sentence(scores: SetScores, *, is_named: bool) -> str:
    """Return the value of a set, and that at the best threshold."""
    name = f"{scores.trials.name}: the" if is_named else "The"
    actual, best = scores.actual.twv, scores.maximum
    if actual is None:
        return f"{name} value is undefined, because no keyword has a target"
    text = f"{name} term-weighted value is {formatted(actual, VALUE)} (ATWV)"
    if best.twv is None:
        return text
    at = threshold(best.threshold).strip()
    where = "at no threshold" if at == "NaN" else f"at the best threshold, {at}"
    return f"{text}; it would be {formatted(best.twv, VALUE)} {where} (MTWV)"


def _sections(table: HeadedTable) -> Iterator[Block]:
    """Yield a table for each group of columns, whose rows begin with their names."""
    names, *rows = table.records()
    paths = [(name or "").rpartition("|")[::2] for name in names]
    texts = [at for at, (_, label) in enumerate(paths) if label in TEXTS]
    first = 1 if table.labelled else 0
    heads = [*["keyword"] * first, *(paths[at][1].lower() for at in texts)]
    for group in dict.fromkeys(group for group, _ in paths[first:]):
        columns = [
            at for at in range(first, len(paths)) if paths[at][0] == group and at not in texts
        ]
        if not columns:
            continue
        yield Heading(SECTIONS.get(group, group))
        body = [
            [
                *(_row_name(row) for _ in range(first)),
                *((row[at] or "").strip() for at in (*texts, *columns)),
            ]
            for row in rows
            if any(row[at] for at in columns)
        ]
        labels = [NAMES.get(paths[at][1], paths[at][1]) for at in columns]
        yield Table([*heads, *labels], body, text_columns=len(heads))


def _row_name(row: Sequence[str | None]) -> str:
    """Return the name of a labelled row without the kind that all keywords share."""
    return (row[0] or "").removeprefix("Keyword|").replace("Summary|", "")
