"""Messages of commands, reworded for the page: labels of controls replace names of options.

If a message recommends an option that is a choice on the page, the page shows a control for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from formats.console.command_line import whole_row
from formats.console.telling import severity_of
from formats.detection.errors import UnknownFormatError
from formats.io.errors import EncodingFormatError
from formats.schema.errors import FormatError, located
from formats.schema.messages import NOTE, Advice, Message
from formats.schema.remarks import AnyMessage
from scoring.drawing.templates import asset
from scoring.options import FIELDS, FLAGS, USUAL, flag_choices, is_switch, options_in
from scoring.pages.messages import CASE

OUTPUT = "sclite-kit"  # the folder of what a task writes

ENCODINGS = ("auto", "windows-1252", "iso-8859-1", "utf-16")
# Values that the page offers for options whose values are free.
OFFERED = {"shift": ("auto",), "by": ("speaker", "recording", "channel", "label")}
OFFERED |= {"interpolate": ("uniform", "chars")}
# Messages about packages of Python, which are not for people without a command line.
HIDDEN = ("NO-PACKAGE",)
# The choice of the page for errors of a file.
CHOICES_OF_ERRORS = {EncodingFormatError: "encoding", UnknownFormatError: "reading"}
# How the items of lists in fields are joined.
BETWEEN = {"names": ", ", "losses": "; ", "conditions": " & ", "values": "; ", "available": ", "}
BETWEEN |= {"near": ", "}
# The controls that some errors are about, rather than a file.
CONTROLS = {"CUE-OFFSET": "offset", "NO-WORD-TIMES": "interpolate", "KEPT": "where"}


@cache
def labels() -> Mapping[str, Mapping[str, str]]:
    """Return the page's labels by language and option; an option without a label has its help."""
    text = asset("messages.json", "scoring.serve.browser")
    loaded: Mapping[str, Mapping[str, str]] = json.loads(text)
    unnamed = [name for name in options_in("aligning", "matching") if name not in loaded["en"]]
    helps = {name: whole_row(FLAGS[name]).partition("  ")[2] for name in unnamed}
    return {
        language: {**helps, **_defaults(unnamed, words["default"]), **words}
        for language, words in loaded.items()
    }


@cache
def format_titles() -> Mapping[str, Mapping[str, str]]:
    """Return titles of formats by language and name, in languages other than English.

    In these languages, the page shows only the name of a format without a title, such as that of a
    web service.
    """
    text = asset("formats.json", "scoring.serve.browser")
    loaded: Mapping[str, Mapping[str, str]] = json.loads(text)
    return loaded


def _defaults(names: Iterable[str], label: str) -> dict[str, str]:
    """Return the labels for the default values of options."""
    return {f"default.{name}": label.format(USUAL[name] or "-") for name in names}


def offered(name: str) -> Sequence[str]:
    """Return the values that the page offers for an option."""
    return OFFERED.get(name) or tuple(flag_choices(name))


