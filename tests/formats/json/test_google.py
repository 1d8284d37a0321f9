"""Google Speech-to-Text: versions, wrappers, durations, diarization, readings."""

from typing import Any

import pytest

from formats.json.messages import (
    GOOGLE_SPEAKERS,
    GOOGLE_WORDS,
    NBEST_TURNS,
    PARTIAL,
    SILENT,
    WORD_TIMES,
)
from tests.each_case import each_case
from tests.formats.checks import remark_line
from tests.formats.json.answers import detected, diagnostics, read, refusal


def word(text: str, start: Any = None, end: Any = None, **more: Any) -> dict[str, Any]:
    times = {"startTime": start, "endTime": end}
    return {"word": text, **{k: v for k, v in times.items() if v is not None}, **more}


def result(text: str, *words: dict[str, Any], **more: Any) -> dict[str, Any]:
    best: dict[str, Any] = {"transcript": text, "confidence": 0.5}
    return {"alternatives": [{**best, "words": list(words)} if words else best], **more}


@each_case(
    "half",
    ["0.500s", ".5s", {"nanos": 500000000}, {"seconds": "0", "nanos": 500000000}, 0.5, "0.5"],
)
def test_durations_are_written_in_many_ways(half: Any) -> None:
    words = word("a", half, {"seconds": 2}), word("b", {"seconds": "2"}, "3s")
    transcript = read("google", {"results": [result("a b", *words, resultEndTime="3.1s")]})
    assert (transcript[0].starts, transcript[0].ends) == ((0.5, 2.0), (2.0, 3.0))
    assert (transcript[0].start, transcript[0].end) == (0.5, 3.0)


@pytest.mark.parametrize("names", [("startOffset", "endOffset"), ("start_time", "end_time"), ("start_offset", "end_offset")])  # fmt: skip
def test_version_2_and_client_libraries_name_times_otherwise(names: tuple[str, str]) -> None:
    first = {"word": "a", names[0]: "0.500s", names[1]: "0.750s"}
    value = {"results": [{"alternatives": [{"transcript": "a", "words": [first]}],
                          "language_code": "en-us", "channel_tag": 2, "result_end_offset": "1s"}]}  # fmt: skip
    transcript = read("google", value)
    assert (transcript[0].starts, transcript[0].channel) == ((0.5,), "2")
    assert transcript.properties == (("language", "en-us"),)
    assert detected(value) == "google"


def test_a_missing_start_is_zero_for_the_first_word_only() -> None:
    value = {"results": [
        result("a b c", word("a", None, "0.4s"), word("b"), word("c", "0.8s", "1s"), resultEndTime="1s"),
        result("d e", word("d", None, "1.5s"), word("e", "1.5s", "2s"), resultEndTime="2s")]}  # fmt: skip
    transcript = read("google", value)
    assert transcript[0].starts == (0.0, 0.4, 0.8)
    assert transcript[0].interpolated == (False, True, False)
    assert transcript[1].starts == (1.5, 1.5)
    assert transcript[1].interpolated == (True, False)
    assert diagnostics(transcript) == [remark_line(WORD_TIMES, count=2)]


def test_without_words_a_result_lies_behind_the_one_before_in_its_channel() -> None:
    value = {"results": [
        result("one", resultEndTime="2s", channelTag=1), result("two", resultEndTime="3s", channelTag=2),
        result("three four", resultEndTime="5s", channelTag=1), result("five", channelTag=1)]}  # fmt: skip
    transcript = read("google", value)
    assert [(s.words, s.channel, s.start, s.end) for s in transcript] == [
        (("one",), "1", 0.0, 2.0),
        (("two",), "2", 0.0, 3.0),
        (("three", "four"), "1", 2.0, 5.0),
        (("five",), "1", None, None),
    ]
    assert [s.confidence for s in transcript] == [0.5] * 4


