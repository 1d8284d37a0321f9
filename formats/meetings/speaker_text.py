"""speaker-text: plain text with speakers, times or both, known by its repeated pattern.

`formats.meetings.turns` defines the patterns, and when a text matches one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from formats.detection.spec import FormatSpec, Option, Sniff
from formats.io.source import Source
from formats.meetings.turns import layout_of, segments_of_turns
from formats.schema.model import Segment

CLOSE_GAPS = Option("close_gaps", False, "extend turns without end to the start of the next")


def read(source: Source, *, close_gaps: bool = False) -> Iterator[Segment]:
    """A segment for each turn."""
    expected = 'turns in most paragraphs, as "Name  0:12", "[0:12] Name: text", "Name: text"'
    yield from segments_of_turns(source, list(source.lines()), 1, expected, close_gaps=close_gaps)


def sniff(lines: Sequence[str]) -> Sniff:
    """Sure if a pattern holds for most paragraphs of the beginning."""
    if not any(":" in line for line in lines):
        return Sniff.NO
    return Sniff.NO if layout_of(list(enumerate(lines, 1))) is None else Sniff.SURE


SPEC = FormatSpec(
    title="text with speakers and times, as Otter, Rev, Zoom, Meet and interviewers write it",
    sign="turns in most paragraphs",
    read=read,
    sniff=sniff,
    has_one_recording=True,
    read_options=(CLOSE_GAPS,),
)
