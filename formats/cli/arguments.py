"""Options of the `formats` command; each format lists its own options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter

from formats.console.command_line import (
    HELP_ALL,
    CommonText,
    InputPath,
    add_flags,
    described,
    unusable,
)
from formats.console.command_parser import CommandParser
from formats.schema import NamedTuple
from formats.schema.errors import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from formats.detection.spec import FormatSpec, Option
    from formats.schema.selection import Selection
    from formats.writing.convert import ConvertOptions

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
        Adds the flags of the subcommand to a parser.
    module
        Name of the module whose `run` takes the arguments and returns the exit status.
    """

    text: str
    add_flags: Callable[[CommandParser], None]
    module: str


def parser(verbs: Mapping[str, Verb], words: Collection[str] | None = None) -> CommandParser:
    """Return the parser of the whole command, including the subcommands of other packages.

    A subcommand gets its options only if it appears in `words` (all do if `words` is `None`).
    """
    top = CommandParser(
        prog="formats",
        description="Convert, detect, describe and check transcript files.",
        epilog="`formats list` lists the formats. Manual: scoring docs formats.",
    )
    commands = top.add_subparsers(
        dest="command", required=True, metavar="COMMAND", parser_class=_VerbParser
    )
    more: dict[str, _Filled] = {
        name: (verb.text, partial(_add_further, verb)) for name, verb in verbs.items()
    }
    for name, (text, fill) in {**_FIRST_VERBS, **more, **_LAST_VERBS}.items():
        command: _VerbParser = commands.add_parser(
            name, help=text, description=f"{text[0].upper()}{text[1:]}."
        )
        if words is None or name in words:
            fill(command)
    return top


class _VerbParser(CommandParser):
    """The parser of one subcommand.

    It adds the options of a format only if the command line needs them.
    """

    options_of: Callable[[FormatSpec], Sequence[Option]] | None = None

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Add the formats' options that the command line needs, then parse the command line."""
        from formats.detection import all_formats

        words = sys.argv[1:] if args is None else list(args)
        flags = {word.partition("=")[0] for word in words if word.startswith("--")}
        options: dict[str, Option] = {}
        if self.options_of is not None:
            options_of, self.options_of = self.options_of, None
            if not flags.isdisjoint(("--help", HELP_ALL)) or words == ["-h"]:
                specs = tuple(_named(words)) or all_formats()
                _add_options(self, options, map(options_of, specs))
            elif not flags <= self.options.keys():
                _add_options(self, options, map(options_of, _named(words)))
                if not flags <= self.options.keys():
                    _add_options(self, options, map(options_of, all_formats()))
            self.set_defaults(format_options=tuple(options.values()))
        return super().parse_known_args(words, namespace)


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


def _add_convert(convert: _VerbParser) -> None:
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
    convert.options_of = lambda spec: spec.read_options + spec.write_options


def _add_detect(detect: _VerbParser) -> None:
    _add_files(detect)
    add_flags(detect, ENCODING + DETECT + JSON, encoding=AUTO)


def _add_list(listing: _VerbParser) -> None:
    add_flags(listing, f"{JSON}--markdown\n")


def _add_info(info: _VerbParser) -> None:
    _add_files(info)
    add_reading(info)
    add_selecting(info)
    add_flags(info, JSON)
    info.options_of = _READ_OPTIONS


def _add_further(verb: Verb, command: _VerbParser) -> None:
    verb.add_flags(command)
    command.options_of = _READ_OPTIONS


def _add_validate(validate: _VerbParser) -> None:
    _add_files(validate)
    add_reading(validate, is_lenient=True)
    add_flags(validate, VALIDATE)
    add_flags(validate, JSON)
    validate.options_of = _READ_OPTIONS


def _add_lint(lint: _VerbParser) -> None:
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
    lint.options_of = _READ_OPTIONS


_READ_OPTIONS = attrgetter("read_options")
_Filled = tuple[str, Callable[[_VerbParser], None]]
"""The line of a verb in the list, and what adds its flags."""
# further verbs come between
_FIRST_VERBS: Mapping[str, _Filled] = {
    "convert": ("write files in another format", _add_convert),
    "detect": ("print the format of files", _add_detect),
    "list": ("list all formats", _add_list),
    "info": ("print what files contain", _add_info),
}
_LAST_VERBS: Mapping[str, _Filled] = {
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


def _add_files(command: CommandParser) -> None:
    add_flags(command, FILES + JOBS, files={"nargs": "+"}, jobs=JOBS_KIND)


def add_reading(command: CommandParser, *, is_lenient: bool = False) -> None:
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


def add_selecting(command: CommandParser) -> None:
    """Add the options that select segments."""
    add_flags(command, SELECTING, begin=float, end=float)


def _add_options(
    command: CommandParser, options: dict[str, Option], lists: Iterable[Sequence[Option]]
) -> None:
    """Add a command-line option for each option of any format."""
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
            keywords |= {"type": described, "action": _Joined}
        if option.name == "member":
            keywords |= {"action": _Listed}
        if option.is_switch:
            keywords = {"action": "store_const", "const": not option.default, "help": text}
        command.add_argument(flag, dest=option.name, default=None, **keywords)


class _Joined(argparse.Action):
    """Joins the values of a repeatable option, with an empty line between two values."""

    between = "\n\n"

    def __call__(
        self, parser: Any, namespace: argparse.Namespace, value: Any, option: Any = None
    ) -> None:
        """Append a value to those from earlier uses of the option."""
        before = getattr(namespace, self.dest, None)
        setattr(namespace, self.dest, f"{before}{self.between}{value}" if before else value)


class _Listed(_Joined):
    """Joins the values of a repeatable option with commas."""

    between = ","


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def given_options(arguments: argparse.Namespace, options: Sequence[Option]) -> dict[str, object]:
    """Return those options of a format's reader or writer that the command line sets."""
    values = {option.name: getattr(arguments, option.name, None) for option in options}
    return {name: value for name, value in values.items() if value is not None}


def paths_of_options(arguments: argparse.Namespace) -> list[str]:
    """Return the file paths that the command line gives as values of reader options."""
    options = {option.name for option in arguments.format_options if option.is_path}
    return [path for name in sorted(options) if (path := getattr(arguments, name, None))]


def unused_options(arguments: argparse.Namespace, *used: Sequence[Option]) -> list[str]:
    """Return the options on the command line that no format used in the run has."""
    names_used = {option.name for options in used for option in options}
    unused = [option for option in arguments.format_options if option.name not in names_used]
    return sorted(
        f"--{'no-' * (option.default is True)}{_dashed(option.name)}"
        for option in unused
        if getattr(arguments, option.name, None) is not None
    )


def selecting_options(arguments: argparse.Namespace) -> list[str]:
    """Return the options on the command line that select segments."""
    names = ("only_recording", "only_channel", "only_speaker", "only_tier", "begin", "end")
    values = [getattr(arguments, name, None) for name in names]
    pairs = zip(names, values, strict=True)
    return [f"--{_dashed(name)}" for name, value in pairs if value not in (None, [], ())]


def conversion_options(arguments: argparse.Namespace) -> ConvertOptions:
    """Create the conversion options from the parsed arguments."""
    from formats.writing.convert import ConvertOptions

    names = ConvertOptions.__struct_fields__
    return ConvertOptions(**{name: getattr(arguments, name) for name in names})


def selection(arguments: argparse.Namespace) -> Selection:
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
