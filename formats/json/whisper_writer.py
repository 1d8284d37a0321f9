"""Writing segments as Whisper and as WhisperX do."""

from __future__ import annotations

from formats.json.output import JsonOutput, json_object
from formats.json.whisper_words import is_written_without_blanks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from formats.model import Segment
    from formats.sink import Sink
    from formats.spec import SegmentSource

__all__ = ["write_whisper", "write_whisperx"]

STATISTICS = ("temperature", "avg_logprob", "compression_ratio", "no_speech_prob")


def write_whisper(segments: SegmentSource, sink: Sink, *, precision: int = 3) -> None:
    """Write OpenAI's own shape: text, segments with their words, language.

    Words have the blank before them, but in languages that are written without. A segment whose
    words do not all have times is written with its text alone. ``seek`` is 0 and ``tokens`` is
    empty, because nobody knows them; statistics that are not known are left out.

    Parameters
    ----------
    precision: decimals of the times, 0 to 9; times that need more are counted lost.

    Raises
    ------
    LossError: a time before 0, an empty word.
    """
    output = JsonOutput(sink, segments.source, precision)
    held = list(segments)
    language = dict(segments.properties).get("language")
    blank = "" if is_written_without_blanks(language) else " "
    made = [_whisper_segment(s, number, output, blank) for number, s in enumerate(held)]
    whole = {"text": "".join(segment["text"] for segment in made)}
    after = {} if language is None else {"language": language}
    _write(sink, whole, "segments", made, after)


def _whisper_segment(
    segment: Segment, number: int, output: JsonOutput, blank: str
) -> dict[str, Any]:
    output.refuse_empty_words(segment)
    words = output.words(segment, "word", "probability", before=blank)
    joint = blank if words is not None else " "
    made: dict[str, Any] = {"id": number, "seek": 0, **_times(segment, output)}
    made["text"] = "".join(joint + word for word in segment.words)
    made["tokens"] = []
    made.update(output.numbers(segment, STATISTICS))
    if words is not None:
        made["words"] = words
    return made


def write_whisperx(segments: SegmentSource, sink: Sink, *, precision: int = 3) -> None:
    """Write WhisperX's shape: segments with speakers and words, the words once more, language.

    Parameters
    ----------
    precision: decimals of the times, 0 to 9; times that need more are counted lost.

    Raises
    ------
    LossError: a time before 0, an empty word.
    """
    output = JsonOutput(sink, segments.source, precision)
    made = [_whisperx_segment(segment, output) for segment in segments]
    language = dict(segments.properties).get("language")
    after: dict[str, Any] = {
        "word_segments": [word for segment in made for word in segment["words"]]
    }
    if language is not None:
        after["language"] = language
    _write(sink, {}, "segments", made, after)


def _whisperx_segment(segment: Segment, output: JsonOutput) -> dict[str, Any]:
    output.refuse_empty_words(segment)
    words = output.words(segment, "word", "score")
    made = _times(segment, output)
    made["text"] = "".join(" " + word for word in segment.words)
    made.update(output.numbers(segment, ("avg_logprob",)))
    if segment.speaker is not None:
        made["speaker"] = segment.speaker
        for word in words or ():
            word["speaker"] = segment.speaker
    made["words"] = words or []
    return made


def _times(segment: Segment, output: JsonOutput) -> dict[str, Any]:
    assert segment.start_ns is not None
    assert segment.end_ns is not None
    return {
        "start": output.seconds(segment.start_ns, segment),
        "end": output.seconds(segment.end_ns, segment),
    }


def _write(
    sink: Sink,
    before: dict[str, Any],
    name: str,
    elements: Sequence[dict[str, Any]],
    after: dict[str, Any],
) -> None:
    """One object, each element of its list in a line."""
    head = json_object(before)[1:-1]
    sink.write("{" + (f"{head}, " if head else "") + f'"{name}": [\n')
    last = len(elements) - 1
    for number, element in enumerate(elements):
        sink.write(json_object(element) + ("\n" if number == last else ",\n"))
    tail = json_object(after)[1:-1]
    sink.write("]" + (f", {tail}" if tail else "") + "}\n")
