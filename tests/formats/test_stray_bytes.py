"""Text with bytes in it that are none, for readers that know what they are part of."""

import contextlib
from io import BytesIO, StringIO

import pytest

import formats
from formats import EncodingFormatError, FormatError, Segment, Transcript, UnknownFormatError
from formats.detection import all_formats
from formats.io.messages import OTHER_ENCODING
from formats.io.source import Source, open_source
from tests.formats.checks import message_text


class Slow(BytesIO):
    """A stream that gives a few bytes at a time."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(size, 3) if size and size > 0 else 3)


def opened(data: bytes, slow: bool = False) -> Source:
    return open_source(Slow(data) if slow else BytesIO(data), encoding="utf-8")


ODD = "a\r\nwör".encode() + b"\xe6\x97" + b" b\r\xff\rc"


@pytest.mark.parametrize("slow", [False, True])
@pytest.mark.parametrize("looks_first", [False, True])
def test_stray_bytes_come_as_lone_surrogates(slow: bool, looks_first: bool) -> None:
    source = opened(ODD, slow)
    if looks_first:
        assert source.head()[0] == "a\r\nwör"
    text = source.text(keep_bytes=True)
    assert text == "a\nwör\udce6\udc97 b\n\udcff\nc"
    assert text.encode("utf-8", "surrogateescape") == ODD.replace(b"\r\n", b"\n").replace(
        b"\r", b"\n"
    )


@pytest.mark.parametrize("slow", [False, True])
def test_they_are_an_error_unless_asked_for(slow: bool) -> None:
    with pytest.raises(EncodingFormatError) as caught:
        opened(ODD, slow).text()
    text = message_text(OTHER_ENCODING, encoding="UTF-8", found="byte 0xE6")
    assert str(caught.value) == f"<stream>:2:4: {text}"


def test_good_text_is_the_same_either_way() -> None:
    data = ("wörld\n" * 50_000).encode()
    assert opened(data).text(keep_bytes=True) == opened(data).text() == data.decode()


def test_a_nul_behind_stray_bytes_is_an_error() -> None:
    with pytest.raises(EncodingFormatError) as caught:
        opened(b"some text\n\xffb\0").text(keep_bytes=True)
    assert str(caught.value) == (
        "<stream>:2:3: expected text, found a NUL byte: the file is binary or damaged"
    )


def test_a_character_cut_off_by_the_end_is_kept() -> None:
    assert opened(b"a\xe6\x97").text(keep_bytes=True) == "a\udce6\udc97"


def test_other_encodings_keep_no_stray_bytes() -> None:
    source = open_source(BytesIO(b"a\0b\0\0\xd8"), encoding="utf-16-le")
    with pytest.raises(EncodingFormatError, match=r"UTF-16-LE .*found byte 0x00"):
        source.text(keep_bytes=True)


@pytest.mark.share(7)
@pytest.mark.parametrize("field", ["recording", "channel", "speaker", "utterance", "words"])
@pytest.mark.parametrize("name", [s.name for s in all_formats() if s.write is not None])
def test_half_a_character_is_an_error_or_not_written(name: str, field: str) -> None:
    names = {"recording": "r", "channel": "1", "speaker": "s", "utterance": "u", "words": "a"}
    names[field] = "\ud800"
    segment = Segment.of(
        names["recording"],
        [names["words"]],
        channel=names["channel"],
        speaker=names["speaker"],
        utterance=names["utterance"],
        start=0.5,
        end=1.0,
        starts=[0.5],
        ends=[1.0],
    )
    output = BytesIO()
    with contextlib.suppress(FormatError):
        formats.write(Transcript([segment]), output, name)
    is_text = name not in ("stl", "parquet", "arrow")
    output.getvalue().decode("utf-8" if is_text else "latin-1")


def test_half_a_character_does_not_stop_the_detection() -> None:
    with pytest.raises(UnknownFormatError):
        formats.detect(StringIO("\ud800 a\n\ud801 b\n"))
