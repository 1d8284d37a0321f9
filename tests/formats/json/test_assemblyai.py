"""AssemblyAI: words, utterances, sentences, messages of a stream."""

from typing import Any

import pytest

from formats.json.messages import PARTIAL, SILENT, UNIT_LIKELY, WORD_ORPHANS
from tests.formats.checks import remark_line
from tests.formats.json.answers import detected, diagnostics, read, refusal


def word(text: str, start: Any, end: Any, **more: Any) -> dict[str, Any]:
    return {"text": text, "start": start, "end": end, "confidence": 0.5, **more}


def answer(*words: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": "t", "status": "completed", "audio_duration": 10, "language_code": "en_us",
            "words": list(words), **more}  # fmt: skip


def test_words_are_display_forms_timed_in_milliseconds() -> None:
    transcript = read("assemblyai", answer(word("Hello,", 500, 750), word("you.", 750, 1050.0)))
    (segment,) = transcript
    assert (segment.words, segment.displays) == (("Hello,", "you."), None)
    assert (segment.starts, segment.ends) == ((0.5, 0.75), (0.75, 1.05))
    assert (segment.start, segment.speaker) == (None, None)
    assert transcript.properties == (("duration", "10.000"), ("language", "en_us"))


def test_without_utterances_speakers_and_channels_make_segments() -> None:
    words = [word("a", 0, 1, speaker="A", channel="1"), word("x", 0, 2, channel="2"),
             word("b", 1, 2, speaker="B", channel="1")]  # fmt: skip
    transcript = read("assemblyai", answer(*words))
    assert [(s.words, s.channel, s.speaker) for s in transcript] == [
        (("a",), "1", "A"),
        (("b",), "1", "B"),
        (("x",), "2", None),
    ]


def test_the_words_of_utterances_count_once() -> None:
    words = [word("a", 0, 100, speaker="A"), word("b", 100, 200, speaker="A"), word("c", 300, 400, speaker="B"),
             word("d", 900, 950, speaker="B")]  # fmt: skip
    utterances = [
        {"speaker": "A", "text": "a b", "start": 0, "end": 250, "confidence": 0.75, "words": words[:2]},
        {"speaker": "B", "text": "c", "start": 300, "end": 400, "confidence": 0.5, "words": words[2:3]},
    ]  # fmt: skip
    transcript = read("assemblyai", answer(*words, utterances=utterances))
    assert [(s.words, s.speaker, s.start, s.end, s.confidence) for s in transcript] == [
        (("a", "b"), "A", 0.0, 0.25, 0.75),
        (("c",), "B", 0.3, 0.4, 0.5),
        (("d",), "B", 0.9, 0.95, None),
    ]
    assert diagnostics(transcript) == [remark_line(WORD_ORPHANS, words=1)]


@pytest.mark.parametrize("part", ["sentences", "paragraphs"])
def test_exports_of_sentences_and_paragraphs(part: str) -> None:
    parts = [
        {"text": "Hello you.", "start": 250, "end": 750, "confidence": 0.9, "speaker": "A",
         "words": [word("Hello", 250, 500), word("you.", 500, 750)]},
        {"text": "Good.", "start": 900, "end": 1200, "confidence": 0.8, "words": []},
    ]  # fmt: skip
    value = {"id": "t", part: parts, "confidence": 0.9, "audio_duration": 2}
    first, second = read("assemblyai", value)
    assert (first.words, first.speaker, first.start, first.end) == (
        ("Hello", "you."),
        "A",
        0.25,
        0.75,
    )
    assert (second.words, second.starts, second.start) == (("Good.",), None, 0.9)
    assert detected(value) == "assemblyai"


def test_text_without_words_has_no_times() -> None:
    (segment,) = read("assemblyai", answer(text="hello you", confidence=0.5))
    assert (segment.words, segment.starts, segment.confidence) == (("hello", "you"), None, 0.5)


def test_times_beyond_the_audio_name_the_likely_unit() -> None:
    transcript = read("assemblyai", answer(word("a", 9_000_000, 9_500_000)))
    assert diagnostics(transcript) == [
        remark_line(UNIT_LIKELY[1000], end="9500.000", duration="10.000")
    ]


def test_messages_of_streams_give_their_final_transcripts() -> None:
    values: list[dict[str, Any]] = [
        {"message_type": "SessionBegins"}, {"message_type": "PartialTranscript", "text": "he", "words": []},
        {"message_type": "FinalTranscript", "text": "Hello.", "audio_start": 0, "audio_end": 900,
         "confidence": 0.5, "words": [word("Hello.", 200, 800)]},
        {"type": "Turn", "end_of_turn": False, "transcript": "g"},
        {"type": "Turn", "end_of_turn": True, "transcript": "good day",
         "words": [word("good", 1000, 1200, word_is_final=True), word("day", 1200, 1500)]},
        {"type": "Turn", "end_of_turn": True, "transcript": ""},
    ]  # fmt: skip
    transcript = read("assemblyai", *values)
    assert [(s.words, s.start, s.end) for s in transcript] == [
        (("Hello.",), 0.0, 0.9),
        (("good", "day"), 1.0, 1.5),
    ]
    assert diagnostics(transcript) == [
        remark_line(PARTIAL, count=2),
        remark_line(SILENT, results=1),
    ]
    assert {detected(v) for v in values} == {"assemblyai"}
    assert refusal("assemblyai", values[1]) == (
        "<stream>: expected final results, found only results that are not final: 1"
    )
