"""Options of the `formats` command; each format lists its own options."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter

from formats.console.command_line import (
    HELP,
    HELP_ALL,
    CommandTable,
    CommonText,
    InputPath,
    add_flags,
    described,
    unusable,
)
from formats.schema import NamedTuple
from formats.schema.errors import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any, TypeAlias

    from formats.console.command_parser import CommandParser
    from formats.detection.spec import FormatSpec, Option
    from formats.schema.selection import Selection
    from formats.writing.convert import ConvertOptions

PROGRAM = "formats"
NAMING = ("--from", "--from-b", "--to")
JSON = "* --json\n"
MOST_JOBS = 256
MOST_SECONDS = 1e9
MOST_RATE = 1000

FILES = """\
files <FILE  a file, a folder, an archive (.zip, .tar, .tar.gz) or a pattern
"""
JOBS = """\
* --jobs
"""
ENCODING = """\
* --encoding
"""
DETECT = """\
--explain  if no format fits, show what the likeliest formats expect and what the file lacks
--show-pattern  print the detected layout of a plain text as patterns and rules; save them as FILE
  to read other files with --pattern @FILE
"""
VALIDATE = """\
--notes  also print notes: remarks about things that are not errors
"""
LINT = """\
* --rules NAME|@FILE.toml  style guide: netflix (default), netflix-children, netflix-sdh,
  netflix-sdh-children, bbc, ard-zdf or ard-zdf-children; NAME@DATE selects a version, and
  @FILE.toml is a guide of your own
* --rules-language LANG  language for which the guide has limits, such as de (default: en, or
  the only language of the guide)
* --video-fps N  frames per second of the video, for rules that count frames (default: 24)
"""
FILES_OF_CONVERT = """\
inputs <IN  files, folders, archives (.zip, .tar, .tar.gz) or patterns, - for stdin
output /OUT  file to write, or existing folder to write into, - for stdout
* --to
"""
CONVERT = """\
--no-clobber  do not overwrite existing files; exit with status 2 instead
"""
CONVERSION = """\
--output-encoding NAME  encoding of the output (default: utf-8)
--bom  begin the output with a byte order mark
--newline {lf,crlf}  line ends (default: lf)
--text-view
* --interpolate
--group  how to form segments from words that have none: split at pauses, at changes of speaker, or
  one per recording (default: pause)
--pause SECONDS  with --group pause, begin a new segment after a pause of more than SECONDS
  (default: 0.5)
--inner-space  what to do with words that contain spaces: split the words, replace the spaces by _,
  or stop with an error (default: split); in names that must not have spaces, split also means _
