"""Reports on recorded runs: a single run, a trend, and the comparison of two runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from formats.schema.messages import Message
from scoring.drawing import p_text, percent
from scoring.drawing.blocks import (
    Block,
    Fact,
    Heading,
    Items,
    Lead,
    Note,
    Table,
    TrendLine,
    TrendPoint,
)
from scoring.model.errors import ScoringError, StatisticsError
from scoring.regression import messages
from scoring.regression.changes import Request, find_changes
from scoring.regression.conditions import Amount, exact, is_above
from scoring.regression.history import History, HistoryError, RecordedRun
from scoring.regression.opening import open_run
from scoring.regression.report import page_of
from scoring.regression.significance import TestName, compare_tables
from scoring.regression.unit_changes import compare_units
from scoring.regression.wordless import table_of_run
from scoring.score.table import BlockName
from scoring.stats.bootstrapping import Bootstrap, how_all
from scoring.stats.change_points import LEVEL, change_points
from scoring.stats.intervals import Resampling

RUN_HEADINGS = ("run", "recorded", "name", "tags", "utterances", "words", "errors", "rate %")
# What a narrow terminal drops.
RUN_HEADINGS_SPARE = (("utterances",), ("words",), ("errors",))
MOST_GROUPS = 20  # that have lines
MOST_NAMED = 5  # of a method of intervals
MOST_LISTED = 10  # utterances of a comparison in a file
OTHER_UTTERANCES, OTHER_REFERENCES = OTHER_WORDS = ("other utterances", "other references")
TREND_HEADINGS = (
    *("run", "recorded", "tags", "rate %", "interval"),
    *("change (points)", "change point"),
)
TREND_HEADINGS_SPARE = (("change point",), ("change (points)",))


def tags_text(run: RecordedRun) -> str:
    """Return the tags of a run as texts `NAME=VALUE`."""
    return " ".join(f"{name}={value}" for name, value in run.tags.items())


def rate_text(run: RecordedRun) -> str:
    """Return the error rate of a run in percent; `n/a` without reference words."""
    errors, tokens = run.errors_and_tokens
    return percent(errors / tokens if tokens else None)


def utterances_text(run: RecordedRun) -> str:
    """Return the number of a run's utterances; `n/a` if imported sums lack it."""
    number = run.summary["sentences"]["scored"]
    return "n/a" if number is None else f"{number:,}"


def page_of_run(run: RecordedRun) -> Iterator[Block]:
    """Yield the page of a run: a summary, its speakers, and its groups."""
    summary = run.summary
    yield Items(
        [
            f"rate: {rate_text(run)} %: {_counts_text(summary['counts'])}",
            f"recorded: {run.recorded_at}",
            f"tags: {tags_text(run) or 'none'}",
            *(
                f"{side}: {summary[side]['path']}, {summary[side]['sha256'] or 'no hash'}"
                for side in ("reference", "hypothesis")
                if summary[side]["path"] is not None
            ),
            _contents_of(run),
        ]
    )
    yield Fact("signature", str(summary["signature"]))
    for name, rows in (("speakers", summary["speakers"]), ("groups", summary.get("groups", ()))):
        names = [
            tuple(row["group"].values()) if "group" in row else (row["speaker"],) for row in rows
        ]
        # a table of nobody's utterances alone would repeat the sums
        if not any(value is not None for values in names for value in values):
            continue
        unnamed = f"(no {name[:-1]})"
        table = [
            (
                " ".join(unnamed if value is None else str(value) for value in values),
                str(row["utterance_count"]),
                str(row["errors"]),
                percent(row["error_rate"]),
            )
            for values, row in zip(names, rows, strict=True)
        ]
        yield Heading(f"By {name}"[:-1])
        yield Table((name[:-1], "utterances", "errors", "rate %"), table)


def _counts_text(counts: Mapping[str, Any]) -> str:
    text = f"{counts['errors']:,} errors in {counts['reference_count']:,} words"
    if "substitutions" not in counts:
        return f"{text} (kinds of errors were not recorded)"
    kinds = (
        f"{counts[kind]:,} {kind[:3]}" for kind in ("substitutions", "deletions", "insertions")
    )
    return f"{text} ({', '.join(kinds)})"


