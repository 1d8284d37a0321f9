"""A comparison for people: the same sections as text for terminals and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scoring.model import Counts
from scoring.pages.rates import listed, percent
from scoring.pages.terminal import alignment_lines, coloured, shown, table
from scoring.regression.changes import Change, Changes, UtteranceChange
from scoring.regression.evidence import Check, Evidence
from scoring.regression.verdict import Finding, p_text

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>|#!~&])")
PASSED, FAILED = "PASS", "FAIL"
SUMS = ("substitutions", "deletions", "insertions")


class Section(NamedTuple):
    """A part of a report.

    Attributes
    ----------
    title
        One line; empty for none.
    lines
        Sentences.
    rows
        A table, the first row its head.
    blocks
        Aligned words: each a heading and its lines.
    """

    title: str
    lines: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    blocks: Sequence[tuple[str, Sequence[str]]] = ()


class Appearance(NamedTuple):
    """How a report is to look.

    Attributes
    ----------
    columns
        How wide lines of alignments may be.
    colour
        Whether errors are coloured.
    most
        How many utterances that got worse, and that got better, are shown.
    """

    columns: int = 100
    colour: bool = False
    most: int = 10


def sections(
    changes: Changes, findings: Sequence[Finding], appearance: Appearance
) -> Iterator[Section]:
    """The parts of a report, in order."""
    yield from _recorded(changes)
    yield _overall(changes)
    if changes.speakers:
        yield _speakers(changes.speakers)
    for title, group in (("Worse", changes.worse), ("Better", changes.better)):
        yield _utterances(title, group, changes, appearance)
    if findings:
        yield Section(
            "Verdict",
            [f"{FAILED if one.failed else PASSED} {one.name}: {one.text}" for one in findings],
        )


def text_lines(parts: Iterator[Section], colour: bool) -> Iterator[str]:
    """Sections as text."""
    for number, part in enumerate(parts):
        if number:
            yield ""
        yield coloured(part.title, "1", colour)
        if part.rows:
            yield from table(part.rows)
        for line in part.lines:
            code = {PASSED: "32", FAILED: "31"}.get(line[:4])
            yield line if code is None else coloured(line, code, colour)
        for heading, lines in part.blocks:
            yield coloured(heading, "1", colour)
            yield from lines


def markdown_lines(title: str, parts: Iterator[Section]) -> Iterator[str]:
    """Sections as Markdown."""
    yield f"# {escaped(title)}"
    for part in parts:
        yield ""
        yield f"## {escaped(part.title)}"
        yield ""
        if part.rows:
            head, *rows = part.rows
            yield _row(head)
            yield _row(["---", *["---:"] * (len(head) - 1)], raw=True)
            yield from map(_row, rows)
            if part.lines:
                yield ""
        for line in part.lines:
            yield f"- {escaped(line)}"
        for heading, lines in part.blocks:
            fence = "`" * max(3, 1 + _longest_run("\n".join(lines)))
            yield ""
            yield f"**{escaped(heading)}**"
            yield ""
            yield f"{fence}text"
            yield from lines
            yield fence


def escaped(text: str) -> str:
    r"""Text that Markdown takes as it is.

    >>> print(escaped("a|b <c>"))
    a\|b \<c\>
    """
    return _MARKDOWN.sub(r"\\\1", shown(text))


def _row(cells: Sequence[str], *, raw: bool = False) -> str:
    return f"| {' | '.join(cell if raw else escaped(cell) for cell in cells)} |"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def _recorded(changes: Changes) -> Iterator[Section]:
    for title, side in (("Baseline", changes.baseline), ("New", changes.new)):
        lines = [f"{shown(side.name)} ({side.kind})"]
        for check in side.checks:
            lines.append(shown(str(check)))
            lines += [f"  {line}" for line in _difference_lines(check)]
        if not side.checks:
            lines.append("nothing recorded to compare with")
        yield Section(title, lines)


def _difference_lines(check: Check) -> Iterator[str]:
    for one in check.differences:
        yield shown(f"{one.where}: recorded {one.recorded}, ours {one.ours}")
    if check.unequal > len(check.differences):
        yield f"and {check.unequal - len(check.differences)} more"


def _overall(changes: Changes) -> Section:
    total = changes.total
    rows: list[tuple[str, ...]] = [("", "baseline", "new", "change")]
    rows.append(("error rate %", *_rates(total)))
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
    rows.append(("utterances wrong", *map(str, sentences), f"{sentences[1] - sentences[0]:+d}"))
    return Section("Change", list(_statistics(changes)), rows)


def _rates(change: Change) -> tuple[str, str, str]:
    return (
        percent(change.baseline.error_rate),
        percent(change.new.error_rate),
        percent(change.rate, sign="+"),
    )


def _statistics(changes: Changes) -> Iterator[str]:
    total, found = changes.total, changes.comparison.bootstrap
    yield (
        f"{len(changes.common)} utterances, {total.baseline.reference_tokens} reference words; "
        f"{len(changes.worse)} utterances worse, {len(changes.better)} better"
    )
    for side, listing in (("baseline", changes.baseline_only), ("new", changes.new_only)):
        if listing.number:
            yield f"left out, only in {side} ({listing.number}): {listed(listing.identifiers)}"
    yield f"relative change: {percent(total.relative, sign='+')} %"
    if found is None:
        yield f"no interval: {changes.comparison.reason}"
    else:
        low, high = found.difference.percentile
        yield (
            f"change of the error rate: {percent(found.difference.estimate, sign='+')} points, "
            f"{100 * found.difference.level:g} % interval {percent(low, sign='+')} to "
            f"{percent(high, sign='+')} (paired percentile bootstrap, {found.difference.units} "
            f"units by {changes.comparison.block}, {found.difference.replications} replications, "
            f"seed {found.difference.seed})"
        )
        yield f"probability of improvement: {found.probability_of_improvement:.4f}"
    for test in changes.tests:
        value = "not made" if test.p_value is None else p_text(test.p_value)
        yield f"{test.name}: {value} ({test.remark})"
    yield f"signature: {changes.baseline_rates.signature}"


def _speakers(speakers: Sequence[Change]) -> Section:
    rows = [("speaker", "words", "baseline %", "new %", "change", "errors")]
    for one in speakers:
        words = str(one.baseline.reference_tokens)
        rows.append((one.name, words, *_rates(one), f"{one.errors:+d}"))
    return Section("By speaker", (), rows)


def _utterances(
    title: str, group: Sequence[UtteranceChange], changes: Changes, appearance: Appearance
) -> Section:
    lines = [_how_many(len(group), appearance.most)]
    blocks = []
    for row in group[: appearance.most]:
        change = row.change
        errors = f"{change.baseline.errors} → {change.new.errors} errors"
        heading = f"{shown(change.name)}: {errors} in {_words(change.baseline)}"
        content: list[str] = []
        for label, rates, position in (
            ("  baseline:", changes.baseline_rates, row.baseline_position),
            ("  new:", changes.new_rates, row.new_position),
        ):
            content += alignment_lines(
                rates.alignment_at(position),
                ("  reference:", label),
                appearance.columns,
                appearance.colour,
            )
        blocks.append((heading, content))
    return Section(title, lines, (), blocks)


def _how_many(count: int, most: int) -> str:
    utterances = "1 utterance" if count == 1 else f"{count} utterances"
    if count <= most:
        return utterances
    shown_of_them = {0: "none shown", 1: "the one that changed most"}
    return f"{utterances}, {shown_of_them.get(most, f'the {most} that changed most')}"


def _words(counts: Counts) -> str:
    return "1 word" if counts.reference_tokens == 1 else f"{counts.reference_tokens} words"


def side_title(side: Evidence) -> str:
    """How a side is called in the title of a report."""
    return shown(side.name)
