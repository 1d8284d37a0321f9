"""`scoring per`: the phoneme error rate of predictions against words, with a lexicon."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from formats.command_line import CommandParser, InputPath, OutputPath
from scoring.cli.per_corpus import (
    UNKNOWN,
    PhonemeRates,
    PhonemeRules,
    Scorer,
)
from scoring.cli.per_results import (
    Result,
    document_lines,
    speaker_lines,
    summary_lines,
    utterance_lines,
    utterance_rows,
    warnings_of,
)
from scoring.cli.reading import (
    add_matching_arguments,
    add_reading_arguments,
    encoding_of,
    refuse_empty,
)
from scoring.cli.results import (
    add_resampling_arguments,
    add_terminal_arguments,
    check_outputs,
    line_width,
    put,
    put_text,
    resampling_of,
    use_colour,
)
from scoring.cli.scoring import EXCEEDED, OK, say, warn
from scoring.errors import StatisticsError
from scoring.pages.kaldi_lines import percentage
from scoring.phonemes.lexicon_files import LEXICON_FORMATS, STRESS, read_lexicon
from scoring.phonemes.rate import METHODS
from scoring.regression.thresholds import Threshold, parse_threshold
from scoring.sides.account import Input
from scoring.sides.files import Reading, read_corpus
from scoring.sides.speakers import read_speakers

if TYPE_CHECKING:
    from scoring.stats.comparison import ConfidenceInterval


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status.

    Raises
    ------
    ScoringError, formats.FormatError
        For the dispatcher to tell.
    """
    parser = _parser()
    arguments = parser.parse_args(argv)
    _check(parser, arguments)
    lexicon = read_lexicon(
        arguments.lexicon, arguments.lexicon_format, encoding=arguments.lexicon_encoding
    )
    for remark in lexicon.remarks:
        say(remark)
    speakers = None if arguments.utt2spk is None else read_speakers(arguments.utt2spk)
    options = tuple(arguments.reference_option)
    view = arguments.text_view
    reading = Reading(
        arguments.reference_format,
        encoding_of(arguments, "reference"),
        options,
        text_view=view,
        side="reference",
    )
    reference = read_corpus(arguments.reference, reading)
    for remark in reference.remarks:
        say(remark)
    scorer = Scorer(
        lexicon, _rules(arguments), speakers, arguments.missing, arguments.allow_unmatched
    )
    results = []
    for path in arguments.hypotheses:
        hypothesis = read_corpus(path, _reading_of_hypothesis(arguments))
        rates = scorer.score(reference, hypothesis)
        results.append(_result(rates, arguments))
    return _deliver(results, arguments)


def _reading_of_hypothesis(arguments: argparse.Namespace) -> Reading:
    return Reading(
        arguments.hypothesis_format,
        encoding_of(arguments, "hypothesis"),
        tuple(arguments.hypothesis_option),
        arguments.interpolate,
        channel_aliases=tuple(arguments.channel_alias),
        text_view=arguments.text_view,
        predicted="maybe",
        side="hypothesis",
    )


def _rules(arguments: argparse.Namespace) -> PhonemeRules:
    return PhonemeRules(
        arguments.method,
        arguments.stress,
        tuple(dict.fromkeys(arguments.drop_phoneme)),
        arguments.ignore_case,
        arguments.forgive_optional,
        arguments.unknown,
        arguments.missing or "delete",
    )


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        prog="scoring per",
        description="Phoneme error rates of predictions against the words that were said: of each "
        "word the pronunciation of the lexicon is taken that fits best.",
        epilog="Formats are detected; `formats --help` lists them, and Kaldi's text is kaldi. "
        "Manual: docs/phonemes.md.",
    )
    parser.add_argument(
        "reference", type=InputPath, metavar="REF", help="words, - for standard input"
    )
    parser.add_argument(
        "hypotheses", type=InputPath, metavar="HYP", nargs="+", help="files of predicted phonemes"
    )
    group = parser.add_argument_group("reading")
    group.add_argument(
        "--lexicon",
        type=InputPath,
        metavar="FILE",
        required=True,
        help="how words are pronounced (Kaldi, CMU, JSON)",
    )
    group.add_argument(
        "--lexicon-format", choices=LEXICON_FORMATS, help="default: seen in the content"
    )
    group.add_argument("--lexicon-encoding", default="utf-8", metavar="NAME", help="default: utf-8")
    group.add_argument("--reference-format", metavar="FORMAT", help="default: detected")
    group.add_argument("--hypothesis-format", metavar="FORMAT", help="default: detected")
    add_reading_arguments(group)
    group.add_argument(
        "--utt2spk", type=InputPath, metavar="FILE", help="speakers of utterances, as in Kaldi"
    )
    _add_scoring_arguments(parser.add_argument_group("scoring"))
    _add_report_arguments(parser)
    return parser


def _add_scoring_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--method",
        choices=METHODS,
        default="exact",
        help="exact: least errors of all pronunciations (default); columns: speechline's "
        "approximation",
    )
    group.add_argument(
        "--stress", choices=STRESS, default="keep", help="strip: AH0, AH1 and AH2 are AH"
    )
    group.add_argument(
        "--drop-phoneme",
        action="append",
        default=[],
        metavar="PHONEME",
        help="leave it out on both sides, such as a silence; may be repeated",
    )
    group.add_argument("--ignore-case", action="store_true", help="look words up without case")
    group.add_argument(
        "--forgive-optional",
        action="store_true",
        help="leaving out a word marked as optional is no error",
    )
    group.add_argument(
        "--unknown",
        choices=UNKNOWN,
        default="error",
        help="references with words the lexicon does not have are an error (default), or left out",
    )
    add_matching_arguments(group)


