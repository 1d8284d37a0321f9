"""What JSON of any recogniser may look like in the wild."""

import contextlib
import sys
from io import BytesIO

import pytest

import formats
from formats import FormatError, SizeLimitError
from formats.io.messages import NO_TEXT
from formats.json import value as json_value
from formats.json.messages import JSON_NAN, JSON_TWICE, JSON_UNKNOWN, MASKED_WORDS
from tests.each_case import each_case
from tests.formats.checks import message_text, skipped_line
from tests.formats.json.reading import read, refusal, said
from tests.tables import table_of


def whisper(words: str) -> str:
    return (
        f'{{"segments": [{{"start": 0.5, "end": 9, "seek": 0, "text": "", "words": [{words}]}}]}}'
    )


def test_the_last_of_two_members_counts_and_is_warned_of() -> None:
    text = '{"text": "a", "words": [{"word": "a", "word": "hello", "start": 0, "end": 1}]}'
    transcript = read(text, "bbc-kaldi")
    assert transcript[0].words == ("hello",)
    assert said(transcript)[0] == (
        "warning: " + message_text(JSON_TWICE, name="word") + " [JSON-TWICE]"
    )


def test_what_is_no_number_is_no_confidence_with_a_note() -> None:
    words = ", ".join(
        f'{{"word": " hello", "start": {n}, "end": {n}.5, "probability": {value}}}'
        for n, value in enumerate(["0.5", "NaN", "Infinity", "1e999"], 1)
    )
    transcript = read(whisper(words), "whisper")
    assert transcript[0].confidences == (0.5, None, None, None)
    assert said(transcript) == [
        (
            "note: "
            + message_text(JSON_NAN, path="$.segments[0].words[1].probability", found="NaN")
            + " [JSON-NAN]"
        ),
        (
            "note: "
            + message_text(JSON_NAN, path="$.segments[0].words[2].probability", found="Infinity")
            + " [JSON-NAN]"
        ),
        (
            "note: "
            + message_text(JSON_NAN, path="$.segments[0].words[3].probability", found="Infinity")
            + " [JSON-NAN]"
        ),
    ]


@each_case(("value", "nanoseconds"), table_of(__file__, "times_are_exact"))
def test_times_are_exact(value: str, nanoseconds: int) -> None:
    text = whisper(f'{{"word": " hello", "start": {value}, "end": 9223372036}}')
    assert read(text, "whisper")[0].starts_ns == (nanoseconds,)


def test_deep_nesting_is_refused_before_it_hurts() -> None:
    deep = '{"segments": ' + "[" * 100_000
    assert refusal(deep, "whisper") == (
        "<stream>:1:77: expected JSON at most 64 levels deep, found more"
    )
    quoted = '{"text": "' + "[" * 100_000 + '", "segments": []}'
    assert read(quoted, "whisper")[0].words == ("[" * 100_000,)


@each_case("between", ["\n", " ", "", ",\n", "\n\n\n"])
def test_several_values_are_one_transcript_where_somebody_streams(between: str) -> None:
    text = between.join(['{"text": "hello"}', '{"text": "world"}', '{"text": "again"}'])
    assert [s.words for s in read(text, "vosk")] == [("hello",), ("world",), ("again",)]


def test_a_list_of_results_is_read_as_they_are() -> None:
    transcript = read('[{"text": "hello"},\n {"text": "world"}]', "vosk")
    assert [(s.words, s.line) for s in transcript] == [(("hello",), 1), (("world",), 2)]


def test_members_of_words_that_nobody_knows_are_counted() -> None:
    text = '{"text": "", "words": [{"word": "hello", "x": 1}, {"word": "you", "x": 2}]}'
    remarks = said(read(text, "bbc-kaldi"))
    assert remarks[-1] == (
        "note: "
        + message_text(JSON_UNKNOWN, members=2, name="x", path="$.words[0]")
        + " [JSON-UNKNOWN]"
    )


def test_lenient_reading_skips_the_segment_and_says_so() -> None:
    text = (
        '{"segments": [{"start": 0, "end": 1, "text": " hello"},\n'
        ' {"start": 2, "end": 1, "text": " lost"},\n {"start": 3, "end": 4, "text": " world"}]}'
    )
    message = "$.segments[1].end: expected an end not before its start 2, found 1"
    assert refusal(text, "whisper") == f"<stream>:2:22: {message}"
    transcript = read(text, "whisper", "lenient")
    assert [s.words for s in transcript] == [("hello",), ("world",)]
    assert said(transcript) == [skipped_line("WHISPER-SEGMENT", 2, 22, message, file=None)]


