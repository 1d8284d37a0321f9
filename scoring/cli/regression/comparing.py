"""The sides of `scoring compare`, and the options that do not apply to some kinds of files."""

from __future__ import annotations

import argparse
import os
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from formats.console.command_line import CommandTable
from formats.schema import is_installed
from scoring.cli.flags import SystemArgument
from scoring.cli.scoring import tell
from scoring.options import FIELDS, flag_name
from scoring.regression.allowances import MISSING
from scoring.regression.evidence import NOT_CHECKED
from scoring.regression.verdict import Gate
from scoring.sides.given import File
from scoring.sides.layouts import is_result

if TYPE_CHECKING:
    from scoring.regression.conditions import Condition
    from scoring.regression.opening import VersionRequest
    from scoring.regression.units import UnitTable

LEAST_COVERED = 0.5  # from this level on two one-sided tests have no interval
# Options that every kind of side has a use for, or that move no number.
GROUPING = frozenset({"by", "metadata", "metadata_key", "bins"})
FOR_ALL = GROUPING | {"jobs"}
SCORED = "the results are scored already, by their own rules"
NO_UTTERANCES = "only sums are known of {}, not the errors of each utterance"
OF_MEANS = "the means of several runs are compared by Student's t"


def set_versions(parser: CommandTable, arguments: argparse.Namespace) -> None:
    """Set `baseline` and `new` to the first run of each version.

    `baseline_runs` and `new_runs` keep the other runs of the versions.
    """
    files = list(arguments.hypotheses)
    runs: tuple[list[str], list[str]] = arguments.baseline_runs, arguments.new_runs
    if len(files) == 3 or (len(files) == 1 and all(runs)):
        if arguments.reference is not None:
            parser.error(f"expected one reference, found {files[0]} and {arguments.reference}")
        if all(os.path.isdir(file) and is_result(file) for file in files):
            parser.error(
                "expected BASELINE and NEW, found three results, which have references of their "
                f"own (scoring wer {' '.join(files)} lists them)"
            )
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


def set_columns(
    parser: CommandTable, arguments: argparse.Namespace, given: dict[str, object]
) -> None:
    """Turn the names of columns into reading options; two hypothesis columns become two systems.

    Without a reference file, the reference of two systems is a column of the (first) table.
    """
    references, hypotheses = arguments.reference_columns, arguments.hypothesis_columns
    most = {"reference": (references, 1), "hypothesis": (hypotheses, 2)}
    for side, (names, number) in most.items():
        if len(names) > number:
            parser.error(
                f"--{side}-column: expected at most {number}, found {', '.join(names)} "
                "(`scoring wer` takes several references and systems)"
            )
        if len({*names}) < len(names):
            parser.error("a column is named twice")
        if len(names) == 1:
            getattr(arguments, f"{side}_options").append(("field", names[0]))
            given[f"{side}_options"] = getattr(arguments, f"{side}_options")
    if len(hypotheses) < 2:
        return
    files = list(arguments.hypotheses)
    if len(files) == 1:
        files *= 2
    if len(files) == 3 and arguments.reference is None:
        arguments.reference = files.pop(0)
    if len(files) != 2 or arguments.baseline_runs or arguments.new_runs:
        parser.error(
            "two --hypothesis-column: expected a table, or the tables of BASELINE and NEW, found "
            f"{len(files)} files"
        )
    if arguments.reference is None:
        arguments.reference = files[0]
    arguments.hypotheses = [
        SystemArgument.of(column, File(file, options={"field": column}))
        for column, file in zip(hypotheses, files, strict=True)
    ]


def choose_runs(arguments: argparse.Namespace) -> None:
    """Choose a run in each side that is a history, and print the choice.

    The number of the run replaces the tag that selects it.
    """
    from scoring.sides.layouts import OF_HISTORY

    histories = [_begins_with(path, OF_HISTORY) for path in (arguments.baseline, arguments.new)]
    if not any(histories):
        return
    from scoring.regression.history import History

    new = None
    if histories[1]:
        with History(arguments.new) as history:
            new = history.find(arguments.new_tag or "")
        arguments.new_tag = str(new.number)
    if histories[0]:
        is_same = histories[1] and os.path.samefile(arguments.baseline, arguments.new)
        with History(arguments.baseline) as history:
            choice = history.baseline(arguments.baseline_tag or "", new if is_same else None)
        arguments.baseline_tag = str(choice.run.number)
        note = choice.note(arguments.baseline)
        if note is not None:
            tell(note)


