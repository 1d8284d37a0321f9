"""User-defined formats: a TOML file names an existing format and sets its options.

``--from @desk.toml`` reads files in the format that ``desk.toml`` describes, and ``--to
@desk.toml`` writes this format. In Python and in the service, the TOML text itself may replace the
file.

==============================  ==================================================================
key                             value
==============================  ==================================================================
``from``                        the base format; ``speaker-text`` if there is a pattern
``title``                       the name of the format in lists
``pattern``                     patterns of a text (`formats.reading.patterns`): a text, or a list
``skip``, ``begin``, ``stop``,  rules of a text: a text, or a list
``drop``
``blank-ends``, ``inline``,     rules of a text: ``true``
``clock``, ``carry``
any other key                   an option of the reader or the writer; if the option holds several
                                names and values (``columns``, ``member``), a table
==============================  ==================================================================
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import msgspec

from formats.detection import by_name, names
from formats.detection.spec import FormatSpec, Option, Sniff
from formats.io.source import open_source
from formats.reading import checked_option
from formats.reading.patterns import SWITCHES, WORDS_OF_RULES, PatternError, parse_rules
from formats.reading.toml_places import key_places, nearest_names
from formats.schema.errors import OptionError, SyntaxFormatError, close_names, quoted
from formats.schema.messages import message_of

RULES = ("pattern", "write_pattern")
"""The options of the reader and the writer that take rules."""
SWITCH_KEYS = {name: word for word, name in SWITCHES.items()}
LARGEST = 1 << 20
AT = re.compile(r" \(at line (\d+), column (\d+)\)")


class Description:
    """A description in TOML, for example of a format: its text, its file, and its values."""

    def __init__(self, text: str, path: str | None, expected: str = "a format in TOML") -> None:
        self.text = text
        self.path = path
        try:
            self.values: dict[str, Any] = msgspec.toml.decode(text)
        except msgspec.DecodeError as problem:
            reason = str(problem)
            place = AT.search(reason)
            line, column = (int(place[1]), int(place[2])) if place else (None, None)
            raise SyntaxFormatError(
                path=path, line=line, column=column, expected=expected,
                found=reason[: place.start()] if place else reason,
            ) from None  # fmt: skip

    def error(self, key: str, expected: str, value: str, part: str = "") -> SyntaxFormatError:
        """Create an error about the value of a key, or about a part of this value."""
        line, column = self.place(key, part)
        return SyntaxFormatError(
            path=self.path, line=line, column=column, expected=expected, found=value
        )

    def unknown(self, key: str, keys: Iterable[str], base: str = "") -> SyntaxFormatError:
        """Create an error about a key that is none of `keys`, of a description based on `base`."""
        names = tuple(dict.fromkeys(name.replace("_", "-") for name in keys))
        shown = key.replace("_", "-")
        near = nearest_names(shown, names)[:2]
        meant = f"; did you mean {' or '.join(near)}?" if near else ""
        expected = f"keys out of {', '.join(names)}{f' for {base}' if base else ''}"
        return self.error(key, expected, quoted(shown) + meant)

    def place(self, key: str, part: str) -> tuple[int | None, int | None]:
        """Return the line and column of a key's value, or of the text `part` in this value."""
        position = self.text.find(part) if part else -1
        return self._place_of_key(key) if position < 0 else self._line_of(position)

    def _place_of_key(self, key: str) -> tuple[int | None, int | None]:
        if not key:
            return 1, 1
        places = (place for place in key_places(self.text) if place.path)
        named = (place for place in places if place.path[-1].replace("-", "_") == key)
        found = next(named, None)
        return (None, None) if found is None else (found.line, found.column)

    def _line_of(self, position: int) -> tuple[int, int]:
        before = self.text[:position]
        return before.count("\n") + 1, position - before.rfind("\n")


def load_description(name: str) -> FormatSpec:
    """Return the format that a TOML file (``@FILE``) or a TOML text describes.

    Raises
    ------
    FormatError: the file cannot be read, or ``FILE:line:column: expected …, found …``.
    """
    if not name.startswith("@"):
        return _format_of(Description(name, None))
    return _format_of(read_description(name[1:]))


def read_description(path: str, expected: str = "a format in TOML") -> Description:
    """Return the description in a file; errors say what is expected of the file."""
    with open_source(path, max_bytes=LARGEST) as source:
        text = "\n".join(line for _, line in source.lines()) + "\n"
    return Description(text, path, expected)


