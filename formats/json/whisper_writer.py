"""Writing segments as Whisper and as WhisperX do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from formats.json.output import JsonOut, json_object
from formats.json.whisper_words import is_written_without_blanks
from formats.sink import Sink
from formats.spec import SegmentSource

STATISTICS = ("temperature", "avg_logprob", "compression_ratio", "no_speech_prob")


def write_whisper(segments: SegmentSource, sink: Sink, *, precision: int = 3) -> None:
    """Write OpenAI's own shape: text, segments with their words, language."""
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
    """Write WhisperX's shape: segments with speakers and words, the words once more, language."""
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
    """One object, each element of its list ``segments`` in a line."""
    head, tail = json_object(before)[1:-1], json_object(after)[1:-1]
    sink.write("{" + (f"{head}, " if head else "") + '"segments": [\n')
    last = len(elements) - 1
    for number, element in enumerate(elements):
        sink.write(json_object(element) + ("\n" if number == last else ",\n"))
    sink.write("]" + (f", {tail}" if tail else "") + "}\n")
