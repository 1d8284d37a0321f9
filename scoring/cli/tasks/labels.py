"""`scoring events` and `scoring segments`: score labels from files in any format."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from math import inf, isfinite
from pathlib import Path
from typing import Any

from formats.console.command_line import CommandTable
from formats.console.telling import each_kind
from formats.schema.messages import Message
from scoring.cli import flags, gates, results
from scoring.cli.flags import tell_idle
from scoring.cli.scoring import tell
from scoring.sides.corpus import ListedNames
from scoring.sides.given import read_transcript, readings_of
from scoring.sides.matching.by_time import unit_remark
from scoring.tasks import messages
from scoring.tasks.labels import aligners
from scoring.tasks.labels.aligners.segments import TIME_THRESHOLD, InvariantSegmentAligner
from scoring.tasks.labels.evaluation import Evaluation, Evaluator
from scoring.tasks.labels.events import EventEvaluator
from scoring.tasks.labels.keywords import KWSEvaluation, KWSEvaluator
from scoring.tasks.labels.outcome import Outcome
from scoring.tasks.labels.reports import DEFAULT_SECTIONS, SECTIONS, render
from scoring.tasks.labels.segments import SegmentEvaluator
from scoring.tasks.labels.thresholds import ThresholdReport, accepted, has_scores
from scoring.tasks.labels.transcripts import AUTO, UNITS, outcome_of_transcript

READING = f"""
reference <REF  reference file, - for stdin
hypothesis <HYP  hypothesis file
[input]
@of_files
* --labels  what the labels are: words, segments or speakers; auto: words if they have times,
  otherwise segments (default)
* --reference-tier NAME  reference tier to score, if there are several
* --hypothesis-tier NAME  hypothesis tier to score, if there are several
| --duration SECONDS  length of every recording, if all have the same length
| --durations <FILE  file with the name and the length in seconds of a recording on each line, as in
  utt2dur
{flags.ALLOW_EMPTY}
[scoring]
"""
REPORTS = f"""
[reports]
* --per-utterance  print every utterance with its alignment
--markdown
* --html
{results.JSON}
{results.TERMINAL}
[gate]
{results.ABOVE}
{gates.TASK_TABLE}
"""

BIPARTITE, FULL, LEVENSHTEIN = "bipartite", "full", "levenshtein"
EVENTS = """
* --align {bipartite,full,levenshtein}  how to pair labels: each label with at most one other by
  time (bipartite, default), all labels that overlap (full), or in their order (levenshtein)
* --min-overlap SECONDS  pair labels that overlap by at least SECONDS (default: 0.05; with --align
  full: any overlap)
--start-tolerance SECONDS  pair labels whose starts differ by at most SECONDS, even if they do not
  overlap
--end-tolerance SECONDS  with --start-tolerance, pair labels only if their ends also differ by at
  most SECONDS
* --as-keywords  score events as keywords: false rejections, false alarms, term-weighted value
--threshold SCORE  score only detections whose score (confidence) is at least SCORE
--at-false-alarms RATE  with --as-keywords, set the score threshold so that there are at most RATE
  false alarms per hour
"""
SEGMENTS = f"""
* --time-threshold SECONDS  treat times that differ by less than SECONDS as equal (default:
  {TIME_THRESHOLD:g})
