"""The report of a comparison, as blocks of a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from scoring.drawing import fixed, p_text, percent, points, probability
from scoring.drawing.blocks import (
    Block,
    ChangePlot,
    ChangePoint,
    Heading,
    Items,
    Lead,
    Note,
    Rows,
    Table,
    Versions,
)
from scoring.model.counts import NO_REFERENCE, Alignment, Edit
from scoring.pages import listed
from scoring.regression.contributions import Contribution
from scoring.regression.equivalence import power_text
from scoring.regression.evidence import inventory_lines, states_of
from scoring.regression.exports import summary_of
from scoring.regression.lead import LEVEL, lead_of
from scoring.regression.paired_runs import Change
from scoring.regression.task_figures import WORDS, Task
from scoring.regression.unit_changes import Changes, NumberChange, UnitChange
from scoring.regression.units import KINDS, UnitSums, UnitTable, rows_of_counts
from scoring.regression.verdict import LOST, Finding, Findings, lost_text
from scoring.results.groups import SPEAKER
from scoring.results.measured import Figure
from scoring.stats.deciding import is_significant

if TYPE_CHECKING:
    from scoring.regression.unit_groups import GroupChange
    from scoring.stats.bootstrapping import Bootstrap
    from scoring.stats.spread import SpreadTest

MOST_ROWS = 10  # of speakers and groups in a table
NOTHING = "***"  # no words, as in alignments
CAUSES = "Where the change comes from"
EXAMPLE = "example: reference | baseline → new"


def page_of(changes: Changes, findings: Sequence[Finding], most: int = 10) -> Iterator[Block]:
    """Yield the page of a comparison: verdict, plot, worse utterances, and all other tables."""
    yield verdict_of(changes, findings)
    yield from conditions_of(changes, findings)
    yield from plot_of(changes)
    yield from contributions_of(changes)
    yield from overall_of(changes)
    yield from utterances_of("Worse", changes.worse, changes, most)
    yield from measures_of(changes)
    yield from runs_of(changes)
    if changes.speakers and not any(group.column == SPEAKER for group in changes.groups):
        yield from _speakers(changes)
    yield from groups_of(changes)
    yield from utterances_of("Better", changes.better, changes, most)
    yield from recorded_of((changes.baseline, changes.new))


def verdict_of(changes: Changes, findings: Sequence[Finding] = ()) -> Lead:
    """Return the verdict of a comparison as a sentence; it fails if a condition fails."""
    figure, summary = changes.numbers[0].figure, summary_of(changes)
    reason = str(changes.comparison.reason or "")
    return lead_of(
        summary,
        reason if len(changes.units) else "",
        level=_level(changes),
        figure=figure,
        power=power_text(summary["least_shown"], len(changes.units), changes.noun, figure),
        is_failed=any(finding.failed for finding in findings),
    )


def conditions_of(changes: Changes, findings: Sequence[Finding]) -> Iterator[Block]:
    """Yield the conditions of a gate, and the hypotheses that the new version lost."""
    yield from Findings(findings).blocks()
    if (text := lost_text(changes)) and all(finding.name != LOST for finding in findings):
        yield Items([text], good=False)


def _level(changes: Changes) -> float:
    """Return the level of the change's interval."""
    difference = changes.numbers[0].difference
    return LEVEL if difference is None else difference.level


def plot_of(changes: Changes, most: int = MOST_ROWS) -> Iterator[Block]:
    """Yield a plot of the change, and of at most `most` groups per column, with intervals."""
    main = changes.numbers[0]
    if main.figure.form != "percent" or (main.difference is None and not changes.groups):
        return
    shown = [("all", main.change, main.difference)]
    groups = [group for _, every in _ranked_groups(changes) for group in every[:most]]
    shown += [(group.title, group.change.rate, group.difference) for group in groups]
    points = [
        ChangePoint(
            title,
            change,
            difference and difference.limits,
            difference.flag if difference else "",
        )
        for title, change, difference in shown
    ]
    is_higher_better = main.figure.better == "higher"
    better = "positive" if is_higher_better else "negative"
    title = f"change of the {main.figure.title} in percentage points ({better}: better)"
    yield ChangePlot(points, title, is_higher_better)
    if more := len(changes.groups) - len(groups):
        yield Items([_others_text(more)])