def _contents_of(run: RecordedRun) -> str:
    """Return a text on the recorded details of a run: alignments, or imported sums."""
    if run.has_utterances:
        return f"alignments: {'kept' if run.has_alignments else 'not kept'}"
    sums = run.summary["sums"]
    rounded = ", computed from rounded percentages" if sums["rounded"] else ""
    return f"imported: sums of {sums['source']} only{rounded}"


def series_of(runs: Sequence[RecordedRun], by: str | None) -> dict[str, list[RecordedRun]]:
    """Group runs by the value of a tag (empty if a run lacks the tag); drop runs without words."""
    series: dict[str, list[RecordedRun]] = {}
    for run in runs:
        if run.errors_and_tokens[1]:
            series.setdefault(run.tags.get(by or "", ""), []).append(run)
    return dict(sorted(series.items())) or {"": []}


def tag_of_series(runs: Sequence[RecordedRun]) -> str | None:
    """Return the tag that separates alternating runs of several test sets; None if none does.

    One line of such runs would show the differences of the sets as changes.
    """
    breaks = _breaks(runs)
    names = dict.fromkeys(name for run in runs for name in run.tags)
    series = {name: [*series_of(runs, name).values()] for name in names}
    separating = [
        name
        for name, lines in series.items()
        if 1 < len(lines) <= breaks and not any(map(_breaks, lines))
    ]
    return min(separating, key=lambda name: len(series[name]), default=None)


def _breaks(runs: Sequence[RecordedRun]) -> int:
    """Count the runs whose utterances are others than those of the run before."""
    return sum(_other_kind(*pair) in OTHER_WORDS for pair in pairwise(runs))


def series_heading(by: str, value: str) -> Heading:
    """Return the heading for the runs with one value of a tag."""
    return Heading(f"{by}={value}" if value else f"no {by}")


class TrendView(NamedTuple):
    """Additions to trend lines besides the rates: a limit, groups, and links to comparisons."""

    limit: Amount | None = None  # how much higher than the accepted run a rate may be
    groups: bool = False  # whether each group, or speaker, has a line, too
    # of what a mark leads to, with `{baseline}` and `{new}` for the numbers of runs; empty: nothing
    address: str = ""


PLAIN_VIEW = TrendView()
SAME_PAGE = "#run-{new}"


def trend_lines(
    runs: Sequence[RecordedRun], by: str | None, view: TrendView = PLAIN_VIEW
) -> Iterator[Block]:
    """Yield a trend line for each value of a tag: rates with change points, without intervals."""
    for value, members in series_of(runs, by).items():
        if len(members) < 2:
            continue
        if by:
            yield series_heading(by, value)
        kinds, changes = _change_cells(members, 0)
        points = _points(members, [run.rate for run in members], view, kinds)
        yield _latest(members, points[-1].is_above)
        yield TrendLine(points)
        yield Note(_changes_text(changes))
        yield from _group_lines(members, view)


def _latest(runs: Sequence[RecordedRun], is_above: bool) -> Lead:
    """Return the rate of the last run and its distance from the accepted run before it."""
    accepted, run = accepted_runs(runs)[-1], runs[-1]
    kind = "accepted run"
    if not accepted.is_accepted:
        kind = "first run" if accepted == runs[0] else "first run with these rules"
    if accepted.rules != run.rules:
        kind += " (of other rules)"
    change = run.rate - accepted.rate
    distance = f"{percent(abs(change))} points {'above' if change > 0 else 'below'}"
    text = (
        f"Run {run.number}: {percent(run.rate)} %, {distance if change else 'the same as'} the "
        f"{kind}, run {accepted.number}"
    )
    return Lead(f"{text}; above the limit" if is_above else text, False if is_above else None)


def accepted_runs(runs: Sequence[RecordedRun]) -> list[RecordedRun]:
    """Return for each run the last accepted run before it.

    If none was accepted, it is the first run with the same rules.
    """
    accepted, baselines = list[RecordedRun](), []
    first: dict[str, RecordedRun] = {}
    for run in runs:
        baselines.append((accepted or [first.setdefault(run.rules, run)])[-1])
        if run.is_accepted:
            accepted = [run]
    return baselines


