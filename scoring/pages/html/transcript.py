"""A transcript as a page: tiers over time, segments, and the remarks on segments.

The page loads nothing from elsewhere. It draws only the visible part, so that a transcript may have
a hundred thousand words.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from formats.schema import VERSION
from scoring.drawing.templates import embedded, pieces

if TYPE_CHECKING:
    from formats.schema.diagnostics import Diagnostic

STYLES = ("page.css", "lanes.css", "transcript.css")
SCRIPTS = ("theme.js", "elements.js", "timeline.js", "transcript.js")


class DrawnSegment(NamedTuple):
    """A segment as the page draws it."""

    recording: str  # its name
    lane: str  # the name of a tier, speaker or channel
    start_ns: int | None  # nanoseconds; None where unknown
    end_ns: int | None
    line: int | None  # of the file, or None
    # Texts with their start and end in nanoseconds, None where unknown
    words: Sequence[tuple[str, int | None, int | None]]

    def span(self) -> tuple[int, int]:
        """Return the start and the end of the segment in ms, -1 if unknown.

        If the segment has no times, those of its words are used.
        """
        starts = [self.start_ns, *(start for _, start, _ in self.words)]
        ends = [self.end_ns, *(end for _, _, end in reversed(self.words))]
        start = _milliseconds(next((time for time in starts if time is not None), None))
        end = _milliseconds(next((time for time in ends if time is not None), None))
        return start, max(start, end)


def transcript_page(
    title: str,
    facts: Sequence[tuple[str, str]],
    stretches: Iterable[DrawnSegment],
    diagnostics: Sequence[Diagnostic],
) -> Iterator[bytes]:
    """Return the page in pieces of UTF-8."""
    values: dict[str, object] = {
        "title": title,
        "facts": facts,
        "version": VERSION,
        "data": _data(list(stretches), diagnostics),
        **embedded(STYLES, SCRIPTS),
    }
    return pieces("transcript.html.j2", values)


def _data(stretches: Sequence[DrawnSegment], diagnostics: Sequence[Diagnostic]) -> str:
    recordings: dict[str, int] = {}
    lanes: dict[tuple[int, str], int] = {}
    columns: dict[str, list[object]] = {
        name: [] for name in ("lane", "start", "end", "line", "words", "starts", "ends")
    }
    for stretch in stretches:
        recording = recordings.setdefault(stretch.recording, len(recordings))
        start, end = stretch.span()
        has_times = any(word[1] is not None for word in stretch.words)
        columns["lane"].append(lanes.setdefault((recording, stretch.lane), len(lanes)))
        columns["start"].append(start)
        columns["end"].append(end)
        columns["line"].append(stretch.line)
        columns["words"].append([text for text, _, _ in stretch.words])
        starts = [_milliseconds(start) for _, start, _ in stretch.words]
        ends = [max(_milliseconds(start), _milliseconds(end)) for _, start, end in stretch.words]
        columns["starts"].append(starts if has_times else None)
        columns["ends"].append(ends if has_times else None)
    content = {
        "recordings": list(recordings),
        "lanes": [
            {"recording": recording_number, "name": name} for recording_number, name in lanes
        ],
        "columns": columns,
        "remarks": list(_remarks(stretches, diagnostics)),
    }
    # Nothing in it can end its element.
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _remarks(
    stretches: Sequence[DrawnSegment], diagnostics: Sequence[Diagnostic]
) -> Iterator[dict[str, object]]:
    begins = sorted(
        (stretch.line, number)
        for number, stretch in enumerate(stretches)
        if stretch.line is not None
    )
    for diagnostic in diagnostics:
        following = (
            0
            if diagnostic.line is None
            else bisect_right(begins, (diagnostic.line, len(stretches)))
        )
        yield {
            "severity": diagnostic.severity,
            "code": diagnostic.code,
            "message": diagnostic.message,
            "line": diagnostic.line,
            "number": begins[following - 1][1] if following else -1,
        }


def _milliseconds(time_ns: int | None) -> int:
    return -1 if time_ns is None else round(time_ns / 1e6)
