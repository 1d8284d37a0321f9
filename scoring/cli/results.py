"""What `scoring wer` and `scoring merge` have in common: where results go, and in which form."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from formats.command_line import PIPE_WIDTH, InputPath, OutputPath, add_colour
from formats.command_line import line_width as line_width
from formats.command_line import use_colour as use_colour
from scoring.cli.nist_reports import (
    add_nist_report_arguments,
    check_nist_reports,
    on_standard_output,
    put_reports,
)
from scoring.cli.output import put as put
from scoring.cli.output import put_text as put_text
from scoring.cli.reading_options import add_choices, decimal, refuse_empty, whole_number
from scoring.cli.scoring import EXCEEDED, OK, say, warn
from scoring.drawing.blocks import Block, Heading, Items
from scoring.drawing.forms import encoded, lines_of
from scoring.drawing.numbers import percent
from scoring.drawing.terminal import shown
from scoring.drawing.text import Appearance, text_lines
from scoring.errors import StatisticsError
from scoring.matching.outcome import DECLINED, EMPTY, SCORED
from scoring.pages.hint import hint_of
from scoring.pages.rates import (
    groups_of,
    speakers_of,
    summary_lines,
    utterances_of,
    warnings_of,
)
from scoring.scored.rates import ErrorRates

if TYPE_CHECKING:
    from scoring.matching.outcome import SessionErrors
    from scoring.regression.comparison import ConfidenceInterval, Resampling
    from scoring.regression.ranking import Ranking
    from scoring.regression.verdict import Threshold
    from scoring.scored.record import Shard

LEVEL, REPLICATIONS, SEED = 95.0, 10_000, 0
# Fewer are warned of where they are resampled.
FEW_SESSIONS = 10
FILES = ("json", "csv", "pairs", "markdown", "html")


_level = decimal("percent between 0 and 100", lambda value: 0 < value < 100)


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
    add_csv_safe(group)
    group.add_argument(
        "--markdown",
        type=OutputPath,
        metavar="FILE",
        help="the text as Markdown (-: standard output)",
    )
    add_choices(group, ["by"])
    if has_pages:
        group.add_argument(
            "--html",
            type=OutputPath,
            metavar="FILE",
            help="a page for browsers, all systems side by side (-: standard output)",
        )
        group.add_argument(
            "--audio",
            metavar="FOLDER",
            help="of --html: recordings to be heard, linked as RECORDING.wav, .flac and so on",
        )
        group.add_argument(
            "--vocabulary",
            type=InputPath,
            metavar="FILE",
            help="of --html: mark words that are not the first field of any of its lines",
        )
        group.add_argument(
            "--sort",
            choices=("rate", "name"),
            help="the order of several systems in all reports (default: as they are given)",
        )
        group.add_argument(
            "--best",
            action="store_true",
            help="of several systems report the one of the lowest rate; the ranking has all",
        )
    add_thresholds(group)
    add_terminal_arguments(group)
    add_nist_report_arguments(parser)
    if has_pages:
        add_recording_arguments(parser)
    statistics = parser.add_argument_group("statistics")
    statistics.add_argument(
        "--confidence-interval", action="store_true", help="bootstrap interval of the error rate"
    )
    add_resampling_arguments(statistics)


def add_recording_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `scoring history`: where the result is remembered, and as what."""
    group = parser.add_argument_group("history")
    group.add_argument(
        "--record",
        type=OutputPath,
        metavar="FILE",
        help="remember each system in this file, for `scoring history`; it is made if need be",
    )
    group.add_argument(
        "--tag",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="what it is to be found by; may be given several times",
    )
    group.add_argument(
        "--without-alignments", action="store_true", help="remember errors, but no words"
    )


def remember(systems: Sequence[ErrorRates], arguments: argparse.Namespace) -> None:
    """Write results into a history, where that is asked for."""
    if arguments.record is None:
        return
    from scoring.regression.history import History, tags_of

    tags = tags_of(arguments.tag)
    with History(arguments.record, create=True) as history:
        for rates in systems:
            run = history.record(rates, tags, alignments=not arguments.without_alignments)
            say(f"note: {rates.hypothesis.path}: run {run.number} of {arguments.record}")


