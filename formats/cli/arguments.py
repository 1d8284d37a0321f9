"""Flags of the `formats` command; those of a format come from its own list of options."""

from __future__ import annotations

import argparse
import sys

from msgspec.structs import replace

from formats.command_line import CommandParser, OutputPath, add_colour
from formats.convert import GROUPS, INNER_SPACES, INTERPOLATIONS, TEXT_VIEWS, ConvertOptions
from formats.decoding import LARGEST_INPUT
from formats.diagnostics import TOLERANCES
from formats.errors import quoted
from formats.registry import all_formats, by_name, by_suffix, names
from formats.selection import Selection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from formats.spec import FormatSpec, Option

MOST_JOBS = 256
MOST_SECONDS = 1e9


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command."""
    top = CommandParser(
        prog="formats",
        description="Convert, recognise, describe and check transcript files.",
        epilog=f"Formats: {', '.join(names())}. Manual: scoring docs formats.",
    )
    commands = top.add_subparsers(
        dest="command", required=True, metavar="COMMAND", parser_class=_VerbParser
    )
    _add_convert(_verb(commands, "convert", "write files in another format"))
    detect = _verb(commands, "detect", "say which format files are in")
    _add_files(detect)
    _add_encoding(detect)
    detect.add_argument(
        "--explain",
        action="store_true",
        help="say of the nearest formats what they want, and what of it is not there",
    )
    listing = _verb(commands, "list", "list all formats")
    _add_report_format(listing, "markdown")
    info = _verb(commands, "info", "say what files hold")
    _add_files(info)
    _add_reading(info)
    _add_selecting(info)
    _add_report_format(info)
    info.options_of = _reading_of
    show = _verb(commands, "show", "draw a file as a page for browsers")
    show.add_argument("file", metavar="FILE", help="file of any format, - for standard input")
    show.add_argument(
        "--html",
        type=OutputPath,
        required=True,
        metavar="OUT",
        help="the page (-: standard output)",
    )
    _add_reading(show, default=TOLERANCES[2])
    _add_selecting(show)
    show.options_of = _reading_of
    _add_diff(_verb(commands, "diff", "say what two files disagree about"))
    validate = _verb(commands, "validate", "read files and report what is wrong")
    _add_files(validate)
    _add_reading(validate, default=TOLERANCES[2])
    validate.add_argument("--notes", action="store_true", help="print harmless remarks, too")
    _add_report_format(validate)
    validate.add_argument(
        "--nist", action="store_true", help="tell what NIST's validators of ctm, stm, rttm find"
    )
    validate.add_argument(
        "--nist-language", metavar="NAME", default="english", help="of the words (default: english)"
    )
    validate.add_argument(
        "--nist-switches",
        metavar="LETTERS",
        default="",
        help="switches of rttmValidator out of uspefS, each asks for less",
    )
    validate.options_of = _reading_of
    return top


def _add_report_format(command: argparse.ArgumentParser, *more: str) -> None:
    """Add `--report-format`; `--output`, which takes the same names, is for scripts that use it."""
    choices = ("text", *more, "json")
    command.add_argument("--report-format", choices=choices, default="text", help="default: text")
    command.add_argument("--output", dest="report_format", choices=choices, help=argparse.SUPPRESS)


def _verb(commands: Any, name: str, text: str) -> _VerbParser:
    """The parser of a command that does what the text says."""
    made: _VerbParser = commands.add_parser(
        name, help=text, description=f"{text[0].upper()}{text[1:]}."
    )
    return made


class _VerbParser(CommandParser):
    """The parser of one command; flags of formats are added where the command line needs them.

    A command without such flags waits for no format to be loaded. Those that the command line
    names are asked first, the others only if it has flags that none of these knows.
    """

    options_of: Callable[[FormatSpec], Sequence[Option]] | None = None

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, after the flags that are needed are there."""
        given = sys.argv[1:] if args is None else list(args)
        flags = {word.partition("=")[0] for word in given if word.startswith("--")}
        known: dict[str, Option] = {}
        if self.options_of is not None:
            options_of, self.options_of = self.options_of, None
            if "--help" in flags or given == ["-h"]:
                specs = tuple(_named(given)) or all_formats()
                _add_options(self, known, map(options_of, specs))
            elif not flags <= self._option_string_actions.keys():
                _add_options(self, known, map(options_of, _named(given)))
                if not flags <= self._option_string_actions.keys():
                    _add_options(self, known, map(options_of, all_formats()))
            self.set_defaults(format_options=tuple(known.values()))
        return super().parse_known_args(given, namespace)


