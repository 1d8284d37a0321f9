"""What command lines share: arguments in tables, paths, exit statuses, and the check of outputs."""

from __future__ import annotations

import os
import sys
from itertools import takewhile

from formats.console import USUAL_WIDTH, screen_width
from formats.console.telling import LINES, print_line, say, set_remarks
from formats.schema import VERSION, cached_property, lazy_pattern
from formats.schema.shared_options import SHARED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, NoReturn, Protocol

    from typing_extensions import Self

    from formats.schema.messages import Message

    class TakesArguments(Protocol):
        """The interface that tables, parsers and their groups share: adding an argument."""

        def add_argument(self, *names: str, **keywords: Any) -> object:
            """Add an argument, with the parameters of argparse."""


HELP = "-h"
PIPE_WIDTH = USUAL_WIDTH
NAME_AND_VERSION = f"sclite-kit {VERSION}"
DONE, REFUSED, FAILED = 0, 2, 3
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
PARTS = lazy_pattern("[=:,]")
NEGATIVE = lazy_pattern(r"-\.?[0-9]")


HIDDEN = "==SUPPRESS=="
"""Equal to `argparse.SUPPRESS`: a help that is not shown, or a default that is not set."""


def unusable(problem: str) -> Exception:
    """Return the error of an argument type on a text, as argparse expects it."""
    from argparse import ArgumentTypeError

    return ArgumentTypeError(problem)


class NamedPath(str):
    """Argument type: the path of a file or folder, which must not be empty."""

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        """Return the path; reject an empty one, which usually comes from an unset variable."""
        if not text:
            raise unusable("expected the name of a file, found an empty one")
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


class ArgumentGroup:
    """A group of arguments: with a title in the help, or of options that exclude each other."""

    def __init__(
        self,
        rows: list[Argument | ArgumentGroup],
        title: str = "",
        text: str | None = None,
        *,
        excludes: bool = False,
        required: bool = False,
        outer: ArgumentGroup | None = None,
    ) -> None:
        self.title, self.text, self.outer = title, text, outer
        self.excludes, self.is_required = excludes, required
        self._rows = rows

    def add_argument(self, *names: str, **keywords: Any) -> None:
        """Add an argument to the group, with the parameters of argparse."""
        self.add(Argument(names, keywords))

    def add(self, argument: Argument) -> None:
        """Add an argument to the group."""
        argument.group = self
        self._rows.append(argument)

    def add_exclusive_group(self, required: bool) -> ArgumentGroup:
        """Add a group of options that exclude each other."""
        group = ArgumentGroup(self._rows, excludes=True, required=required, outer=self)
        self._rows.append(group)
        return group


class Argument:
    """A row of the table of a command: the names of an argument, and its keywords of argparse.

    A keyword of our own is `fold`, a function from the value so far and new values to the value. It
    raises ValueError for values that the argument does not take.
    """

    group: ArgumentGroup | None = None
    is_required: bool = False

    def __init__(
        self,
        names: Sequence[str],
        keywords: dict[str, Any],
        default: Any = None,
        dest: str = "",
    ) -> None:
        # keywords that its row does not say
        self._keywords = keywords
        self.names = names
        self.is_option = names[0][:1] == "-"
        self.dest: str = dest or keywords.get("dest") or _dest_of(names)
        self.default: Any = default
        if keywords:
            if "required" in keywords:
                self.is_required = keywords["required"]
            if default is None and keywords.get("action") == "store_true":
                default = False
            self.default = keywords.get("default", default)

    @property
    def keywords(self) -> dict[str, Any]:
        """The keywords of argparse."""
        return self._keywords

    @property
    def action(self) -> Any:
        """The action of argparse."""
        return self.keywords.get("action", "store")

    def numbers(self) -> tuple[int, int] | None:
        """Return the least and the largest number of values; `None` if only argparse knows them."""
        if self.action in _WITHOUT_VALUE:
            return 0, 0
        return _NUMBERS.get(self.keywords.get("nargs")) if self.action in _WITH_VALUE else None

    def store(self, values: dict[str, Any], texts: Sequence[str]) -> None:
        """Store the value of the texts that follow the option among the values of the line.

        Raises an exception if the argument does not take a text.
        """
        constant: Any = self.keywords.get("const")
        before: Any = values.get(self.dest)
        if self.action in _WITHOUT_VALUE:
            value: Any = True if self.action == "store_true" else constant
        elif self.keywords.get("nargs") in ("*", "+"):
            value = list(map(self._value, texts))
        elif texts:
            value = self._value(texts[0])
        else:
            value = self._value(constant) if isinstance(constant, str) else constant
        if "fold" in self.keywords:
            value = self.keywords["fold"](before, value)
        elif self.action in ("append", "append_const"):
            value = [*(before or ()), value]
        elif self.action == "extend":
            value = [*(before or ()), *value]
        values[self.dest] = value

    def convert_default(self, values: dict[str, Any]) -> None:
        """Convert the default like a text of the line, if it is a text and still the value."""
        default: object = self.default
        if values.get(self.dest) is default and isinstance(default, str):
            values[self.dest] = self._typed(default)

    def _value(self, text: str) -> Any:
        """Return the value of a text; raise an exception if it is none of the choices."""
        value, choices = self._typed(text), self.keywords.get("choices")
        if choices and value not in choices:
            raise ValueError(text)
        return value

    def _typed(self, text: str) -> Any:
        kind = self.keywords.get("type")
        return text if kind is None else kind(text)


