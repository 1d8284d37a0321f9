"""A format in a package of its own: lines of start, end, speaker and words with bars between."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sclite_kit.plugin import (
    FormatSpec,
    Head,
    ListedFormat,
    Option,
    Segment,
    SegmentSource,
    Sink,
    Sniff,
    Source,
    format_time,
    parse_time,
)

LINE = re.compile(r"([0-9.]+)\|([0-9.]+)\|([^|]*)\|(.*)")


def read(source: Source, *, upper: bool = False) -> Iterator[Segment]:
    """One segment per line."""
    for number, line in source.lines():
        match = LINE.fullmatch(line)
        if match is None:
            raise source.syntax_error(number, "start|end|speaker|words", repr(line), 1)
        start, end, speaker, text = match.groups()
        words = tuple((text.upper() if upper else text).split())
        start_ns, end_ns = parse_time(start), parse_time(end)
        yield Segment(source.stem, words, speaker=speaker, start_ns=start_ns, end_ns=end_ns)


def sniff(head: Head) -> Sniff:
    """How sure the format is of the beginning of a text."""
    return Sniff.SURE if head and all(map(LINE.fullmatch, head)) else Sniff.NO


def write(segments: SegmentSource, sink: Sink) -> None:
    """One line per segment."""
    for each in segments:
        start, end = (format_time(time or 0) for time in (each.start_ns, each.end_ns))
        sink.write(f"{start}|{end}|{each.speaker or ''}|{' '.join(each.words)}\n")


SPEC = FormatSpec(
    title="turns with bars between the fields",
    sign="lines of start|end|speaker|words",
    read=read,
    write=write,
    sniff=sniff,
    holds="words, speakers, segment times",
    needs="segment times",
    read_options=(Option("upper", False, "read the words in capitals"),),
)
FORMAT = ListedFormat("tally", "text", "example_format", (".tally",))