def test_segments_without_a_single_word_are_warned_of() -> None:
    transcript = read('{"segments": [{"start": 0, "end": 1, "text": " "}]}', "whisper")
    assert len(transcript) == 1
    assert said(transcript) == [("warning: " + message_text(NO_TEXT, segments=1) + " [NO-TEXT]")]


def test_a_huge_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_value, "LARGEST", 1000)
    with pytest.raises(SizeLimitError, match="larger than 1000 characters"):
        read('{"text": "' + "a" * 1000 + '"}', "vosk")


def test_strings_full_of_escapes_are_read_in_linear_time() -> None:
    text = '{"text": "' + '\\"[' * 300_000 + '"}'
    limit = sys.getrecursionlimit()
    assert read(text, "vosk")[0].words == ('"[' * 300_000,)
    assert sys.getrecursionlimit() == limit


def test_lone_surrogates_are_kept_and_refused_on_output() -> None:
    transcript = read('{"text": "hello \\ud83d"}', "vosk")
    assert transcript[0].words == ("hello", "\ud83d")
    with pytest.raises(formats.LossError, match="expected a character of utf-8, found U\\+D83D"):
        formats.write(transcript, BytesIO(), "jsonl")


def test_words_are_cut_at_blanks_and_share_their_time() -> None:
    text = '{"words": [{"word": "New York", "punct": "New York,", "start": 1, "end": 1.7}]}'
    segment = read(text, "bbc-kaldi")[0]
    assert segment.words == ("New", "York")
    assert (segment.starts, segment.ends) == ((1.0, 1.3), (1.3, 1.7))
    assert segment.displays == (None, "York,")
    assert segment.interpolated == (True, True)


def test_masks_are_warned_of_and_kept() -> None:
    transcript = read('{"text": "call [PII] or **** now"}', "vosk")
    assert transcript.word_count == 5
    assert said(transcript) == [
        ("warning: " + message_text(MASKED_WORDS, count=2, word="[PII]") + " [MASKED]")
    ]


def test_signs_of_headings_are_no_masks() -> None:
    text = '{"text": "### One so it is. ### Two"}'
    assert "MASKED" not in {entry.code for entry in read(text, "vosk").diagnostics}
    assert "MASKED" in {
        entry.code for entry in read('{"text": "call #### now"}', "vosk").diagnostics
    }


@pytest.mark.parametrize(("depth", "is_read"), [(61, True), (62, False), (900, False)])
def test_the_limit_of_nesting_is_64_levels(depth: int, is_read: bool) -> None:
    text = '{"words": [{"word": "hello", "x": ' + "[" * depth + "]" * depth + "}]}"
    if is_read:
        assert read(text, "bbc-kaldi")[0].words == ("hello",)
    else:
        assert refusal(text, "bbc-kaldi") == (
            "<stream>:1:96: expected JSON at most 64 levels deep, found more"
        )


def test_a_file_full_of_errors_is_read_in_linear_time() -> None:
    text = '{"result": [{"word": 5}]}\n' * 4_000
    transcript = read(text, "vosk", "lenient")
    assert len(transcript.segments) == 0
    remarks = said(transcript)
    message = "$.result[0].word: expected a text, found 5"
    assert remarks[0] == skipped_line("VOSK-SYNTAX", 1, 22, message, file=None)
    assert transcript.diagnostics[-1].times == 3_980


@pytest.mark.share(3)
@pytest.mark.parametrize(
    "sign", ["{", '{"a":', '"', " ", "\n", "\\", "[", "[1,", ",", "-", "e", "a.", "\\'"]
)
def test_a_long_run_of_one_sign_is_refused_at_once(sign: str) -> None:
    text = sign * ((1 << 16) // len(sign))
    for name in ("vosk", "whisper"):
        for start in ("", '{"text": "hello"}', "{'text': 'a', 'b': "):
            with contextlib.suppress(FormatError):
                assert read(start + text, name).word_count <= 1
    with contextlib.suppress(FormatError):
        formats.detect(BytesIO(text.encode()))
