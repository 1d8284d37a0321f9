"""Oddities of Vosk."""

import json
from io import BytesIO
from pathlib import Path

import pytest

import formats
from formats.json.messages import PARTIAL, TEXT_WORD_DIFFERS, VOSK_SILENT, VOSK_SPEAKER
from tests.formats.case import sample
from tests.formats.checks import message_text, remark_line, skipped_line
from tests.formats.json.reading import read, refusal, said

PRETTY = sample("vosk-pretty.txt")


def test_a_session_is_read_result_by_result() -> None:
    transcript = read(PRETTY, "vosk")
    assert len(transcript) == 1
    segment = transcript[0]
    assert (segment.words, segment.start, segment.end) == (("good", "day"), 0.5, 1.5)
    assert (segment.confidences, segment.line) == ((1.0, 0.25), 8)
    assert said(transcript) == [
        ("note: " + message_text(VOSK_SILENT, results=1) + " [NO-WORDS]"),
        ("note: " + message_text(VOSK_SPEAKER, vectors=1) + " [VOSK-SPEAKER]"),
        ("note: " + message_text(PARTIAL, count=2) + " [PARTIAL]"),
    ]


def test_the_first_results_decide_what_it_is() -> None:
    assert formats.detect(BytesIO(PRETTY.encode())) == "vosk"
    silent = '{"text": ""}\n' * 3 + '{"result": [{"conf": 1, "word": "a"}], "text": "a"}\n'
    assert formats.detect(BytesIO(silent.encode())) == "vosk"


def test_a_file_of_partial_results_is_an_error_and_no_empty_transcript() -> None:
    assert refusal('{"partial": "good"}', "vosk") == (
        "<stream>: expected final results, found only results that are not final: 1"
    )
    assert read('{"partial": ""}', "vosk").segments == ()


def test_only_partial_results_are_told_in_lenient_reading() -> None:
    assert said(read('{"partial": "good"}', "vosk", "lenient")) == [
        "error: record skipped: expected final results, found only results that are not final: 1 "
        "[PARTIAL-ONLY]",
        ("note: " + message_text(PARTIAL, count=1) + " [PARTIAL]"),
    ]


def test_alternatives_are_other_hypotheses_on_a_scale_of_their_own() -> None:
    text = (
        '{"alternatives": [{"confidence": 212.5, "text": "good day", "result": ['
        '{"word": "good", "start": 0, "end": 0.5}, {"word": "day", "start": 0.5, "end": 1}]}, '
        '{"confidence": 210.25, "text": "good bay"}, {"text": ""}]}'
    )
    transcript = read(text, "vosk")
    segment = transcript[0]
    assert (segment.words, segment.confidence, segment.confidences) == (
        ("good", "day"), 212.5, None,
    )  # fmt: skip
    assert segment.nbest == ((210.25, ("good", "bay")), (None, ()))
    assert transcript.properties == (("confidence_scale", "unknown"),)


def test_a_text_that_says_something_else_is_warned_of() -> None:
    text = '\n{"result": [{"word": "good", "start": 0, "end": 1}], "text": "bad"}'
    assert said(read(text, "vosk")) == [
        remark_line(
            TEXT_WORD_DIFFERS._replace(code="VOSK-TEXT"),
            2,
            file=None,
            number=1,
            text="bad",
            listed="good",
        )
    ]


def test_a_bad_result_is_an_error_or_skipped() -> None:
    text = '{"text": "a"}\n{"result": [{"word": "b", "start": "x", "end": 1}]}\n{"text": "c"}'
    message = '$[1].result[0].start: expected a number, found "x"'
    assert refusal(text, "vosk") == f"<stream>:2:36: {message}"
    transcript = read(text, "vosk", "lenient")
    assert [s.words for s in transcript] == [("a",), ("c",)]
    assert said(transcript) == [skipped_line("VOSK-SYNTAX", 2, 36, message, file=None)]


def test_words_without_confidences_are_recognised() -> None:
    text = '{"result": [{"word": "a", "start": 0, "end": 1}], "text": "a"}'
    assert formats.detect(BytesIO(text.encode())) == "vosk"


@pytest.mark.parametrize("name", ["one.json", "many.json", "indented.json", "rows.jsonl"])
def test_objects_with_nothing_but_a_text_have_one_reading(name: str, tmp_path: Path) -> None:
    one = json.dumps({"text": "the wind stops"})
    texts = {"many.json": f"{one}\n{one}\n", "indented.json": '{\n  "text": "the wind stops"\n}\n'}
    path = tmp_path / name
    path.write_text(texts.get(name, f"{one}\n"))
    segments = formats.read(path).segments
    assert [len(segment.words) for segment in segments] == [3] * (1 + (name == "many.json"))
