"""Messages of commands for people without a command line: labels of boxes instead of options.

A message that advises an option which the page has as a choice becomes a control of the page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from scoring.options import CHOICES, FIELDS, FLAGS, flag_choices, options_in

PREFIX = re.compile(r"(?:^|: )((?:note|warning|hint): )")
PROGRAM = re.compile(r"^(?:(?:scoring|formats): )+")
FLAG = re.compile(r"--([a-z][a-z-]*)(?:[ =](\w+(?:[.:/@+-]\w+)*))?")
BRACKET = re.compile(r" ?\([^()]*\)")
SEE = re.compile(r"[;,:]? (?:see|use|try) --")
COMMAND = re.compile(r"[;,:]?(?: see| with| try| run)? `[^`]*`")
SHARE = re.compile(r"(?<![\d,])([\d,]+) of ([\d,]+) errors")
SPELLING = "case or punctuation only"
PACKAGE = re.compile(r"without the package|expected the package")
ENCODINGS = ("auto", "windows-1252", "iso-8859-1", "utf-16")
_ERRORS = r"^([\d,]+) of ([\d,]+) errors(?: of the first (?P<first>[\d,]+) utterances[^:;]*?)? are "
# Messages that the page has in its languages: their names there, and the texts of commands, whose
# groups are the values.
KNOWN = (
    ("said.names", re.compile(_ERRORS + "names before the text")),
    ("said.numbers", re.compile(_ERRORS + "numbers in digits on one side")),
    ("said.british", re.compile(_ERRORS + "British spelling on one side")),
    ("said.blanks", re.compile(_ERRORS + "blanks between Han characters")),
    ("said.partner", re.compile(_ERRORS + "of utterances without partner")),
    ("said.unseen", re.compile(_ERRORS + "(?:invisible characters|Unicode forms|blanks within)")),
    ("said.language", re.compile("^the words look ")),
    (
        "said.unscored",
        re.compile(r"^(.+): hypotheses without reference are not scored, (\d+) \w+: (\d+): (.*)"),
    ),
    (
        "said.deleted",
        re.compile(
            r"^(.+): references without hypothesis, their \w+ count as deleted: (\d+): (.*)"
        ),
    ),
    (
        "said.unrelated",
        re.compile(r"^(.+): hardly any word agrees with (.+) \(([\d,]+) of ([\d,]+)\)"),
    ),
    ("said.unspaced", re.compile("^(.+): most words are long runs of a script")),
    ("said.empty", re.compile("^(.+): the file is empty")),
    ("said.norate", re.compile("^(.+): no words in the reference, so")),
    (
        "said.identifiers",
        re.compile("^(.+): expected identifiers of (.+), such as .+, found others"),
    ),
    ("said.nothing", re.compile("^(.+): expected something to score in the reference")),
    ("said.encoding", re.compile(r"^(.+): expected UTF-8 text\b")),
    ("said.format", re.compile("^(.+): the content is of no known format")),
)
CHOICE = re.compile(r"--(?:(reference|hypothesis)-)?(encoding|format)\b")


@cache
def labels() -> Mapping[str, Mapping[str, str]]:
    """The labels of the page, by language and name; options without one have their help."""
    text = files("scoring.serve.browser").joinpath("assets/messages.json").read_text("utf-8")
    loaded: Mapping[str, Mapping[str, str]] = json.loads(text)
    unnamed = [name for name in options_in("aligning", "matching") if name not in loaded["en"]]
    helps = {name: FLAGS[name].partition("  ")[2] for name in unnamed}
    return {
        language: {**helps, **_defaults(unnamed, words["default"]), **words}
        for language, words in loaded.items()
    }


def _defaults(names: Iterable[str], label: str) -> dict[str, str]:
    """The labels of what applies where nothing is chosen."""
    return {f"default.{name}": label.format(FIELDS[name].default or "-") for name in names}


def plain_messages(lines: Iterable[str]) -> list[dict[str, Any]]:
    """Messages as the page shows them, without those about packages of Python.

    >>> [said] = plain_messages(["scoring: hint: 1 of 4 errors are case or punctuation only; "
    ...                          "see --normalize plain"])
    >>> said["text"], said["set"], said["share"]
    ('1 of 4 errors are case or punctuation only', [['normalize', 'plain']], ['1', '4'])
    >>> [said] = plain_messages(["scoring: a.png:1:1: expected UTF-8 text (give another encoding "
    ...                          "with --hypothesis-encoding, or auto), found byte 0x89"])
    >>> said["text"].partition(" (")[2]
    'give another encoding with “Encoding of the hypothesis”, or auto), found byte 0x89'
    """
    kept = (line for line in lines if line.strip() and not PACKAGE.search(line))
    return [_plain(line) for line in kept]


def without_options(text: str) -> str:
    """The text with labels instead of options.

    >>> without_options("see --encoding")
    'see “Encoding”'
    """
    return FLAG.sub(_labelled, text)


def _plain(line: str) -> dict[str, Any]:
    text = PROGRAM.sub("", line)
    kind = PREFIX.search(text)
    if kind:
        text = text[: kind.start(1)] + text[kind.end() :]
    settings = list(_settings(text))
    share = SHARE.search(text) if SPELLING in text else None
    message, first = _known(text)
    if message[:1] == ["said.unspaced"]:
        settings = [["unit", "char"]]
    text = BRACKET.sub(_bracket, text)
    if settings and (see := SEE.search(text, max(text.rfind(";"), 0))):
        text = text[: see.start()]
    text = FLAG.sub(_labelled, COMMAND.sub("", text))
    return {
        "kind": kind[1][:-2] if kind else "",
        "text": text,
        "message": message,
        "first": first,
        "set": settings,
        "share": list(share.groups()) if share else [],
    }


def _known(text: str) -> tuple[list[Any], str]:
    """The name and the values of a message that the page has in its languages, or nothing.

    A value that is a list is a message itself. The second is the number of utterances that were
    looked at, if not all.
    """
    for name, pattern in KNOWN:
        found = pattern.search(text)
        if found is None:
            continue
        values: list[Any] = list(found.groups())
        first = found.groupdict().get("first") or ""
        if "first" in found.groupdict():
            values.pop()
        choice = CHOICE.search(text)
        if choice and name in ("said.encoding", "said.format"):
            side, what = choice.groups()
            values.append([f"{what}Of", [side]] if side else [what])
        elif name in ("said.encoding", "said.format"):
            values.append(["reading"])
        return [name, *values], first
    return [], ""


def _settings(text: str) -> Iterator[list[str]]:
    """The choices that a message advises, as the page sets them."""
    for name, value in FLAG.findall(text):
        name = name.replace("-", "_")
        if name == "normalize" and value:
            yield [name, value]
        elif name in FIELDS.keys() - CHOICES and FIELDS[name].default is False:
            if name in labels()["en"]:
                yield [name, "true"]
        elif value and value in (ENCODINGS if name.endswith("encoding") else flag_choices(name)):
            yield [name, value]


def _bracket(match: re.Match[str]) -> str:
    """A bracket with labels instead of options; nothing if it only names options."""
    if "--" not in match[0] and "`" not in match[0]:
        return match[0]
    text = COMMAND.sub("", match[0])
    names = [name.replace("-", "_") for name, _ in FLAG.findall(text)]
    if not names or any(_label(name) is None for name in names) or list(_settings(text)):
        return ""
    return FLAG.sub(_labelled, text)


def _labelled(match: re.Match[str]) -> str:
    name = match[1].replace("-", "_")
    label = _label(name)
    value = match[2]
    is_value = bool(value) and value in (*ENCODINGS, *flag_choices(name))
    behind = f": {value}" if is_value else ""
    rest = "" if is_value or not value else f" {value}"
    if label is None:
        return f"the choice “{match[1].replace('-', ' ')}” of the command line{rest}"
    return f"“{label}{behind}”{rest}"


def _label(name: str) -> str | None:
    """The label of the box of an option; None if the page has none."""
    words = labels()["en"]
    side, _, what = name.rpartition("_")
    if what in ("format", "encoding") and side in ("", "reference", "hypothesis"):
        return words[f"{what}Of"].format(words[side]) if side else words[what]
    if name == "normalize":
        return words["steps"]
    return words.get(name)
