"""The arguments of `scoring kws`, which also accepts the letters of NIST's KWSEval."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from math import isfinite
from typing import TYPE_CHECKING, Any

from formats.console.command_line import CommandTable
from formats.console.command_parser import CommandParser
from formats.schema.errors import FormatError, OptionError
from scoring.cli.flags import (
    ALLOW_EMPTY,
    SHARD_KINDS,
    SHARDS,
    SHARDS_TO_MERGE,
    add_table,
    command_parser,
    decimal,
)
from scoring.cli.gates import TASK_TABLE, task_kinds
from scoring.tasks.kws import conditions
from scoring.tasks.kws.parameters import F4DE, SOUND, Parameters
from scoring.tasks.kws.reports import MEASURES
from scoring.tasks.kws.text import Splitting

if TYPE_CHECKING:
    from formats.console.command_parser import AnyParser

# Options of KWSEval that are not offered, and why.
REFUSED = {
    **dict.fromkeys(("i", "iso-lines"), "lines of equal ratio exist only in files for Perl"),
    **dict.fromkeys(("C", "Clean-DETs-folder"), "there are no files of gnuplot to delete"),
    "m": "the value by threshold is in the data of --det",
    "threshold": "the value by threshold is in the data of --det (.dat.1) and on the page of "
    "--html; the report follows YES and NO of the file",
}
# And those that ask for what is done anyway.
NOTHING_TO_DO = {
    "-a": "-a: the curve has all of its points, and not its corners only",
    "-X": "-X: the XML is checked all the same",
    "--ExcludePNGFileFromTxtTable": "--ExcludePNGFileFromTxtTable: tables name no pictures",
}
# The long names of KWSEval, and True for those that have a value.
_VALUED = """
ecffile rttmfile sysfile stdfile termfile Find-threshold Similarity-threshold file-root Term query
Namefile YSourcetype ytypes-of-report-output koefcorrect Koefincorrect number-trials-per-sec
prob-of-term ID-System xprefilterText measureThreshPlots zGlobalMeasures
"""
_SWITCHES = """
osummary-report block-summary-report Osummary-conditional-report Block-summary-conditional-report
Group-by-targ gsegment-based-alignment iso-lines det-curve DET-conditional-curve version help
Clean-DETs-folder csv-of-alignment Pooled-DETs words-oov include-blocks-w-notargs just-system-terms
articlulatedDET XmllintBypass zIsoRatioDAF ExcludePNGFileFromTxtTable ExcludeCountsFromReports
zincludeRowTotals
"""
LONG_NAMES = {
    **dict.fromkeys(_VALUED.split(), True),
    **dict.fromkeys(_SWITCHES.split(), False),
}
# Two names of one option, whose common beginnings are not ambiguous.
SAME_OPTION = {"stdfile": "sysfile"}
# Those of them that this command has as letters only.
OUR_NAMES = {
    "Group-by-targ": "-G",
    "just-system-terms": "-j",
    "xprefilterText": "-x",
    "articlulatedDET": "-a",
    "XmllintBypass": "-X",
    "measureThreshPlots": "-m",
}
# Given by the program KWSEval, which prints what the original prints besides reports.
AS_PROGRAM = "--as-program"
NEGATIVE = re.compile(r"-[0-9.]")
KINDS = ("TXT", "CSV", "HTML")
# The files of a keyword search, and the order of those given by place that are not detected.
CONTENTS = {
    "ecf": "the excerpts of audio",
    "kwlist": "the keywords",
    "rttm": "the spoken words",
    "kwslist": "what the system found",
}
SIDES = (*CONTENTS,)
PREFILTERS = ("charsplit", "notascii", "deletehyphens")


TABLE = f"""
files <FILE  files of --ecf, --kwlist, --rttm and --kwslist in any order, without these options;
  several files of detections compare systems
[files]
--ecf -e --ecffile
--kwlist -t --termfile
--rttm -r --rttmfile <FILE  reference: the spoken words with their times (RTTM, or CTM
  without speakers)
--kwslist -s --sysfile --stdfile
--rttm-encoding NAME  encoding of the RTTM (default: that of the KWList)
[scoring]
* --f4de  compute the same numbers as F4DE, even where F4DE has errors
{ALLOW_EMPTY}
--find-threshold -F --Find-threshold NUMBER  largest gap between two words of a spoken keyword, in
  seconds (default: %(default)g)
