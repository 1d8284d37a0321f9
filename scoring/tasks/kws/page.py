"""The reports of a keyword search as HTML pages with the common layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from scoring.drawing.blocks import Block, Drawing, Fact, Heading, Items, Lead, Note, Sentence, Table
from scoring.drawing.markup import class_of_heading, html_lines, html_text
from scoring.tasks.kws.tables import (
    FALSE_ALARM,
    MISS,
    NA,
    VALUE,
    HeadedTable,
    formatted,
    threshold,
)

if TYPE_CHECKING:
    from scoring.tasks.kws.drawings import DrawnSet, SearchEvent
    from scoring.tasks.kws.evaluation import KeywordSearchScores
    from scoring.tasks.kws.measures import Point, SetScores
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
    """Yield the report with a name in `TITLES` as a page, which begins with the sets' values."""
    return html_lines(_blocks(report, sets), TITLES[name])


# Of the table of all keywords, and how many misses and false alarms are listed.
TEXT_COLUMNS = 2  # the first columns, with texts
COLUMNS = (
    *("keyword", "text", "value (TWV)", "references", "hits", "misses", "false alarms"),
    *("P(miss)", "P(false alarm)", "best value", "at threshold"),
)
MOST_ERRORS = 200
MOST_KEYWORDS = 10  # on the first screen of a terminal
NO_THRESHOLD = "none"


def search_page(
    scores: KeywordSearchScores, groups: Sequence[SetScores] = (), remarks: Sequence[str] = ()
) -> Iterator[str]:
    """Return a page with the values, curves, keywords and outcomes of a search."""
    name = _system_name(scores)
    title = f"Keyword search: {name}" if name else "Keyword search"
    return html_lines(_search_blocks(scores, groups, remarks), title)


def _system_name(scores: KeywordSearchScores) -> str:
    """Return the name of the system in the file of its detections; empty if it has none."""
    return scores.alignment.detections.header.system_id


def screen_blocks(
    scores: KeywordSearchScores, groups: Sequence[SetScores], *, has_page: bool = False
) -> Iterator[Block]:
    """Yield what a terminal shows first: the value, the counts, and the worst keywords."""
    from scoring.tasks.kws.record import signature

    overall = scores.overall
    chosen = overall.evaluated
    yield Lead(value_sentence(overall, _system_name(scores)))
    references, hits = (
        sum(getattr(keyword, name) for keyword in chosen) for name in ("targets", "correct")
    )
    false_alarms = sum(keyword.false_alarms for keyword in chosen)
    unspoken = len(overall.keywords) - len(chosen)
    left_out = f"; keywords without a reference, not evaluated: {unspoken:,}" * bool(unspoken)
    yield Sentence(
        f"detected: {hits:,} of {references:,} references (keywords: {len(chosen):,}); "
        f"false alarms: {false_alarms:,}{left_out}"
    )
    if groups:
        yield Heading("Groups")
        yield values_of([(group.trials.name, group) for group in groups])
    worst = sorted(chosen, key=lambda keyword: keyword.twv or 0.0)
    yield Heading("Keywords", remark="those that lose most" * (len(worst) > MOST_KEYWORDS))
    rows = [
        (
            *(score.block.identifier, score.block.text, formatted(score.twv, VALUE).strip()),
            *map(str, (score.targets, score.correct, score.misses, score.false_alarms)),
        )
        for score in worst[:MOST_KEYWORDS]
    ]
    yield Table(COLUMNS[:7], rows, TEXT_COLUMNS)
    yield Fact("signature", signature(scores.parameters))
    of_page = "" if has_page else "; as a page: --html FILE"
    yield Items([f"NIST's tables: --summary --by-keyword{of_page}"])


def _search_blocks(
    scores: KeywordSearchScores, groups: Sequence[SetScores], remarks: Sequence[str]
) -> Iterator[Block]:
    from scoring.tasks.kws.drawings import DrawnSet, events_of
    from scoring.tasks.kws.record import signature

    overall = scores.overall
    yield Lead(value_sentence(overall, _system_name(scores)))
    yield from [Items([*scores.warnings, *remarks])] if scores.warnings or remarks else []
    groups_by_name = [(group.trials.name, group) for group in groups]
    yield values_of([("all keywords", overall), *groups_by_name])
    yield Fact("signature", signature(scores.parameters))
    yield from curve_blocks([DrawnSet("", overall, scores.curve())])
    yield Heading("Keywords", remark="The lowest values come first" * (len(overall.keywords) > 1))
    if overall.keywords:
        yield Drawing([*_keyword_table(overall)])
        if any(score.evaluated and (score.twv or 0.0) < -1 for score in overall.keywords):
            yield Note("A bar with a point stands for a value below -1.")
    else:
        yield Note("The list has no keyword.")
    yield from _outcomes(scores, events_of(scores))


