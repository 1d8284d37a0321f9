"""uem: regions, names of files, overlaps."""

from io import StringIO

import formats
from formats import Segment, Transcript
from formats.io.messages import COMMENT
from formats.nist.messages import UEM_FIELDS, UEM_MERGED, UEM_NAME
from tests.each_case import each_case
from tests.formats.checks import remark_line
from tests.formats.conftest import ReadText


def written(*segments: Segment, **options: object) -> tuple[str, list[str]]:
    output = StringIO()
    losses = formats.write(Transcript(segments), output, "uem", **options)  # type: ignore[arg-type]
    return output.getvalue(), [str(loss) for loss in losses]


def region(start: float, end: float, recording: str = "r") -> Segment:
    return Segment.of(recording, channel="1", start=start, end=end, kind="scored", line=3)


def test_regions(read_text: ReadText) -> None:
    transcript = read_text("# x\nr 1 75.5 120\nr 1 0 60 more\nq A 1 2\n", "uem")
    assert [(s.recording, s.channel, s.start, s.end, s.kind) for s in transcript] == [
        ("r", "1", 0.0, 60.0, "scored"),
        ("r", "1", 75.5, 120.0, "scored"),
        ("q", "A", 1.0, 2.0, "scored"),
    ]
    assert [str(d) for d in transcript.diagnostics] == [
        remark_line(COMMENT, 1),
        remark_line(UEM_FIELDS, 3, 10, text="more"),
    ]


@each_case(
    ("name", "recording"),
    [("audio/a.b.WAV", "a.b"), ("a.sph", "a"), ("a.b", "a.b"), (".wav", ".wav"), ("x/y", "y")],
)
def test_names_of_files(read_text: ReadText, name: str, recording: str) -> None:
    transcript = read_text(f"{name} 1 0 1\n", "uem")
    assert transcript[0].recording == recording
    expected = remark_line(UEM_NAME, 1, name=name, recording=recording)
    assert [str(d) for d in transcript.diagnostics] == ([expected] if name != recording else [])


def test_merging(read_text: ReadText) -> None:
    transcript = read_text("r 1 5 9\nr 1 0 5.1\nr 1 6 7\nr 1 9 10\n", "uem", uem_merge=True)
    assert [(s.start, s.end) for s in transcript] == [(0.0, 9.0), (9.0, 10.0)]
    assert str(transcript.diagnostics[0]) == (remark_line(UEM_MERGED, 1, first=2))


def test_writing_sorts_and_unites() -> None:
    text, losses = written(
        region(5, 9), region(0, 5.1), region(1, 2, "B"), region(2, 2.0001, "B"),
        region(3, 4, "b.wav"),
    )  # fmt: skip
    assert text == "B 1 1.000 2.000\nb.wav 1 3.000 4.000\nr 1 0.000 9.000\n"
    assert losses == [
        "decimals of times: 1 (rounded to 3 decimals)",
        "empty regions: 1 (dropped)",
        "recordings: 1 (the folder and the suffix are dropped when the file is read)",
        "order of segments: 4 (sorted by recording, channel and start)",
        "overlapping regions: 1 (merged)",
    ]


def test_regions_of_two_names_of_one_recording_are_united() -> None:
    text, losses = written(region(0, 5, "b/r.wav"), region(1, 2), region(5, 6, "r.sph"))
    assert text == "b/r.wav 1 0.000 5.000\nb/r.wav 1 5.000 6.000\n"
    assert losses == [
        "recordings: 2 (the folder and the suffix are dropped when the file is read)",
        "overlapping regions: 1 (merged)",
    ]


def test_words_have_no_place() -> None:
    text, losses = written(Segment.of("r", ["a"], channel="1", start=0, end=1))
    assert (text, losses) == ("", ["segments of words: 1 (dropped)"])
    text, losses = written(region(0, 1, "a b"))
    assert text == "a_b 1 0.000 1.000\n"
    assert losses == ["names with blanks: 1 (joined by _)"]
