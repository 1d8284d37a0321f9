"""The beginning of JSON: decoding as far as a text goes, and where a text breaks off."""

from __future__ import annotations

from formats.schema import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import json
    from typing import Any

CUT_OFF = "the JSON ends in the middle: is the file complete?"
_UNREAD = object()


def json_decoder(**hooks: Any) -> json.JSONDecoder:
    r"""Return a decoder of JSON whose texts may have raw line ends and tabs, unlike RFC 8259.

    >>> json_decoder().decode('{"text": "so\nit is"}')
    {'text': 'so\nit is'}
    """
    import json

    return json.JSONDecoder(strict=False, **hooks)


def truncated_json(text: str) -> tuple[int, int] | None:
    r"""Return the line and column where a sequence of JSON values is truncated, or `None`.

    >>> truncated_json('{"segments": [\n'), truncated_json('{"segments": [}')
    ((1, 15), None)
    """
    import msgspec

    text = text.rstrip()
    decode = json_decoder().raw_decode
    position = 0
    try:
        while position < len(text):
            _, position = decode(text, _skip(text, position))
    except (ValueError, RecursionError):
        try:
            msgspec.json.decode(text[position:])
        except msgspec.DecodeError as problem:
            if "truncated" in str(problem):
                return text.count("\n") + 1, len(text) - text.rfind("\n")
        except (UnicodeEncodeError, RecursionError):
            pass
    return None


def text_around_json(text: str) -> str:
    r"""Return the first line around a JSON object or list of objects that is most of a text, or "".

    >>> text_around_json('Data: {"results": [{"text": "so it is"}]}\nClosed\n')
    'Data:'
    >>> text_around_json('{"a": [{"text": "so it is"}]}'), text_around_json("so {it} is")
    ('', '')
    """
    starts = [place for sign in "{[" if 0 <= (place := text.find(sign)) < FARTHEST_START]
    decode = json_decoder().raw_decode
    for start in sorted(starts):
        try:
            value, end = decode(text, start)
        except (ValueError, RecursionError):
            continue
        rows = value if isinstance(value, list) else [value]
        are_objects = bool(rows) and all(isinstance(row, dict) and row for row in rows)
        if are_objects and end - start >= LEAST_OF_JSON * len(text.strip()):
            around = [*text[:start].splitlines(), *text[end:].splitlines()]
            return next((line.strip() for line in around if line.strip()), "")[:LONGEST_AROUND]
    return ""


FARTHEST_START, LEAST_OF_JSON, LONGEST_AROUND = 500, 0.7, 40
"""Where JSON behind text begins, its share of such a file, and the characters shown of the text."""
BLANKS = lazy_pattern(r"[ \t\n\r]*")
JSON_BEGINNINGS = (*'{["-0123456789', "true", "false", "null", "NaN", "Infinity")
DEEPEST = 10
"""Levels of nesting that are looked into where a text breaks off, and of lists of lists."""


def beginning_of_json(text: str) -> tuple[object, bool]:
    """Return the first JSON value of a possibly truncated text, and whether it is complete."""
    if not text.lstrip(" \t\n\r").startswith(JSON_BEGINNINGS):
        return None, False
    decode = json_decoder(parse_constant=lambda name: None).raw_decode
    value, end = _part(text, _skip(text, 0), decode, DEEPEST)
    return None if value is _UNREAD else value, end is not None


def _skip(text: str, position: int) -> int:
    return BLANKS.match(text, position).end()  # type: ignore[union-attr]


def _part(text: str, position: int, decode: Any, levels: int) -> tuple[Any, int | None]:
    """Return a JSON value and the position of its end.

    For a truncated value, return its beginning and `None`; a truncated text or number is `_UNREAD`.
    The fast decoder parses complete values, this function the last member of each level.
    """
    try:
        return decode(text, position)  # type: ignore[no-any-return]
    except (ValueError, RecursionError):
        bracket = text[position : position + 1]
    if not levels or bracket not in ("{", "["):
        return _UNREAD, None
    members: dict[str, Any] = {}
    elements: list[Any] = []
    position = _skip(text, position + 1)
    while text[position : position + 1] not in ("", "]", "}"):
        name = None
        if bracket == "{":
            name, end = _part(text, position, decode, 0)
            if end is None or not isinstance(name, str):
                break
            position = _skip(text, end)
            if text[position : position + 1] != ":":
                break
            position = _skip(text, position + 1)
        value, end = _part(text, position, decode, levels - 1)
        if value is not _UNREAD and name is not None:
            members[name] = value
        elif value is not _UNREAD:
            elements.append(value)
        if end is None:
            break
        position = _skip(text, end)
        if text[position : position + 1] == ",":
            position = _skip(text, position + 1)
    return (members if bracket == "{" else elements), None