def curve_blocks(sets: Sequence[DrawnSet]) -> Iterator[Block]:
    """Yield the DET curves of sets of keywords, and their values by threshold."""
    from scoring.tasks.kws.drawings import det_elements, value_elements

    drawn = [row for row in sets if not _is_nan(row.curve.p_fa[0] + row.curve.p_miss[0])]
    yield Heading("Misses and false alarms (DET curve)")
    if drawn:
        yield Drawing([*det_elements(drawn)])
        yield Note(
            "The axes are normal deviates. Probabilities beyond an axis, such as 0, are at its "
            "edge."
        )
    else:
        yield Note("There is no curve, because no keyword has a reference.")
    drawn = [row for row in drawn if not _is_nan(row.curve.thresholds[0])]
    yield Heading("Value by threshold")
    if drawn:
        yield Drawing([*value_elements(drawn)])
        yield Note(
            "A threshold accepts scores at or above it. Values below -1 are at the lower edge."
        )
    else:
        yield Note("There is no threshold, because no keyword with a reference has a detection.")


def _is_nan(number: float) -> bool:
    return number != number


def _threshold_text(point: Point) -> str:
    """Return the threshold of a point as text; `none` if nothing is detected."""
    return threshold(point.threshold).strip().replace("NaN", NO_THRESHOLD)


def values_of(sets: Sequence[tuple[str, SetScores]], first: str = "group") -> Table:
    """Return the values of named sets of keywords, one row per set."""
    headings = (
        *(first, "ATWV", "threshold", "MTWV", "at threshold", "OTWV", "STWV"),
        *("keywords", "references", "hits", "misses", "false alarms"),
    )
    rows = []
    for name, scores in sets:
        chosen = scores.evaluated
        counted = ("targets", "correct", "misses", "false_alarms")
        counts = [sum(getattr(keyword, kind) for keyword in chosen) for kind in counted]
        points = [formatted(p.twv, VALUE) for p in (scores.optimum, scores.supremum)]
        row = [name]
        for point in (scores.actual, scores.maximum):
            row += [formatted(point.twv, VALUE), _threshold_text(point)]
        rows.append([*row, *points, f"{len(chosen):,}", *(f"{count:,}" for count in counts)])
    return Table(headings, rows)


def _keyword_table(scores: SetScores) -> Iterator[str]:
    """Yield the table of keywords, which the page's script can sort by column."""
    from scoring.tasks.kws.drawings import value_bar

    yield '<div class="wide" tabindex="0" role="group" aria-label="Keywords">'
    yield '<table class="numbers sortable"><thead><tr>'
    for number, name in enumerate(COLUMNS):
        kind = "text" if number < TEXT_COLUMNS else ""
        yield f'<th scope="col"{class_of_heading(name, kind)}>{name}</th>'
    yield "</tr></thead><tbody>"
    for score in sorted(scores.keywords, key=lambda row: (not row.evaluated, row.twv or 0.0)):
        best = score.optimum
        cells = [
            *(score.block.identifier, score.block.text),
            formatted(score.twv if score.evaluated else None, VALUE),
            *map(str, (score.targets, score.correct, score.misses, score.false_alarms)),
            *(formatted(score.p_miss, MISS).strip(), formatted(score.p_fa, FALSE_ALARM)),
            *(formatted(best.twv, VALUE), _threshold_text(best)),
        ]
        row = [
            f"<td{_text_class(column)}>{html_text(cell)}</td>" for column, cell in enumerate(cells)
        ]
        if score.evaluated:
            row[2] = f"<td>{value_bar(score.twv)}{cells[2]}</td>"
        yield f"<tr>{''.join(row)}</tr>"
    yield "</tbody></table></div>"


def _text_class(column: int) -> str:
    return ' class="text" dir="auto"' if column < TEXT_COLUMNS else ""


