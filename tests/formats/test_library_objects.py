"""Objects of pysubs2 and textgrid: read as files are, created from segments, and their mends."""

import warnings
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pysubs2
import pytest
import textgrid

import formats
from formats import Loss, Segment, Transcript
from formats.subtitles.cue_lines import CueLine, lines_of_cues
from formats.subtitles.messages import ASS_STYLES, NO_STYLES, STYLES_NOT_TEXT
from tests.each_case import each_case
from tests.remarks import pattern_of


def subtitles(*events: tuple[int, int, str], **fields: Any) -> pysubs2.SSAFile:
    file = pysubs2.SSAFile()
    file.events = [pysubs2.SSAEvent(start, end, text, **fields) for start, end, text in events]
    return file


def grid(*labels: tuple[float, float, str], tier: str = "anne") -> Any:
    intervals = textgrid.IntervalTier(tier, 0, 10)
    for label in labels:
        intervals.add(*label)
    made = textgrid.TextGrid(None, 0, 10)
    made.append(intervals)
    return made


def transcript(*segments: Segment) -> Transcript:
    return Transcript(segments, source="rec")


def written(segments: Transcript, name: str, **options: Any) -> str:
    output = BytesIO()
    formats.write(segments, output, name, **options)
    return output.getvalue().decode()


def test_events_are_segments_to_the_millisecond() -> None:
    file = subtitles((501, 2250, "hello {\\i1}big{\\i0}\\Nworld"), name="Anne", style="Sign")
    file.info["Title"] = "A talk"
    file.fps = 25.0
    read = formats.read(file)
    (segment,) = read
    assert segment.words == ("hello", "big", "world")
    assert (segment.start_ns, segment.end_ns) == (501 * 10**6, 2250 * 10**6)
    assert (segment.speaker, segment.get("style"), segment.get("lines")) == (
        "Anne",
        "Sign",
        "hello big\nworld",
    )
    assert (read.format, read.source) == ("ass", "<SSAFile>")
    assert dict(read.properties) == {"title": "A talk", "fps": "25"}


def test_an_object_is_read_as_its_file_is(tmp_path: Path) -> None:
    path = str(tmp_path / "talk.ass")
    events = subtitles(
        (0, 1000, "{\\k50}a {\\k50}b"), (1000, 1000, ""), (2000, 1500, "c"), (3000, 4000, "{\\p1}m")
    )
    events.append(pysubs2.SSAEvent(0, 10, "not said", type="Comment"))
    events.save(path)
    plain = [segment.replace(line=None) for segment in formats.read(path, recording="rec")]
    read = formats.read(pysubs2.load(path), recording="rec")
    shown = [dict(s.properties).pop("times", None) for s in read]
    assert shown == [None, None, "2000 to 1500 ms"]
    assert [s.replace(line=None, properties=()) for s in read] == [
        s.replace(properties=()) for s in plain
    ]
    assert [d.code for d in read.diagnostics] == [d.code for d in formats.read(path).diagnostics]


def test_a_time_before_zero_is_refused_or_skipped() -> None:
    file = subtitles((0, 500, "a"), (1000, 2000, "b"))
    file.shift(s=-0.75)
    with pytest.raises(formats.SyntaxFormatError) as caught:
        formats.read(file)
    assert str(caught.value) == (
        '<SSAFile>:1: expected start of 0 or more milliseconds, found "-750"'
    )
    read = formats.read(file, tolerance="lenient")
    assert [segment.words for segment in read] == [("b",)]
    assert formats.read(subtitles((0, 500, "a")), offset="1.5")[0].start == 1.5


def test_tiers_are_read_as_those_of_a_file(tmp_path: Path) -> None:
    path = str(tmp_path / "talk.TextGrid")
    made = grid((0.5, 1.25, "hello there"))
    made.append(grid((0.5, 0.75, "hello"), tier="anne - words").tiers[0])
    points = textgrid.PointTier("clicks", 0, 10)
    points.add(2, "snap")
    made.append(points)
    made.append(grid((3, 4, "again")).tiers[0])
    made.write(path)
    read = formats.read(made, recording="talk")
    file = formats.read(path)
    assert [s.replace(line=None) for s in read] == [s.replace(line=None) for s in file]
    assert (read.format, read.properties) == ("textgrid", file.properties)
    assert read[0].starts == (0.5, None)
    assert [d.code for d in read.diagnostics] == [d.code for d in file.diagnostics]
    assert len(formats.read(made, tier_map="*=skip")) == 0


