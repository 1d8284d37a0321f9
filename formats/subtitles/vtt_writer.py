"""Writing WebVTT."""

from collections.abc import Iterator, Sequence
from typing import Any

from formats.clock import format_clock
from formats.lines import split_words
from formats.model import Segment
from formats.sink import Sink
from formats.spec import SegmentSource
from formats.subtitles.cue_text import CueOut
from formats.subtitles.segmentation import cut_into_cues

ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def write(segments: SegmentSource, sink: Sink, *, word_times: bool = False, **limits: Any) -> None:
    """Write one cue per segment, in their order; voices of one cue become one cue again."""
    has_head = False
    for voices in _cues(cut_into_cues(segments, sink, **limits)):
        if not has_head:
            sink.write(_head(segments))
            has_head = True
        cue, *others = (CueOut(voice, sink, 3) for voice in voices)
        settings, name = _one_line(cue, "settings"), _one_line(cue, "id")
        texts = [_text(voice, word_times) for voice in (cue, *others)]
        id_line = f"{name}\n" if name else ""
        after = f" {settings}" if settings else ""
        text = "".join(f"{text}\n" for text in texts if text)
        times = f"{format_clock(cue.start)} --> {format_clock(cue.end)}"
        sink.write(f"\n{id_line}{times}{after}\n{text}")
    if not has_head:
        sink.write(_head(segments))


def _head(segments: SegmentSource) -> str:
    known = dict(segments.properties)
    title = " ".join(known.get("title", "").split())
    lines = [f"WEBVTT {title}" if title and "-->" not in title else "WEBVTT"]
    for name in ("kind", "language"):
        value = " ".join(known.get(name, "").split())
        if value and "-->" not in value:
            lines.append(f"{name.capitalize()}: {value}")
    return "\n".join(lines) + "\n"


def _cues(segments: Iterator[Segment]) -> Iterator[list[Segment]]:
    """Neighbours that are voices of the same cue, as their id and times say."""
    held: list[Segment] = []
    for segment in segments:
        is_same = held and segment.get("id") is not None and _place(held[0]) == _place(segment)
        if is_same and held[-1].speaker != segment.speaker and _is_voice(held[-1], segment):
            held.append(segment)
            continue
        if held:
            yield held
        held = [segment]
    if held:
        yield held


def _is_voice(*segments: Segment) -> bool:
    """Whether they have words without times: times would be those of all voices of the cue."""
    return all(segment.words and segment.starts_ns is None for segment in segments)


def _place(segment: Segment) -> tuple[object, ...]:
    return segment.start_ns, segment.end_ns, segment.get("id"), segment.get("settings")


def _one_line(cue: CueOut, name: str) -> str | None:
    """A property that has to stand on a line; what cannot is counted lost."""
    value = cue.segment.get(name)
    if value is None:
        return None
    is_comment = name == "id" and value.startswith(("NOTE", "STYLE", "REGION", "WEBVTT"))
    if not value or "-->" in value or is_comment or any(c in value for c in "\n\r\0"):
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
    """The speaker's name as an annotation, its blanks single."""
    if cue.segment.speaker is None:
        return None
    name = _single_blanks(cue.segment.speaker)
    if name != cue.segment.speaker:
        cue.lost("blanks of speakers' names", 1, "made single")
    if not name:
        cue.lost("speakers", 1, "an empty name is none")
    return _annotation(name) or None


def _single_blanks(text: str) -> str:
    return " ".join(split_words(text.replace("\n", " ").replace("\r", " ")))


def _annotation(text: str) -> str:
    """`text` within a tag, where a hyphen must not make an arrow with the end of the tag."""
    made = text.translate(ESCAPES)
    return f"{made[:-1]}&#45;" if made.endswith("-") else made


def _stamped(
    lines: Sequence[str], times: Sequence[tuple[int, int]], start: int, end: int
) -> list[str]:
    """The lines with a time where a word begins or ends that does not touch its neighbour."""
    made: list[str] = []
    index = 0
    done = start
    for line in lines:
        parts: list[str] = []
        for word in split_words(line):
            first, last = times[index]
            is_only = len(times) == 1 and (first, last) == (start, end)
            before = f"<{format_clock(done)}>" if index and done != first else ""
            if index or first != done or is_only:
                word = f"<{format_clock(first)}>{word}"
            parts.append(f"{before} {word}" if parts else f"{before}{word}")
            done = last
            index += 1
        made.append("".join(parts))
    if done != end and made:
        made[-1] += f"<{format_clock(done)}>"
    return made
