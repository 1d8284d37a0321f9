"""Kaldi's text and data directories: tables, what is missing in them, writing."""

import gzip
import os
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

import formats
from formats import LossError, Segment, SyntaxFormatError, Transcript, UnwritableFileError
from formats.detection.head import Head
from formats.detection.spec import Sniff
from formats.io.messages import UNICODE_SPACE
from formats.kaldi.messages import (
    KALDI_DUPLICATE,
    KALDI_END,
    KALDI_INTEGERS,
    KALDI_NO_RECORDING,
    KALDI_NO_SEGMENT,
    KALDI_NO_TEXT,
    KALDI_ORDER,
    KALDI_SHORT,
    KALDI_SPEAKER,
    KALDI_SPEAKER_ONLY,
    KALDI_SPEAKER_OTHER,
    KALDI_START,
)
from formats.kaldi.text import sniff
from tests.each_case import each_case
from tests.formats.checks import message_text, remark_line
from tests.tables import table_of

ReadText = Callable[..., Transcript]
RunCommand = Callable[..., "tuple[int, str, str]"]
WriteFile = Callable[[str, "str | bytes"], str]

TEXT = "bob-utt2 how are you\nspk1-utt1 hello world\nspk1-utt3\n"
DIRECTORY = {
    "text": TEXT,
    "segments": "spk1-utt1 rec1-A 0.50 2.25\nspk1-utt3 rec1-A 2.25 -1\nbob-utt2 call7 1 2.5\n",
    "utt2spk": "bob-utt2 bob\nspk1-utt1 spk1\nspk1-utt3 spk1\n",
    "spk2utt": "bob bob-utt2\nspk1 spk1-utt1 spk1-utt3\n",
    "reco2file_and_channel": "call7 rec2 B\nrec1-A rec1 A\n",
    "wav.scp": "rec1-A sph2pipe -f wav -c 1 rec1.sph |\ncall7 /audio/rec2.wav\n",
    "reco2dur": "rec1-A 3.75\ncall7 2.4\n",
    "utt2lang": "bob-utt2 de\n",
    "spk2gender": "spk1 f\nbob m\n",
}


@pytest.fixture
def directory(current_folder: Path) -> Path:
    path = current_folder / "train"
    path.mkdir()
    for name, content in DIRECTORY.items():
        (path / name).write_text(content, "utf-8")
    return path


def warnings(transcript: Transcript) -> list[str]:
    return [str(d) for d in transcript.diagnostics if d.severity == "warning"]


def contents(path: Path) -> dict[str, str]:
    return {name: (path / name).read_text("utf-8") for name in os.listdir(path)}


def written(*segments: Segment, **options: object) -> tuple[str, list[str]]:
    output = StringIO()
    losses = formats.write(
        Transcript(segments, source="rec"),
        output,
        "kaldi",
        **options,  # type: ignore[arg-type]
    )
    return output.getvalue(), [str(loss) for loss in losses]


def test_a_text_alone(read_text: ReadText) -> None:
    transcript = read_text("a\thello  world\nb-1\n\n c  x\vy\n", "kaldi")
    assert [(s.recording, s.utterance, s.words) for s in transcript] == [
        ("rec", "a", ("hello", "world")), ("rec", "b-1", ()), ("rec", "c", ("x", "y")),
    ]  # fmt: skip
    assert transcript.diagnostics == ()


def test_a_directory(directory: Path) -> None:
    transcript = formats.read("train")
    assert (transcript.source, transcript.format) == ("train/text", "kaldi")
    bob, first, last = transcript
    assert (bob.recording, bob.channel, bob.speaker) == ("rec2", "B", "bob")
    assert (bob.start, bob.end) == (1.0, 2.5)
    assert bob.properties == (("gender", "m"), ("language", "de"), ("recording_id", "call7"))
    assert (first.recording, first.channel, first.start, first.end) == ("rec1", "A", 0.5, 2.25)
    assert first.properties == (("gender", "f"),)
    assert (last.words, last.start, last.end) == ((), 2.25, 3.75)
    assert transcript.diagnostics == ()
    assert formats.detect("train") == "kaldi"


def test_single_tables_are_named_by_options(directory: Path) -> None:
    (plain, *_) = formats.read("train/text", "kaldi")
    assert (plain.recording, plain.start, plain.speaker) == ("text", None, None)
    first = formats.read("train/text", segments="train/segments", spk2utt="train/spk2utt")[1]
    assert (first.recording, first.start, first.speaker) == ("rec1-A", 0.5, "spk1")


