"""Opening inputs: names, encodings, line ends, gzip, limits; every refusal with its place."""

import gzip
import os
import stat
from collections.abc import Callable
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import formats
from formats import (
    EncodingFormatError,
    FormatError,
    OptionError,
    SizeLimitError,
    UnreadableFileError,
)
from formats.io import decoding
from formats.io.messages import EMPTY, NOT_UTF8, OTHER_ENCODING, UNCERTAIN, UTF_16
from formats.io.sink import open_sink
from formats.io.source import open_source, recording_of
from tests.each_case import each_case
from tests.formats.checks import message_text, remark_line
from tests.remarks import says

WriteFile = Callable[[str, "str | bytes"], str]


def lines_of(data: bytes | str, **options: str) -> list[str]:
    stream = BytesIO(data) if isinstance(data, bytes) else StringIO(data, newline="")
    with open_source(stream, **options) as source:  # type: ignore[arg-type]
        return [line for _, line in source.lines()]


def remarks(data: bytes, **options: str) -> list[str]:
    with open_source(BytesIO(data), **options) as source:  # type: ignore[arg-type]
        list(source.lines())
        return [str(d) for d in source.log.entries()]


def refusal(data: bytes, **options: str) -> str:
    with pytest.raises(FormatError) as caught:
        lines_of(data, **options)
    return str(caught.value)