def contributions_of(
    changes: Changes, most: int | None = None, *, examples: bool = True
) -> Iterator[Block]:
    """Yield the parts of the change, largest first, each with an example if requested."""
    parts, task = changes.contributions[:most], changes.baseline.layout.task
    if not parts:
        return
    has_examples = examples and any(part.example is not None for part in parts)
    rows = []
    for part in parts:
        name = part.name
        if part.size_share is not None:
            name += f" ({percent(part.size_share, 0)} % of the {task.counted})"
        amount = _moved_amount(task, part.more, changes.total.runs)
        example = [_example_text(part)] * has_examples
        rows.append((name, *example, amount, percent(part.share, 0)))
    yield Heading(CAUSES)
    headings = ("part", *[EXAMPLE] * has_examples, task.wrong_title, "share %")
    yield Table(headings, rows, 1 + has_examples, is_prose=has_examples)


def _example_text(part: Contribution) -> str:
    """Return an example: the utterance, its reference, and the words of both sides."""
    if part.example is None:
        return ""
    utterance, reference, *heard = part.example
    texts = [NOTHING if text == "" else text for text in heard if text is not None]
    return f"{utterance}: {reference or NOTHING} | {' → '.join(texts)}"


def _is_better(figure: Figure, change: float | None) -> bool:
    """Return True if a change is an improvement."""
    return (change or 0.0) > 0 if figure.better == "higher" else (change or 0.0) < 0


def _speakers(changes: Changes) -> Iterator[Block]:
    task, figure = changes.baseline.layout.task, changes.numbers[0].figure
    headings = ("speaker", task.counted, *_headings(figure), task.wrong_title)
    speakers = _by_contribution(changes.speakers, changes.total)
    rows = [
        (
            speaker.name,
            size_text(speaker.baseline, speaker.runs[0]),
            *_values(speaker, figure),
            _moved_amount(task, speaker.more, speaker.runs),
        )
        for speaker in speakers[:MOST_ROWS]
    ]
    marks = {
        (row, 4): speaker.more < 0
        for row, speaker in enumerate(speakers[:MOST_ROWS])
        if speaker.more
    }
    yield from (Heading("By speaker"), Table(headings, rows, marks=marks))
    yield from _others(len(speakers))


def _by_contribution(parts: Sequence[Change], total: Change) -> list[Change]:
    """Return the parts sorted by their share of the change, largest first."""
    sign = -1 if total.more < 0 else 1
    return sorted(parts, key=lambda part: -sign * part.more)


def _others(number: int) -> Iterator[Block]:
    """Yield a line with the number of rows that the table does not show."""
    if number > MOST_ROWS:
        yield Items([_others_text(number - MOST_ROWS)])


def _others_text(number: int) -> str:
    return f"… and {number} other{'s' * (number > 1)}"


def _ranked_groups(changes: Changes) -> Iterator[tuple[str, list[GroupChange]]]:
    """Yield the groups of each column, those with the largest share of the change first."""
    for column in dict.fromkeys(group.column for group in changes.groups):
        every = [group for group in changes.groups if group.column == column]
        order = _by_contribution([group.change for group in every], changes.total)
        places = {change.name: place for place, change in enumerate(order)}
        yield column, sorted(every, key=lambda group: places[group.change.name])


def _headings(figure: Figure) -> tuple[str, str, str]:
    """Return the headings of both sides and the change of the main number."""
    if figure.form == "percent":
        return "baseline %", "new %", "change (pt)"
    return "baseline", "new", "change"


def size_text(sums: UnitSums, runs: int = 1) -> str:
    """Return the size of the reference per run as text: a number of words, seconds or keywords."""
    return f"{sums.size / runs:,.10g}"


def _amount(number: float, *, signed: bool = False, runs: tuple[int, int] = (1, 1)) -> str:
    """Return an amount of errors (a count, seconds or losses) as text."""
    sign = "+" if signed else ""
    return fixed(number, 1, sign) if runs != (1, 1) else f"{number + 0.0:{sign}.6g}"


def _moved_amount(task: Task, more: float, runs: tuple[int, int] = (1, 1)) -> str:
    """Return how much more is wrong, or how much higher the value is."""
    return f"{-more + 0.0:+.4f}" if task.is_value else _amount(more, signed=True, runs=runs)


def groups_of(changes: Changes) -> Iterator[Block]:
    """Yield a table of the groups of each column, with the interval of each change."""
    task, figure = changes.baseline.layout.task, changes.numbers[0].figure
    for column, every in _ranked_groups(changes):
        groups = every[:MOST_ROWS]
        rows = [
            (
                group.change.name,
                size_text(group.change.new, group.change.runs[1]),
                *_values(group.change, figure),
                _interval(group.difference, figure),
                probability(group.test.adjusted),
            )
            for group in groups
        ]
        headings = (column, task.counted, *_headings(figure), "interval", "p corrected")
        marks = {
            (row, 4): _is_better(figure, group.change.rate)
            for row, group in enumerate(groups)
            if is_significant(group.test.adjusted)
        }
        yield from (Heading(f"Groups by {column}"), Table(headings, rows, marks=marks))
        yield from _others(len(every))


