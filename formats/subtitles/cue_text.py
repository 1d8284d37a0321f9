"""The text of a segment as the lines of a cue."""

from __future__ import annotations

from formats.errors import quoted
from formats.lines import split_words
from formats.loss import refused
from formats.model import Segment
from formats.sink import Sink
from formats.spec import Option
from formats.times import round_time

SPEAKER_PREFIX = Option(
    "speaker_prefix", False, "write speakers into the text, before it", (False, True)
)
IMPOSSIBLE = "\n\r\0\t\v\f"
LOOK_ALIKES = str.maketrans("{}<>\\|,", "｛｝＜＞＼｜，")
"""Full-width characters that look like what is markup in some format."""


def text_lines(
    segment: Segment, path: str | None, words: tuple[str, ...] | None = None
) -> list[str]:
    r"""The lines of a cue: those of the property ``lines`` if they hold the words, or one.

    >>> from formats.model import Segment
    >>> said = Segment.of("rec1", ["how", "are", "you"], properties={"lines": "how are\nyou"})
    >>> text_lines(said, None), text_lines(said, None, ("how", "is", "she"))
    (['how are', 'you'], ['how is she'])

    Parameters
    ----------
    words: what to write in the place of the segment's words.
    """
    words = segment.words if words is None else words
    text = " ".join(words)
    if any(c in text for c in IMPOSSIBLE) or len(split_words(text)) != len(words):
        bad = next(word for word in words if len(split_words(word)) != 1 or _is_odd(word))
        found = f"{quoted(bad)}" if bad else "an empty word"
        raise refused(path, segment.line, "words without blanks and line ends", found)
    shown = segment.get("lines")
    if shown is not None and "\r" not in shown and "\0" not in shown:
        lines = shown.split("\n")
        if all(lines) and tuple(w for line in lines for w in split_words(line)) == words:
            return lines
    return [text] if text else []


def _is_odd(word: str) -> bool:
    return any(c in word for c in IMPOSSIBLE + " ")


def rounded_times(
    segment: Segment, sink: Sink, path: str | None, precision: int
) -> tuple[int, int]:
    """Begin and end of a cue in nanoseconds, rounded; what that changes is counted."""
    start, end = segment.start_ns, segment.end_ns
    if start is None or end is None:
        raise refused(path, segment.line, "a segment with times", "none")
    if start < 0 or end < 0:
        raise refused(path, segment.line, "times of 0 or more", f"{min(start, end) / 1e9}")
    first, last = sink.losses.rounded(precision, path, segment.line, start, end)
    return first, last


def timed_words(
    segment: Segment, sink: Sink, path: str | None, precision: int, wanted: bool
) -> list[tuple[int, int]] | None:
    """Times of the words, rounded, if all have them and follow one another inside the segment.

    If they are not `wanted` or do not, they are counted as lost.
    """
    starts, ends = segment.starts_ns, segment.ends_ns
    if starts is None and ends is None:
        return None
    count = max(sum(1 for time in starts or () if time is not None), 1)
    if not wanted:
        rule = "--word-times writes them"
        sink.losses.add("word times", count, rule, path, segment.line)
        return None
    begin, end = segment.start_ns, segment.end_ns
    done = begin
    times: list[tuple[int, int]] = []
    for first, last in zip(starts or (), ends or (), strict=False):
        if first is None or last is None or done is None or end is None:
            break
        if not done <= first <= last <= end:
            break
        done = last
        times.append((round_time(first, precision), round_time(last, precision)))
    if len(times) != len(segment.words):
        rule = "of words that do not follow one another inside their segment"
        sink.losses.add("word times", count, rule, path, segment.line)
        return None
    changed = sum(
        (start != first) + (stop != last)
        for (start, stop), first, last in zip(times, starts or (), ends or (), strict=True)
    )
    sink.losses.add("decimals of times", changed, f"rounded to {precision}", path, segment.line)
    return times


def write_speaker(segment: Segment, sink: Sink, path: str | None, wanted: bool) -> str:
    """``anne: ``, if asked for and known; a speaker who is not written is counted lost."""
    if segment.speaker is None:
        return ""
    if not wanted:
        rule = "--speaker-prefix writes them into the text"
        sink.losses.add("speakers", 1, rule, path, segment.line)
        return ""
    return f"{' '.join(split_words(segment.speaker))}: "