class _Flag(Argument):
    """The argument of a row of text.

    Its keywords are computed at their first use: of a hundred rows, a command line uses two.
    """

    def __init__(self, row: str, kinds: Mapping[str, Any], kind: Any = None) -> None:
        head, gap, _ = row.partition("  ")
        if not gap:
            head = whole_row(row).partition("  ")[0]
        if head[:2] == "* ":
            head = head[2:]
        is_repeatable = head[-4:] == " ..."
        if is_repeatable:
            head = head[:-4]
        first, _, metavar = head.partition(" ")
        names = [first]
        while metavar[:1] == "-":
            name, _, metavar = metavar.partition(" ")
            names.append(name)
        if kind is None:
            dest = first[2:].replace("-", "_") if first[:2] == "--" else _dest_of(names)
            kind = kinds.get(dest)
            if kind is None and metavar:
                kind = kinds.get(metavar[1:] if metavar[0] in _PATHS else metavar)
        else:
            dest = kind["dest"] if "dest" in kind else _dest_of(names)
        self._row, self._metavar, self._is_repeatable = row, metavar, is_repeatable
        is_switch = not metavar and first[0] == "-"
        if not kind:
            # as for most rows
            self.names, self.is_option, self.dest = names, first[0] == "-", dest
            self._keywords = {}
            self.default = [] if is_repeatable else False if is_switch else None
            return
        if not isinstance(kind, dict):
            kind = {"type": kind} if callable(kind) else {"choices": kind}
        default: Any = [] if is_repeatable else None
        if is_switch and not is_repeatable and "choices" not in kind:
            default = False if kind.get("action", "store_true") == "store_true" else None
        super().__init__(names, kind, default, kind.get("dest") or dest)

    @cached_property
    def keywords(self) -> dict[str, Any]:
        """The keywords of argparse."""
        text, metavar, kind = whole_row(self._row).partition("  ")[2], self._metavar, self._keywords
        text = text.lstrip()
        shown = CommonText(text) if self._row[:2] == "* " else text or None
        path = _PATHS.get(metavar[:1], {})
        keywords: dict[str, Any] = {"help": shown, **path, **kind}
        if metavar[:1] == "{":
            keywords["choices"] = metavar[1:-1].split(",")
        elif metavar:
            keywords.setdefault("metavar", metavar[1:] if path else metavar)
        elif self.is_option and "choices" not in kind:
            keywords.setdefault("action", "store_true")
        if self._is_repeatable:
            keywords = {"action": "append", "default": self.default, **keywords}
        return keywords


def _dest_of(names: Sequence[str]) -> str:
    """Return the destination of an argument, from its first long name or its first name."""
    for name in names:
        if name[:2] == "--":
            return name[2:].replace("-", "_")
    return names[0].lstrip("-").replace("-", "_")


