"""The sides of `scoring compare`: the runs of two versions, or two results of a task."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scoring.cli import results
from scoring.cli.gates import close_gate
from scoring.cli.output import put
from scoring.cli.scoring import EXCEEDED, OK
from scoring.regression.exports import junit_lines
from scoring.regression.verdict import Gate

if TYPE_CHECKING:
    from scoring.regression.conditions import Condition
    from scoring.regression.opening import VersionRequest
    from scoring.regression.wordless import WordlessVersion


def set_versions(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    """Set `baseline` and `new`; further runs of each stay in `baseline_runs` and `new_runs`."""
    files = list(arguments.hypotheses)
    runs: tuple[list[str], list[str]] = arguments.baseline_runs, arguments.new_runs
    if len(files) == 3 or (len(files) == 1 and all(runs)):
        if arguments.reference is not None:
            parser.error(f"expected one reference, found {files[0]} and {arguments.reference}")
        arguments.reference = files.pop(0)
    if len(files) > 2:
        parser.error(f"unrecognized arguments: {' '.join(files[2:])}")
    if len(files) == 1:
        # the version that no flag names
        runs[bool(runs[0])].insert(0, files.pop())
    for side, file in enumerate(files):
        runs[side].insert(0, file)
    if not all(runs):
        found = "only one" if any(runs) else "none"
        parser.error(f"expected BASELINE and NEW, found {found}")
    arguments.baseline, arguments.new = (side.pop(0) for side in runs)


def gate_of(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> Gate:
    """Return the gate of a comparison; rejects conditions that nothing can fulfil."""
    conditions: list[Condition] = [
        *arguments.fail_above,
        *arguments.fail_increase,
        *arguments.fail_group_above,
        *arguments.fail_group_increase,
        *arguments.fail_measure,
    ]
    has_groups = arguments.by or arguments.metadata is not None
    is_repeated = arguments.baseline_runs or arguments.new_runs
    for condition in conditions:
        flag = f"--{condition.option.replace(' ', '-')}"
        if condition.of_groups and not has_groups:
            parser.error(f"{flag} {condition.text} needs --by or --metadata")
        if condition.measure and condition.only_significant and is_repeated:
            parser.error(
                f"{flag} {condition.text}: measures of several runs have no significance test, so "
                "leave out :significant"
            )
    return Gate(
        conditions,
        arguments.significance if arguments.fail_if_significant else None,
        arguments.fail_if_recorded_differs,
        needs_all=arguments.fail_when == "all",
        level=arguments.significance,
        group_words=arguments.group_words,
    )


def are_tasks(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> bool:
    """Return True if both sides are results of tasks other than words; one alone is an error."""
    from scoring.regression.task_figures import task_of

    tasks = [task_of(path) for path in (arguments.baseline, arguments.new)]
    if None in tasks and tasks != [None, None]:
        names = [task or "words" for task in tasks]
        parser.error(f"expected two results of a task, found {names[0]} and {names[1]}")
    return None not in tasks


def compare_task_results(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> int:
    """Compare two results of a task, from their JSON; the exit status."""
    from scoring.regression.task_figures import task_of
    from scoring.regression.task_report import page_of_tasks, summary_of_tasks, task_lines
    from scoring.regression.tasks import compare_tasks, judge_task, read_task

    gate = gate_of(parser, arguments)
    for condition in gate.conditions:
        flag = f"--{condition.option.replace(' ', '-')} {condition.text}"
        if condition.of_groups:
            parser.error(f"{flag}: results of tasks such as der have no groups")
        is_rate = condition.limit is not None and not condition.measure
        if is_rate and task_of(arguments.new) == "kws":
            parser.error(f"{flag}: a greater value is better, see --fail-measure kws.atwv=0.4")
    if arguments.baseline_runs or arguments.new_runs or arguments.reference:
        parser.error(
            "results of tasks such as der: expected only BASELINE and NEW, found more files"
        )
    changes = compare_tasks(
        read_task(arguments.baseline),
        read_task(arguments.new),
        results.resampling_of(arguments),
        arguments.test,
        common_only=arguments.common_only,
    )
    findings = judge_task(changes, gate)
    if arguments.json is not None:
        put(arguments.json, task_lines(changes, findings))
    if arguments.junit is not None:
        put(arguments.junit, junit_lines((), findings))
    title = f"{arguments.new} against {arguments.baseline}"
    results.put_pages(list(page_of_tasks(changes, findings)), title, arguments)
    return EXCEEDED if close_gate(findings, arguments, summary_of_tasks(changes)) else OK


def wordless_sides(arguments: argparse.Namespace) -> list[WordlessVersion | None]:
    """Return both sides, None for one with words; empty if no side is a run without its words."""
    from scoring.regression.layouts import OF_HISTORY

    sides = (arguments.baseline, arguments.baseline_tag), (arguments.new, arguments.new_tag)
    if not any(_begins_with(path, OF_HISTORY) for path, _ in sides):
        return []
    from scoring.regression.wordless import wordless_run

    runs = [wordless_run(path, tag or "") for path, tag in sides]
    return runs if any(runs) else []


def _begins_with(path: str, magic: bytes) -> bool:
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(len(magic)) == magic


def compare_without_words(
    parser: argparse.ArgumentParser,
    arguments: argparse.Namespace,
    gate: Gate,
    opening: VersionRequest,
    runs: Sequence[WordlessVersion | None],
) -> int:
    """Compare sides of which at least one has no words; the exit status."""
    from scoring.regression.changes import TESTS
    from scoring.regression.opening import open_version
    from scoring.regression.wordless import (
        compare_wordless,
        judge_wordless,
        wordless_lines,
        wordless_page,
        wordless_summary,
        wordless_version_of,
    )

    lacking = next(run.name for run in runs if run is not None)
    if arguments.measures or arguments.measure:
        parser.error(f"--measures and --measure need words: {lacking} has none")
    if arguments.baseline_runs or arguments.new_runs:
        parser.error(
            f"to compare several runs of a system, each needs its words: {lacking} has none"
        )
    paths = (arguments.baseline, arguments.new)
    old, new = (
        run or wordless_version_of(open_version(path, opening.options, opening.reference, tag))
        for run, path, tag in zip(runs, paths, opening.runs, strict=True)
    )
    result = compare_wordless(
        old,
        new,
        [arguments.test, *(test for test in TESTS if test != arguments.test)],
        arguments.block,
        results.resampling_of(arguments),
        references_may_differ=arguments.references_may_differ,
    )
    findings = judge_wordless(result, gate)
    if arguments.json is not None:
        put(arguments.json, wordless_lines(result, findings))
    if arguments.junit is not None:
        put(arguments.junit, junit_lines((old, new), findings))
    title = f"{new.name} against {old.name}"
    results.put_pages(list(wordless_page(result, findings)), title, arguments)
    return EXCEEDED if close_gate(findings, arguments, wordless_summary(result)) else OK
