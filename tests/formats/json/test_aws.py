"""AWS Transcribe: batch, Call Analytics, events, and what is written."""

import json
from typing import Any

import pytest

from formats.json import aws_batch
from formats.json.messages import (
    AWS_END,
    AWS_ITEMS,
    AWS_SPEAKER,
    AWS_SPEAKERS,
    AWS_TWICE,
    MASKED_WORDS,
    PARTIAL,
    WORD_TIMES,
)
from formats.schema import compiled
from tests.formats.checks import remark_line, skipped_line
from tests.formats.json.answers import detected, diagnostics, read, refusal, shown


def word(text: str, start: str, end: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "pronunciation", "start_time": start, "end_time": end,
        "alternatives": [{"confidence": "0.5", "content": text}], **more,
    }  # fmt: skip


def mark(text: str, **more: Any) -> dict[str, Any]:
    alternatives = [{"confidence": "0.0", "content": text}]
    return {"type": "punctuation", "alternatives": alternatives, **more}


def job(items: list[dict[str, Any]], **results: Any) -> dict[str, Any]:
    return {
        "jobName": "j", "accountId": "1", "status": "COMPLETED",
        "results": {"transcripts": [{"transcript": "x"}], "items": items, **results},
    }  # fmt: skip


def turn(speaker: str, *times: tuple[str, str]) -> dict[str, Any]:
    items = [{"start_time": s, "end_time": e, "speaker_label": speaker} for s, e in times]
    return {
        "start_time": times[0][0], "end_time": times[-1][1], "speaker_label": speaker,
        "items": items,
    }  # fmt: skip


def test_marks_belong_to_the_display_of_the_word_before() -> None:
    items = [mark("¿"), word("Qué", "0.5", "0.75"), mark("?"), word("no", "1", "1.5")]
    (segment,) = read("aws", job(items))
    assert segment.words == ("Qué", "no")
    assert segment.displays == ("¿Qué?", None)
    assert segment.starts == (0.5, 1.0)
    assert segment.confidences == (0.5, 0.5)
    assert (segment.start, segment.speaker, segment.channel) == (None, None, None)


def test_confidences_may_be_missing_or_null_or_have_an_exponent() -> None:
    items = [word(text, "1", "2") for text in "abc"]
    items[0]["alternatives"] = [{"content": "a"}]
    items[1]["alternatives"] = [{"content": "b", "confidence": None}]
    items[2]["alternatives"] = [{"content": "c", "confidence": "5.0E-4"}]
    (segment,) = read("aws", job(items))
    assert segment.confidences == (None, None, 0.0005)


def test_speakers_are_joined_by_start_then_by_the_nearest_middle() -> None:
    items = [word("a", "0.5", "0.7"), word("b", "0.71", "1.0"), word("c", "2.0", "2.5")]
    labels = {
        "speakers": 2,
        "segments": [turn("spk_0", ("0.5", "0.7"), ("0.7", "1.0")), turn("1", ("2.0", "2.5"))],
    }
    first, second = read("aws", job(items, speaker_labels=labels))
    assert (first.words, first.speaker, first.start, first.end) == (("a", "b"), "spk_0", 0.5, 1.0)
    assert (second.words, second.speaker) == (("c",), "1")
    transcript = read("aws", job(items, speaker_labels=labels))
    assert diagnostics(transcript) == [remark_line(AWS_SPEAKER, count=1)]


def test_the_speaker_an_item_names_wins() -> None:
    items = [word("a", "0.5", "0.7", speaker_label="spk_1"), word("b", "0.7", "1.0")]
    labels = {"speakers": 1, "segments": [turn("spk_0", ("0.5", "0.7"), ("0.7", "1.0"))]}
    transcript = read("aws", job(items, speaker_labels=labels))
    assert [(s.words, s.speaker) for s in transcript] == [(("a",), "spk_1"), (("b",), None)]


