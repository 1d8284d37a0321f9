"""Division of segments into readable cues, with limits for lines and durations.

All subtitle writers use this module. They sort cues by begin, as players expect, and count the
segments whose order changes. By default a segment is one cue of any length. With ``cues="fitted"``,
long segments are divided: if possible after a sentence, otherwise after other punctuation,
otherwise at the longest pause. The text is wrapped to lines of similar length. If words have no
times, the number of characters decides the time of the division. A cue that is too brief is
extended up to the next cue or segment. All changes are counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, pairwise

from formats.detection.spec import FormatSpec, Option, SegmentSource, options_of
from formats.io.messages import RULE_SORTED_BY_BEGIN
from formats.io.sink import Sink
from formats.reading.lines import SENTENCE_ENDS
from formats.schema.errors import OptionError
from formats.schema.model import COLUMNS, Segment
from formats.schema.times import nanoseconds
from formats.schema.values import NamedFields
from formats.subtitles.cue_reading import READ_OPTIONS
from formats.subtitles.messages import RULE_CUE_LIMITS, RULE_PROPORTION_CHARACTERS, RULE_SHORTEST
from formats.writing.out import Out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MILLISECOND = 1_000_000
CUES = ("segments", "fitted")
OTHER_MARKS = (",", ";", ":", "–", "—", "、", "，", "،")
CLOSING = "\"'”’»)]"


class CueLimits(NamedFields, kw_only=True):
    """The options with which subtitle writers divide segments into cues."""

    cues: str = "segments"
    cue_lines: int = 2
    cue_line_length: int = 42
    cue_words: int = 0
    cue_longest: float = 7.0
    cue_shortest: float = 1.0

    def __post_init__(self) -> None:
        if self.cue_lines < 1 or self.cue_line_length < 1:
            limits = f"{self.cue_lines} lines of {self.cue_line_length}"
            raise OptionError(expected="cues of at least one line of one character", found=limits)
        if self.cue_words < 0:
            raise OptionError(expected="0 or more words of a cue", found=str(self.cue_words))
        if not 0 <= self.cue_shortest <= self.cue_longest < 1e6 or self.cue_longest <= 0:
            limits = f"{self.cue_shortest} and {self.cue_longest}"
            raise OptionError(expected="0 <= shortest <= longest cue in seconds", found=limits)


CUE_OPTIONS = options_of(
    CueLimits,
    {
        "cues": "one cue per segment, or segments split to fit the --cue options (fitted)",
        "cue_lines": "maximum lines of a cue, with --cues fitted",
        "cue_line_length": "maximum characters of a line, with --cues fitted",
        "cue_words": "maximum words of a cue, with --cues fitted; 0 means no limit",
        "cue_longest": "maximum length of a cue in seconds, with --cues fitted",
        "cue_shortest": "minimum length of a cue in seconds, with --cues fitted",
    },
    {"cues": CUES},
)
WORD_TIMES = Option("word_times", False, "write word times; by default subtitles lose them")
CUE_FEATURES = ("words", "speakers", "segment times", "empty segments", "segment boundaries")
TIMED_CUES = (*CUE_FEATURES, "word times")


def cue_format(
    *, holds: tuple[str, ...] = CUE_FEATURES, properties: tuple[str, ...] = ("lines",),
    read_options: tuple[Option, ...] = (), write_options: tuple[Option, ...] = (), **others: Any,
) -> FormatSpec:  # fmt: skip
    """Create the description of a format of cues that has a writer.

    It has the options that all these formats share.
    """
    is_named = any(option.name == "speaker_prefix" for option in write_options)
    return FormatSpec(
        turn_text="{}:" if is_named else "",
        holds=holds,
        properties=properties,
        needs=("segment times",),
        read_options=(*read_options, *READ_OPTIONS),
        write_options=(*write_options, *CUE_OPTIONS),
        **others,
    )


def cut_into_cues(segments: SegmentSource, sink: Sink, **options: Any) -> Iterator[Segment]:
    """Yield the segments, sorted by start; long segments are divided.

    `options` are those of `CueLimits`.
    """
    limits = CueLimits(**options)
    rows = sink.losses.in_order(list(segments), _begin, RULE_SORTED_BY_BEGIN, segments.source)
    if limits.cues != "fitted":
        yield from rows
        return
    pieces = (piece for segment in rows for piece in _pieces(Out(segment, sink), limits))
    for piece, following in pairwise(chain(pieces, (None,))):
        if piece is not None:
            next_start = None if following is None else following.start_ns
            yield _lengthened(Out(piece, sink), next_start, limits)


def _begin(segment: Segment) -> int:
    return segment.start_ns or 0


def wrapped(words: Sequence[str], lines: int, length: int) -> list[str]:
    """Wrap words to at most `lines` lines of similar length.

    If possible, no line is longer than `length` characters.
    """
    total = sum(map(len, words)) + max(len(words) - 1, 0)
    if total <= length or lines == 1:
        return [" ".join(words)] if words else []
    needed = max(2, -(-total // (length + 1)))
    for count in range(min(needed, lines), lines + 1):
        wrapping = _equal_lines(words, count, total)
        if max(map(len, wrapping)) <= length:
            return wrapping
    filled = _filled_lines(words, length)
    return filled if len(filled) <= lines else _equal_lines(words, lines, total)


def _equal_lines(words: Sequence[str], count: int, total: int) -> list[str]:
    """Distribute the words over `count` lines of about equal length."""
    lines: list[list[str]] = [[]]
    position = 0
    for word in words:
        share = total * len(lines) / count
        if lines[-1] and len(lines) < count and position + len(word) / 2 > share:
            lines.append([])
        lines[-1].append(word)
        position += len(word) + 1
    return [" ".join(line) for line in lines]


def _filled_lines(words: Sequence[str], length: int) -> list[str]:
    """Fill lines with as many words as fit in `length` characters."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= length:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _pieces(out: Out, limits: CueLimits) -> Iterator[Segment]:
    segment = out.segment
    words, start, end = segment.words, segment.start_ns, segment.end_ns
    if segment.kind != "segment" or not words or start is None or end is None:
        yield segment
        return
    times = _word_times(segment, start, end)
    begin = count = 0
    while begin < len(words):
        stop = _end_of_piece(words, times, begin, limits)
        yield _piece(segment, begin, stop, times, limits)
        begin, count = stop, count + 1
    if count > 1:
        out.lost("segments cut", 1, RULE_CUE_LIMITS)
        if not segment.is_timed:
            out.lost("cue times invented", count - 1, RULE_PROPORTION_CHARACTERS)


