"""A comparison for people, in blocks of a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from scoring.drawing.blocks import (
    Block,
    ChangePlot,
    ChangePoint,
    Heading,
    Items,
    Lead,
    Rows,
    Table,
    Versions,
)
from scoring.drawing.numbers import p_text, percent, points
from scoring.model.counts import NO_REFERENCE, Alignment, Edit
from scoring.pages.score_tables import listed
from scoring.regression.changes import Change, Changes, UtteranceChange
from scoring.regression.evidence import ScoredVersion
from scoring.regression.exports import summary_of
from scoring.regression.verdict import Finding
from scoring.results.groups import SPEAKER
from scoring.stats.deciding import is_significant, level_of_tests

if TYPE_CHECKING:
    from scoring.regression.version_runs import RepeatedRuns
    from scoring.stats.bootstrapping import Bootstrap
    from scoring.stats.spread import SpreadTest

PASSED, FAILED = "PASS", "FAIL"
LEVEL = 0.95  # of intervals
LEAST_ROUNDED = 0.01  # changes below have two decimals in the verdict
SUMS = ("substitutions", "deletions", "insertions")


def page_of(changes: Changes, findings: Sequence[Finding], most: int = 10) -> Iterator[Block]:
    """The page of a comparison: the verdict, its plot, what got worse, then everything else."""
    yield lead_of(summary_of(changes), changes.comparison.reason or "", level=_level(changes))
    yield from _plot(changes)
    yield from _overall(changes)
    if changes.repeated is None:
        yield from _utterances("Worse", changes.worse, changes, most)
    if changes.measures:
        yield from (Heading("Measures"), _measures(changes))
    if changes.repeated is not None:
        yield from _runs(changes.repeated)
    if changes.speakers and not any(group.column == SPEAKER for group in changes.groups):
        yield from _speakers(changes.speakers)
    yield from _groups(changes)
    if changes.repeated is None:
        yield from _utterances("Better", changes.better, changes, most)
    yield from _recorded((changes.baseline, changes.new))
    yield from verdict_blocks(findings)


def _level(changes: Changes) -> float:
    """Return the level of the interval of the change."""
    if changes.repeated is not None:
        return LEVEL if changes.repeated.test is None else changes.repeated.test.level
    bootstrap = changes.comparison.bootstrap
    return LEVEL if bootstrap is None else bootstrap.difference.level


def lead_of(
    summary: Mapping[str, Any], reason: str = "", better: str = "lower", level: float = LEVEL
) -> Lead:
    """Return the verdict as a sentence; `summary` as for `summary_line`, rates as ratios.

    >>> lead_of({"change": -0.062, "baseline_value": 0.2, "new_value": 0.138,
    ...     "interval": [-0.105, -0.023], "p_value": 0.001}).text
    'Better by 6.2 points (20.00 % to 13.80 %), 95 % interval 2.3 to 10.5; not chance (p = 0.0010)'
    """
    change, interval, p_value = summary["change"], summary["interval"], summary["p_value"]
    if change is None:
        return Lead("No verdict: a side has no rate")
    values = [f"{percent(summary[name])} %" for name in ("baseline_value", "new_value")]
    if not change:
        return Lead(f"As good as the baseline: {values[0]}")
    sign = 1 if better == "higher" else -1
    digits = 1 if abs(change) >= LEAST_ROUNDED else 2
    amount = percent(abs(change), digits)
    parts = [
        f"{'Better' if sign * change > 0 else 'Worse'} by {amount} points ({' to '.join(values)})"
    ]
    if interval is not None:
        towards = sign if sign * change > 0 else -sign
        bounds = sorted(towards * bound for bound in interval)
        low, high = (percent(bound, digits) for bound in bounds)
        flag = f" ({text})" if (text := summary.get("flag")) else ""
        parts[0] += f", {100 * level:g} % interval {low} to {high}{flag}"
    if p_value is None:
        parts.append(f"no test: {reason or 'only sums are known'}")
        return Lead("; ".join(parts))
    is_chance = not is_significant(p_value, level_of_tests(level))
    parts.append(f"{'may be chance' if is_chance else 'not chance'} ({p_text(p_value)})")
    return Lead("; ".join(parts), None if is_chance else sign * change > 0)


def _plot(changes: Changes) -> Iterator[Block]:
    """Yield the change and its interval, and those of each group."""
    summary = summary_of(changes)
    interval = summary["interval"]
    if interval is None and not changes.groups:
        return
    points = [ChangePoint("all", changes.total.rate, interval, summary["flag"] or "")]
    points += (
        ChangePoint(
            group.title,
            group.change.rate,
            group.difference and group.difference.limits,
            group.difference.flag if group.difference else "",
        )
        for group in changes.groups
    )
    yield ChangePlot(points, "change of the error rate in percentage points (negative: better)")


def _speakers(speakers: Sequence[Change]) -> Iterator[Block]:
    headings = ("speaker", "words", "baseline %", "new %", "change (pt)", "errors")
    rows = [
        (
            speaker.name,
            str(speaker.baseline.reference_tokens // speaker.runs[0]),
            *_rates(speaker),
            f"{speaker.errors:+d}" if speaker.runs == (1, 1) else f"{speaker.errors:+.1f}",
        )
        for speaker in speakers
    ]
    marks = {(row, 4): speaker.errors < 0 for row, speaker in enumerate(speakers) if speaker.errors}
    yield from (Heading("By speaker"), Table(headings, rows, marks=marks))


def _groups(changes: Changes) -> Iterator[Block]:
    """Yield a table of the groups by each column, with the interval of each change."""
    for column in dict.fromkeys(group.column for group in changes.groups):
        rows = [
            (
                group.change.name,
                str(group.change.new.reference_tokens // group.change.runs[1]),
                *_rates(group.change),
                _interval(group.difference),
                "n/a" if group.test.adjusted is None else f"{group.test.adjusted:.4f}",
            )
            for group in changes.groups
            if group.column == column
        ]
        headings = (
            column,
            "words",
            "baseline %",
            "new %",
            "change (pt)",
            "interval",
            "p corrected",
        )
        significant = (group for group in changes.groups if group.column == column)
        marks = {
            (row, 4): group.change.errors < 0
            for row, group in enumerate(significant)
            if is_significant(group.test.adjusted)
        }
        yield from (Heading(f"Groups by {column}"), Table(headings, rows, marks=marks))


def _interval(difference: Bootstrap | SpreadTest | None) -> str:
    """Return the interval of a change in points."""
    return "n/a" if difference is None else difference.bounds(points)


def _runs(repeated: RepeatedRuns) -> Iterator[Block]:
    """Yield the rates of all runs, and their mean and spread."""
    rows = [
        (version, name, percent(rate))
        for version, runs in (("baseline", repeated.baseline), ("new", repeated.new))
        for name, rate in zip(runs.names, runs.rates, strict=True)
    ]
    yield from (Heading("Runs"), Table(("version", "run", "rate %"), rows, 2))
    means = [
        (version, str(len(runs.names)), percent(runs.mean), percent(runs.spread))
        for version, runs in (("baseline", repeated.baseline), ("new", repeated.new))
    ]
    yield Table(("version", "runs", "mean %", "standard deviation"), means)


def _measures(changes: Changes) -> Table:
    """Return the numbers of measures, and the intervals of their differences."""
    rows = []
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
    return Table(("measure", "number", "baseline", "new", "change", "interval"), rows, 2)


def verdict_blocks(findings: Sequence[Finding]) -> Iterator[Block]:
    """Yield a line for each condition, with its outcome."""
    if findings:
        yield Heading("Verdict")
    for finding in findings:
        text = f"{FAILED if finding.failed else PASSED} {finding.name}: {finding.text}"
        yield Items([text], good=not finding.failed)


def _recorded(sides: Sequence[ScoredVersion]) -> Iterator[Block]:
    for title, side in zip(("Baseline", "New"), sides, strict=True):
        lines = [f"{side.name} ({side.kind})"]
        for check in side.checks:
            lines.append(str(check))
            lines += [
                f"  {difference.where}: recorded {difference.recorded}, ours {difference.ours}"
                for difference in check.differences
            ]
            if check.unequal > len(check.differences):
                lines.append(f"  and {check.unequal - len(check.differences)} more")
        if not side.checks:
            lines.append("there is no recorded number to compare with")
        yield from (Heading(title), Items(lines))


def _overall(changes: Changes) -> Iterator[Block]:
    total = changes.total
    if changes.repeated is not None:
        rates = Table(("", "baseline", "new", "change"), [("mean error rate %", *_rates(total))])
        yield from (Heading("Change"), rates, *_statistic_blocks(changes))
        return
    rows: list[tuple[str, ...]] = [("error rate %", *_rates(total))]
    for name in ("errors", *SUMS):
        old, new = getattr(total.baseline, name), getattr(total.new, name)
        rows.append((name, str(old), str(new), f"{new - old:+d}"))
    sentences = [
        sum(counts[position].errors > 0 for position in positions)
        for counts, positions in (
            (changes.baseline_rates.per_utterance, [a for a, _ in changes.common]),
            (changes.new_rates.per_utterance, [b for _, b in changes.common]),
        )
    ]
    rows.append(
        (f"{changes.noun}s wrong", *map(str, sentences), f"{sentences[1] - sentences[0]:+d}")
    )
    marks = {(0, 3): total.errors < 0} if total.errors else {}
    yield Heading("Change")
    yield Table(("", "baseline", "new", "change"), rows, marks=marks)
    yield from _statistic_blocks(changes)


def _rates(change: Change) -> tuple[str, str, str]:
    return (
        percent(change.baseline.error_rate),
        percent(change.new.error_rate),
        percent(change.rate, sign="+"),
    )


def _statistic_blocks(changes: Changes) -> Iterator[Block]:
    """Yield the change in figures, and its tests, which browsers fold."""
    yield Items(list(_statistics(changes)))
    yield Heading("Tests", 3, apart=False, wrong=False)
    yield Items(list(_test_lines(changes)))


def _statistics(changes: Changes) -> Iterator[str]:
    total, bootstrap, noun = changes.total, changes.comparison.bootstrap, changes.noun
    yield (
        f"{len(changes.common)} {noun}s, "
        f"{total.baseline.reference_tokens // total.runs[0]} reference words"
    ) + (
        f"; {len(changes.worse)} {noun}s worse, {len(changes.better)} better"
        if changes.repeated is None
        else ""
    )
    for side, listing in (("baseline", changes.baseline_only), ("new", changes.new_only)):
        if listing.number:
            yield f"dropped, only in {side} ({listing.number}): {listed(listing.identifiers)}"
    yield f"relative change: {percent(total.relative, sign='+')} %"
    if changes.repeated is not None and changes.repeated.test is not None:
        interval = _interval(changes.repeated.test)
        yield (
            f"change of the mean error rate: {percent(total.rate, sign='+')} points, "
            f"interval {interval} ({changes.repeated.how})"
        )
    elif bootstrap is None:
        yield f"no interval: {changes.comparison.reason}"
    else:
        yield (
            f"change of the error rate: {points(bootstrap.difference.estimate)} points, "
            f"interval {_interval(bootstrap.difference)} ({bootstrap.difference.how()})"
        )
        yield f"probability of improvement: {bootstrap.probability_of_improvement:.4f}"


def _test_lines(changes: Changes) -> Iterator[str]:
    for test in changes.tests:
        value = "not made" if test.p_value is None else p_text(test.p_value)
        yield f"{test.name}: {value} ({test.remark})"
    yield f"signature: {changes.baseline_rates.signature}"


def _utterances(
    title: str, group: Sequence[UtteranceChange], changes: Changes, most: int
) -> Iterator[Block]:
    if not group:
        return
    utterances = f"1 {changes.noun}" if len(group) == 1 else f"{len(group)} {changes.noun}s"
    if len(group) > most:
        shown_of_them = {0: "none shown", 1: "the one that changed most"}
        utterances += f", {shown_of_them.get(most, f'the {most} that changed most')}"
    yield from (Heading(title), Items([utterances]))
    for row in group[:most]:
        change = row.change
        errors = f"{change.baseline.errors} → {change.new.errors} errors"
        count = change.baseline.reference_tokens
        heading = f"{change.name}: {errors} in {count} {'word' if count == 1 else 'words'}"
        yield Heading(heading, 3, apart=False)
        if changes.of_sessions:
            # as long as a meeting, and words of speakers one after the other
            continue
        old = changes.baseline_rates.alignment_at(row.baseline_position)
        new = changes.new_rates.alignment_at(row.new_position)
        yield from aligned_versions(old, new)


def aligned_versions(old: Alignment, new: Alignment) -> Iterator[Block]:
    """Both versions below one reference; each below its own where the reference words differ."""
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
