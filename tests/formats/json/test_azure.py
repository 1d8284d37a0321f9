"""Azure Speech: batch, real-time detailed and simple, fast transcription."""

import json
from typing import Any

import pytest

import formats
from formats.io.messages import NO_TEXT
from formats.json.azure import iso_duration
from formats.json.messages import AZURE_ORDER, AZURE_STATUS, MASKED_WORDS, PARTIAL
from tests.each_case import each_case
from tests.formats.checks import remark_line, skipped_line
from tests.formats.json.answers import detected, diagnostics, located, read, refusal, shown


def phrase(lexical: str, display: str, offset: float, length: float, **more: Any) -> dict[str, Any]:
    words = lexical.split()
    each = length / max(len(words), 1)
    best = {
        "confidence": 0.9, "lexical": lexical, "itn": display, "maskedITN": display, "display": display,
        "words": [{"word": w, "offsetInTicks": offset + n * each, "durationInTicks": each}
                  for n, w in enumerate(words)],
    }  # fmt: skip
    return {"recognitionStatus": "Success", "channel": 0, "offsetInTicks": offset,
            "durationInTicks": length, "nBest": [best], **more}  # fmt: skip


def batch(*phrases: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"source": "x", "durationInTicks": 10**9, "recognizedPhrases": list(phrases), **more}


