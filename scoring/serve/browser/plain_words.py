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

from formats.console.telling import AnyMessage
from formats.schema.errors import EncodingFormatError, FormatError, UnknownFormatError, located
from formats.schema.messages import Advice, Message
from scoring.options import FIELDS, FLAGS, USUAL, flag_choices, is_switch, options_in
from scoring.pages.messages import CASE
from scoring.score.messages import UNSEPARATED

FLAG = re.compile(r"--([a-z][a-z-]*)(?:[ =](\w+(?:[.:/@+-]\w+)*))?")
BRACKET = re.compile(r" ?\([^()]*\)")
COMMAND = re.compile(r"[;,:]?(?: see| with| try| run)? `[^`]*`")
ENCODINGS = ("auto", "windows-1252", "iso-8859-1", "utf-16")
# Messages about packages of Python, which are not for people without a command line.
HIDDEN = ("NO-PACKAGE",)
# The choice of the page for errors of a file.
CHOICES_OF_ERRORS = {EncodingFormatError: "encoding", UnknownFormatError: "reading"}


@cache
def labels() -> Mapping[str, Mapping[str, str]]:
    """Return the labels of the page, by language and name; options without one have their help."""
    text = files("scoring.serve.browser").joinpath("assets/messages.json").read_text("utf-8")
    loaded: Mapping[str, Mapping[str, str]] = json.loads(text)
    unnamed = [name for name in options_in("aligning", "matching") if name not in loaded["en"]]
    helps = {name: FLAGS[name].partition("  ")[2] for name in unnamed}
    return {
        language: {**helps, **_defaults(unnamed, words["default"]), **words}
        for language, words in loaded.items()
    }


def _defaults(names: Iterable[str], label: str) -> dict[str, str]:
    """Return the labels of what applies where nothing is chosen."""
    return {f"default.{name}": label.format(USUAL[name] or "-") for name in names}


def plain_messages(
    values: Iterable[tuple[AnyMessage, str]], sides: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """Messages, and the systems they are about, as the page shows them.

    `sides` has the side of each file. A message that the page has in its languages has a code and
    fields; `set` has the choices that it advises.

    >>> hint = Message(CASE[0], {"number": 1, "errors": 4})
    >>> [said] = plain_messages([(hint, "a.ctm")])
    >>> said["set"], said["share"]
    ([['normalize', 'plain']], [1, 4])
    >>> print(said["text"])
    a.ctm: 1 of 4 errors are case or punctuation only; see “Normalisation: plain”
    """
    kept = (pair for pair in values if getattr(pair[0], "code", "") not in HIDDEN)
    return [_plain(value, name, sides or {}) for value, name in kept]


def without_options(text: str) -> str:
    """Return the text with labels instead of options.

    >>> without_options("see --encoding")
    'see “Encoding”'
    """
    return FLAG.sub(_labelled, text)


def _plain(value: AnyMessage, name: str, sides: Mapping[str, str]) -> dict[str, Any]:
    """Return a message as the page shows it."""
    message, text = _text(value)
    text = f"{name}: {text}" if name else text
    fields = {} if message is None else message.fields
    settings = [] if message is None else list(_settings(message))
    code = "" if message is None else message.code
    return {
        "text": text,
        "message": _in_languages(value, message, sides),
        "first": fields.get("seen", 0),
        # characters stand for all units that are not words
        "set": settings[:1] if code == UNSEPARATED.code else settings,
        "share": [fields["number"], fields["errors"]] if code == CASE[0].code else [],
    }


def _text(value: AnyMessage) -> tuple[Message | None, str]:
    """The message with code and fields, if any, and the text with labels in place of options."""
    if isinstance(value, Message):
        text = value.shown(_advised)
        return value, text if value.advice else without_options(text)
    if isinstance(value, FormatError):
        if value.value is not None and value.value.advice:
            _, text = _text(value.value)
            return value.value, located(value.path, value.line, value.column, text)
        # texts without advice as data
        text = BRACKET.sub(_bracket, str(value))
        return value.value, FLAG.sub(_labelled, COMMAND.sub("", text))
    _, text = _text(value.value)
    return value.value, located(value.path, value.line, value.column, f"{text} [{value.code}]")


def _in_languages(
    value: AnyMessage, message: Message | None, sides: Mapping[str, str]
) -> list[Any]:
    """The code and the fields of a message that the page has in its languages; else empty."""
    code = type(value).__name__ if isinstance(value, FormatError) else value.code
    if f"said.{code}" not in labels()["en"]:
        return []
    fields: dict[str, Any] = {} if message is None else dict(message.fields)
    if not isinstance(value, Message):
        fields["path"] = located(value.path, value.line, value.column, "").removesuffix(": ")
        side = sides.get(str(value.path).partition("/")[0], "")
        for kind, choice in CHOICES_OF_ERRORS.items():
            if isinstance(value, kind):
                fields["choice"] = [f"{choice}Of", side] if side else [choice]
    if isinstance(fields.get("names"), list):
        fields["names"] = ", ".join(fields["names"])
    wanted = re.findall(r"\{(\w+)\}", labels()["en"][f"said.{code}"])
    return [code, {name: fields[name] for name in wanted}]


def _settings(message: Message) -> Iterator[list[str]]:
    """Yield the choices that a message advises, as the page sets them."""
    for name, value in message.advice:
        if name == "normalize":
            yield [name, str(value)]
        elif value is True and name in FIELDS and is_switch(name) and name in labels()["en"]:
            yield [name, "true"]
        elif isinstance(value, str) and value in (
            ENCODINGS if name.endswith("encoding") else flag_choices(name)
        ):
            yield [name, str(value)]


def _advised(advice: Advice) -> str:
    """Return an option that a message advises, with its label."""
    label = _label(advice.option)
    if label is None:
        return f"the choice “{advice.option.replace('_', ' ')}” of the command line"
    return f"“{label}: {advice.value}”" if isinstance(advice.value, str) else f"“{label}”"


def _bracket(match: re.Match[str]) -> str:
    """Return a bracket with labels instead of options; nothing if it only names options."""
    if "--" not in match[0] and "`" not in match[0]:
        return match[0]
    text = COMMAND.sub("", match[0])
    names = [name.replace("-", "_") for name, _ in FLAG.findall(text)]
    if not names or any(_label(name) is None for name in names):
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
    """Return the label of the box of an option; None if the page has none."""
    words = labels()["en"]
    side, _, what = name.rpartition("_")
    if what in ("format", "encoding") and side in ("", "reference", "hypothesis"):
        return words[f"{what}Of"].format(words[side]) if side else words[what]
    if name == "normalize":
        return words["steps"]
    return words.get(name)