def add_csv_safe(group: argparse._ActionsContainer) -> None:
    """The flag of CSV that a spreadsheet opens."""
    group.add_argument(
        "--csv-safe",
        action="store_true",
        help="in CSV put an apostrophe before texts that a spreadsheet would take for formulas",
    )


def add_terminal_arguments(group: argparse._ActionsContainer) -> None:
    """Flags of text for terminals."""
    group.add_argument(
        "--width",
        type=whole_number(40),
        metavar="COLUMNS",
        help=f"of alignments (default: that of the terminal, {PIPE_WIDTH} elsewhere)",
    )
    add_colour(group)


def add_resampling_arguments(group: argparse._ActionsContainer, blocks: bool = True) -> None:
    """Flags of intervals and tests; `blocks` if what is resampled may be chosen."""
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
        "--seed",
        type=whole_number(0, (1 << 64) - 1),
        default=SEED,
        metavar="N",
        help=f"(default: {SEED})",
    )
    if not blocks:
        return
    group.add_argument(
        "--block",
        choices=("utterance", "speaker"),
        default="utterance",
        help="what is resampled as a whole (default: utterance)",
    )


def add_thresholds(group: argparse._ActionsContainer, *, has_baseline: bool = False) -> None:
    """Flags of limits on error rates, which mean the same in every command."""
    group.add_argument(
        "--fail-above",
        action="append",
        default=[],
        metavar="PERCENT",
        type=_rate,
        help="exit status 3 if an error rate is greater, for example 12.5 or 12.5%% (repeatable)",
    )
    if has_baseline:
        group.add_argument(
            "--fail-increase",
            action="append",
            default=[],
            metavar="5%|0.5pt",
            type=_increase,
            help="exit status 3 if the error rate exceeds the baseline's by more than 5%% of it, "
            "or by more than 0.5 percentage points (repeatable)",
        )


def _rate(text: str) -> Threshold:
    from scoring.regression.verdict import parse_rate

    return _parsed(parse_rate, text)


def _increase(text: str) -> Threshold:
    from scoring.regression.verdict import parse_increase

    return _parsed(parse_increase, text)


def _parsed(parse: Callable[[str], Threshold], text: str) -> Threshold:
    try:
        return parse(text)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def exceeds(
    arguments: argparse.Namespace, name: str, errors: int, total: int, noun: str = "error rate"
) -> bool:
    """Whether an error rate is above a limit; prints each limit it exceeds."""
    if arguments.fail_above and not total:
        raise StatisticsError(f"{name} has no error rate: there are no reference words")
    exceeded = [one for one in arguments.fail_above if errors > one.limit() * total]
    for one in exceeded:
        limit = one.text.removeprefix("fail above ").removesuffix("%")
        say(f"{name}: {noun} {percent(errors / total)} % is above {limit} %")
    return bool(exceeded)


def check_outputs(parser: argparse.ArgumentParser, *paths: str | None) -> None:
    """Standard output takes one report."""
    if paths.count("-") > 1:
        parser.error("standard output takes one report only")


def check_reports(
    parser: argparse.ArgumentParser, arguments: argparse.Namespace, hypotheses: Sequence[str]
) -> None:
    """Reports that cannot be written as they are asked for, together with all others."""
    nist = "-" if on_standard_output(arguments) else None
    check_outputs(parser, *(getattr(arguments, name) for name in FILES), nist)
    for name in ("audio", "vocabulary"):
        if getattr(arguments, name, None) is not None and arguments.html is None:
            parser.error(f"--{name} goes with --html")
    if arguments.record is None and (arguments.tag or arguments.without_alignments):
        parser.error("--tag and --without-alignments go with --record")
    if arguments.record == "-":
        parser.error("--record: expected the name of a file, found -")
    if arguments.record is not None:
        from scoring.regression.history import History, tags_of

        # what cannot be recorded is told before the work
        tags_of(arguments.tag)
        if os.path.exists(arguments.record):
            History(arguments.record, create=True).close()
        elif not os.path.isdir(os.path.dirname(arguments.record) or "."):
            parser.error(f"--record: expected an existing folder, found {arguments.record!r}")
    check_nist_reports(parser, arguments, hypotheses)