def _named(given: Sequence[str]) -> Iterator[FormatSpec]:
    """The formats that a command line names: after ``--from`` and ``--to``, and by suffixes."""
    for before, word in zip(("", *given), given, strict=False):
        flag, has_value, value = word.partition("=")
        if not has_value and before in ("--from", "--to"):
            flag, value = before, word
        if flag in ("--from", "--to"):
            spec = by_name(value) if value.lower() in names() else None
        else:
            spec = None if word.startswith("-") else by_suffix(word)
        if spec is not None:
            yield spec


def _reading_of(spec: FormatSpec) -> Sequence[Option]:
    return spec.read_options


def _reading_and_writing_of(spec: FormatSpec) -> Sequence[Option]:
    return spec.read_options + spec.write_options


def _add_convert(convert: _VerbParser) -> None:
    convert.add_argument(
        "inputs",
        metavar="IN",
        nargs="+",
        help="files, folders, archives (.zip, .tar, .tar.gz) or patterns, - for standard input",
    )
    convert.add_argument(
        "output", metavar="OUT", help="file or existing folder to write, - for standard output"
    )
    convert.add_argument("--to", metavar="FORMAT", help="format of OUT (default: by its suffix)")
    _add_jobs(convert)
    convert.add_argument(
        "--check",
        action="store_true",
        help="read back what was written, and end with 3 if it differs beyond what is told as lost",
    )
    convert.add_argument(
        "--no-clobber", action="store_true", help="refuse to write over a file that exists"
    )
    _add_reading(convert)
    _add_selecting(convert)
    _add_converting(convert)
    convert.options_of = _reading_and_writing_of


def _add_diff(diff: _VerbParser) -> None:
    diff.add_argument("left", metavar="A", help="file of any format, - for standard input")
    diff.add_argument("right", metavar="B", help="file of any format, the same or another")
    _add_reading(diff)
    diff.add_argument("--to", metavar="FORMAT", help="format of B (default: detected)")
    _add_selecting(diff)
    diff.add_argument(
        "--tolerance",
        dest="tolerance_seconds",
        type=_seconds,
        default=0.01,
        metavar="SECONDS",
        help="times that are no farther apart are equal (default: 0.01)",
    )
    diff.add_argument(
        "--context",
        type=_words,
        default=3,
        metavar="WORDS",
        help="equal words beside those that differ (default: 3)",
    )
    add_colour(diff)
    _add_report_format(diff)
    diff.options_of = _reading_of
    diff.set_defaults(width=None)


def _words(text: str) -> int:
    if not text.isascii() or not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected a number of words, found {quoted(text)}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"expected seconds of 0 or more, found {quoted(text)}")
    return value


def _add_files(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="a file, a folder, an archive (.zip, .tar, .tar.gz) or a pattern",
    )
    _add_jobs(command)


def _add_jobs(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--jobs",
        type=_jobs,
        default=1,
        metavar="N",
        help="processes that share many files (default: 1)",
    )