def test_overlapping_turns_that_repeat_items_count_once() -> None:
    items = [word("a", "0.5", "0.7"), word("b", "0.7", "1.0")]
    turns = [turn("spk_0", ("0.5", "0.7"), ("0.7", "1.0")), turn("spk_1", ("0.7", "1.0"))]
    transcript = read("aws", job(items, speaker_labels={"speakers": 2, "segments": turns}))
    assert [(s.words, s.speaker) for s in transcript] == [(("a", "b"), "spk_0")]
    assert diagnostics(transcript) == [remark_line(AWS_SPEAKERS, count=1)]


def test_of_channels_and_their_union_only_the_channels_are_read() -> None:
    first, second = word("a", "0.5", "0.7"), word("b", "0.6", "1.0")
    channels = [
        {"channel_label": "ch_0", "items": [first, mark(".")]},
        {"channel_label": "ch_1", "items": [second]},
    ]
    labels = {"channels": channels, "number_of_channels": 2}
    transcript = read("aws", job([first, mark("."), second], channel_labels=labels))
    assert [(s.channel, shown(s)) for s in transcript] == [("ch_0", ["a."]), ("ch_1", ["b"])]


def test_other_hypotheses_stand_beside_their_segment() -> None:
    items = [word("a", "0.5", "0.7"), mark("."), word("b", "1.5", "1.7")]
    other = [word("o", "0.5", "0.6"), word("h", "0.6", "0.7"), mark(".")]
    segments = [
        {"start_time": "0.4", "end_time": "0.8", "alternatives": [
            {"transcript": "a.", "items": items[:2]}, {"transcript": "o h.", "items": other},
            {"transcript": "uh oh"}]},
        {"start_time": "1.4", "end_time": "1.8", "alternatives": [{"transcript": "b", "items": items[2:]}]},
    ]  # fmt: skip
    first, second = read("aws", job(items, segments=segments))
    assert (first.words, first.start, first.end) == (("a",), 0.4, 0.8)
    assert first.nbest == ((None, ("o", "h")), (None, ("uh", "oh")))
    assert (second.words, second.start, second.nbest) == (("b",), 1.4, ())


def test_audio_segments_own_their_items_and_the_rest_is_kept() -> None:
    items = [word("a", "0.5", "0.7", id=0), mark(",", id=1), word("b", "0.7", "1.0", id=2),
             word("c", "2", "3", id=3, language_code="de-DE")]  # fmt: skip
    audio = [
        {"id": 0, "transcript": "a,", "start_time": "0.4", "end_time": "0.7",
         "speaker_label": "spk_0", "items": [0, 1]},
        {"id": 1, "transcript": "a, b", "start_time": "0.5", "end_time": "1.0", "items": [0, 2]},
    ]  # fmt: skip
    span = {
        "start_time": "0.4",
        "end_time": "0.7",
        "alternatives": [{"transcript": "a"}, {"transcript": "eh"}],
    }
    transcript = read(
        "aws", job(items, audio_segments=audio, segments=[span], language_code="en-US")
    )
    first, second, third = transcript
    assert (shown(first), first.speaker, first.start) == (["a,"], "spk_0", 0.4)
    assert first.nbest == ((None, ("eh",)),)
    assert (second.words, second.start, second.end) == (("b",), 0.5, 1.0)
    assert (third.words, third.start) == (("c",), None)
    assert transcript.properties == (("language", "en-US"),)
    assert diagnostics(transcript) == [
        remark_line(AWS_TWICE, count=1),
        remark_line(AWS_ITEMS, count=1),
    ]


def test_missing_times_are_placed_between_their_neighbours() -> None:
    items = [word("a", "0.5", "0.7"), word("b", "0", "0"), word("c", "0.9", "1.0")]
    del items[1]["start_time"], items[1]["end_time"]
    transcript = read("aws", job(items))
    assert transcript[0].starts == (0.5, 0.7, 0.9)
    assert transcript[0].interpolated == (False, True, False)
    assert diagnostics(transcript) == [remark_line(WORD_TIMES, count=1)]


def test_masks_stay_words_and_are_counted() -> None:
    items = [word("[PII]", "0", "1"), word("****", "1", "2"), word("[NAME]", "2", "3")]
    transcript = read("aws", job(items))
    assert transcript[0].words == ("[PII]", "****", "[NAME]")
    assert diagnostics(transcript) == [remark_line(MASKED_WORDS, count=3, word="[PII]")]