def resampling_of(arguments: argparse.Namespace) -> Resampling:
    """How intervals are computed, as the flags say."""
    from scoring.regression.comparison import Resampling

    return Resampling(arguments.replications, arguments.seed, arguments.level / 100)


def blocks_of(rates: ErrorRates, arguments: argparse.Namespace) -> str | list[str | None]:
    """What is drawn as a whole."""
    if rates.session_of and arguments.block == "utterance":
        warn_of_few(rates.hypothesis.path, len(set(rates.session_of)))
        return list(rates.session_of)
    if arguments.block == "utterance":
        return "utterance"
    for identifier, speaker in zip(rates.identifiers, rates.speakers, strict=True):
        if speaker is None:
            raise StatisticsError(
                f"--block speaker: expected a speaker of every utterance, found none of "
                f"{identifier!r} (--utt2spk names them)"
            )
    return list(rates.speakers)


def warn_of_few(path: str, sessions: int) -> None:
    """Warn where few sessions are drawn."""
    if sessions < FEW_SESSIONS:
        number = "1 session" if sessions == 1 else f"{sessions} sessions"
        warn(f"{path}: an interval drawn from {number} says little")


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
    return found._replace(block="session" if rates.session_of else arguments.block)


def tell(remark: str) -> None:
    """Print a remark: as a warning, unless it says itself what it is."""
    known = remark.startswith("note: ") or ": note: " in remark or ": warning: " in remark
    (say if known else warn)(remark)


def tell_of(rates: ErrorRates, arguments: argparse.Namespace, name: str = "") -> None:
    """Tell what may have been overlooked in a result, with a name before the hint."""
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
    for rates in systems:
        tell_of(rates, arguments, f"{rates.hypothesis.path}: " if len(systems) > 1 else "")
    ranking = _ranking_of(systems, arguments) if len(systems) > 1 else None
    if arguments.sort == "name" and not arguments.best:
        systems = sorted(systems, key=lambda rates: rates.hypothesis.path)
    elif arguments.sort == "rate" or arguments.best:
        from scoring.regression.ranking import in_order

        systems = in_order(systems)
    if arguments.best:
        systems = systems[:1]
    intervals = [interval_of(rates, arguments) for rates in systems]
    extras = None
    if arguments.html is not None:
        from scoring.pages.html.extras import extras_of

        extras, remark = extras_of(systems, arguments.html, arguments.audio, arguments.vocabulary)
        if remark is not None:
            warn(f"{arguments.audio}: {remark}")
    if arguments.json is not None:
        from scoring.scored.record import Document, document_lines

        records = [interval and interval.record() for interval in intervals]
        told = None if ranking is None else ranking.record()
        put(arguments.json, document_lines(Document(systems, shard, records, told)))
    if arguments.csv is not None:
        from scoring.pages.spreadsheet import utterance_table

        put_csv(arguments.csv, utterance_table(systems), arguments)
    put_pairs(systems, arguments)
    if extras is not None:
        from scoring.pages.html.report import page

        put(arguments.html, page(systems, intervals, ranking=ranking, extras=extras))
    if arguments.nist_reports:
        put_reports(systems, arguments)
    remember(systems, arguments)
    put_summaries(
        [
            Told(rates, list(summary_lines(rates, interval)))
            for rates, interval in zip(systems, intervals, strict=True)
        ],
        arguments,
        last=() if ranking is None else list(ranking.blocks()),
    )
    return verdict(systems, arguments)


def put_pairs(systems: Sequence[ErrorRates], arguments: argparse.Namespace) -> None:
    """Write aligned words, if that is asked for."""
    if arguments.pairs is not None:
        from scoring.pages.spreadsheet import PAIR_COLUMNS, pairs_of

        put_csv(arguments.pairs, (PAIR_COLUMNS, pairs_of(systems)), arguments)


def put_csv(
    path: str,
    table: tuple[Sequence[str], Iterable[Sequence[object]]],
    arguments: argparse.Namespace,
) -> None:
    """Write names of columns and rows as CSV."""
    from scoring.drawing.data import csv_rows

    put(path, csv_rows(*table, safe=arguments.csv_safe))