def _jobs(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 0 < int(text) <= MOST_JOBS:
        raise argparse.ArgumentTypeError(f"expected 1 to {MOST_JOBS}, found {quoted(text)}")
    return int(text)


def _add_encoding(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--encoding",
        default="utf-8",
        metavar="NAME",
        help="encoding of the input, or auto (default: utf-8)",
    )


def _add_reading(command: argparse.ArgumentParser, default: str = TOLERANCES[1]) -> None:
    command.add_argument(
        "--from", dest="from_", metavar="FORMAT", help="format of the input (default: detected)"
    )
    _add_encoding(command)
    command.add_argument("--recording", metavar="NAME", help="recording, where the file names none")
    command.add_argument(
        "--max-bytes",
        type=int,
        default=LARGEST_INPUT,
        metavar="N",
        help=f"refuse larger inputs (default: {LARGEST_INPUT})",
    )
    strict, _, lenient = TOLERANCES
    choice = command.add_mutually_exclusive_group()
    choice.add_argument(
        "--strict",
        dest="tolerance",
        action="store_const",
        const=strict,
        default=default,
        help="warnings and losses are errors",
    )
    choice.add_argument(
        "--lenient",
        dest="tolerance",
        action="store_const",
        const=lenient,
        default=default,
        help="skip bad records, and say so",
    )


def _add_selecting(command: argparse.ArgumentParser) -> None:
    for what in ("recording", "channel", "speaker", "tier"):
        command.add_argument(
            f"--only-{what}",
            action="append",
            default=[],
            metavar="NAME",
            help=f"take only this {what}; may be given several times",
        )
    command.add_argument(
        "--begin", type=float, metavar="SECONDS", help="take only what lies after this time"
    )
    command.add_argument(
        "--end", type=float, metavar="SECONDS", help="take only what lies before this time"
    )


def _add_converting(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--output-encoding",
        default="utf-8",
        metavar="NAME",
        help="encoding of the output (default: utf-8)",
    )
    command.add_argument("--bom", action="store_true", help="begin the output with a mark")
    command.add_argument(
        "--newline", choices=("lf", "crlf"), default="lf", help="line ends (default: lf)"
    )
    command.add_argument(
        "--text-view",
        choices=TEXT_VIEWS,
        default=TEXT_VIEWS[0],
        help="words as spoken, or as people read them where both are known (default: lexical)",
    )
    command.add_argument(
        "--interpolate",
        choices=INTERPOLATIONS,
        default="none",
        help="invent missing word times: same time for each word, or by characters; and ends of "
        "segments where a format needs them, by the pace of those above",
    )
    command.add_argument(
        "--group",
        choices=GROUPS,
        default="pause",
        help="what makes a segment of words without segments (default: pause)",
    )
    command.add_argument(
        "--pause",
        type=float,
        default=0.5,
        metavar="SECONDS",
        help="longest pause inside a segment, for --group pause (default: 0.5)",
    )
    command.add_argument(
        "--inner-space",
        choices=INNER_SPACES,
        default="split",
        help="what becomes of a word with blanks in it (default: split); underscore: of names, too",
    )
    command.add_argument(
        "--explain-loss",
        action="store_true",
        help="list where things were lost first, and print notes, too",
    )


def _add_options(
    command: argparse.ArgumentParser, known: dict[str, Option], lists: Iterable[Sequence[Option]]
) -> None:
    """One flag for each option name of any format; switches that are on get a ``--no-`` flag.

    Where two formats know an option by the same name, what either takes is taken; each format
    refuses what is not its own.
    """
    new: dict[str, Option] = {}
    for option in (option for options in lists for option in options if option.name not in known):
        first = new.setdefault(option.name, option)
        both = first.choices and option.choices and (*first.choices, *option.choices)
        new[option.name] = replace(first, choices=tuple(dict.fromkeys(both)))
    known.update(new)
    for option in new.values():
        flag = option.name.replace("_", "-")
        if option.is_switch:
            command.add_argument(
                f"--no-{flag}" if option.default else f"--{flag}",
                dest=option.name,
                action="store_const",
                const=not option.default,
                default=None,
                help=f"do not {option.help}" if option.default else option.help,
            )
            continue
        kind = type(option.default)
        command.add_argument(
            f"--{flag}",
            dest=option.name,
            type=kind,
            choices=option.choices or None,
            default=None,
            metavar="N" if kind is int else None,
            help=f"{option.help} (default: {option.default})",
        )


def _given(arguments: argparse.Namespace, options: Sequence[Option]) -> dict[str, object]:
    given = {option.name: getattr(arguments, option.name, None) for option in options}
    return {name: value for name, value in given.items() if value is not None}


def read_options(arguments: argparse.Namespace, spec: FormatSpec) -> dict[str, object]:
    """Those options of the format's reader that were given."""
    return _given(arguments, spec.read_options)


def write_options(arguments: argparse.Namespace, spec: FormatSpec) -> dict[str, object]:
    """Those options of the format's writer that were given."""
    return _given(arguments, spec.write_options)


def paths_of_options(arguments: argparse.Namespace) -> list[str]:
    """The files that options of readers name."""
    options = {option.name for option in arguments.format_options if option.is_path}
    return [path for name in sorted(options) if (path := getattr(arguments, name, None))]


def unused_options(arguments: argparse.Namespace, *used: Sequence[Option]) -> list[str]:
    """Flags that were given though no format in play knows them."""
    known = {option.name for options in used for option in options}
    every = {option.name for option in arguments.format_options} - known
    given = [name for name in sorted(every) if getattr(arguments, name, None) is not None]
    return ["--" + name.replace("_", "-") for name in given]


def conversion_options(arguments: argparse.Namespace) -> ConvertOptions:
    """How to bridge what the formats see differently."""
    return ConvertOptions(
        interpolate=arguments.interpolate,
        group=arguments.group,
        pause=arguments.pause,
        inner_space=arguments.inner_space,
        text_view=arguments.text_view,
    )


def selection(arguments: argparse.Namespace) -> Selection:
    """What to take of the inputs."""
    return Selection(
        recordings=arguments.only_recording,
        channels=arguments.only_channel,
        speakers=arguments.only_speaker,
        tiers=arguments.only_tier,
        begin=arguments.begin,
        end=arguments.end,
    )