def test_silence_is_read_when_lenient() -> None:
    transcript = read("aws", job([], transcripts=[]), tolerance="lenient")
    assert transcript.segments == ()
    assert [d.code for d in transcript.diagnostics] == ["EMPTY-RESULT"]


def test_a_bad_item_is_passed_over_when_lenient() -> None:
    bad = job([word("a", "1", "x"), word("b", "2", "3")])
    transcript = read("aws", bad, tolerance="lenient")
    assert transcript[0].words == ("b",)
    message = '$.results.items[0].end_time: expected a number, found "x"'
    column = json.dumps(bad).rindex('"x"') + 1
    assert diagnostics(transcript) == [skipped_line("AWS-RECORD", 1, column, message)]


def test_call_analytics_has_milliseconds_and_roles() -> None:
    value = {
        "JobStatus": "COMPLETED", "LanguageCode": "en-US",
        "Participants": [{"ParticipantId": "C1", "ParticipantRole": "CUSTOMER"}],
        "Transcript": [
            {"ParticipantId": "A1", "ParticipantRole": "AGENT", "BeginOffsetMillis": 500,
             "EndOffsetMillis": 1050, "Content": "Hello there.", "Items": [
                {"BeginOffsetMillis": 500, "EndOffsetMillis": 750, "Content": "Hello",
                 "Confidence": "0.98", "Type": "pronunciation"},
                {"BeginOffsetMillis": 750, "EndOffsetMillis": 1050, "Content": "there",
                 "Confidence": "0.5", "Type": "pronunciation"},
                {"Content": ".", "Confidence": "0.0", "Type": "punctuation"}]},
            {"ParticipantId": "C1", "BeginOffsetMillis": 1100, "EndOffsetMillis": 1900,
             "Content": "Good morning."}],
    }  # fmt: skip
    first, second = read("aws", value)
    assert (first.speaker, first.start, first.end) == ("AGENT", 0.5, 1.05)
    assert (first.starts, shown(first)) == ((0.5, 0.75), ["Hello", "there."])
    assert first.get("participant") == "A1"
    assert (second.speaker, second.words, second.starts) == ("CUSTOMER", ("Good", "morning."), None)
    assert detected(value) == "aws"


def event(partial: bool, start: float, text: str, **more: Any) -> dict[str, Any]:
    items = [{"Type": "pronunciation", "StartTime": start, "EndTime": start + 0.5, "Content": text,
              "Confidence": 0.5, "Speaker": "0"},
             {"Type": "punctuation", "StartTime": start, "EndTime": start, "Content": "."}]  # fmt: skip
    result = {"ResultId": "r", "StartTime": start, "EndTime": start + 1, "IsPartial": partial,
              "Alternatives": [{"Transcript": text + ".", "Items": items}], **more}  # fmt: skip
    return {"Transcript": {"Results": [result]}}


def test_events_of_a_stream_give_their_final_results() -> None:
    events = [
        event(True, 0.5, "he"), event(False, 0.5, "hello", ChannelId="ch_0"),
        {"TranscriptEvent": event(False, 2, "good")},
        {"UtteranceEvent": {"IsPartial": True, "Transcript": "b"}},
        {"UtteranceEvent": {"IsPartial": False, "ParticipantRole": "AGENT", "BeginOffsetMillis": 5000,
                            "EndOffsetMillis": 6000, "Transcript": "bye now"}},
    ]  # fmt: skip
    for values in (events, [events]):
        transcript = read("aws", *values)
        assert [(s.words, s.speaker, s.channel, s.start, s.end) for s in transcript] == [
            (("hello",), "0", "ch_0", 0.5, 1.5),
            (("good",), "0", None, 2.0, 3.0),
            (("bye", "now"), "AGENT", None, 5.0, 6.0),
        ]
        assert transcript[0].displays == ("hello.",)
        assert diagnostics(transcript) == [remark_line(PARTIAL, count=2)]
    assert detected(events[0]) == "aws"