def _format_of(description: Description) -> FormatSpec:
    values = {key.replace("-", "_"): value for key, value in description.values.items()}
    rules = _rules(description, values)
    base = _base(description, values, has_rules=bool(rules))
    options = {option.name: option for option in (*base.read_options, *base.write_options)}
    title = values.pop("title", base.title)
    if not isinstance(title, str):
        raise description.error("title", "a text", kind_of(title))
    chosen = {key: _option(description, base, options, key, values[key]) for key in values}
    chosen.update(dict.fromkeys((name for name in RULES if rules and name in options), rules))
    if rules and "pattern" not in chosen:
        expected = "a format with patterns, such as speaker-text"
        raise description.error("from", expected, quoted(base.name), base.name)
    reading, writing = (
        {option.name: chosen[option.name] for option in accepted if option.name in chosen}
        for accepted in (base.read_options, base.write_options)
    )
    return base._replace(
        title=title,
        read=partial(base.read, **reading),
        sniff=lambda head: Sniff.NO,
        write=None if base.write is None else partial(base.write, **writing),
        read_options=_with_defaults(base.read_options, reading),
        write_options=_with_defaults(base.write_options, writing),
    )


def _base(
    description: Description, values: dict[str, Any], *, has_rules: bool
) -> FormatSpec:  # fmt: skip
    """Remove the key ``from`` from the values; return the format that it names."""
    name = values.pop("from", "speaker-text" if has_rules else None)
    if name is None:
        raise description.error(
            "", "the key from, with the name of a format, or pattern", "neither"
        )
    if not isinstance(name, str) or name.lower() not in names():
        near = close_names(str(name), names())
        meant = f"; did you mean {' or '.join(near)}?" if near else ""
        shown = quoted(name) if isinstance(name, str) else kind_of(name)
        raise description.error("from", "the name of a format", shown + meant)
    return by_name(name)


def _rules(description: Description, values: dict[str, Any]) -> str:
    """Remove the rules for reading a text from the values; return them as a file of rules."""
    lines: list[str] = []
    for word in WORDS_OF_RULES:
        for rule in _texts(description, word, values.pop(word, [])):
            rows = [row for row in rule.replace("⏎", "\n").split("\n") if row.strip()]
            if word != "pattern" and len(rows) != 1:
                raise description.error(word, "a rule of one line", f"{len(rows)} lines", rule)
            entry = f"{word} " + "\n ".join(rows)
            try:
                parse_rules(entry if word == "pattern" else f"pattern {{text}}\n{entry}")
            except PatternError as problem:
                first = next((row for row in rule.split("\n") if row.strip()), "")
                line, column = description.place(word, first)
                raise SyntaxFormatError(
                    path=description.path, line=line, column=column, value=message_of(problem)
                ) from None
            lines.append(entry)
    for key, word in SWITCH_KEYS.items():
        value = values.pop(key, False)
        if not isinstance(value, bool):
            raise description.error(key, "true or false", kind_of(value))
        lines += [word] if value else []
    text = "\n".join(lines)
    if lines and not text.startswith("pattern"):
        key = lines[0].split()[0]
        raise description.error(key, "the key pattern, too", "none")
    return text


def _texts(description: Description, key: str, value: object) -> list[str]:
    """Return the value of a key as a list; it may be a text or a list of texts."""
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise description.error(key, "a text or a list of texts", kind_of(value))
    return texts


def _option(
    description: Description, base: FormatSpec, options: Mapping[str, Option], key: str, value: Any
) -> object:
    """Return the checked value of an option."""
    option = options.get(key)
    if option is None:
        keys = ("from", "title", *WORDS_OF_RULES, *SWITCH_KEYS, *options)
        raise description.unknown(key, keys, base.name)
    if isinstance(value, dict):
        value = ",".join(f"{name}={member}" for name, member in value.items())
    elif isinstance(value, list):
        value = ("\n\n" if option.is_repeatable else ",").join(_texts(description, key, value))
    if option.is_path:
        if description.path is None:
            raise description.error(key, "an option that names no file", quoted(key))
        value = os.path.join(os.path.dirname(description.path), str(value))
    try:
        return checked_option(option, value)
    except OptionError as problem:
        raise description.error(key, str(problem.expected), str(problem.found)) from None


def _with_defaults(options: tuple[Option, ...], chosen: Mapping[str, object]) -> tuple[Option, ...]:
    """Return the options; the values in `chosen` become their defaults."""
    return tuple(each._replace(default=chosen.get(each.name, each.default)) for each in options)


def kind_of(value: object) -> str:
    """Name the kind of a TOML value, for an error message."""
    return {str: "a text", list: "a list", dict: "a table", bool: "true or false"}.get(
        type(value), "a number"
    )