def _interval(difference: Bootstrap | SpreadTest | None, figure: Figure) -> str:
    """Return the interval of a change as text, in points or in the unit of the figure."""
    if difference is None:
        return "n/a"
    return difference.bounds(points if figure.form == "percent" else figure.text)


def change_cells(changes: Changes) -> tuple[str, str]:
    """Return the change of the main number, and its interval, as cells of a table."""
    main = changes.numbers[0]
    return _number(main)[2], _interval(main.difference, main.figure)


def runs_of(changes: Changes) -> Iterator[Block]:
    """Yield the rates of all runs, and their mean and spread; nothing for single runs."""
    repeated, figure = changes.repeated, changes.numbers[0].figure
    if repeated is None:
        return
    sides = (("baseline", repeated.baseline), ("new", repeated.new))
    rows = [
        (version, name, figure.text(rate))
        for version, runs in sides
        for name, rate in zip(runs.names, runs.rates, strict=True)
    ]
    yield from (Heading("Runs"), Table(("version", "run", "rate %"), rows, 2))
    means = [
        (version, str(len(runs.names)), figure.text(runs.mean), figure.text(runs.spread))
        for version, runs in sides
    ]
    yield Table(("version", "runs", "mean %", "standard deviation"), means)


def measures_of(changes: Changes) -> Iterator[Block]:
    """Yield a table of the numbers of measures, and of the intervals of their changes."""
    rows = []
    if not changes.measures:
        return
    for change in changes.measures:
        text, interval = change.figure.text, change.interval.bootstrap
        rows.append(
            (
                change.measure,
                change.figure.heading,
                *map(text, (change.baseline, change.new, change.difference)),
                "n/a" if interval is None else interval.bounds(text),
            )
        )
    yield Heading("Measures")
    yield Table(("measure", "number", "baseline", "new", "change", "interval"), rows, 2)


def _origin(side: UnitTable) -> str:
    """Return the name of a side, and what kind of result it is."""
    return f"{side.name} ({'scored now' if side.kind == 'transcripts' else side.kind})"


SIDES = ("baseline", "new")
FEW_NAMES = 3  # of numbers that were not checked, in a short report
NO_RECORDED_RATE = (
    "neither side has the rate of an earlier result, against which its numbers could be checked"
)


def recorded_of(sides: Sequence[UnitTable], *, is_short: bool = False) -> Iterator[Block]:
    """Yield what both sides were read from, and whether their recorded numbers agree.

    Without recorded numbers, a short report has one line for each side.
    """
    has_checks = any(side.checks for side in sides)
    if is_short and not has_checks:
        names = (f"{title}: {_origin(side)}" for title, side in zip(SIDES, sides, strict=True))
        yield Items([*names, *filter(None, (side.remark for side in sides))])
        return
    for title, side in zip(("Baseline", "New"), sides, strict=True):
        lines = [_origin(side), *filter(None, [side.remark])]
        lines += inventory_lines(side.checks, FEW_NAMES if is_short else None)
        if len(side.checks) > 1:
            lines.append(f"records: {states_of(side.checks)}")
        if has_checks and not side.checks:
            lines.append("there is no recorded number to compare with")
        yield from (Heading(title), Items(lines))
    if not has_checks:
        yield Note(NO_RECORDED_RATE)


def overall_of(changes: Changes, *, is_short: bool = False) -> Iterator[Block]:
    """Yield the numbers of the task side by side, the counted amounts, and the tests.

    A short report has only the test that decides.
    """
    total, main = changes.total, changes.numbers[0]
    has_intervals = len(changes.numbers) > 1
    mean = "mean " * (changes.repeated is not None)
    rows: list[tuple[str, ...]] = [
        (
            f"{mean}{number.figure.heading}",
            *_number(number),
            *([_interval(number.difference, number.figure)] if has_intervals else []),
        )
        for number in changes.numbers
    ]
    if changes.repeated is None and not has_intervals:
        rows += _count_rows(changes)
    marks = {(0, 3): _is_better(main.figure, main.change)} if total.more or main.change else {}
    yield Heading("Change")
    headings = ("", "baseline", "new", "change", *(["interval"] if has_intervals else []))
    yield Table(headings, rows, marks=marks if changes.repeated is None else {})
    yield Items(list(_statistics(changes)))
    if not is_short:  # browsers fold the tests
        yield Heading("Tests", 3, apart=False, wrong=False)
    yield Items(list(_test_lines(changes, 1 if is_short else None)))


