"""What all argument parsers share: they reject abbreviated options, and outputs that are inputs."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Protocol, cast

from formats.console.telling import LINES, print_line, say, set_remarks
from formats.console.terminal import USUAL_WIDTH, on_screen, screen_width
from formats.schema import VERSION, NamedTuple, lazy_pattern
from formats.schema.errors import message_line
from formats.schema.messages import ERROR, Advice, Entry, Message
from formats.schema.shared_options import SHARED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from typing_extensions import Self

HELP = "-h"
PIPE_WIDTH = USUAL_WIDTH
NAME_AND_VERSION = f"sclite-kit {VERSION}"
DONE, REFUSED, FAILED = 0, 2, 3
LONGEST_HELP = 54
"""Lines; a longer help is shortened to the options that are marked as common."""
# Of all commands of ours; those that stand in for other programs end as these do.
EXIT_STATUS = f"""\
exit status:
  {DONE}    done
  {REFUSED}    usage or input error
  {FAILED}    check failed (a threshold was exceeded, or validation found problems)
  130  interrupted
  141  output pipe closed
"""
HELP_ALL = "--help-all"
GENERAL = f"""
--help {HELP_ALL}  show the common options (as -h alone does), or all options
--version  show the version
--quiet  print errors only: no warnings, losses, notes, hints or summaries
--verbose  list each note and warning of a kind, not only the first
--remarks {{lines,json}}  print messages as lines (default) or as JSON, one object a line
"""
COLOUR = (
    "--colour --color {auto,always,never}  use colours; auto: on a terminal, unless NO_COLOR is "
    "set (default)"
)
AUTO = {"default": "auto"}
MISTAKES: Mapping[str, tuple[str, ...]] = {
    "-o": ("--output",),
    "--json": ("--format json",),
    "--markdown": ("--format markdown",),
    "--report-format": ("--json",),
    "--hypothesis": ("-h",),
    "--hyp": ("-h",),
    "--syn": ("--normalize synonyms:file=FILE",),
    "--synonyms": ("--normalize synonyms:file=FILE",),
    "--rules-may-differ": ("--allow rules",),
    "--references-may-differ": ("--allow references",),
    "--common-only": ("--allow missing",),
    "--missing": ("--allow missing",),
    "--measure": ("--meeting",),
    "--level": ("--confidence-level",),
    "--shift": ("--offset",),
    "--uem": ("--region FILE",),
    "--glm": ("--normalize glm:file=FILE",),
    # of Kaldi, sclite, jiwer, meeteval, Subtitle Edit and style checkers
    "--lmwt": ("--best",),
    "--min-lmwt": ("--best",),
    "--max-lmwt": ("--best",),
    "--word-ins-penalty": ("--best",),
    "--lang": ("--rules-language", "--normalize numbers:lang=LANG"),
    "--language": ("--rules-language", "--normalize numbers:lang=LANG"),
    "--guide": ("--rules",),
    "--guideline": ("--rules",),
    "--style": ("--rules", "--like"),
    "--style-guide": ("--rules",),
    "--profile": ("--rules",),
    "--recipe": ("--like",),
    "--normalizer": ("--normalize",),
    "--lowercase": ("--ignore-case", "--normalize lowercase"),
    "--ignore-punctuation": ("--normalize punctuation",),
    "--remove-punctuation": ("--normalize punctuation",),
    "--spk2utt": ("--utt2spk",),
    "--group-by": ("--by",),
    "--per-speaker": ("--by speaker",),
    "--cer": ("--unit char", "--with-cer"),
    "--fps": ("--video-fps",),
}
"""Options of other programs, or of our other commands, and ours that mean the same.

A command suggests the first that it has. If it has none, it suggests nothing.
"""
LEAST_ALIKE = 0.7
"""Names of options that are less similar (0 to 1, without dashes) are not suggested."""
ARGUMENT = Entry("USAGE", ERROR, "argument {option}: {problem}")
"""A value that an option does not take; the problem is a message, or argparse's text."""
PARTS = lazy_pattern("[=:,]")
NEGATIVE = lazy_pattern(r"-\.?[0-9]")


