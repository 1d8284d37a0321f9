"""An option that a usage error names is one of the command that prints it.

Entries advise options as data, which the laws of the catalogues look up in every command. Most usage
errors are texts of a single command; so each that a test makes a command print is checked here.
"""

import re
from collections.abc import Callable
from typing import NoReturn

from formats.console.command_line import CommandTable
from formats.console.command_parser import CommandParser
from formats.schema.messages import Message

NAMED = re.compile(r"(?<![\w'\"=-])--[a-z][a-z0-9_-]+")
ELSEWHERE = re.compile(
    r"--\S+(?: \S+)? of `[^`]*`|`[^`]*`|unrecognized arguments: [^(]*|^\S+ is not offered"
)
"""Options and lines of other commands, in back quotes, and what the user typed."""


def options_of(parser: CommandParser) -> set[str]:
    """All options of a command and of its commands."""
    return {*parser.options}.union(*map(options_of, parser.commands.values()))


def unknown_options(parser: CommandParser, text: str) -> set[str]:
    """Options that a text names and a command does not have."""
    return {*NAMED.findall(ELSEWHERE.sub("", text))} - options_of(parser)


def check_usage_errors() -> None:
    """Let each usage error of this process fail that names an option of no use there."""
    for kind in (CommandTable, CommandParser):
        for name in ("error", "refuse"):
            setattr(kind, name, checked(getattr(kind, name)))


def checked(end: Callable[..., NoReturn]) -> Callable[..., NoReturn]:
    """A method that prints a usage error, after the options in its text are looked up."""

    def end_checked(self: CommandTable | CommandParser, message: str | Message) -> NoReturn:
        parser = self.parser() if isinstance(self, CommandTable) else self
        unknown = unknown_options(parser, str(message)) if parser.has_help else ()
        assert not unknown, f"{self.prog} has no option {', '.join(unknown)}: {message}"
        end(self, message)

    return end_checked
