"""Flags of the commands: tables of flags, flags from `Options`, and the files of both sides."""

from __future__ import annotations

import os

from formats.console.command_line import (
    HIDDEN,
    CommandTable,
    InputPath,
    NamedPath,
    ParsedArguments,
    add_flag,
    closest,
    described,
    rows_of,
    unusable,
    whole_row,
)
from formats.console.command_line import add_flags as add_flags
from formats.io.source import is_url
from formats.schema import is_installed
from formats.schema.errors import MOST_LISTED, OptionError, near_file
from formats.schema.messages import Advice, Message
from formats.schema.shared_options import HELP_OF
from scoring.cli.scoring import tell
from scoring.model.counts import CHARACTER_UNITS, checked_unit
from scoring.model.errors import OptionValueError, ScoringError, problem_of
from scoring.options import (
    CHOICES,
    COMPOUNDS,
    FIELDS,
    FLAGS,
    FREE,
    Normalization,
    Options,
    flag_name,
    options_in,
    unit_of_characters,
)
from scoring.sides.given import File, SystemPath, read_speakers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from formats.console.command_line import TakesArguments
    from formats.console.command_parser import AnyParser, CommandParser
    from scoring.results.record import Shard
    from scoring.score.rates import ErrorRates
    from scoring.text.pipeline import Pipeline


_MOST_MEANT = 3  # folders that a message suggests


class SystemArgument(SystemPath, InputPath):
    """The file of a system, as a command-line argument."""


class NothingScoredError(ScoringError):
    """The reference has no words that could be scored."""

    status = 2


NONE: Mapping[str, Any] = {}
# Commands that take several hypotheses have these sides.
SEVERAL = ("REF HYP [HYP ...]", "[REF] BASELINE NEW")
ALLOW_EMPTY = (
    "--allow-empty  accept a reference with nothing to score (default: stop with an error)"
)
SHARDS = """
[shards]
--shard I/N  score only part I of N parts, for example 3/8; `scoring merge` merges the parts
--shard-output >FILE  write the shard to FILE as JSON
"""
SHARDS_TO_MERGE = f"""
shards <SHARD  files that `--shard-output` of `scoring wer`, `der` or `kws` wrote, or those of
  `scoring wer --engine --json`
{ALLOW_EMPTY}
"""
FILES = """
[files | {usage}; - is stdin; a folder, an archive or a quoted pattern stands for its files]
{mark}-r --reference <REF  {reference}
-h <HYP ...  hypothesis file (repeatable); without other arguments, -h shows help
"""
COLUMNS = """
--reference-column NAME ...  column of the tables with the reference; every file must then be a
  table or a folder of tables (repeatable in wer, for several references)
--hypothesis-column NAME ...  column of the tables with the hypothesis (default: pred_text,
  otherwise the only column with a usual name such as hypothesis; repeatable: each column is a
  system)
"""
SYSTEM = """
--system NAME=FILE[:OPTION=VALUE…] ...  name of a system in reports, and its hypothesis file; OPTION
  sets the format, the encoding or a reading option of this file (repeatable)
"""
TOGETHER = """
--fail-when {any,all}  exit with status 3 if any condition fails (default), or only if all
  conditions fail
--summary-json >FILE  write one line of JSON that says whether all conditions are met, for example
  for a comment (-: stdout)
"""
SEARCHES = """
| --exact  with --meeting, search for the fewest errors, and skip sessions that are too large, with
  a message (default: ORC and DI search larger sessions greedily)
| --greedy  with --meeting, search greedily: fast for sessions of any size, but may find more
  errors than the exact search
"""
FUNCTIONS = """
--measure-function MODULE:FUNCTION  also compute a Python function of yours, which takes lists of
  references and hypotheses
--stem LANG  report how many errors are only other inflections of the reference word; LANG is a
  language of the package snowballstemmer, for example english
"""
# Among names of sclite's reports: where these go. `scoring.cli.nist_reports` writes them.
STDOUT = "stdout"
NIST_REPORTS = """
[sclite's reports]
-o REPORT  write reports of sclite by name, for example pralign, rsum, sum or all; stdout: print the
  reports in place of the tables
-O /DIR  folder of the reports (default: that of the hypothesis)
-n /NAME  file name of the reports, without suffix (default: that of the hypothesis)
-l BYTES  line width of pralign and prf (default: 1000)
"""