* --explain-loss  show where each kind of loss occurs first, and also print notes
"""
SELECTING = """\
--only-recording NAME ...  use only this recording (repeatable)
--only-channel NAME ...  use only this channel (repeatable)
* --only-speaker NAME ...  use only this speaker (repeatable)
--only-tier NAME ...  use only this tier (repeatable)
* --begin SECONDS  use only words whose middle is at or after this time
* --end SECONDS  use only words whose middle is before this time
"""
UTF8 = {"default": "utf-8"}
AUTO = {"default": "auto"}


class Verb(NamedTuple):
    """A subcommand that another package adds to the command.

    Attributes
    ----------
    text
        One line for the list of verbs.
    add_flags
        Adds the flags of the subcommand to a table of arguments.
    module
        Name of the module whose `run` takes the arguments and returns the exit status.
    """

    text: str
    add_flags: Callable[[CommandTable], None]
    module: str


# The options of a format that a verb has.
OptionsOf: TypeAlias = "Callable[[FormatSpec], Sequence[Option]]"
# The line of a verb in the list, and what adds its flags and returns the options of formats.
VerbRow: TypeAlias = "tuple[str, Callable[[CommandTable], OptionsOf | None]]"


def arguments_of(words: Sequence[str], verbs: Mapping[str, Verb]) -> Namespace:
    """Return the arguments of a command line, including those of the subcommands in `verbs`.

    Options that all commands have may precede the subcommand. Other lines, which ask for help or
    have no subcommand, are read by argparse.
    """
    names = _verb_rows(verbs)
    place = next((place for place, word in enumerate(words) if word in names), None)
    if place is None or CommandTable(PROGRAM, "", _new_parser).ordinary(words[:place]) is None:
        arguments: Namespace = parser(verbs, words).parse_args(words)
        return arguments
    verb, words = words[place], [*words[:place], *words[place + 1 :]]
    table = verb_table(verb, names[verb], words)
    table.set_defaults(command=verb)
    return table.parse_args(words)  # type: ignore[no-any-return]


def parser(verbs: Mapping[str, Verb], words: Collection[str] | None = None) -> CommandParser:
    """Return the parser of the whole command, including the subcommands of other packages.

    A subcommand gets its options only if it appears in `words` (all do if `words` is `None`), and
    options of formats only if `words` need them.
    """
    from formats.console.command_parser import CommandParser, fill_parser

    top = CommandParser(
        prog=PROGRAM,
        description="Convert, detect, describe and check transcript files.",
        epilog="`formats list` lists the formats. Manual: scoring docs formats.",
    )
    commands = top.add_subparsers(
        dest="command", required=True, metavar="COMMAND", parser_class=CommandParser
    )
    for name, row in _verb_rows(verbs).items():
        command = commands.add_parser(name, help=row[0], description=_sentence(row[0]))
        if words is None or name in words:
            rest = [word for word in words or () if word != name]
            fill_parser(command, verb_table(name, row, rest))
    return top


def _verb_rows(verbs: Mapping[str, Verb]) -> dict[str, VerbRow]:
    """Return all subcommands by name, in the order of the help."""
    more: dict[str, VerbRow] = {
        name: (verb.text, partial(_add_further, verb)) for name, verb in verbs.items()
    }
    return {**_FIRST_VERBS, **more, **_LAST_VERBS}


def _new_parser(table: CommandTable) -> CommandParser:
    """Return the parser of argparse for the lines that the table does not read."""
    from formats.console.command_parser import parser_of

    return parser_of(table)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def verb_table(name: str, row: VerbRow, words: Sequence[str]) -> CommandTable:
    """Return the table of the arguments of a subcommand.

    Options of formats are those that `words`, which follow the name of the subcommand, need.
    """
    text, add_arguments = row
    table = CommandTable(f"{PROGRAM} {name}", _sentence(text), _new_parser)
    options_of = add_arguments(table)
    if options_of is not None:
        table.set_defaults(format_options=_add_format_options(table, options_of, words))
    return table


def _add_format_options(
    table: CommandTable, options_of: OptionsOf, words: Sequence[str]
) -> tuple[Option, ...]:
    """Add those options of formats that a command line needs; return them."""
    from formats.detection import all_formats

    flags = {word.partition("=")[0] for word in words if word.startswith("--")}
    options: dict[str, Option] = {}
    if not flags.isdisjoint(("--help", HELP_ALL)) or words == [HELP]:
        _add_options(table, options, map(options_of, tuple(_named(words)) or all_formats()))
    elif not flags <= table.names():
        _add_options(table, options, map(options_of, _named(words)))
        if not flags <= table.names():
            _add_options(table, options, map(options_of, all_formats()))
    return tuple(options.values())


def _named(words: Sequence[str]) -> Iterator[FormatSpec]:
    """Yield the formats that a command line names, by options in `NAMING` or by file suffixes."""
    from formats.detection import by_name, by_suffix, names

    for before, word in zip(("", *words), words, strict=False):
        flag, has_value, value = word.partition("=")
        if not has_value and before in NAMING:
            flag, value = before, word
        if flag in NAMING:
            spec = by_name(value) if value.lower() in names() else None
        else:
            spec = None if word.startswith("-") else by_suffix(word)
        if spec is not None:
            yield spec


def _add_convert(convert: CommandTable) -> OptionsOf:
    from formats.writing.convert import GROUPS, INNER_SPACES, INTERPOLATIONS, TEXT_VIEWS

    add_flags(convert, FILES_OF_CONVERT + JOBS + CONVERT, inputs={"nargs": "+"}, jobs=JOBS_KIND)
    add_reading(convert)
    add_selecting(convert)
    add_flags(
        convert,
        CONVERSION,
        output_encoding=UTF8,
        newline={"default": "lf"},
        text_view={"choices": TEXT_VIEWS, "default": TEXT_VIEWS[0]},
        interpolate={"choices": INTERPOLATIONS, "default": "none"},
        group={"choices": GROUPS, "default": "pause"},
        pause={"type": float, "default": 0.5},
        inner_space={"choices": INNER_SPACES, "default": "split"},
    )
    add_flags(convert, JSON)
    return lambda spec: spec.read_options + spec.write_options


def _add_detect(detect: CommandTable) -> None:
    _add_files(detect)
    add_flags(detect, ENCODING + DETECT + JSON, encoding=AUTO)


def _add_list(listing: CommandTable) -> None:
    add_flags(listing, f"{JSON}--markdown\n")


def _add_info(info: CommandTable) -> OptionsOf:
    _add_files(info)
    add_reading(info)
    add_selecting(info)
    add_flags(info, JSON)
    return _READ_OPTIONS


def _add_further(verb: Verb, command: CommandTable) -> OptionsOf:
    verb.add_flags(command)
    return _READ_OPTIONS


def _add_validate(validate: CommandTable) -> OptionsOf:
    _add_files(validate)
    add_reading(validate, is_lenient=True)
    add_flags(validate, VALIDATE)
    add_flags(validate, JSON)
    return _READ_OPTIONS


def _add_lint(lint: CommandTable) -> OptionsOf:
    _add_files(lint)
    add_reading(lint, is_lenient=True)
    rate = number(float, 1, MOST_RATE, f"1 to {MOST_RATE} frames per second")
    add_flags(
        lint,
        LINT,
        rules={"default": "netflix"},
        rules_language={"default": ""},
        video_fps={"type": rate, "default": 24.0},
    )
    add_flags(lint, JSON)
    return _READ_OPTIONS


_READ_OPTIONS = attrgetter("read_options")
# further verbs come between
_FIRST_VERBS: Mapping[str, VerbRow] = {
    "convert": ("write files in another format", _add_convert),
    "detect": ("print the format of files", _add_detect),
    "list": ("list all formats", _add_list),
    "info": ("print what files contain", _add_info),
}
_LAST_VERBS: Mapping[str, VerbRow] = {
    "validate": ("check files and report problems", _add_validate),
    "lint": ("check subtitles against a style guide", _add_lint),
}


def number(kind: type[int | float], low: float, high: float, expected: str) -> Callable[[str], Any]:
    """Return an argument type for numbers from `low` to `high`; errors say what was `expected`."""

    def parse(text: str) -> int | float:
        try:
            value = kind(text) if text.isascii() and "_" not in text else low - 1
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise unusable(f"expected {expected}, found {quoted(text)}")
        return value

    return parse


def words_of_context(text: str) -> int:
    """Return the value of ``--context``: a number of words, or `ALL_WORDS` for ``all``."""
    return ALL_WORDS if text == "all" else _COUNT_OF_WORDS(text)


ALL_WORDS = (1 << 31) - 1
_COUNT_OF_WORDS = number(int, 0, ALL_WORDS, "a number of words from 0, or all")
CONTEXT_KIND = {"type": words_of_context, "default": 3}
JOBS_KIND = {"type": number(int, 1, MOST_JOBS, f"1 to {MOST_JOBS}"), "default": 1}


def _add_files(command: CommandTable) -> None:
    add_flags(command, FILES + JOBS, files={"nargs": "+"}, jobs=JOBS_KIND)


def add_reading(command: CommandTable, *, is_lenient: bool = False) -> None:
    """Add the options for reading input; by default, invalid records are skipped.

    Without `is_lenient`, too many of them are an error.
    """
    from formats.io.decoding import LARGEST_INPUT
    from formats.schema.diagnostics import LENIENT, LIMITED, STRICT

    table = (
        "* --from\n"
        f"{ENCODING}"
        "--recording NAME  name of the recording if the file has none\n"
        f"--max-bytes N  reject inputs with more than N bytes (default: {LARGEST_INPUT})"
    )
    most = {"type": int, "default": LARGEST_INPUT}
    add_flags(command, table, encoding=AUTO, max_bytes=most, **{"from": {"dest": "from_"}})
    choice = command.add_exclusive_group(required=False)
    for tolerance, text in (
        (STRICT, "treat invalid records, warnings and losses as errors"),
        (LENIENT, "skip invalid records, however many, and report each"),
    ):
        choice.add_argument(
            f"--{tolerance}",
            dest="tolerance",
            action="store_const",
            const=tolerance,
            default=LENIENT if is_lenient else LIMITED,
            help=CommonText(text),
        )


def add_selecting(command: CommandTable) -> None:
    """Add the options that select segments."""
    add_flags(command, SELECTING, begin=float, end=float)


def _add_options(
    command: CommandTable, options: dict[str, Option], lists: Iterable[Sequence[Option]]
) -> None:
    """Add a command-line option for each option of any format; store it among the `options`."""
    new: dict[str, Option] = {}
    defaults: dict[str, set[object]] = {}
    for option in (option for row in lists for option in row if option.name not in options):
        defaults.setdefault(option.name, set()).add(option.default)
        first = new.setdefault(option.name, option)
        both = first.choices and option.choices and (*first.choices, *option.choices)
        new[option.name] = first._replace(choices=tuple(dict.fromkeys(both)))
    options.update(new)
    for option in new.values():
        flag, text = f"--{_dashed(option.name)}", option.help
        if option.is_switch and option.default:
            flag, text = f"--no-{_dashed(option.name)}", f"do not {option.help}"
        kind: type = InputPath if option.is_path else type(option.default)
        usual = defaults[option.name]
        keywords: dict[str, Any] = {
            "type": kind,
            "choices": option.choices or None,
            "metavar": "N" if kind is int else "FILE" if option.is_path else None,
            "help": text
            if "" in usual or len(usual) > 1
            else f"{text} (default: {option.default})",
        }
        if option.is_repeatable:
            keywords |= {"type": described, "fold": partial(_joined, "\n\n")}
        if option.name == "member":
            keywords |= {"fold": partial(_joined, ",")}
        if option.is_switch:
            keywords = {"action": "store_const", "const": not option.default, "help": text}
        command.add_argument(flag, dest=option.name, default=None, **keywords)


def _joined(between: str, before: str | None, value: str) -> str:
    """Return the value of a repeatable option: that of its earlier uses, and a further value."""
    return f"{before}{between}{value}" if before else value


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def given_options(arguments: Namespace, options: Sequence[Option]) -> dict[str, object]:
    """Return those options of a format's reader or writer that the command line sets."""
    values = {option.name: getattr(arguments, option.name, None) for option in options}
    return {name: value for name, value in values.items() if value is not None}


