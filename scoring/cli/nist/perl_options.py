"""Command lines as Perl's two option readers parse them, with their error messages.

`getopts` reads groups of single letters, such as `-xv`, and stops at the first argument without a
dash. `getoptions` reads names, which may be abbreviated, anywhere before `--`. Both report unknown
options and continue.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple


class PerlOptions(NamedTuple):
    """A parsed command line: the options, the other arguments, and the error messages."""

    options: dict[str, str]
    others: list[str]
    complaints: str


def getopts(arguments: Sequence[str], flags: str, valued: str) -> PerlOptions:
    r"""Parse one-letter options: `flags` have no value, `valued` have one.

    The value is attached to the letter or is the next argument.
    """
    options: dict[str, str] = {}
    complaints: list[str] = []
    rest = list(arguments)
    while rest and len(rest[0]) > 1 and rest[0][0] == "-":
        word = rest.pop(0)
        if word == "--":
            break
        letter, tail = word[1], word[2:]
        if letter in valued:
            if tail or rest:
                options[letter] = tail or rest.pop(0)
            continue
        if letter in flags:
            options[letter] = ""
        else:
            complaints.append(f"Unknown option: {letter}\n")
        if tail:
            rest.insert(0, "-" + tail)
    return PerlOptions(options, rest, "".join(complaints))


INTEGER = re.compile(r"[-+]?_*[0-9][0-9_]*", re.ASCII)
DECIMAL = re.compile(r"[-+]?(?=\.?[0-9])[0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9_]+)?", re.ASCII)
PREFIX = re.compile(r"--|-|\+")


def getoptions(
    arguments: Sequence[str], specification: str, *, ignore_case: bool = True
) -> PerlOptions:
    """Parse named options by a specification such as `i=s Histogram|H=i h yes!`.

    The key of an option is its first spelling.

    `=` requires a value and `:` allows one; its type is `s`, `i` or `f`. `!` also accepts `--noyes`
    and `--no-yes`, with the value `0`.
    """
    spellings: dict[str, tuple[str, str]] = {}
    for entry in specification.split():
        names, mark, kind = re.fullmatch(r"([^=:!]+)([=:!]?)([sif]?)", entry).groups()  # type: ignore[union-attr]
        key = names.partition("|")[0]
        for name in names.split("|"):
            spelling = name.lower() if ignore_case else name
            spellings[spelling] = key, mark.replace("!", "") + kind
            if mark == "!":
                spellings[f"no{spelling}"] = spellings[f"no-{spelling}"] = key, "!"
    options: dict[str, str] = {}
    others: list[str] = []
    complaints: list[str] = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--":
            others += rest
            break
        prefix = PREFIX.match(word)
        if prefix is None or len(word) == prefix.end():
            others.append(word)
            continue
        spelling, has_value, value = word[prefix.end() :].partition("=")
        if not spelling:
            spelling, has_value = "=" + value, ""
        name = spelling.lower() if ignore_case else spelling
        matches = [name] if name in spellings else [k for k in spellings if k.startswith(name)]
        targets = {spellings[match] for match in matches}
        if len(targets) != 1:
            problem = f"Unknown option: {name}\n"
            if targets:
                problem = f"Option {name} is ambiguous ({', '.join(sorted(matches))})\n"
            complaints.append(problem)
            continue
        ((key, kind),) = targets
        complaint = _take(options, key, kind, spelling, value if has_value else None, rest)
        complaints.append(complaint)
    return PerlOptions(options, others, "".join(complaints))


def _take(
    options: dict[str, str], key: str, kind: str, spelling: str, value: str | None, rest: list[str]
) -> str:
    """Set a recognised option; return an error message, or "" if its value is valid."""
    if kind in ("", "!"):
        if value is not None:
            return f"Option {spelling} does not take an argument\n"
        options[key] = "0" if kind else ""
        return ""
    is_mandatory, type_ = kind[0] == "=", kind[1]
    if value == "" or (value is None and not rest):
        if is_mandatory:
            return f"Option {spelling} requires an argument\n"
        options[key] = "" if type_ == "s" else "0"
        return ""
    text = rest.pop(0) if value is None else value
    if type_ == "s":
        if is_mandatory or value is not None or not (len(text) > 1 and PREFIX.match(text)):
            options[key] = text
        else:
            rest.insert(0, text)
            options[key] = ""
        return ""
    if (INTEGER if type_ == "i" else DECIMAL).fullmatch(text):
        options[key] = text.replace("_", "")
        return ""
    if is_mandatory or value is not None:
        real = "real " if type_ == "f" else ""
        return f'Value "{text}" invalid for option {spelling} ({real}number expected)\n'
    rest.insert(0, text)
    options[key] = "0"
    return ""
