"""What `scoring events` and `scoring segments` have in common: labels in, reports out."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from math import inf
from pathlib import Path

from formats.command_line import CommandParser, InputPath, OutputPath
from scoring.cli.nist_reports import (
    add_nist_report_arguments,
    check_nist_reports,
    on_standard_output,
    put_parts,
)
from scoring.cli.reading_options import (
    OF_FILES,
    add_allow_empty,
    add_choices,
    decimal,
    options_of,
    refuse_empty,
)
from scoring.cli.results import (
    add_terminal_arguments,
    check_outputs,
    line_width,
    put,
    put_text,
    tell,
    use_colour,
)
from scoring.cli.scoring import OK, say, warn
from scoring.labels.evaluation import COLUMNS, MISSING, SCORE, AnyEvaluation, Evaluator, Result
from scoring.labels.outcome import Outcome, listed
from scoring.labels.reports import DEFAULT_SECTIONS, SECTIONS, render
from scoring.labels.reports.nist import ENDINGS, parts_of
from scoring.labels.transcripts import AUTO, UNITS, outcome_of_transcript
from scoring.matching.by_time import unit_remark
from scoring.sides.side_files import read_transcript, readings_of

FILES = ("markdown", "html", "json")


seconds = decimal("seconds such as 0.05", lambda value: 0 <= value < inf)


def label_parser(command: str, description: str) -> argparse.ArgumentParser:
    """A parser with the arguments both commands have."""
    parser = CommandParser(
        prog=f"scoring {command}",
        description=description,
        epilog="Formats are detected; `formats --help` lists them.",
    )
    parser.add_argument(
        "reference", type=InputPath, metavar="REF", help="reference file, - for standard input"
    )
    parser.add_argument("hypothesis", type=InputPath, metavar="HYP", help="hypothesis file")
    group = parser.add_argument_group("reading")
    add_choices(group, OF_FILES)
    group.add_argument(
        "--labels",
        choices=UNITS,
        default=AUTO,
        help="what makes a label; auto (default): words where words have times, else segments",
    )
    group.add_argument("--reference-tier", metavar="NAME", help="which tier, if there are several")
    group.add_argument("--hypothesis-tier", metavar="NAME", help="the same of the hypothesis")
    lengths = group.add_mutually_exclusive_group()
    lengths.add_argument(
        "--duration", type=seconds, metavar="SECONDS", help="of every utterance (recording)"
    )
    lengths.add_argument(
        "--durations",
        type=InputPath,
        metavar="FILE",
        help="of each: a name and seconds a line, as in utt2dur",
    )
    group.add_argument(
        "--missing",
        choices=MISSING,
        default=SCORE,
        help="utterances of one side only are scored against nothing (default), or an error",
    )
    add_allow_empty(group)
    return parser


def add_report_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of the reports."""
    group = parser.add_argument_group("reports")
    group.add_argument(
        "--per-utterance", action="store_true", help="every utterance with its alignment"
    )
    group.add_argument(
        "--by",
        action="append",
        default=[],
        choices=COLUMNS,
        help="sums by speaker, recording or channel, several nested: --by speaker --by channel",
    )
    for name, text in (
        ("markdown", "the text as Markdown"),
        ("html", "everything as a page"),
        ("json", "everything as JSON"),
    ):
        group.add_argument(
            f"--{name}", type=OutputPath, metavar="FILE", help=f"{text} (-: standard output)"
        )
    add_terminal_arguments(group)
    add_nist_report_arguments(parser, ENDINGS)