@each_case(
    ("data", "lines"),
    [
        (b"a\nb\n", ["a", "b"]),
        (b"a\nb", ["a", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\rb\r", ["a", "b"]),
        (b"a\n\r\n\rb", ["a", "", "", "b"]),
        (b"\n", [""]),
        (b"", []),
        ("a\u2028b\x85c\x0bd\x0ce\x1cf\n".encode(), ["a\u2028b\x85c\x0bd\x0ce\x1cf"]),
        (b"\xef\xbb\xbfa\n", ["a"]),
        ("é\n".encode("utf-16"), ["é"]),
        (b"\xfe\xff" + "é\n".encode("utf-16-be"), ["é"]),
        ("\ufeffa\r\nb", ["a", "b"]),
    ],
)
def test_lines(data: bytes | str, lines: list[str]) -> None:
    assert lines_of(data) == lines


@given(st.text(st.sampled_from("ab\r\n\u2028é"), max_size=40), st.integers(1, 5))
def test_blocks_do_not_show_in_lines(text: str, size: int) -> None:
    from formats.io.source import Source
    from formats.schema.diagnostics import DiagnosticLog

    blocks = iter([text[i : i + size] for i in range(0, len(text), size)])
    source = Source("x", "x", blocks, DiagnosticLog("x"))
    expected = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not expected[-1]:
        expected.pop()
    assert [line for _, line in source.lines()] == expected


def test_head_is_read_again() -> None:
    text = "".join(f"{n}\n" for n in range(30_000))
    with open_source(StringIO(text)) as source:
        head = source.head_lines()
        assert head == [str(n) for n in range(len(head))]
        assert 5_000 < len(head) <= 30_000
        assert [line for _, line in source.lines()] == text.split()


def test_invalid_utf8_is_refused_with_line_column_and_advice() -> None:
    for data, place, byte in ((b"ok\nabc\xe9d\n", "2:4", "0xE9"), (b"ok\nab\xc3", "2:3", "0xC3")):
        text = message_text(OTHER_ENCODING, encoding="UTF-8", found=f"byte {byte}")
        assert refusal(data, encoding="utf-8") == f"<stream>:{place}: {text}"
    assert lines_of(b"abc\xe9d\n", encoding="latin-1") == ["abcéd"]


def test_lines_before_the_trouble_are_given() -> None:
    with open_source(BytesIO(b"a\nb\nc\xff\n"), encoding="utf-8") as source:
        lines = source.lines()
        assert [next(lines), next(lines)] == [(1, "a"), (2, "b")]
        with pytest.raises(EncodingFormatError) as caught:
            next(lines)
    assert (caught.value.line, caught.value.column) == (3, 2)


def test_nul_is_refused() -> None:
    assert refusal(b"hello world\nab\0c\n") == (
        "<stream>:2:3: expected text, found a NUL byte: the file is binary or damaged"
    )


def test_utf16_without_mark_is_guessed_with_a_warning() -> None:
    data = "hello world\n".encode("utf-16-le")
    assert lines_of(data) == ["hello world"]
    assert remarks(data) == [remark_line(UTF_16, encoding="utf-16-le")]
    assert lines_of("hello world\n".encode("utf-16-be")) == ["hello world"]


def test_another_encoding_is_read_with_a_warning_if_only_one_is_likely() -> None:
    assert lines_of("né\n".encode(), encoding="auto") == ["né"]
    assert lines_of(b"hello\n" * 40_000 + b"a caf\xe9\n")[-1] == "a café"
    text = "Сегодня хорошая погода, и мы идём гулять"
    russian = text.encode("cp1251")
    assert lines_of(b"a\n" + russian) == ["a", text]
    # A file with good characters of UTF-8 is a damaged one.
    damaged = "né né né n".encode() + b"\xe9\n"
    assert says(refusal(damaged), OTHER_ENCODING)
    assert says(refusal(b"n\xe9\n", encoding="utf-8"), OTHER_ENCODING)
    with open_source(BytesIO(russian)) as source:
        assert source.head() == ("", True)
        assert source.data() == russian
    assert lines_of(b"n\xe9\n", encoding="auto") == ["né"]
    assert remarks(b"n\xe9\n", encoding="auto") == [remark_line(NOT_UTF8, encoding="cp1252")]
    for data in (b"n\xe9\x81\n", b"n\xe9\x01\n"):
        assert says(refusal(data, encoding="auto"), UNCERTAIN)


@pytest.mark.parametrize("name", ["base64", "rot13", "zip", "hex"])
def test_codecs_that_are_no_encodings(name: str) -> None:
    for opened in (open_source, open_sink):
        with pytest.raises(OptionError) as caught:
            opened(BytesIO(), encoding=name)
        assert str(caught.value) == f'expected the name of an encoding of text, found "{name}"'


def test_unknown_encoding() -> None:
    with pytest.raises(OptionError) as caught:
        open_source(BytesIO(b""), encoding="utf-7000")
    assert str(caught.value) == 'expected the name of an encoding of text, found "utf-7000"'


def test_empty_file_draws_a_warning() -> None:
    assert remarks(b"") == [remark_line(EMPTY)]


def test_gzip_is_recognised_by_content(write_file: WriteFile) -> None:
    name = write_file("a.trn", gzip.compress(b"a\n") + gzip.compress(b"b\n") + b"\0\0")
    with open_source(name) as source:
        assert [line for _, line in source.lines()] == ["a", "b"]
        assert source.recording == "a"


def test_damaged_gzip() -> None:
    packed = gzip.compress(os.urandom(1000))
    assert refusal(packed[:-5]) == (
        "<stream>: expected the end of the gzip data, found a truncated file"
    )
    assert refusal(packed[:12] + b"xxxxxx" + packed[18:]).startswith(
        "<stream>: expected gzip data, found damage (Error -3"
    )
    assert refusal(b"\x1f\x8b").startswith("<stream>: expected the end of the gzip data")


@pytest.mark.parametrize(("data", "found"), [(b"", "an empty file"), (b"\x1f", "a truncated file")])
def test_a_file_of_gzip_that_ends_before_it_begins(
    write_file: WriteFile, data: bytes, found: str
) -> None:
    name = write_file("a.trn.gz", data)
    with pytest.raises(EncodingFormatError) as caught:
        formats.read(name, "trn")
    assert str(caught.value) == f"{name}: expected the end of the gzip data, found {found}"
    for ending in ("zip", "tar", "tar.gz"):
        with pytest.raises(FormatError, match="expected a whole zip or tar archive"):
            formats.read(write_file(f"a.{ending}", b""), "trn")


def test_a_gzip_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "RATIO_COUNTS_FROM", 3_000_000)
    bomb = gzip.compress((b"x" * 4095 + b"\n") * (1 << 10))
    with pytest.raises(SizeLimitError, match="expands more than 200-fold"):
        lines_of(bomb)
    with (
        pytest.raises(SizeLimitError, match="expands to more than 2000000 bytes"),
        open_source(BytesIO(bomb), max_bytes=500_000) as source,
    ):
        list(source.lines())


def test_size_limit() -> None:
    with (
        pytest.raises(SizeLimitError, match="<stream>: larger than 10 bytes"),
        open_source(BytesIO(b"a" * 11), max_bytes=10) as source,
    ):
        list(source.lines())


def test_files_that_cannot_be_read(current_folder: Path) -> None:
    (current_folder / "folder").mkdir()
    for name, found in (("none.trn", "no such file"), ("folder", "a directory")):
        with pytest.raises(UnreadableFileError) as caught:
            open_source(name)
        assert str(caught.value) == f"{name}: expected a readable file, found {found}"
    with pytest.raises(UnreadableFileError, match=r"cannot be read: .*null"):
        open_source("a\0b")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "a.trn"
    path.write_text("a (b)\n")
    path.chmod(0)
    with pytest.raises(UnreadableFileError, match="a file without permission to read it"):
        open_source(path)
    path.chmod(stat.S_IRWXU)


def test_permission_error_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(UnreadableFileError) as caught:
        open_source("locked.trn")
    assert str(caught.value) == (
        "locked.trn: expected a readable file, found a file without permission to read it"
    )


class FailingStream(BytesIO):
    def read(self, size: int | None = -1, /) -> bytes:
        raise OSError(5, "Input/output error")


def test_a_failing_disk() -> None:
    with (
        pytest.raises(UnreadableFileError, match="<stream>: cannot be read: Input/output error"),
        open_source(FailingStream()) as source,
    ):
        list(source.lines())


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    class Input:
        buffer = BytesIO(b"a\nb\n")

    monkeypatch.setattr("sys.stdin", Input())
    with open_source("-") as source:
        assert [line for _, line in source.lines()] == ["a", "b"]
        assert (source.name, source.recording) == ("<stdin>", "stdin")
    assert not Input.buffer.closed


@pytest.mark.parametrize(
    ("name", "recording"),
    [("a/b.stm.gz", "b"), ("b.x.trn", "b.x"), (".trn", ".trn"), ("<stream>", "stream")],
)
def test_recording_of(name: str, recording: str) -> None:
    assert recording_of(name) == recording


def test_an_overlong_line_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("formats.io.source.LONGEST_LINE", 1 << 19)
    with pytest.raises(SizeLimitError, match="<stream>:2: line longer than 524288 characters"):
        lines_of(b"a\n" + b"x" * (1 << 21))


def test_the_first_line_that_says_something_is_in_the_head_though_it_is_long() -> None:
    text = '\n \n{"results": [], "languageCode": "' + "x" * 100_000
    with open_source(StringIO(text)) as source:
        assert source.head_lines()[2].startswith('{"results"')
    with open_source(StringIO("a\n" + "x" * 100_000)) as source:
        assert source.head_lines() == ["a"]


def test_a_missing_file_suggests_the_nearest_name(tmp_path: Path) -> None:
    (tmp_path / "reference.trn").write_text("a (u1)\n")
    near = tmp_path / "reference.trn"
    for name, expected in (("refrence.trn", f"(did you mean {near}?)"), ("xyz", "no such file")):
        with pytest.raises(UnreadableFileError) as caught:
            open_source(str(tmp_path / name))
        assert str(caught.value).endswith(expected)