def _add_report_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("reports")
    group.add_argument("--per-speaker", action="store_true", help="a table by speaker")
    group.add_argument(
        "--per-utterance", action="store_true", help="every utterance with its alignment"
    )
    group.add_argument(
        "-o",
        "--output",
        type=OutputPath,
        metavar="FILE",
        default="-",
        help="where the text goes (default: -)",
    )
    group.add_argument(
        "--json", type=OutputPath, metavar="FILE", help="everything as JSON (-: standard output)"
    )
    group.add_argument(
        "--csv", type=OutputPath, metavar="FILE", help="an utterance a row (-: standard output)"
    )
    group.add_argument(
        "--fail-above",
        metavar="PERCENT",
        type=_limit,
        help="exit status 3 if an error rate is greater",
    )
    add_terminal_arguments(group)
    statistics = parser.add_argument_group("statistics")
    statistics.add_argument(
        "--confidence-interval", action="store_true", help="bootstrap interval of the error rate"
    )
    add_resampling_arguments(statistics)


def _limit(text: str) -> Threshold:
    try:
        threshold = parse_threshold(text)
    except ValueError:
        threshold = None
    if threshold is None or threshold.kind != "absolute":
        raise argparse.ArgumentTypeError(f"expected percent such as 12.5, found {text!r}")
    return threshold


def _check(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    check_outputs(parser, arguments.json, arguments.csv)
    files = [
        one for one in (arguments.output, arguments.json, arguments.csv) if one not in (None, "-")
    ]
    if len(set(files)) < len(files):
        parser.error("two reports cannot go to the same file")
    if [arguments.reference, arguments.lexicon, *arguments.hypotheses].count("-") > 1:
        parser.error("standard input can be read once only")
    if len(set(arguments.hypotheses)) < len(arguments.hypotheses):
        parser.error("a hypothesis is named twice")


def _result(rates: PhonemeRates, arguments: argparse.Namespace) -> Result:
    hashed = arguments.json is not None
    return Result(
        rates,
        _input(rates.reference.name, rates.reference.format, hashed),
        _input(rates.hypothesis.name, rates.hypothesis.format, hashed),
        _input(arguments.lexicon, arguments.lexicon_format, hashed),
        _interval(rates, arguments) if arguments.confidence_interval else None,
    )


def _input(path: str, format_name: str | None, hashed: bool) -> Input:
    """A file that took part, with the hash of its bytes where it can be read again."""
    import os
    import stat
    from hashlib import sha256

    digest = sha256()
    try:
        if not hashed or path == "-" or not stat.S_ISREG(os.stat(path).st_mode):
            return Input(path, format_name)
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError:
        return Input(path, format_name)
    return Input(path, format_name, digest.hexdigest())


def _interval(rates: PhonemeRates, arguments: argparse.Namespace) -> ConfidenceInterval:
    from scoring.significance import confidence_interval

    blocks: str | list[str | None] = "utterance"
    if arguments.block == "speaker":
        for identifier, speaker in zip(rates.identifiers, rates.speakers, strict=True):
            if speaker is None:
                raise StatisticsError(
                    f"--block speaker: expected a speaker of every utterance, found none of "
                    f"{identifier!r} (--utt2spk names them)"
                )
        blocks = list(rates.speakers)
    try:
        found = confidence_interval(
            rates.scores.per_utterance, block=blocks, resampling=resampling_of(arguments)
        )
    except ValueError as problem:
        raise StatisticsError(str(problem)) from None
    return found._replace(title="confidence interval", block=arguments.block)


def _deliver(results: Sequence[Result], arguments: argparse.Namespace) -> int:
    for result in results:
        rates = result.rates
        for remark in rates.hypothesis.remarks:
            say(remark)
        for text in warnings_of(rates):
            warn(text)
    for result in results:
        scores = result.rates.scores
        refuse_empty(scores.counts.reference_tokens, result.reference.path, arguments)
    if arguments.json is not None:
        put(arguments.json, document_lines(results))
    if arguments.csv is not None:
        put(arguments.csv, utterance_rows(results))
    if arguments.output != "-":
        lines = _text(results, arguments, colour=arguments.colour == "always")
        put(arguments.output, (f"{line}\n".encode("utf-8", "backslashreplace") for line in lines))
    elif "-" not in (arguments.json, arguments.csv):
        put_text(_text(results, arguments, colour=use_colour(arguments)))
    return _verdict(results, arguments)


def _text(
    results: Sequence[Result], arguments: argparse.Namespace, *, colour: bool
) -> Iterator[str]:
    columns = line_width(arguments)
    for number, result in enumerate(results):
        if len(results) > 1:
            yield ("\n" if number else "") + f"== {result.hypothesis.path}"
        yield from summary_lines(result)
        if arguments.per_speaker:
            yield ""
            yield from speaker_lines(result.rates)
        if arguments.per_utterance:
            yield ""
            yield from utterance_lines(result.rates, columns, colour)


def _verdict(results: Sequence[Result], arguments: argparse.Namespace) -> int:
    limit: Threshold | None = arguments.fail_above
    status = OK
    for result in results:
        counts = result.rates.scores.counts
        if limit is not None and limit.exceeded(counts, counts):
            rate = percentage(counts.errors, counts.reference_tokens)
            say(f"{result.hypothesis.path}: error rate {rate} % is {limit}")
            status = EXCEEDED
    return status