def _points(
    runs: Sequence[RecordedRun],
    rates: Sequence[float],
    view: TrendView,
    kinds: Sequence[str] = (),
    intervals: Sequence[tuple[float, float] | None] = (),
) -> list[TrendPoint]:
    """Return the points of a trend line; each has its limit and a link to its comparison."""
    rate_of = {run.number: rate for run, rate in zip(runs, rates, strict=True)}
    points = []
    for position, (run, accepted) in enumerate(zip(runs, accepted_runs(runs), strict=True)):
        limit = None
        if view.limit is not None:
            baseline = exact(rate_of.get(accepted.number, rates[0]))
            limit = baseline + view.limit.of(baseline)
        link = view.address.replace("{baseline}", str(accepted.number))
        # the accepted run is compared with nothing
        is_alone = run == accepted and link != view.address
        points.append(
            TrendPoint(
                f"run {run.number}",
                rate_of[run.number],
                intervals[position] if intervals else None,
                kinds[position] if kinds else "",
                None if limit is None else float(limit),
                limit is not None and is_above(exact(rate_of[run.number]), limit),
                "" if is_alone else link.replace("{new}", str(run.number)),
                f"{run.name} {tags_text(run)}".rstrip(),
            )
        )
    return points


def _group_lines(runs: Sequence[RecordedRun], view: TrendView) -> Iterator[Block]:
    """Yield a trend line for each group or speaker, over the runs that contain it."""
    if not view.groups:
        return
    lines: dict[str, list[tuple[RecordedRun, float]]] = {}
    for run in runs:
        for name, rate in _group_rates(run):
            lines.setdefault(name, []).append((run, rate))
    longest = sorted(lines, key=lambda name: -len(lines[name]))[:MOST_GROUPS]
    for name in [name for name in lines if name in {*longest}]:
        if len(lines[name]) > 1:
            members, rates = zip(*lines[name], strict=True)
            yield Heading(name, 3)
            yield TrendLine(_points(members, rates, view))
    if len(lines) > MOST_GROUPS:
        yield Note(f"{len(lines) - MOST_GROUPS:,} other groups")


def _group_rates(run: RecordedRun) -> Iterator[tuple[str, float]]:
    """Yield the groups of a run with their rates, or its speakers if it has no groups."""
    groups = run.summary.get("groups", ())
    for row in groups or run.summary["speakers"]:
        values = row["group"] if groups else {"speaker": row["speaker"]}
        named = [f"{name}={value}" for name, value in values.items() if value is not None]
        if named and row["error_rate"] is not None:
            yield " ".join(named), row["error_rate"]


def _change_cells(runs: Sequence[RecordedRun], seed: int) -> tuple[list[str], int]:
    """Return, for each run, why a new level or a new series begins there (empty if none begins).

    Also return the number of changes.
    """
    kinds = [""] * len(runs)
    for position, pair in enumerate(pairwise(runs), 1):
        kinds[position] = _other_kind(*pair)
    starts = [position for position, kind in enumerate(kinds) if kind]
    changes = change_points([run.rate for run in runs], starts, seed=seed)
    for change in changes:
        kinds[change.position] = p_text(change.p_value)
    return kinds, len(changes)


class Trend(NamedTuple):
    """Runs in order, with values that are computed once for all reports."""

    runs: Sequence[RecordedRun]
    kinds: Sequence[str]  # why a level or another series begins at each run; empty where none does
    changes: int  # change points
    intervals: Sequence[Bootstrap | None]  # of the rates


def trend_of(
    history: History, runs: Sequence[RecordedRun], resampling: Resampling, block: BlockName
) -> Trend:
    """Return runs with the intervals of their rates and the change points of the rates."""
    intervals = [
        history.interval(run, resampling, block) if run.has_utterances else None for run in runs
    ]
    return Trend(runs, *_change_cells(runs, resampling.seed), intervals)


