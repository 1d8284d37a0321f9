"""pysubs2 and webvtt-py agree with us where they are right; where they are not, that is shown."""

from __future__ import annotations

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
    """Cues: begin and end in milliseconds, lines of words."""
    cues = []
    for _ in range(draw(st.integers(1, 5))):
        start = draw(TIMES) * grid
        lines = st.lists(st.lists(PLAIN_WORDS, min_size=1, max_size=4), min_size=1, max_size=3)
        cues.append((start, start + draw(st.integers(1, 9000)) * grid, draw(lines)))
    return cues


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
@settings(max_examples=60, deadline=None)
def test_pysubs2_reads_what_we_write_and_we_what_it_writes(
    name: str, grid: int, chosen: st.DataObject
) -> None:
    cues = chosen.draw(documents(grid))
    transcript = ours(cues)
    options = {"fps": "25"} if name == "microdvd" else {}
    output = BytesIO()
    assert formats.write(transcript, output, name, **options) == ()  # type: ignore[arg-type]
    rate = {"fps": 25.0} if name == "microdvd" else {}
    text = output.getvalue().decode()
    found = seen(pysubs2.SSAFile.from_string(text, format_=name))
    assert found == said(transcript)
    written = theirs(cues).to_string(name, **rate)
    assert said(formats.read(StringIO(written), name, recording="rec")) == said(transcript)


@given(cues=documents())
@settings(max_examples=60, deadline=None)
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


@pytest.mark.parametrize("word", ["C:\\new", "{x}", "\u3000c\u3000"])
def test_words_that_pysubs2_changes_in_srt_are_written_as_they_are(word: str) -> None:
    event = pysubs2.SSAEvent(1000, 2000)
    event.plaintext = word
    file = pysubs2.SSAFile()
    file.events = [event]
    assert file.to_string("srt").split("\n")[2] != word
    output = BytesIO()
    formats.write(
        Transcript([Segment.of("rec", [word], start=1.0, end=2.0)], source="rec"), output, "srt"
    )
    assert output.getvalue().decode() == f"1\n00:00:01,000 --> 00:00:02,000\n{word}\n\n"


def test_an_event_that_pysubs2_leaves_out_is_written() -> None:
    file = pysubs2.SSAFile()
    file.events = [pysubs2.SSAEvent(1000, 2000, "{\\p1}hello")]
    assert file.to_string("srt") == ""
    output = BytesIO()
    marked = Segment.of("rec", ["hello"], start=1.0, end=2.0, properties={"raw": "{\\p1}hello"})
    formats.write(Transcript([marked], source="rec"), output, "srt")
    assert output.getvalue().decode() == "1\n00:00:01,000 --> 00:00:02,000\n{\\p1}hello\n\n"


@pytest.mark.parametrize("word", ["C:\\new", "a\u2028b"])
def test_words_that_pysubs2_changes_in_microdvd_are_written_as_they_are(word: str) -> None:
    event = pysubs2.SSAEvent(1000, 2000)
    event.plaintext = word
    file = pysubs2.SSAFile()
    file.events = [event]
    assert f"}}{word}\n" not in file.to_string("microdvd", fps=25)
    output = BytesIO()
    transcript = Transcript([Segment.of("rec", [word], start=1.0, end=2.0)], source="rec")
    formats.write(transcript, output, "microdvd", fps="25")
    assert output.getvalue().decode() == f"{{1}}{{1}}25\n{{25}}{{50}}{word}\n"


@pytest.mark.parametrize(
    ("name", "clamped", "right"),
    [("srt", "99:59:59,999", "100:00:01,000"), ("ass", "9:59:59.99", "100:00:01.00")],
)
def test_times_that_pysubs2_clamps_are_written_as_they_are(
    name: str, clamped: str, right: str
) -> None:
    file = pysubs2.SSAFile()
    file.events = [pysubs2.SSAEvent(1000, 360_001_000, "hello")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert clamped in file.to_string(name)
    output = BytesIO()
    transcript = Transcript([Segment.of("rec", ["hello"], start=1.0, end=360001.0)], source="rec")
    formats.write(transcript, output, name)
    assert right in output.getvalue().decode()


def test_the_rate_that_pysubs2_writes_is_none_to_itself() -> None:
    file = pysubs2.SSAFile()
    file.events = [pysubs2.SSAEvent(1000, 2000, "hello")]
    text = file.to_string("microdvd", fps=25)
    # Versions from 1.9 on write what they can read.
    if text.startswith("{0}{0}25\n"):
        with pytest.raises(pysubs2.UnknownFPSError):
            pysubs2.SSAFile.from_string(text, format_="microdvd")
    assert formats.read(StringIO(text), "microdvd")[0].start == 1.0


def test_srt_that_pysubs2_misreads() -> None:
    def pysubs2_reads(text: str) -> list[tuple[int, int, str]]:
        return seen(pysubs2.SSAFile.from_string(text, format_="srt"))

    text = "1\n100:00:01,000 --> 100:00:02,000\nin {braces}\n1984\n"
    assert pysubs2_reads(text) == [(1000, 2000, "in ")]
    (segment,) = formats.read(StringIO(text), "srt")
    assert (segment.start, segment.words) == (360001.0, ("in", "{braces}", "1984"))
    old = '<tt xmlns="http://www.w3.org/2006/10/ttaf1"><body><div>\n<p begin="00:00:01.000" end="00:00:02.000">hello</p></div></body></tt>'
    assert all("hello" not in text for _, _, text in seen(pysubs2.SSAFile.from_string(old)))
    assert formats.read(StringIO(old))[0].words == ("hello",)


def test_ass_that_pysubs2_misreads() -> None:
    text = "[Script Info]\n[Events]\nFormat: Start, End, Name, Text\nDialogue: 0:00:01.00,0:00:02.00,A,hello\n"
    with (
        pytest.warns(Warning, match="layer"),
        pytest.raises(ValueError, match=r"Failed to parse (end )?timestamp"),
    ):
        pysubs2.SSAFile.from_string(text, format_="ass")
    assert formats.read(StringIO(text))[0].words == ("hello",)
    short = "[Script Info]\n[Events]\nDialogue: 0,0:00:01.00\n"
    assert seen(pysubs2.SSAFile.from_string(short, format_="ass")) == [(1000, 10000, "")]
    with pytest.raises(formats.SyntaxFormatError):
        formats.read(StringIO(short))


def test_microdvd_that_pysubs2_misreads() -> None:
    text = "{1}{1}25\n{25}{}one\n{50}{75}two\nthree\n"
    assert seen(pysubs2.SSAFile.from_string(text, format_="microdvd")) == [(2000, 3000, "two")]
    with pytest.raises(formats.SyntaxFormatError):
        formats.read(StringIO(text), "microdvd")
    assert len(formats.read(StringIO(text.replace("three\n", "")), "microdvd")) == 2


def test_webvtt_that_libraries_misread() -> None:
    text = "WEBVTT\n\n00:00:01,000 --> 00:00:02,000\nhello\n"
    assert len(webvtt.from_buffer(BytesIO(text.encode())).captions) == 0
    assert formats.read(StringIO(text), "vtt")[0].words == ("hello",)
    voices = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v A>fish &amp; chips</v>\n<v B>no</v>\n"
    (caption,) = webvtt.from_buffer(BytesIO(voices.encode())).captions
    assert (caption.voice, caption.text) == ("A", "fish &amp; chips\nno")
    assert [s.speaker for s in formats.read(StringIO(voices), "vtt")] == ["A", "B"]
