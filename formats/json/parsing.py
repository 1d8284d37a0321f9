"""JSON as text: parsing with limits, and finding where a value stands."""

from __future__ import annotations

import re
from itertools import chain, repeat

import msgspec

from formats.errors import SyntaxFormatError, quoted
from formats.native import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, TypeAlias

    from formats.source import Source

    Steps: TypeAlias = "tuple[str | int, ...]"

__all__ = [
    "BLANKS",
    "by_line",
    "lines_at",
    "lines_of_elements",
    "locate",
    "parse_quickly",
    "parse_with_care",
]

DEEPEST = 64
BLANK_RUN = re.compile(r"[ \t\n\r]*")
TEXTS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
SHAPES = re.compile(rf"{TEXTS.pattern}?|[\[\]{{}}]", re.DOTALL)
BLANKS = " \t\n\r"
PREFIX = 4096
LINES = msgspec.json.Decoder()
RAW_LIST = list[msgspec.Raw]
RAW_OBJECT = dict[str, msgspec.Raw]


def parse_quickly(text: str, streams: bool) -> tuple[list[Any], list[int]] | None:
    """The values of a text and where they stand; `None` if there is anything odd about it.

    Parameters
    ----------
    streams: whether several values may follow one another.
    """
    for decode in (_one, _by_line) if streams else (_one,):
        try:
            values, places = decode(text)
        except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
            continue
        return (values, places) if _is_plain(text, values) else None
    return None


def by_line(text: str) -> list[Any] | None:
    """The values of lines with one value each; `None` if there is anything odd about them."""
    try:
        values = LINES.decode_lines(text)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        return None
    return values if _is_plain(text, values) else None


def _one(text: str) -> tuple[list[Any], list[int]]:
    return [msgspec.json.decode(text)], [_skip_blanks(text, 0)]


def _by_line(text: str) -> tuple[list[Any], list[int]]:
    values = LINES.decode_lines(text)
    places, position = [], 0
    for one in text.split("\n"):
        if one.strip(BLANKS):
            places.append(_skip_blanks(text, position))
        position += len(one) + 1
    if len(places) != len(values):
        raise msgspec.DecodeError
    return values, places


def _is_plain(text: str, values: list[Any]) -> bool:
    """Whether no name occurs twice in an object, and nothing is nested deeper than 64 levels.

    There are as many members in the values, then, as colons in the text outside of texts.
    """
    if is_plain := compiled("is_plain"):
        return bool(is_plain(text, values, DEEPEST))
    signs = TEXTS.sub("", text)
    members = 0
    level = _containers(values)
    for _ in range(DEEPEST):
        members += sum(len(value) for value in level if type(value) is dict)
        level = _inside(level)
    return not level and members == signs.count(":")


def _containers(values: Iterable[Any]) -> list[Any]:
    return [value for value in values if type(value) in (dict, list)]


def _inside(level: Iterable[Any]) -> list[Any]:
    """The objects and lists that stand in these."""
    inner = (value.values() if type(value) is dict else value for value in level)
    return _containers(chain.from_iterable(inner))


def _is_deep(value: Any) -> bool:
    """Whether something is nested deeper than 64 levels."""
    level = _containers([value])
    depth = 0
    while level and depth < DEEPEST:
        level = _inside(level)
        depth += 1
    return bool(level)


def parse_with_care(
    text: str, source: Source, line: int, streams: bool
) -> tuple[list[Any], list[int]]:
    """As `parse_quickly`, for a text with something odd, which is told or refused."""
    import json

    def take_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            seen: set[str] = set()
            twice = next(n for n, _ in pairs if n in seen or seen.add(n))  # type: ignore[func-returns-value]
            source.log.warn(
                "JSON-TWICE", f"member {quoted(twice)} occurs twice in an object: the last counts"
            )
        return made

    decoder = json.JSONDecoder(
        object_pairs_hook=take_pairs,
        parse_int=lambda digits: int(digits) if len(digits) < 100 else float(digits),
    )
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
            raise _no_json(source, text, problem.pos, line, f"JSON ({problem.msg})") from None
        except RecursionError:
            raise _too_deep(source, text, line) from None
        if _is_deep(value):
            raise _too_deep(source, text, line)
        values.append(value)
        position = _skip_blanks(text, position)
        if streams and position < len(text) and text[position] == ",":
            position = _skip_blanks(text, position + 1)
    return values, starts


