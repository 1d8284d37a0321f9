"""Bytes to text, block by block."""

import contextlib
import encodings.aliases
import gzip
import random
from collections.abc import Iterator
from io import BytesIO
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import formats
from formats.io.decoding import BadTextError, decode, gunzip_if_needed
from formats.io.messages import (
    ENCODED_TWICE,
    FEW_DAMAGED,
    FEW_DOUBTFUL,
    NOT_TEXT,
    OLD_OFFICE,
    PDF,
    PERHAPS_TWICE,
    PICTURE,
    POINTER,
    UNCERTAIN,
)
from formats.io.messages import SOUND as SOUND_FILE
from formats.io.twice_encoded import decoded_again, misread_forms
from formats.schema.diagnostics import DiagnosticLog
from formats.schema.messages import Entry
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.remarks import pattern_of


def pieces(data: bytes, size: int) -> Iterator[bytes | str]:
    return iter([data[i : i + size] for i in range(0, len(data), size)])


@given(st.lists(st.binary(max_size=60), min_size=1, max_size=3), st.integers(1, 40))
def test_members_of_a_gzip_stream_come_out_whatever_the_blocks(
    members: list[bytes], size: int
) -> None:
    packed = b"".join(gzip.compress(member) for member in members)
    found = gunzip_if_needed(pieces(packed, size), "x", 1 << 20)
    assert b"".join(b for b in found if isinstance(b, bytes)) == b"".join(members)


def test_more_than_one_output_block_per_input_block() -> None:
    data = bytes(random.Random(3).choices(b"ab\n", k=50_000)) * 40
    found = gunzip_if_needed(iter([gzip.compress(data, compresslevel=1)]), "x", 1 << 30)
    assert b"".join(b for b in found if isinstance(b, bytes)) == data


@given(st.text(), st.sampled_from(["utf-8", "utf-16", "utf-32"]), st.integers(1, 7))
def test_text_comes_out_whatever_the_blocks(text: str, encoding: str, size: int) -> None:
    text = text.replace("\0", "").removeprefix("\ufeff")
    log = DiagnosticLog("x")
    assert "".join(decode(pieces(text.encode(encoding), size), encoding, log)) == text


@given(st.text(st.characters(exclude_characters="\0", codec="utf-8")), st.integers(1, 7))
def test_what_is_good_comes_before_the_trouble(text: str, size: int) -> None:
    text = text.removeprefix("\ufeff")
    blocks = decode(pieces(b"a" + text.encode() + b"\xff more", size), "utf-8", DiagnosticLog("x"))
    found: list[str] = []
    with pytest.raises(BadTextError) as caught:
        found.extend(block for block in _recording(blocks, found))
    assert "".join(found) == "a" + text
    assert caught.value.found == "byte 0xFF"


def _recording(blocks: Iterator[str], found: list[str]) -> Iterator[str]:
    for block in blocks:
        found.append(block)
    yield from ()


TEXTS = {
    "gb2312": "今天 天气 很好 你 要 去 哪里",
    "big5": "今天 天氣 很好 你 要 去 哪裡 呢",
    "shift_jis": "これは 日本語の テスト です。今日は 天気が いい ですね。カタカナ も あります",
    "cp1251": "Сегодня хорошая погода, и мы идём гулять в парк",
    "koi8_r": "Сегодня хорошая погода, и мы идём гулять в парк",
    "cp1253": "Σήμερα ο καιρός είναι ωραίος και πάμε βόλτα",
    "cp1252": "Le président a déclaré hier que les élèves étaient rentrés à l'école après la fête",
    "cp1250": "Dzisiaj pogoda jest piękna, więc idziemy na długą przechadzkę, może też jutro",
}


@each_case("encoding", TEXTS)
def test_an_encoding_that_can_be_told_is_told_with_a_warning(encoding: str) -> None:
    data = "".join(f"f 1 s {n} {n + 1} {TEXTS[encoding]}\n" for n in range(3)).encode(encoding)
    read = formats.read(BytesIO(data), "stm", encoding="auto")
    assert [" ".join(s.words) for s in read] == [TEXTS[encoding]] * 3
    assert [d.code for d in read.diagnostics] == ["ENCODING"]


@each_case(
    "data",
    ["因为".encode("gb2312"), "Привет".encode("cp1251"), "się".encode("cp1250"), "ğış".encode("cp1254"),
     bytes(range(128, 256)), b"\xff\xfa"],
)  # fmt: skip
def test_what_may_be_several_texts_is_refused_and_not_guessed(data: bytes) -> None:
    with pytest.raises(formats.EncodingFormatError, match=pattern_of(UNCERTAIN)):
        formats.read(BytesIO(data), "txt", encoding="auto")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "auto"])
def test_errors_about_bytes_name_the_option_that_the_caller_has(encoding: str) -> None:
    with pytest.raises(formats.EncodingFormatError, match="--reference-encoding") as caught:
        formats.read(
            BytesIO(b"a \xff\xd8\xd8"),
            "txt",
            encoding=encoding,
            side="reference",
        )
    assert "--encoding" not in str(caught.value)