def _outcomes(scores: KeywordSearchScores, events: Sequence[SearchEvent]) -> Iterator[Block]:
    """Yield the timeline, and the misses and false alarms as a table."""
    from scoring.tasks.kws import drawings

    yield Heading("Hits, misses and false alarms over time")
    if not events:
        yield Note("There is neither a scored detection nor a reference.")
        return
    yield Drawing([*drawings.timeline_elements(scores, events)])
    note = "The higher a mark, the higher its score; a miss without a detection is at the bottom."
    lanes = len({event.place for event in events})
    if lanes > drawings.MOST_LANES or len(events) > drawings.MOST_MARKS:
        note += (
            f" At most {drawings.MOST_LANES} of {lanes:,} recordings and {drawings.MOST_MARKS:,} "
            f"of {len(events):,} marks are drawn; --alignment lists all of them."
        )
    yield Note(note)
    wrong = (drawings.FALSE_ALARM, drawings.MISS, drawings.REJECTED)
    errors = [event for event in events if event.outcome in wrong]
    errors.sort(key=lambda event: (wrong.index(event.outcome), -(event.score or 0.0)))
    shown = f", the first {MOST_ERRORS} of {len(errors):,}" * (len(errors) > MOST_ERRORS)
    if not errors:
        return
    yield Heading(f"Misses and false alarms as a table{shown}", wrong=False)
    names, keywords = list(scores.alignment.audio.places), scores.alignment.keywords
    rows = [
        [
            *(event.outcome, keywords[event.keyword].identifier, keywords[event.keyword].text),
            *names[event.place],
            *(event.begin_text, event.score_text),
        ]
        for event in errors[:MOST_ERRORS]
    ]
    headings = ("error", "keyword", "text", "file", "channel", "begin (s)", "score")
    yield Table(headings, rows, text_columns=5)


def _blocks(report: KeywordReport, sets: Sequence[SetScores]) -> Iterator[Block]:
    for scores in sets:
        yield Lead(value_sentence(scores, scores.trials.name if len(sets) > 1 else ""))
    yield from _sections(report.table)
    yield Heading("Parameters")
    _, *rows = report.header.records()
    shown = [
        [NAMES.get(name or "", name or ""), value or ""] for name, value in rows if value != NA
    ]
    yield Table(["parameter", "value"], shown)


def value_sentence(scores: SetScores, name: str = "") -> str:
    """Return a sentence with the actual value of a set, and its value at the best threshold."""
    subject = f"{name}: the" if name else "The"
    actual, best = scores.actual.twv, scores.maximum
    if actual is None:
        return f"{subject} value is undefined, because no keyword has a target"
    text = f"{subject} term-weighted value is {formatted(actual, VALUE)} (ATWV)"
    if best.twv is None:
        return text
    at = _threshold_text(best)
    where = "at no threshold" if at == NO_THRESHOLD else f"at the best threshold, {at}"
    return f"{text}; it would be {formatted(best.twv, VALUE)} {where} (MTWV)"


def _sections(table: HeadedTable) -> Iterator[Block]:
    """Yield a table for each group of columns; each row begins with its names."""
    names, *rows = table.records()
    paths = [(name or "").rpartition("|")[::2] for name in names]
    texts = [column for column, (_, label) in enumerate(paths) if label in TEXTS]
    first = 1 if table.labelled else 0
    heads = [*["keyword"] * first, *(paths[column][1].lower() for column in texts)]
    for group in dict.fromkeys(group for group, _ in paths[first:]):
        columns = [
            column
            for column in range(first, len(paths))
            if paths[column][0] == group and column not in texts
        ]
        if not columns:
            continue
        yield Heading(SECTIONS.get(group, group))
        body = [
            [
                *(_row_name(row) for _ in range(first)),
                *((row[column] or "").strip() for column in (*texts, *columns)),
            ]
            for row in rows
            if any(row[column] for column in columns)
        ]
        labels = [NAMES.get(paths[column][1], paths[column][1]) for column in columns]
        yield Table([*heads, *labels], body, text_columns=len(heads))


def _row_name(row: Sequence[str | None]) -> str:
    """Return the name of a row, without the words `Keyword` and `Summary` before it."""
    return (row[0] or "").removeprefix("Keyword|").replace("Summary|", "")