def command_parser(
    name: str,
    description: str,
    table: str,
    /,
    *,
    sides: str = "",
    epilog: str | None = None,
    short_help: bool = True,
    **kinds: Any,
) -> CommandTable:
    """Return the table of a command's arguments; `sides` describes the files for `parse_files`."""
    short_help = short_help and not sides
    prog = f"scoring {name}"
    parser = CommandTable(prog, description, _new_parser, epilog=epilog, short_help=short_help)
    if sides:
        # both sides, by place or by sclite's letters
        parser.usage = f"{prog} [options] {sides}"
        parser.add_argument("files", metavar=sides, nargs="*", type=InputPath, help=HIDDEN)
        letters = {"REF": {"dest": "reference"}, "HYP": {"dest": "hypotheses"}}
        system = SYSTEM if sides in SEVERAL else ""
        mark = "" if sides.startswith("REF") else "* "
        files = FILES.format(usage=sides, mark=mark, reference=HELP_OF["--reference"])
        add_table(parser, f"{files}{system}", **letters)
    add_table(parser, table, **kinds)
    return parser


def _new_parser(table: CommandTable) -> CommandParser:
    """Return the parser of argparse for the lines that the table does not read."""
    from formats.console.command_parser import parser_of

    return parser_of(table)


def add_table(
    parser: AnyParser,
    table: str,
    /,
    **kinds: Any,
) -> None:
    """Add the rows of a table of flags; `[title | description]` begins a group, `[]` ends it.

    Rows after `|` exclude each other; rows after `|!` also exclude each other, and one is required.
    `@` lists fields of `Options` in the notation of `named_choices`.
    """
    kinds = KINDS | kinds
    group: Any = parser
    excluding: Any = None
    for row in rows_of(table):
        if row[0] == "|":
            mark, _, rest = row.partition(" ")
            excluding = excluding or group.add_exclusive_group(required=mark == "|!")
            add_flag(excluding, rest, kinds)
            continue
        excluding = None
        if row[0] == "@":
            add_choices(group, named_choices(row[1:]))
        elif row[0] != "[":
            add_flag(group, row, kinds)
        elif row == "[]":
            group = parser
        else:
            title, _, text = row[1:-1].partition(" | ")
            group = parser.add_group(title, text or None)


def add_commands(
    parser: CommandParser,
    commands: Mapping[str, tuple[Callable[..., Any], str, str]],
    shared: str = "",
    /,
    **kinds: Any,
) -> None:
    """Add subcommands, each with its function, title and table of arguments.

    The arguments in `shared` precede those of each subcommand.
    """
    group = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (work, title, table) in commands.items():
        text = f"{title[0].upper()}{title[1:]}."
        command = group.add_parser(name, help=title, description=text)
        command.set_defaults(work=work)
        add_table(command, f"{shared}\n{table}", **kinds)


def parse_files(
    parser: CommandTable,
    argv: Sequence[str],
    *,
    most: int | None = 1,
    has_reference: bool = True,
    has_both: Callable[[str], bool] | None = None,
    least: int = 1,
    usual: Mapping[str, Any] = NONE,
) -> Namespace:
    """Return the parsed arguments; the files become `reference` and `hypotheses`.

    There are `least` to `most` hypotheses. If `has_reference`, the first file is the reference,
    unless `-r` names one. `has_both` returns True for a file that contains both sides; such a file
    may be the only one.
    """
    argv = list(_with_values(argv))
    arguments: Namespace = parser.parse_intermixed_args(argv)
    if getattr(arguments, "like", None) is not None:
        _apply_recipe(parser, argv, arguments, usual)
    arguments.usual = usual
    files: list[str] = arguments.files
    if has_reference and arguments.reference is None:
        if not files:
            parser.error("expected a reference, found none: give it first (REF HYP, or -r REF)")
        arguments.reference = files.pop(0)
    arguments.hypotheses = [*files, *arguments.hypotheses, *getattr(arguments, "systems", ())]
    sides = ("reference_columns", "hypothesis_columns")
    names_columns = any(getattr(arguments, name, ()) for name in sides)
    if not (arguments.hypotheses or names_columns) and has_both and has_both(arguments.reference):
        arguments.hypotheses = [arguments.reference]
    number = len(arguments.hypotheses)
    if number < least and not names_columns:
        parser.error(_no_hypothesis(arguments.reference, has_both))
    if most is not None and number > most:
        parser.error(f"unrecognized arguments: {' '.join(arguments.hypotheses[most:])}")
    return arguments