class NamedPath(str):
    """Argument type: the path of a file or folder, which must not be empty."""

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        """Return the path; reject an empty one, which usually comes from an unset variable."""
        if not text:
            raise argparse.ArgumentTypeError("expected the name of a file, found an empty one")
        return super().__new__(cls, text)


class InputPath(NamedPath):
    """Argument type: the path of a file to read."""

    __slots__ = ()


class OutputPath(NamedPath):
    """Argument type: the path of a file to write."""

    __slots__ = ()


_PATHS: dict[str, Any] = {
    sign: {"type": kind} for sign, kind in (("<", InputPath), (">", OutputPath), ("/", NamedPath))
}


class CommonText(str):
    """The help text of an option that the short help lists, because many users need it."""

    __slots__ = ()


class TakesArguments(Protocol):
    """The interface that parsers and groups of options share: adding an argument."""

    def add_argument(self, *names: str, **keywords: Any) -> argparse.Action:
        """Add an argument, with the parameters of argparse."""


class OptionGroup:
    """A group of options: either with a title in the help, or options that exclude each other."""

    def __init__(self, parser: CommandParser, group: Any, title: str | None = None) -> None:
        self._parser = parser
        self._group = group
        self._title = title

    def add_argument(self, *names: str, **keywords: Any) -> argparse.Action:
        """Add an argument to the group, with the parameters of argparse."""
        return self._parser.added(self._group.add_argument, self._title, names, keywords)

    def add_exclusive_group(self, required: bool) -> OptionGroup:
        """Add a group of options that exclude each other."""
        group = self._group.add_mutually_exclusive_group(required=required)
        return OptionGroup(self._parser, group, self._title)


class _Added(NamedTuple):
    """How an argument was added: the title of its group, its names and its keywords."""

    title: str | None
    names: tuple[str, ...]
    keywords: dict[str, Any]
    action: argparse.Action

    @property
    def is_needed(self) -> bool:
        """True if the argument is required."""
        return self.action.required or not self.action.option_strings