"""

_seconds = flags.decimal("seconds such as 0.05", lambda value: 0 <= value < 1e9)
_score = flags.decimal("a score such as 0.5", isfinite)
_rate = flags.decimal("a number from 0", lambda value: 0 <= value < inf)


def _parser(command: str, description: str, table: str, **kinds: Any) -> CommandTable:
    """Return the parser of a command, with shared arguments and the arguments in `table`."""
    parser = flags.command_parser(
        command,
        description,
        f"{READING}{table}{REPORTS}",
        epilog="Formats are detected; `formats list` lists them.",
        labels={"choices": UNITS, "default": AUTO},
        SECONDS=_seconds,
        **results.KINDS | gates.task_kinds("labels"),
        **kinds,
    )
    parser.way_of_more_files = gates.way_of_more_files(command)
    return parser


def _check(parser: CommandTable, arguments: argparse.Namespace) -> None:
    """Reject arguments that exclude each other."""
    results.check_outputs(parser, arguments)
    tell_idle(parser, arguments)
    flags.check_standard_input(parser, [arguments.reference, arguments.hypothesis])


def _evaluated(evaluator: Evaluator[Any], arguments: argparse.Namespace) -> Evaluation:
    """Return the evaluation of both files."""
    # files that do not name a recording are of the same one
    stem = None if arguments.reference == "-" else Path(arguments.reference).stem
    sides = []
    for reading in readings_of(flags.options_of(arguments, flags.OF_FILES)):
        side = reading.side
        path, tier = getattr(arguments, side), getattr(arguments, f"{side}_tier")
        options = dict(reading.options)
        transcript = read_transcript(path, reading.format, reading.encoding, options, side, stem)
        for remark in each_kind(transcript.diagnostics):
            if remark.is_shown:
                tell(remark)
        outcome = outcome_of_transcript(transcript, unit=arguments.labels, tier=tier)
        threshold = getattr(arguments, "threshold", None)
        if threshold is not None and side == "hypothesis":
            outcome = accepted(outcome, threshold)
        sides.append(outcome)
    reference, hypothesis = sides[0], _of_the_same(sides[0], sides[1])
    durations = _durations(arguments, reference, hypothesis)
    common = reference.label_lists.keys() & hypothesis.label_lists.keys()
    latest = (_latest(side, common) for side in (hypothesis, reference))
    mistaken = unit_remark(arguments.hypothesis, *latest)
    if mistaken is not None:
        tell(mistaken)
    if (threshold := getattr(arguments, "threshold", None)) is not None:
        evaluator.choices["threshold"] = f"{threshold:g}"
    evaluation: Evaluation = evaluator.evaluate(
        reference, hypothesis, durations=durations, unit=arguments.labels
    )
    for message in evaluation.remarks:
        tell(message)
    total = sum(map(len, evaluation.ref_outcome.label_lists.values()))
    flags.refuse_empty(total, arguments.reference, arguments)
    return evaluation


def _of_the_same(reference: Outcome, hypothesis: Outcome) -> Outcome:
    """Return the hypothesis with the recording name of the reference.

    If a side has several recordings, return the hypothesis unchanged.
    """
    ours, theirs = list(reference.label_lists), list(hypothesis.label_lists)
    if len(ours) != 1 or len(theirs) != 1 or ours == theirs:
        return hypothesis
    fields = {"recording": theirs[0], "target": ours[0]}
    tell(Message(messages.OTHER_RECORDING, fields))
    duration = hypothesis.utterance_durations.get(theirs[0])
    return Outcome(
        {ours[0]: hypothesis.label_lists[theirs[0]]},
        None if duration is None else {ours[0]: duration},
        remarks=hypothesis.remarks,
    )


def _latest(outcome: Outcome, utterances: Iterable[str]) -> float:
    ends = (label.end for name in utterances for label in outcome.label_lists[name])
    return max((end for end in ends if end is not None), default=0.0)


def _durations(
    arguments: argparse.Namespace, reference: Outcome, hypothesis: Outcome
) -> dict[str, float]:
    """Return the durations of utterances in seconds, by name; warn about missing utterances."""
    utterances = dict.fromkeys((*reference.label_lists, *hypothesis.label_lists))
    if arguments.duration is not None:
        return dict.fromkeys(utterances, arguments.duration)
    if arguments.durations is None:
        return {}
    from scoring.tasks.labels.transcripts import read_durations

    durations = read_durations(arguments.durations, arguments.encoding)
    known = durations | reference.utterance_durations | hypothesis.utterance_durations
    missing = [utterance for utterance in utterances if utterance not in known]
    if missing:
        fields = {"path": arguments.durations, **ListedNames.of(missing).fields}
        tell(Message(messages.WITHOUT_DURATION, fields))
    return durations


def _operation(evaluation: KWSEvaluation, arguments: argparse.Namespace) -> ThresholdReport | None:
    """Return the curve over thresholds.

    Returns None if detections have no scores, or if durations are missing.
    """
    limit = arguments.at_false_alarms
    if limit is None:
        known = evaluation.knows_durations and has_scores(evaluation.hyp_outcome)
        if not known or arguments.align == FULL:
            return None
    return ThresholdReport(evaluation.operating_curve(_aligner(arguments)), limit)


def _deliver(
    evaluation: Evaluation, arguments: argparse.Namespace, operation: ThresholdReport | None = None
) -> int:
    """Write the selected reports; return the exit status."""
    names = (arguments.reference, arguments.hypothesis)
    sections = SECTIONS if arguments.per_utterance else DEFAULT_SECTIONS
    draw = partial(render, evaluation, names=names, operation=operation)
    for form in ("markdown", "html", "json"):
        path = getattr(arguments, form)
        if path is not None:
            text = draw(form, sections=None if form == "html" else sections)
            results.put(path, [text.encode("utf-8", "backslashreplace")])
    if "-" not in results.targets(arguments):
        columns, colour = results.line_width(arguments), results.use_colour(arguments)
        text = draw("text", sections=sections, columns=columns, colour=colour)
        results.put_text(text.splitlines())
    whole = evaluation.confusion
    rates = []
    if arguments.fail_above:
        wrong = whole.substitutions + whole.deletions + whole.insertions
        rates = gates.rate_findings(arguments, names[1], Fraction(wrong), Fraction(whole.total))
    return gates.task_status(names[1], lambda: [draw("json").encode()], arguments, rates)


def events(argv: Sequence[str]) -> int:
    """Run `scoring events`; return the exit status."""
    title = "Score labelled events: which were detected, missed, or given a wrong label."
    kinds = {"align": {"default": BIPARTITE}, "threshold": {"type": _score}}
    parser = _parser("events", title, EVENTS, at_false_alarms={"type": _rate}, **kinds)
    arguments = parser.parse_args(argv)
    _check_events(parser, arguments)
    aligner = _aligner(arguments)
    if not arguments.as_keywords:
        return _deliver(_evaluated(EventEvaluator(aligner), arguments), arguments)
    evaluation = _evaluated(KWSEvaluator(aligner), arguments)
    assert isinstance(evaluation, KWSEvaluation)
    return _deliver(evaluation, arguments, _operation(evaluation, arguments))


def _check_events(parser: CommandTable, arguments: argparse.Namespace) -> None:
    _check(parser, arguments)
    starts, ends = arguments.start_tolerance, arguments.end_tolerance
    if ends is not None and starts is None:
        parser.error("--end-tolerance needs --start-tolerance")
    if starts is not None and (arguments.min_overlap is not None or arguments.align != BIPARTITE):
        parser.error("--start-tolerance needs --align bipartite, without --min-overlap")
    if arguments.at_false_alarms is not None and not arguments.as_keywords:
        parser.error("--at-false-alarms needs --as-keywords")
    if arguments.at_false_alarms is not None and arguments.align == FULL:
        parser.error("--at-false-alarms needs labels paired one to one, not --align full")
    if arguments.min_overlap is not None and arguments.align == LEVENSHTEIN:
        parser.error("--min-overlap does not apply to --align levenshtein")


def _aligner(arguments: argparse.Namespace) -> aligners.EventAligner:
    if arguments.align == LEVENSHTEIN:
        return aligners.LevenshteinAligner()
    if arguments.align == FULL:
        return aligners.FullMatchingAligner(arguments.min_overlap or 0)
    finder: aligners.CandidateFinder | None = None
    if arguments.start_tolerance is not None:
        ends = -1 if arguments.end_tolerance is None else arguments.end_tolerance
        finder = aligners.StartEndCandidateFinder(arguments.start_tolerance, ends)
    elif arguments.min_overlap is not None:
        finder = aligners.OverlapCandidateFinder(arguments.min_overlap)
    return aligners.BipartiteMatchingAligner(finder)


def segments(argv: Sequence[str]) -> int:
    """Run `scoring segments`; return the exit status."""
    title = "Score labelled segments: how many seconds have the right label."
    seconds = {"type": _seconds, "default": TIME_THRESHOLD}
    parser = _parser("segments", title, SEGMENTS, time_threshold=seconds)
    arguments = parser.parse_args(argv)
    _check(parser, arguments)
    evaluator = SegmentEvaluator(InvariantSegmentAligner(arguments.time_threshold))
    return _deliver(_evaluated(evaluator, arguments), arguments)
