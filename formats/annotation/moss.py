"""moss: output of MOSS-Transcribe-Diarize, consecutive segments in brackets.

==================================  ==============================================================
in the file                         in the schema
==================================  ==============================================================
``[0.48][S01]Welcome all[1.66]``    one `Segment`: start and end in seconds, speaker, words
brackets with other numbers         words, unless the segment ends with them
line ends                           blanks
text above the first segment, a     an error of the record
segment without an end
==================================  ==============================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

from formats.blanks import split_words
from formats.errors import quoted
from formats.lines import strip_blanks
from formats.model import Segment
from formats.source import Source
from formats.spec import FormatSpec, Sniff
from formats.times import parse_time

NUMBER = r"([0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})"
START = re.compile(rf"\[{NUMBER}\][ \t\n]{{0,9}}\[(S[0-9]{{1,15}})\]")
END = re.compile(rf"\[{NUMBER}\]")


def read(source: Source) -> Iterator[Segment]:
    """One segment per start and speaker in brackets; the last brackets before the next end it."""
    text = source.text()
    marks: list[re.Match[str] | None] = [None, *START.finditer(text), None]
    records = [(mark, following) for mark, following in pairwise(marks)]
    yield from source.log.accepted("SEGMENT", partial(_segments, _Lines(source, text)), records)


class _Lines:
    """A text, of which positions are asked in order."""

    def __init__(self, source: Source, text: str) -> None:
        self.source, self.text = source, text
        self._line, self._before = 1, 0

    def line_of(self, position: int) -> int:
        """The line that a position is in."""
        self._line += self.text.count("\n", self._before, position)
        self._before = position
        return self._line


def _segments(
    lines: _Lines, record: tuple[re.Match[str] | None, re.Match[str] | None]
) -> Iterator[Segment]:
    """The segment between two marks; what is above the first one must be blank."""
    mark, following = record
    stop = len(lines.text) if following is None else following.start()
    body = lines.text[mark.end() if mark else 0 : stop].replace("\n", " ").rstrip(" \t\v\f")
    if mark is None:
        if strip_blanks(body):
            raise lines.source.syntax_error(1, "[start][S01]", quoted(body), 1)
        return
    line = lines.line_of(mark.start())
    end = END.fullmatch(body, body.rfind("[")) if "[" in body else None
    if end is None:
        raise lines.source.syntax_error(line, "an end in brackets", quoted(body[-80:]))
    start_ns, end_ns = parse_time(mark[1]), parse_time(end[1])
    if end_ns < start_ns:
        raise lines.source.syntax_error(line, f"an end not before {mark[1]}", quoted(end[1]))
    yield Segment(
        lines.source.recording,
        tuple(split_words(body[: end.start()])),
        speaker=mark[2],
        start_ns=start_ns,
        end_ns=end_ns,
        line=line,
    )


def sniff(lines: Sequence[str]) -> Sniff:
    """Sure if the text begins with a start and a speaker in brackets."""
    return Sniff.SURE if START.match("\n".join(lines).lstrip(" \t\n")) else Sniff.NO


SPEC = FormatSpec(
    title="MOSS-Transcribe-Diarize: [start][speaker]text[end], one after another",
    sign='"[0.48][S01]" at the beginning',
    has_one_recording=True,
)
