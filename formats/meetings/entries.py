"""Derivation of a pattern from an example: an entry of a text."""

from __future__ import annotations

import re

from formats.reading.patterns import (
    CLOCK,
    FRAMES,
    TENTHS,
    PatternError,
    compile_pattern,
    strip_edges,
)
from formats.reading.speakers import is_name

MOST_LINES = 20
TIMES = re.compile(
    rf"(?<![0-9:.])(?:{FRAMES}|{TENTHS}|{CLOCK}|[0-9]{{1,9}}\.[0-9]{{1,9}})(?![0-9:])"
)
NAME_BEFORE = re.compile(r"([^\W\d_][^:\[\](){}<>\n]{0,58})(?=:(?:[ \t]|\Z)|：)")
NAME_WITHIN = re.compile(r"(?<=[\[(<])([^\W\d_][^:\[\](){}<>\n]{0,58})(?=[\])>])")
NAME_ALONE = re.compile(r"[^\W\d_](?:.{0,60}[^\W_])?")
TEXT_BEGINS = re.compile(r"[^\W_]")
PLACES = ("{start}", "{end}")


def pattern_of_entry(entry: str) -> str:
    r"""Return the pattern that an entry of a text gives: field names replace its values.

    Raise `PatternError` if the entry has neither a time nor a name.

    >>> pattern_of_entry("[0:12 - 0:15] Ann: well then")
    '[{start} - {end}] {speaker}: {text}'
    >>> pattern_of_entry("Ann Example  0:03\nGood morning, all.\nAnd you?")
    '{speaker} {start}\n{text}'
    >>> pattern_of_entry("<12.5> (Ann) so it was")
    '<{start}> ({speaker}) {text}'
    """
    lines = [line for line in map(strip_edges, entry.splitlines()) if line][:MOST_LINES]
    reader = _Entry()
    rows: list[str] = []
    for number, line in enumerate(lines):
        if "{text}" not in "".join(rows):
            rows.append(reader.row(line, is_last=number + 1 == len(lines)))
    pattern = "\n".join(rows)
    if not {"{start}", "{speaker}"} & reader.places:
        raise PatternError("expected an entry with a time or a name, found neither")
    if compile_pattern(pattern).take_all(lines, 0) is None:
        raise PatternError("expected an entry with one time and one name before the text")
    return pattern


class _Entry:
    """Replaces the values in the lines of an entry by field names. Each field occurs only once."""

    def __init__(self) -> None:
        self.places: set[str] = set()

    def row(self, line: str, *, is_last: bool) -> str:
        """Return a line with its values replaced by the names of fields."""
        parts: list[str] = []
        position = 0
        for time in TIMES.finditer(line):
            parts += [self._piece(line[position : time.start()]), self._time()]
            position = time.end()
        rest = self._piece(line[position:], is_rest=True, is_last=is_last)
        return " ".join("".join([*parts, rest]).split())

    def _time(self) -> str:
        place = next((place for place in PLACES if place not in self.places), "{_}")
        self.places.add(place)
        return place

    def _piece(self, text: str, *, is_rest: bool = False, is_last: bool = False) -> str:
        """Replace the name and the words in a piece of a line by field names.

        A piece is the text before, between or after the times.
        """
        name = None
        if "{speaker}" not in self.places:
            name = NAME_BEFORE.search(text) or NAME_WITHIN.search(text)
            alone = NAME_ALONE.search(text)
            may_be_alone = not is_rest or (not is_last and bool(self.places))
            if name is None and alone is not None and may_be_alone and is_name(alone[0]):
                name = alone
        if name is None:
            return self._words(text) if is_rest else text
        self.places.add("{speaker}")
        after = text[name.end() :]
        return f"{text[: name.start()]}{{speaker}}{self._words(after) if is_rest else after}"

    def _words(self, text: str) -> str:
        begin = TEXT_BEGINS.search(text)
        return text if begin is None else f"{text[: begin.start()]}{{text}}"