def test_a_tier_with_bad_times_is_refused() -> None:
    made = grid((1, 2, "a"), (2, 3, "b"))
    made.tiers[0].intervals[0].minTime = -1.0
    with pytest.raises(formats.SyntaxFormatError, match=r"times of 0 or more.*found -1.0 to 2"):
        formats.read(made)
    made.tiers[0].intervals[0].minTime = float("nan")
    assert [s.words for s in formats.read(made, tolerance="lenient")] == [("b",)]


def test_the_name_of_a_grid_is_its_recording() -> None:
    made = grid((1, 2, "a"))
    made.name = "*/talk1.lab"
    assert formats.read(made)[0].recording == "talk1"
    assert formats.read(made, recording="x")[0].recording == "x"


def test_fields_without_value_are_empty() -> None:
    event: Any = pysubs2.SSAEvent(0, 10)
    event.text = event.name = event.style = event.effect = event.layer = None
    file = pysubs2.SSAFile()
    file.events = [event]
    (segment,) = formats.read(file)
    assert (segment.words, segment.speaker, segment.properties) == ((), None, ())


def test_overlaps_within_a_tier_are_kept_with_a_warning() -> None:
    made = grid((0, 3, "one two"))
    made.tiers[0].intervals += [textgrid.Interval(2, 4, "three")]
    read = formats.read(made)
    assert [(s.words, s.start) for s in read] == [(("one", "two"), 0.0), (("three",), 2.0)]
    assert [d.code for d in read.diagnostics] == ["TEXTGRID-OVERLAP"]
    losses: list[Loss] = []
    assert formats.to_textgrid(read, losses=losses).getNames() == ["anne", "anne#2"]
    assert [loss.what for loss in losses] == ["overlapping segments", "tiers"]


def test_objects_without_content_have_no_segments() -> None:
    for empty in (pysubs2.SSAFile(), textgrid.TextGrid(), textgrid.TextGrid("talk", 0, 3)):
        assert len(formats.read(empty)) == 0
    nothing = Transcript([])
    assert len(formats.read(formats.to_pysubs2(nothing))) == 0
    assert len(formats.read(formats.to_textgrid(nothing))) == 0


def test_other_objects_are_refused() -> None:
    with pytest.raises(TypeError, match=r"expected a path, a stream, a pysubs2.SSAFile .* int"):
        formats.read(3)  # type: ignore[arg-type]
    with pytest.raises(formats.SyntaxFormatError, match="a file of srt, found an object of ass"):
        formats.read(pysubs2.SSAFile(), "srt")


def test_subclasses_are_read() -> None:
    class Mine(pysubs2.SSAFile):
        """Somebody's own."""

    file = Mine()
    file.append(pysubs2.SSAEvent(0, 10, "a"))
    assert formats.read(file)[0].words == ("a",)
    assert formats.detect(file) == "ass"


def test_segments_as_events_and_back() -> None:
    segments = transcript(
        Segment.of("rec", ["hello"], speaker="Anne", start=0.5015, end=1.25, channel="1"),
        Segment.of("rec", ["you"], start=2.0, end=36001.0, properties={"style": "Sign"}),
    )
    losses: list[Loss] = []
    file = formats.to_pysubs2(segments, losses=losses)
    assert isinstance(file, pysubs2.SSAFile)
    assert [(e.start, e.end, e.name, e.text) for e in file] == [
        (502, 1250, "Anne", "hello"),
        (2000, 36_001_000, "", "you"),
    ]
    assert {"Default", "Sign"} == {*file.styles}
    assert [str(loss) for loss in losses] == [
        "channels: 1",
        "decimals of times: 1 (rounded to 3 decimals)",
    ]
    with pytest.raises(formats.LossError):
        formats.to_pysubs2(segments, tolerance="strict")
    with pytest.raises(formats.OptionError):
        formats.to_pysubs2(segments, colour="red")
    assert [s.words for s in formats.read(file)] == [s.words for s in segments]


def test_losses_are_a_warning_unless_a_list_takes_them() -> None:
    segments = transcript(Segment.of("rec", ["a"], channel="1", start=0.5, end=1.25))
    for create, name in ((formats.to_pysubs2, "ass"), (formats.to_textgrid, "textgrid")):
        with pytest.warns(UserWarning, match="not preserved") as caught:
            create(segments)
        assert [str(warning.message) for warning in caught] == [
            f"not preserved in {name}: channels: 1"
        ]
        assert caught[0].filename == __file__
        losses: list[Loss] = []
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            create(segments, losses=losses)
            create(transcript(Segment.of("rec", ["a"], start=0.5, end=1.25)))
        assert [str(loss) for loss in losses] == ["channels: 1"]