def _no_hypothesis(file: str, has_both: Callable[[str], bool] | None) -> str:
    """Return why the only file that was given cannot be scored by itself."""
    if file != "-" and not is_url(file) and not os.path.lexists(file):
        return f"{file}: expected a file or folder, found neither{near_file(file)}"
    if os.path.isdir(file):
        names = sorted(os.listdir(file))
        if not names:
            return f"{file}: expected a folder with files, found an empty folder"
        paths = (os.path.join(file, name) for name in names[:MOST_LISTED])
        inner = [path for path in paths if os.path.isdir(path) and has_both and has_both(path)]
        if inner:
            meant = " or ".join(inner[:_MOST_MEANT])
            return (
                f"{file}: expected a folder with results, found its parent (did you mean {meant}?)"
            )
        if lack := _lack_of_decoding(file):
            return f"{file}: {lack}"
    of_table = " or, for two columns of a table, --reference-column and --hypothesis-column"
    return (
        f"no hypothesis for {file}: give it after the reference (REF HYP, or -h HYP)"
        + of_table * file.lower().endswith((".csv", ".tsv", ".xlsx", ".parquet", ".arrow"))
    )


def _lack_of_decoding(folder: str) -> Message | None:
    """Return what a folder of a decoding in Kaldi lacks; None for any other folder."""
    if not is_installed("scoring.regression"):
        return None
    from scoring.regression.kaldi_lacks import lack_of

    return lack_of(folder)


def _with_values(argv: Sequence[str]) -> Iterator[str]:
    """Yield the arguments; after a flag without its optional value, yield the default value."""
    for place, argument in enumerate(argv):
        missing = argument == _COMPOUNDS and "".join(argv[place + 1 : place + 2]) not in COMPOUNDS
        yield f"{argument}={COMPOUNDS[0]}" if missing else argument


def _apply_recipe(
    parser: CommandTable,
    argv: Sequence[str],
    arguments: Namespace,
    usual: Mapping[str, Any],
) -> None:
    """Replace defaults by the choices of the recipe, and reject flags that contradict it."""
    defaults = dict.fromkeys(FIELDS.keys() - FREE - {"normalize"}, HIDDEN)
    named = vars(parser.parse_intermixed_args(argv, ParsedArguments(**defaults)))
    choices = {name: named[name] for name in defaults if named[name] != HIDDEN}
    if arguments.normalize:
        from scoring.text.pipeline import joined

        choices["normalize"] = joined(arguments.normalize)
    try:
        if choices.get("unit") is None and usual.get("unit") in CHARACTER_UNITS:
            choices["unit"] = unit_of_characters(arguments.like)
        options = Options(like=arguments.like, **choices)
        steps = [] if options.normalize is None else [pipeline_of_choice(options.normalize)]
    except ValueError as problem:
        option = Advice("like", arguments.like)
        reason = getattr(problem, "value", None) or problem_of(problem, "like")
        from scoring.cli import messages

        parser.refuse(Message(messages.RECIPE, {"option": option, "problem": reason}))
    for name in ("like", *defaults):
        setattr(arguments, name, getattr(options, name))
    arguments.normalize = steps


