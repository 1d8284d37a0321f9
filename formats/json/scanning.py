"""JSON parsing with limits, and the position of a value in the text.

A text is regular if no object repeats a name and no value is nested more than 64 levels deep.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from formats.detection.json_beginnings import CUT_OFF, json_decoder, truncated_json
from formats.detection.python_values import without_comments
from formats.io.source import PausedCollection, Source
from formats.json.messages import JSON_RAW, JSON_TWICE, PYTHON_VALUES
from formats.schema import compiled
from formats.schema.errors import SyntaxFormatError, quoted

DEEPEST = 64
BLANK_RUN = re.compile(r"[ \t\n\r]*")
TEXTS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
RAW = re.compile(r"[\x00-\x1f]")
SHAPES = re.compile(rf"{TEXTS.pattern}?|[\[\]{{}}]", re.DOTALL)
_is_plain = compiled("is_plain")
BLANKS = " \t\n\r"
CONTAINERS = frozenset({dict, list})
TROUBLE = (msgspec.MsgspecError, UnicodeEncodeError, RecursionError)
LINES = msgspec.json.Decoder()


class Parsed(NamedTuple):
    """The values of a JSON text and their positions in it.

    The text has blanks in place of what only JavaScript allows.
    """

    text: str
    values: list[Any]
    starts: list[int]
    is_regular: bool


def parse(text: str, source: Source, *, line: int = 1, streams: bool = False) -> Parsed:
    """Parse a text. Comments, and commas behind the last element, are dropped with a note."""
    try:
        with PausedCollection():
            values = [msgspec.json.decode(text)]
        if is_plain(text, values):
            return Parsed(text, values, [_skip_blanks(text, 0)], True)
    except TROUBLE:
        if streams and (lines := parse_lines(text)) is not None:
            starts = line_starts(text)
            if len(starts) == len(lines):
                return Parsed(text, lines, starts, True)
        if (plain := without_comments(text)) != text:
            parsed = parse(plain, source, line=line, streams=streams)
            source.log.say(PYTHON_VALUES)
            return parsed
    return Parsed(text, *_parse_with_care(text, source, line, streams), False)


def parse_lines(text: str) -> list[Any] | None:
    """Parse lines with one JSON value each; return `None` if the text is irregular."""
    try:
        with PausedCollection():
            values = LINES.decode_lines(text)
    except TROUBLE:
        return None
    return values if is_plain(text, values) else None


def line_starts(text: str) -> list[int]:
    """Return the position of the first non-blank character of each non-blank line."""
    starts = []
    position = 0
    for row in text.split("\n"):
        if bare := row.lstrip(BLANKS):
            starts.append(position + len(row) - len(bare))
        position += len(row) + 1
    return starts


def is_plain(text: str, values: list[Any]) -> bool:
    """Return True if no object repeats a name, and values have at most 64 levels of nesting."""
    if _is_plain is not None:
        return bool(_is_plain(text, values, DEEPEST))
    members = 0
    level = [value for value in values if type(value) in CONTAINERS]
    for _ in range(DEEPEST):
        objects = [value for value in level if type(value) is dict]
        lists = [value for value in level if type(value) is list]
        members += sum(map(len, objects))
        inner = chain(chain.from_iterable(map(dict.values, objects)), *lists)
        level = [value for value in inner if type(value) in CONTAINERS]
        if not level:
            break
    if level:
        return False
    if members == text.count('":') and not any(f"{blank}:" in text for blank in BLANKS):
        return True
    return members == TEXTS.sub("", text).count(":")


def _parse_with_care(
    text: str, source: Source, line: int, streams: bool
) -> tuple[list[Any], list[int]]:
    """Parse an irregular text. Report each irregularity, or reject the text."""
    import json

    def take_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) != len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for number, name in enumerate(names) if name in names[:number])
            source.log.say(JSON_TWICE, name=twice)
        return members

    decoder = json_decoder(
        object_pairs_hook=take_pairs,
        parse_int=lambda digits: int(digits) if len(digits) < 100 else float(digits),
    )
    _check_depth(text, source, line)
    if raw := [match for match in TEXTS.finditer(text) if RAW.search(match[0])]:
        row, _ = _place(text, raw[0].start(), line)
        source.log.say(JSON_RAW, row, texts=len(raw))
    values: list[Any] = []
    starts: list[int] = []
    position = _skip_blanks(text, 0)
    while position < len(text):
        if values and not streams:
            raise _no_json(source, text, position, line, "the end of the file after one JSON value")
        starts.append(position)
        try:
            value, position = decoder.raw_decode(text, position)
        except json.JSONDecodeError as problem:
            if truncated_json(text[position:]):
                row, column = _place(text, len(text.rstrip()), line)
                raise SyntaxFormatError(
                    CUT_OFF, path=source.name, line=row, column=column
                ) from None
            raise _no_json(source, text, problem.pos, line, f"JSON ({problem.msg})") from None
        values.append(value)
        position = _skip_blanks(text, position)
        if streams and position < len(text) and text[position] == ",":
            position = _skip_blanks(text, position + 1)
    return values, starts


def _no_json(
    source: Source, text: str, position: int, line: int, expected: str
) -> SyntaxFormatError:
    rest = text[position : position + 40].split("\n")[0]
    found = quoted(rest) if rest else "the end of the line"
    if position >= len(text):
        found = "the end of the file"
    if text[:1] not in "{[" and (brace := text.find("{")) > 0 and not text[:brace].isspace():
        found += f"; the first {{ is in line {line + text.count(chr(10), 0, brace)}"
    return _error(source, text, position, line, expected, found)


def _error(
    source: Source, text: str, position: int, line: int, expected: str, found: str
) -> SyntaxFormatError:
    line, column = _place(text, position, line)
    return source.syntax_error(line, expected, found, column)


def _place(text: str, position: int, line: int) -> tuple[int, int]:
    """Return the line and column of a position in a text that begins at a given line."""
    return line + text.count("\n", 0, position), position - text.rfind("\n", 0, position)


def _check_depth(text: str, source: Source, line: int) -> None:
    """Reject a text with a value that is nested too deeply."""
    depth = 0
    for match in SHAPES.finditer(text):
        depth += (match[0] in ("{", "[")) - (match[0] in ("}", "]"))
        if depth > DEEPEST:
            expected = f"JSON at most {DEEPEST} levels deep"
            raise _error(source, text, match.start(), line, expected, "more")


def _skip_blanks(text: str, position: int) -> int:
    return BLANK_RUN.match(text, position).end()  # type: ignore[union-attr]


@cache
def _scanner() -> Any:
    """Return a function that finds where a JSON value ends, without converting numbers."""
    return json_decoder(parse_constant=len, parse_float=len, parse_int=len).raw_decode


def locate(text: str, position: int, step: str | int, is_regular: bool) -> int | None:
    """Return the position of a member or element of the object or list at `position`."""
    try:
        starts = (start for name, start in _inner(text, position) if name == step)
        # of a name that occurs twice in an irregular text the last counts
        return next(starts) if is_regular or isinstance(step, int) else list(starts)[-1]
    except (ValueError, IndexError, RecursionError, StopIteration):
        return None


def element_starts(text: str, position: int) -> Iterator[int]:
    """Yield the position of each element of the list at `position`."""
    if native := compiled("element_starts"):
        return iter(native(text, position))
    return (start for _, start in _inner(text, position))


def plain_lines_at(text: str, starts: Sequence[int | None], line: int) -> list[int] | None:
    """Return the line number of each position; `None` without native code.

    The positions must ascend.
    """
    native = compiled("lines_at")
    return None if native is None else native(text, list(starts), line)


def _inner(text: str, position: int) -> Iterator[tuple[str | int, int]]:
    """Yield the name (or index) of each member of an object or list, and its position."""
    scan = _scanner()
    is_object = text[position] == "{"
    position = _skip_blanks(text, position + 1)
    number = 0
    while text[position] not in "]}":
        step: str | int = number
        if is_object:
            step, position = scan(text, position)
            position = _skip_blanks(text, _skip_blanks(text, position) + 1)
        yield step, position
        position = _skip_blanks(text, scan(text, position)[1])
        if text[position] == ",":
            position = _skip_blanks(text, position + 1)
        number += 1