def test_a_directory_without_segments(directory: Path) -> None:
    for name in ("segments", "reco2file_and_channel", "spk2utt", "utt2lang", "spk2gender"):
        (directory / name).unlink()
    (directory / "wav.scp").write_text("bob-utt2 x\nspk1-utt1 rm -rf / |\n")
    (directory / "utt2dur").write_text("spk1-utt1 1.5\n")
    transcript = formats.read("train")
    assert [(s.recording, s.start, s.end) for s in transcript] == [
        ("bob-utt2", None, None), ("spk1-utt1", 0.0, 1.5), ("spk1-utt3", None, None),
    ]  # fmt: skip
    assert warnings(transcript) == [
        remark_line(KALDI_NO_RECORDING, 3, file="train/text", recording="spk1-utt3")
    ]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("segments", "bob-utt2 call7 1 2.5\nspk1-utt1 rec1-A 0 1\n",
         ("text:3: warning: " + message_text(KALDI_NO_SEGMENT, utterance='spk1-utt3') + ' [KALDI-NO-SEGMENT]')),
        ("segments", DIRECTORY["segments"] + "x call7 1 2\n",
         ("text: warning: " + message_text(KALDI_NO_TEXT, utterance='x', segment=4) + ' [KALDI-NO-TEXT]')),
        ("utt2spk", "bob-utt2 bob\nspk1-utt1 spk1\n",
         ("text:3: warning: " + message_text(KALDI_SPEAKER, utterance='spk1-utt3') + ' [KALDI-SPEAKER]')),
        ("spk2utt", "bob bob-utt2\nspk1 spk1-utt1\nanne spk1-utt3\n",
         ("spk2utt:3: warning: " + message_text(KALDI_SPEAKER_OTHER, utterance='spk1-utt3', speaker='anne', other='spk1') + ' [KALDI-SPEAKER]')),
        ("wav.scp", "rec1-A x\n",
         ("text:1: warning: " + message_text(KALDI_NO_RECORDING, recording='call7') + ' [KALDI-NO-RECORDING]')),
        ("utt2spk", DIRECTORY["utt2spk"] + "x anne\n",
         ("text: warning: " + message_text(KALDI_SPEAKER_ONLY, utterance='x', speaker='anne') + ' [KALDI-NO-TEXT]')),
        ("reco2dur", "rec1-A 2.25\ncall7 2.4\n",
         ("text:3: warning: " + message_text(KALDI_START, recording='rec1-A', seconds=2.25) + ' [KALDI-END]')),
        ("reco2dur", "call7 1.5\n",
         ("text:1: warning: " + message_text(KALDI_END, recording='call7', seconds=1.0) + ' [KALDI-END]')),
    ],
)  # fmt: skip
def test_what_is_missing_in_tables(directory: Path, name: str, content: str, message: str) -> None:
    (directory / name).write_text(content)
    transcript = formats.read("train")
    assert f"train/{message}" in warnings(transcript)
    assert len(transcript) == 3
    with pytest.raises(SyntaxFormatError):
        formats.read("train", tolerance="strict")


@pytest.mark.parametrize(("name", "content", "message"), table_of(__file__, "refusals"))
def test_refusals(directory: Path, name: str, content: str, message: str) -> None:
    (directory / name).write_text(content)
    with pytest.raises(SyntaxFormatError) as caught:
        formats.read("train")
    assert str(caught.value) == f"train/{message}"
    lenient = formats.read("train", tolerance="lenient")
    assert ("error", f"train/{name}") in [(d.severity, d.path) for d in lenient.diagnostics]


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("a x\na x\n", remark_line(KALDI_DUPLICATE, 2, first=1)),
        ("a x y\na\tx  y \n", remark_line(KALDI_DUPLICATE, 2, first=1)),
        ("b x\na x\n", remark_line(KALDI_ORDER, 2)),
        ("a x\xa0y\n", remark_line(UNICODE_SPACE, 1, 4, character=0xA0)),
    ],
)
def test_notes(read_text: ReadText, text: str, note: str) -> None:
    assert [str(d) for d in read_text(text, "kaldi").diagnostics] == [note]


def test_what_is_told_of_many_lines(read_text: ReadText) -> None:
    many = "".join(f"u{n:04d} word\n" for n in range(3000))
    transcript = read_text(f"{many}u0007 word\nu0 word\nt word\n", "kaldi")
    assert [segment.line for segment in transcript] == [*range(1, 3001), 3002, 3003]
    assert [str(one) for one in transcript.diagnostics] == [
        remark_line(KALDI_DUPLICATE, 3001, first=8),
        remark_line(KALDI_ORDER, 3002),
    ]


def test_integers_are_suspected(read_text: ReadText) -> None:
    assert warnings(read_text("a 17 4 2\nb 8\n", "kaldi")) == [
        remark_line(KALDI_INTEGERS, integers=4, words=4)
    ]
    assert warnings(read_text("a 17 four 2\n", "kaldi")) == []


