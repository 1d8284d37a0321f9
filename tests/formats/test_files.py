"""The four verbs on files and streams, and their options."""

import csv
import gc
import gzip
from collections.abc import Callable
from io import BytesIO, StringIO
from pathlib import Path

import pytest

import formats
from formats import OptionError, SyntaxFormatError, UnknownFormatError, UnreadableFileError
from formats.io.messages import NO_SUFFIX, OTHER_FORMAT, OTHER_SUFFIX, SHARED_SUFFIX
from formats.schema.messages import Entry
from formats.writing.files import target_spec, write_to
from tests.each_case import each_case
from tests.remarks import pattern_of
from tests.tables import table_of

WriteFile = Callable[[str, "str | bytes"], str]

TRN = "hello world (anne-1)\n(bob-1)\n"


def test_read_knows_where_it_read(write_file: WriteFile) -> None:
    transcript = formats.read(write_file("talk.trn", TRN))
    assert (transcript.source, transcript.format) == ("talk.trn", "trn")
    assert transcript[0].recording == "talk"
    assert repr(transcript) == "<Transcript of talk.trn (trn): 2 segments, 2 words>"


def test_read_takes_paths_and_streams(write_file: WriteFile) -> None:
    path = Path(write_file("talk.trn.gz", gzip.compress(TRN.encode())))
    expected = formats.read(path).segments
    for stream in (StringIO(TRN), BytesIO(TRN.encode())):
        assert formats.read(stream, recording="talk").segments == expected
    with path.open("rb") as opened:
        assert formats.read(opened).segments == expected