--similarity-threshold -S --Similarity-threshold NUMBER  match a detection if its middle lies within
  the reference or at most NUMBER seconds from it (default: %(default)g)
--trials-per-second -n --number-trials-per-sec NUMBER  number of trials in a second of audio
  (default: %(default)g)
--cost -k --koefcorrect NUMBER  cost of a false alarm in the term-weighted value (default:
  %(default)g)
--value -K --Koefincorrect NUMBER  value of a correct detection in the term-weighted value (default:
  %(default)g)
--prior -p --prob-of-term NUMBER  prior probability of a keyword in the term-weighted value
  (default: %(default)g)
--segment-trials -g --gsegment-based-alignment  count segments instead of seconds as trials; each
  turn and each silence between turns is a segment
--pooled -P --Pooled-DETs  compute the numbers from sums over all keywords instead of means
--include-untargeted -inc --include-blocks-w-notargs  also evaluate keywords that have no reference
  (that nobody says)
--searched-only -j  do not score keywords that the system did not search for (default: their
  references count as missed)
--prefilter -x NAME ...  change words and keywords before the comparison (repeatable); charsplit:
  split them into characters; notASCII: with charsplit, keep ASCII words whole; deleteHyphens:
  delete hyphens
--inconsistent-decisions {{error,warn}}  what to do if a detection with NO has a higher score than a
  detection with YES, for example because each keyword has its own threshold: stop with an error
  (default with --f4de), or score the decisions as they are and warn (default)
--only-excerpts -N --Namefile FILE/CHANNEL[,FILE/CHANNEL] ...  score only these files and channels;
  patterns are allowed (repeatable)
-a
-X
--ExcludePNGFileFromTxtTable
{AS_PROGRAM}
{SHARDS}
"""
REPORTS = f"""
[subsets (one kind at a time)]
--by-source-type -Y --YSourcetype [NAME:]TYPE[,TYPE] ...  report the excerpts of these source types
  as a subset called NAME (repeatable)
--keywords -T --Term [NAME:]ID[,ID] ...  report the keywords with these identifiers as a subset
  called NAME (repeatable)
--query -q ATTR[:regex=RE][ && ATTR…] ...  report the subsets of keywords with the same values of
  these attributes (repeatable)
--words-oov -w  report two subsets: keywords in the vocabulary (IV) and out of the vocabulary (OOV),
  by the attribute oov_count
--by-targets -G  report two subsets: keywords with references (HasTargets) and without references
  (NoTargets)
[reports (default: -o -b, to stdout)]
* --root -f --file-root ROOT  beginning of the names of all report files (default: -, stdout)
--summary -o --osummary-report  write a table with the numbers over all keywords
--by-keyword -b --block-summary-report  write a table with a row for each keyword
--conditional-summary -O --Osummary-conditional-report  write a summary for each subset
--conditional-by-keyword -B --Block-summary-conditional-report  write a table by
  keyword for each subset
--alignment -c --csv-of-alignment  write every reference and detection as CSV
--det -d --det-curve  write the points of the DET curve (misses against false alarms) into the
  folder ROOTdets
--conditional-det -D --DET-conditional-curve  write the points of a DET curve for each subset
--report-type -y --ytypes-of-report-output TXT|CSV|HTML ...  file format of the tables (repeatable;
  default: TXT)
--global-measure -zG --zGlobalMeasures ...  add columns to the reports (repeatable): Optimum (OTWV),
  Supremum (STWV), MAP, or MAPpct (MAP in percent)
--no-counts --ExcludeCountsFromReports  omit the columns of counts
--row-totals -zincludeRowTotals -zinc  add rows with the number of values, the
  mean and the standard deviation of each column