def trend_blocks(
    history: History,
    trend: Trend,
    resampling: Resampling,
    test: TestName,
    block: BlockName,
    against: RecordedRun | None = None,
    view: TrendView = PLAIN_VIEW,
) -> Iterator[Block]:
    """Yield a verdict, and the rates of runs as a line and as a table, with change points.

    The last run is tested against the run `against`, by default against the first run with the
    same rules.
    """
    runs, kinds, changes, intervals = trend
    rows: list[tuple[str, ...]] = []
    for before, run, kind, interval in zip([None, *runs], runs, kinds, intervals, strict=False):
        shown = "n/a" if interval is None else interval.bounds()
        change_text = "" if before is None else percent(run.rate - before.rate, sign="+")
        cells = (str(run.number), run.recorded_at, tags_text(run), rate_text(run))
        rows.append((*cells, shown, change_text, kind))
    marks = {}
    if len(runs) > 1:
        last = runs[-1]
        alike = next(run for run in runs if run.rules == last.rules)
        first = against or (runs[0] if alike is last else alike)
        yield Lead(_drift_text(history, first, last, resampling, test, block))
        limits = [interval and interval.limits for interval in intervals]
        points = _points(runs, [run.rate for run in runs], view, kinds, limits)
        above = [row for row, point in enumerate(points) if point.is_above]
        marks = {(row, TREND_HEADINGS.index("rate %")): False for row in above}
        yield TrendLine(points)
    yield Table(TREND_HEADINGS, rows, 3, marks, spare=TREND_HEADINGS_SPARE)
    pairs = zip(runs, intervals, strict=True)
    known = {run.number: interval for run, interval in pairs if interval is not None}
    notes = list(map(Note, _method_texts(known)))
    if len(runs) > 1:
        notes.append(Note(_changes_text(changes)))
    yield from notes
    yield from _group_lines(runs, view)


def trend_records(trend: Trend, level: float) -> Iterator[dict[str, object]]:
    """Yield the rate and the interval of each run for JSON.

    A run at which a new level begins also has the reason.
    """
    for run, kind, interval in zip(trend.runs, trend.kinds, trend.intervals, strict=True):
        yield {
            "run": run.number,
            "recorded_at": run.recorded_at,
            "name": run.name,
            "tags": run.tags,
            "signature": run.summary.get("signature", run.rules),
            "error_rate": run.rate,
            "interval": interval and interval.limits.record(level),
            "begins": kind or None,
        }


def _method_texts(intervals: Mapping[int, Bootstrap]) -> Iterator[str]:
    """Yield a text for each method of intervals; if there are several methods, with its runs."""
    methods: dict[tuple[object, ...], list[int]] = {}
    for number, interval in intervals.items():
        methods.setdefault(interval.choices, []).append(number)
    for numbers in methods.values():
        text = how_all([intervals[number] for number in numbers])
        if len(methods) > 1:
            listed = ", ".join(map(str, numbers))
            text += (
                f": run {listed}"
                if len(numbers) == 1
                else (
                    f": runs {listed}" if len(numbers) <= MOST_NAMED else f": {len(numbers):,} runs"
                )
            )
        yield text


def page_of_history(
    history: History, runs: Sequence[RecordedRun], by: str | None, view: TrendView
) -> Iterator[Block]:
    """Yield the page of a history: trends, the table of runs, and changes since accepted runs.

    In each series, the last run is compared with the accepted run. Each mark on a trend line links
    to the comparison of its run if there is a comparison, otherwise to the row of the run.
    """
    by = by or tag_of_series(runs)
    series = {value: members for value, members in series_of(runs, by).items() if len(members) > 1}
    yield from trend_lines(runs, by, view._replace(address=SAME_PAGE))
    yield Heading("Runs")
    last = {members[-1].number for members in series.values()}
    anchors = [
        "" if run.number in last else SAME_PAGE[1:].replace("{new}", str(run.number))
        for run in runs
    ]
    yield runs_table(runs)._replace(anchors=anchors)
    for value, members in series.items():
        baseline, new = accepted_runs(members)[-1], members[-1]
        if by:
            yield series_heading(by, value)
        anchor = SAME_PAGE[1:].replace("{new}", str(new.number))
        yield Heading(f"Run {new.number} against run {baseline.number}", anchor=anchor)
        try:
            yield from page_of_two(history, baseline, new, Resampling(), MOST_LISTED)
        except ScoringError as problem:
            yield Note(str(problem))