def test_short_segments_are_noted(directory: Path) -> None:
    (directory / "segments").write_text("spk1-utt1 rec1-A 0 0.05\n")
    remarks = [str(d) for d in formats.read("train").diagnostics]
    assert (remark_line(KALDI_SHORT, 1, file="train/segments")) in remarks


def test_a_directory_comes_back(directory: Path) -> None:
    transcript = formats.read("train")
    assert formats.write(transcript, "copy/", "kaldi") == ()
    assert formats.read("copy").segments == transcript.segments
    copy = contents(directory.parent / "copy")
    assert copy.pop("segments") == (
        "bob-utt2 call7 1.000 2.500\nspk1-utt1 rec1-A 0.500 2.250\nspk1-utt3 rec1-A 2.250 3.750\n"
    )
    assert copy.pop("spk2gender") == "bob m\nspk1 f\n"
    for name, content in copy.items():
        assert content == DIRECTORY[name], name


def test_only_known_tables_are_written(tmp_path: Path) -> None:
    segments = [
        Segment.of("rec", ["b"], utterance="u-2"),
        Segment.of("rec", ["a"], utterance="U-1"),
    ]
    losses = formats.write(Transcript(segments), f"{tmp_path}/new/", "kaldi")
    assert contents(tmp_path / "new") == {"text": "U-1 a\nu-2 b\n"}
    assert [str(loss) for loss in losses] == [
        "recordings: 2 (the segment has no times)", "order of segments: 2 (sorted by utterance id)"
    ]  # fmt: skip


def test_channels_and_speakers_are_completed(tmp_path: Path) -> None:
    common = {"start": 1.0, "end": 2.0}
    segments = [
        Segment.of("r", ["a"], utterance="u1", channel="1", speaker="anne", **common),  # type: ignore[arg-type]
        Segment.of("r", ["b"], utterance="u2", channel="2", **common),  # type: ignore[arg-type]
    ]
    losses = formats.write(Transcript(segments), tmp_path, "kaldi")
    assert contents(tmp_path) == {
        "text": "u1 a\nu2 b\n",
        "segments": "u1 r 1.000 2.000\nu2 r-2 1.000 2.000\n",
        "reco2file_and_channel": "r r 1\nr-2 r 2\n",
        "utt2spk": "u1 anne\nu2 u2\n",
        "spk2utt": "anne u1\nu2 u2\n",
    }
    assert [str(loss) for loss in losses] == [
        "speakers invented: 1 (the utterance id is written as the speaker)"
    ]


def test_tables_of_another_transcript_are_not_mixed_in(directory: Path) -> None:
    before = contents(directory)
    with pytest.raises(UnwritableFileError) as caught:
        formats.write(Transcript([Segment.of("r", ["a"], utterance="u")]), "train", "kaldi")
    assert str(caught.value) == (
        "train/segments: the folder has the segments of another transcript: remove it, or write to another folder"
    )
    assert contents(directory) == before


def test_ids_are_made_from_what_is_known() -> None:
    text, losses = written(
        Segment.of("rec", ["a"], speaker="anne", start=5.0, end=17.5),
        Segment.of("rec", ["b"], start=0.004, end=0.016),
        Segment.of("rec", ["c"], channel="B"),
        Segment.of("rec", ["d"], channel="B"),
    )
    assert text == (
        "anne-rec-0000500-0001750 a\nrec-0000000-0000002 b\nrec-B-0000 c\nrec-B-0001 d\n"
    )
    assert losses == [
        "utterance ids invented: 4",
        "speakers: 1 (a data directory of Kaldi keeps them)",
        "segment times: 2 (a data directory of Kaldi keeps them)",
        "channels: 2 (a data directory of Kaldi keeps them)",
    ]


@pytest.mark.parametrize(
    ("segments", "message"),
    [
        ([Segment.of("r", utterance="u"), Segment.of("r", utterance="u", line=2)],
         '2: expected a unique utterance id, found "u"'),
    ],
)  # fmt: skip
def test_what_cannot_be_written(segments: list[Segment], message: str) -> None:
    with pytest.raises(LossError) as caught:
        written(*segments)
    assert str(caught.value) == f"rec:{message}"


@pytest.mark.parametrize(
    ("segments", "message"),
    [
        ([Segment.of("r", utterance="a", start=1, end=1.0001, line=2)],
         "expected an end after the start, found 1.0 to 1.0001"),
        ([Segment.of("r", utterance="a", speaker="s", properties={"gender": "m"}),
          Segment.of("r", utterance="b", speaker="s", properties={"gender": "f"}, line=2)],
         'expected one entry of spk2gender for "s", found "m" and "f"'),
    ],
)  # fmt: skip
def test_what_a_directory_cannot_hold(
    tmp_path: Path, segments: list[Segment], message: str
) -> None:
    with pytest.raises(LossError) as caught:
        formats.write(Transcript(segments), f"{tmp_path}/new/", "kaldi")
    assert str(caught.value) == f"2: {message}"
    assert os.listdir(tmp_path) == []