--plots {{svg,png}}  with --det, draw the curve over all keywords
--system-id -I --ID-System NAME  name of the system in the titles of the pictures
* --json
* --html
[gate]
{TASK_TABLE}
"""
# Fields of `Parameters` whose flags have other names.
RENAMED = {
    "largest_gap": "find_threshold",
    "tolerance": "similarity_threshold",
    "segments": "segment_trials",
    "with_untargeted": "include_untargeted",
}

_decimal = decimal("a number", isfinite)
# Parameters that the program KWSEval prints as they were typed, and their names in its tables.
PRINTED_AS_TYPED = {
    "cost": "Cost",
    "value": "Value",
    "prior": "Ptarg",
    "trials_per_second": "TrialsPerSecond",
}


class TypedNumber(float):
    """A number from the command line that keeps the text as typed."""

    text: str


def _typed(text: str) -> TypedNumber:
    number = TypedNumber(_decimal(text))
    number.text = text
    return number


class ExactParser(CommandParser):
    """A parser that requires whole option names and does not combine single letters.

    The parser of argparse accepts ``-csv`` for ``-c -s v``.
    """

    refused: Mapping[str, str] = {}

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Replace each option by a name that the parser knows, then parse like argparse."""
        words = map(self._exact, sys.argv[1:] if args is None else args)
        return super().parse_known_args(list(words), namespace)

    def _exact(self, argument: str) -> str:
        name, sign, value = argument.partition("=")
        if not name.startswith("-") or name in ("-", "--") or NEGATIVE.match(name):
            return argument
        bare = name.lstrip("-")
        if bare in self.refused:
            self.error(f"{name} is not offered: {self.refused[bare]}")
        if name not in self.options:
            # the original takes long names with one dash or two
            name = f"--{bare}"
        if name not in self.options:
            self.refuse_unknown([argument])
        return f"{name}{sign}{value}"


def full_names(words: Sequence[str]) -> Iterator[str]:
    """Yield the words of a KWSEval command line, with unique prefixes expanded to long names.

    Prefixes are expanded as by Getopt::Long; case matters. Ambiguous prefixes are an error. Words
    that are neither options nor values are dropped, because NIST's KWSEval ignores them.
    """
    rest = iter(words)
    takes_word = False
    for word in rest:
        name, sign, value = word.partition("=")
        bare = name.removeprefix("-").removeprefix("-")
        if bare in ("", name):
            if takes_word:
                yield word
            takes_word = False
            if word == "--":
                return
            continue
        matches = [bare] if bare in LONG_NAMES else [k for k in LONG_NAMES if k.startswith(bare)]
        # the word after an option of ours may be its value
        takes_word = not (sign or matches)
        if NEGATIVE.match(name) or not matches:
            yield word
            continue
        if len({SAME_OPTION.get(match, match) for match in matches}) > 1:
            raise OptionError(f"KWSEval: option {name} is ambiguous ({', '.join(sorted(matches))})")
        full = OUR_NAMES.get(matches[0], f"--{matches[0]}")
        yield f"{full}{sign}{value}"
        if not sign and LONG_NAMES[matches[0]]:
            yield from islice(rest, 1)


def keyword_search_parser() -> CommandParser:
    """Return the parser of the command."""
    parser = ExactParser(
        prog="scoring kws",
        description="Score a keyword search as NIST's OpenKWS evaluations did.",
        epilog=(
            "To check files, see `scoring kws check-kwslist --help` and `formats validate --help`."
        ),
    )
    parser.usage = "scoring kws [options] ECF KWLIST RTTM KWSLIST [KWSLIST ...]"
    parser.refused = REFUSED
    files = {"files": {"nargs": "*"}}
    not_shown = {"action": "append_const", "dest": "needless", "help": argparse.SUPPRESS}
    needless = {flag.lstrip("-"): {**not_shown, "const": flag} for flag in NOTHING_TO_DO}
    hidden = {"action": "store_true", "help": argparse.SUPPRESS}
    kinds: dict[str, Any] = {}
    for name, usual in Parameters()._asdict().items():
        number = {"type": _typed} if isinstance(usual, float) else {}
        kinds[RENAMED.get(name, name)] = {"dest": name, "default": usual, **number}
    add_table(
        parser,
        TABLE + REPORTS,
        prefilter=_prefilter,
        as_program=hidden,
        **files,
        **_kinds_of_reports(),
        **SHARD_KINDS,
        **kinds,
        **needless,
    )
    return parser


def merge_parser() -> CommandTable:
    """Return the parser of `scoring merge` for shards of a keyword search."""
    return command_parser(
        "merge",
        "Merge the shards of one run of `scoring kws`. The output is the same as without shards.",
        SHARDS_TO_MERGE + REPORTS,
        SHARD={"nargs": "+"},
        **_kinds_of_reports(),
    )


def _kinds_of_reports() -> dict[str, Any]:
    return {
        "report_type": _kind,
        "global_measure": {"choices": MEASURES, "metavar": None},
        "ROOT": {"default": "-"},
        **task_kinds("kws"),
    }


