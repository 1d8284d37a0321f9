r"""hubscr's own filters: they sort ctm and stm, and extract the words of an extended ctm.

All functions take and return bytes. White space is defined as in the C locale. The sorters remove
leading white space from every line and keep all other bytes, even if the last line has no line end.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from operator import itemgetter

from scoring.nist.hub.lines import NUMBER, even_fields, lines_of, plain_numbers

COMMENT = b";;"
LEXICAL = b"lex"
# The fields of an extended ctm: file, channel, begin, duration, word, confidence, type, speaker.
_CONFIDENCE, _TYPE = 5, 6
_LEAST_KEYS = 3  # file, channel and begin
# What the original cuts from the end of a record, at most.
_MOST_CUT = 10

# File, the white space after it, channel and begin are the keys.
_CTM_KEYS = re.compile(rb"(\S+)(\s*)(\S*)\s*(?:%b)?" % NUMBER.pattern.removeprefix(rb"\s*"))
_STM_KEYS = re.compile(rb"(\S+)(\s*)(\S*)\s*\S*\s*(?:%b)?" % NUMBER.pattern.removeprefix(rb"\s*"))


def sort_ctm(data: bytes) -> bytes:
    r"""Sort ctm records by file, white space after it, channel and start time; drop comments.

    Times that are not numbers (as in alternations) count as 0.

    >>> sort_ctm(b";; x\nf A 2 1 b\n f A 1 1 a\n")
    b'f A 1 1 a\nf A 2 1 b\n'
    """
    even = _sort_even(data)
    return _comments_and_records(data, _CTM_KEYS)[1] if even is None else even


def _sort_even(data: bytes) -> bytes | None:
    """Sort lines if all are regular records with plain times; otherwise return None."""
    even = even_fields(data)
    if even is None or even[1] < _LEAST_KEYS or b";" in data:
        return None
    fields, width = even
    files, channels, begins = (fields[column::width] for column in range(_LEAST_KEYS))
    numbers = plain_numbers(begins)
    if not numbers:
        return None
    rows = zip(files, channels, numbers, lines_of(data), strict=True)
    return b"".join([line for *_, line in sorted(rows, key=itemgetter(0, 1, 2))])


def sort_stm(data: bytes) -> bytes:
    r"""Return the comments of an stm, then its records in the order of `sort_ctm`.

    >>> sort_stm(b"f A s 1 2 b\n;; x\nf A s 0 1 a\n")
    b';; x\nf A s 0 1 a\nf A s 1 2 b\n'
    """
    return b"".join(_comments_and_records(data, _STM_KEYS))


def _comments_and_records(data: bytes, keys: re.Pattern[bytes]) -> tuple[bytes, bytes]:
    """Return the comments in file order, and the records sorted by keys, without blank lines."""
    comments: list[bytes] = []
    records: list[tuple[bytes, bytes, bytes, float, bytes]] = []
    for record in filter(None, map(bytes.lstrip, lines_of(data))):
        if record.startswith(COMMENT):
            comments.append(record)
            continue
        key = keys.match(record)
        assert key is not None  # a record begins with a field
        file, space, channel, begin = key.groups()
        records.append((file, space, channel, float(begin or 0), record))
    records.sort(key=itemgetter(0, 1, 2, 3))
    return b"".join(comments), b"".join(record for *_, record in records)


def lexical_ctm(data: bytes) -> bytes:
    r"""Return the `lex` records of an extended ctm as a plain ctm.

    A confidence `NA` is dropped. Comments and incomplete records are kept unchanged.

    >>> lexical_ctm(b"f A 0 1 a NA lex s\nf A 1 1 uh 0.5 fp s\nf A 2 1 b 0.5\n")
    b'f A 0 1 a\nf A 2 1 b 0.5\n'
    """
    kept: list[bytes] = []
    for line in io.BytesIO(data):
        fields = line.split()
        if line.startswith(COMMENT) or len(fields) <= _TYPE:
            kept.append(line)
        elif fields[_TYPE] == LEXICAL:
            end = _CONFIDENCE if fields[_CONFIDENCE].lower() == b"na" else _TYPE
            kept.append(b" ".join(fields[:end] + fields[end + _MOST_CUT :]) + b"\n")
    return b"".join(kept)


FILTERS: dict[str, Callable[[bytes], bytes]] = {
    "sortCTM": sort_ctm,
    "sortSTM": sort_stm,
    "lexicalCTM": lexical_ctm,
}