def test_the_command_reads_and_writes_directories(directory: Path, run_command: RunCommand) -> None:
    status, output, _ = run_command("convert", "train", "-", "--to", "trn")
    assert (status, output.splitlines()[0]) == (0, "how are you (bob-utt2)")
    status, output, errors = run_command("convert", "train", "new/", "--to", "kaldi")
    assert (status, output, errors) == (0, "", "")
    assert "segments" in os.listdir("new")


def test_the_command_creates_the_folders_of_a_directory(
    directory: Path, run_command: RunCommand
) -> None:
    assert run_command("convert", "train", "data/dev/some", "--to", "kaldi")[0] == 0
    assert "segments" in os.listdir("data/dev/some")
    assert run_command("convert", "train", "some.text", "--to", "kaldi")[0] == 0
    assert os.path.isfile("some.text")
    status, _, errors = run_command("convert", "missing.trn", "other/new", "--to", "kaldi")
    assert (status, os.path.exists("other")) == (2, False), errors


def test_segments_alone(write_file: WriteFile) -> None:
    path = write_file("segments", "u1 rec1 0.5 2.25\nu2 rec1 2.25 -1 A\n")
    transcript = formats.read(path)
    assert transcript.format == "kaldi-segments"
    assert [(s.utterance, s.recording, s.channel, s.start, s.end) for s in transcript] == [
        ("u1", "rec1", None, 0.5, 2.25), ("u2", "rec1", "A", 2.25, None),
    ]  # fmt: skip
    write_file("segments", "u1 rec1 0.5 2.25\nu1 rec1 2.25 3\n")
    with pytest.raises(SyntaxFormatError) as caught:
        formats.read(path)
    assert str(caught.value) == ('segments:2:1: expected a unique id, found "u1", which line 1 has')


def test_segments_of_a_transcript() -> None:
    output = StringIO()
    turns = [
        Segment.of("r", ["b", "c"], channel="1", speaker="s", start=2, end=3),
        Segment.of("r", ["a"], speaker="s", start=1, end=2),
    ]
    losses = formats.write(Transcript(turns), output, "kaldi-segments")
    assert output.getvalue() == "s-000 r 2.000 3.000 1\ns-001 r 1.000 2.000\n"
    assert [str(loss) for loss in losses] == [
        "words: 3 (dropped)", "speakers: 2", "utterance ids invented: 2 (written as numbers)",
    ]  # fmt: skip
    with pytest.raises(LossError) as caught:
        formats.write(Transcript([turns[0].replace(start_ns=None)]), output, "kaldi-segments")
    assert str(caught.value) == "expected a start time, found none"


@each_case(
    ("lines", "answer"),
    [
        (["u1 a", "u2 b"], Sniff.MAYBE),
        (["u2 a", "u1 b"], Sniff.NO),
        (["a x", "b y"], Sniff.NO),
        (["u1 a"], Sniff.NO),
        ([], Sniff.NO),
    ],
)
def test_sniff(lines: list[str], answer: Sniff) -> None:
    assert sniff(Head(lines)) is answer


def test_a_directory_knows_its_name(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (directory / "segments").write_text("bob-utt2 call7 1 2.5\n", "utf-8")
    inner = directory.rename(directory.with_name("train.v1"))
    monkeypatch.chdir(inner)
    for name in (".", "./", "../train.v1", str(inner)):
        assert formats.read(name)[1].recording == "train.v1"


@pytest.mark.parametrize("name", ["174-32.trans.txt", "174-32.txt", "174-32.trans.txt.gz"])
def test_a_list_whose_ids_begin_as_the_file_is_called_is_no_plain_text(
    tmp_path: Path, name: str
) -> None:
    data = b"174-32-0001 HELLO\n174-32-0002 HOW ARE YOU\n"
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    read = formats.read(path)
    assert read.format == "kaldi"
    assert [(s.recording, s.utterance, s.words) for s in read] == [
        ("174-32", "174-32-0001", ("HELLO",)),
        ("174-32", "174-32-0002", ("HOW", "ARE", "YOU")),
    ]
    if "trans" in name:
        assert not read.diagnostics


@pytest.mark.parametrize(
    "text", ["HELLO\n", "174-32-0001 A\nB C\n", "174-33-0001 A\n", "174-32-1 A\n174-32-1 B\n"]
)
def test_content_wins_where_a_list_of_that_name_has_other_ids(tmp_path: Path, text: str) -> None:
    path = tmp_path / "174-32.trans.txt"
    path.write_text(text)
    assert formats.detect(path) == "txt"