class CommandParser(argparse.ArgumentParser):
    """A parser that accepts only the full names of options.

    argparse itself accepts ``-i`` for ``-inc`` even if abbreviations are switched off. ``-h``
    prints help only if it is the only argument, because it may be an abbreviated hypothesis option.
    A usage error has two lines: the error with a similar name, and the command that prints help.

    Attributes
    ----------
    arguments
        All arguments that were added, in their order.
    options
        The options by each of their names.
    commands
        The commands of this command by name; empty if it has none.
    sets_remarks
        Whether the arguments set which messages are printed; false for the words of a file of
        options, whose command has set this.
    way_of_more_files
        What to do with more files than the command takes, for the usage error.
    """

    sets_remarks = True

    def __init__(self, *, short_help: bool = True, add_help: bool = True, **options: Any) -> None:
        self._rows: list[_Added] = []
        self._commands: argparse.Action | None = None
        self.options: dict[str, argparse.Action] = {}
        self.way_of_more_files = ""
        super().__init__(add_help=False, allow_abbrev=False, exit_on_error=False, **options)
        # a list or a time may begin with a negative number, which argparse takes for an option
        self._negative_number_matcher = NEGATIVE
        # the standard one asks for the width of the terminal, with shutil, for every argument
        formatter: Any = self.formatter_class
        self._formatter = formatter
        self._width: int | None = 80
        self.formatter_class = lambda **layout: formatter(width=self._width, **layout)
        self.has_help = add_help
        if add_help:
            shown: Any = {"version": {"action": _Version, "nargs": 0}}
            add_flags(self, GENERAL, **shown, help={"action": HelpAction, "nargs": 0})
        if add_help and short_help:
            self.add_argument(HELP, action=_ShortHelp, nargs=0, help=argparse.SUPPRESS)

    @property
    def arguments(self) -> list[argparse.Action]:
        """All arguments of the parser, in the order in which they were added."""
        return [row.action for row in self._rows]

    @property
    def commands(self) -> Mapping[str, CommandParser]:
        """The subcommands of this command by name."""
        return {} if self._commands is None else cast("Any", self._commands.choices)

    def add_argument(self, *names: Any, **keywords: Any) -> argparse.Action:
        """Add an argument, with the parameters of argparse."""
        return self.added(super().add_argument, None, names, keywords)

    def add_group(self, title: str, text: str | None = None) -> OptionGroup:
        """Add a group of arguments with a title in the help."""
        return OptionGroup(self, self.add_argument_group(title, text), title)

    def add_exclusive_group(self, required: bool) -> OptionGroup:
        """Add a group of options that exclude each other."""
        return OptionGroup(self, self.add_mutually_exclusive_group(required=required))

    def add_subparsers(self, **keywords: Any) -> Any:
        """Add subcommands to this command."""
        self._commands = super().add_subparsers(**keywords)
        return self._commands

    def added(
        self,
        add: Callable[..., argparse.Action],
        title: str | None,
        names: tuple[str, ...],
        keywords: dict[str, Any],
    ) -> argparse.Action:
        """Add an argument with the function `add`, and remember its group, names and keywords."""
        if keywords.get("choices"):
            keywords = {**keywords, "type": _chosen(keywords, self.has_help)}
        action = add(*names, **keywords)
        self._rows.append(_Added(title, names, keywords, action))
        self.options.update(dict.fromkeys(action.option_strings, action))
        return action

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments; print help if ``-h`` is the only one or the subcommand is missing."""
        words = sys.argv[1:] if args is None else list(args)
        if self.has_help and self.commands and not words:
            sys.stdout.write(on_screen(self.format_help(), sys.stdout))
            self.exit(REFUSED)
        if self.has_help and words == [HELP]:
            words = ["--help"]
        if self.has_help and self.commands and words[0] == "help" not in self.commands:
            words = [*words[1:], "--help"]
        self._check_words(words)
        try:
            return super().parse_known_args(words, namespace)
        except argparse.ArgumentError as problem:
            self._refuse(problem)

    def _refuse(self, problem: argparse.ArgumentError) -> NoReturn:
        """Exit with a usage error that argparse found; the message holds the option as a field."""
        names = (problem.argument_name or "").split("/")
        # options with underscores are those of an original
        if not self.has_help or names[-1][:2] != "--" or len(names) > 1 or "_" in names[-1]:
            self.error(str(problem))
        option = Advice(names[-1][2:].replace("-", "_"), "")
        reason = getattr(problem.__context__, "value", None) or problem.message
        self.refuse(Message(ARGUMENT, {"option": option, "problem": reason}))

    def _check_words(self, words: Sequence[str]) -> None:
        """Reject abbreviated options, `--` as a value, and unknown commands."""
        for number, word in enumerate(takewhile(lambda word: word != "--", words), 1):
            if expected := self._lacking_value(word, words[number : number + 1]):
                self.error(f"argument {word}: expected {expected}, found nothing")
            name, sign, value = word.partition("=")
            if word[:1] != "-" or len(word) < 2:
                if self.commands:
                    self._check_command(word)
                    return
            elif name in self.options or (len(word) == 4 and word[:2] in self.options):
                # some versions of argparse fail on this value, others take it for a name
                option = name if name in self.options else word[:2]
                is_dashes = value == "--" if sign else word[2:] == "--"
                if is_dashes and self.options[option].nargs != 0:
                    self.error(f"argument {option}: expected a value, found --")
            elif name[1] != "-" and word[:2] not in self.options and self._begins_option(name):
                self.refuse_unknown([word])

    def _lacking_value(self, word: str, following: Sequence[str]) -> str:
        """Return the metavar of the value that an option lacks; empty if the option lacks none.

        The option `word` lacks its value if it ends the line or another option follows.
        """
        option = self.options.get(word)
        is_last = not following or following[0] in self.options
        if option is None or not self.has_help or option.nargs is not None or not is_last:
            return ""
        return f"{option.metavar or ', '.join(map(str, option.choices or ()))}"

    def _begins_option(self, part: str) -> bool:
        return any(name.startswith(part) for name in self.options)

    def _check_command(self, word: str) -> None:
        """Reject an unknown command; suggest the most similar one."""
        if word not in self.commands:
            assert self._commands is not None
            problem = _no_choice(word, self.commands, is_ours=self.has_help)
            text = f"argument {self._commands.metavar}: {problem}"
            if os.path.exists(word):
                text += f"; the command comes first: {self.prog} {next(iter(self.commands))} {word}"
            self.error(text)

    def format_help(self) -> str:
        """Return the full help, with the meaning of the exit status."""
        self._width = None
        return super().format_help() + (f"\n{EXIT_STATUS}" if self.has_help else "")

    def format_common_help(self) -> str:
        """Return help on the options that most users need, or on all options if there are few."""
        text = self.format_help()
        if text.count("\n") <= LONGEST_HELP:
            return text
        needed = [row for row in self._rows if row.is_needed]
        common = [row for row in self._rows if isinstance(row.action.help, CommonText)]
        usage = self._part(needed).format_usage() if self.usage is None else f"usage: {self.usage}"
        shown = self._part([row for row in self._rows if row in (*needed, *common)])
        shown.usage = usage.removeprefix("usage: ").strip().replace("%", "%%")
        return f"{shown.format_help()}\n`{self.prog} {HELP_ALL}` prints all options\n"

    def _part(self, rows: Iterable[_Added]) -> argparse.ArgumentParser:
        """Create a parser with only some of the arguments, for printing their help."""
        part = argparse.ArgumentParser(
            prog=f"{self.prog} [options]",
            description=self.description,
            add_help=False,
            formatter_class=lambda **layout: self._formatter(max_help_position=30, **layout),
        )
        groups: dict[str | None, Any] = {None: part}
        for row in rows:
            if row.title not in groups:
                groups[row.title] = part.add_argument_group(row.title)
            groups[row.title].add_argument(*row.names, **row.keywords)
        return part

    def format_usage(self) -> str:
        """Return the usage line."""
        self._width = None
        return super().format_usage()

    def error(self, message: str) -> NoReturn:
        """Print the usage error on one line, and on the next line the command that prints help."""
        if not self.has_help:
            super().error(message_line(message))
        self._end(message)

    def refuse(self, message: Message) -> NoReturn:
        """Exit with a usage error. Fields of the message name options."""
        self._end(message)

    def _end(self, message: str | Message) -> NoReturn:
        say(self.prog, message)
        print_line(f"see {self.prog} --help")
        self.exit(REFUSED)

    def refuse_unknown(self, words: Sequence[str]) -> NoReturn:
        """Reject unknown arguments, and suggest similar names."""
        message = f"unrecognized arguments: {' '.join(words)}"
        if self.has_help:
            names = [word.partition("=")[0] for word in words]
            options = list(_options_of(self))
            near = {self._meant_option(name, options) for name in names if name[:1] == "-"}
            message += _meant(sorted(near - {None, *names}, key=str))
        if self.way_of_more_files and any(word[:1] != "-" for word in words):
            message += f": {self.way_of_more_files}"
        self.error(message)

    def _meant_option(self, name: str, options: Sequence[str]) -> str | None:
        """Return the option that the user probably meant; `None` if no option is similar.

        The table of common mistakes is tried first, then similar names.
        """
        for meant in MISTAKES.get(name, ()):
            if meant.partition(" ")[0] in options:
                return meant
        words = {*name.strip("-").split("-")}
        longer = [option for option in options if words <= {*option.strip("-").split("-")}]
        if longer:
            return min(longer, key=len)
        if name in MISTAKES:
            return None
        plain = name.strip("-")
        mistakes = {
            mistake.strip("-"): option
            for mistake, meant in MISTAKES.items()
            for option in meant[:1]
            if option.partition(" ")[0] in options
        }
        known = mistakes | {option.strip("-"): option for option in options}
        near = closest(plain, [each for each in known if each[:1] == plain[:1]], LEAST_ALIKE)
        near = near or closest(plain, known, 0.8)
        return None if near is None else known[near]

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments.

        An output path that is also an input is rejected before any file is read.
        """
        arguments, rest = self.parse_known_args(args, namespace)
        return self._checked(arguments, rest, args)

    def parse_intermixed_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse options and files in any order.

        An output path that is also an input is rejected.
        """
        arguments, rest = self.parse_known_intermixed_args(args, namespace)
        return self._checked(arguments, rest, args)

    def _checked(
        self, arguments: argparse.Namespace, rest: Sequence[str], args: Any
    ) -> argparse.Namespace:
        """Return the arguments; reject unknown ones, and an output path that is also an input."""
        if rest:
            words = sys.argv[1:] if args is None else args
            chosen = next((self.commands[word] for word in words if word in self.commands), self)
            chosen.refuse_unknown(rest)
        style = getattr(arguments, "remarks", None) or LINES
        quiet, verbose = (getattr(arguments, name, False) for name in ("quiet", "verbose"))
        if self.sets_remarks:
            set_remarks(quiet=quiet, style=style, verbose=verbose)
        values = [value for value in vars(arguments).values() for value in _each(value)]
        outputs = [value for value in values if isinstance(value, OutputPath)]
        if outputs:
            from collections import Counter

            from formats.console.outputs import check_outputs

            words = sys.argv[1:] if args is None else args
            parts = Counter(part for value in words for part in {value, *PARTS.split(value)})
            named = [part for part in parts - Counter(map(str, outputs)) if os.path.isfile(part)]
            inputs = [value for value in values if isinstance(value, InputPath)]
            # standard output may be named by several options, one of which wins
            files = [value for value in outputs if value != "-"]
            check_outputs([*files, *{"-"}.intersection(outputs)], [*inputs, *named])
        return arguments


def closest(name: str, names: Iterable[str], least: float = 0.6) -> str | None:
    """Return the most similar known name, or `None` if no similarity (0 to 1) reaches `least`."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, list(names), 1, least)), None)