def _word_times(segment: Segment, start: int, end: int) -> list[tuple[int, int]]:
    """Return the start and end of every word; numbers of characters decide unknown times."""
    starts, ends = segment.starts_ns, segment.ends_ns
    if starts is not None and ends is not None and segment.is_timed:
        return [(a or 0, b or 0) for a, b in zip(starts, ends, strict=True)]
    total = sum(map(len, segment.words)) or 1
    done = accumulate(map(len, segment.words), initial=0)
    cuts = [start + (end - start) * n // total // MILLISECOND * MILLISECOND for n in done]
    return list(pairwise([*cuts[:-1], end]))


def _end_of_piece(
    words: Sequence[str], times: Sequence[tuple[int, int]], begin: int, limits: CueLimits
) -> int:
    """Return the index after the last word of the cue that begins with the word `begin`."""
    stop = begin + 1
    while stop < len(words) and _fits(words, times, begin, stop + 1, limits):
        stop += 1
    if stop == len(words):
        return stop
    least = begin + max(1, (stop - begin) // 2)
    for marks in (SENTENCE_ENDS, OTHER_MARKS):
        for cut in range(stop, least - 1, -1):
            if words[cut - 1].rstrip(CLOSING).endswith(marks):
                return cut
    return max(range(least, stop + 1), key=lambda cut: (times[cut][0] - times[cut - 1][1], cut))


def _fits(
    words: Sequence[str], times: Sequence[tuple[int, int]], begin: int, stop: int, limits: CueLimits
) -> bool:
    if 0 < limits.cue_words < stop - begin:
        return False
    if times[stop - 1][1] - times[begin][0] > nanoseconds(limits.cue_longest):
        return False
    return len(_filled_lines(words[begin:stop], limits.cue_line_length)) <= limits.cue_lines


def _piece(
    segment: Segment, begin: int, stop: int, times: Sequence[tuple[int, int]], limits: CueLimits
) -> Segment:
    words = segment.words[begin:stop]
    lines = wrapped(words, limits.cue_lines, limits.cue_line_length)
    properties = {k: v for k, v in segment.properties if k not in ("lines", "raw")}
    if len(lines) > 1:
        properties["lines"] = "\n".join(lines)
    changes: dict[str, object] = {}
    if begin or stop < len(segment.words):
        properties.pop("id", None)
        changes["words"] = words
        changes["start_ns"] = segment.start_ns if begin == 0 else times[begin][0]
        changes["end_ns"] = segment.end_ns if stop == len(segment.words) else times[stop - 1][1]
        for name in COLUMNS:
            column = getattr(segment, name)
            changes[name] = None if column is None else column[begin:stop]
    return segment.replace(properties=tuple(sorted(properties.items())), **changes)


def _lengthened(out: Out, next_start: int | None, limits: CueLimits) -> Segment:
    start, end = out.segment.start_ns, out.segment.end_ns
    shortest = nanoseconds(limits.cue_shortest)
    if start is None or end is None or end - start >= shortest:
        return out.segment
    latest = start + shortest
    if next_start is not None:
        latest = min(latest, max(next_start, end))
    if latest <= end:
        return out.segment
    out.lost("cues lengthened", 1, RULE_SHORTEST)
    return out.segment.replace(end_ns=latest)
