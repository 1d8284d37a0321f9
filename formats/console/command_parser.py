"""Parsers of arguments by argparse: they reject abbreviated options, and print help and errors."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import cast

from formats.console.command_line import (
    EXIT_STATUS,
    GENERAL,
    HELP,
    HELP_ALL,
    HIDDEN,
    NAME_AND_VERSION,
    NEGATIVE,
    REFUSED,
    Argument,
    ArgumentGroup,
    CommandTable,
    CommonText,
    accepted,
    add_flags,
    closest,
    usage_error,
)
from formats.console.terminal import on_screen
from formats.schema import NamedTuple
from formats.schema.errors import message_line
from formats.schema.messages import ERROR, Advice, Entry, Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn, TypeAlias

    AnyParser: TypeAlias = "CommandTable | CommandParser"

LONGEST_HELP = 54
"""Lines; a longer help is shortened to the options that are marked as common."""
MISTAKES: Mapping[str, tuple[str, ...]] = {
    "-o": ("--output",),
    "--json": ("--format json",),
    "--markdown": ("--format markdown",),
    "--csv": ("--report-type CSV",),
    "--filter": ("--where",),
    "--report-format": ("--json",),
    "--hypothesis": ("-h",),
    "--hyp": ("-h",),
    "--hyps": ("-h",),
    "--hypotheses": ("-h",),
    "--ref": ("--reference",),
    "--refs": ("--reference",),
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
        hidden = {
            key: argparse.SUPPRESS for key in ("help", "default") if keywords.get(key) == HIDDEN
        }
        keywords = {**keywords, **hidden}
        if "fold" in keywords:
            keywords["action"] = _Fold
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
        usage_error(self.prog, message)

    def refuse(self, message: Message) -> NoReturn:
        """Exit with a usage error. Fields of the message name options."""
        usage_error(self.prog, message)

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

    def _checked(self, arguments: argparse.Namespace, rest: Sequence[str], args: Any) -> Any:
        """Return the arguments; reject unknown ones, and an output path that is also an input."""
        words = sys.argv[1:] if args is None else args
        if rest:
            chosen = next((self.commands[word] for word in words if word in self.commands), self)
            chosen.refuse_unknown(rest)
        return accepted(arguments, words, sets_remarks=self.sets_remarks)


def parser_of(table: CommandTable) -> CommandParser:
    """Create the parser of a table of arguments."""
    parser = CommandParser(
        prog=table.prog,
        usage=table.usage,
        description=table.description,
        epilog=table.epilog,
        short_help=table.short_help,
    )
    fill_parser(parser, table)
    return parser


def fill_parser(parser: CommandParser, table: CommandTable) -> None:
    """Add the arguments of a table to a parser."""
    groups: dict[ArgumentGroup | None, Any] = {None: parser}
    for row in table.rows:
        if isinstance(row, Argument):
            groups[row.group].add_argument(*row.names, **row.keywords)
        elif row.excludes:
            groups[row] = groups[row.outer].add_exclusive_group(row.is_required)
        else:
            groups[row] = parser.add_group(row.title, row.text)
    parser.set_defaults(**table.constants)


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


class _Fold(argparse.Action):
    """The action of an argument with the keyword `fold` of `Argument`."""

    def __init__(self, fold: Callable[[Any, Any], Any], **keywords: Any) -> None:
        super().__init__(**keywords)
        self._fold = fold

    def __call__(self, parser: Any, namespace: Any, values: Any, option: Any = None) -> None:
        """Replace the value by that of the function."""
        try:
            value = self._fold(getattr(namespace, self.dest), values)
        except ValueError as problem:
            raise argparse.ArgumentError(self, str(problem)) from None
        setattr(namespace, self.dest, value)


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
