"""pysubs2 and webvtt-py agree with us on random files."""

import warnings
from io import BytesIO, StringIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import formats
from formats import Segment, Transcript

pysubs2: Any = pytest.importorskip("pysubs2")
webvtt: Any = pytest.importorskip("webvtt")

PLAIN_WORDS = st.text("abcäöß,.?!'", min_size=1, max_size=6)
TIMES = st.integers(0, 3 * 10**6)


@st.composite
def documents(draw: st.DrawFn, grid: int = 1) -> list[tuple[int, int, list[list[str]]]]:
    """Cues in order of begin: begin and end in milliseconds, lines of words."""
    cues = []
    for _ in range(draw(st.integers(1, 5))):
        start = draw(TIMES) * grid
        lines = st.lists(st.lists(PLAIN_WORDS, min_size=1, max_size=4), min_size=1, max_size=3)
        cues.append((start, start + draw(st.integers(1, 9000)) * grid, draw(lines)))
    return sorted(cues, key=lambda cue: cue[0])


def ours(cues: list[tuple[int, int, list[list[str]]]]) -> Transcript:
    segments = []
    for start, end, lines in cues:
        text = "\n".join(" ".join(line) for line in lines)
        segments.append(
            Segment(
                "rec",
                tuple(word for line in lines for word in line),
                start_ns=start * 10**6,
                end_ns=end * 10**6,
                properties=(("lines", text),) if len(lines) > 1 else (),
            )
        )
    return Transcript(segments, source="rec")


def theirs(cues: list[tuple[int, int, list[list[str]]]]) -> Any:
    made = pysubs2.SSAFile()
    for start, end, lines in cues:
        event = pysubs2.SSAEvent(start, end)
        event.plaintext = "\n".join(" ".join(line) for line in lines)
        made.events.append(event)
    return made


def seen(file: Any) -> list[tuple[int, int, str]]:
    return [(e.start, e.end, e.plaintext) for e in file]


def said(transcript: Transcript) -> list[tuple[int, int, str]]:
    return [
        ((s.start_ns or 0) // 10**6, (s.end_ns or 0) // 10**6, s.get("lines") or " ".join(s.words))
        for s in transcript
    ]


@pytest.mark.parametrize(("name", "grid"), [("srt", 1), ("ass", 10), ("microdvd", 40)])
@given(chosen=st.data())
@settings(max_examples=30, deadline=None)
def test_pysubs2_reads_what_we_write_and_we_what_it_writes(
    name: str, grid: int, chosen: st.DataObject
) -> None:
    cues = chosen.draw(documents(grid))
    transcript = ours(cues)
    options = {"fps": "25"} if name == "microdvd" else {}
    output = BytesIO()
    assert formats.write(transcript, output, name, **options) == ()  # type: ignore[arg-type]
    rate = {"fps": 25.0} if name == "microdvd" else {}
    found = seen(pysubs2.SSAFile.from_string(output.getvalue().decode(), format_=name))
    assert found == said(transcript)
    written = theirs(cues).to_string(name, **rate)
    assert said(formats.read(StringIO(written), name, recording="rec")) == said(transcript)


@given(cues=documents())
@settings(max_examples=30, deadline=None)
def test_webvtt_reads_what_we_write_and_we_what_it_writes(
    cues: list[tuple[int, int, list[list[str]]]],
) -> None:
    transcript = ours(cues)
    output = BytesIO()
    assert formats.write(transcript, output, "vtt") == ()
    found = webvtt.from_buffer(BytesIO(output.getvalue()))
    assert [(c.start_in_seconds, c.text) for c in found] == [
        (start // 1000, text) for start, _, text in said(transcript)
    ]
    made = webvtt.WebVTT()
    for (start, end, _), (_, _, text) in zip(cues, said(transcript), strict=True):
        made.captions.append(webvtt.Caption(_clock(start), _clock(end), text))
    assert said(formats.read(StringIO(made.content), "vtt", recording="rec")) == said(transcript)


@given(cues=documents())
@settings(max_examples=40, deadline=None)
def test_pysubs2_reads_our_webvtt_and_ttml_without_voices(
    cues: list[tuple[int, int, list[list[str]]]],
) -> None:
    transcript = ours(cues)
    for name in ("vtt", "ttml"):
        output = BytesIO()
        formats.write(transcript, output, name)
        found = pysubs2.SSAFile.from_string(output.getvalue().decode(), format_=name)
        assert sorted(seen(found)) == sorted(said(transcript))


def _clock(milliseconds: int) -> str:
    seconds, rest = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{rest:03d}"


@pytest.mark.parametrize(
    ("raw", "end", "written"),
    [("{\\p1}hello", 2, "00:00:02,000\n{\\p1}hello"), ("hello", 360001, "100:00:01,000\nhello")],
)
def test_drawings_and_hours_that_pysubs2_drops_are_written(
    raw: str, end: int, written: str
) -> None:
    file = pysubs2.SSAFile()
    file.events = [pysubs2.SSAEvent(1000, end * 1000, raw)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert written not in file.to_string("srt")
    output = BytesIO()
    marked = Segment.of("rec", ["hello"], start=1, end=end, properties={"raw": raw})
    formats.write(Transcript([marked], source="rec"), output, "srt")
    assert output.getvalue().decode() == f"1\n00:00:01,000 --> {written}\n\n"
