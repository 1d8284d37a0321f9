"""Deepgram: channels, utterances, live messages."""

from typing import Any

from formats.json.messages import (
    BEYOND_AUDIO,
    DEEPGRAM_CHANNEL,
    DEEPGRAM_NBEST,
    PARTIAL,
    SILENT,
    UNIT_LIKELY,
    WORD_ORDER,
    WORD_ORPHANS,
    WORD_OVERLAP,
)
from tests.formats.checks import remark_line
from tests.formats.json.answers import detected, diagnostics, read, refusal, shown


def word(text: str, start: float, end: float, **more: Any) -> dict[str, Any]:
    return {"word": text.strip(".,?").lower(), "start": start, "end": end, "confidence": 0.5,
            "punctuated_word": text, **more}  # fmt: skip


def channel(*words: dict[str, Any], **more: Any) -> dict[str, Any]:
    text = " ".join(w["punctuated_word"] for w in words)
    return {"alternatives": [{"transcript": text, "confidence": 0.9, "words": list(words)}], **more}


def answer(*channels: dict[str, Any], **results: Any) -> dict[str, Any]:
    metadata = {"request_id": "r", "duration": 10.0, "channels": len(channels)}
    return {"metadata": metadata, "results": {"channels": list(channels), **results}}


def test_words_by_channel_with_their_display_forms() -> None:
    transcript = read(
        "deepgram",
        answer(channel(word("Hello,", 0.5, 1), word("you.", 1, 2), detected_language="en")),
    )
    (segment,) = transcript
    assert (segment.words, shown(segment)) == (("hello", "you"), ["Hello,", "you."])
    assert (segment.channel, segment.speaker, segment.start) == ("0", None, None)
    assert (segment.starts, segment.confidences, segment.confidence) == (
        (0.5, 1.0),
        (0.5, 0.5),
        0.9,
    )
    assert transcript.properties == (("duration", "10.000"), ("language", "en"))


def test_speakers_are_numbered_per_channel_where_there_are_several() -> None:
    one = channel(word("a", 0, 1, speaker=0), word("b", 1, 2, speaker=1))
    two = channel(word("c", 0, 1, speaker=0))
    assert [s.speaker for s in read("deepgram", answer(one, two))] == ["ch0:0", "ch0:1", "ch1:0"]
    assert [s.speaker for s in read("deepgram", answer(one))] == ["0", "1"]


def test_the_words_of_utterances_count_once() -> None:
    words = [word("a", 0, 1, speaker=0), word("b.", 1, 2, speaker=0), word("c", 3, 4, speaker=1)]
    utterances = [
        {"start": 0, "end": 2.2, "confidence": 0.7, "channel": 0, "transcript": "a b.", "words": words[:2], "speaker": 0, "id": "x"},
        {"start": 3, "end": 4, "confidence": 0.6, "channel": 0, "transcript": "c", "words": words[2:], "speaker": 1},
    ]  # fmt: skip
    transcript = read("deepgram", answer(channel(*words), utterances=utterances))
    assert [(shown(s), s.speaker, s.start, s.end, s.confidence) for s in transcript] == [
        (["a", "b."], "0", 0.0, 2.2, 0.7),
        (["c"], "1", 3.0, 4.0, 0.6),
    ]
    assert transcript.diagnostics == ()


def test_utterances_without_words_own_what_begins_in_them() -> None:
    words = [word("a", 0, 1), word("b", 1, 2), word("c", 5, 6)]
    utterances = [{"start": 0, "end": 2, "channel": 0}, {"start": 7, "end": 8, "channel": 1}]
    transcript = read("deepgram", answer(channel(*words), utterances=utterances))
    assert [(s.words, s.start) for s in transcript] == [(("a", "b"), 0.0), (("c",), 5.0)]
    assert diagnostics(transcript) == [
        remark_line(WORD_ORPHANS, words=1),
        remark_line(DEEPGRAM_CHANNEL, count=1),
    ]


def test_overlapping_utterances_share_the_words_by_their_times() -> None:
    a, b, c = word("a", 0, 2, speaker=0), word("b", 1, 1.5, speaker=1), word("c", 2, 3, speaker=0)
    utterances = [
        {"start": 0, "end": 3, "channel": 0, "words": [a, c]}, {"start": 1, "end": 1.5, "channel": 0, "words": [b]},
    ]  # fmt: skip
    transcript = read("deepgram", answer(channel(a, b, c), utterances=utterances))
    assert [(s.words, s.speaker, s.start, s.end) for s in transcript] == [
        (("a",), "0", 0.0, 2.0),
        (("b",), "1", 1.0, 1.5),
        (("c",), "0", 2.0, 3.0),
    ]


def test_without_words_the_transcript_is_cut_and_others_are_kept() -> None:
    alternatives = [
        {"transcript": "a b", "confidence": 0.5},
        {"transcript": "ab", "confidence": 0.25},
    ]
    (segment,) = read("deepgram", answer({"alternatives": alternatives}))
    assert (segment.words, segment.starts, segment.nbest) == (("a", "b"), None, ((0.25, ("ab",)),))


def test_hypotheses_of_a_channel_cut_into_utterances_are_counted() -> None:
    one = channel(word("a", 0, 1))
    one["alternatives"].append({"transcript": "eh"})
    transcript = read("deepgram", answer(one, utterances=[{"start": 0, "end": 1, "channel": 0}]))
    assert diagnostics(transcript) == [remark_line(DEEPGRAM_NBEST, count=1)]


def live(final: bool, start: float, *words: dict[str, Any], of: int = 1) -> dict[str, Any]:
    return {"type": "Results", "channel_index": [0, of], "start": start, "duration": 1.5, "is_final": final,
            "speech_final": False, "channel": channel(*words)}  # fmt: skip


def test_live_messages_give_their_final_results() -> None:
    values = [
        {"type": "Metadata", "request_id": "r"}, live(False, 0, word("he", 0, 1)),
        live(True, 0, word("Hello", 0, 1, speaker=2)), live(True, 1.5),
        live(True, 3, word("you", 3, 4, speaker=0), of=2), {"type": "UtteranceEnd"},
    ]  # fmt: skip
    transcript = read("deepgram", *values)
    assert [(s.words, s.channel, s.speaker, s.start, s.end) for s in transcript] == [
        (("hello",), "0", "2", 0.0, 1.5),
        (("you",), "0", "ch0:0", 3.0, 4.5),
    ]
    assert diagnostics(transcript) == [
        remark_line(PARTIAL, count=1),
        remark_line(SILENT, results=1),
    ]
    assert detected(*values) == detected(*values[1:]) == "deepgram"
    assert refusal("deepgram", values[1]) == (
        "<stream>: expected final results, found only results that are not final: 1"
    )


def test_times_beyond_the_audio_name_the_likely_unit() -> None:
    transcript = read("deepgram", answer(channel(word("a", 500, 9900))))
    assert diagnostics(transcript) == [
        remark_line(UNIT_LIKELY[1000], end="9900.000", duration="10.000")
    ]
    transcript = read("deepgram", answer(channel(word("a", 5, 13))))
    assert diagnostics(transcript) == [remark_line(BEYOND_AUDIO, end="13.000", duration="10.000")]


def test_overlaps_and_steps_back_are_noted() -> None:
    words = word("a", 0, 2), word("b", 1, 3), word("c", 0.5, 0.75)
    assert diagnostics(read("deepgram", answer(channel(*words)))) == [
        remark_line(WORD_OVERLAP, count=1),
        remark_line(WORD_ORDER, count=1),
    ]
