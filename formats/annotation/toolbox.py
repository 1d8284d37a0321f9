r"""toolbox: interlinear texts of Toolbox and Shoebox (SIL), with a marker before each line.

=====================================  =======================================================
in the file                            in the schema
=====================================  =======================================================
``\ref``, ``\id``                      begins a record; ``\ref`` is `Segment.utterance`
``\tx``, otherwise ``\t``, ``\utt``    the words of a segment; several such lines are joined
``\ELANBegin``, ``\EUDICOt0``          start in seconds or as a clock time; ``\ELANEnd`` and
                                       ``\EUDICOt1`` are the end
``\ELANParticipant``, ``\EUDICOp``,    `Segment.speaker`
``\sp``
``\ft``, otherwise ``\fg``, ``\nt``    property ``translation``
all other markers, such as ``\mb``     not read
=====================================  =======================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from formats.detection.spec import FormatSpec, Sniff
from formats.io.source import Source
from formats.reading.lines import Line, filled_lines, split_words, strip_blanks
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.schema.times import parse_clock, parse_time

MARKER = re.compile(r"\\(\w{1,40})(?:[ \t](.*))?\Z")
TEXTS = ("tx", "t", "utt")
STARTS, ENDS = ("ELANBegin", "EUDICOt0"), ("ELANEnd", "EUDICOt1")
SPEAKERS = ("ELANParticipant", "EUDICOp", "sp")
TRANSLATIONS = ("ft", "fg", "nt")
BEGINS = ("ref", "id")
SHARE = 0.9


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per record with a text."""
    yield from source.log.accepted("TOOLBOX", _segment, _records(source))


def _records(source: Source) -> Iterator[list[tuple[str, Line, list[str]]]]:
    """Yield the records: the marker, the first line and the texts of each line that may wrap."""
    record: list[tuple[str, Line, list[str]]] = []
    for line in filled_lines(source):
        match = MARKER.match(line.text)
        if match is None and record:
            record[-1][2].append(line.text.strip())
        elif match is None:
            record.append(("", line, [line.text]))
        else:
            if match[1] in BEGINS and record:
                yield record
                record = []
            record.append((match[1], line, [(match[2] or "").strip()]))
    if record:
        yield record


def _segment(record: Sequence[tuple[str, Line, list[str]]]) -> Iterator[Segment]:
    """Yield the segment of a record; records without a text, such as the head, have none."""
    fields: dict[str, list[str]] = {}
    for name, line, texts in record:
        if not name:
            expected = r"a line that begins with a marker such as \tx"
            raise line.source.syntax_error(line.number, expected, quoted(line.text[:20]), 1)
        fields.setdefault(name, []).extend(texts)

    def first_of(names: Sequence[str]) -> str:
        return next((" ".join(fields[name]).strip() for name in names if name in fields), "")

    text, line = first_of(TEXTS), record[0][1]
    if not text:
        return
    start, end = (_time(line, first_of(names)) for names in (STARTS, ENDS))
    if start is not None and end is not None and end < start:
        raise line.source.syntax_error(
            line.number, f"an end not before {first_of(STARTS)}", quoted(first_of(ENDS))
        )
    translation = " ".join(first_of(TRANSLATIONS).split())
    yield Segment(
        line.source.recording,
        tuple(split_words(text)),
        utterance=first_of(("ref",)) or None,
        speaker=first_of(SPEAKERS) or None,
        start_ns=start,
        end_ns=end,
        properties=(("translation", translation),) if translation else (),
        line=line.number,
    )


def _time(line: Line, text: str) -> int | None:
    """Return a time in nanoseconds; an invalid time raises an error."""
    if not text:
        return None
    try:
        return parse_clock(text) if ":" in text else parse_time(text)
    except ValueError:
        raise line.source.syntax_error(line.number, "a time", quoted(text)) from None


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if nearly all lines begin with a marker, and some have texts."""
    filled = [line for line in lines if strip_blanks(line)]
    names = [match[1] for line in filled if (match := MARKER.match(line))]
    has_texts = any(name in TEXTS for name in names) and any(name in BEGINS for name in names)
    return Sniff.SURE if has_texts and len(names) >= SHARE * len(filled) else Sniff.NO


SPEC = FormatSpec(
    title="Interlinear texts of Toolbox and Shoebox",
    sign=r"lines with the markers \ref and \tx",
    read=read,
    sniff=sniff,
    has_one_recording=True,
)