@each_case(
    "name",
    ["unicode_escape", "raw_unicode_escape", "idna", "punycode", "undefined", "base64", "rot13",
     "bz2", "uu", "quopri", "hex", "zlib", "x\0y", "\udcff", ""],
)  # fmt: skip
def test_codecs_that_no_file_is_written_in_are_refused_by_name(name: str) -> None:
    with pytest.raises(formats.OptionError, match="the name of an encoding of text, found"):
        formats.read(BytesIO(b"a \\u12"), "txt", encoding=name)
    with pytest.raises(formats.OptionError, match="the name of an encoding of text, found"):
        formats.write(formats.Transcript(), BytesIO(), "trn", encoding=name)


def test_no_codec_of_python_ends_in_a_traceback_on_odd_bytes() -> None:
    for name in sorted(set(encodings.aliases.aliases.values())):
        for data in (b"a\\u12", b"\xff\xfe\xd8", b"+\x80", b"\x1b$B~"):
            with contextlib.suppress(formats.FormatError):
                formats.read(BytesIO(data), "txt", encoding=name)


NOISE = random.Random(5).randbytes(3000)
SOUND = {
    "wav": b"RIFF\x10\0\0\0WAVEfmt " + NOISE,
    "flac": b"fLaC" + NOISE,
    "ogg": b"OggS\0\2" + NOISE,
    "mp3": b"\xff\xfb\x90\x64" + NOISE,
    "tagged mp3": b"ID3\x03\0\0" + NOISE,
    "m4a": b"\0\0\0\x20ftypM4A " + NOISE,
    "sph": b"NIST_1A\n   1024\nend_head\n".ljust(1024) + NOISE,
}
ENCODINGS = ("utf-8", "latin-1", "cp1252", "utf-16", "utf-16-le", "auto")


@each_case(("kind", "name", "encoding"), product([*SOUND, "binary"], ["x.txt", "x"], ENCODINGS))
def test_files_that_are_no_text_are_named(kind: str, name: str, encoding: str) -> None:
    stream = BytesIO(SOUND.get(kind, b"\x7fELF\2\1\1\0" + NOISE))
    stream.name = name
    with pytest.raises(formats.FormatError) as caught:
        formats.read(stream, encoding=encoding)
    content = message_text(NOT_TEXT if kind == "binary" else SOUND_FILE)
    assert str(caught.value) == f"{name}: {content}"


@each_case("name", ["x.srt", "x"])
@each_case(
    ("data", "entry"),
    [
        (b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n", PDF),
        (b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n" + NOISE, PDF),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0a1b\nsize 12\n", POINTER),
        (b"/annex/objects/SHA256E-s12--0a1b.txt\n", POINTER),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", PICTURE),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0", PICTURE),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OLD_OFFICE),
        (b"ID3\x03\0\0\0\0\0\x0aTSSE\xff\xfb\x90d", SOUND_FILE),
        (b"\0\0\0\x20ftypisom\0\0\2\0\xe2", SOUND_FILE),
    ],
)
def test_short_binary_files_are_named(data: bytes, entry: Entry, name: str) -> None:
    stream = BytesIO(data)
    stream.name = name
    with pytest.raises(formats.FormatError) as caught:
        formats.read(stream)
    assert str(caught.value) == f"{name}: {message_text(entry)}"


def test_a_text_about_pdf_is_no_pdf() -> None:
    (segment,) = formats.read(BytesIO(b"PDF-1.4 is a %PDF- format\n"), "txt")
    assert segment.words[0] == "PDF-1.4"


