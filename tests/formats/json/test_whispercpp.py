"""Oddities of whisper.cpp, halves of characters above all."""

from io import BytesIO
from itertools import pairwise

import pytest

import formats
from formats import EncodingFormatError
from formats.json.messages import WORD_TIMES
from tests.each_case import each_case
from tests.formats.checks import message_text, skipped_line
from tests.formats.json.reading import read, refusal, said


def tokens(*texts: bytes) -> bytes:
    return b", ".join(
        b'{"text": "%s", "offsets": {"from": %d, "to": %d}, "p": 0.5}' % (t, n * 100, n * 100 + 100)
        for n, t in enumerate(texts)
    )


def segment(text: bytes, *texts: bytes, more: bytes = b"", start: int = 0) -> bytes:
    listed = b', "tokens": [%s]' % tokens(*texts) if texts else b""
    return b'{"offsets": {"from": %d, "to": %d}, "text": "%s"%s%s}' % (
        start, start + 1000, text, listed, more,
    )  # fmt: skip


def document(*segments: bytes, language: bytes = b"en") -> bytes:
    return b'{"systeminfo": "x", "result": {"language": "%s"},\n"transcription": [\n%s]}' % (
        language, b",\n".join(segments),
    )  # fmt: skip


def test_tokens_are_pieces_of_words_in_milliseconds() -> None:
    text = segment(b" Newborn, it's", b"[_BEG_]", b" New", b"born", b",", b" it", b"'s", b"[_TT_50]",
                   b"<|endoftext|>", b"[_EOT_]")  # fmt: skip
    transcript = read(document(text), "whispercpp")
    found = transcript[0]
    assert found.words == ("Newborn,", "it's")
    assert (found.starts, found.ends) == ((0.1, 0.4), (0.4, 0.6))
    assert (found.start, found.end, found.confidences) == (0.0, 1.0, (0.5, 0.5))
    assert (transcript.properties, found.line) == ((("language", "en"),), 3)
    assert said(transcript) == []


def test_words_in_brackets_are_no_marks() -> None:
    transcript = read(document(segment(b" [MUSIC]", b" [", b"MUSIC", b"]")), "whispercpp")
    assert transcript[0].words == ("[MUSIC]",)
    assert said(transcript) == []


HALVES = "日本".encode()


@each_case("cut", [(1,), (2,), (4,), (5,), (1, 2), (1, 2, 3, 4, 5), (2, 4)])
def test_halves_of_characters_are_put_together(cut: tuple[int, ...]) -> None:
    borders = (0, *cut, 6)
    pieces = [HALVES[a:b] for a, b in pairwise(borders)]
    text = document(segment(HALVES, b" a", *pieces), language=b"ja")
    assert formats.detect(BytesIO(text)) == "whispercpp"
    transcript = read(text, "whispercpp")
    assert transcript[0].words[0] == "a"
    assert "".join(transcript[0].words) == "a日本"
    assert transcript[0].ends is not None
    assert transcript[0].ends[-1] == pytest.approx(0.1 * (len(pieces) + 1))


def test_halves_inside_a_word_are_put_together() -> None:
    text = document(segment(b"x", b" na", b"\xc3", b"\xafve", b" day"))
    assert read(text, "whispercpp")[0].words == ("naïve", "day")


def test_halves_far_into_the_file_are_put_together() -> None:
    many = [segment(b" word" * 400, start=n * 1000) for n in range(600)]
    text = document(*many, segment(b"x", b" na", b"\xc3", b"\xafve", start=600_000))
    assert len(text) > 1 << 20
    transcript = read(text, "whispercpp")
    assert (len(transcript), transcript[-1].words) == (601, ("naïve",))
    assert transcript[-1].line == 603


def test_a_character_may_be_cut_by_the_end_of_a_segment() -> None:
    """With segments of one token each, a whole segment may be the end of a character."""
    text = document(
        segment(b" \xe6\x97", start=0), segment(b"\xa5", start=1000),
        segment(b"\xe6\x9c", start=2000), segment(b"\xac a", start=3000), language=b"ja",
    )  # fmt: skip
    transcript = read(text, "whispercpp")
    assert [(s.words, s.start, s.end) for s in transcript] == [
        (("日",), 0.0, 2.0), (("本",), 2.0, 3.0), (("a",), 3.0, 4.0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("pieces", "found"), [((b" a", b"\xe6\x97"), "0xE6"), ((b" \xffa", b" b"), "0xFF")]
)
def test_bytes_that_are_no_text_are_an_error(pieces: tuple[bytes, ...], found: str) -> None:
    text = document(segment(b"x", *pieces), segment(b" good", start=1000))
    message = (
        "$.transcription[0]: expected UTF-8 text when its tokens are put together, found byte "
        + found
    )
    assert refusal(text, "whispercpp") == f"<stream>:3:1: {message}"
    transcript = read(text, "whispercpp", "lenient")
    assert [s.words for s in transcript] == [("good",)]
    assert said(transcript) == [skipped_line("WHISPERCPP-SEGMENT", 3, 1, message, file=None)]


def test_stray_bytes_stay_an_error_for_other_formats() -> None:
    with pytest.raises(EncodingFormatError, match="expected UTF-8"):
        read(b'{"text": "\xe6"}', "vosk")
    with pytest.raises(EncodingFormatError):
        formats.detect(BytesIO(b'{"text": "\xe6"}'))


def test_a_nul_stays_an_error_behind_stray_bytes() -> None:
    text = document(segment(b"\xe6\x97")) + b"\0"
    assert refusal(text, "whispercpp") == (
        "<stream>:3:53: expected text, found a NUL byte: the file is binary or damaged"
    )


def test_words_stand_alone_where_there_are_no_blanks() -> None:
    text = segment("今天，好。".encode(), *[c.encode() for c in ("今天", "，", "好", "。")])
    assert read(document(text, language=b"zh"), "whispercpp")[0].words == ("今天，", "好。")


def test_time_stamps_stand_in_for_offsets() -> None:
    text = b'{"transcription": [{"timestamps": {"from": "00:00:01,500", "to": "100:00:02,000"}, "text": " a"}]}'
    found = read(text, "whispercpp")[0]
    assert (found.start, found.end) == (1.5, 360_002.0)
    bad = text.replace(b"00:00:01,500", b"1.5")
    assert refusal(bad, "whispercpp") == (
        '<stream>:1:44: $.transcription[0].timestamps.from: expected a time HH:MM:SS,mmm, found "1.5"'
    )


def test_speakers_and_their_turns_are_kept() -> None:
    text = document(
        segment(b" a", more=b', "speaker": "0"'),
        segment(b" b", more=b', "speaker_turn_next": true', start=1000),
        segment(b" c", more=b', "speaker_turn_next": false', start=2000),
    )
    found = read(text, "whispercpp")
    assert [s.speaker for s in found] == ["0", None, None]
    assert [s.get("speaker_turn_next") for s in found] == [None, "true", None]


def test_a_token_without_times_stands_between_its_neighbours() -> None:
    text = (
        b'{"offsets": {"from": 0, "to": 900}, "text": "", "tokens": [%s, {"text": " b", "p": 1}]}'
    )
    transcript = read(document(text % tokens(b" a")), "whispercpp")
    assert (transcript[0].starts, transcript[0].ends) == ((0.0, 0.1), (0.1, 0.9))
    assert transcript[0].interpolated == (False, True)
    assert said(transcript) == [("warning: " + message_text(WORD_TIMES, count=1) + " [WORD-TIMES]")]