def _no_json(
    source: Source, text: str, position: int, line: int, expected: str
) -> SyntaxFormatError:
    rest = text[position : position + 40].split("\n")[0]
    hint = ""
    if text[:1] not in "{[" and (brace := text.find("{")) > 0 and not text[:brace].isspace():
        hint = f"; the first {{ stands in line {line + text.count(chr(10), 0, brace)}"
    return SyntaxFormatError(
        f"expected {expected}, found {quoted(rest) if rest else 'the end of the file'}{hint}"
        if position >= len(text) or rest
        else f"expected {expected}, found the end of the line{hint}",
        path=source.name,
        line=line + text.count("\n", 0, position),
        column=position - text.rfind("\n", 0, position),
    )


def _skip_blanks(text: str, position: int) -> int:
    found = BLANK_RUN.match(text, position)
    return found.end() if found else position


def _too_deep(source: Source, text: str, line: int) -> SyntaxFormatError:
    """What to raise for the first value that is nested too deep."""
    depth = position = 0
    for found in SHAPES.finditer(text):
        sign = found[0]
        if sign in ("{", "["):
            depth += 1
            if depth > DEEPEST:
                position = found.start()
                break
        elif sign in ("}", "]"):
            depth -= 1
    return SyntaxFormatError(
        path=source.name,
        line=line + text.count("\n", 0, position),
        column=position - text.rfind("\n", 0, position),
        expected=f"JSON at most {DEEPEST} levels deep",
        found="more",
    )


def lines_at(text: str, positions: Iterable[int], line: int) -> Iterator[int]:
    """The lines of rising positions."""
    done = 0
    for position in positions:
        line += text.count("\n", done, position)
        done = position
        yield line


def lines_of_elements(text: str, steps: Steps, *, is_plain: bool) -> Iterator[int | None]:
    """The lines that the elements of the list begin in that `steps` lead to; `None` if unknown.

    Parameters
    ----------
    is_plain: whether the text is one value, and no name occurs twice in an object.
    """
    lines_of = compiled("lines_of_elements") if is_plain else None
    if lines_of and (lines := lines_of(text, steps)) is not None:
        yield from lines
        return
    data = text.encode("utf-8", "surrogateescape")
    raw: Any = data
    try:
        for step in steps[1:]:
            kind: Any = RAW_LIST if isinstance(step, int) else RAW_OBJECT
            raw = msgspec.json.decode(raw, type=kind)[step]
        elements = msgspec.json.decode(raw, type=RAW_LIST)
    except (msgspec.MsgspecError, UnicodeError):
        yield from repeat(None)
    # So long a beginning of the list stands nowhere before it.
    line, done, position = 1, 0, data.find(bytes(memoryview(raw)[:PREFIX])) + 1
    for element in elements:
        # Blanks and a comma stand between: its first character is the first of its kind.
        position = data.find(memoryview(element)[:1], position)
        line += data.count(b"\n", done, position)
        done = position
        yield line
        position += len(memoryview(element))


def _scanner() -> Any:
    """What tells where a value ends, quickly."""
    import json

    return json.JSONDecoder(parse_constant=len, parse_float=len, parse_int=len).raw_decode


def locate(text: str, steps: Steps) -> int | None:
    """Where the value stands that `steps` lead to, found by going through the text again."""
    scan = _scanner()
    position = _skip_blanks(text, 0)
    try:
        for _ in range(int(steps[0])):
            position = _skip_blanks(text, scan(text, position)[1])
            if text[position : position + 1] == ",":
                position = _skip_blanks(text, position + 1)
        for step in steps[1:]:
            position = _enter(text, position, step, scan)
    except (ValueError, IndexError, RecursionError):
        return None
    return position


def _enter(text: str, position: int, step: str | int, scan: Any) -> int:
    """Where member `step` (the last of that name) or element `step` of a container stands."""
    found = None
    count = 0
    position = _skip_blanks(text, position + 1)
    while text[position] not in "]}":
        name: str | int = count
        if isinstance(step, str):
            name, position = scan(text, position)
            position = _skip_blanks(text, _skip_blanks(text, position) + 1)
        if name == step:
            found = position
            if isinstance(step, int):
                break
        count += 1
        position = _skip_blanks(text, scan(text, position)[1])
        if text[position] == ",":
            position = _skip_blanks(text, position + 1)
    if found is None:
        raise IndexError(step)
    return found