@each_case("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "cp1251", "koi8-r"])
def test_damaged_text_is_no_binary_file(encoding: str) -> None:
    data = ("это русский текст\n" * 40).encode(encoding) + (
        b"\xd8\0\xd8\0\0\0" if encoding == "utf-16-be" else b"\0\xd8\0\xd8\0\0"
    )
    with pytest.raises(formats.FormatError, match=r"<stream>:41:1: expected"):
        formats.read(BytesIO(data), "txt", encoding=encoding)


def test_quotes_of_windows_are_enough_to_know_an_encoding() -> None:
    text = "\x93it\x92s so\x94 \x96 it is\n".encode("latin-1") * 3
    (segment,) = formats.read(BytesIO(text), "txt", encoding="auto")
    assert segment.words[:5] == ("“it’s", "so”", "–", "it", "is")


@each_case(
    "text",
    [
        "the city’s road – it is wide",
        "so “this” is it… yes",
        "we went—all of us—home",
        "1990’s songs",
    ],
)
def test_quotes_and_dashes_of_mac_roman_are_known_by_their_places(text: str) -> None:
    data = f"{text}\n".encode("mac_roman") * 3
    read = formats.read(BytesIO(data), "txt", encoding="auto")
    assert " ".join(word for s in read for word in s.words) == " ".join([text] * 3)
    assert [d.value.fields["encoding"] for d in read.diagnostics if d.code == "ENCODING"] == [
        "mac_roman"
    ]


@each_case("text", ["École d'été", "El Ñandú", "Ô temps, ÓPERA", "Ôter et Òscar"])
def test_capital_letters_are_no_signs_of_mac_roman(text: str) -> None:
    data = f"so it is, {text} then\n".encode("cp1252") * 3
    try:
        read = formats.read(BytesIO(data), "txt", encoding="auto")
    except formats.EncodingFormatError:
        return
    assert [d.value.fields["encoding"] for d in read.diagnostics if d.code == "ENCODING"] != [
        "mac_roman"
    ]


def test_a_few_doubtful_bytes_of_a_long_text_are_counted() -> None:
    text = "so it was then and we went home again\n" * 900
    for odd, data, entry in (
        ("\xff", b"well \xff then \xff\n", FEW_DOUBTFUL),
        ("\ufffd", "well \u00e9 \udcff then\n".encode("utf-8", "surrogateescape"), FEW_DAMAGED),
    ):
        read = formats.read(BytesIO(text.encode() + data), "txt", encoding="auto")
        assert odd in read[-1].words
        entries = [d.value.entry for d in read.diagnostics if d.code == "ENCODING"]
        assert entries == [entry]
        with pytest.raises(formats.EncodingFormatError):
            formats.read(BytesIO(text[:4000].encode() + data * 9), "txt", encoding="auto")


ACCENTS = ("C'était l’été — à Genève\n", "Это было летом\n", "那是去年夏天。\n")


def encoded_again(text: str) -> str:
    """The text as programs write it that take its bytes for Windows-1252."""
    again = {
        sign: "".join(
            chr(byte) if byte in b"\x81\x8d\x8f\x90\x9d" else bytes([byte]).decode("cp1252")
            for byte in sign.encode()
        )
        for sign in {*text}
    }
    return "".join(map(again.__getitem__, text))


def decoded(data: bytes, encoding: str = "auto", side: str = "") -> tuple[str, list[Entry]]:
    log = DiagnosticLog("x", side=side)
    text = "".join(decode(pieces(data, 5000), encoding, log))
    return text, [diagnostic.value.entry for diagnostic in log.entries()]


@each_case("line", ACCENTS)
def test_text_that_was_encoded_twice_as_a_whole_is_decoded_twice(line: str) -> None:
    text = 900 * f"{line}so it was\n"
    again = encoded_again(text)
    assert decoded(again.encode()) == (text, [ENCODED_TWICE])
    assert decoded(encoded_again("\ufeff" + text).encode())[0] == text
    assert decoded(b"\xef\xbb\xbf" + again.encode()) == (text, [ENCODED_TWICE])
    assert decoded(encoded_again(again).encode())[0] == text
    assert decoded(text.encode()) == (text, [])
    assert decoded(again.encode(), "utf-8") == (again, [])
    assert decoded(again.encode(), side="reference") == (again, [])  # a score is of what is written


def test_text_that_was_encoded_twice_in_parts_is_left_as_it_is() -> None:
    text = 3 * encoded_again(ACCENTS[0]) + "Voilà.\n"
    assert decoded(text.encode()) == (text, [PERHAPS_TWICE])
    late = 900 * encoded_again(ACCENTS[0]) + "Voilà.\n"
    assert decoded(late.encode()) == (late, [PERHAPS_TWICE])
    for plain in ("«café» «œuvre» l’été…\n", "NÃO, AÇÃO: É\n", "À «»\n"):
        assert decoded(plain.encode()) == (plain, [])


def test_a_damaged_byte_behind_text_that_was_encoded_twice_is_found() -> None:
    data = 900 * encoded_again(ACCENTS[0]).encode() + b"\xff so it was\n"
    with pytest.raises(BadTextError):
        decoded(data)


@pytest.mark.parametrize("letter", "éÄß’–…žяΩ字")
def test_misread_letters_are_decoded_again(letter: str) -> None:
    for form in misread_forms(letter):
        assert decoded_again(f"so {form} is {form}") == f"so {letter} is {letter}"


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"so it was late then\n" * 60 + b"about 5\xa2 each\n", "5¢"),
        ("so it was “late” then é\n".encode() * 900 + b"9&\xbe\n" * 2, "9&\ufffd"),
        (b"so it was late\n" * 6000 + "“so” é\n".encode() * 9 + b"9&\xbe\n" * 5, "9&\ufffd"),
    ],
)
def test_few_odd_bytes_in_a_text_are_told_and_no_reason_to_refuse_it(
    data: bytes, word: str
) -> None:
    read = formats.read(BytesIO(data), "txt", encoding="auto")
    assert word in [word for segment in read.segments for word in segment.words]
    assert [d.severity for d in read.diagnostics if d.code == "ENCODING"] == ["warning"]
