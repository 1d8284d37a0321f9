"""Writer of WebVTT."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from formats.detection.spec import SegmentSource
from formats.io.messages import RULE_EMPTY_NAME
from formats.io.sink import Sink
from formats.schema import words_of_text
from formats.schema.model import Segment
from formats.schema.times import format_clock
from formats.subtitles.cue_text import CueOut, timed_lines
from formats.subtitles.cues import SETTINGS
from formats.subtitles.messages import RULE_MADE_SINGLE
from formats.subtitles.segmentation import cut_into_cues

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def write(segments: SegmentSource, sink: Sink, *, word_times: bool = False, **limits: Any) -> None:
    """Write one cue per segment, sorted by start.

    Segments that were the voices of one cue are written as one cue again.
    """
    head: str | None = None
    for voices in _cues(cut_into_cues(segments, sink, **limits)):
        if head is None:  # what a stream says of itself is known now
            sink.write(head := _head(segments))
        cue, *others = (CueOut(voice, sink, 3) for voice in voices)
        settings, name = _one_line(cue, "settings"), _one_line(cue, "id")
        texts = [_text(voice, word_times) for voice in (cue, *others)]
        id_line = f"{name}\n" if name else ""
        after = f" {settings}" if settings else ""
        text = "".join(f"{text}\n" for text in texts if text)
        times = f"{format_clock(cue.start)} --> {format_clock(cue.end)}"
        sink.write(f"\n{id_line}{times}{after}\n{text}")
    if head is None:
        sink.write(_head(segments))


def _head(segments: SegmentSource) -> str:
    head = "WEBVTT"
    for name, mark in (("title", " "), ("kind", "\nKind: "), ("language", "\nLanguage: ")):
        value = " ".join(dict(segments.properties).get(name, "").split())
        head += f"{mark}{value}" if value and "-->" not in value else ""
    return f"{head}\n"


def _cues(segments: Iterator[Segment]) -> Iterator[list[Segment]]:
    """Yield lists of adjacent segments that are voices of one cue: ids and times are equal."""
    voices: list[Segment] = []
    for segment in segments:
        if voices and not _is_voice(voices[-1], segment):
            yield voices
            voices = []
        voices.append(segment)
    if voices:
        yield voices


def _is_voice(before: Segment, segment: Segment) -> bool:
    """Return True if both segments are voices of one cue, and neither has word times."""
    keys = (
        (s.start_ns, s.end_ns, s.get("id"), s.get("settings"), bool(s.words), s.starts_ns)
        for s in (before, segment)
    )
    is_same = next(keys) == next(keys) and before.speaker != segment.speaker
    is_plain = bool(segment.words) and segment.starts_ns is None
    return is_same and is_plain and segment.get("id") is not None


def _one_line(cue: CueOut, name: str) -> str | None:
    """Return a property that must fit on one line.

    An unsuitable value is counted as lost, and the result is `None`.
    """
    value = cue.segment.get(name)
    if value is None:
        return None
    is_comment = name == "id" and value.startswith(("NOTE", "STYLE", "REGION", "WEBVTT"))
    is_text = name == "settings" and not cue.segment.words and SETTINGS.match(value) is None
    if not value or "-->" in value or is_comment or is_text or any(c in value for c in "\n\r\0"):
        cue.property_lost(name, "WebVTT")
        return None
    return value


def _text(cue: CueOut, word_times: bool) -> str:
    lines = [line.translate(ESCAPES) for line in cue.lines()]
    if times := cue.word_times(word_times):
        lines = _stamped(lines, times, cue.start, cue.end)
    text = "\n".join(lines)
    classes = cue.segment.get("classes") or ""
    dotted = "".join(f".{name}" for name in classes.split(" ") if name)
    is_odd = any(c in dotted for c in "<>&\t\n\r\0\v\f") or dotted.endswith("--")
    if is_odd or "." in classes:
        cue.property_lost("classes", "WebVTT")
        dotted = ""
    language = cue.segment.get("language")
    if language and language == _single_blanks(language):
        text = f"<lang {_annotation(language)}>{text}</lang>"
    elif language is not None:
        cue.property_lost("language", "WebVTT")
    speaker = _voice(cue)
    if speaker is not None:
        return f"<v{dotted} {speaker}>{text}</v>"
    return f"<c{dotted}>{text}</c>" if dotted else text


def _voice(cue: CueOut) -> str | None:
    """Return the speaker's name for a voice tag, with single blanks; `None` without a speaker."""
    if cue.segment.speaker is None:
        return None
    name = _single_blanks(cue.segment.speaker)
    if name != cue.segment.speaker:
        cue.lost("blanks of speakers' names", 1, RULE_MADE_SINGLE)
    if not name:
        cue.lost("speakers", 1, RULE_EMPTY_NAME)
    return _annotation(name) or None


def _single_blanks(text: str) -> str:
    return " ".join(words_of_text(text))


def _annotation(text: str) -> str:
    """Escape a final hyphen in the text of a tag, because ``->`` could look like an arrow."""
    text = text.translate(ESCAPES)
    return f"{text[:-1]}&#45;" if text.endswith("-") else text


def _stamped(
    lines: Sequence[str], times: Sequence[tuple[int, int]], start: int, end: int
) -> list[str]:
    """Add the times of words to the lines."""
    stamped: list[str] = []
    done: int | None = None
    for words in timed_lines(lines, times):
        parts: list[str] = []
        for word, first, last in words:
            before = f"<{format_clock(done)}>" if done not in (None, first) else ""
            if done is not None or first != start or times == [(start, end)]:
                word = f"<{format_clock(first)}>{word}"
            parts.append(f"{before} {word}" if parts else f"{before}{word}")
            done = last
        stamped.append("".join(parts))
    if done is not None and done != end:
        stamped[-1] += f"<{format_clock(done)}>"
    return stamped
