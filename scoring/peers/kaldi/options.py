"""The command lines of Kaldi's programs, and their messages on standard error.

Options have the form `--name=value` and precede the arguments. In names, `-` and `_` are the same,
and case is ignored. `--` ends the options. `--config=FILE` reads options from a file; options on
the command line override them. Only an option on the command line allows commands in scripts to
run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple, TypeAlias

from formats.schema import VERSION
from scoring.model.errors import ScoringError
from scoring.nist.transcripts.characters import byte_text, to_bytes

Value = str | int | bool
# Receives the text of a warning.
Warn: TypeAlias = Callable[[str], None]
BOOLEANS = {"true": True, "t": True, "1": True, "": True, "false": False, "f": False, "0": False}
# Not of Kaldi: whether the commands inside a script (`scp:FILE`) are run.
RUN_COMMANDS = "run-commands"
_STANDARD: dict[str, Value] = {
    "config": "",
    "help": False,
    "print-args": True,
    "verbose": 0,
    RUN_COMMANDS: False,
}
# besides letters and digits, what a shell takes as is
_PLAIN = frozenset("[]~#^_-+=:.,/")


class KaldiError(ScoringError):
    """An error that ends a program; the text is Kaldi's, if Kaldi reports the same error."""

    status = 255


def message(severity: str, program: str, text: str) -> str:
    """Format a message like Kaldi, but with this package's version and without a source line."""
    return f"{severity} ({program}[sclite-kit-{VERSION}]:main():{program}.cc:0) {text}\n"


class CommandLine(NamedTuple):
    """The options and the arguments of a parsed command line."""

    options: dict[str, Value]
    arguments: list[str]


def parse(words: Sequence[str], defaults: Mapping[str, Value]) -> CommandLine:
    """Parse a command line."""
    options: dict[str, Value] = {**_STANDARD, **defaults}
    flags = list(takewhile(lambda word: word.startswith("--") and word != "--", words))
    arguments = list(words[len(flags) :])
    if "--" in arguments:
        arguments.remove("--")
    for word in flags:
        name, value, equals = _parts(word)
        if name == "config" and equals:
            _read_config(value, options)
    for word in flags:
        _set(options, word, word)
    return CommandLine(options, arguments)


def _parts(word: str) -> tuple[str, str, bool]:
    """Return the name and the value of an option, and True if it has an equals sign."""
    name, equals, value = word[2:].partition("=")
    return name.replace("_", "-").lower(), value.strip(" \t\n\v\f\r"), bool(equals)


def _set(options: dict[str, Value], word: str, origin: str) -> None:
    name, value, equals = _parts(word)
    default = options.get(name)
    if default is None:
        raise KaldiError(f"Invalid option {origin}")
    if isinstance(default, bool):
        if equals and not value:
            raise KaldiError(f"Invalid option --{name}=")
        if value.lower() not in BOOLEANS:
            raise KaldiError(
                f"Invalid format for boolean argument [expected true or false]: {value}"
            )
        options[name] = BOOLEANS[value.lower()]
        return
    if not equals:
        raise KaldiError(f"Invalid option {origin} (option format is --x=y).")
    try:
        # `int` takes underscores and other scripts' digits, too
        if isinstance(default, int) and (not value.isascii() or "_" in value):
            raise ValueError
        options[name] = type(default)(value)
    except ValueError:
        raise KaldiError(f'Invalid integer option "{value}"') from None


def _read_config(path: str, options: dict[str, Value]) -> None:
    try:
        with open(to_bytes(path), "rb") as file:
            lines = byte_text(file.read()).split("\n")
    except OSError as problem:
        raise KaldiError(f"Cannot open config file: {path} ({problem.strerror})") from None
    for number, line in enumerate(lines, 1):
        word = line.partition("#")[0].strip(" \t\v\f\r")
        if word and not word.startswith("--"):
            raise KaldiError(f"{path}:{number}:1: expected --name=value, found {word!r}")
        if _parts(word)[0] == RUN_COMMANDS:
            raise KaldiError(f"{path}:{number}:1: expected --{RUN_COMMANDS} on the command line")
        if word:
            _set(options, word, f"{word} in {path}:{number}")


def echo(words: Sequence[str]) -> str:
    """Return the command line in the form in which Kaldi's programs print it to standard error."""
    return "".join(f"{_quoted(word)} " for word in words) + "\n"


def _quoted(word: str) -> str:
    if word and all((c.isascii() and c.isalnum()) or c in _PLAIN for c in word):
        return word
    if "'" not in word:
        return f"'{word}'"
    if not any(c in word for c in '"`$\\'):
        return f'"{word}"'
    return "'" + word.replace("'", "'\\''") + "'"