def test_what_an_object_holds_is_no_loss() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nameless = formats.to_pysubs2(formats.read(subtitles((0, 500, "a"))))
        named = formats.to_textgrid(formats.read(nameless, recording="talk"))
        assert formats.read(formats.to_textgrid(formats.read(named)))[0].recording == "talk"
    with pytest.warns(UserWarning, match=r"^not preserved in ass: recordings: 1$"):
        formats.to_pysubs2(formats.read(nameless, recording="talk"))


def test_the_rate_of_frames_goes_with_subtitles() -> None:
    file = subtitles((0, 500, "a"))
    file.fps = 30000 / 1001
    segments = formats.read(file)
    assert formats.to_pysubs2(segments).fps == pytest.approx(30000 / 1001)
    odd = Transcript(segments.segments, properties=(("fps", "many"),))
    assert formats.to_pysubs2(odd).fps is None
    assert "Dialogue: 0,0:00:00.00" in written(odd, "ass")


def test_word_times_are_karaoke_in_hundredths() -> None:
    segment = Segment.of("rec", ["a", "b"], start=0.5, end=1.504)
    segment = segment.replace(starts_ns=(5 * 10**8, 10**9), ends_ns=(10**9, 15 * 10**8))
    losses: list[Loss] = []
    file = formats.to_pysubs2(transcript(segment), word_times=True, losses=losses)
    assert (file[0].end, file[0].text) == (1500, "{\\k50}a {\\k50}b")
    assert [str(loss) for loss in losses] == ["decimals of times: 1 (rounded to 2 decimals)"]
    formats.to_pysubs2(transcript(segment), losses=losses)
    assert "word times: 2 (--word-times writes them)" in map(str, losses)


def test_segments_as_tiers_and_back() -> None:
    segment = Segment.of("rec", ["a", "b"], speaker="anne", tier="anne", start=0.5, end=1.5)
    segment = segment.replace(starts_ns=(5 * 10**8, 10**9), ends_ns=(10**9, 15 * 10**8))
    made = formats.to_textgrid(transcript(segment))
    assert isinstance(made, textgrid.TextGrid)
    assert made.getNames() == ["anne", "anne - words"]
    assert formats.read(made, recording="rec").segments == (segment,)
    with pytest.raises(formats.ConversionError):
        formats.to_textgrid(transcript(Segment.of("rec", ["a"])))


def test_styles_and_headers_come_from_another_file(tmp_path: Path) -> None:
    template = subtitles((0, 1, "x"))
    template.info = {"PlayResX": "1920", "Title": "House"}
    template.styles = {"Default": pysubs2.SSAStyle(fontname="Inter"), "Sign": pysubs2.SSAStyle()}
    template.save(str(tmp_path / "house.ass"))
    segments = transcript(Segment.of("rec", ["a"], start=1, end=2, properties={"style": "New"}))
    text = written(segments, "ass", styles_from=str(tmp_path / "house.ass"))
    assert "PlayResX: 1920" in text
    assert "Title: House" in text
    assert [line[:18] for line in text.splitlines() if line.startswith("Style:")] == [
        "Style: Default,Int",
        "Style: Sign,Arial,",
        "Style: New,Inter,2",
    ]
    assert formats.read(StringIO(text), "ass")[0].get("style") == "New"
    other = tmp_path / "no.ass"
    other.write_text("hello\n")
    with pytest.raises(formats.OptionError, match=pattern_of(NO_STYLES)):
        written(segments, "ass", styles_from=str(other))
    with pytest.raises(formats.UnreadableFileError):
        written(segments, "ass", styles_from=str(tmp_path / "none.ass"))