_WITHOUT_VALUE = ("store_true", "store_const", "append_const")
_WITH_VALUE = ("store", "append", "extend")
# How many values an argument takes, by the keyword `nargs`; the others are left to argparse.
_NUMBERS: Mapping[Any, tuple[int, int]] = {
    None: (1, 1),
    "?": (0, 1),
    "+": (1, sys.maxsize),
    "*": (0, sys.maxsize),
}


# The action of options that print something and end the process.
_PRINT = "print"


class ParsedArguments:
    """The values of a command line as attributes, as in `argparse.Namespace`."""

    def __init__(self, **values: Any) -> None:
        vars(self).update(values)

    def __contains__(self, name: str) -> bool:
        return name in vars(self)


class CommandTable:
    """The table of the arguments of a command, and the reader of its ordinary lines.

    An ordinary line, which has no mistake, is read by the table itself. Every other line, and every
    request for help, goes to a parser of argparse that is created from the same table: loading
    argparse takes longer than scoring two short texts.

    Attributes
    ----------
    prog, usage, description, epilog, short_help
        As of `CommandParser`, which prints them.
    new_parser
        Creates the parser of argparse from the table.
    sets_remarks
        Whether the arguments set which messages are printed; false for the words of a file of
        options, whose command has set this.
    way_of_more_files
        What to do with more files than the command takes, for the usage error.
    rows
        The arguments, and the groups that they name, as they were added.
    constants
        Values that every line has, whatever its words are.
    """

    def __init__(
        self,
        prog: str,
        description: str,
        new_parser: Callable[[CommandTable], Any],
        *,
        epilog: str | None = None,
        short_help: bool = True,
    ) -> None:
        self.prog, self.description, self.epilog = prog, description, epilog
        self.new_parser, self.short_help = new_parser, short_help
        self.usage: str | None = None
        self.sets_remarks, self.way_of_more_files = True, ""
        self.rows: list[Argument | ArgumentGroup] = []
        self._parser: Any = None
        self.constants: dict[str, Any] = {}
        add_flags(self, GENERAL, help={"action": _PRINT}, version={"action": _PRINT})
        if short_help:
            self.add_argument(HELP, action=_PRINT)
        # the parser of argparse adds these itself
        self._general, self.rows = self.rows, []

    def add_argument(self, *names: str, **keywords: Any) -> None:
        """Add an argument, with the parameters of argparse."""
        self.add(Argument(names, keywords))

    def add(self, argument: Argument) -> None:
        """Add an argument."""
        self.rows.append(argument)

    @cached_property
    def _arguments(self) -> list[Argument]:
        rows = (*self._general, *self.rows)
        return [row for row in rows if isinstance(row, Argument)]

    @cached_property
    def _options(self) -> dict[str, Argument]:
        return {name: row for row in self._arguments if row.is_option for name in row.names}

    @cached_property
    def _defaults(self) -> dict[str, Any]:
        """The default of each destination; of several arguments, the first decides."""
        defaults: dict[str, Any] = {}
        for row in self._arguments:
            if row.default != HIDDEN:
                defaults.setdefault(row.dest, row.default)
        return defaults

    def add_group(self, title: str, text: str | None = None) -> ArgumentGroup:
        """Add a group of arguments with a title in the help."""
        return self._added(ArgumentGroup(self.rows, title, text))

    def add_exclusive_group(self, required: bool) -> ArgumentGroup:
        """Add a group of options that exclude each other."""
        return self._added(ArgumentGroup(self.rows, excludes=True, required=required))

    def _added(self, group: ArgumentGroup) -> ArgumentGroup:
        self.rows.append(group)
        return group

    def set_defaults(self, **values: Any) -> None:
        """Add values that every line has, as in argparse."""
        self.constants.update(values)

    def names(self) -> set[str]:
        """Return the names of the options that were added so far, and of the general ones."""
        rows = (*self._general, *self.rows)
        return {name for row in rows if isinstance(row, Argument) for name in row.names}

    def get_default(self, dest: str) -> Any:
        """Return the default of the argument with a destination."""
        return self._defaults.get(dest)

    def error(self, message: str) -> NoReturn:
        """Print a usage error, and exit."""
        usage_error(self.prog, message)

    def refuse(self, message: Message) -> NoReturn:
        """Exit with a usage error. Fields of the message name options."""
        usage_error(self.prog, message)

    @property
    def options(self) -> Any:
        """The options of the parser of argparse, by each of their names."""
        return self.parser().options

    def parser(self) -> Any:
        """Return the parser of argparse, which is created when it is needed."""
        if self._parser is None:
            self._parser = self.new_parser(self)
        self._parser.sets_remarks = self.sets_remarks
        self._parser.way_of_more_files = self.way_of_more_files
        return self._parser

    def parse_args(self, args: Sequence[str] | None = None) -> Any:
        """Parse the arguments.

        An output path that is also an input is rejected before any file is read.
        """
        words = list(sys.argv[1:] if args is None else args)
        arguments = self.ordinary(words)
        if arguments is None:
            return self.parser().parse_args(words, ParsedArguments())
        return accepted(arguments, words, sets_remarks=self.sets_remarks)

    def parse_intermixed_args(
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> Any:
        """Parse options and files in any order.

        An output path that is also an input is rejected. Attributes of the `namespace` are no
        defaults: they are values that the options on the line replace.
        """
        words = list(sys.argv[1:] if args is None else args)
        arguments = self.ordinary(words, intermixed=True) if namespace is None else None
        if arguments is None:
            return self.parser().parse_intermixed_args(words, namespace or ParsedArguments())
        return accepted(arguments, words, sets_remarks=self.sets_remarks)

    def ordinary(self, words: Sequence[str], *, intermixed: bool = False) -> ParsedArguments | None:
        """Return the values of an ordinary line; `None` for a line that argparse has to read.

        In an ordinary line, only options and the word `-` begin with a dash. The names of options
        are whole; values follow, or are given as in `--name=value`. The line has no mistake.
        """
        uses = self._uses(words, intermixed=intermixed)
        if uses is None or not self._may_be_together([row for row, _ in uses]):
            return None
        values = {**self._defaults, **self.constants}
        texts_by_default = [row for row in self._arguments if isinstance(row.default, str)]
        used = {row.dest for row, _ in uses}
        try:
            for row, texts in uses:
                row.store(values, texts)
            for row in texts_by_default:
                if row.dest not in used:
                    row.convert_default(values)
        except Exception:  # argparse reports what is wrong with the value
            return None
        return ParsedArguments(**values)

    def _uses(
        self, words: Sequence[str], *, intermixed: bool
    ) -> list[tuple[Argument, Sequence[str]]] | None:
        """Return the arguments of an ordinary line, each with its texts; otherwise `None`."""
        uses: list[tuple[Argument, Sequence[str]]] = []
        files: list[int] = []
        place = 0
        while place < len(words):
            if _is_value(words[place]):
                files.append(place)
                place += 1
                continue
            name, sign, value = words[place].partition("=")
            row = self._options.get(name)
            numbers = None if row is None else row.numbers()
            if row is None or numbers is None or (sign and name[:2] != "--"):
                return None
            least, most = numbers
            texts = [value] if sign else list(takewhile(_is_value, words[place + 1 :][:most]))
            if not least <= len(texts) <= most or value == "--" or (sign and not value):
                return None
            uses.append((row, texts))
            place += 1 if sign else 1 + len(texts)
        if not intermixed and files and files[-1] - files[0] >= len(files):
            return None
        return self._with_files(uses, [words[place] for place in files])

    def _with_files(
        self, uses: list[tuple[Argument, Sequence[str]]], files: Sequence[str]
    ) -> list[tuple[Argument, Sequence[str]]] | None:
        """Add the files to the uses; return `None` if the arguments take more or fewer files."""
        rows = [row for row in self._arguments if not row.is_option]
        if not rows:
            return None if files else uses
        # one of the arguments may take several files; those before and after it take one each
        numbers = [row.numbers() or (1, 0) for row in rows]
        several = [place for place, each in enumerate(numbers) if each != (1, 1)]
        place = several[0] if several else len(rows) - 1
        end = len(files) - len(rows[place + 1 :])
        least, most = numbers[place]
        if len(several) > 1 or not place + least <= end <= place + most:
            return None
        if place == end and rows[place].default is not None:
            return None
        return [
            *uses,
            *((row, [file]) for row, file in zip(rows[:place], files, strict=False)),
            (rows[place], files[place:end]),
            *((row, [file]) for row, file in zip(rows[place + 1 :], files[end:], strict=True)),
        ]

    def _may_be_together(self, used: Sequence[Argument]) -> bool:
        """Return True if all required arguments are used, and none excludes another."""
        groups = [row.group for row in used]
        if not all(row in used or row in groups for row in self.rows if row.is_required):
            return False
        excluding = [row.group for row in set(used) if row.group is not None and row.group.excludes]
        return len(set(excluding)) == len(excluding)


def _is_value(word: str) -> bool:
    """Return True for a file or a value: a word that does not begin with a dash, or `-`."""
    return word == "-" or word[:1] not in ("-", "")


def accepted(arguments: Any, words: Sequence[str], *, sets_remarks: bool = True) -> Any:
    """Return the arguments; reject an output path that is also an input.

    With `sets_remarks`, the arguments set which messages are printed.
    """
    if sets_remarks:
        quiet, verbose = (getattr(arguments, name, False) for name in ("quiet", "verbose"))
        style = getattr(arguments, "remarks", None) or LINES
        set_remarks(quiet=quiet, style=style, verbose=verbose)
    # most options were not given
    given = [value for value in vars(arguments).values() if value]
    values = [value for value in given for value in _each(value)]
    outputs = [value for value in values if isinstance(value, OutputPath)]
    if outputs:
        from collections import Counter

        from formats.console.outputs import check_outputs

        parts = Counter(part for value in words for part in {value, *PARTS.split(value)})
        named = [part for part in parts - Counter(map(str, outputs)) if os.path.isfile(part)]
        inputs = [value for value in values if isinstance(value, InputPath)]
        # standard output may be named by several options, one of which wins
        files = [value for value in outputs if value != "-"]
        check_outputs([*files, *{"-"}.intersection(outputs)], [*inputs, *named])
    return arguments


def usage_error(prog: str, message: str | Message) -> NoReturn:
    """Print a usage error, and on the next line the command that prints help; exit."""
    say(prog, message)
    print_line(f"see {prog} --help")
    raise SystemExit(REFUSED)


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
        add_flag(group, row, kinds)


def add_flag(group: TakesArguments, row: str, kinds: Mapping[str, Any], kind: Any = None) -> None:
    """Add the argument of a row, as `add_flags` does; `kind` is that of its destination."""
    flag = _Flag(row, kinds, kind)
    if isinstance(group, (CommandTable, ArgumentGroup)):
        group.add(flag)
    else:
        group.add_argument(*flag.names, **flag.keywords)


def whole_row(row: str) -> str:
    """Return a row without the mark ``*``.

    The row of an option in `SHARED` is completed with the shared metavar and help.
    """
    row = row.removeprefix("* ")
    if "  " in row:
        return row
    names = row.split(" ")
    shared = next((SHARED[name] for name in names if name in SHARED), "")
    if not shared or not all(name.startswith("-") for name in names):
        return row
    return f"{row} {shared.partition(' ')[2]}"


def rows_of(table: str) -> Iterable[str]:
    """Return the rows of a table of arguments; an indented line continues the preceding row."""
    rows: list[str] = []
    for line in table.split("\n"):
        if line[:1] != " ":
            rows.append(line)
        else:
            rows[-1] += f" {line.lstrip(' ')}"
    return filter(None, rows)


def described(text: str) -> str:
    """Return the value of an option. For ``@FILE``, return the text of the file."""
    if text in ("", "@"):
        raise unusable("expected a pattern, or @ and the name of a file")
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


def use_colour(arguments: Namespace) -> bool:
    """Return True if the output should be coloured."""
    return shows_colour() if arguments.colour == "auto" else bool(arguments.colour == "always")


def line_width(arguments: Namespace) -> int:
    """Return the maximum line width for printed alignments."""
    if arguments.width is not None:
        return int(arguments.width)
    return screen_width(sys.stdout) or PIPE_WIDTH


def _each(value: object) -> Iterator[object]:
    if isinstance(value, (list, tuple)):
        for element in value:
            yield from _each(element)
    else:
        yield value
