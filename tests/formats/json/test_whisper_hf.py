"""Oddities of the Hugging Face pipeline."""

import json
from io import BytesIO
from typing import Any

import pytest

import formats
from formats.json.messages import ORDER, WORD_UNTIMED
from tests.formats.checks import message_text, skipped_line
from tests.formats.json.reading import read, refusal, said
from tests.tables import table_of


def document(*chunks: tuple[str, Any, Any], text: str = "") -> str:
    listed = [{"text": said, "timestamp": [start, end]} for said, start, end in chunks]
    return json.dumps({"text": text, "chunks": listed})


WORDS = ((" New", 0.0, 0.5), ("-born", 0.5, 1.0), (" day", 1.0, 1.5), (".", 1.5, 1.75))


def test_chunks_of_single_words_are_words() -> None:
    found = read(document(*WORDS), "whisper-hf")
    assert [(s.words, s.start) for s in found] == [(("New-born", "day."), None)]
    assert (found[0].starts, found[0].ends) == ((0.0, 1.0), (1.0, 1.75))


def test_chunks_of_several_words_are_segments() -> None:
    found = read(document((" good day", 0, 1.5), (" hello", 2, 3)), "whisper-hf")
    assert [(s.words, s.start, s.end) for s in found] == [
        (("good", "day"), 0.0, 1.5), (("hello",), 2.0, 3.0),
    ]  # fmt: skip


def test_long_chunks_without_blanks_are_segments() -> None:
    chunks = (("今天天气很好。", 0.0, 4.0), ("我们走吧。", 4.0, 7.0))
    assert [s.start for s in read(document(*chunks), "whisper-hf")] == [0.0, 4.0]


@pytest.mark.parametrize(("chunks", "count"), [("words", 1), ("segments", 4), ("auto", 1)])
def test_what_chunks_are_can_be_said(chunks: str, count: int) -> None:
    assert len(read(document(*WORDS), "whisper-hf", chunks=chunks)) == count


def test_an_unknown_option_is_refused() -> None:
    assert "chunks" in refusal(document(*WORDS), "whisper-hf", chunks="lines")


def test_the_last_end_may_be_unknown() -> None:
    found = read(document((" good day", 0, 1.5), (" how are you", 2, None)), "whisper-hf")
    assert (found[1].start, found[1].end) == (2.0, None)
    assert said(found) == []
    words = read(document(*WORDS[:3], (" ends", 1.5, None)), "whisper-hf")
    assert words[0].ends == (1.0, 1.5, None)
    assert said(words) == [("warning: " + message_text(WORD_UNTIMED, count=1) + " [WORD-UNTIMED]")]
    inner = read(document((" a", 0, 0.5), (" b", 0.5, None), (" c", 1, 1.5)), "whisper-hf")
    assert (inner[0].ends, inner[0].interpolated) == ((0.5, 1.0, 1.5), (False, True, False))


def test_times_that_start_again_are_remarked() -> None:
    found = read(document((" good day", 28, 29), (" how are you", 0, 2)), "whisper-hf")
    assert said(found) == [("1: note: " + message_text(ORDER) + " [ORDER]")]


@pytest.mark.parametrize("chunks", ["", ', "chunks": []', ', "chunks": null'])
def test_text_alone_is_read(chunks: str) -> None:
    found = read('{"text": " good day"' + chunks + "}", "whisper-hf")
    assert [s.words for s in found] == [("good", "day")]


def test_silence_is_recognised() -> None:
    text = '{"text": "", "chunks": []}'
    assert formats.detect(BytesIO(text.encode())) == "whisper-hf"
    assert list(read(text, "whisper-hf")) == []


def test_a_batch_is_read_in_order() -> None:
    text = f"[{document((' good day', 0, 1))}, {document((' and night', 0, 1))}]"
    assert [s.words for s in read(text, "whisper-hf")] == [("good", "day"), ("and", "night")]


@pytest.mark.parametrize(
    ("chunk", "message"),
    table_of(__file__, "bad_chunks_are_errors_or_skipped"),
)  # fmt: skip
def test_bad_chunks_are_errors_or_skipped(chunk: str, message: str) -> None:
    text = f'{{"text": "", "chunks": [{chunk}, {{"text": " good day", "timestamp": [2, 3]}}]}}'
    assert refusal(text, "whisper-hf").endswith(message)
    transcript = read(text, "whisper-hf", "lenient")
    assert [s.words for s in transcript] == [("good", "day")]
    column = int(refusal(text, "whisper-hf").split(":")[2])
    expected = skipped_line("WHISPERHF-CHUNK", 1, column, message, file=None)
    assert said(transcript)[0] == expected