def take_files(parser: CommandParser, arguments: argparse.Namespace) -> None:
    """Assign positional files to options that have no file, by the content of the files."""
    lacking = [name for name in SIDES if getattr(arguments, name) is None]
    sides = [(path, _side_of(path)) for path in arguments.files]
    sides, arguments.more_systems = _further_systems(sides, len(lacking))
    if len(sides) != len(lacking):
        parser.error(_wrong_number(sides, lacking))
    unknown = []
    for path, side in sides:
        if side in lacking:
            lacking.remove(side)
            setattr(arguments, side, path)
        elif side is not None:
            first, kind = getattr(arguments, side), _kind_of(path)
            content = side if kind == side else f"{kind}, with spoken words"
            parser.error(f"{path}: expected {' or '.join(lacking)}, found {content} as in {first}")
        else:
            unknown.append(path)
    # their readers report what is wrong with files of other kinds
    for name, path in zip(lacking, unknown, strict=True):
        setattr(arguments, name, path)


def _further_systems(
    sides: list[tuple[str, str | None]], number: int
) -> tuple[list[tuple[str, str | None]], list[str]]:
    """Return the files of one system, `number` of them, and the detections of further systems."""
    systems = [row for row in sides if row[1] == "kwslist"]
    further = systems[len(systems) - max(len(sides) - number, 0) :] if len(sides) > number else []
    return [row for row in sides if row not in further], [path for path, _ in further]


def _wrong_number(sides: Sequence[tuple[str, str | None]], lacking: Sequence[str]) -> str:
    """Return the error for too many or too few files: it names the files or the missing kinds.

    `sides` has each path with its kind. `lacking` are the kinds of files that no option names.
    """
    names = " ".join(name.upper() for name in lacking)
    expected = f"{len(lacking)} files ({names})" if lacking else "no further file"
    unknown = [path for path, side in sides if side is None]
    problem = f"expected {expected}, found {len(sides)}"
    if 0 < len(unknown) == len(sides) - len(lacking):
        return f"{problem}; not of these formats: {', '.join(unknown)}"
    missing = [side for side in lacking if side not in dict(sides).values()]
    if missing and not unknown and sides:
        kinds = (f"{side.upper()} ({CONTENTS[side]})" for side in missing)
        return f"{problem}; missing: {', '.join(kinds)}"
    return problem


def _side_of(path: str) -> str | None:
    """Return the kind of a file of a keyword search, by its content; None for any other file."""
    kind = _kind_of(path)
    kind = "rttm" if kind == "ctm" else kind  # both have the spoken words
    return kind if kind in SIDES else None


def _kind_of(path: str) -> str | None:
    """Return the format of a file if detection is sure of exactly one; None for a stream."""
    from formats.detection.content import sure_of
    from formats.io.source import open_source

    if not os.path.isfile(path):
        return None
    try:
        with open_source(path) as source:
            return sure_of(source)
    except FormatError:  # of an RTTM in another encoding
        return None


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
    """Return the costs, tolerances and modes that the flags set."""
    values = {name: getattr(arguments, name) for name in Parameters._fields[:-2]}
    for name, number in values.items():
        values[name] = float(number) if isinstance(number, TypedNumber) else number
    choice = arguments.inconsistent_decisions or ("error" if arguments.f4de else "warn")
    return Parameters(
        **values, consistent=choice == "error", rules=F4DE if arguments.f4de else SOUND
    )


def texts_of(arguments: argparse.Namespace) -> dict[str, str]:
    """Return parameters as typed, by their names in KWSEval's tables."""
    numbers = ((label, getattr(arguments, name)) for name, label in PRINTED_AS_TYPED.items())
    return {label: number.text for label, number in numbers if isinstance(number, TypedNumber)}


def splitting_of(arguments: argparse.Namespace) -> Splitting:
    """Return the rules for splitting words that the flags set."""
    return Splitting(*(name in arguments.prefilter for name in PREFILTERS))


def condition_of(
    parser: AnyParser, arguments: argparse.Namespace
) -> conditions.KeywordCondition | None:
    """Return the condition of the subsets; reject more than one condition as a usage error."""
    chosen = [
        make(values)
        for values, make in (
            (arguments.by_source_type, conditions.by_source_type),
            (arguments.keywords, conditions.by_keywords),
            (arguments.query, conditions.by_attributes),
        )
        if values
    ]
    chosen += [conditions.by_vocabulary] if arguments.words_oov else []
    chosen += [conditions.by_targets] if arguments.by_targets else []
    if len(chosen) > 1:
        parser.error(
            "Cannot specify more than one condition (-Y, -q, -T, -G) for the conditional report"
        )
    return chosen[0] if chosen else None