class Observing(StringIO):
    """A stream that notes whether the garbage collector is on, and csv's limit, as it is read."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.states: set[tuple[bool, int]] = set()

    def read(self, size: int | None = -1) -> str:
        self.states.add((gc.isenabled(), csv.field_size_limit()))
        return super().read(size)


def test_reading_leaves_settings_of_the_process() -> None:
    limit, frozen = csv.field_size_limit(100_000), gc.get_freeze_count()
    try:
        for text, name in (("hello (a-1)", "trn"), ("id,text\na,hello\n", "csv")):
            for is_enabled in (True, False):
                (gc.enable if is_enabled else gc.disable)()
                stream = Observing(text)
                formats.read(stream, name)
                assert stream.states == {(is_enabled, 100_000)}
                assert gc.isenabled() == is_enabled
                assert csv.field_size_limit() == 100_000
        # to count them takes longer than all else
        assert gc.get_freeze_count() <= frozen
    finally:
        csv.field_size_limit(limit)
        gc.enable()


def test_a_field_beyond_the_limit_of_csv_is_read_without_raising_it() -> None:
    limit = csv.field_size_limit()
    long = "a " * limit
    text = f'id,text\n1,"hello\n{long}"\n2,{long}\n\n3,"good\nday"\n4,bye\n'
    transcript = formats.read(StringIO(text), "csv")
    assert [len(segment.words) for segment in transcript] == [limit + 1, limit, 2, 1]
    assert [segment.line for segment in transcript] == [2, 4, 6, 8]
    assert csv.field_size_limit() == limit
    with pytest.raises(SyntaxFormatError, match=r"stream>:4:") as error:
        formats.read(StringIO(f'id,text\n1,"{long}\n"\n2,"{long}"x\n'), "csv")
    assert "quoted as in RFC 4180" in str(error.value)
    assert csv.field_size_limit() == limit


def test_stream_gives_segments_as_they_come(write_file: WriteFile) -> None:
    name = write_file("talk.trn", "a (x-1)\nno id\n")
    with formats.stream(name, "trn") as segments:
        iterator = iter(segments)
        assert next(iterator).words == ("a",)
        with pytest.raises(SyntaxFormatError, match=r"talk\.trn:2:6: expected"):
            next(iterator)


def test_stream_keeps_account(write_file: WriteFile) -> None:
    text = 'a (x-1)\nno id\n;; LABEL "o" "" ""\nb (x-2)\n'
    with formats.stream(write_file("a", text), "trn", tolerance="lenient") as segments:
        iterator = iter(segments)
        next(iterator)
        assert (segments.skipped, len(segments.definitions)) == (0, 0)
        next(iterator)
        assert (segments.skipped, len(segments.definitions)) == (1, 1)
        assert [d.code for d in segments.diagnostics] == ["TRN-SYNTAX"]
        assert segments.source == "a"


def test_write_chooses_the_format_by_suffix(write_file: WriteFile) -> None:
    transcript = formats.read(write_file("talk.trn", TRN))
    losses = formats.write(transcript, "talk.txt")
    assert Path("talk.txt").read_text() == "hello world\n"
    assert "empty segments: 1 (dropped)" in map(str, losses)
    assert formats.write(transcript, "copy.trn.gz") == ()
    assert gzip.decompress(Path("copy.trn.gz").read_bytes()).decode() == TRN


def test_a_file_can_be_rewritten_while_it_is_read(write_file: WriteFile) -> None:
    name = write_file("talk.trn", TRN * 1 + " ".join(["x"] * 200_000) + " (anne-2)\n")
    with formats.stream(name) as segments:
        assert formats.write(segments, name) == ()
    assert formats.read(name).word_count == 200_002


@pytest.mark.parametrize(
    ("target", "entry"),
    [
        ("talk", NO_SUFFIX),
        ("-", NO_SUFFIX),
        ("a.xyz", OTHER_SUFFIX),
        ("a.json", SHARED_SUFFIX),
    ],
)
def test_no_format_to_write(target: str, entry: Entry) -> None:
    with pytest.raises(UnknownFormatError) as caught:
        formats.write(formats.Transcript(), target)
    assert caught.value.value is not None
    assert caught.value.value.entry == entry
    assert caught.value.path == (None if target == "-" else target)


def test_a_format_that_is_only_read_is_not_written() -> None:
    from formats.detection.spec import FormatSpec
    from formats.io.sink import open_sink
    from formats.writing.convert import ConvertOptions

    trn = target_spec("x.trn", None)
    spec = FormatSpec(
        name="odd", title="odd", sign="", read=trn.read, write=None, sniff=trn.sniff, holds=()
    )
    with open_sink(StringIO()) as sink, pytest.raises(UnknownFormatError) as caught:
        write_to(formats.Transcript(), sink, spec, ConvertOptions(), {})
    assert str(caught.value) == "<stream>: odd is only read, not written"


@each_case(("options", "message"), table_of(__file__, "bad_options_are_refused"))
def test_bad_options_are_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        formats.read(StringIO(TRN), "trn", **options)  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_options_of_a_writer() -> None:
    with pytest.raises(
        OptionError,
        match='options to write txt: expected speaker_prefix, stamps, found "precision"',
    ):
        formats.write(formats.Transcript(), StringIO(), "txt", precision=2)
    with pytest.raises(OptionError, match=r"expected precision out of 0, 1, .*, 9, found \"10\""):
        formats.write(formats.Transcript(), StringIO(), "stm", precision=10)


@each_case(
    ("name", "options", "message"), table_of(__file__, "options_of_another_kind_are_refused")
)
def test_options_of_another_kind_are_refused(
    name: str, options: dict[str, object], message: str
) -> None:
    with pytest.raises(OptionError) as caught:
        formats.read(StringIO("x"), name, **options)  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_numbers_and_paths_are_taken_for_texts(tmp_path: Path) -> None:
    (cue,) = formats.read(StringIO("{25}{50}hello\n"), "microdvd", fps=25)
    assert (cue.start, cue.end) == (1.0, 2.0)
    table = tmp_path / "segments"
    table.write_text("a rec 1 2\n")
    (segment,) = formats.read(StringIO("a hello\n"), "kaldi", segments=table)
    assert (segment.recording, segment.start) == ("rec", 1.0)
    output = StringIO()
    formats.write(formats.Transcript([cue]), output, "srt", cues="fitted", cue_longest=3)
    formats.write(formats.Transcript([segment]), output, "stm", precision=1.0)
    assert output.getvalue().endswith("rec 1 rec-1 1.0 2.0 hello\n")


def test_missing_file() -> None:
    with pytest.raises(UnreadableFileError, match=r"none\.trn: expected a readable file"):
        formats.read("none.trn")
    with pytest.raises(UnknownFormatError):
        formats.read(StringIO("x"), "nist")


def test_a_wrong_format_names_the_right_one(write_file: WriteFile) -> None:
    cues = write_file("a.txt", "1\n00:00:01,000 --> 00:00:02,000\nhello\n")
    with pytest.raises(SyntaxFormatError, match=pattern_of(OTHER_FORMAT, format="srt")):
        formats.read(cues, "ctm")
    with pytest.raises(SyntaxFormatError) as caught:  # no format is sure of a broken record
        formats.read(write_file("b.txt", "hello\n"), "ctm")
    assert "the content" not in str(caught.value)


def test_a_comma_in_a_text_without_quotes_is_explained() -> None:
    with pytest.raises(SyntaxFormatError, match=r"found 3 \(put a text that contains the sep"):
        formats.read(StringIO("text,id\ngood morning, all,1\n"), "csv")