def test_speakers_of_the_last_result_are_taken_and_its_words_not_counted_twice() -> None:
    words = [word("a", "0.5s", "1s"), word("b", "1s", "2s"), word("c", "3s", "4s")]
    tagged = [{**w, "speakerTag": tag} for w, tag in zip(words, (1, 2, 2), strict=True)]
    value = {"results": [result("a b", *words[:2]), result("c", *words[2:]), result("", *tagged)]}
    transcript = read("google", value)
    assert [(s.words, s.speaker, s.start) for s in transcript] == [
        (("a",), "1", 0.5),
        (("b",), "2", 1.0),
        (("c",), "2", 3.0),
    ]
    assert diagnostics(transcript) == [remark_line(GOOGLE_SPEAKERS, words=3)]


def test_a_last_result_that_repeats_in_other_words_is_the_only_one_read() -> None:
    words = [word("a", "0.5s", "1s"), word("b", "1s", "2s")]
    tagged = [{**word("ab", "0.5s", "2s"), "speakerTag": 1}]
    transcript = read("google", {"results": [result("a b", *words), result("", *tagged)]})
    assert [(s.words, s.speaker) for s in transcript] == [(("ab",), "1")]
    assert diagnostics(transcript) == [remark_line(GOOGLE_WORDS, words=1, expected=2)]


def tagged(*words: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**w, "speakerTag": number % 2 + 1} for number, w in enumerate(words)]


def test_the_last_result_repeats_all_words_before_its_own_and_none_is_doubled() -> None:
    words = [word("a", "0.5s", "1s"), word("b", "1s", "2s"), word("c", "3s", "4s")]
    again = [dict(words[0], word="A"), *words[1:]]
    value = {
        "results": [result("a", words[0]), result("b", words[1]), result("c", *tagged(*again))]
    }
    transcript = read("google", value)
    assert [(s.words, s.speaker, s.end) for s in transcript] == [
        (("a",), "1", 1.0),
        (("b",), "2", 2.0),
        (("c",), "1", 4.0),
    ]


def test_every_result_of_a_stream_repeats_what_was_said_and_no_word_is_doubled() -> None:
    words = tagged(word("a", "0.5s", "1s"), word("b", "1s", "2s"), word("c", "3s", "4s"))
    later = [dict(w, speakerTag=3) for w in words]
    value = {"results": [result("a", words[0]), result("b", *words[:2]), result("c", *later)]}
    transcript = read("google", value)
    assert [(s.words, s.speaker) for s in transcript] == [
        (("a",), "3"),
        (("b",), "3"),
        (("c",), "3"),
    ]


def test_a_repetition_gives_words_without_times_their_times_and_does_not_double_them() -> None:
    again = tagged(word("a", "0.5s", "1s"), word("b", "1s", "2s"))
    transcript = read("google", {"results": [result("a, b."), result("", *again)]})
    assert [(s.words, s.speaker, s.start) for s in transcript] == [
        (("a",), "1", 0.5),
        (("b",), "2", 1.0),
    ]


def test_words_with_speakers_that_begin_anew_are_no_repetition_and_none_is_left_out() -> None:
    first = result("a b", *tagged(word("a", "0.5s", "1s"), word("b", "1s", "2s")))
    second = result("c", *tagged(word("c", "0.2s", "1s")))
    alike = result("a", *tagged(word("a")))
    for given in ([first, second], [alike, alike]):
        transcript = read("google", {"results": given})
        assert [w for s in transcript for w in s.words] == [
            w["word"] for r in given for w in r["alternatives"][0]["words"]
        ]


def test_a_repetition_concerns_its_own_channel_only() -> None:
    first = result("a", word("a", "1s", "2s"), channelTag=1)
    other = result("b", *tagged(word("b", "0.5s", "1s")), channelTag=2)
    transcript = read("google", {"results": [first, other]})
    assert [(s.words, s.channel) for s in transcript] == [(("a",), "1"), (("b",), "2")]


def test_a_last_result_of_new_words_is_read_like_the_others() -> None:
    first = result("a", word("a", "0.5s", "1s", speakerLabel="1"))
    second = result("b", word("b", "1s", "2s", speakerLabel="2"))
    transcript = read("google", {"results": [first, second]})
    assert [(s.words, s.speaker) for s in transcript] == [(("a",), "1"), (("b",), "2")]


