"""A comparison for people, in blocks of a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from scoring.drawing.blocks import Block, Heading, Items, Rows, Table
from scoring.drawing.numbers import p_text, percent
from scoring.pages.rates import listed
from scoring.regression.changes import Change, Changes, UtteranceChange
from scoring.regression.evidence import Evidence
from scoring.regression.verdict import Finding
from scoring.results.groups import SPEAKER
from scoring.stats.bootstrapping import PAIRED, Interval

if TYPE_CHECKING:
    from scoring.regression.version_runs import RepeatedRuns

PASSED, FAILED = "PASS", "FAIL"
SUMS = ("substitutions", "deletions", "insertions")


def page_of(changes: Changes, findings: Sequence[Finding], most: int = 10) -> Iterator[Block]:
    """The page of a comparison."""
    yield from _recorded((changes.baseline, changes.new))
    yield from _overall(changes)
    if changes.measures:
        yield from (Heading("Measures"), _measures(changes))
    if changes.repeated is not None:
        yield from _runs(changes.repeated)
    if changes.speakers and not any(group.column == SPEAKER for group in changes.groups):
        headings = ("speaker", "words", "baseline %", "new %", "change", "errors")
        rows = [
            (
                speaker.name,
                str(speaker.baseline.reference_tokens // speaker.runs[0]),
                *_rates(speaker),
                f"{speaker.errors:+d}" if speaker.runs == (1, 1) else f"{speaker.errors:+.1f}",
            )
            for speaker in changes.speakers
        ]
        yield from (Heading("By speaker"), Table(headings, rows))
    yield from _groups(changes)
    for title, group in (("Worse", changes.worse), ("Better", changes.better)):
        if changes.repeated is None:
            yield from _utterances(title, group, changes, most)
    yield from verdict_blocks(findings)


def _groups(changes: Changes) -> Iterator[Block]:
    """A table of the groups by each column, with the interval of each change."""
    for column in dict.fromkeys(group.column for group in changes.groups):
        rows = [
            (
                group.change.name,
                str(group.change.new.reference_tokens // group.change.runs[1]),
                *_rates(group.change),
                _interval(group.difference and group.difference.percentile),
                "n/a" if group.test.adjusted is None else f"{group.test.adjusted:.4f}",
            )
            for group in changes.groups
            if group.column == column
        ]
        headings = (column, "words", "baseline %", "new %", "change", "interval", "p corrected")
        yield from (Heading(f"Groups by {column}"), Table(headings, rows))


def _interval(bounds: Interval | None) -> str:
    if bounds is None:
        return "n/a"
    return " to ".join(percent(bound, sign="+") for bound in bounds)


def _runs(repeated: RepeatedRuns) -> Iterator[Block]:
    """The rates of all runs, and their mean and spread."""
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
    """The numbers of measures, and the intervals of their differences."""
    rows = []
    for change in changes.measures:
        text, interval = change.figure.text, change.interval.bootstrap
        rows.append(
            (
                change.measure,
                change.figure.heading,
                *map(text, (change.baseline, change.new, change.difference)),
                "n/a" if interval is None else " to ".join(map(text, interval.percentile)),
            )
        )
    return Table(("measure", "number", "baseline", "new", "change", "interval"), rows, 2)


def verdict_blocks(findings: Sequence[Finding]) -> Iterator[Block]:
    """A line for each condition, with its outcome."""
    if findings:
        yield Heading("Verdict")
    for finding in findings:
        text = f"{FAILED if finding.failed else PASSED} {finding.name}: {finding.text}"
        yield Items([text], good=not finding.failed)


def _recorded(sides: Sequence[Evidence]) -> Iterator[Block]:
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
            lines.append("nothing recorded to compare with")
        yield from (Heading(title), Items(lines))


def _overall(changes: Changes) -> Iterator[Block]:
    total = changes.total
    if changes.repeated is not None:
        rates = Table(("", "baseline", "new", "change"), [("mean error rate %", *_rates(total))])
        yield from (Heading("Change"), rates, Items(list(_statistics(changes))))
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
    yield from (Heading("Change"), Table(("", "baseline", "new", "change"), rows))
    yield Items(list(_statistics(changes)))


def _rates(change: Change) -> tuple[str, str, str]:
    return (
        percent(change.baseline.error_rate),
        percent(change.new.error_rate),
        percent(change.rate, sign="+"),
    )


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
        interval = _interval(changes.repeated.test.percentile)
        yield (
            f"change of the mean error rate: {percent(total.rate, sign='+')} points, "
            f"interval {interval} ({changes.repeated.how})"
        )
    elif bootstrap is None:
        yield f"no interval: {changes.comparison.reason}"
    else:
        low, high = bootstrap.difference.percentile
        yield (
            f"change of the error rate: {percent(bootstrap.difference.estimate, sign='+')} points, "
            f"interval {percent(low, sign='+')} to {percent(high, sign='+')} "
            f"({bootstrap.difference.how(changes.comparison.block, PAIRED)})"
        )
        yield f"probability of improvement: {bootstrap.probability_of_improvement:.4f}"
    for test in changes.tests:
        value = "not made" if test.p_value is None else p_text(test.p_value)
        yield f"{test.name}: {value} ({test.remark})"
    yield f"signature: {changes.baseline_rates.signature}"


def _utterances(
    title: str, group: Sequence[UtteranceChange], changes: Changes, most: int
) -> Iterator[Block]:
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
        for label, rates, position in (
            ("  baseline:", changes.baseline_rates, row.baseline_position),
            ("  new:", changes.new_rates, row.new_position),
        ):
            yield Rows(rates.alignment_at(position), ("  reference:", label))