def plain_messages(
    values: Iterable[tuple[AnyMessage, str]], sides: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """Return messages as the page shows them, with the names of their systems.

    `sides` has the side of each file. A message that the page can translate has a code and fields;
    `set` has the choices that the message recommends, `path` has the file, and `control` has the
    choice that the message is about. `is_note` is true if the message warns of nothing.

    >>> hint = Message(CASE[0], {"number": 1, "errors": 4})
    >>> [said] = plain_messages([(hint, "a.ctm")])
    >>> said["set"], said["share"]
    ([['normalize', 'plain']], [1, 4])
    >>> print(said["text"])
    a.ctm: 1 of 4 errors is case or punctuation only; see “Normalisation: plain”
    """
    kept = (pair for pair in values if getattr(pair[0], "code", "") not in HIDDEN)
    return [_plain(value, name, sides or {}) for value, name in kept]


def _plain(value: AnyMessage, name: str, sides: Mapping[str, str]) -> dict[str, Any]:
    """Return a message as the page shows it."""
    message, text = _text(value)
    text = f"{name}: {text}" if name else text
    fields = {} if message is None else message.fields
    settings = [] if message is None else _settings(message)
    code = "" if message is None else message.code
    return {
        "text": text,
        "message": _in_languages(value, message, sides),
        "path": str(getattr(value, "path", None) or fields.get("path", "")),
        "is_note": severity_of(value) == NOTE,
        "control": "measures" if "measure" in fields else CONTROLS.get(code, ""),
        "first": fields.get("seen", 0),
        "set": settings,
        "share": [fields["number"], fields["errors"]] if code == CASE[0].code else [],
    }


def _text(value: AnyMessage) -> tuple[Message | None, str]:
    """Return the message (None for plain text) and its text, with labels in place of options."""
    if isinstance(value, Message):
        return value, value.shown(_advised)
    message = value.value
    if isinstance(value, FormatError):
        text = value.message if message is None else message.shown(_advised)
        return message, located(_own(value.path), value.line, value.column, text)
    return message, located(_own(value.path), value.line, value.column, value.value.shown(_advised))


def _own(path: str | None) -> str | None:
    """Return the path of a file without the folder of results, which no person knows."""
    return path if path is None else path.removeprefix(f"{OUTPUT}/")


def _in_languages(
    value: AnyMessage, message: Message | None, sides: Mapping[str, str]
) -> list[Any]:
    """Return code and fields of a message that the page can translate; empty for other messages.

    A translation of a variant has the key of its entry.
    """
    code = type(value).__name__ if isinstance(value, FormatError) else value.code
    if message is not None and f"said.{message.entry.key}" in labels()["en"]:
        code = message.entry.key
    if isinstance(value, FormatError) and f"said.{code}" not in labels()["en"]:
        code = FormatError.__name__
    if f"said.{code}" not in labels()["en"]:
        return []
    fields: dict[str, Any] = {} if message is None else dict(message.fields)
    if not isinstance(value, Message):
        # several messages of a kind are one, with the line of the first
        line = fields.get("first") if "times" in fields else value.line
        fields["path"] = located(_own(value.path), line, value.column, "").removesuffix(": ")
        fields["times"] = getattr(value, "times", 1)
        fields["text"] = _text(value)[1]
        side = sides.get(str(value.path).partition("/")[0], "")
        for kind, choice in CHOICES_OF_ERRORS.items():
            if isinstance(value, kind):
                fields["choice"] = [f"{choice}Of", side] if side else [choice]
    for name, between in BETWEEN.items():
        if isinstance(fields.get(name), list):
            fields[name] = between.join(map(str, fields[name]))
    wanted = re.findall(r"\{(\w+)\}", labels()["en"][f"said.{code}"])
    # a variant of the code may have other fields
    return [code, {name: fields[name] for name in wanted}] if fields.keys() >= set(wanted) else []


def _settings(message: Message) -> list[list[str]]:
    """Return the choices that a message recommends, in the page's form.

    All recommended normalisation steps are returned. For any other option, only the first value is
    returned.
    """
    settings: list[list[str]] = []
    for name, value in message.advice:
        if name == "normalize":
            settings.append([name, str(value)])
        elif any(name == other for other, _ in settings):
            continue
        elif value is True and name in FIELDS and is_switch(name) and name in labels()["en"]:
            settings.append([name, "true"])
        elif isinstance(value, str) and value in (
            ENCODINGS if name.endswith("encoding") else offered(name)
        ):
            settings.append([name, value])
    return settings


def _advised(advice: Advice) -> str:
    """Return a recommended option as text: the label of its control, with the value."""
    label = _label(advice.option)
    if label is None:
        return f"the option “{advice.option.replace('_', ' ')}” of the installed program"
    value = advice.value if isinstance(advice.value, str) else ""
    value = labels()["en"].get(f"value.{value}", value)
    return f"“{label}: {value}”" if value else f"“{label}”"


def _label(name: str) -> str | None:
    """Return the label of an option's control; None if the page has no control for the option."""
    words = labels()["en"]
    side, _, what = name.rpartition("_")
    if what in ("format", "encoding") and side in ("", "reference", "hypothesis"):
        return words[f"{what}Of"].format(words[side]) if side else words[what]
    if name == "normalize":
        return words["steps"]
    return words.get(name)
