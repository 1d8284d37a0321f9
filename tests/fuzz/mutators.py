"""Ways to spoil a document: bytes, pieces, lines, numbers, texts, values of JSON and XML."""

import random
import re
from collections.abc import Callable, Sequence

__all__ = ["NUMBERS", "TEXTS", "mutated"]

NUMBERS = (
    b"0", b"-0", b"-1", b"1", b"00", b"0.0005", b"1e3", b"1e-9", b"1e999", b"-1e999", b"1.", b".5", b"+1", b"1_0",
    b"9" * 400, b"0." + b"9" * 400, b"9" * 4301, b"9223372036.854775807", b"9223372036.8547", b"9223372037",
    b"9223372036854775807", b"9223372036854775808", b"4611686018427387904", b"-9223372036.854775808", b"nan", b"inf",
    b"-Infinity", b"NaN", b"0x10", b"1,5", b"\xd9\xa3", b"\xc2\xb2", b"99:59:59.999", b"00:60:00", b"*", b"NA",
)  # fmt: skip
TEXTS = (
    b"", b" ", b"\0", b"\t", b"\n", b"\r", b"\r\n", b"\xc2\x85", b"\xe2\x80\xa8", b"\xc2\xa0", b"\xef\xbb\xbf",
    b"\xff", b"\xed\xa0\x80", b"\xef\xbf\xbe", b"\x1c", b"\x0b", b"\x1b[2J", b";;", b"*", b"@", b"{", b"}", b"(", b")",
    b"{ a / b }", b"{ / }", b"<>", b"<NA>", b"<a>", b"&amp;", b"&#0;", b"&#x1;", b"]]>", b"<!--", b"-->", b"\"", b"'",
    b"\\", b"\\N", b"\\u0000", b"\\ud800", b"{\\b1}", b"hello", b"a" * 300, b"IGNORE_TIME_SEGMENT_IN_SCORING",
    b"<ALT_BEGIN>", b"<alt>", b"\xcc\x81", b"\xf0\x9f\x98\x80", b"-", b"--", b"_", b"=", b"#", b"%hesitation", b"none",
)  # fmt: skip
VALUES = (
    b"null", b"true", b"false", b"0", b"-1", b"1e400", b"1e999999", b"[]", b"{}", b'""', b'"a"', b"[[]]", b"[{}]",
    b"[null]", b'{"a":null}', b'"1.5"', b'"1.5s"', b'"\\u0000"', b'"\\ud800"', b'"a b"', b"NaN", b"9" * 400, b"[1,2]",
    b"9223372036.8547758", b"9223372037", b"[0.5, 0.1]", b'"-"', b'" "', b'"\\n"', b"1.0000000001",
)  # fmt: skip
NUMBER = re.compile(rb"[0-9]+(?:[.:,][0-9]+)*")
VALUE = re.compile(
    rb'"[^"\\]*"(?!\s*:)|(?<=[:,\[ ])(?:[-0-9.]+|null|true|false)|\[[^][{}]*\]|\{[^][{}]*\}'
)
ATTRIBUTE = re.compile(rb"\"[^\"<>]*\"|'[^'<>]*'|(?<=>)[^<>]+(?=<)")
WORD = re.compile(rb"[^\s\"<>{}\[\]:,]+")
ELEMENT = re.compile(rb"<[^<>]*>")

Mutator = Callable[[random.Random, bytes], bytes]


def _spot(chooser: random.Random, data: bytes) -> tuple[int, int]:
    start = chooser.randrange(len(data) + 1)
    return start, min(len(data), start + chooser.choice((1, 1, 2, 5, 20, 100)))


def _flip(chooser: random.Random, data: bytes) -> bytes:
    start, _ = _spot(chooser, data)
    return data[:start] + bytes([chooser.randrange(256)]) + data[start + 1 :]


def _cut(chooser: random.Random, data: bytes) -> bytes:
    start, end = _spot(chooser, data)
    return data[:start] + data[end:]


def _truncate(chooser: random.Random, data: bytes) -> bytes:
    return data[: _spot(chooser, data)[0]]


def _insert(chooser: random.Random, data: bytes) -> bytes:
    start, _ = _spot(chooser, data)
    return data[:start] + chooser.choice(TEXTS + NUMBERS) + data[start:]


def _move(chooser: random.Random, data: bytes) -> bytes:
    start, end = _spot(chooser, data)
    place, _ = _spot(chooser, data)
    return data[:place] + data[start:end] + data[place:]


def _repeat(chooser: random.Random, data: bytes) -> bytes:
    start, end = _spot(chooser, data)
    return data[:start] + data[start:end] * chooser.choice((2, 3, 30, 1000)) + data[end:]


def _lines(chooser: random.Random, data: bytes) -> bytes:
    """Lines in another order, one twice, one away."""
    lines = data.splitlines(keepends=True)
    if len(lines) < 2:
        return data * 2
    one, other = chooser.randrange(len(lines)), chooser.randrange(len(lines))
    way = chooser.randrange(3)
    if way == 0:
        lines[one], lines[other] = lines[other], lines[one]
    elif way == 1:
        lines.insert(other, lines[one])
    else:
        del lines[one]
    return b"".join(lines)


def _replacing(pattern: re.Pattern[bytes], texts: Sequence[bytes]) -> Mutator:
    def mutate(chooser: random.Random, data: bytes) -> bytes:
        found = list(pattern.finditer(data))
        if not found:
            return _insert(chooser, data)
        one = chooser.choice(found)
        text = chooser.choice((*texts, chooser.choice(found)[0]))
        if one[0][:1] in b"\"'" and text[:1] not in (b'"', b"'") and chooser.random() < 0.7:
            text = one[0][:1] + text + one[0][:1]
        return data[: one.start()] + text + data[one.end() :]

    return mutate


MUTATORS: tuple[Mutator, ...] = (
    _flip, _cut, _truncate, _insert, _move, _repeat, _lines,
    *(_replacing(NUMBER, NUMBERS),) * 3, *(_replacing(WORD, TEXTS),) * 3,
)  # fmt: skip
SHAPED: dict[str, tuple[Mutator, ...]] = {
    "text": (),
    "json": (_replacing(VALUE, VALUES),) * 8,
    "xml": (_replacing(ATTRIBUTE, TEXTS + NUMBERS), _replacing(ELEMENT, (b"",))) * 4,
}


def mutated(chooser: random.Random, data: bytes, shape: str) -> bytes:
    """`data` with a few things changed, mostly in ways that keep the shape of the document."""
    for _ in range(chooser.choice((1, 1, 2, 3, 6))):
        data = chooser.choice(MUTATORS + SHAPED[shape])(chooser, data)
    return data[: 1 << 17]