def test_confidence_zero_is_none_and_other_hypotheses_are_kept() -> None:
    one = result("a", word("a", "0s", "1s", confidence=0.0))
    one["alternatives"][0]["confidence"] = 0.0
    one["alternatives"].append({"transcript": "eh oh", "confidence": 0.25})
    (segment,) = read("google", {"results": [one]})
    assert (segment.confidence, segment.confidences) == (None, None)
    assert segment.nbest == ((0.25, ("eh", "oh")),)


def test_hypotheses_of_several_speakers_are_counted() -> None:
    one = result("a b", word("a", "0s", "1s", speakerTag=1), word("b", "1s", "2s", speakerTag=2))
    one["alternatives"].append({"transcript": "eh"})
    transcript = read("google", {"results": [one]})
    assert diagnostics(transcript) == [remark_line(NBEST_TURNS, count=1)]


def test_japanese_readings_are_a_property() -> None:
    one = result("漢字 です", word("漢字|カンジ", "0s", "1s"), word("a|b", "1s", "2s"))
    (segment,) = read("google", {"results": [one]})
    assert segment.words == ("漢字", "a|b")
    assert segment.get("reading") == "カンジ"


def test_other_languages_than_the_first_are_properties_of_segments() -> None:
    results = [result("a", languageCode="en-us"), result("b", languageCode="de-de")]
    transcript = read("google", {"results": results})
    assert transcript.properties == (("language", "en-us"),)
    assert [s.get("language") for s in transcript] == [None, "de-de"]


def test_an_operation_wraps_its_answer() -> None:
    value = {
        "name": "1",
        "metadata": {"@type": "x"},
        "done": True,
        "response": {"results": [result("a")]},
    }
    assert read("google", value)[0].words == ("a",)
    assert detected({**value, "response": {"results": [result("a", languageCode="x")]}}) == "google"


def test_several_files_are_several_recordings() -> None:
    files = {
        "gs://b/monday.wav": {"transcript": {"results": [result("a")]}},
        "gs://b/tuesday.wav": {"inlineResult": {"transcript": {"results": [result("b")]}}},
    }
    for value in ({"results": files}, {"done": True, "response": {"results": files}}):
        transcript = read("google", value)
        assert [(s.recording, s.words) for s in transcript] == [
            ("monday", ("a",)),
            ("tuesday", ("b",)),
        ]
        assert detected(value) == "google"


def test_files_of_one_stem_keep_their_whole_names() -> None:
    one = {"transcript": {"results": [result("a")]}}
    transcript = read("google", {"results": {"gs://a/x.wav": one, "gs://b/x.wav": one}})
    assert [s.recording for s in transcript] == ["gs://a/x.wav", "gs://b/x.wav"]


def test_interim_results_of_a_stream_are_passed_over() -> None:
    interim = [result("he", stability=0.9), result("hel", isFinal=False)]
    values = [
        {"results": interim},
        {"results": [result("hello", isFinal=True, resultEndTime="1s")]},
    ]
    transcript = read("google", *values)
    assert [s.words for s in transcript] == [("hello",)]
    assert diagnostics(transcript) == [remark_line(PARTIAL, count=2)]
    assert refusal("google", values[0]) == (
        "<stream>: expected final results, found only results that are not final: 2"
    )


EMPTY = (
    "expected words, found an empty result of Google Speech-to-Text: it looks like a failed "
    "job (lenient reading reads it as silence)"
)


def test_results_without_words_are_counted() -> None:
    transcript = read("google", {"results": [result("a"), {"languageCode": "en"}]})
    assert diagnostics(transcript) == [remark_line(SILENT, results=1)]


def test_names_with_capitals_are_read() -> None:
    word_in_capitals = {"StartTime": "0.500s", "EndTime": "1.000s", "word": "a"}
    best = {"Transcript": "a", "Confidence": 0.5, "Words": [word_in_capitals]}
    value = {"Results": [{"Alternatives": [best]}]}
    assert detected(value) == "google"
    assert [(s.words, s.starts) for s in read("google", value)] == [(("a",), (0.5,))]