def check_systems(parser: AnyParser, arguments: Namespace) -> None:
    """Reject two systems with the same name, or the same file twice without system names."""
    names = [getattr(path, "system", path) for path in arguments.hypotheses]
    repeated = [name for name in names if names.count(name) > 1]
    if repeated and arguments.reference != "-":
        parser.error(
            f"--system: expected a different name for each system, found {repeated[0]!r} twice"
            if arguments.systems
            else "a hypothesis is named twice"
        )


def refuse_systems(parser: AnyParser, arguments: Namespace, of: str) -> None:
    """Report a usage error if `--system` is given.

    `of` ends the message: it names what `--system` does not apply to.
    """
    if arguments.systems:
        parser.error(f"--system does not apply to {of}")


def named_systems(arguments: Namespace, systems: Iterable[ErrorRates]) -> list[ErrorRates]:
    """Return the results of the hypotheses, renamed if system names are given."""
    return [
        rates.named(path.system) if isinstance(path, SystemPath) else rates
        for path, rates in zip(arguments.hypotheses, systems, strict=True)
    ]


def check_standard_input(parser: AnyParser, paths: Sequence[str]) -> None:
    """Reject a command line that names standard input more than once."""
    if paths.count("-") > 1:
        parser.error("standard input can be read only once")


FORMATS = ("reference_format", "hypothesis_format")
ENCODINGS = ("reference_encoding", "hypothesis_encoding")
PATTERN = "pattern"
SIDE_OPTIONS = ("reference_options", "hypothesis_options")
OF_FILES = options_in("files")
# Fields of `Options` by the names of their groups, as of `scoring.options.option`.
SETS = {
    "of_files": OF_FILES,
    "reading": options_in("files", "reading"),
    "formats": FORMATS,
    "encodings": ENCODINGS,
    **{name: options_in(name) for name in ("matching", "aligning", "choosing", "meetings")},
}

_COMPOUNDS = flag_name("merge_compounds")


def named_choices(text: str) -> list[str]:
    """Return the fields of `Options` that a row lists by name or group, without duplicates.

    A `-` before a name excludes the field.
    """
    names: list[str] = []
    for word in text.split(" "):
        if word.startswith("-"):
            names.remove(word[1:])
        else:
            names += SETS.get(word, (word,))
    return list(dict.fromkeys(names))


def add_choices(group: TakesArguments, names: Iterable[str]) -> None:
    """Add flags for fields of `Options`; their destinations are the field names."""
    for name in names:
        row, default = FLAGS[name].replace("%", "%%"), FIELDS[name].default
        kind: dict[str, Any] = {"dest": name, **_KINDS.get(name, NONE)}
        if " ...  " not in whole_row(row):
            kind["default"] = default
        if name in CHOICES:
            kind["choices"] = CHOICES[name]
            if default is False:
                kind |= {"nargs": "?", "const": CHOICES[name][0]}
        add_flag(group, row, NONE, kind)
        if name in SIDE_OPTIONS:
            side = name.partition("_")[0]
            layout = (
                f"--{side}-pattern PATTERN ...  layout of the text of this side, as in --pattern "
                "of `formats convert`, or @FILE with rules"
            )
            add_flag(group, layout, {"PATTERN": {"dest": name, "type": _layout_option}})


def options_of(
    arguments: Namespace, only: Collection[str] = tuple(FIELDS), **changes: Any
) -> Options:
    """Return the options from parsed flags; fields outside `only` have their defaults."""
    values = {name: value for name, value in vars(arguments).items() if name in only}
    values = {name: value for name, value in values.items() if name in FIELDS}
    if "measure_options" in values:
        values["measure_options"] = dict(values["measure_options"])
        if "stem" in values["measure_options"]:
            values["measures"] = [*values["measures"], "forms"]
    for name in SIDE_OPTIONS:
        if name in values:
            values[name] = _reading_options(name, values[name])
    if "channel_aliases" in values:
        values["channel_aliases"] = dict(values["channel_aliases"])
    if values.get("speakers") is not None:
        values["speakers"] = read_speakers(values["speakers"], values.get("encoding", "auto"))
    elif "speakers" in values and (path := _speakers_beside(arguments)):
        values["speakers"] = read_speakers(path, values.get("encoding", "auto"))
        from scoring.cli import messages

        fields = {"path": path, "reference": str(arguments.reference)}
        tell(Message(messages.SPEAKERS_BESIDE, fields))
    if "normalize" in values:
        values["normalize"] = values["normalize"] or None
    try:
        options = Options(**values | changes)
        if not (options.measures or options.measure_options):
            return options
        from scoring.measures import needs_sources

        # what is read is shared by several hypotheses
        return options.changed(keep_sources=options.keep_sources or needs_sources(options))
    except OptionValueError as problem:
        if isinstance(problem, OptionError):  # which names its options
            raise
        flag = flag_name(problem.option) if problem.option == "measure_options" else problem.option
        raise OptionError(f"{flag}: {problem.problem}") from None
    except ValueError as problem:
        raise OptionError(str(problem)) from None