def _number(number: NumberChange) -> tuple[str, str, str]:
    """Return the baseline's value, the new value and the change of a number, as text."""
    change, figure = number.change, number.figure
    signed = percent(change, sign="+") if figure.form == "percent" else figure.text(change)
    return figure.text(number.baseline), figure.text(number.new), signed


def _count_rows(changes: Changes) -> Iterator[tuple[str, ...]]:
    """Yield table rows with the errors by kind, and the utterances with errors."""
    total = changes.total
    columns = [name for name in ("errors", *KINDS) if name in total.new.layout.columns]
    old, new = total.baseline, total.new
    rows = [(name, int(old.of(name)), int(new.of(name))) for name in columns]
    if changes.words is not None:
        sides = zip(*changes.words.common, strict=True)
        wrong = [
            int((rows_of_counts(rates.per_utterance.array)[list(positions), 0] > 0).sum())
            for rates, positions in zip(changes.words[:2], sides, strict=True)
        ]
        rows.append((f"{changes.noun}s wrong", wrong[0], wrong[1]))
    else:
        rows.append(("reference words", int(old.size), int(new.size)))
    for name, before, after in rows:
        yield name, f"{before:,}", f"{after:,}", f"{after - before:+,d}"


def _style(changes: Changes) -> Iterator[str]:
    """Yield a line if the readings of the two versions differ in their total number of words."""
    if changes.words is None or not changes.words.new.rules.is_by_places:
        return
    sides = zip(*changes.words.common, strict=True)
    words = [
        sum(counts[position].reference_tokens for position in positions)
        for counts, positions in zip(
            (rates.path_counts for rates in changes.words[:2]), sides, strict=True
        )
    ]
    if len({*words}) == 2:
        yield (
            f"style: the baseline was compared with {words[0]:,} reference words, the new system "
            f"with {words[1]:,}; in both, places with readings count as written"
        )


def _values(change: Change, figure: Figure) -> tuple[str, str, str]:
    return _number(NumberChange(figure, change.baseline.value, change.new.value, None))


def units_text(changes: Changes) -> str:
    """Return the number of units in words."""
    number = len(changes.units)
    return f"{number:,} {changes.noun}{'s' * (number != 1)}"


def _statistics(changes: Changes) -> Iterator[str]:
    total, main, noun = changes.total, changes.numbers[0], changes.noun
    task, bootstrap = changes.baseline.layout.task, changes.comparison.bootstrap
    size = f"{size_text(total.baseline, total.runs[0])} "
    size += "reference words" if task is WORDS else task.counted
    worse = f"{len(changes.worse):,} {noun}{'s' * (len(changes.worse) != 1)} worse"
    moved = f"; {worse}, {len(changes.better):,} better"
    # each keyword is a unit of size 1
    sizes = "" if task.is_value else f", {size}"
    if len(changes.units):
        yield f"{units_text(changes)}{sizes}{moved}"
    yield from _style(changes)
    for side, listing in (("baseline", changes.baseline_only), ("new", changes.new_only)):
        if listing.number:
            yield f"dropped, only in {side} ({listing.number}): {listed(listing.identifiers)}"
    relative = main.change / main.baseline if main.change is not None and main.baseline else None
    yield f"relative change: {percent(relative, sign='+')} %"
    title = main.figure.title
    amount = " points" * (main.figure.form == "percent")
    if changes.repeated is not None and changes.repeated.test is not None:
        yield (
            f"change of the mean {title}: {_number(main)[2]}{amount}, interval "
            f"{_interval(changes.repeated.test, main.figure)} ({changes.repeated.how})"
        )
    elif bootstrap is None:
        reason = changes.comparison.reason
        yield f"no interval: {reason}" if changes.tests else f"no interval and no test: {reason}"
    else:
        difference = bootstrap.difference
        text = points if main.figure.form == "percent" else main.figure.text
        yield (
            f"change of the {title}: {text(difference.estimate)}{amount}, interval "
            f"{_interval(difference, main.figure)} ({difference.how()})"
        )
        yield f"probability of improvement: {bootstrap.improvement()}"


def _test_lines(changes: Changes, most: int | None = None) -> Iterator[str]:
    for test in changes.tests[:most]:
        value = "not made" if test.p_value is None else p_text(test.p_value)
        yield f"{test.name}: {value} ({test.remark})"
    yield f"signature: {changes.baseline.signature}"


