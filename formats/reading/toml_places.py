"""The positions of keys in a TOML file, which TOML decoders do not report."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from errno import ENOENT
from typing import NamedTuple

from formats.schema.errors import close_names, reason_unread

QUOTES = ('"""', "'''", '"', "'")
ENDS = ",]}\n#"  # of a number, date or truth value
OTHER_WORDS = (
    ("new hyp candidate system file", "hypothesis"),
    ("ref truth gold", "reference"),
    ("old previous", "baseline"),
    ("set tests cases", "sets"),
    ("default options", "defaults"),
    ("system", "systems"),
    ("threshold limit", "fail-above"),
    ("missing", "fail-if-missing"),
    ("format base", "from"),
    ("base extends", "based-on"),
    ("title", "name"),
    ("name", "title"),
    ("pipeline step", "steps"),
)
"""Words that people write for keys of ours, and the keys."""
PLAIN = "-_"  # besides letters and digits, in a key without quotes


class KeyPlace(NamedTuple):
    """A key or table: its path from the top, and its line and column (from 1)."""

    path: tuple[str, ...]
    line: int
    column: int


def place_of(text: str, path: tuple[str, ...]) -> tuple[int, int] | None:
    r"""Return the line and column of a key, or of its table if the key is missing.

    >>> place_of('a.b = "x=1"\n[c]\nd = {e = 2}', ("c", "d", "e"))
    (3, 6)
    """
    best: KeyPlace | None = None
    for key in key_places(text):
        is_around = key.path == path[: len(key.path)]
        is_nearer = best is None or len(key.path) > len(best.path)
        if is_around and is_nearer:
            best = key
        elif best is None and key.path[: len(path)] == path:
            return key.line, key.column  # a table that only its parts name
    return None if best is None else best[1:]


def unknown_name(expected: str, name: str, names: Sequence[str]) -> str:
    """Return an error text for an unknown name; it suggests a known name.

    >>> unknown_name("a key of a set", "new", ("reference", "hypothesis"))
    "expected a key of a set, found 'new' (did you mean hypothesis?)"
    """
    near = nearest_names(name, names)
    return f"expected {expected}, found {name!r}" + (f" (did you mean {near[0]}?)" if near else "")


def nearest_names(name: str, names: Sequence[str]) -> list[str]:
    """Return the known names that are meant by another word for them, or that are similar."""
    meant = (known for words, known in OTHER_WORDS if name.lower() in words.split())
    return [*(known for known in meant if known in names), *close_names(name, names)]


def missing_file(path: str) -> str:
    """Return an error text for a missing file; it suggests the nearest file name in the folder."""
    return f"{path}: {reason_unread(FileNotFoundError(ENOENT, '', path))}"


def key_places(text: str) -> Iterator[KeyPlace]:
    """Yield the keys and tables of a valid TOML text, in order."""
    return _Keys(text.replace("\r\n", "\n")).places()


class _Keys:
    """Parses the keys of a TOML text, and keeps the current position."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.line, self.line_start = 1, 0

    def places(self) -> Iterator[KeyPlace]:
        """Yield the keys in lines `[table]` and `key = value`."""
        table: tuple[str, ...] = ()
        while self._skip(" \t\n"):
            begin, line, column = self.position, self.line, self.position - self.line_start + 1
            if self.text[begin] == "[":
                self.position += 1 + (self.text[begin + 1] == "[")
                table = self._key()
                yield KeyPlace(table, line, column)
                self.position = _first(self.text, "\n", self.position)
            else:
                yield from self._pair(table)

    def _pair(self, table: tuple[str, ...]) -> Iterator[KeyPlace]:
        """Yield the key of `key = value`, and the keys of inline tables in the value."""
        line, column = self.line, self.position - self.line_start + 1
        path = table + self._key()
        yield KeyPlace(path, line, column)
        self._skip(" \t")
        self.position += 1  # the sign
        yield from self._value(path)

    def _value(self, path: tuple[str, ...]) -> Iterator[KeyPlace]:
        self._skip(" \t")
        mark = self.text[self.position]
        if mark in "\"'":
            self._string()
        elif mark in "[{":
            self.position += 1
            while self._skip(" \t\n,") and self.text[self.position] not in "]}":
                yield from self._pair(path) if mark == "{" else self._value(path)
            self.position += 1
        else:
            while self.position < len(self.text) and self.text[self.position] not in ENDS:
                self.position += 1

    def _key(self) -> tuple[str, ...]:
        """Return the parts of a dotted key."""
        parts = []
        while True:
            self._skip(" \t")
            if self.text[self.position] in "\"'":
                parts.append(self._string())
            else:
                begin = self.position
                while self.text[self.position].isalnum() or self.text[self.position] in PLAIN:
                    self.position += 1
                parts.append(self.text[begin : self.position])
            self._skip(" \t")
            if self.text[self.position] != ".":
                return tuple(parts)
            self.position += 1

    def _string(self) -> str:
        """Skip a string.

        Return its text if the string is on a single line, otherwise an empty text.
        """
        quote = next(quote for quote in QUOTES if self.text.startswith(quote, self.position))
        begin = end = self.position + len(quote)
        while not self.text.startswith(quote, end):
            end += 1 + (quote[0] == '"' and self.text[end] == "\\")
        # up to two quotes may precede the three that end a text
        while len(quote) > 1 and self.text.startswith(quote, end + 1):
            end += 1
        self._go(end + len(quote))
        inside = self.text[begin:end]
        return str(json.loads(f'"{inside}"')) if quote == '"' and "\\" in inside else inside

    def _skip(self, characters: str) -> bool:
        """Skip characters and, across lines, comments; return True if text remains."""
        position = self.position
        while position < len(self.text):
            if self.text[position] in characters:
                position += 1
            elif self.text[position] == "#" and "\n" in characters:
                position = _first(self.text, "\n", position)
            else:
                break
        self._go(position)
        return position < len(self.text)

    def _go(self, position: int) -> None:
        """Move to a position and count the skipped lines."""
        newlines = self.text.count("\n", self.position, position)
        if newlines:
            self.line += newlines
            self.line_start = self.text.rfind("\n", self.position, position) + 1
        self.position = position


def _first(text: str, mark: str, start: int) -> int:
    index = text.find(mark, start)
    return len(text) if index < 0 else index
