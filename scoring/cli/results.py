"""What `scoring wer` and `scoring merge` have in common: where results go, and in which form."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from formats.command_line import OutputPath
from scoring.cli.nist_reports import (
    add_nist_report_arguments,
    check_nist_reports,
    on_standard_output,
    put_reports,
)
from scoring.cli.output import put as put
from scoring.cli.output import put_text as put_text
from scoring.cli.reading import add_choices, refuse_empty, whole_number
from scoring.cli.scoring import EXCEEDED, OK, say, warn
from scoring.errors import StatisticsError
from scoring.pages.hint import hint_of
from scoring.pages.numbers import percent
from scoring.pages.rates import (
    groups_of,
    speakers_of,
    summary_lines,
    utterances_of,
    warnings_of,
)
from scoring.pages.text import Appearance, text_lines
from scoring.regression.thresholds import Threshold, parse_threshold
from scoring.scored.rates import ErrorRates
from scoring.scored.record import Document, Shard, document_lines

if TYPE_CHECKING:
    from scoring.regression.comparison import ConfidenceInterval, Resampling

LEVEL, REPLICATIONS, SEED = 95.0, 10_000, 0
PIPE_WIDTH = 100


def add_output_arguments(parser: argparse.ArgumentParser, has_pages: bool = True) -> None:
    """Flags of the reports; `has_pages` if there are pages for browsers."""
    group = parser.add_argument_group("reports")
    group.add_argument("--per-speaker", action="store_true", help="a table by speaker")
    group.add_argument(
        "--per-utterance", action="store_true", help="every utterance with its alignment"
    )
    group.add_argument(
        "--json", type=OutputPath, metavar="FILE", help="everything as JSON (-: standard output)"
    )
    group.add_argument(
        "--csv", type=OutputPath, metavar="FILE", help="an utterance a row (-: standard output)"
    )
    group.add_argument(
        "--pairs",
        type=OutputPath,
        metavar="FILE",
        help="aligned words, a pair a row, as CSV (-: standard output)",
    )
    if has_pages:
        add_choices(group, ["by"])
        group.add_argument(
            "--html",
            type=OutputPath,
            metavar="FILE",
            help="a page for browsers, all systems side by side (-: standard output)",
        )
    group.add_argument(
        "--fail-above",
        metavar="PERCENT",
        type=_limit,
        help="exit status 3 if an error rate is greater",
    )
    add_terminal_arguments(group)
    add_nist_report_arguments(parser)
    statistics = parser.add_argument_group("statistics")
    statistics.add_argument(
        "--confidence-interval", action="store_true", help="bootstrap interval of the error rate"
    )
    add_resampling_arguments(statistics)


def add_terminal_arguments(group: argparse._ActionsContainer) -> None:
    """Flags of text for terminals."""
    group.add_argument(
        "--width",
        type=whole_number(40),
        metavar="COLUMNS",
        help=f"of alignments (default: that of the terminal, {PIPE_WIDTH} elsewhere)",
    )
    group.add_argument(
        "--colour",
        choices=("auto", "always", "never"),
        default="auto",
        help="default: on a terminal, unless NO_COLOR is set",
    )


def add_resampling_arguments(group: argparse._ActionsContainer) -> None:
    """Flags of intervals and tests."""
    group.add_argument(
        "--level",
        type=_level,
        default=LEVEL,
        metavar="PERCENT",
        help=f"what intervals are to cover (default: {LEVEL:g})",
    )
    group.add_argument(
        "--replications",
        type=whole_number(1),
        default=REPLICATIONS,
        metavar="N",
        help=f"(default: {REPLICATIONS})",
    )
    group.add_argument(
        "--seed", type=whole_number(0), default=SEED, metavar="N", help=f"(default: {SEED})"
    )
    group.add_argument(
        "--block",
        choices=("utterance", "speaker"),
        default="utterance",
        help="what is resampled as a whole (default: utterance)",
    )


def _percent(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"expected percent such as 12.5, found {text!r}")
    return value


def _limit(text: str) -> Threshold:
    try:
        threshold = parse_threshold(text)
    except ValueError:
        threshold = None
    if threshold is None or threshold.kind != "absolute":
        raise argparse.ArgumentTypeError(f"expected percent such as 12.5, found {text!r}")
    return threshold


def _level(text: str) -> float:
    value = _percent(text)
    if not 0 < value < 100:
        raise argparse.ArgumentTypeError(f"expected percent between 0 and 100, found {text!r}")
    return value


def check_outputs(parser: argparse.ArgumentParser, *paths: str | None) -> None:
    """Standard output takes one report."""
    if paths.count("-") > 1:
        parser.error("standard output takes one report only")


def check_reports(
    parser: argparse.ArgumentParser, arguments: argparse.Namespace, hypotheses: Sequence[str]
) -> None:
    """Reports that cannot be written as they are asked for, together with all others."""
    nist = "-" if on_standard_output(arguments) else None
    check_outputs(parser, arguments.json, arguments.csv, arguments.pairs, arguments.html, nist)
    check_nist_reports(parser, arguments, hypotheses)


def use_colour(arguments: argparse.Namespace) -> bool:
    """Whether text is to be coloured."""
    if arguments.colour == "auto":
        return bool(sys.stdout.isatty()) and not os.environ.get("NO_COLOR")
    return bool(arguments.colour == "always")


def line_width(arguments: argparse.Namespace) -> int:
    """How wide lines of alignments may be."""
    if arguments.width is not None:
        return int(arguments.width)
    if sys.stdout.isatty():
        return shutil.get_terminal_size((PIPE_WIDTH, 24)).columns
    return PIPE_WIDTH


def resampling_of(arguments: argparse.Namespace) -> Resampling:
    """How intervals are computed, as the flags say."""
    from scoring.regression.comparison import Resampling

    return Resampling(arguments.replications, arguments.seed, arguments.level / 100)


def blocks_of(rates: ErrorRates, arguments: argparse.Namespace) -> str | list[str | None]:
    """What is drawn as a whole.

    Raises
    ------
    StatisticsError
        If that are speakers, and an utterance has none.
    """
    if arguments.block == "utterance":
        return "utterance"
    for identifier, speaker in zip(rates.identifiers, rates.speakers, strict=True):
        if speaker is None:
            raise StatisticsError(
                f"--block speaker: expected a speaker of every utterance, found none of "
                f"{identifier!r} (--utt2spk names them)"
            )
    return list(rates.speakers)


def interval_of(rates: ErrorRates, arguments: argparse.Namespace) -> ConfidenceInterval | None:
    """The interval, if it is asked for."""
    if not arguments.confidence_interval:
        return None
    from scoring.regression.significance import confidence_interval

    blocks = blocks_of(rates, arguments)
    try:
        found = confidence_interval(
            rates.per_utterance, block=blocks, resampling=resampling_of(arguments)
        )
    except ValueError as problem:
        raise StatisticsError(str(problem)) from None
    return found._replace(block=arguments.block)


def tell(remark: str) -> None:
    """Print a remark: as a warning, unless it says itself what it is."""
    known = remark.startswith("note: ") or ": note: " in remark or ": warning: " in remark
    (say if known else warn)(remark)


def tell_of(rates: ErrorRates, arguments: argparse.Namespace, name: str = "") -> None:
    """Tell what may have been overlooked in a result, with a name before the hint.

    Raises
    ------
    NothingScoredError
        If there is nothing in the reference, and that is not asked for.
    """
    for remark in rates.remarks:
        tell(remark)
    for text in warnings_of(rates):
        warn(text)
    refuse_empty(rates.counts.reference_tokens, rates.reference.path, arguments)
    hint = hint_of(rates)
    if hint is not None:
        say(name + hint)


def deliver(
    systems: Sequence[ErrorRates], arguments: argparse.Namespace, shard: Shard | None = None
) -> int:
    """Write what was asked for; the exit status."""
    from scoring.pages.spreadsheet import pair_rows, utterance_rows

    for rates in systems:
        tell_of(rates, arguments, f"{rates.hypothesis.path}: " if len(systems) > 1 else "")
    intervals = [interval_of(rates, arguments) for rates in systems]
    if arguments.json is not None:
        records = [interval and interval.record() for interval in intervals]
        put(arguments.json, document_lines(Document(systems, shard, records)))
    if arguments.csv is not None:
        put(arguments.csv, utterance_rows(systems))
    if arguments.pairs is not None:
        put(arguments.pairs, pair_rows(systems))
    if arguments.html is not None:
        from scoring.pages.html.report import page

        put(arguments.html, page(systems, intervals))
    if arguments.nist_reports:
        put_reports(systems, arguments)
    files = (arguments.json, arguments.csv, arguments.pairs, arguments.html)
    if "-" not in files and not on_standard_output(arguments):
        put_text(_text(systems, intervals, arguments))
    return verdict(systems, arguments)


def _text(
    systems: Sequence[ErrorRates],
    intervals: Sequence[ConfidenceInterval | None],
    arguments: argparse.Namespace,
) -> Iterator[str]:
    look = Appearance(line_width(arguments), use_colour(arguments))
    for number, (rates, interval) in enumerate(zip(systems, intervals, strict=True)):
        if len(systems) > 1:
            yield ("\n" if number else "") + f"== {rates.hypothesis.path}"
        yield from summary_lines(rates, interval)
        if arguments.per_speaker:
            yield ""
            yield from text_lines(speakers_of(rates), look)
        if rates.groups:
            yield ""
            yield from text_lines(groups_of(rates), look)
        if arguments.per_utterance:
            yield ""
            yield from text_lines(utterances_of(rates), look)


def verdict(systems: Sequence[ErrorRates], arguments: argparse.Namespace) -> int:
    """The exit status: whether an error rate is beyond the limit that was set."""
    limit: Threshold | None = arguments.fail_above
    status = OK
    for rates in systems:
        if limit is not None and limit.exceeded(rates.counts, rates.counts):
            say(f"{rates.hypothesis.path}: error rate {percent(rates.corpus)} % is {limit}")
            status = EXCEEDED
    return status
