"""moss: output of MOSS-Transcribe-Diarize, with times and speakers in brackets.

==================================  ==============================================================
in the file                         in the schema
==================================  ==============================================================
``[0.48][S01]Welcome all[1.66]``    one `Segment`: start and end in seconds, speaker, words
brackets with other numbers         words; at the end of the segment, its end time
line ends                           blanks
text above the first segment, a     an error: the record is rejected
segment without an end
==================================  ==============================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

from formats.annotation.messages import MOSS_START
from formats.detection.spec import FormatSpec, Sniff
from formats.io.source import Source
from formats.reading.lines import strip_blanks
from formats.schema import split_words
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.schema.times import parse_time

NUMBER = r"([0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})"
START = re.compile(rf"\[{NUMBER}\][ \t\n]{{0,9}}\[(S[0-9]{{1,15}})\]")
END = re.compile(rf"\[{NUMBER}\]")
NO_START = re.compile(r"\[([^\[\] ]{1,30})\][ \t]{0,9}\[S[0-9]{1,15}\]")


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment for each start time and speaker in brackets.

    A segment ends at the last bracketed time before the next segment.
    """
    text = source.text()
    marks: list[re.Match[str] | None] = [None, *START.finditer(text), None]
    line, before, records = 1, 0, []
    for mark, following in pairwise(marks):
        begin = mark.start() if mark else 0
        line, before = line + text.count("\n", before, begin), begin
        records.append((line, mark, following))
    yield from source.log.accepted("SEGMENT", partial(_marked_segments, source, text), records)


def _marked_segments(
    source: Source, text: str, record: tuple[int, re.Match[str] | None, re.Match[str] | None]
) -> Iterator[Segment]:
    """Yield the segment that begins at a mark and ends at the next.

    Only blanks may precede the first mark.
    """
    line, mark, following = record
    stop = len(text) if following is None else following.start()
    body = text[mark.end() if mark else 0 : stop].replace("\n", " ").rstrip(" \t\v\f")
    if mark is None:
        if strip_blanks(body):
            raise source.syntax_error(1, "[start][S01]", quoted(body), 1)
        return
    end = END.fullmatch(body, body.rfind("[")) if "[" in body else None
    if end is None:
        raise source.syntax_error(line, "an end in brackets", quoted(body[-80:]))
    if odd := NO_START.search(body):
        source.log.say(MOSS_START, line, text=odd[1])
    start_ns, end_ns = parse_time(mark[1]), parse_time(end[1])
    if end_ns < start_ns:
        raise source.syntax_error(line, f"an end not before {mark[1]}", quoted(end[1]))
    yield Segment(
        source.recording,
        tuple(split_words(body[: end.start()])),
        speaker=mark[2],
        start_ns=start_ns,
        end_ns=end_ns,
        line=line,
    )


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if the text begins with a start time and a speaker in brackets."""
    return Sniff.SURE if START.match("\n".join(lines).lstrip(" \t\n")) else Sniff.NO


SPEC = FormatSpec(
    title="MOSS-Transcribe-Diarize: [start][speaker]text[end], one after another",
    sign='"[0.48][S01]" at the beginning',
    read=read,
    sniff=sniff,
    has_one_recording=True,
)
