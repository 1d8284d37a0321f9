"""Checks before writing: values that no format can represent are rejected or dropped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isfinite

from formats.io.messages import RULE_NOT_FINITE
from formats.schema.errors import quoted
from formats.schema.loss import Losses, refused
from formats.schema.model import are_times_in_order
from formats.schema.times import SECOND
from formats.schema.words import Alternation, Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from formats.detection.spec import FormatSpec, SegmentSource
    from formats.schema.model import Segment

LATEST = 2**62
"""Nanoseconds: 146 years. Twice that fits 64 bits, so that no rounding, no sum and no other unit of
a format takes a time to where its reader refuses it."""


def within_bounds(
    segments: Iterator[Segment], target: FormatSpec, losses: Losses, origin: SegmentSource
) -> Iterator[Segment]:
    """Yield the segments; check their times.

    Scores that are not numbers are dropped and counted.
    """
    has_words = "word times" in target.holds
    has_times = has_words or "segment times" in target.holds
    for segment in segments:
        if has_times:
            times = segment.start_ns, segment.end_ns
            _check(times, "", segment, origin)
            if has_words or segment.start_ns is None:
                for token in _doubtful(segment):
                    owner = f" for the word {quoted(token.text)}"
                    _check((token.start_ns, token.end_ns), owner, segment, origin)
        yield _finite(segment, losses, origin)


def _doubtful(segment: Segment) -> Iterable[Token]:
    """Return the words whose times must be checked; empty if a quick check finds all in order."""
    starts, ends = segment.starts_ns, segment.ends_ns
    if not segment.alternations:
        if starts is None and ends is None:
            return ()
        try:
            if starts and ends and max(ends) <= LATEST and are_times_in_order(starts, ends):  # type: ignore[type-var,operator]
                return ()
        except TypeError:  # a word without times
            pass
    return segment.all_tokens()


def _check(
    times: tuple[int | None, int | None],
    owner: str,
    segment: Segment,
    origin: SegmentSource,
) -> None:
    start, end = times
    for time in times:
        if time is not None and not 0 <= time <= LATEST:
            raise refused(
                origin.source,
                segment.line,
                f"a time {'of 0 or more' if time < 0 else 'within 146 years'}{owner}",
                f"{time / SECOND}",
            )
    if start is not None and end is not None and end < start:
        raise refused(
            origin.source,
            segment.line,
            f"times in order{owner}",
            f"{start / SECOND} to {end / SECOND}",
        )


def _finite(segment: Segment, losses: Losses, origin: SegmentSource) -> Segment:
    path, line = origin.source, segment.line
    changes: dict[str, object] = {}
    if segment.confidence is not None and not isfinite(segment.confidence):
        losses.add("segment confidences", 1, RULE_NOT_FINITE, path, line)
        changes["confidence"] = None
    if any(not isfinite(score or 0) for score, _ in segment.nbest):
        nbest = [(s if isfinite(s or 0) else None, words) for s, words in segment.nbest]
        lost = sum(not isfinite(score or 0) for score, _ in segment.nbest)
        losses.add("scores of other hypotheses", lost, RULE_NOT_FINITE, path, line)
        changes["nbest"] = tuple(nbest)
    if segment.confidences is None and not segment.alternations:
        return segment.replace(**changes) if changes else segment
    scores: Iterable[float] = filter(None, segment.confidences or ())
    if segment.alternations:
        scores = (token.confidence or 0 for token in segment.all_tokens())
    if not all(map(isfinite, scores)):
        lost = sum(1 for token in segment.all_tokens() if not isfinite(token.confidence or 0))
        losses.add("confidences", lost, RULE_NOT_FINITE, path, line)
        segment = segment.with_items(_certain(item) for item in segment.items())
    return segment.replace(**changes) if changes else segment


def _certain(item: Token | Alternation) -> Token | Alternation:
    """Return the item without confidences that are not numbers."""
    if isinstance(item, Alternation):
        return Alternation([map(_certain, branch) for branch in item.branches])
    return item if isfinite(item.confidence or 0) else item.replace(confidence=None)
