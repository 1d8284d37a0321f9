"""Shared code of the Whisper formats: word pieces, hints of hallucinations, writers.

Whisper writes words with a leading space: ``" New"``, ``" York"``, ``"-based"``. A piece without a
leading space continues the preceding word. In languages written without spaces, and in files in
which no piece has a leading space, each piece is a word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from formats.detection.spec import SegmentSource
from formats.io.sink import Sink
from formats.io.source import Source
from formats.json.messages import WHISPER_HINT
from formats.json.output import JsonOut, json_object
from formats.schema.model import Segment

WITHOUT_BLANKS = frozenset(
    {
        *("zh", "ja", "th", "lo", "my", "yue"),
        *("chinese", "mandarin", "cantonese", "japanese", "thai", "lao", "myanmar", "burmese"),
    }
)
"""Languages that Whisper itself cuts at characters, by code and by its English name."""

COMPRESSION = 2.4
STATISTICS = ("temperature", "avg_logprob", "compression_ratio", "no_speech_prob")


def is_written_without_blanks(language: str | None) -> bool:
    """Return True if Whisper splits texts in this language into characters instead of words."""
    return language is not None and language.lower().replace("_", "-").split("-")[0] in (
        WITHOUT_BLANKS
    )


class RepeatHints:
    """Marks segments that may be hallucinated.

    Such a segment is easy to compress, repeats the segment before it, or ends after the audio.
    """

    def __init__(self, source: Source, duration_ns: int | None = None) -> None:
        self._source = source
        self._duration_ns = duration_ns
        self._words: tuple[str, ...] = ()
        self._counts: Counter[str] = Counter()

    def marked(self, segment: Segment) -> Segment:
        """Return the segment; if it may be hallucinated, with the property ``hint``."""
        hints = []
        ratio = segment.get("compression_ratio")
        if ratio is not None and float(ratio) > COMPRESSION:
            hints.append("compression")
        if segment.words and segment.words == self._words:
            hints.append("repeated")
        if self._duration_ns is not None and (segment.end_ns or 0) > self._duration_ns:
            hints.append("beyond-audio")
        self._words = segment.words
        if not hints:
            return segment
        self._counts.update(hints)
        properties = sorted([*segment.properties, ("hint", " ".join(hints))])
        return segment.replace(properties=tuple(properties))

    def report(self) -> None:
        """Report how many segments were marked, and why."""
        if self._counts:
            hints = [f"{hint}: {count}" for hint, count in self._counts.items()]
            self._source.log.say(WHISPER_HINT, hints=hints)


def write_whisper(segments: SegmentSource, sink: Sink, *, precision: int = 3) -> None:
    """Write OpenAI's layout: the text, segments with their words, and the language."""
    language = dict(segments.properties).get("language")
    blank = "" if is_written_without_blanks(language) else " "
    elements = []
    for number, segment in enumerate(segments):
        out = JsonOut(segment, sink, precision)
        words = out.words("word", "probability", before=blank)
        joint = blank if words is not None else " "
        element = {
            "id": number,
            "seek": 0,
            **_times(out),
            "text": "".join(joint + word for word in segment.words),
            "tokens": [],
            **out.numbers(STATISTICS),
        }
        elements.append(element if words is None else {**element, "words": words})
    whole = {"text": "".join(element["text"] for element in elements)}
    _write(sink, whole, elements, {} if language is None else {"language": language})


def write_whisperx(segments: SegmentSource, sink: Sink, *, precision: int = 3) -> None:
    """Write WhisperX's layout: segments with speakers and words, all words, and the language."""
    elements = []
    for segment in segments:
        out = JsonOut(segment, sink, precision)
        words = out.words("word", "score") or []
        text = "".join(" " + word for word in segment.words)
        element = {**_times(out), "text": text, **out.numbers(("avg_logprob",))}
        if segment.speaker is not None:
            element["speaker"] = segment.speaker
            words = [{**word, "speaker": segment.speaker} for word in words]
        elements.append({**element, "words": words})
    language = dict(segments.properties).get("language")
    after: dict[str, Any] = {"word_segments": [w for element in elements for w in element["words"]]}
    _write(sink, {}, elements, after if language is None else {**after, "language": language})


def _times(out: JsonOut) -> dict[str, Any]:
    start, end = out.segment.start_ns or 0, out.segment.end_ns or 0
    return {"start": out.seconds(start), "end": out.seconds(end)}


def _write(
    sink: Sink, before: dict[str, Any], elements: Sequence[dict[str, Any]], after: dict[str, Any]
) -> None:
    """Write an object whose list ``segments`` has each element on its own line.

    `before` and `after` are the members around the list.
    """
    head, tail = json_object(before)[1:-1], json_object(after)[1:-1]
    sink.write("{" + (f"{head}, " if head else "") + '"segments": [\n')
    last = len(elements) - 1
    for number, element in enumerate(elements):
        sink.write(json_object(element) + ("\n" if number == last else ",\n"))
    sink.write("]" + (f", {tail}" if tail else "") + "}\n")