def test_lexical_words_are_shown_by_the_display_form() -> None:
    one = phrase(
        "twenty five dollars please doctor smith", "$25, please, Dr. Smith.", 5e6, 6e6, speaker=1
    )
    (segment,) = read("azure", batch(one))
    assert segment.words == ("twenty", "five", "dollars", "please", "doctor", "smith")
    assert shown(segment) == ["$25,", "", "", "please,", "Dr.", "Smith."]
    assert (segment.channel, segment.speaker, segment.confidence) == ("0", "1", 0.9)
    assert (segment.start, segment.end) == (0.5, 1.1)
    assert segment.starts == (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def test_a_display_form_that_shares_no_words_is_a_property() -> None:
    (segment,) = read("azure", batch(phrase("a " * 20, "b " * 20, 0, 1e7)))
    assert segment.displays is None
    assert segment.get("display") == "b " * 20


def test_the_display_form_can_be_written(tmp_path: Any) -> None:
    transcript = read(
        "azure", batch(phrase("on may twenty two thousand one", "On May 20, 2001.", 0, 6e6))
    )
    formats.write(transcript, str(tmp_path / "o.txt"), text_view="display")
    assert (tmp_path / "o.txt").read_text() == "On May 20, 2001.\n"
    formats.write(transcript, str(tmp_path / "o.ctm"), text_view="display")
    assert (tmp_path / "o.ctm").read_text() == (
        "rec 0 0.000 0.100 On\nrec 0 0.100 0.100 May\nrec 0 0.200 0.200 20,\nrec 0 0.400 0.200 2001.\n"
    )


def test_phrases_come_by_channel_in_order_of_time() -> None:
    late, other, early = (
        phrase("late", "Late", 2e7, 1e6), phrase("other", "Other", 1e7, 1e6, channel=1),
        phrase("early", "Early", 0, 1e6),
    )  # fmt: skip
    transcript = read("azure", batch(late, other, early))
    assert [(s.channel, s.words) for s in transcript] == [
        ("0", ("early",)), ("0", ("late",)), ("1", ("other",)),
    ]  # fmt: skip
    assert diagnostics(transcript) == [remark_line(AZURE_ORDER, phrases=1)]


def test_older_files_have_milliseconds_or_durations_only() -> None:
    old = {"recognitionStatus": "Success", "offsetMilliseconds": 1500, "durationMilliseconds": 500,
           "nBest": [{"lexical": "a"}, {"lexical": "eh oh", "confidence": 0.25}]}  # fmt: skip
    iso = {
        "recognitionStatus": "Success",
        "offset": "PT1M2.5S",
        "duration": "PT0.25S",
        "nBest": [{"lexical": "b"}],
    }
    first, second = read("azure", batch(old, iso))
    assert (first.start, first.end, first.nbest) == (1.5, 2.0, ((0.25, ("eh", "oh")),))
    assert (second.start, second.end) == (62.5, 62.75)


def test_ticks_win_over_durations() -> None:
    one = {**phrase("a", "A", 5e6, 5e6), "offset": "PT9S", "duration": "PT9S"}
    assert read("azure", batch(one))[0].start == 0.5


@each_case(
    ("text", "nanoseconds"),
    [("PT0.76S", 760_000_000), ("PT1H2M3.4S", 3_723_400_000_000), ("P1DT1S", 86_401_000_000_000),
     ("PT2M", 120_000_000_000), ("pt0.1234567890S", 123_456_789)],
)  # fmt: skip
def test_durations_are_exact(text: str, nanoseconds: int) -> None:
    assert iso_duration(text) == nanoseconds


def test_statuses_without_speech_are_segments_without_words() -> None:
    silent = {
        "RecognitionStatus": "InitialSilenceTimeout",
        "Offset": 10_000_000,
        "Duration": 5_000_000,
    }
    none = {"RecognitionStatus": "NoMatch", "Offset": 20_000_000, "Duration": 0}
    transcript = read("azure", silent, none)
    assert [(s.words, s.start, s.end) for s in transcript] == [((), 1.0, 1.5), ((), 2.0, 2.0)]
    assert diagnostics(transcript) == [
        remark_line(AZURE_STATUS, path="$", status="InitialSilenceTimeout"),
        remark_line(AZURE_STATUS, path="$[1]", status="NoMatch"),
        remark_line(NO_TEXT, segments=2),
    ]


DETAILED = {
    "Id": "a", "RecognitionStatus": "Success", "Offset": 5000000, "Duration": 5500000, "Channel": 1,
    "DisplayText": "Hello, world.", "SpeakerId": "Guest-1", "NBest": [
        {"Confidence": 0.9, "Lexical": "hello world", "ITN": "x", "MaskedITN": "x", "Display": "Hello, world.",
         "Words": [{"Word": "hello", "Offset": 5000000, "Duration": 2500000},
                   {"Word": "world", "Offset": 7500000, "Duration": 3000000}]},
        {"Confidence": 0.5, "Lexical": "yellow world", "Display": "Yellow world."}],
}  # fmt: skip


@pytest.mark.parametrize("values", [(DETAILED, DETAILED), ([DETAILED, DETAILED],)])
def test_detailed_real_time_results(values: Any) -> None:
    transcript = read("azure", *values)
    assert len(transcript) == 2
    segment = transcript[0]
    assert (segment.words, segment.starts) == (("hello", "world"), (0.5, 0.75))
    assert shown(segment) == ["Hello,", "world."]
    assert (segment.channel, segment.speaker, segment.confidence) == ("1", "Guest-1", 0.9)
    assert segment.nbest == ((0.5, ("yellow", "world")),)
    assert detected(*values) == "azure"


def test_simple_real_time_results_have_display_forms_only() -> None:
    simple = {
        "RecognitionStatus": "Success",
        "DisplayText": "Hello, world.",
        "Offset": 0,
        "Duration": 10_000_000,
    }
    (segment,) = read("azure", simple)
    assert (segment.words, segment.displays, segment.end) == (("Hello,", "world."), None, 1.0)
    assert detected(simple) == "azure"


def test_hypotheses_on_the_way_are_passed_over() -> None:
    partial = {"Text": "he", "Offset": 0, "Duration": 1}
    transcript = read("azure", partial, DETAILED)
    assert diagnostics(transcript) == [remark_line(PARTIAL, count=1)]
    assert refusal("azure", partial) == (
        "<stream>: expected final results, found only results that are not final: 1"
    )


def test_fast_transcription() -> None:
    value = {
        "durationMilliseconds": 3000, "combinedPhrases": [{"channel": 0, "text": "Good morning."}],
        "phrases": [
            {"channel": 0, "speaker": 1, "offsetMilliseconds": 960, "durationMilliseconds": 640,
             "text": "Good morning.", "locale": "en-US", "confidence": 0.9, "words": [
                {"text": "Good", "offsetMilliseconds": 960, "durationMilliseconds": 240},
                {"text": "morning.", "offsetMilliseconds": 1200, "durationMilliseconds": 400}]},
            {"offsetMilliseconds": 2000, "durationMilliseconds": 500, "text": "Bye bye.", "locale": "en-GB"}],
    }  # fmt: skip
    transcript = read("azure", value)
    first, second = transcript
    assert (first.words, first.starts, first.ends) == (
        ("Good", "morning."),
        (0.96, 1.2),
        (1.2, 1.6),
    )
    assert (first.channel, first.speaker, first.confidence) == ("0", "1", 0.9)
    assert (second.words, second.starts, second.start) == (("Bye", "bye."), None, 2.0)
    assert second.get("language") == "en-GB"
    assert transcript.properties == (("duration", "3.000"), ("language", "en-US"))
    assert detected(value) == "azure"
    del value["combinedPhrases"]
    assert detected(value) == "azure"


def test_profanity_masks_are_counted() -> None:
    transcript = read("azure", batch(phrase("you **** fool", "You ****, fool.", 0, 3e7)))
    assert diagnostics(transcript) == [remark_line(MASKED_WORDS, count=1, word="****")]


def test_a_failure_is_no_silence_even_when_lenient() -> None:
    failed = {"RecognitionStatus": "Error"}
    with pytest.raises(formats.FormatError) as caught:
        read("azure", failed, tolerance="lenient")
    message = '$.RecognitionStatus: expected "Success", found "Error"'
    assert str(caught.value) == located(failed, '"Error"', message)
    transcript = read("azure", failed, DETAILED, tolerance="lenient")
    assert len(transcript) == 1
    assert diagnostics(transcript) == [
        skipped_line("AZURE-RECORD", 1, json.dumps(failed).rindex('"Error"') + 1, message)
    ]


def audio_file(name: str, *results: dict[str, Any]) -> dict[str, Any]:
    return {"AudioFileName": name, "AudioFileUrl": f"x/{name}", "AudioLengthInSeconds": 3.5,
            "CombinedResults": [], "SegmentResults": list(results)}  # fmt: skip


def segment_result(text: str, seconds: int, channel: str = "0") -> dict[str, Any]:
    best = {"Confidence": 0.5, "Lexical": text, "Display": text.capitalize() + "."}
    return {"RecognitionStatus": "Success", "ChannelNumber": channel, "SpeakerId": None,
            "Offset": seconds * 10**7, "Duration": 10**7, "OffsetInSeconds": seconds,
            "DurationInSeconds": 1, "NBest": [best, {"Confidence": 0.25, "Lexical": "eh"}]}  # fmt: skip


def test_results_of_the_batch_services_second_version_are_read() -> None:
    value = {"AudioFileResults": [audio_file("a.wav", segment_result("good day", 2))]}
    assert detected(value) == "azure"
    transcript = read("azure", value)
    (segment,) = transcript
    assert (segment.words, shown(segment)) == (("good", "day"), ["Good", "day."])
    assert (segment.recording, segment.channel, segment.speaker) == ("rec", "0", None)
    assert (segment.start, segment.end, segment.confidence) == (2.0, 3.0, 0.5)
    assert segment.nbest == ((0.25, ("eh",)),)
    assert transcript.properties == (("duration", "3.500"),)
    assert diagnostics(transcript) == []


def test_several_files_of_the_second_version_are_several_recordings() -> None:
    files = [
        audio_file("a.wav", segment_result("one", 2)),
        audio_file("b.wav", segment_result("two", 1)),
    ]
    transcript = read("azure", {"AudioFileResults": files})
    assert [(s.recording, s.words) for s in transcript] == [("a", ("one",)), ("b", ("two",))]
    assert diagnostics(transcript) == []
