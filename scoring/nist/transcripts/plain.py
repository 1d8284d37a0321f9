"""Conversion of text files to columns in plain Python, if the compiled module is missing.

Both modules return columns as bytes of native numbers (int32 word numbers, int64 offsets, doubles).
Callers cannot distinguish the modules. `trn` and `ctm` describe the meaning of the columns.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from itertools import chain
from math import inf
from typing import TypeAlias

from scoring.alignment.arguments import checked_bytes, require, unexpected, whole
from scoring.alignment.limits import look

LONGEST_FIELD = 500
WORDS = re.compile(rb"[^ \t\n\v\f\r]+")
FIELDS = re.compile(rb"[^ \t]+")
DECIMAL = re.compile(rb"[ \t\n\v\f\r]*([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")
HEXADECIMAL = re.compile(
    rb"[ \t\n\v\f\r]*([+-]?0[xX](?:[0-9a-fA-F]+(?:\.[0-9a-fA-F]*)?|\.[0-9a-fA-F]+)"
    rb"(?:[pP][+-]?[0-9]+)?)"
)
WHOLE_SPECIAL = re.compile(
    rb"[ \t\n\v\f\r]*[+-]?(inf|infinity|nan|nan\([0-9a-zA-Z_]*\))", re.IGNORECASE
)
SPECIAL = re.compile(rb"[ \t\n\v\f\r]*([+-]?)(inf|nan)", re.IGNORECASE)


def number(field: bytes) -> float:
    """Return the number with which a field begins, as C's `atof` does; 0.0 without a number.

    >>> number(b"12.5x"), number(b"word"), number(b".5"), number(b"0x1p-1")
    (12.5, 0.0, 0.5, 0.5)
    """
    checked_bytes(field, "field")
    if match := HEXADECIMAL.match(field):
        try:
            return float.fromhex(match[1].decode("ascii"))
        except OverflowError:
            return -inf if field.lstrip().startswith(b"-") else inf
    if match := DECIMAL.match(field):
        return float(match[1])
    if match := SPECIAL.match(field):
        return float((match[1] + match[2]).decode("ascii"))
    return 0.0


class _Numbering(dict[bytes, int]):
    def __missing__(self, token: bytes) -> int:
        self[token] = number = len(self)
        return number


class TokenTable:
    """Distinct byte strings, numbered in the order of their first appearance."""

    def __init__(self) -> None:
        self._numbers = _Numbering()

    def __len__(self) -> int:
        return len(self._numbers)

    def intern(self, token: bytes) -> int:
        """Return the number of a token. A new token gets a new number."""
        return self._numbers[checked_bytes(token, "token")]

    def texts(self, first: int = 0) -> list[bytes]:
        """Return the tokens with numbers from `first` on."""
        return list(self._numbers)[whole(first, "first", 0) :]

    def tokenize(
        self, data: bytes, shape: bytes, begins: bytes, ends: bytes
    ) -> tuple[bytes, bytes, bytes]:
        """Return the token numbers of all spans of `data`, the offsets of each span, and its flag.

        The flag is 1 if the span contains a brace; the tokens of this span are then not read.
        """
        _same_length(data, shape)
        types = array("i")
        offsets = array("q", [0])
        braced = bytearray()
        numbers = self._numbers
        first, last = _offsets(begins, "begins"), _offsets(ends, "ends")
        require(len(first) == len(last), "begins and ends differ in length")
        spans = list(zip(first, last, strict=True))
        inside = all(0 <= begin <= end <= len(data) for begin, end in spans)
        require(inside, "a span lies outside the data")
        for number, (begin, end) in enumerate(spans):
            if number % 1000 == 0:
                look()
            braced.append(b"{" in shape[begin:end])
            if not braced[-1]:
                words = _cut(WORDS, data[begin:end], shape[begin:end])
                types.extend(map(numbers.__getitem__, words))
            offsets.append(len(types))
        return types.tobytes(), offsets.tobytes(), bytes(braced)


def _same_length(data: bytes, shape: bytes) -> None:
    checked_bytes(data, "data")
    require(len(data) == len(checked_bytes(shape, "shape")), "data and shape differ in length")


def _offsets(column: bytes, name: str) -> array[int]:
    size = len(checked_bytes(column, name))
    require(size % 8 == 0, f"{name}: expected bytes of int64, found {size} bytes")
    return array("q", column)


def _cut(pattern: re.Pattern[bytes], data: bytes, shape: bytes) -> list[bytes]:
    """Split `data` at the positions where `shape` matches a pattern."""
    if data == shape:
        return pattern.findall(data)
    return [data[match.start() : match.end()] for match in pattern.finditer(shape)]


def lines_of(data: bytes) -> Iterator[tuple[int, bytes, bool]]:
    """Yield the offset of each line, its content up to a NUL byte, and whether it has a newline."""
    position = number = 0
    while position < len(data):
        number += 1
        if number % 1000 == 0:
            look()
        newline = data.find(b"\n", position)
        end = len(data) if newline < 0 else newline
        content = data[position:end]
        nul = content.find(b"\0")
        yield position, content if nul < 0 else content[:nul], newline >= 0
        position = end + 1


def scan_trn(data: bytes) -> tuple[bytes, bytes, bytes, bytes, list[int], int, int]:
    """Return the bounds of texts and identifiers as columns, and the offsets of irregular lines.

    Irregular lines are those that begin with a single `;` or `*`, the first line that cannot be
    parsed, and a last line without a line end (-1: there is none).
    """
    checked_bytes(data, "data")
    spans = [array("q") for _ in range(4)]
    marked: list[int] = []
    unparsable = unterminated = -1
    for offset, content, terminated in lines_of(data):
        if not terminated:
            unterminated = offset
            break
        if not content.strip():
            continue
        if content[:1] in (b";", b"*"):
            if content[1:2] == content[:1]:
                continue
            marked.append(offset)
        opening, closing = content.rfind(b"("), content.rfind(b")")
        if (opening < 0) != (closing < 0):
            unparsable = offset
            break
        text_end = len(content) if opening < 0 else opening
        identifier_end = max(text_end, closing + 1) if opening >= 0 else text_end
        for column, value in zip(spans, (0, text_end, text_end, identifier_end), strict=True):
            column.append(offset + value)
    first, second, third, fourth = (column.tobytes() for column in spans)
    return first, second, third, fourth, marked, unparsable, unterminated


def is_number(field: bytes) -> bool:
    """Return True if C's `strtod` parses the whole field as a number."""
    return any(pattern.fullmatch(field) for pattern in (DECIMAL, HEXADECIMAL, WHOLE_SPECIAL))


