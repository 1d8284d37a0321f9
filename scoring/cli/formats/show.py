"""`formats show`: write a file as an HTML page with tiers over time, and notes at their times."""

from __future__ import annotations

import os

from formats.cli.inputs import InputAccount, open_input, tell_idle_options
from formats.reading.inputs import Input
from formats.schema.model import UNSPOKEN_KINDS, Segment
from scoring.cli.formats.differences import said
from scoring.pages.html.transcript import DrawnSegment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

OK = 0


def run(arguments: Namespace) -> int:
    """Write the page; return the exit status."""
    from formats.cli.arguments import selection
    from formats.io.sink import open_sink
    from formats.schema.summary import summarize
    from scoring.pages.html.transcript import transcript_page

    with open_input(arguments.file, arguments) as stream:
        chosen, account = selection(arguments), InputAccount(Input(stream.source, stream.source))
        segments = list(chosen.of(stream))
        account.format, account.excluded = stream.format, chosen.excluded
        facts = [("format", stream.format), *stream.properties, *summarize(segments).rows()]
        name = os.path.basename(stream.source.rstrip("/")) or stream.source
        page = transcript_page(name, facts, map(_stretch, segments), stream.diagnostics)
        with open_sink(arguments.html) as sink:
            for piece in page:
                sink.write(piece.decode("utf-8"))
    tell_idle_options(arguments, [account])
    return OK


def _stretch(segment: Segment) -> DrawnSegment:
    from scoring.pages.html.transcript import DrawnSegment

    kind = segment.kind if segment.kind in ("gap", "ignored", "scored", *UNSPOKEN_KINDS) else None
    channel = None if segment.channel is None else f"channel {segment.channel}"
    lane = ", ".join(filter(None, (segment.tier, segment.speaker, channel, kind)))
    return DrawnSegment(
        segment.recording,
        lane or segment.recording,
        segment.start_ns,
        segment.end_ns,
        segment.line,
        [(word.text, word.times[0], word.times[1]) for word in said(segment)],
    )
