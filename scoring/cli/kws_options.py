"""The arguments of `scoring kws`; those of NIST's KWSEval are understood under their letters."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

from formats.command_line import CommandParser, InputPath, OutputPath
from scoring.cli.reading_options import add_allow_empty, decimal
from scoring.kws.conditions import (
    Condition,
    by_attributes,
    by_keywords,
    by_source_type,
    by_targets,
    by_vocabulary,
)
from scoring.kws.parameters import F4DE, SOUND, Parameters
from scoring.kws.reports import MEASURES
from scoring.kws.text import Splitting

# Names that KWSEval has for its letters; with one dash or two, as there.
LONG_NAMES = {
    "ecffile": "-e",
    "rttmfile": "-r",
    "sysfile": "-s",
    "stdfile": "-s",
    "termfile": "-t",
    "file-root": "-f",
    "Find-threshold": "-F",
    "Similarity-threshold": "-S",
    "number-trials-per-sec": "-n",
    "koefcorrect": "-k",
    "Koefincorrect": "-K",
    "prob-of-term": "-p",
    "gsegment-based-alignment": "-g",
    "Pooled-DETs": "-P",
    "include-blocks-w-notargs": "-inc",
    "osummary-report": "-o",
    "block-summary-report": "-b",
    "Osummary-conditional-report": "-O",
    "Block-summary-conditional-report": "-B",
    "csv-of-alignment": "-c",
    "csv": "-c",
    "det-curve": "-d",
    "DET-conditional-curve": "-D",
    "ytypes-of-report-output": "-y",
    "YSourcetype": "-Y",
    "Term": "-T",
    "query": "-q",
    "words-oov": "-w",
    "Namefile": "-N",
    "ID-System": "-I",
    "zGlobalMeasures": "-zG",
}
# Its options that are not offered, and why.
REFUSED = {
    **dict.fromkeys(("i", "iso-lines"), "lines of equal ratio are in files for Perl only"),
    **dict.fromkeys(("C", "Clean-DETs-folder"), "there are no files of gnuplot to delete"),
    "m": "pictures of the value by threshold are drawn by --plots",
}
# Its options that ask for what is done anyway.
NOTHING_TO_DO = {
    "-a": "-a: the curve has all of its points, and not its corners only",
    "-X": "-X: the XML is checked all the same",
}
NEGATIVE = re.compile(r"-[0-9.]")
KINDS = ("TXT", "CSV", "HTML")
PREFILTERS = ("charsplit", "notascii", "deletehyphens")


_decimal = decimal("a number", isfinite)


class ExactParser(CommandParser):
    """Takes options by their whole names, and no letters together.

    The common one takes ``-csv`` for ``-c -s v``.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.long_names: Mapping[str, str] = {}
        self.refused: Mapping[str, str] = {}

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As of argparse, once every option is known."""
        given = list(sys.argv[1:] if args is None else args)
        return super().parse_known_args([self._exact(one) for one in given], namespace)

    def _exact(self, argument: str) -> str:
        name, sign, value = argument.partition("=")
        if not name.startswith("-") or name in ("-", "--") or NEGATIVE.match(name):
            return argument
        bare = name.lstrip("-")
        if bare in self.refused:
            self.error(f"{name} is not offered: {self.refused[bare]}")
        if name not in self._option_string_actions:
            name = self.long_names.get(bare, "")
        if not name:
            self.error(f"unrecognized arguments: {argument}")
        return f"{name}{sign}{value}"


def keyword_search_parser() -> argparse.ArgumentParser:
    """The parser of the command."""
    parser = ExactParser(
        prog="scoring kws",
        description="Score a keyword search as NIST's OpenKWS evaluations did.",
        epilog="Checking files: scoring kws validate | check-kwslist | check-termlist | "
        "check-transcripts, each with --help.",
    )
    parser.long_names, parser.refused = LONG_NAMES, REFUSED
    _add_inputs(parser)
    _add_scoring(parser)
    _add_subsets(parser)
    _add_reports(parser)
    return parser


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("files")
    for flags, text in (
        (("--ecf", "-e"), "which audio is scored (ECF)"),
        (("--kwlist", "-t"), "the keywords (KWList)"),
        (("--rttm", "-r"), "what was spoken (RTTM)"),
        (("--kwslist", "-s"), "what the system found (KWSList)"),
    ):
        group.add_argument(*flags, required=True, type=InputPath, metavar="FILE", help=text)
    group.add_argument("--encoding", metavar="NAME", help="of the RTTM (default: the KWList's)")


def _add_scoring(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("scoring")
    group.add_argument(
        "--f4de", action="store_true", help="F4DE's numbers also where they look unintended"
    )
    add_allow_empty(group)
    for flags, default, text in (
        (("--find-threshold", "-F"), 0.5, "seconds between the words of a keyword at most"),
        (
            ("--similarity-threshold", "-S"),
            0.5,
            "seconds a detection's middle may lie outside of the reference",
        ),
        (("--trials-per-second", "-n"), 1.0, "trials in a second"),
        (("--cost", "-k"), 0.1, "of a false alarm"),
        (("--value", "-K"), 1.0, "of a correct detection"),
        (("--prior", "-p"), 0.0001, "probability of a keyword"),
    ):
        group.add_argument(
            *flags,
            type=_decimal,
            default=default,
            metavar="NUMBER",
            help=f"{text} (default: {default:g})",
        )
    group.add_argument(
        "--segments", "-g", action="store_true", help="trials are segments between speaker turns"
    )
    group.add_argument("--pooled", "-P", action="store_true", help="all keywords are one")
    group.add_argument(
        "--include-untargeted",
        "-inc",
        action="store_true",
        help="evaluate keywords without references too",
    )
    group.add_argument(
        "--searched-only",
        "-j",
        action="store_true",
        help="leave out keywords the system did not search for",
    )
    group.add_argument(
        "--prefilter",
        "-x",
        action="append",
        default=[],
        type=_prefilter,
        metavar="NAME",
        help="charsplit, notASCII, deleteHyphens: cut words into characters (repeatable)",
    )
    group.add_argument(
        "--inconsistent-decisions",
        choices=("error", "warn"),
        default="error",
        help="decisions that no threshold explains (default: error)",
    )


def _add_subsets(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("subsets (one kind at a time; -N beside any)")
    group.add_argument(
        "--source-type",
        "-Y",
        action="append",
        metavar="[NAME:]TYPE[,TYPE]",
        help="a group of excerpts (repeatable)",
    )
    group.add_argument(
        "--keywords",
        "-T",
        action="append",
        metavar="[NAME:]ID[,ID]",
        help="a group of keywords (repeatable)",
    )
    group.add_argument(
        "--query",
        "-q",
        action="append",
        metavar="ATTR[:regex=RE][ && ATTR…]",
        help="groups by keywords' attributes (repeatable)",
    )
    group.add_argument(
        "--words-oov", "-w", action="store_true", help="groups OOV and IV, by oov_count"
    )
    group.add_argument(
        "--by-targets", "-G", action="store_true", help="groups HasTargets and NoTargets"
    )
    group.add_argument(
        "--only",
        "-N",
        action="append",
        default=[],
        metavar="FILE/CHANNEL[,FILE/CHANNEL]",
        help="score this audio only; patterns (repeatable)",
    )


def _add_reports(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("reports (default: -o -b, to standard output)")
    group.add_argument("--root", "-f", default="-", metavar="ROOT", help="how file names begin")
    for flags, text in (
        (("--summary", "-o"), "over all keywords"),
        (("--by-keyword", "-b"), "keyword by keyword"),
        (("--conditional-summary", "-O"), "of the subsets"),
        (("--conditional-by-keyword", "-B"), "of the subsets, keyword by keyword"),
        (("--alignment", "-c"), "every reference and detection, as CSV"),
        (("--det", "-d"), "the curve, as data in ROOT's dets/"),
        (("--conditional-det", "-D"), "the curves of the subsets"),
    ):
        group.add_argument(*flags, action="store_true", help=text)
    group.add_argument(
        "--report-type",
        "-y",
        action="append",
        type=_kind,
        metavar="TXT|CSV|HTML",
        help="of the summaries (repeatable)",
    )
    group.add_argument(
        "--measure",
        "-zG",
        action="append",
        default=[],
        choices=MEASURES,
        help="further columns (repeatable)",
    )
    group.add_argument(
        "--no-counts",
        "--ExcludeCountsFromReports",
        action="store_true",
        help="leave out counts",
    )
    group.add_argument(
        "--row-totals",
        "-zincludeRowTotals",
        "-zinc",
        action="store_true",
        help="statistics of the columns",
    )
    group.add_argument(
        "--plots", choices=("svg", "png"), help="pictures of the curves too (-d, -D)"
    )
    group.add_argument(
        "--no-pictures-in-table",
        "--ExcludePNGFileFromTxtTable",
        action="store_true",
        help="leave out the pictures' names",
    )
    for flag in NOTHING_TO_DO:
        group.add_argument(
            flag, action="append_const", dest="told", const=flag, help=argparse.SUPPRESS
        )
    group.add_argument("--system-id", "-I", metavar="NAME", help="title of the pictures")
    group.add_argument(
        "--json", type=OutputPath, metavar="FILE", help="everything as JSON (-: standard output)"
    )


def _one_of(known: tuple[str, ...], fold: Callable[[str], str]) -> Callable[[str], str]:
    def read(text: str) -> str:
        folded = fold(text)
        if folded not in known:
            raise argparse.ArgumentTypeError(f"expected {', '.join(known)}, found {text!r}")
        return folded

    return read


_kind = _one_of(KINDS, str.upper)
_prefilter = _one_of(PREFILTERS, str.lower)


def parameters_of(arguments: argparse.Namespace) -> Parameters:
    """Costs, tolerances and modes as the flags say."""
    return Parameters(
        cost=arguments.cost,
        value=arguments.value,
        prior=arguments.prior,
        largest_gap=arguments.find_threshold,
        tolerance=arguments.similarity_threshold,
        trials_per_second=arguments.trials_per_second,
        segments=arguments.segments,
        with_untargeted=arguments.include_untargeted,
        searched_only=arguments.searched_only,
        pooled=arguments.pooled,
        consistent=arguments.inconsistent_decisions == "error",
        rules=F4DE if arguments.f4de else SOUND,
    )


def splitting_of(arguments: argparse.Namespace) -> Splitting:
    """How words are cut as the flags say."""
    return Splitting(*(name in arguments.prefilter for name in PREFILTERS))


def condition_of(
    parser: argparse.ArgumentParser, arguments: argparse.Namespace
) -> Condition | None:
    """What subsets are made by; a usage error if by several things."""
    chosen: list[Condition] = []
    for given, make in (
        (arguments.source_type, by_source_type),
        (arguments.keywords, by_keywords),
        (arguments.query, by_attributes),
    ):
        if given:
            chosen.append(make(given))
    if arguments.words_oov:
        chosen.append(by_vocabulary())
    if arguments.by_targets:
        chosen.append(by_targets())
    if len(chosen) > 1:
        parser.error(
            "Cannot specify more than one condition (-Y, -q, -T, -G) for the conditional report"
        )
    return chosen[0] if chosen else None