def gate_of(parser: CommandTable, arguments: argparse.Namespace) -> Gate:
    """Return the gate of a comparison; reject conditions that no result can fulfil."""
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
    margin, level = arguments.equal_within, arguments.significance
    if margin is not None and level >= LEAST_COVERED:
        parser.error(f"--equal-within needs --significance below {LEAST_COVERED}, found {level:g}")
    if arguments.fail_if_missing and MISSING in arguments.allow:
        parser.error(f"--fail-if-missing and --allow {MISSING} exclude each other")
    return Gate(
        conditions,
        arguments.significance if arguments.fail_if_significant else None,
        arguments.fail_if_recorded_differs,
        arguments.fail_if_unchecked,
        needs_all=arguments.fail_when == "all",
        level=arguments.significance,
        group_words=arguments.group_words,
        undecided_fails=arguments.undecided == "fail",
        equal_within=margin and margin._replace(level=level),
        none_may_be_lost=arguments.fail_if_missing,
    )


def refuse(
    parser: CommandTable,
    given: Mapping[str, object],
    names: Collection[str],
    reason: str,
) -> None:
    """Reject any of the flags in `names` that is given; the error states the reason."""
    for name in sorted({*given} & {*names}):
        typed = str(given[name]) if name == "search" else name  # has a flag for each value
        flag = flag_name(typed) if name in FIELDS else FLAGS.get(name, name.replace("_", "-"))
        parser.error(f"--{flag.removeprefix('--')} has no effect: {reason}")


# Flags that are not called as their values are.
FLAGS = {"baseline_runs": "baseline", "new_runs": "new", "level": "confidence-level"}


def task_tables(
    parser: CommandTable, arguments: argparse.Namespace, given: Mapping[str, object]
) -> list[list[UnitTable]] | None:
    """Return tables of both sides' task results, one per run; None if the sides have words."""
    from scoring.regression.task_figures import task_of

    paths = [
        [arguments.baseline, *arguments.baseline_runs],
        [arguments.new, *arguments.new_runs],
    ]
    every = [path for side in paths for path in side]
    tasks = list(map(task_of, every))
    if not any(tasks):
        return _tables_of_turns(parser, arguments, given, paths)
    names = list(dict.fromkeys(task or "words" for task in tasks))
    if len(names) > 1:
        parser.error(f"expected two results of a task, found {names[0]} and {names[1]}")
    [task] = names
    if arguments.reference is not None:
        parser.error(f"--reference {arguments.reference} has no effect: {SCORED}")
    refuse(parser, given, FIELDS.keys() - FOR_ALL, SCORED)
    refuse(
        parser,
        given,
        ("baseline_tag", "new_tag"),
        f"expected runs of a history, found results of {task}",
    )
    if task == "kws":
        reason = "the value of several runs of kws has no interval, since it divides no sums"
        refuse(parser, given, ("baseline_runs", "new_runs"), reason)
    refuse(parser, given, ("group_words",), f"a group of {task} has no reference words")
    for condition in (*arguments.fail_above, *arguments.fail_group_above):
        if task == "kws":
            parser.error(
                f"--{condition.option.replace(' ', '-')} {condition.text}: a greater value is "
                "better, see --fail-measure kws.atwv=0.4"
            )
    from scoring.regression.tasks import read_task

    tables = [list(map(read_task, side)) for side in paths]
    for check in chain.from_iterable(table.checks for table in chain(*tables)):
        if arguments.fail_if_unchecked and check.state == NOT_CHECKED:
            # numbers that no result of the task keeps the grounds of
            parser.error(
                f"--fail-if-unchecked cannot pass: {check.what}: {check.remark} "
                "(--fail-if-recorded-differs compares the others)"
            )
    return tables


def _tables_of_turns(
    parser: CommandTable,
    arguments: argparse.Namespace,
    given: Mapping[str, object],
    paths: Sequence[Sequence[str]],
) -> list[list[UnitTable]] | None:
    """Return tables of diarisation errors if all files have turns of speakers without words."""
    reference = arguments.reference
    if reference is None or not is_installed("scoring.tasks"):
        return None
    if not all(map(_has_only_turns, (reference, *chain(*paths)))):
        return None
    from scoring.cli.tasks.der import tables_of_turns

    reason = "the files have turns of speakers without words (`scoring der` has options for them)"
    refuse(parser, given, FIELDS.keys() - FOR_ALL, reason)
    return [tables_of_turns(reference, side) for side in paths]