def _speakers_beside(arguments: Namespace) -> str:
    """Return the path of `utt2spk` beside a Kaldi text, if rates by speaker are requested.

    Otherwise return an empty string.
    """
    by = getattr(arguments, "by", None) or ()
    folder, name = os.path.split(str(getattr(arguments, "reference", None) or ""))
    path = os.path.join(folder, "utt2spk")
    is_asked = "speaker" in by or getattr(arguments, "per_speaker", False)
    return path if is_asked and name == "text" and os.path.isfile(path) else ""


def _reading_options(name: str, rows: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the values of a side's reading options; raise OptionError if two values differ."""
    values: dict[str, str] = {}
    for key, value in rows:
        option = key.replace("-", "_")
        other = values.setdefault(option, value)
        if option == PATTERN and other is not value:
            values[option] += f"\n\n{value}"
        elif other != value:
            flag = f"--{name.removesuffix('s').replace('_', '-')}"
            way = " (--system NAME=FILE:OPTION=VALUE gives each system its own)"
            raise OptionError(
                f"{flag}: expected one value of {key}, found {other} and {value}"
                + way * (name == "hypothesis_options")
            )
    return values


def tell_shared_files(options: Options, systems: Iterable[str]) -> None:
    """Warn if the file of a reading option, such as speaker turns, applies to several systems."""
    # a named system has reading options of its own
    paths = [path for path in systems if not isinstance(path, SystemPath)]
    if len(paths) < 2:
        return
    from scoring.cli import messages

    for name, value in options.hypothesis_options.items():
        if _names_file(name):
            fields = {"choice": f"{name}={value}", "paths": paths, "name": name}
            tell(Message(messages.SHARED_FILE, fields))


def with_usual(options: Options, usual: Mapping[str, Any]) -> Options:
    """Return the options with a command's defaults where nothing was chosen.

    If a recipe is chosen, return the options unchanged.
    """
    if options.like is not None:
        return options
    lacking = {name: value for name, value in usual.items() if getattr(options, name) is None}
    return options.changed(**lacking) if lacking else options


def flags_given(parser: CommandTable, argv: Sequence[str], arguments: Namespace) -> dict[str, Any]:
    """Return the flags on a command line: a mapping from their names to the parsed values."""
    # a value that is there already is no default, and nobody types None
    nothing = dict.fromkeys(vars(arguments), None)
    given = vars(parser.parse_intermixed_args(list(_with_values(argv)), ParsedArguments(**nothing)))
    return {name: value for name, value in given.items() if value is not None}


def kind_of(read: Callable[[str], Any], option: str = "") -> Callable[[str], Any]:
    """Return an argument type that converts `ValueError` to a usage error of its flag.

    The message omits `option`, the name of the option in Python.
    """

    def parse(text: str) -> Any:
        try:
            return read(text)
        except ValueError as problem:
            error = unusable(problem_of(problem, option))
            error.value = getattr(problem, "value", None)  # type: ignore[attr-defined]
            raise error from None

    return parse


def pipeline_of_choice(steps: Normalization) -> Pipeline:
    """Return the pipeline for the value of the option `normalize`."""
    from scoring.text.pipeline_files import as_pipeline

    return as_pipeline(steps)


pipeline_named = kind_of(pipeline_of_choice, "normalize")


def whole_number(least: int, most: int = (1 << 31) - 1) -> Callable[[str], int]:
    """Return an argument type for whole numbers from `least` to `most`."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            limit = f" to {most}" if value > most else ""
            raise unusable(f"expected a whole number from {least}{limit}, found {text[:40]!r}")
        return value

    return read


def share(text: str) -> float:
    """Return a p-value between 0 and 1, which may be written in percent: `0.05` or `5%`.

    >>> share("0.05"), share("5%")
    (0.05, 0.05)
    """
    digits = text.removesuffix("%")
    value = _number(digits) / (100 if text.endswith("%") else 1)
    if not 0 < value < 1:
        raise unusable(f"expected a p-value such as 0.05 or 5%, found {text!r}")
    return value


def level(text: str) -> float:
    """Return the coverage of an interval in percent: `95` or `95%`.

    >>> level("95"), level("99.5%")
    (95.0, 99.5)
    """
    value = _number(text.removesuffix("%"))
    if not 1 <= value < 100:
        raise unusable(f"expected percent such as 95 or 95%, found {text!r}")
    return value


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def decimal(expected: str, accepts: Callable[[float], bool]) -> Callable[[str], float]:
    """Return an argument type for decimal numbers; `expected` describes them in the error."""

    def read(text: str) -> float:
        value = _number(text)
        if not accepts(value):
            raise unusable(f"expected {expected}, found {text!r}")
        return value

    return read


def _measure_names(text: str) -> list[str]:
    from scoring.measures import measure_named

    return [measure_named(name).name for name in text.split(",")]


def _borders(text: str) -> tuple[float, ...]:
    """Return comma-separated numbers in ascending order."""
    try:
        return tuple(Options(bins=tuple(map(float, text.split(",")))).bins)
    except ValueError:
        raise ValueError(f"expected ascending numbers, as in 0,2,5,10, found {text!r}") from None


def _function_name(text: str) -> list[str]:
    from scoring.measures.function import function_measure

    return [function_measure(text).name]


def _pair(metavar: str) -> Callable[[str], tuple[str, str]]:
    """Return an argument type for pairs such as `NAME=VALUE`; only `VALUE` may be empty."""
    example = " as in 0=A" if metavar == "HYP=REF" else ""

    def read(text: str) -> tuple[str, str]:
        name, sign, value = text.partition("=")
        if not name or not sign or not (value or metavar == "NAME=VALUE"):
            raise unusable(f"expected {metavar}{example}, found {text!r}")
        return name, value

    return read


def system_path(text: str) -> SystemArgument:
    """Parse a system in the notation of `--system`: `NAME=FILE:option=value…`.

    FILE may contain colons, as in `C:/a.ctm` and `scp:list`. It ends at a colon that is followed by
    the name of a reading option and `=`.

    >>> system_path("B=C:/b.json:field=text:format=json-segments").file.options
    {'field': 'text'}
    """
    name, _, rest = text.partition("=")
    names = _reading_names()
    import re

    path, *rows = re.split(rf":(?=(?:{'|'.join(map(re.escape, sorted(names)))})=)", rest)
    if not name or not path:
        raise unusable(f"expected NAME=FILE, or NAME=FILE:option=value, found {text!r}")
    unknown = re.fullmatch(r"(.+):([a-z][a-z_-]*)=.*", path, re.DOTALL)
    if unknown and os.path.exists(unknown[1]) and not os.path.exists(path):
        advice = f" (did you mean {near}?)" if (near := closest(unknown[2], names)) else ""
        raise unusable(
            f"expected a reading option after {unknown[1]}:, found {unknown[2]!r}{advice}"
        )
    options = dict(_reading_option(row) for row in rows)
    if len(options) < len(rows):
        raise unusable(f"expected each option once, found {text!r}")
    values = {key.replace("-", "_"): value for key, value in options.items()}
    file = File(
        path,
        format=values.pop("format", None),
        encoding=values.pop("encoding", None),
        options=values,
    )
    return SystemArgument.of(name, file)


def _reading_names() -> set[str]:
    """Return the command-line names of readers' options."""
    from formats.detection import all_formats

    names = {option.name for spec in all_formats() for option in spec.read_options}
    names |= {"format", "encoding", "recording", "tolerance", "max_bytes"}
    return {name.replace("_", "-") for name in names} | names


def _reading_option(text: str) -> tuple[str, str]:
    """Parse NAME=VALUE; an option that names a file must have a value."""
    name, value = _pair("NAME=VALUE")(text)
    if not value and _names_file(name):
        NamedPath(value)
    return name, described(value) if name == PATTERN else value


def _names_file(name: str) -> bool:
    """Return True if the value of a reading option is the name of a file."""
    from formats.detection import all_formats

    options = (option for spec in all_formats() for option in spec.read_options)
    return any(option.is_path and option.name == name.replace("-", "_") for option in options)


def _layout_option(text: str) -> tuple[str, str]:
    """Return the reader option that describes the layout of a plain text file."""
    return PATTERN, described(text)


def _measure_of_meetings(text: str) -> str:
    """Return the name of a measure for meetings as options have it: `cp` for `cpWER`."""
    name = text.lower().replace("-", "").removesuffix("wer")
    return name if name in CHOICES["meeting"] else text


def _variants_file(text: str) -> str:
    """Return the text if it is a file or `LANG=FILE`; raise an error for other texts."""
    NamedPath(text.partition("=")[2] if "=" in text else text)
    return text


# Of fields the types of their flags, and what repeated ones do; of others all about them.
KINDS: dict[str, Any] = {
    "system": {"dest": "systems", "type": system_path},
    "reference_column": {"dest": "reference_columns"},
    "hypothesis_column": {"dest": "hypothesis_columns"},
    "measure_function": {"dest": "measures", "action": "extend", "type": kind_of(_function_name)},
    "stem": {"dest": "measure_options", "action": "append", "type": lambda text: ("stem", text)},
    **{
        name: {"action": "store_const", "const": name, "dest": "search"}
        for name in ("exact", "greedy")
    },
}
_KINDS: dict[str, dict[str, Any]] = {
    **{key: {"type": _reading_option} for key in SIDE_OPTIONS},
    "measure_options": {"type": _pair("NAME=VALUE")},
    "variants_file": {"type": _variants_file},
    "channel_aliases": {"type": _pair("HYP=REF")},
    "by": {"type": lambda text: text.split(","), "action": "extend"},
    "bins": {"type": kind_of(_borders)},
    "normalize": {"type": pipeline_named},
    "unit": {"type": kind_of(checked_unit, "unit")},
    "jobs": {"type": whole_number(1)},
    "where": {"type": kind_of(lambda text: Options(where=[text]).where[0], "where")},
    "measures": {"type": kind_of(_measure_names, "measures"), "action": "extend"},
    "metadata_key": {
        "type": kind_of(lambda text: Options(metadata_key=text).metadata_key, "metadata_key")
    },
    "meeting": {"type": _measure_of_meetings},
    "collar": {"type": kind_of(lambda text: Options(collar=text).collar, "collar")},
    "shift": {"type": kind_of(lambda text: Options(shift=text).shift, "shift")},
}


def _with_reports(before: set[str], names: list[str]) -> set[str]:
    """Return the reports that all `-o` options so far name."""
    from scoring.nist.report.writer import reports_named

    chosen = reports_named(name for name in names if name != STDOUT)
    return before | chosen | {STDOUT}.intersection(names)


NIST_KINDS: dict[str, Any] = {
    "o": {"dest": "nist_reports", "fold": _with_reports, "nargs": "+", "default": set()},
    "O": {"dest": "nist_folder"},
    "n": {"dest": "nist_name"},
    "l": {"dest": "nist_width", "type": whole_number(1)},
}


def refuse_empty(reference_words: int, name: str, arguments: Namespace) -> None:
    """Reject a result if `reference_words` is 0, unless the flags allow it."""
    if not reference_words and not arguments.allow_empty:
        from scoring.cli import messages

        raise NothingScoredError(Message(messages.NOTHING_SCORED, {"path": name}))


def shard_of(text: str) -> Shard:
    """Parse the argument `N/M`: shard N of a run that is cut into M shards."""
    from scoring.results.record import Shard

    number, slash, of = text.partition("/")
    if slash and number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of):
        return Shard(int(number), int(of))
    raise unusable(f"expected a shard N/M, N from 1 to M, found {text!r}")


