"""One transcript as a page: tiers over time, its segments, and what there is to remark on them.

Everything is in the page, and nothing is loaded; what is drawn is what is seen, so that a hundred
thousand words are no burden.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from formats.version import VERSION
from scoring.pages.html.templates import embedded, pieces

if TYPE_CHECKING:
    from formats.diagnostics import Diagnostic

STYLES = ("page.css", "lanes.css", "transcript.css")
SCRIPTS = ("elements.js", "timeline.js", "transcript.js")


class Stretch(NamedTuple):
    """A segment as it is drawn.

    Attributes
    ----------
    recording
        Its name.
    lane
        The name of what stands in one lane: tier, speaker, channel.
    start_ns, end_ns
        Nanoseconds; None where unknown.
    line
        Of the file, or None.
    words
        Texts with their start and end in nanoseconds, None where unknown.
    """

    recording: str
    lane: str
    start_ns: int | None
    end_ns: int | None
    line: int | None
    words: Sequence[tuple[str, int | None, int | None]]

    def span(self) -> tuple[int, int]:
        """Start and end in milliseconds, those of its words where it has none; -1: unknown."""
        starts = [self.start_ns, *(start for _, start, _ in self.words)]
        ends = [self.end_ns, *(end for _, _, end in reversed(self.words))]
        start = _milliseconds(next((one for one in starts if one is not None), None))
        end = _milliseconds(next((one for one in ends if one is not None), None))
        return start, max(start, end)


def transcript_page(
    title: str,
    facts: Sequence[tuple[str, str]],
    stretches: Iterable[Stretch],
    diagnostics: Sequence[Diagnostic],
) -> Iterator[bytes]:
    """The page in pieces of UTF-8."""
    values: dict[str, object] = {
        "title": title,
        "facts": facts,
        "version": VERSION,
        "data": _data(list(stretches), diagnostics),
        **embedded(STYLES, SCRIPTS),
    }
    return pieces("transcript.html.j2", values)


def _data(stretches: Sequence[Stretch], diagnostics: Sequence[Diagnostic]) -> str:
    recordings: dict[str, int] = {}
    lanes: dict[tuple[int, str], int] = {}
    columns: dict[str, list[object]] = {
        name: [] for name in ("lane", "start", "end", "line", "words", "starts", "ends")
    }
    for one in stretches:
        recording = recordings.setdefault(one.recording, len(recordings))
        start, end = one.span()
        has_times = any(word[1] is not None for word in one.words)
        columns["lane"].append(lanes.setdefault((recording, one.lane), len(lanes)))
        columns["start"].append(start)
        columns["end"].append(end)
        columns["line"].append(one.line)
        columns["words"].append([text for text, _, _ in one.words])
        starts = [_milliseconds(start) for _, start, _ in one.words]
        ends = [max(_milliseconds(start), _milliseconds(end)) for _, start, end in one.words]
        columns["starts"].append(starts if has_times else None)
        columns["ends"].append(ends if has_times else None)
    content = {
        "recordings": list(recordings),
        "lanes": [{"recording": at, "name": name} for at, name in lanes],
        "columns": columns,
        "remarks": list(_remarks(stretches, diagnostics)),
    }
    # Nothing in it can end the element that it stands in.
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _remarks(
    stretches: Sequence[Stretch], diagnostics: Sequence[Diagnostic]
) -> Iterator[dict[str, object]]:
    begins = sorted((one.line, at) for at, one in enumerate(stretches) if one.line is not None)
    for one in diagnostics:
        place = 0 if one.line is None else bisect_right(begins, (one.line, len(stretches)))
        yield {
            "severity": one.severity,
            "code": one.code,
            "message": one.message,
            "line": one.line,
            "number": begins[place - 1][1] if place else -1,
        }


def _milliseconds(time_ns: int | None) -> int:
    return -1 if time_ns is None else round(time_ns / 1e6)
