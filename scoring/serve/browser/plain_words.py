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

from scoring.options import FIELDS, FLAGS, USUAL, flag_choices, is_switch, options_in

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
FIRST = re.compile(r" of the first ([\d,]+) utterances(?: with errors)?(?= are )")
# Messages that the page has in its languages: their names there, and what commands print. What
# stands for {0}, {1} … are their values, what stands for {_} is dropped.
KNOWN = (
    ("said.names", "{0} of {1} errors are speaker names before the text{_}"),
    ("said.numbers", "{0} of {1} errors are numbers in digits on one side{_}"),
    ("said.british", "{0} of {1} errors are British spelling on one side{_}"),
    ("said.blanks", "{0} of {1} errors are blanks between Chinese characters{_}"),
    ("said.partner", "{0} of {1} errors are in utterances that only one side has{_}"),
    ("said.unseen", "{0} of {1} errors are invisible characters{_}"),
    ("said.unseen", "{0} of {1} errors are differences in Unicode form{_}"),
    ("said.unseen", "{0} of {1} errors are special blanks within words{_}"),
    ("said.language", "the words look {_}; check the language{_}"),
    ("said.unscored", "{0}: hypotheses without reference are not scored, {1} {_}: {2}: {3}"),
    ("said.deleted", "{0}: references without hypothesis, their {_} count as deleted: {1}: {2}"),
    ("said.unrelated", "{0}: hardly any word agrees with {1} ({2} of {3}): are both{_}"),
    ("said.unspaced", "{0}: the text is written without blanks between words{_}"),
    ("said.empty", "{0}: the file is empty{_}"),
    ("said.norate", "{0}: no words in the reference, so{_}"),
    ("said.identifiers", "{0}: expected identifiers of {1}, such as {_}"),
    ("said.nothing", "{0}: expected something to score in the reference{_}"),
    ("said.encoding", "{0}: expected UTF-8 text{_}"),
    ("said.format", "{0}: the content is of no known format{_}"),
)
PLACE = re.compile(r"\{(\w)\}")
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
    return {f"default.{name}": label.format(USUAL[name] or "-") for name in names}


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
    first = FIRST.search(text)
    short = FIRST.sub("", text, count=1)
    for name, template in KNOWN:
        values = _values(template, short)
        if values is None:
            continue
        if name in ("said.encoding", "said.format"):
            side, what = found.groups() if (found := CHOICE.search(text)) else ("", "reading")
            values.append([f"{what}Of", [side]] if side else [what])
        return [name, *values], first[1] if first else ""
    return [], ""


def _values(template: str, text: str) -> list[Any] | None:
    """The values of a text in a template, or None if it is another.

    >>> _values("{0}: the file {_} is {1}", "a: the file b is c")
    ['a', 'c']
    """
    begin, *rest = PLACE.split(template)
    if not text.startswith(begin):
        return None
    text = text.removeprefix(begin)
    values: list[Any] = []
    for place, end in zip(rest[::2], rest[1::2], strict=True):
        value, found, after = text.partition(end) if end else (text, "", "")
        if end and not found:
            return None
        values += [value] if place.isdecimal() else []
        text = after
    return values if not text else None


def _settings(text: str) -> Iterator[list[str]]:
    """The choices that a message advises, as the page sets them."""
    for name, value in FLAG.findall(text):
        name = name.replace("-", "_")
        if name == "normalize" and value:
            yield [name, value]
        elif name in FIELDS and is_switch(name):
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
