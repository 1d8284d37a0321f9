"""The command lines of Kaldi's programs.

Options are `--name=value`, before the arguments; `-` and `_` in names are the same, case does not
matter; `--` ends options. `--config=FILE` reads more of them from a file, which those on the
command line override.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scoring.compat.kaldi.messages import KaldiError
from scoring.nist.transcripts.characters import byte_text, to_bytes

Value = str | int | bool
TRUE = frozenset({"true", "t", "1", ""})
FALSE = frozenset({"false", "f", "0"})
_STANDARD: dict[str, Value] = {"config": "", "help": False, "print-args": True, "verbose": 0}
# besides letters and digits, what a shell takes as it is
_PLAIN = frozenset("[]~#^_-+=:.,/")


class CommandLine(NamedTuple):
    """What a command line says."""

    options: dict[str, Value]
    arguments: list[str]

    def text(self, name: str) -> str:
        """The value of an option that is a text."""
        return str(self.options[name])

    def number(self, name: str) -> int:
        """The value of an option that is a whole number."""
        return int(self.options[name])


def parse(words: Sequence[str], defaults: Mapping[str, Value]) -> CommandLine:
    """Read a command line.

    >>> line = parse(["--mode=all", "--text", "ark:a", "ark:b"], {"mode": "strict", "text": False})
    >>> line.text("mode"), line.options["text"], line.arguments
    ('all', True, ['ark:a', 'ark:b'])
    """
    options: dict[str, Value] = {**_STANDARD, **defaults}
    given, arguments = _split(words)
    for word in given:
        name, value, equals = _parts(word)
        if name == "config" and equals:
            _read_config(value, options)
    for word in given:
        _set(options, word, word)
    return CommandLine(options, arguments)


def _split(words: Sequence[str]) -> tuple[list[str], list[str]]:
    for place, word in enumerate(words):
        if word == "--":
            return list(words[:place]), list(words[place + 1 :])
        if not word.startswith("--"):
            rest = list(words[place:])
            if "--" in rest:
                rest.remove("--")
            return list(words[:place]), rest
    return list(words), []


def _parts(word: str) -> tuple[str, str, bool]:
    """Name, value, and whether there is an equals sign."""
    name, equals, value = word[2:].partition("=")
    return name.replace("_", "-").lower(), value.strip(" \t\n\v\f\r"), bool(equals)


def _set(options: dict[str, Value], word: str, shown: str) -> None:
    name, value, equals = _parts(word)
    default = options.get(name)
    if default is None:
        raise KaldiError(f"Invalid option {shown}")
    if isinstance(default, bool):
        if equals and not value:
            raise KaldiError(f"Invalid option --{name}=")
        if value.lower() not in TRUE | FALSE:
            raise KaldiError(
                f"Invalid format for boolean argument [expected true or false]: {value}"
            )
        options[name] = value.lower() in TRUE
        return
    if not equals:
        raise KaldiError(f"Invalid option {shown} (option format is --x=y).")
    if isinstance(default, str):
        options[name] = value
        return
    try:
        # `int` takes underscores and other scripts' digits, too
        if not value.isascii() or "_" in value:
            raise ValueError
        options[name] = int(value)
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
        if not word:
            continue
        if not word.startswith("--"):
            raise KaldiError(f"{path}:{number}:1: expected --name=value, found {word!r}")
        _set(options, word, f"{word} in {path}:{number}")


def echo(words: Sequence[str]) -> str:
    r"""The command line as Kaldi's programs repeat it on the error stream.

    >>> echo(["compute-wer", "--mode=present", "ark:gunzip -c a.gz|", "ark,p:-"])
    "compute-wer --mode=present 'ark:gunzip -c a.gz|' ark,p:- \n"
    """
    return "".join(f"{_quoted(word)} " for word in words) + "\n"


def _quoted(word: str) -> str:
    if word and all((c.isascii() and c.isalnum()) or c in _PLAIN for c in word):
        return word
    if "'" not in word:
        return f"'{word}'"
    if not any(c in word for c in '"`$\\'):
        return f'"{word}"'
    return "'" + word.replace("'", "'\\''") + "'"
