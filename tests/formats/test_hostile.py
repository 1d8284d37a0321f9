"""Files made to do harm: they end in a clear error, in bounded memory and time."""

import gzip
import io
import random
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from io import BytesIO
from typing import Any

import pytest

import formats
from formats import FormatError, SizeLimitError, SyntaxFormatError
from formats.detection import FORMATS, names
from formats.detection.spec import ListedFormat
from formats.io.messages import NOT_TEXT
from tests.each_case import each_case
from tests.formats.case import Case
from tests.formats.test_contract import CASES

# SAMI and HTML have tags, not XML: no document types, no entities of their own, no nesting
TAGS = {"sami": "SAMI", "podcast-html": "p", "html": "p"}
XML = [entry for entry in FORMATS if entry.shape == "xml" and entry.name not in TAGS]
JSON = [entry for entry in FORMATS if entry.shape == "json"]
SHAPES = {entry.name: entry.shape for entry in FORMATS}
ROOTS = {
    "eaf": "ANNOTATION_DOCUMENT", "trs": "Trans", "ttml": "tt", "ecf": "ecf",
    "kwlist": "kwlist", "kwslist": "kwslist", "srv": "timedtext", "exb": "basic-transcription",
    "tei": "TEI", "folker": "folker-transcription", "flextext": "document", "its": "ITS", "nxt": "root", "mrt": "Meeting", "mgb": "transcript", "bliss": "corpus",
    "chat-xml": "CHAT", "usf": "USFSubtitles", "ttxt": "TextStream", "readalong": "read-along", "xml": "data",
}  # fmt: skip
format_items = pytest.mark.parametrize("entry", FORMATS, ids=lambda entry: entry.name)
each_xml = each_case("entry", XML, ids=lambda entry: entry.name)
each_json = each_case("entry", JSON, ids=lambda entry: entry.name)
xml_items = pytest.mark.parametrize("entry", XML, ids=lambda entry: entry.name)


