"""Grouping of timed words into segments."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise
from operator import sub

from formats.schema.loss import END_WITHOUT_BEGIN, JOINED_BY_RECORDING, NOT_OF_RECORDING
from formats.schema.model import COLUMNS, Segment
from formats.schema.words import Token, unless_empty

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from formats.schema.loss import Losses
    from formats.schema.words import Item

SWITCHES = ("optional", "interpolated")
"""Columns that are false for most words."""


def span(item: Item) -> tuple[int, int] | None:
    """Return start and end of a word or alternation in nanoseconds; `None` for a null word."""
    tokens = (item,) if isinstance(item, Token) else tuple(item.tokens())
    starts = [t.start_ns for t in tokens if t.start_ns is not None]
    ends = [t.end_ns for t in tokens if t.end_ns is not None]
    return (min(starts), max(ends)) if starts and ends else None


def group_by_pause(segment: Segment, limit: int | None) -> Iterator[Segment]:
    """Split a segment of timed words at pauses longer than `limit` nanoseconds.

    With ``limit=None``, the segment is not split. Each piece lasts from the earliest start to the
    latest end of its words.

    >>> words = Segment.of("rec1", ["a", "b"], starts=[0.0, 2.0], ends=[0.5, 2.5])
    >>> [(s.words, s.start, s.end) for s in group_by_pause(words, 500_000_000)]
    [(('a',), 0.0, 0.5), (('b',), 2.0, 2.5)]
    """
    starts, ends = segment.starts_ns, segment.ends_ns
    if starts and ends and not segment.alternations and None not in starts and None not in ends:
        yield from _plain_pieces(segment, starts, ends, limit)  # type: ignore[arg-type]
        return
    piece: list[Item] = []
    begin = end = None
    for item in segment.items():
        stretch = span(item)
        if stretch is not None:
            if end is not None and limit is not None and stretch[0] - end > limit:
                yield _piece(segment, piece, begin, end)
                piece, begin, end = [], None, None
            begin = stretch[0] if begin is None else min(begin, stretch[0])
            end = stretch[1] if end is None else max(end, stretch[1])
        piece.append(item)
    if piece:
        yield _piece(segment, piece, begin, end)


def _plain_pieces(
    segment: Segment, starts: tuple[int, ...], ends: tuple[int, ...], limit: int | None
) -> Iterator[Segment]:
    """Split a segment as `group_by_pause` does. All words must have times (fast path)."""
    cuts = [0, len(starts)]
    if limit is not None:
        pauses = map(sub, starts[1:], accumulate(ends, max))
        cuts[1:1] = [index for index, pause in enumerate(pauses, 1) if pause > limit]
    columns = [
        (name, column, False if name in SWITCHES else None)
        for name in COLUMNS
        if (column := getattr(segment, name)) is not None
    ]
    for first, stop in pairwise(cuts):
        changes: dict[str, Any] = {
            name: unless_empty(column[first:stop], nothing) for name, column, nothing in columns
        }
        yield segment._replace(
            words=segment.words[first:stop], start_ns=min(starts[first:stop]),
            end_ns=max(ends[first:stop]), **changes,
        )  # fmt: skip


def _piece(segment: Segment, items: list[Item], begin: int | None, end: int | None) -> Segment:
    return segment.with_items(items).replace(start_ns=begin, end_ns=end)


def group_by_recording(
    segments: Iterator[Segment], losses: Losses, path: str | None
) -> Iterator[Segment]:
    """Join consecutive segments of one recording and channel, as Kaldi's ctm needs.

    Segments are joined if their words have times, but they themselves have neither times nor an
    utterance id. The utterance id becomes the name of the recording, followed by a hyphen and the
    channel unless the channel is missing or ``1``. The speaker or another attribute is kept if all
    segments share it; otherwise it is counted as lost.
    """
    pending: list[Segment] = []
    for segment in segments:
        is_bare = (
            segment.kind == "segment"
            and segment.start_ns is None
            and segment.utterance is None
            and any(span(item) for item in segment.items())
            and segment.is_timed
        )
        if pending and not (is_bare and _place(segment) == _place(pending[0])):
            yield _joined(pending, losses, path)
            pending = []
        if is_bare:
            pending.append(segment)
        else:
            yield segment
    if pending:
        yield _joined(pending, losses, path)


def _place(segment: Segment) -> tuple[str, str | None]:
    return segment.recording, segment.channel


SHARED = {
    "speaker": "speakers",
    "labels": "labels",
    "confidence": "segment confidences",
    "tier": "tiers",
    "properties": "properties",
    "nbest": "other hypotheses",
}


def _joined(segments: list[Segment], losses: Losses, path: str | None) -> Segment:
    first = segments[0]
    is_only = first.channel in (None, "1")
    whole = first.with_items(item for segment in segments for item in segment.items())
    changes: dict[str, object] = {
        "utterance": first.recording if is_only else f"{first.recording}-{first.channel}"
    }
    losses.add("segment boundaries", len(segments) - 1, JOINED_BY_RECORDING, path, first.line)
    ends = sum(segment.end_ns is not None for segment in segments)
    losses.add("segment times", ends, END_WITHOUT_BEGIN, path, first.line)
    for name, kind in SHARED.items():
        values = [getattr(segment, name) for segment in segments]
        if any(value != values[0] for value in values):
            count = sum(1 for value in values if value not in (None, ()))
            losses.add(kind, count, NOT_OF_RECORDING, path, first.line)
            changes[name] = () if isinstance(values[0], tuple) else None
    pieces = list(group_by_pause(whole.replace(**changes), None))
    return pieces[0] if pieces else whole
