"""Turns of speakers over time: data for the script that draws them, and a table of errors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape

from formats.console import shown
from formats.schema.times import format_time
from scoring.drawing.blocks import Timelines, TurnSpan, TurnTimeline

KINDS = {"S": "confusion", "D": "missed", "I": "false alarm"}
NOBODY = "(nobody)"
LONGEST = 20  # errors in the table
NANOSECONDS = 1_000_000  # in a millisecond


def timeline_elements(block: Timelines) -> Iterator[str]:
    """Yield an element with the data of the drawing, and a table of the longest errors."""
    content = [
        {
            "name": shown(recording.name),
            "lanes": [[name and shown(name) for name in lane] for lane in recording.lanes],
            "spans": [
                [lane, side, begin // NANOSECONDS, end // NANOSECONDS, kind]
                for lane, side, begin, end, kind in recording.spans
            ],
        }
        for recording in block.recordings
    ]
    # nothing in it can end its element
    data = json.dumps(content, separators=(",", ":")).replace("<", "\\u003c")
    yield '<h2>Turns over time</h2><div class="turns"></div>'
    yield f'<script type="application/json" class="turns-data">{data}</script>'
    yield from _longest(block)


def _longest(block: Timelines) -> Iterator[str]:
    errors = [
        (recording, span)
        for recording in block.recordings
        for span in recording.spans
        if span.kind and (span.side == 0 or span.kind == "I")
    ]
    if not errors:
        return
    errors.sort(key=lambda row: row[1].begin_ns - row[1].end_ns)
    yield "<details><summary>Longest errors</summary>"
    yield '<div class="wide" tabindex="0" role="group" aria-label="Longest errors">'
    yield '<table class="numbers"><thead><tr><th scope="col" class="text">recording</th>'
    yield '<th scope="col" class="text">error</th><th scope="col" class="text">speaker</th>'
    yield '<th scope="col">begin s</th><th scope="col">duration s</th></tr></thead><tbody>'
    for recording, span in errors[:LONGEST]:
        yield _row(recording, span)
    yield "</tbody></table></div></details>"


def _row(recording: TurnTimeline, span: TurnSpan) -> str:
    speaker = recording.lanes[span.lane][span.side] or NOBODY
    texts = (recording.name, KINDS[span.kind], speaker)
    numbers = (format_time(ns, 3) for ns in (span.begin_ns, span.end_ns - span.begin_ns))
    cells = "".join(f'<td class="text" dir="auto">{escape(shown(text))}</td>' for text in texts)
    return f"<tr>{cells}{''.join(f'<td>{number}</td>' for number in numbers)}</tr>"