LARGEST_RULES = 1 << 20
"""Bytes of a file of rules at most."""


def add_flags(group: TakesArguments, table: str, /, **kinds: Any) -> None:
    """Add arguments from a table.

    A row has the names, the metavar, ``...`` if the option is repeatable, two spaces, and the help.

    The short help of a command with many options has only the rows that begin with `*`. Indented
    lines continue the help above them. A metavar `{a,b}` lists choices; a row without metavar is a
    switch. `<FILE` is a file to read, `>FILE` a file to write, and `/FOLDER` a folder that the
    command checks itself. For an option of `SHARED`, the row is only its name. `kinds` maps
    destinations and metavars to a type, a collection of choices, or keywords of `add_argument`.
    """
    for row in rows_of(table):
        head, _, text = whole_row(row).partition("  ")
        words = head.removesuffix(" ...").split(" ")
        names = [words[0], *takewhile(lambda word: word.startswith("-"), words[1:])]
        metavar = " ".join(words[len(names) :])
        path, metavar = _PATHS.get(metavar[:1], {}), metavar.lstrip("<>/")
        first = next((name for name in names if name.startswith("--")), names[0])
        kind = kinds.get(first.lstrip("-").replace("-", "_"), kinds.get(metavar, {}))
        if not isinstance(kind, dict):
            kind = {"type": kind} if callable(kind) else {"choices": kind}
        text = CommonText(text.lstrip()) if row.startswith("* ") else text.lstrip()
        keywords: dict[str, Any] = {"help": text or None, **path, **kind}
        if not metavar and "choices" not in kind and first.startswith("-"):
            keywords.setdefault("action", "store_true")
        elif metavar.startswith("{"):
            keywords["choices"] = metavar[1:-1].split(",")
        elif metavar:
            keywords.setdefault("metavar", metavar)
        if head.endswith(" ..."):
            keywords = {"action": "append", "default": [], **keywords}
        group.add_argument(*names, **keywords)


