"""`scoring per`: the phoneme error rate of predictions against words, with a lexicon."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from formats.command_line import CommandParser, InputPath, OutputPath
from scoring.cli.nist_reports import check_nist_reports, put_reports
from scoring.cli.reading_options import (
    MATCHING,
    READING,
    add_allow_empty,
    add_choices,
    options_of,
    refuse_empty,
)
from scoring.cli.results import (
    Told,
    add_output_arguments,
    check_outputs,
    interval_of,
    put,
    put_csv,
    put_pairs,
    put_summaries,
    verdict,
)
from scoring.cli.scoring import say, warn
from scoring.phonemes.lexicon_files import LEXICON_FORMATS, STRESS, read_lexicon
from scoring.phonemes.rate import METHODS
from scoring.phonemes.reports import (
    Result,
    document_lines,
    summary_lines,
    utterance_table,
    warnings_of,
)
from scoring.phonemes.scorer import UNKNOWN, PhonemeRates, PhonemeRules, Scorer
from scoring.scored.hashes import hashed, with_hashes
from scoring.sides.account import InputFile
from scoring.sides.side_files import read_corpus, readings_of


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    _check(parser, arguments)
    lexicon = read_lexicon(
        arguments.lexicon, arguments.lexicon_format, encoding=arguments.lexicon_encoding
    )
    for remark in lexicon.remarks:
        say(remark)
    options = options_of(arguments)
    readings = readings_of(options)
    reference = read_corpus(arguments.reference, readings[0])
    for remark in reference.remarks:
        say(remark)
    rules = PhonemeRules(
        arguments.method,
        arguments.stress,
        tuple(dict.fromkeys(arguments.drop_phoneme)),
        arguments.ignore_case,
        arguments.forgive_optional,
        arguments.unknown,
        arguments.missing or "delete",
    )
    scorer = Scorer(lexicon, rules, options)
    results = []
    for path in arguments.hypotheses:
        scores = scorer.score(reference, read_corpus(path, readings[1]))
        results.append(_result(scores, arguments))
    return _deliver(results, arguments)


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        prog="scoring per",
        description="Phoneme error rates of predictions against the words that were said: of each "
        "word the pronunciation of the lexicon is taken that fits best.",
        epilog="Formats are detected; `formats --help` lists them, and Kaldi's text is kaldi. "
        "Manual: scoring docs phonemes.",
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
    add_choices(group, READING)
    _add_scoring_arguments(parser.add_argument_group("scoring"))
    parser.add_argument_group("text").add_argument(
        "--output",
        type=OutputPath,
        metavar="FILE",
        default="-",
        help="where the text goes (default: -)",
    )
    add_output_arguments(parser, has_pages=False)
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
    add_choices(group, ["forgive_optional"])
    group.add_argument(
        "--unknown",
        choices=UNKNOWN,
        default="error",
        help="references with words the lexicon does not have are an error (default), or left out",
    )
    add_choices(group, MATCHING)
    add_allow_empty(group)


def _check(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    paths = (arguments.json, arguments.csv, arguments.pairs, arguments.markdown)
    check_outputs(parser, *paths)
    files = [one for one in (arguments.output, *paths) if one not in (None, "-")]
    if len(set(files)) < len(files):
        parser.error("two reports cannot go to the same file")
    if [arguments.reference, arguments.lexicon, *arguments.hypotheses].count("-") > 1:
        parser.error("standard input can be read once only")
    if len(set(arguments.hypotheses)) < len(arguments.hypotheses):
        parser.error("a hypothesis is named twice")
    check_nist_reports(parser, arguments, arguments.hypotheses)


def _result(scores: PhonemeRates, arguments: argparse.Namespace) -> Result:
    lexicon = InputFile(arguments.lexicon, arguments.lexicon_format)
    if arguments.json is not None:
        scores = scores._replace(rates=with_hashes(scores.rates))
        lexicon = hashed(lexicon)
    interval = interval_of(scores.rates, arguments)
    if interval is not None:
        interval = interval._replace(title="confidence interval")
    return Result(scores, lexicon, interval)


def _deliver(results: Sequence[Result], arguments: argparse.Namespace) -> int:
    systems = [result.scores.rates for result in results]
    for result, rates in zip(results, systems, strict=True):
        for remark in rates.remarks:
            if remark != rates.unscored:
                say(remark)
        for text in warnings_of(result.scores):
            warn(text)
    for rates in systems:
        refuse_empty(rates.counts.reference_tokens, rates.reference.path, arguments)
    if arguments.json is not None:
        put(arguments.json, document_lines(results))
    if arguments.csv is not None:
        put_csv(arguments.csv, utterance_table(results), arguments)
    put_pairs(systems, arguments)
    put_reports(systems, arguments)
    told = [Told(one.scores.rates, list(summary_lines(one)), one.scores.words) for one in results]
    put_summaries(told, arguments, arguments.output)
    return verdict(systems, arguments)
