"""EBU's binary subtitles: what is beyond the contract of all formats."""

from io import BytesIO, StringIO

import pytest

import formats
from formats import FormatError, LossError, Segment, Transcript, UnwritableFileError
from tests.each_case import each_case
from tests.formats.checks import codes
from tests.formats.conftest import ReadText
from tests.formats.subtitles.caption_cases import stl

ONE = stl("00000100 00000200 hello")


def changed(at: int, data: bytes) -> bytes:
    return ONE[:at] + data + ONE[at + len(data) :]


def written(*segments: Segment, **options: object) -> bytes:
    output = BytesIO()
    formats.write(Transcript(segments, source="rec"), output, "stl", **options)  # type: ignore[arg-type]
    return output.getvalue()


def test_signs_of_iso_6937_and_codes_of_teletext(read_text: ReadText) -> None:
    text = b"\x0b\x0bna\xc8ive \xc2e\x07x\x8a\x8a\x0b\xa4 \xd5 \xfb\x80y\x81\x8f\x8fgone"
    (segment,) = read_text(changed(1024 + 16, text), "stl")
    assert segment.words == ("naïve", "é", "x", "$", "♪", "ßy")
    assert segment.get("lines") == "naïve é x\n$ ♪ ßy"
    greek = changed(12, b"03")[: 1024 + 16] + b"\xe3\xe5\xe9\xe1" + ONE[1024 + 20 :]
    assert read_text(greek, "stl")[0].words[0].startswith("γεια")


def test_what_the_first_block_says(read_text: ReadText) -> None:
    data = changed(256, b"10000000").replace(
        b"850STL25.01100  " + b" " * 5, b"850STL25.01100  A tal"
    )
    transcript = read_text(data, "stl")
    assert dict(transcript.properties) == {"programme_start": "10000000", "title": "A tal"}
    assert codes(transcript) == ["STL-START"]


@each_case(
    ("at", "data", "expected"),
    [
        (3, b"STL30.01", ["STL-RATE"]),
        (12, b"  ", ["STL-TABLE"]),
        (238, b"2    ", ["STL-COUNT"]),
        (238, b"1    ", []),
        (1024 + 15, b"\1", ["STL-COMMENT"]),
        (1024 + 3, b"\xfe", ["STL-DATA"]),
        (1024 + 9, b"\0\0\0\0", ["CUE-END"]),
    ],
)
def test_what_is_odd_is_told(
    read_text: ReadText, at: int, data: bytes, expected: list[str]
) -> None:
    assert codes(read_text(changed(at, data), "stl")) == expected


def test_whole_blocks_of_a_file_that_breaks_off_are_read(read_text: ReadText) -> None:
    transcript = read_text(ONE + ONE[1024:1100], "stl")
    assert len(transcript) == 1
    assert codes(transcript) == ["STL-TRUNCATED"]
    assert read_text(changed(1024 + 4, b"\1"), "stl")[0].get("cumulative") == "first"


@each_case(
    ("data", "message"),
    [
        (ONE[:1000], "found 1000 bytes"),
        (changed(3, b"STL99.01"), "expected a block of 1024 bytes with STL25.01"),
        (b"solid cube\n", "found a mesh of three dimensions"),
        (changed(1024 + 8, b"\x19"), "frames below 25, found 0-0-1-25 in block 1"),
        (changed(1024 + 5, b"\x18"), "a time code below 24 hours"),
    ],
)
def test_what_is_no_stl_is_refused(read_text: ReadText, data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_text(data, "stl")


def test_long_texts_take_several_blocks(read_text: ReadText) -> None:
    words = [f"wörd{n}" for n in range(60)]
    data = written(Segment.of("rec", words, start=1.0, end=2.0))
    assert [data[at + 3] for at in range(1024, len(data), 128)] == [0, 1, 2, 3, 255]
    assert read_text(data, "stl")[0].words == tuple(words)


def test_thirty_frames_are_those_of_television(read_text: ReadText) -> None:
    data = written(Segment.of("rec", ["a"], start=3603.6, end=3604.6), stl_rate=30)
    assert data[1024 + 5 : 1024 + 13] == bytes((1, 0, 0, 0, 1, 0, 1, 0))
    assert [(s.start, s.end) for s in read_text(data, "stl")] == [(3603.6, 3604.601)]


@pytest.mark.parametrize(
    ("segment", "message"),
    [
        (Segment.of("rec", ["日"], start=0.0, end=1.0), r"characters of ISO 6937, found U\+65E5"),
        (Segment.of("rec", ["a"], start=0.0, end=86_400.0), "times below 24 hours"),
    ],
)
def test_what_stl_cannot_hold_is_refused(segment: Segment, message: str) -> None:
    with pytest.raises(LossError, match=message):
        written(segment)
    with pytest.raises(UnwritableFileError, match="a binary format needs a stream of bytes"):
        formats.write(Transcript([]), StringIO(), "stl")