def utterances_of(
    title: str, group: Sequence[UnitChange], changes: Changes, most: int
) -> Iterator[Block]:
    """Yield the units that changed most, with their alignments."""
    if not group or not most:
        return
    utterances = f"1 {changes.noun}" if len(group) == 1 else f"{len(group):,} {changes.noun}s"
    if len(group) > most:
        shown = "the one" if most == 1 else f"the {most}"
        utterances += f", {shown} that changed most"
    words = changes.words
    if words is None and changes.baseline.layout.task is WORDS:
        utterances += "; their words were not kept"
    yield from (Heading(title), Items([utterances]))
    if words is None or changes.repeated is not None:
        yield from _without_words(group[:most], changes)
        return
    for row in group[:most]:
        yield Heading(_moved(row.change), 3, apart=False)
        if changes.noun == "session":
            # as long as a meeting, and words of speakers one after the other
            continue
        a, b = words.common[row.place]
        yield from aligned_versions(words.baseline.alignment_at(a), words.new.alignment_at(b))


def _without_words(group: Sequence[UnitChange], changes: Changes) -> Iterator[Block]:
    """Yield a table of units with their amounts and errors."""
    if group:
        yield units_table(group, changes)


def units_table(
    group: Sequence[UnitChange], changes: Changes, marks: Mapping[tuple[int, int], bool] = {}
) -> Table:
    """Return a table of units with their amounts and errors, or with their values."""
    task = changes.baseline.layout.task
    if task.is_value:
        return _values_table(group, changes, marks)
    rows = [
        (
            change.name,
            size_text(change.baseline, change.runs[0]),
            _amount(change.baseline.wrong / change.runs[0]),
            _amount(change.new.wrong / change.runs[1]),
            _amount(change.more, signed=True),
        )
        for change, _ in group
    ]
    headings = (changes.noun, task.counted, "baseline", "new", "change")
    return Table(headings, rows, marks=marks)


def _values_table(
    group: Sequence[UnitChange], changes: Changes, marks: Mapping[tuple[int, int], bool]
) -> Table:
    """Return a table of units with their values, such as the TWV of keywords."""
    task = changes.baseline.layout.task
    rows = []
    for change, _ in group:
        sides = zip((change.baseline, change.new), change.runs, strict=True)
        values = [f"{(sums.size - sums.wrong) / runs + 0.0:.4f}" for sums, runs in sides]
        rows.append((change.name, *values, _moved_amount(task, change.more)))
    headings = (changes.noun, "baseline", "new", f"change of {task.lost}")
    return Table(headings, rows, marks={(row, 3): good for (row, _), good in marks.items()})


def _moved(change: Change) -> str:
    """Return an utterance's name and its errors in both versions, as text."""
    errors = f"{_amount(change.baseline.wrong)} → {_amount(change.new.wrong)} errors"
    count = size_text(change.baseline)
    return f"{change.name}: {errors} in {count} {'word' if count == '1' else 'words'}"


def aligned_versions(old: Alignment, new: Alignment) -> Iterator[Block]:
    """Yield a reference with the alignments of both versions below it.

    If the reference words differ, each version is aligned below its own reference.
    """
    slots = [_slots(alignment) for alignment in (old, new)]
    words = [[words[0][0] for _, words in side if words] for side in slots]
    if words[0] != words[1]:
        for label, alignment in (("  baseline:", old), ("  new:", new)):
            yield Rows(alignment, ("  reference:", label))
        return
    reference: list[str | None] = []
    rows: tuple[list[str | None], list[str | None]] = ([], [])
    letters: tuple[list[str], list[str]] = ([], [])
    for places in zip(*slots, strict=True):
        for pair in zip_longest(*(inserted for inserted, _ in places), fillvalue=(None, "")):
            reference.append(None)
            for side, (word, letter) in enumerate(pair):
                rows[side].append(word)
                letters[side].append(letter)
        for side, (_, aligned) in enumerate(places):
            for word, heard, letter in aligned:
                if side == 0:
                    reference.append(word)
                rows[side].append(heard)
                letters[side].append(letter)
    labels = ("  baseline:", "  new:")
    yield Versions(reference, list(zip(labels, rows, letters, strict=True)), "  reference:")


# Insertions before a reference word, then it with its hypothesis and letter; the last one has none
_Slot = tuple[list[tuple["str | None", str]], list[tuple["str | None", "str | None", str]]]


def _slots(alignment: Alignment) -> list[_Slot]:
    slots: list[_Slot] = [([], [])]
    for pair in alignment:
        letter = pair.edit.letter.replace(Edit.CORRECT.letter, "")
        if pair.edit in NO_REFERENCE:
            slots[-1][0].append((pair.hypothesis, letter))
            continue
        slots[-1][1].append((pair.reference, pair.hypothesis, letter))
        slots.append(([], []))
    return slots
