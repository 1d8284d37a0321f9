"""The beginning of a text, by which formats know their own."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Head"]

JSON_START = re.compile(r'\s*(?:\{\s*(?:"|\}|$)|\[\s*(?:["\[{\]]|-?\d+\s*[,\]]|$))')
XML_ROOT = re.compile(
    r"\s*(?:<\?[^>]*\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>\s*)*<(?:[\w.-]+:)?([\w.-]+)",
    re.DOTALL,
)
_UNREAD = object()


class Head(list[str]):
    r"""The first complete lines of a text, some 64 KiB, and what they look like.

    >>> Head(["<?xml version='1.0'?>", '<tt:tt xmlns:tt="x">']).root
    'tt'
    >>> Head(['{"words": [{"word": "hello", "start": 0.5}, {"wo']).json
    {'words': [{'word': 'hello', 'start': 0.5}, {}]}
    """

    __slots__ = ("_json",)

    def __init__(self, lines: Iterable[str] = ()) -> None:
        super().__init__(lines)
        self._json = _UNREAD

    @property
    def shape(self) -> str:
        """``xml``, ``json`` or ``text``, by the first characters."""
        text = "\n".join(self[:50]).lstrip()
        if text.startswith("<"):
            return "xml"
        return "json" if JSON_START.match(text) else "text"

    @property
    def root(self) -> str | None:
        """Local name of the XML root element, `None` where there is none."""
        found = XML_ROOT.match("\n".join(self))
        return found[1] if found else None

    @property
    def json(self) -> object:
        """The first JSON value, as far as the beginning goes; `None` where it is none.

        What is cut off is left out: a list ends early, an object lacks members.
        """
        if self._json is _UNREAD:
            self._json = _beginning_of_json("\n".join(self))
        return self._json

    @property
    def first_object(self) -> dict[str, object]:
        """The first JSON value, or the first element if that is a list; empty if it is no object.

        >>> Head(['[{"text": "hello"}, {"te']).first_object
        {'text': 'hello'}
        """
        value = self.json
        if isinstance(value, list):
            value = value[0] if value else None
        return value if isinstance(value, dict) else {}

    def json_values(self, most: int = 100) -> Iterator[object]:
        """The first JSON values where several follow one another; the last may be cut short.

        >>> list(Head(['{"text": ""}', '{"text": "hello", "re']).json_values())
        [{'text': ''}, {'text': 'hello'}]
        """
        import json

        text = "\n".join(self)
        decode = json.JSONDecoder(parse_constant=lambda name: None).raw_decode
        position = 0
        for _ in range(most):
            position = len(text) - len(text[position:].lstrip(" \t\n,"))
            try:
                value, position = decode(text, position)
            except (ValueError, RecursionError):
                rest = _beginning_of_json(text[position:]) if position < len(text) else None
                if rest is not None:
                    yield rest
                return
            yield value


TOKEN = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[\[\]{},:]|[^\s\[\]{},:"]+')
CLOSING = {"{": "}", "[": "]"}
DEEPEST = 64
"""Levels of nesting that are looked into."""


def _beginning_of_json(text: str) -> object:
    """The first value of the text, closed where the text breaks off."""
    import json

    decoder = json.JSONDecoder(parse_constant=lambda name: None)
    start = len(text) - len(text.lstrip())
    try:
        return decoder.raw_decode(text, start)[0]
    except (ValueError, RecursionError):
        closed = _closed(text)
    try:
        return decoder.raw_decode(closed, start)[0] if closed is not None else None
    except (ValueError, RecursionError):
        return None


def _closed(text: str) -> str | None:
    """The text up to its last whole member or element, with all brackets closed."""
    open_brackets: list[str] = []
    cut: tuple[int, str] | None = None
    awaits_value = False
    for token in TOKEN.finditer(text):
        sign = token[0]
        if sign in CLOSING:
            open_brackets.append(sign)
            if len(open_brackets) > DEEPEST:
                return None
            awaits_value = sign == "["
        elif sign in "]}":
            if not open_brackets or CLOSING[open_brackets.pop()] != sign:
                return None
            awaits_value = False
        elif sign == ":":
            awaits_value = True
            continue
        elif sign == ",":
            awaits_value = bool(open_brackets) and open_brackets[-1] == "["
            continue
        elif not awaits_value or token.end() == len(text):
            continue
        else:
            awaits_value = False
        if not open_brackets:
            return text[: token.end()]
        closing = "".join(CLOSING[bracket] for bracket in reversed(open_brackets))
        cut = token.end(), closing
    return None if cut is None else text[: cut[0]] + cut[1]