# Begins, durations, confidences (doubles) and types (int32) of the words; where runs begin, with
# their files and channels; the first word with a confidence; offsets of the first empty, short,
# cut, odd, negative and unsorted line, -1 where there is none.
CtmColumns: TypeAlias = tuple[
    bytes, bytes, bytes, bytes, list[int], list[bytes], list[bytes],
    int, int, int, int, int, int, int,
]  # fmt: skip


def scan_ctm(data: bytes, shape: bytes, table: TokenTable) -> CtmColumns:
    """Read the word lines of a ctm file.

    Blanks in `shape`, which has the length of `data`, separate the fields.
    """
    _same_length(data, shape)
    if not isinstance(table, TokenTable):
        raise unexpected("table", "a TokenTable", table)
    begins, durations, confidences, types = array("d"), array("d"), array("f"), array("i")
    run_begins: list[int] = []
    files: list[bytes] = []
    channels: list[bytes] = []
    first_confidence = empty_line = short_line = -1
    oddities = _Oddities()
    for offset, content, _ in lines_of(data):
        if content.startswith(b";"):
            continue
        if not content:
            empty_line = offset
            break
        fields = _cut(FIELDS, content, shape[offset : offset + len(content)])
        if len(fields) < 5:
            short_line = offset
            break
        oddities.note_long(offset, fields)
        file, channel, word = (fields[place][:LONGEST_FIELD] for place in (0, 1, 4))
        if not files or (files[-1], channels[-1]) != (file, channel):
            run_begins.append(len(types))
            files.append(file)
            channels.append(channel)
            oddities.latest = -inf
        confidence = 0.0
        if len(fields) > 5 and fields[5].lower() != b"na":
            confidence = number(fields[5])
            if first_confidence < 0:
                first_confidence = len(types)
        begin = fields[2].removeprefix(b"&&")
        begins.append(number(begin))
        durations.append(number(fields[3]))
        if word[:4].lower() != b"<alt":
            numeric = is_number(begin) and is_number(fields[3])
            oddities.note_times(offset, begins[-1], durations[-1], numeric)
        confidences.append(confidence)
        types.append(table.intern(word))
    return (
        begins.tobytes(),
        durations.tobytes(),
        array("d", chain(confidences)).tobytes(),
        types.tobytes(),
        run_begins,
        files,
        channels,
        first_confidence,
        empty_line,
        short_line,
        oddities.cut_line,
        oddities.odd_time,
        oddities.negative_time,
        oddities.unsorted,
    )


class _Oddities:
    """The offset of the first line of each kind of irregularity in a ctm file."""

    def __init__(self) -> None:
        self.cut_line = self.odd_time = self.negative_time = self.unsorted = -1
        self.latest = -inf

    def note_long(self, offset: int, fields: list[bytes]) -> None:
        if self.cut_line < 0 and max(len(fields[index]) for index in (0, 1, 4)) > LONGEST_FIELD:
            self.cut_line = offset

    def note_times(self, offset: int, begin: float, duration: float, numeric: bool) -> None:
        if self.odd_time < 0 and not numeric:
            self.odd_time = offset
        if self.negative_time < 0 and (begin < 0 or duration < 0):
            self.negative_time = offset
        if self.unsorted < 0 and not self.latest <= begin:
            self.unsorted = offset
        self.latest = begin