def check(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    """Arguments that do not go together."""
    check_outputs(parser, *(getattr(arguments, name) for name in FILES))
    if arguments.reference == arguments.hypothesis == "-":
        parser.error("standard input can be read once only")
    check_nist_reports(parser, arguments, [arguments.hypothesis])


def evaluated(evaluator: Evaluator[Result], arguments: argparse.Namespace) -> Result:
    """Both files, scored."""
    # files that do not name a recording are of the same one
    stem = None if arguments.reference == "-" else Path(arguments.reference).stem
    sides = []
    for reading in readings_of(options_of(arguments, OF_FILES)):
        side = reading.side
        path, tier = getattr(arguments, side), getattr(arguments, f"{side}_tier")
        given = dict(reading.options)
        transcript = read_transcript(path, reading.format, reading.encoding, given, side, stem)
        for remark in transcript.diagnostics:
            if remark.severity != "note":
                warn(str(remark))
        sides.append(outcome_of_transcript(transcript, unit=arguments.labels, tier=tier))
    reference, hypothesis = sides[0], _of_the_same(sides[0], sides[1])
    durations = _durations(arguments, reference, hypothesis)
    common = reference.label_lists.keys() & hypothesis.label_lists.keys()
    latest = (_latest(side, common) for side in (hypothesis, reference))
    mistaken = unit_remark(arguments.hypothesis, *latest)
    if mistaken is not None:
        tell(mistaken)
    evaluation = evaluator.evaluate(reference, hypothesis, durations=durations)
    for text in evaluation.remarks:
        warn(text)
    labels = sum(map(len, evaluation.ref_outcome.label_lists.values()))
    refuse_empty(labels, arguments.reference, arguments)
    return evaluation


def _of_the_same(reference: Outcome, hypothesis: Outcome) -> Outcome:
    """The hypothesis under the name of the reference, if both have just one recording."""
    ours, theirs = list(reference.label_lists), list(hypothesis.label_lists)
    if len(ours) != 1 or len(theirs) != 1 or ours == theirs:
        return hypothesis
    say(f"note: recording {theirs[0]!r} of the hypothesis is taken for {ours[0]!r}")
    known = hypothesis.utterance_durations.get(theirs[0])
    return Outcome(
        {ours[0]: hypothesis.label_lists[theirs[0]]},
        None if known is None else {ours[0]: known},
        remarks=hypothesis.remarks,
    )


def _latest(outcome: Outcome, utterances: Iterable[str]) -> float:
    ends = (label.end for name in utterances for label in outcome.label_lists[name])
    return max((end for end in ends if end is not None), default=0.0)


def _durations(
    arguments: argparse.Namespace, reference: Outcome, hypothesis: Outcome
) -> dict[str, float]:
    """Seconds of utterances as given; those that are in no list are told."""
    utterances = dict.fromkeys((*reference.label_lists, *hypothesis.label_lists))
    if arguments.duration is not None:
        return dict.fromkeys(utterances, arguments.duration)
    if arguments.durations is None:
        return {}
    from scoring.labels.transcripts import read_durations

    durations = read_durations(arguments.durations, arguments.encoding)
    known = durations | reference.utterance_durations | hypothesis.utterance_durations
    missing = [utterance for utterance in utterances if utterance not in known]
    if missing:
        warn(f"{arguments.durations}: no duration of utterances {listed(missing)}")
    return durations


def deliver(
    evaluation: AnyEvaluation,
    arguments: argparse.Namespace,
    keyword_groups: Mapping[str, Sequence[str]] | None = None,
) -> int:
    """Write what was asked for; the exit status."""
    names = (arguments.reference, arguments.hypothesis)
    sections = SECTIONS if arguments.per_utterance else DEFAULT_SECTIONS
    for name in FILES:
        path = getattr(arguments, name)
        if path is not None:
            wanted = None if name == "html" else sections
            text = render(
                evaluation,
                name,
                sections=wanted,
                names=names,
                keyword_groups=keyword_groups,
                by=arguments.by,
            )
            put(path, [text.encode("utf-8", "backslashreplace")])
    if arguments.nist_reports:
        parts = parts_of(evaluation, arguments.nist_reports, names[1], arguments.nist_width)
        put_parts(parts, arguments.hypothesis, arguments, names)
    if "-" not in [getattr(arguments, name) for name in FILES] and not on_standard_output(
        arguments
    ):
        text = render(
            evaluation,
            "text",
            sections=sections,
            names=names,
            keyword_groups=keyword_groups,
            by=arguments.by,
            columns=line_width(arguments),
            colour=use_colour(arguments),
        )
        put_text(text.splitlines())
    return OK
