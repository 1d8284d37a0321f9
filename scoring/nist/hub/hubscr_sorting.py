r"""The filters that hubscr has in itself: sorters of ctm and stm, and lexical words of RT ctm.

All take and give bytes; white space is that of the C locale. The sorters take leading white space
from every line and keep the rest to the byte, a missing end of the last line included.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable, Iterable

from scoring.nist.hub.numbers import leading_number

COMMENT = b";;"
LEXICAL = b"lex"
# The fields of an extended ctm: file, channel, begin, duration, word, confidence, type, speaker.
_CONFIDENCE, _TYPE = 5, 6
# What the original cuts from the end of a record, at most.
_MOST_CUT = 10
# Lines that are looked at together, if they are all of one place.
_STRETCH = 256
_PLACELESS = b"\n"  # no record begins so
_CTM = re.compile(rb"(\S+)(\s*)(\S*)\s*(\S*)")
_STM = re.compile(rb"(\S+)(\s*)(\S*)\s*\S*\s*(\S*)")


def sort_ctm(data: bytes) -> bytes:
    r"""Records of a ctm by file, white space behind it, channel and begin; comments go.

    Times that are no numbers, such as those of alternations, count 0 and so come first.

    Examples
    --------
    >>> sort_ctm(b";; x\nf A 2 1 b\n f A 1 1 a\n")
    b'f A 1 1 a\nf A 2 1 b\n'
    """
    return b"".join(_sorted(data, _CTM)[1])


def sort_stm(data: bytes) -> bytes:
    r"""Records of an stm in the order of `sort_ctm`, behind all comments.

    Examples
    --------
    >>> sort_stm(b"f A s 1 2 b\n;; x\nf A s 0 1 a\n")
    b';; x\nf A s 0 1 a\nf A s 1 2 b\n'
    """
    comments, records = _sorted(data, _STM)
    return b"".join([*comments, *records])


def lexical_ctm(data: bytes) -> bytes:
    r"""Records of an extended ctm whose type is `lex`, cut to those of a plain one.

    A confidence `NA` is left out. Comments and records that are short pass as they are.

    Examples
    --------
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


def _sorted(data: bytes, pattern: re.Pattern[bytes]) -> tuple[list[bytes], list[bytes]]:
    """The comments and the sorted records, from their first field on; blank lines go."""
    groups: dict[tuple[bytes, ...], tuple[list[float], list[bytes]]] = {}
    comments: list[bytes] = []
    begins: list[float] = []
    group: list[bytes] = []
    place = _PLACELESS  # what stands before the begin, mostly as in the record before
    end = 0
    lines = io.BytesIO(data).readlines()
    for first in range(0, len(lines), _STRETCH):
        stretch = lines[first : first + _STRETCH]
        if place != _PLACELESS and stretch[0].startswith(place):
            rests = b"".join(stretch).split(b"\n" + place)
            if len(rests) == len(stretch):  # all are of that place
                rests[0] = rests[0][end:]
                begins += _times(rests)
                group += stretch
                continue
        for record in filter(None, map(bytes.lstrip, stretch)):
            if record.startswith(COMMENT):
                comments.append(record)
                continue
            if not record.startswith(place):
                found = pattern.match(record)
                assert found is not None  # it begins with a field
                end = found.start(4)
                place = record[:end] if record[end - 1 : end].isspace() else _PLACELESS
                begins, group = groups.setdefault(found.groups()[:3], ([], []))
            begins.append(leading_number(record[end:]))
            group.append(record)
    records: list[bytes] = []
    for _, (begins, group) in sorted(groups.items()):
        order = sorted(range(len(group)), key=begins.__getitem__)
        records += map(group.__getitem__, order)
    return comments, records


def _times(rests: list[bytes]) -> Iterable[float]:
    """The numbers that texts begin with."""
    fields = [rest.partition(b" ")[0] for rest in rests]
    with contextlib.suppress(ValueError):
        if not b"".join(fields).translate(None, b"0123456789."):
            return list(map(float, fields))
    return map(leading_number, rests)