SHARD_KINDS: dict[str, Any] = {"shard": shard_of, "shard_output": {"dest": "output"}}


def check_shard(parser: AnyParser, arguments: Namespace) -> None:
    """Reject `--shard` without `--shard-output`, and the reverse."""
    if (arguments.shard is None) != (arguments.output is None):
        parser.error("--shard and --shard-output go together")


# Stands for several systems where the name of an option is expected.
SYSTEMS = "SYSTEMS"
# The conditions on which a command fails.
CONDITIONS = ("fail_above", "fail_measure", "fail_gap_above", "fail_group_above")
_SAMPLES = "confidence_interval compare_groups fail_gap_above"
_TABLE = f"""
collar search assignment explain reference_times hypothesis_times: meeting
cluster_timeout: engine
bins: by metadata
csv_safe: csv pairs
group_words: fail_group_above
correction: compare_groups fail_gap_above
level interval: confidence_interval
replications seed: {_SAMPLES} {SYSTEMS}
block: confidence_interval {SYSTEMS}
test sort best: {SYSTEMS}
tolerance: all_rates json
system_id: det conditional_det
"""
# How hypotheses are read, in a command with another file that may be one.
OF_HYPOTHESES = ("hypothesis_format", "hypothesis_encoding", "hypothesis_options")
# Attributes of the options without which an option has no effect, by its attribute.
NEEDS: dict[str, Sequence[str]] = {
    name: needed.split()
    for names, _, needed in (row.partition(": ") for row in _TABLE.strip().split("\n"))
    for name in names.split()
}