def test_an_item_that_ends_slightly_before_it_begins_ends_where_it_begins() -> None:
    transcript = read("aws", job([word("good", "0.5", "0.46"), word("day", "0.75", "1.0")]))
    assert (transcript[0].words, transcript[0].starts) == (("good", "day"), (0.5, 0.75))
    assert transcript[0].ends == (0.5, 1.0)
    assert diagnostics(transcript) == [remark_line(AWS_END, count=1)]
    assert "expected an end not before its start" in refusal(
        "aws", job([word("good", "0.5", "0.25"), word("day", "0.75", "1.0")])
    )


LABELS = {
    "speakers": 2,
    "segments": [turn("spk_0", ("0.5", "0.7"), ("0.7", "1.0")), turn("spk_1", ("2.0", "2.5"))],
}
ITEMS = [word("a", "0.5", "0.7"), mark(","), word("b", "0.7", "1.0"), word("c", "2.1", "2.4")]
NUMBERED = [{**item, "id": number} for number, item in enumerate(ITEMS)]


@pytest.mark.parametrize(
    "results",
    [
        job(ITEMS, speaker_labels=LABELS),
        job([{**item, "speaker_label": "spk_1"} for item in ITEMS], speaker_labels=LABELS),
        job(NUMBERED, audio_segments=[{"items": [0, 1]}, {"items": [1, "2", 2], "start_time": "1"}]),
        job(NUMBERED, channel_labels={"channels": [
            {"channel_label": "ch_0", "items": NUMBERED},
            {"channel_label": "ch_1", "items": ITEMS},
        ]}),
    ],
)  # fmt: skip
def test_items_read_in_columns_are_those_read_one_by_one(
    results: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    read_twice = []
    for columns in (compiled("members_named"), None):
        monkeypatch.setattr(aws_batch, "members_named", columns)
        transcript = read("aws", results, tolerance="lenient")
        read_twice.append((list(transcript), diagnostics(transcript)))
    assert read_twice[0] == read_twice[1]
    assert [w for segment in read_twice[0][0] for w in segment.words][:3] == ["a", "b", "c"]


def bedrock(*indices: list[int]) -> dict[str, Any]:
    texts = ["Hello", ".", "Bye", "now"]
    items: list[dict[str, object]] = [{"item_index": n, "content": t} for n, t in enumerate(texts)]
    for n in (0, 2, 3):
        items[n] |= {"start_timestamp_millis": 500 * n, "end_timestamp_millis": 500 * n + 250}
    segments = [
        {"start_timestamp_millis": 1000 * n, "end_timestamp_millis": 1000 * n + 900, "text": "Hi.",
         "speaker": {"speaker_label": f"spk_{n}"}, "channel": {"channel_label": f"ch_{n}"},
         "audio_item_indices": numbers, "language": "EN"}
        for n, numbers in enumerate(indices)
    ]  # fmt: skip
    metadata = {"semantic_modality": "AUDIO", "dominant_asset_language": "EN"}
    document = {"metadata": metadata, "audio_items": items, "audio_segments": segments}
    return document


def test_bedrock_numbers_the_items_of_its_segments() -> None:
    document = bedrock([0, 1], [2, 3])
    assert detected(document) == "aws"
    first, second = transcript = read("aws", document)
    assert (first.words, first.displays, first.starts) == (("Hello",), ("Hello.",), (0.0,))
    assert (second.words, second.speaker, second.channel) == (("Bye", "now"), "spk_1", "ch_1")
    assert (second.start, second.end) == (1.0, 1.9)
    assert transcript.properties == (("language", "en"),)


def test_bedrock_items_of_no_segment_are_kept_and_texts_without_items_read() -> None:
    transcript = read("aws", bedrock([0, 1], []))
    assert [segment.words for segment in transcript] == [("Hello",), ("Hi.",), ("Bye", "now")]
    assert "AWS-ITEMS" in [d.code for d in transcript.diagnostics]
    assert refusal("aws", bedrock([7])).endswith(
        "expected the item_index of one of the audio_items, found 7"
    )
