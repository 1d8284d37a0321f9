"""`scoring per`: compute the phoneme error rate of predictions against words, with a lexicon."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from formats.console.command_line import CommandTable
from formats.console.telling import each_kind, told_remarks
from scoring.cli import flags, gates, results
from scoring.cli.flags import tell_idle
from scoring.cli.nist_reports import check_nist_reports, put_reports
from scoring.cli.scoring import tell
from scoring.pages import SystemText
from scoring.results.hashes import hashed, with_hashes
from scoring.sides.corpus import InputFile
from scoring.sides.given import File, readings_of, side_file
from scoring.sides.side_files import read_corpus
from scoring.tasks.phonemes import reports
from scoring.tasks.phonemes.lexicon_files import LEXICON_FORMATS, STRESS, read_lexicon
from scoring.tasks.phonemes.rate import METHODS
from scoring.tasks.phonemes.scorer import UNKNOWN, PhonemeRates, PhonemeRules, Scorer

TABLE = f"""
reference <REF  file of the words spoken, - for stdin
hypotheses <HYP  files of predicted phonemes
[input]
--lexicon <FILE  file with the pronunciations of words (Kaldi, CMU or JSON)
--lexicon-format  format of the lexicon (default: detected)
--lexicon-encoding NAME  encoding of the lexicon (default: utf-8)
@reading
[scoring]
--method  exact: choose the pronunciations with the fewest errors (default); columns: the
  approximation of speechline, to compare with its numbers
* --stress  keep stress marks (default), or strip them, so that AH0, AH1 and AH2 are AH
* --drop-phoneme PHONEME ...  ignore PHONEME on both sides, for example a silence (repeatable)
--lexicon-ignore-case  ignore case when looking up words in the lexicon
@forgive_optional
* --unknown  words that the lexicon lacks: stop with an error (default), or skip their utterances
@match matching
{flags.ALLOW_EMPTY}
[text]
--output
{results.OUTPUT_WITHOUT_WORDS}
"""


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status."""
    methods, stress = ({"choices": words, "default": words[0]} for words in (METHODS, STRESS))
    parser = flags.command_parser(
        "per",
        "Phoneme error rates of predictions against words: for each word, the best-matching "
        "pronunciation of the lexicon counts.",
        TABLE,
        epilog="Formats are detected; `formats list` lists them. Manual: scoring docs phonemes.",
        hypotheses={"nargs": "+"},
        lexicon={"required": True},
        lexicon_format=LEXICON_FORMATS,
        lexicon_encoding={"default": "utf-8"},
        method=methods,
        stress=stress,
        unknown={"choices": UNKNOWN, "default": "error"},
        output={"default": "-"},
        **results.KINDS | gates.task_kinds("per"),
    )
    arguments = parser.parse_args(argv)
    _check(parser, arguments)
    lexicon = read_lexicon(
        arguments.lexicon, arguments.lexicon_format, encoding=arguments.lexicon_encoding
    )
    for remark in each_kind(lexicon.remarks):
        tell(remark)
    options = flags.options_of(arguments)
    readings = readings_of(options)
    reference = read_corpus(side_file(File(arguments.reference)), readings[0])
    for message in each_kind(reference.remarks):
        tell(message)
    rules = PhonemeRules(
        arguments.method,
        arguments.stress,
        tuple(dict.fromkeys(arguments.drop_phoneme)),
        arguments.lexicon_ignore_case,
        arguments.forgive_optional,
        arguments.unknown,
        arguments.missing or "delete",
    )
    scorer = Scorer(lexicon, rules, options)
    sides = (read_corpus(side_file(File(path)), readings[1]) for path in arguments.hypotheses)
    scores = (scorer.score(reference, side) for side in sides)
    return _deliver([_result(score, arguments) for score in scores], arguments)


def _check(parser: CommandTable, arguments: argparse.Namespace) -> None:
    results.check_outputs(parser, arguments)
    tell_idle(parser, arguments)
    inputs = [arguments.reference, arguments.lexicon, *arguments.hypotheses]
    flags.check_standard_input(parser, inputs)
    if len(set(arguments.hypotheses)) < len(arguments.hypotheses):
        parser.error("a hypothesis is named twice")
    check_nist_reports(parser, arguments, arguments.hypotheses)


def _result(scores: PhonemeRates, arguments: argparse.Namespace) -> reports.Result:
    lexicon = InputFile(arguments.lexicon, arguments.lexicon_format)
    if arguments.json is not None:
        scores = scores._replace(rates=with_hashes(scores.rates))
        lexicon = hashed(lexicon)
    return reports.Result(scores, lexicon, results.interval_of(scores.rates, arguments))


def _deliver(scored: list[reports.Result], arguments: argparse.Namespace) -> int:
    systems = [result.scores.rates for result in scored]
    of_all = told_remarks()
    for position, rates in enumerate(systems):
        printed = each_kind((*rates.remarks, *reports.warnings_of(scored[position].scores)))
        for message in printed:
            tell(message)
        scored[position] = scored[position]._replace(remarks=(*of_all, *printed))
    for rates in systems:
        flags.refuse_empty(rates.counts.reference_tokens, rates.reference.path, arguments)
    if arguments.json is not None:
        results.put(arguments.json, reports.document_lines(scored))
    if arguments.csv is not None:
        results.put_csv(arguments.csv, reports.utterance_table(scored), arguments)
    if arguments.pairs is not None:
        from scoring.pages.spreadsheet import pair_table

        results.put_csv(arguments.pairs, pair_table(systems), arguments)
    if arguments.html is not None:
        from scoring.pages.html.report import page

        signatures = [result.scores.signature for result in scored]
        intervals = [result.interval for result in scored]
        results.put(arguments.html, page(systems, intervals, signatures=signatures))
    put_reports(systems, arguments)
    summaries = [
        SystemText(result.scores.rates, list(reports.summary_lines(result)), result.scores.words)
        for result in scored
    ]
    results.put_summaries(summaries, arguments, arguments.output)
    return results.verdict(systems, arguments)