def tell_idle(
    parser: AnyParser,
    arguments: Namespace,
    *,
    systems: int = 1,
    needs: Mapping[str, Sequence[str]] = NEEDS,
) -> None:
    """Print a note on each option that has no effect, and set it to its default.

    `systems` is the number of scored systems. `needs` maps each option to the options of which it
    needs one.
    """
    for name, others in needs.items():
        usual, value = parser.get_default(name), getattr(arguments, name, None)
        if value is None or value == usual or _has_effect(others, arguments, systems):
            continue
        from scoring.cli import messages

        needed = [_flag_of(parser, each) for each in others if hasattr(arguments, each)]
        entry = messages.IDLE_WITHOUT
        if SYSTEMS in others:
            entry = messages.IDLE_FOR_ONE_WITHOUT if needed else messages.IDLE_FOR_ONE
        elif not needed:  # an option of that name that needs no other
            continue
        tell(Message(entry, {"option": _flag_of(parser, name, value), "needed": needed}))
        setattr(arguments, name, usual)
    conditions = (getattr(arguments, name, None) for name in CONDITIONS)
    number = sum(len(each) if isinstance(each, list) else each is not None for each in conditions)
    if number < 2 and getattr(arguments, "fail_when", None) == "all":
        from scoring.cli import messages

        fields = {"option": Advice("fail_when", ""), "conditions": number}
        tell(Message(messages.IDLE_CONDITION, fields))


def _has_effect(needed: Sequence[str], arguments: Namespace, systems: int) -> bool:
    """Return True if any of the `needed` options is set, or if several systems are scored."""
    is_met = any(getattr(arguments, each, None) not in (None, False, [], ()) for each in needed)
    return is_met or (systems > 1 and SYSTEMS in needed)


def _flag_of(parser: AnyParser, name: str, value: object = None) -> Advice:
    """Return the flag of an attribute of the arguments, as advice.

    If each value has its own flag, as for `search`, return the flag of `value`.
    """
    flags = [
        flag
        for flag, action in parser.options.items()
        if action.dest == name and action.const in (None, True, value) and flag.startswith("--")
    ]
    return Advice(flags[0][2:].replace("-", "_"), "")
