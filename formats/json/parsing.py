"""JSON as text: parsing with limits, and finding where a value stands."""

from __future__ import annotations

import re
from itertools import chain, count

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
    "Inside",
    "by_line",
    "inside",
    "lines_at",
    "locate",
    "parse_quickly",
    "parse_with_care",
]

DEEPEST = 64
BLANK_RUN = re.compile(r"[ \t\n\r]*")
TEXTS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
SHAPES = re.compile(rf"{TEXTS.pattern}?|[\[\]{{}}]", re.DOTALL)
BLANKS = " \t\n\r"
LINES = msgspec.json.Decoder()


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


class Inside:
    """What stands in a list or an object of a text, looked for from where it was found last.

    Parameters
    ----------
    place, line: where it begins.
    is_odd: whether a name may occur twice in it, of which the last counts.
    """

    def __init__(self, text: str, place: int, line: int, is_odd: bool = False) -> None:
        self._bracket = text[place]
        self._is_odd = is_odd
        self._rest = self._children(text, place, line) if self._bracket in "[{" else iter(())
        self._known: dict[str | int, tuple[int, int]] = {}

    def _children(
        self, text: str, begin: int, line: int
    ) -> Iterator[tuple[str | int, tuple[int, int]]]:
        for step, place in _children(text, begin, self._bracket == "{", _scanner()):
            line += text.count("\n", begin, place)
            begin = place
            yield step, (place, line)

    def find(self, step: str | int) -> tuple[int, int] | None:
        """Where the member or the element begins, and in which line; `None` if there is none."""
        if self._is_odd or step not in self._known:
            for one, place in self._rest:
                self._known[one] = place
                if one == step and not self._is_odd:
                    break
        return self._known.get(step)

    def lines(self) -> list[int] | None:
        """The lines that all elements begin in, if nothing was looked for; `None` if no list."""
        return [line for _, (_, line) in self._rest] if self._bracket == "[" else None


def inside(text: str, place: int, line: int, is_odd: bool) -> Inside:
    """An `Inside`, the compiled one if it is there; that takes no odd text, and counts bytes."""
    kind = None if is_odd else compiled("Inside")
    return Inside(text, place, line, is_odd) if kind is None else kind(text, place, line)


def _scanner() -> Any:
    """What tells where a value ends, quickly."""
    import json

    return json.JSONDecoder(parse_constant=len, parse_float=len, parse_int=len).raw_decode


def _after(text: str, position: int) -> int:
    """Where the next value or bracket stands after a value that ends here."""
    position = _skip_blanks(text, position)
    return _skip_blanks(text, position + 1) if text[position : position + 1] == "," else position


def locate(text: str, steps: Steps) -> int | None:
    """Where the value stands that `steps` lead to, found by going through the text again."""
    scan = _scanner()
    position = _skip_blanks(text, 0)
    try:
        for _ in range(int(steps[0])):
            position = _after(text, scan(text, position)[1])
        for step in steps[1:]:
            position = _enter(text, position, step, scan)
    except (ValueError, IndexError, RecursionError):
        return None
    return position


def _enter(text: str, position: int, step: str | int, scan: Any) -> int:
    """Where member `step` (the last of that name) or element `step` of a container stands."""
    found = None
    for one, place in _children(text, position, isinstance(step, str), scan):
        if one == step:
            found = place
            if isinstance(step, int):
                break
    if found is None:
        raise IndexError(step)
    return found


def _children(
    text: str, position: int, is_object: bool, scan: Any
) -> Iterator[tuple[str | int, int]]:
    """Names or numbers of what stands in the container that begins here, and where that stands."""
    position = _skip_blanks(text, position + 1)
    for number in count():
        if text[position] in "]}":
            return
        step: str | int = number
        if is_object:
            step, position = scan(text, position)
            position = _skip_blanks(text, _skip_blanks(text, position) + 1)
        yield step, position
        position = _after(text, scan(text, position)[1])