def paths_of_options(arguments: Namespace) -> list[str]:
    """Return the file paths that the command line gives as values of reader options."""
    options = {option.name for option in arguments.format_options if option.is_path}
    return [path for name in sorted(options) if (path := getattr(arguments, name, None))]


def unused_options(arguments: Namespace, *used: Sequence[Option]) -> list[str]:
    """Return the options on the command line that no format used in the run has."""
    names_used = {option.name for options in used for option in options}
    unused = [option for option in arguments.format_options if option.name not in names_used]
    return sorted(
        f"--{'no-' * (option.default is True)}{_dashed(option.name)}"
        for option in unused
        if getattr(arguments, option.name, None) is not None
    )


def selecting_options(arguments: Namespace) -> list[str]:
    """Return the options on the command line that select segments."""
    names = ("only_recording", "only_channel", "only_speaker", "only_tier", "begin", "end")
    values = [getattr(arguments, name, None) for name in names]
    pairs = zip(names, values, strict=True)
    return [f"--{_dashed(name)}" for name, value in pairs if value not in (None, [], ())]


def conversion_options(arguments: Namespace) -> ConvertOptions:
    """Create the conversion options from the parsed arguments."""
    from formats.writing.convert import ConvertOptions

    names = ConvertOptions._fields
    return ConvertOptions(**{name: getattr(arguments, name) for name in names})


def selection(arguments: Namespace) -> Selection:
    """Create the selection of segments from the parsed arguments."""
    from formats.schema.selection import Selection

    return Selection(
        recordings=arguments.only_recording,
        channels=arguments.only_channel,
        speakers=arguments.only_speaker,
        tiers=arguments.only_tier,
        begin=arguments.begin,
        end=arguments.end,
    )
