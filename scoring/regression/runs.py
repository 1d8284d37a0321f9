"""Remembered runs for people: one of them, their trend, two of them down to utterances."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.drawing.blocks import Block, Fact, Heading, Items, Note, Table
from scoring.drawing.numbers import percent
from scoring.regression.changes import Request, find_changes
from scoring.regression.history import History, HistoryError, RecordedRun
from scoring.regression.report import page_of
from scoring.regression.sides import open_run
from scoring.regression.significance import TESTS, compare_tables, interval_of
from scoring.scored.table import matched_places
from scoring.stats.bootstrapping import Bootstrap
from scoring.stats.intervals import Resampling


def tags_text(run: RecordedRun) -> str:
    """Its tags as people write them."""
    return " ".join(f"{name}={value}" for name, value in run.tags.items())


def rate_text(run: RecordedRun) -> str:
    """Its rate in percent; `n/a` without reference words."""
    errors, tokens = run.errors_and_tokens
    return percent(errors / tokens if tokens else None)


def interval_of_run(
    history: History, run: RecordedRun, resampling: Resampling, block: str = "utterance"
) -> Bootstrap | None:
    """The interval of its rate, from the errors of its utterances; None where these give none."""
    return interval_of(history.table(run), block, resampling).bootstrap


def page_of_run(run: RecordedRun) -> Iterator[Block]:
    """What is known of a run."""
    summary = run.summary
    counts = summary["counts"]
    yield Items(
        [
            f"recorded: {run.recorded_at}",
            f"tags: {tags_text(run) or 'none'}",
            *(
                f"{side}: {summary[side]['path']}, {summary[side]['sha256'] or 'no hash'}"
                for side in ("reference", "hypothesis")
            ),
            f"rate: {rate_text(run)} %: {counts['errors']} errors in {counts['reference_tokens']} "
            f"words ({counts['substitutions']} sub, {counts['deletions']} del, "
            f"{counts['insertions']} ins)",
            f"alignments: {'kept' if run.has_alignments else 'not kept'}",
        ]
    )
    yield Fact("signature", str(summary["signature"]))
    for name, rows in (("speakers", summary["speakers"]), ("groups", summary.get("groups", ()))):
        if rows:
            table = [
                (
                    " ".join(map(str, row["by"].values())) if "by" in row else str(row["speaker"]),
                    str(row["utterances"]),
                    str(row["errors"]),
                    percent(row["rate"]),
                )
                for row in rows
            ]
            yield Heading(f"By {name}"[:-1])
            yield Table((name[:-1], "utterances", "errors", "rate %"), table)


def page_of_two(
    history: History,
    baseline: RecordedRun,
    new: RecordedRun,
    resampling: Resampling,
    most: int = 50,
) -> Iterator[Block]:
    """What changed from one run to another, with the words where both have kept them.

    Both are scored by the rules of the baseline where there are words; without these, runs of other
    rules are refused.
    """
    if baseline.has_alignments and new.has_alignments:
        sides = open_run(history, baseline), open_run(history, new)
        if baseline.rules != new.rules:
            rules = f"{new.rules} of run {new.number}: both are scored by those of the baseline"
            yield Note(f"Other rules: {baseline.rules} of run {baseline.number}, {rules}")
        yield from page_of(find_changes(*sides, Request(resampling=resampling)), (), most)
        return
    refuse_other_rules(history, baseline, new)
    before, after = history.table(baseline), history.table(new)
    comparison = compare_tables(before, after, TESTS, "utterance", resampling)
    yield Items(str(comparison).splitlines())
    changes = [
        (name, words, old, fresh - old)
        for name, (old, words), (fresh, _) in zip(
            before.identifiers or (),
            before.statistics.tolist(),
            after.statistics[matched_places(before, after)].tolist(),
            strict=True,
        )
        if old != fresh
    ]
    yield Heading("Utterances", remark=f"{len(changes)} changed; their words were not kept")
    changes.sort(key=lambda row: -abs(row[-1]))
    rows = [
        (name, str(words), str(errors), str(errors + change), f"{change:+d}")
        for name, words, errors, change in changes[: 2 * most]
    ]
    if rows:
        yield Table(("utterance", "words", "baseline", "new", "change"), rows)


def refuse_other_rules(history: History, baseline: RecordedRun, new: RecordedRun) -> None:
    """Refuse runs that were scored by other rules."""
    if baseline.rules != new.rules:
        expected = "expected runs of the same rules (--rules-may-differ compares others)"
        problem = f"{expected}, found {baseline.rules} and {new.rules}"
        raise HistoryError(history.path, None, None, problem)