def runs_table(runs: Sequence[RecordedRun]) -> Table:
    """Return the table of runs in the order of recording."""
    return Table(RUN_HEADINGS, [run_cells(run) for run in runs], 4, spare=RUN_HEADINGS_SPARE)


def run_cells(run: RecordedRun) -> tuple[str, ...]:
    """Return the texts of a run below `RUN_HEADINGS`."""
    errors, tokens = run.errors_and_tokens
    return (
        *(str(run.number), run.recorded_at, run.name, tags_text(run)),
        *(utterances_text(run), f"{tokens:,}", f"{errors:,}", rate_text(run)),
    )


def _changes_text(changes: int) -> str:
    noun = "change point" if changes == 1 else "change points"
    return (
        f"{changes or 'no'} {noun}: one test of the whole series, which finds any in at most "
        f"{100 * LEVEL:g} % of series without a change"
    )


def _other_kind(before: RecordedRun, run: RecordedRun) -> str:
    """Return why two runs belong to different series; empty if they belong to one series."""
    if before.rules != run.rules:
        return "other rules" if before.has_utterances and run.has_utterances else "sums only"
    if utterances_text(before) != utterances_text(run):
        return OTHER_UTTERANCES
    hashes = [item.summary["reference"]["sha256"] for item in (before, run)]
    # references with alternatives have as many words as the hypothesis chose
    is_other = before.errors_and_tokens[1] != run.errors_and_tokens[1]
    return OTHER_REFERENCES if is_other and None not in hashes and len({*hashes}) > 1 else ""


def _drift_text(
    history: History,
    first: RecordedRun,
    last: RecordedRun,
    resampling: Resampling,
    test: TestName,
    block: BlockName,
) -> str:
    """Return the change between two runs with its p-value, or the reason for its absence."""
    change = f"Run {last.number} against run {first.number}"
    difference = percent(last.rate - first.rate, sign="+")
    if not (first.has_utterances and last.has_utterances):
        return f"{change}: {difference} points, no test: sums only"
    if first.rules != last.rules:
        return f"{change}: no test: other rules"
    try:
        tables = history.table(first), history.table(last)
        comparison = compare_tables(*tables, [test], block, resampling)
    except StatisticsError:
        return f"{change}: no test: other utterances"
    p_value = comparison.tests[0].p_value
    return f"{change}: {difference} points, {p_text(p_value)} by {test}"


def page_of_two(
    history: History,
    baseline: RecordedRun,
    new: RecordedRun,
    resampling: Resampling,
    most: int = 50,
) -> Iterator[Block]:
    """Yield the page of changes between two runs; it shows words if both runs have alignments.

    Runs with words are both scored by the baseline's rules. Runs without words are rejected if
    their rules differ.
    """
    if baseline.has_alignments and new.has_alignments:
        sides = open_run(history, baseline), open_run(history, new)
        if baseline.rules != new.rules:
            rules = (
                f"{new.rules} of run {new.number}. Both runs are scored by the rules of the "
                "baseline"
            )
            yield Note(f"The rules differ: {baseline.rules} of run {baseline.number}, {rules}")
        yield from page_of(find_changes(*sides, Request(resampling=resampling)), (), most)
        return
    if baseline.has_utterances and new.has_utterances:
        refuse_other_rules(history, baseline, new)
    old, changed = (table_of_run(history, run) for run in (baseline, new))
    changes = compare_units([old], [changed], Request(resampling=resampling))
    yield from page_of(changes, (), most)


def refuse_other_rules(history: History, baseline: RecordedRun, new: RecordedRun) -> None:
    """Reject runs that were scored by different rules."""
    if baseline.rules != new.rules:
        fields = {"expected": str(baseline.rules), "found": str(new.rules)}
        value = Message(messages.RUNS_BY_OTHER_RULES, fields)
        raise HistoryError(history.path, None, None, value)