def whole_row(row: str) -> str:
    """Return a row without the mark ``*``.

    The row of an option in `SHARED` is completed with the shared metavar and help.
    """
    row = row.removeprefix("* ")
    names = row.split(" ")
    shared = next((SHARED[name] for name in names if name in SHARED), "")
    if not shared or not all(name.startswith("-") for name in names):
        return row
    return f"{row} {shared.partition(' ')[2]}"


def rows_of(table: str) -> Iterable[str]:
    """Return the rows of a table of arguments; an indented line continues the preceding row."""
    return filter(None, re.sub(r"\n +", " ", table).split("\n"))


def described(text: str) -> str:
    """Return the value of an option. For ``@FILE``, return the text of the file."""
    if text in ("", "@"):
        raise argparse.ArgumentTypeError("expected a pattern, or @ and the name of a file")
    if not text.startswith("@") or "{" in text:
        return text
    from formats.io.source import open_source

    with open_source(text[1:], max_bytes=LARGEST_RULES) as source:
        return "\n".join(line for _, line in source.lines()) + "\n"


def is_screen() -> bool:
    """Return True if standard output is a terminal, so that its width limits the lines."""
    return sys.stdout is not None and bool(sys.stdout.isatty())


def shows_colour() -> bool:
    """Return True if standard output is a terminal on which colours are wanted."""
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return is_screen() and not is_plain