def _has_only_turns(path: str) -> bool:
    """Return True if a file is RTTM without words."""
    if not _begins_with(path, b"SPEAKER ") and not _begins_with(path, b";;"):
        return False
    from formats.io.source import open_source
    from formats.reading import detect_source, stream
    from formats.schema.errors import FormatError

    try:
        with open_source(path) as source:
            name = detect_source(source).name
        if name != "rttm":
            return False
        with stream(path, name) as segments:
            return not any(segment.words for segment in segments)
    except FormatError:
        return False


def wordless_tables(
    parser: CommandTable,
    arguments: argparse.Namespace,
    given: Mapping[str, object],
    opening: VersionRequest,
) -> list[list[UnitTable]] | None:
    """Return tables of both sides, one per run, if a run has no words; otherwise None."""
    from scoring.sides.layouts import OF_HISTORY

    sides = [
        [
            (arguments.baseline, arguments.baseline_tag),
            *((path, "") for path in arguments.baseline_runs),
        ],
        [(arguments.new, arguments.new_tag), *((path, "") for path in arguments.new_runs)],
    ]
    every = list(chain(*sides))
    from scoring.score.engines.sums_files import is_sums

    if not any(_begins_with(path, OF_HISTORY) or is_sums(path) for path, _ in every):
        return None
    from scoring.regression.wordless import in_units_of, table_of_version, wordless_run

    runs = [[wordless_run(path, tag or "") for path, tag in side] for side in sides]
    lacking = [run.name for run in chain(*runs) if run is not None]
    if not lacking:
        return None
    if arguments.measures or arguments.meeting:
        parser.error(f"--measures and --meeting need words: {lacking[0]} has none")
    for condition in arguments.fail_measure:
        parser.error(
            f"--fail-measure {condition.text} needs the words of both sides: {lacking[0]} has none"
        )
    if len(lacking) == len(every):
        reason = f"the words of {' and '.join(lacking)} were not kept, to score them again"
        refuse(parser, given, {*FIELDS.keys() - FOR_ALL, "reference"}, reason)
    if sums := [run.name for run in chain(*runs) if run is not None and not len(run.units)]:
        names = {"show", "test", "block", "level", "replications", "seed", "interval"}
        names |= GROUPING | {"baseline_runs", "new_runs", "group_words"}
        reason = NO_UTTERANCES.format(" and ".join(sums))
        refuse(parser, given, names, reason)
        if MISSING in arguments.allow:
            parser.error(f"--allow {MISSING} has no effect: {reason}")
    from scoring.regression.opening import open_version

    tables: list[list[UnitTable]] = []
    for side, of_side in zip(runs, sides, strict=True):
        tables.append([])
        for run, (path, tag) in zip(side, of_side, strict=True):
            if run is None:
                version = open_version(path, opening.options, opening.reference, tag or "")
                refuse_tag(parser, arguments, path, version.kind)
                for note in version.notes:
                    tell(note)
                run = table_of_version(version)
            tables[-1].append(run)
    if len({table.unit for table in chain(*tables)}) > 1:
        # the groups of sums are the units of both sides, or only their sums are compared
        of_groups = next((each for each in chain(*tables) if each.kind == "sums"), tables[0][0])
        return [[in_units_of(table, of_groups) for table in side] for side in tables]
    return tables


def refuse_tag(parser: CommandTable, arguments: argparse.Namespace, path: str, kind: str) -> None:
    """Reject a tag on a side that is not a history."""
    for name in ("baseline", "new"):
        tag = getattr(arguments, f"{name}_tag")
        if tag is not None and getattr(arguments, name) == path and kind != "run":
            parser.error(f"--{name}-tag: expected a history of runs, found {kind}: {path}")


def refuse_of_means(
    parser: CommandTable, arguments: argparse.Namespace, given: Mapping[str, object]
) -> None:
    """Reject options that do not apply to a comparison of the means of several runs."""
    if arguments.baseline_runs or arguments.new_runs:
        refuse(parser, given, ("test", "interval"), OF_MEANS)
        if not arguments.measures:
            refuse(parser, given, ("replications", "seed"), OF_MEANS)


def _begins_with(path: str, magic: bytes) -> bool:
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(len(magic)) == magic