@pytest.fixture(params=["lxml", "expat"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The parser of XML, with lxml and without."""
    if request.param == "expat":
        monkeypatch.setitem(sys.modules, "lxml", None)


each_parser = pytest.mark.usefixtures("parser")


def refusal(data: bytes, name: str, **options: object) -> FormatError:
    with pytest.raises(FormatError) as caught:
        formats.read(BytesIO(data), name, **options)  # type: ignore[arg-type]
    return caught.value


def test_every_xml_format_is_attacked() -> None:
    assert sorted(ROOTS) == sorted(entry.name for entry in XML)


@pytest.mark.share(2)
@each_parser
@xml_items
@pytest.mark.parametrize(
    "definition",
    [
        '<!ENTITY a "x">',
        '<!ENTITY a SYSTEM "file:///etc/hostname">',
        '<!ENTITY % a SYSTEM "http://127.0.0.1:9/x">%a;',
        "<!ELEMENT a ANY>",
        "<!ENTITY l0 'lol'>" + "".join(
            f"<!ENTITY l{n + 1} '{f'&l{n};' * 10}'>" for n in range(12)
        ) + "<!ENTITY a '&l12;'>",
    ],
    ids=["entity", "file", "network", "element", "laughs"],
)  # fmt: skip
def test_definitions_inside_xml_are_refused(entry: ListedFormat, definition: str) -> None:
    root = ROOTS[entry.name]
    text = f"<?xml version='1.0'?>\n<!DOCTYPE {root} [{definition}]>\n<{root}>&a;</{root}>"
    error = refusal(text.encode(), entry.name)
    assert isinstance(error, SyntaxFormatError)
    assert error.line is not None


@each_parser
@each_xml
def test_references_to_nothing_are_refused(entry: ListedFormat) -> None:
    root = ROOTS[entry.name]
    doctype = f'<!DOCTYPE {root} SYSTEM "file:///etc/hostname">'
    refusal(f"{doctype}<{root}>&a;</{root}>".encode(), entry.name)
    refusal(f"<{root}>&a;</{root}>".encode(), entry.name)


@each_parser
@each_xml
def test_deep_xml_is_refused(entry: ListedFormat) -> None:
    data = f"<{ROOTS[entry.name]}>".encode() + b"<a>" * 100_000
    assert "depth" in str(refusal(data, entry.name))


@each_xml
def test_another_root_is_named(entry: ListedFormat) -> None:
    error = refusal(b"<html><body/></html>", entry.name)
    # the format of any XML has no root of its own, and says what it searched
    found = "found an object" if entry.name == "xml" else 'found "html"'
    assert found in str(error)
    assert error.line == 1


PIECES = {"lists": b"[", "objects": b'{"a":', "both": b'[{"words":['}


# one piece with each format: in a release less deep nests of every kind are tried with all
@pytest.mark.share(2)
@pytest.mark.parametrize(
    ("entry", "piece"),
    [
        pytest.param(entry, piece, id=f"{entry.name}-{kind}")
        for number, entry in enumerate(JSON)
        for at, (kind, piece) in enumerate(PIECES.items())
        if number % 3 == at
    ],
)
def test_deep_json_is_refused(entry: ListedFormat, piece: bytes) -> None:
    assert "levels deep" in str(refusal(piece * 100_000, entry.name))


SHALLOW = (10, 64, 65, 200, 400, 1000)
"""Levels on both sides of the limits of readers, which are at most 256, and Python's own limit."""
DEEP = (3000, 10_000, 100_000)
DEEPEST_WORD = 10_000
"""Levels in place of a word, ten times what Python's own limit lets its readers descend."""
DEEPEST_WORD_IN_PYTHON = 3000
"""Levels in place of a word of a line, or of a string of JSON: no parser in C descends into these, so
three times the limit are enough."""
NESTS = {
    "lists": ("[", "1", "]"),
    "no value": ("[", "", "]"),
    "objects": ('{"a":', "1", "}"),
    "segments": ('{"segments":[', "1", "]}"),
    "words": ('[{"words":[', "1", "]}]"),
    "tags": ("<a>", "x", "</a>"),
    "alternatives": ("{ a / ", "b", " }"),
    "parentheses": ("(", "a", ")"),
}


def nested(kind: str, depth: int) -> str:
    begin, value, end = NESTS[kind]
    return begin * depth + value + end * depth


@pytest.mark.share(4)
@pytest.mark.parametrize("kind", NESTS)
def test_nothing_is_too_deep_for_detection(kind: str) -> None:
    for depth in SHALLOW + DEEP:
        whole = nested(kind, depth)
        texts = (whole, whole[: len(whole) // 2], f"[{whole},{whole}]")
        for text in texts[: 1 if depth == DEEP[-1] else 3]:
            with suppress(FormatError):
                assert formats.detect(BytesIO(text.encode())) in names()


@pytest.mark.release
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_any_depth_is_read_or_refused(case: Case) -> None:
    """Values nested 10 to 100,000 levels deep: as the whole file, in the root, in place of a word.

    Parsers in C, which have a limit of their own, descend into the first two. Only XML has a root.
    Of the least depths each kind of nest has two with one format, and all with three of them; the
    others it has with every second format.
    """
    root = ROOTS.get(case.name, "a")
    shape = SHAPES.get(case.name)
    # readers of lines do not descend: that a line is long is tried elsewhere, and so is the deepest JSON
    deep = {"text": (3000,), "json": (3000, 10_000)}.get(shape or "", DEEP)
    deepest_word = DEEPEST_WORD_IN_PYTHON if shape in ("text", "json") else DEEPEST_WORD
    for number, kind in enumerate(NESTS, CASES.index(case)):
        for depth in (*SHALLOW[number % 3 :: 3], *deep[: len(deep) * (number % 2)]):
            text = nested(kind, depth)
            word = text.replace('"', '\\"') if case.sample.lstrip()[:1] in ("{", "[") else text
            files = [text.encode()]
            if shape not in ("text", "json"):  # other readers begin with the root, too
                files.append(f"<{root}>{text}</{root}>".encode())
            if depth <= deepest_word and (case.pack is str.encode or depth < 1000):
                files.append(case.pack(case.sample.replace("hello", word, 1)))
            for data in files:
                with suppress(FormatError):
                    formats.read(BytesIO(data), case.name, recording="rec", **case.read_options)


@each_json
def test_odd_json_numbers_are_refused_or_read(entry: ListedFormat) -> None:
    for number in (b"9" * 5000, b"1e999999999", b"-Infinity", b"NaN"):
        refusal(b'{"words": [{"start": ' + number + b"}], " + number, entry.name)


class Endless(io.RawIOBase):
    """A beginning, then one byte again and again, a gigabyte of it; counts what was taken."""

    def __init__(self, beginning: bytes, filler: bytes, size: int) -> None:
        self.taken = 0
        self._pieces = self._given(beginning, filler, size)

    def _given(self, beginning: bytes, filler: bytes, size: int) -> Iterator[bytes]:
        if beginning:
            yield beginning
        block = filler * ((1 << 18) // len(filler))
        for _ in range(size // len(block)):
            yield block

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        piece = next(self._pieces, b"")
        self.taken += len(piece)
        return piece


AT_THE_DEFAULT_LIMIT = {"ctm", "srt", "whisper", "eaf", "stl"}
BEGINNINGS = {"xml": b"<%s a='", "json": b'{"words": [{"word": "', "text": b""}


def limit_for(entry: ListedFormat, others: int = 1 << 22) -> int:
    """The largest input: what holds by default for a few formats of each sort, less for others."""
    return 1 << 30 if entry.name in AT_THE_DEFAULT_LIMIT else others


@each_case("entry", FORMATS, ids=lambda entry: entry.name)
def test_a_gigabyte_of_one_line_is_refused_early(entry: ListedFormat) -> None:
    beginning = BEGINNINGS[entry.shape]
    if entry.shape == "xml":
        beginning = beginning % (ROOTS | TAGS)[entry.name].encode()
    source: Any = Endless(beginning, b"x", 1 << 30)
    limit = limit_for(entry)
    with pytest.raises(FormatError):
        formats.read(source, entry.name, max_bytes=limit)
    assert source.taken < 1.1 * min(limit, 1 << 28)


@cache
def bomb() -> tuple[bytes, bytes]:
    """The beginning of a file that is packed, and what may follow it again and again."""
    packer = zlib.compressobj(9, wbits=31)
    lines = (b"x" * 1023 + b"\n") * (1 << 11)
    first = packer.compress(lines) + packer.flush(zlib.Z_SYNC_FLUSH)
    return first, packer.compress(lines) + packer.flush(zlib.Z_SYNC_FLUSH)


# what unpacks knows nothing of formats: a few in which it ends in several places; in a release all
@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(entry, marks=() if entry.name in AT_THE_DEFAULT_LIMIT else pytest.mark.release)
        for entry in FORMATS
    ],
    ids=lambda entry: entry.name,
)
def test_a_gzip_bomb_is_refused_early(entry: ListedFormat) -> None:
    source: Any = Endless(*bomb(), 1 << 30)
    with pytest.raises(FormatError):
        formats.read(source, entry.name, max_bytes=limit_for(entry, 1 << 20))


def test_a_nested_gzip_file_is_no_text() -> None:
    packed = gzip.compress(gzip.compress(random.Random(1).randbytes(500)))
    value = refusal(packed, "trn").value
    assert value is not None
    assert value.entry is NOT_TEXT


def test_a_line_of_commas_is_no_header() -> None:
    error = refusal(b"," * 20_000, "csv")
    assert str(error) == "<stream>:1: expected at most 16,384 columns, found 20,001 columns"


def test_limits_can_be_set() -> None:
    error = refusal(b"hello (s-1)\n" * 100, "trn", max_bytes=500)
    assert isinstance(error, SizeLimitError)
    assert str(error) == "<stream>: larger than 500 bytes"


SIGNS = ["{", "(", "<", '"', " ", "[", "&", "\t", "-->", "{}", "<v ", "\\N"]


@pytest.mark.share(4, covered=True)
@format_items
@pytest.mark.parametrize("length", [1 << 12, pytest.param(1 << 13, marks=pytest.mark.release)])
def test_a_line_of_one_sign_takes_no_time(entry: ListedFormat, length: int) -> None:
    """Regular expressions that look again and again would take minutes."""
    for line in (sign * length for sign in SIGNS):
        for text in (line, f"1\n00:00:01,000 --> 00:00:02,000\n{line}"):
            try:
                assert len(formats.read(BytesIO(text.encode()), entry.name)) >= 0
            except FormatError as error:
                assert len(str(error)) < 1000  # noqa: PT017


@each_case("name", ["ctm", "whisper", "eaf", "srt", "textgrid"])
def test_memory_stays_bounded(name: str) -> None:
    """A gigabyte through standard input, with less memory than that allowed."""
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (1600 << 20, 1600 << 20));"
        "from formats.cli import main; sys.exit(main(['validate', '-', '--from', sys.argv[1]]))"
    )
    entry = next(entry for entry in FORMATS if entry.name == name)
    beginning = BEGINNINGS[entry.shape]
    if entry.shape == "xml":
        beginning = beginning % ROOTS[name].encode()
    with subprocess.Popen(
        [sys.executable, "-c", code, name], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        try:
            process.stdin.write(beginning)
            for _ in range(1 << 12):
                process.stdin.write(b"x" * (1 << 18))
            process.stdin.close()
        except BrokenPipeError:
            pass
        message = process.stderr.read().decode()
    assert process.wait() == 2
    assert message.startswith("formats: error: <stdin>")
    assert message.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nhi {}\n"),
        ("otranscribe", '{{"text": "<p>hi {}</p>", "media": "a", "media-time": 1}}'),
        ("podcast-html", "<cite>A:</cite><time>0:01</time><p>hi {}</p>"),
    ],
)
def test_a_reference_to_an_immense_number_is_no_character(name: str, text: str) -> None:
    document = text.format("&#" + "9" * 5000 + ";").encode()
    assert formats.read(BytesIO(document), name)[0].words == ("hi", "\ufffd")