def use_colour(arguments: argparse.Namespace) -> bool:
    """Return True if the output should be coloured."""
    return shows_colour() if arguments.colour == "auto" else bool(arguments.colour == "always")


def line_width(arguments: argparse.Namespace) -> int:
    """Return the maximum line width for printed alignments."""
    if arguments.width is not None:
        return int(arguments.width)
    return screen_width(sys.stdout) or PIPE_WIDTH


def _options_of(parser: CommandParser) -> Iterator[str]:
    """Yield the options of a parser and of its subcommands."""
    yield from parser.options
    for command in parser.commands.values():
        yield from _options_of(command)


def _chosen(keywords: Mapping[str, Any], is_ours: bool) -> Callable[[str], Any]:
    """Return an argument type that accepts only the choices.

    The error for another value suggests the most similar choice.
    """
    kind, choices, default = (
        keywords.get("type") or str,
        keywords["choices"],
        keywords.get("default"),
    )

    def parse(text: str) -> Any:
        value = kind(text)
        if value not in choices and isinstance(value, str) and _british(value) in choices:
            value = _british(value)
        if value in choices or text == default:
            return value
        raise argparse.ArgumentTypeError(_no_choice(value, choices, is_ours=is_ours))

    parse.__name__ = getattr(kind, "__name__", "")
    return parse


def _british(word: str) -> str:
    """Return a word in British spelling: randomisation for randomization."""
    return word.replace("iz", "is")


def _no_choice(value: object, choices: Iterable[object], *, is_ours: bool) -> str:
    """Return the error text for an invalid choice.

    Drop-in programs use the text of argparse.
    """
    near = closest(str(value), map(str, choices))
    if is_ours:
        known = list(map(str, choices))
        if {*str(value).split(",")} <= {*known}:
            return f"expected one of {', '.join(known)}, found several: {value!r}; choose one a run"
        near = near or _longest_beginning(str(value).lower(), known)
        meant = "" if near is None else f"; did you mean {near}?"
        return f"expected {', '.join(map(str, choices))}, found {value!r}{meant}"
    meant = _meant([] if near is None else [near])
    return f"invalid choice: {value!r} (choose from {', '.join(map(repr, choices))}){meant}"


def _longest_beginning(word: str, choices: Iterable[str]) -> str | None:
    """Return the longest choice with which a word begins (cp for cpwer), or `None`."""
    fits = [choice for choice in choices if choice and word.startswith(choice)]
    return max(fits, key=len, default=None)


def _meant(names: Iterable[object]) -> str:
    text = " or ".join(map(str, names))
    return f" (did you mean {text}?)" if text else ""


def _each(value: object) -> Iterator[object]:
    if isinstance(value, (list, tuple)):
        for element in value:
            yield from _each(element)
    else:
        yield value


class HelpAction(argparse.Action):
    """The action of the options ``--help`` and ``--help-all``."""

    def __call__(self, parser: Any, _: object, values: object, option: Any = None) -> None:
        """Print help and exit; fail if help cannot be written (argparse's action does not fail)."""
        is_whole = option == HELP_ALL or not parser.has_help
        text = parser.format_help() if is_whole else parser.format_common_help()
        sys.stdout.write(on_screen(text, sys.stdout))
        parser.exit()


class _Version(argparse.Action):
    """The action of the option ``--version``."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print the version and exit."""
        sys.stdout.write(f"{NAME_AND_VERSION}\n")
        parser.exit()


class _ShortHelp(argparse.Action):
    """The action of ``-h`` if there are other arguments."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Report that ``-h`` must be the only argument."""
        parser.error(f"{HELP}: expected no other arguments, because it shows help (--help does)")