def put_pages(
    blocks: Sequence[Block], title: str, arguments: argparse.Namespace, forms: Sequence[str]
) -> None:
    """Write a page as Markdown and HTML, and as text unless one of the forms goes to stdout."""
    look = Appearance(arguments.width or PIPE_WIDTH)
    for form in ("markdown", "html"):
        path = getattr(arguments, form)
        if path is not None:
            put(path, encoded(lines_of(blocks, form, title, look)))
    if "-" not in [getattr(arguments, form) for form in forms]:
        put_text(text_lines(blocks, Appearance(line_width(arguments), use_colour(arguments))))


def _ranking_of(systems: Sequence[ErrorRates], arguments: argparse.Namespace) -> Ranking | None:
    """The systems in order, where a report shows them."""
    shown = (arguments.markdown, arguments.json, arguments.html)
    if "-" in reports_to(arguments) and not any(shown):
        return None
    from scoring.regression.ranking import rank

    blocks = [blocks_of(rates, arguments) for rates in systems]
    return rank(systems, resampling_of(arguments), blocks)


def reports_to(arguments: argparse.Namespace) -> list[str | None]:
    """Where reports go, `-` for standard output."""
    nist = "-" if on_standard_output(arguments) else None
    return [*(getattr(arguments, name, None) for name in FILES), nist]


class Told(NamedTuple):
    """What is told of a system."""

    rates: ErrorRates
    lines: Sequence[str]
    words: Sequence[Sequence[str]] | None = None

    def parts(self, arguments: argparse.Namespace) -> Iterator[Iterator[Block]]:
        """What follows the first lines."""
        if arguments.per_speaker:
            yield speakers_of(self.rates)
        if self.rates.sessions:
            from scoring.pages.sessions import sessions_of

            yield sessions_of(self.rates)
        if self.rates.groups:
            yield groups_of(self.rates)
        if arguments.per_utterance:
            yield utterances_of(self.rates, self.words)


def put_summaries(
    told: Sequence[Told],
    arguments: argparse.Namespace,
    path: str = "-",
    last: Sequence[Block] = (),
) -> None:
    """The text, where it goes unless other reports go there, and the same as Markdown."""
    if arguments.markdown is not None:
        pages = (
            (
                (Heading(one.rates.hypothesis.path), Items(one.lines)),
                *one.parts(arguments),
            )
            for one in told
        )
        blocks = chain(chain.from_iterable(chain.from_iterable(pages)), last)
        title = f"Error rates against {told[0].rates.reference.path}" if told else "Error rates"
        look = Appearance(arguments.width or PIPE_WIDTH)
        put(arguments.markdown, encoded(lines_of(blocks, "markdown", title, look)))
    if path != "-":
        put(path, encoded(_text(told, arguments, arguments.colour == "always", last)))
    elif "-" not in reports_to(arguments):
        put_text(_text(told, arguments, use_colour(arguments), last))


def _text(
    told: Sequence[Told], arguments: argparse.Namespace, colour: bool, last: Sequence[Block]
) -> Iterator[str]:
    look = Appearance(line_width(arguments), colour)
    for number, one in enumerate(told):
        if len(told) > 1:
            yield ("\n" if number else "") + f"== {shown(one.rates.hypothesis.path)}"
        yield from map(shown, one.lines)
        for part in one.parts(arguments):
            yield ""
            yield from text_lines(part, look)
    if last:
        yield ""
    yield from text_lines(last, look)


def verdict(systems: Sequence[ErrorRates], arguments: argparse.Namespace) -> int:
    """The exit status: whether a rate is beyond the limit that was set, or a session not whole."""
    status = OK
    for rates in systems:
        counts, name = rates.counts, rates.hypothesis.path
        if exceeds(arguments, name, counts.errors, counts.reference_tokens):
            status = EXCEEDED
        if lacks_sessions(rates, arguments):
            status = EXCEEDED
    return status


def lacks_sessions(rates: ErrorRates, arguments: argparse.Namespace) -> bool:
    """Whether something is the matter with any session that was not asked for."""
    return any(_not_whole(one, rates, arguments) for one in rates.sessions)


def _not_whole(session: SessionErrors, rates: ErrorRates, arguments: argparse.Namespace) -> bool:
    if session.state == DECLINED:
        return True
    if session.state == EMPTY and not session.reference_words:
        return not arguments.allow_empty
    # what is lacking was to be scored as silence, or left out
    return session.state != SCORED and rates.rules.missing == "error"