def test_styles_that_pysubs2_only_guesses_are_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "house.ass"
    fields = "Arial,20,&H0,&H0,&H0,&H0,0,0,0,0,100,100,0,0,1,2,2,99,x,10,10,1"
    path.write_text(f"[V4+ Styles]\nStyle: Default,{fields}\n")
    segments = transcript(Segment.of("rec", ["a"], start=1, end=2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        formats.write(segments, str(tmp_path / "talk.ass"), styles_from=str(path))
    with pytest.raises(formats.SyntaxFormatError) as caught:
        written(segments, "ass", styles_from=str(path), tolerance="strict")
    assert caught.value.value is not None
    assert caught.value.value.entry == ASS_STYLES
    assert caught.value.value.fields["path"] == str(path)
    assert "Failed to parse alignment, using default" in str(caught.value.value.fields["remark"])
    path.write_bytes("[V4+ Styles]\nStyle: é,Arial\n".encode("latin-1"))
    with pytest.raises(formats.OptionError) as told:
        written(segments, "ass", styles_from=str(path))
    assert told.value.value is not None
    assert told.value.value.entry == STYLES_NOT_TEXT
    path.write_bytes("[V4+ Styles]\nStyle: é,Arial\n".encode("utf-16"))
    assert "Style: é,Arial" in written(segments, "ass", styles_from=str(path))


def test_ssa_is_written_by_name_or_option(tmp_path: Path) -> None:
    segments = transcript(Segment.of("rec", ["a"], start=1, end=2, properties={"layer": "3"}))
    path = tmp_path / "talk.ssa"
    losses = formats.write(segments, str(path))
    assert "[V4 Styles]" in path.read_text()
    assert "Dialogue: Marked=0,0:00:01.00,0:00:02.00,Default,,0,0,0,,a\n" in path.read_text()
    assert "properties: 1 (ssa (v4) cannot hold the layer)" in map(str, losses)
    assert formats.read(str(path))[0].words == ("a",)
    assert written(segments, "ass", substation="ssa") == path.read_text()
    assert "[V4+ Styles]" in written(segments, "ass")


# What the libraries do that we mend: where one of these fails, its mend can go.


def test_pysubs2_shortens_ten_hours() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert "9:59:59.99" in subtitles((0, 36_000_000, "a")).to_string("ass")


@each_case(
    ("name", "text", "theirs", "fps"),
    [
        ("microdvd", "c:\\new", "{0}{25}c:|ew\n", 25.0),
        ("microdvd", "{y:i}a", "{0}{25}a\n", 25.0),
        ("microdvd", "a\x85b", "{0}{25}a|b\n", 25.0),
        ("mpl2", "c:\\new", "[0][10] c:|ew\n", None),
        ("tmp", "\xa0a", "00:00:00:a\n", None),
        ("tmp", "c:\\new", "00:00:00:c:|ew\n", None),
    ],
)
def test_pysubs2_changes_some_characters(
    name: str, text: str, theirs: str, fps: float | None
) -> None:
    options = {"write_fps_declaration": False} if name == "microdvd" else {}
    file = subtitles((0, 1000, text))
    assert file.to_string(name, fps=fps, apply_styles=False, **options) == theirs
    assert text in lines_of_cues([CueLine(0, 1000, text)], name, fps)


def test_substitutes_are_not_in_the_text() -> None:
    text = "\ue000\\n\ue001{x}"
    assert lines_of_cues([CueLine(0, 1000, text)], "mpl2") == f"[0][10] {text}\n"


def test_pysubs2_puts_a_blank_before_the_text_of_mpl2() -> None:
    assert subtitles((0, 1000, "a")).to_string("mpl2") == "[0][10] a\n"
    segment = Segment.of("rec", ["a"], start=0, end=1)
    assert written(transcript(segment), "mpl2") == "[0][10]a\n"


def test_pysubs2_rounds_times_to_frames_by_floats() -> None:
    times = [n * 20 for n in range(1, 200, 2)]  # halfway between two frames
    file = subtitles(*((time, time, "a") for time in times))
    lines = file.to_string("microdvd", fps=25.0, write_fps_declaration=False).splitlines()
    theirs = [int(line[1 : line.index("}")]) for line in lines]
    segments = [Segment.of("rec", ["a"], start=time / 1000, end=time / 1000) for time in times]
    ours = formats.read(StringIO(written(transcript(*segments), "microdvd", fps="25")), "microdvd")
    half_to_even = [round(time / 40) for time in times]
    assert [round((s.start or 0) * 25) for s in ours] == half_to_even
    assert theirs != half_to_even


def test_pysubs2_skips_lines_of_tmp_and_guesses_ends() -> None:
    file = pysubs2.SSAFile.from_string("00:00:01:a\nnot a cue\n", "tmp")
    assert [event.end for event in file] != [1000]
    assert len(file) == 1


def test_textgrid_writes_points_names_and_times_otherwise() -> None:
    made = textgrid.TextGrid(None, 0.0, 1.0)
    tier = textgrid.PointTier('a "b"', 0.0, 1.0)
    tier.add(1e-7, "x")
    made.append(tier)

    class Output(StringIO):
        def close(self) -> None:
            """Stay open."""

    output = Output()
    made.write(output)
    text = output.getvalue()
    assert "\t\t\t\ttime = 1e-07\n" in text
    assert 'name = "a "b""\n' in text
    event = Segment("rec", ("x",), kind="event", tier='a "b"', start_ns=100, end_ns=100)
    ours = written(transcript(event), "textgrid")
    assert "\t\t\t\tnumber = 0.0000001\n" in ours
    assert 'name = "a ""b"""\n' in ours
    with pytest.raises(ValueError, match="1"):
        textgrid.Interval(1, 1, "no length")
    with pytest.raises(ValueError, match="again"):
        tier.add(1e-7, "again")
