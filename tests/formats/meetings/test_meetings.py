"""Transcripts of meetings: dialects of WebVTT, text with speakers, documents of Word."""

import re
import tracemalloc
from io import BytesIO

import pytest

import formats
from formats import FormatError, Segment, Transcript
from formats.io.messages import BRACKETS_LEFT
from formats.meetings.messages import DOCX_MARKS, DOCX_TRACKED, SPEAKER_TEXT
from formats.nist.messages import SPEAKER_TEXT as SPEAKER_TEXT_LIKELY
from tests.each_case import each_case
from tests.formats.checks import codes, remark_line
from tests.formats.conftest import ReadText
from tests.formats.meetings.cases import archive, docx, paragraph
from tests.tables import table_of


def said(transcript: Transcript) -> list[tuple[str | None, float | None, float | None, str]]:
    return [(s.speaker, s.start, s.end, " ".join(s.words)) for s in transcript]


def zoom(*texts: str) -> str:
    cues = (f"{n}\n00:00:0{n}.000 --> 00:00:0{n}.900\n{text}\n" for n, text in enumerate(texts, 1))
    return "WEBVTT\n\n" + "\n".join(cues)


def test_names_before_texts_of_zoom_are_speakers(read_text: ReadText) -> None:
    text = zoom("Ann Example: Good: all.", "Bob:", "at 10:30: yes", "Bob：hi", "10:30 Meeting: no")
    transcript = read_text(text, "vtt")
    assert [(s.speaker, s.words) for s in transcript] == [
        ("Ann Example", ("Good:", "all.")),
        ("Bob", ()),
        (None, ("at", "10:30:", "yes")),
        ("Bob", ("hi",)),
        (None, ("10:30", "Meeting:", "no")),
    ]
    assert codes(transcript) == ["SPEAKER-NAMES", "CUE-EMPTY"]
    assert read_text(text, "vtt", speaker_names=False)[0].words[0] == "Ann"


@pytest.mark.parametrize(
    "text",
    [
        zoom("Ann: a", "Bob: b", "no name", "none", "here"),
        zoom("Ann: a", "Bob: b", "Cy: c").replace("\n2\n", "\n7\n"),
        zoom("Ann: a", "Bob: b"),
        zoom("<v Ann>Note: a", "<v Bob>To: b", "<v Cy>For: c"),
    ],
)
def test_other_webvtt_keeps_its_text(read_text: ReadText, text: str) -> None:
    assert "SPEAKER-NAMES" not in codes(read_text(text, "vtt"))


def test_notes_of_teams(read_text: ReadText) -> None:
    transcript = read_text(
        'WEBVTT\n\nNOTE duration:"00:00:32.5820000"\n\nNOTE language:en-us\n\n'
        "NOTE Confidence: 0.8641\n\nNOTE-1\n00:00:02.260 --> 00:00:04.412\nGood\n\n"
        "00:00:05.000 --> 00:00:06.000\nmorning\nNOTE Confidence: 0.5\nall\n\nNOTE Confidence: high\n",
        "vtt",
    )
    assert [(s.words, s.confidence, s.get("id")) for s in transcript] == [
        (("Good",), 0.8641, "NOTE-1"),
        (("morning", "all"), None, None),
    ]
    assert dict(transcript.properties) == {"duration": "00:00:32.5820000", "language": "en-us"}
    assert codes(transcript) == ["NOTE-IN-TEXT", "VTT-NOTE"]


def test_times_of_teams_without_zeros_count_milliseconds(read_text: ReadText) -> None:
    text = "WEBVTT\n\n0:0:58.90 --> 0:0:58.360\n<v Bob>Hi</v>\n\n0:1:6.0 --> 0:11:12.5\nAll\n"
    transcript = read_text(text, "vtt")
    assert said(transcript) == [("Bob", 58.09, 58.36, "Hi"), (None, 66.0, 672.005, "All")]
    assert codes(transcript) == ["TEAMS-MS"]
    assert (
        read_text(text.replace("0:0:", "00:00:").replace("0:1:6", "00:01:06"), "vtt")[1].start
        == 66.0
    )


TURNS = [
    ("Ann Example", 3.0, "Good morning."),
    ("Bob", 67.5, "Hi all."),
    ("Ann Example", 3602.0, ""),
]


@each_case(("form", "head"), table_of(__file__, "patterns"))
def test_patterns(read_text: ReadText, form: str, head: str) -> None:
    times = ("00:00:03", "00:01:07.5", "1:00:02")
    text = "".join(
        form.format(name=name, time=time, text=text)
        for (name, _, text), time in zip(TURNS, times, strict=True)
    )
    transcript = read_text(text, "speaker-text")
    assert str(transcript.diagnostics[0]) == remark_line(
        SPEAKER_TEXT, pattern=head, heads=3, paragraphs=3, speakers=2
    )
    assert [(s.speaker, s.start, " ".join(s.words).removesuffix(" .").removesuffix(".")) for s in transcript] == [
        (name, start, text.removesuffix(".")) for name, start, text in TURNS
    ]  # fmt: skip
    assert formats.detect(BytesIO(text.encode())) == "speaker-text"
    assert read_text(text, "speaker-text", close_gaps=True)[0].end == 67.5


def test_other_patterns(read_text: ReadText) -> None:
    assert said(read_text("S1 00:00:01.717 The\n\nS2 0:04 fox\n\nS1 0:08 Over\n\n0:20\n", "speaker-text")) == [
        ("S1", 1.717, None, "The"), ("S2", 4.0, None, "fox"), ("S1", 8.0, 20.0, "Over"),
    ]  # fmt: skip
    assert said(read_text("Talk\n\n[0:00] The [0:01] fox [0:02]\n\n[0:04] jumps", "speaker-text")) == [
        (None, 0.0, 1.0, "The"), (None, 1.0, 2.0, "fox"), (None, 4.0, None, "jumps"),
    ]  # fmt: skip
    assert said(read_text("0:03\nGood\n\n0:07\nHi\n\n0:09\nYes\n", "speaker-text")) == [
        (None, 3.0, None, "Good"), (None, 7.0, None, "Hi"), (None, 9.0, None, "Yes"),
    ]  # fmt: skip
    bare = "Ann (00:01):\nA\n\n(00:05):\nB\n\nBob (00:09):\nC\n"
    assert [s.speaker for s in read_text(bare, "speaker-text")] == ["Ann", "Ann", "Bob"]
    markdown = "**Ann:** Hello.\n\nAnd more.\n\n**Bob:** Hi.\n\n**Ann:** So.\n\n**Bob:** Yes.\n"
    assert [(s.speaker, s.words[-1]) for s in read_text(markdown, "speaker-text")] == [
        ("Ann", "more."), ("Bob", "Hi."), ("Ann", "So."), ("Bob", "Yes."),
    ]  # fmt: skip


MARKDOWN = [
    "## {name} [{time}]\n\n{text}\n\n", "### {name} \u00b7 ({time})\n{text}\n\n", "### {time} - {name}\n\n{text}\n\n",
    "**{name}** ({time}): {text}\n\n", "**{name}** [{time}]: {text}\n\n", "**{name}:** [{time}] {text}\n\n",
    "**{name}** [{time}]\n\n{text}\n\n", "**{name}** ({time}) {text}\n\n", "**{name}** {time}\n{text}\n\n",
    "**{name} ({time}):** {text}\n\n", "**{name} {time}**\n\n{text}\n\n", "__{name}__ \u2014 _{time}_\n\n{text}\n\n",
    "**[{time}] {name}:** {text}\n\n", "**{time} - {name}:** {text}\n\n", "**[{time}]** **{name}:** {text}\n\n",
    "**[{time}]** {name}: {text}\n\n", "[{time}] **{name}:** {text}\n\n", "({time}) **{name}**: {text}\n\n",
    "`{time}` **{name}:** {text}\n\n", "{time} **{name}** {text}\n\n", "- **{name}** ({time}): {text}\n",
    "> **{name}** `{time}` {text}\n\n", "[{time}](https://x.y/?t=3) **{name}**: {text}\n\n",
    "**{name}** [({time})](https://x.y/?t=3):\n{text}\n\n",
]  # fmt: skip


@each_case("form", MARKDOWN)
@each_case("times", [("00:00:03", "00:01:07.5", "1:00:02"), ("0:03", "1:07", "59:02")])
def test_markdown(read_text: ReadText, form: str, times: tuple[str, ...]) -> None:
    texts = ("Good *morning* at 9:30.", "Hi f**k.", "[sic] Yes.")
    names = ("Ann Example", "SPEAKER_01", "Ann Example")
    turns = zip(names, times, texts, strict=True)
    text = "# Weekly\n\n" + "".join(
        form.format(name=name, time=time, text=text) for name, time, text in turns
    )
    transcript = read_text(text, "speaker-text")
    assert [(s.speaker, " ".join(s.words)) for s in transcript] == list(
        zip(names, texts, strict=True)
    )
    starts = [3.0, 67.5 if "." in times[1] else 67.0, 3602.0 if times[2][0] == "1" else 3542.0]
    assert [s.start for s in transcript] == starts
    assert formats.detect(BytesIO(text.encode())) == "markdown"


def test_markdown_with_times_of_some_turns(read_text: ReadText) -> None:
    text = "".join(
        f"**{name}:** {f'[00:00:0{n}] ' if n % 2 else ''}so\nand *more*\n\n"
        for n, name in enumerate(("Ann", "Bob", "Ann", "Bob", "Ann", "Bob"))
    )
    transcript = read_text("---\ntitle: Talk\n---\n\n" + text, "speaker-text")
    assert [(s.speaker, s.start, " ".join(s.words)) for s in transcript] == [
        (name, start, "so and *more*")
        for name, start in zip(["Ann", "Bob"] * 3, [None, 1.0, None, 3.0, None, 5.0], strict=True)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "## Setup\n\nInstall it.\n\n## Use\n\nRun it.\n\n## Notes\n\nDone.\n",
        "So:\n- **Start** (9:30): we met\n- **Lunch** (12:00): we ate\n- **End** (17:00): we left\n- **Tip** (18:00): rest\n- **Bus** (19:00): home\n",
        "**Note:** see below\n\nIt was (00:01) long.\n\n**Tip:** none\n",
    ],
)  # fmt: skip
def test_markdown_without_turns_is_prose(read_text: ReadText, text: str) -> None:
    with pytest.raises(FormatError, match="expected turns in most paragraphs"):
        read_text(text, "speaker-text")


MEET = (
    "Weekly - Transcript\n00:00:00\n\nAnn Example: Good morning, all.\nBob: Hi.\n00:01:12\n\n"
    "Ann Example: So.\n\nTranscription ended after 00:02:30\n\n"
    "This editable transcript was computer generated and might contain errors.\n"
)


def test_times_of_blocks_are_those_of_their_first_turns(read_text: ReadText) -> None:
    transcript = read_text(MEET, "speaker-text")
    assert said(transcript) == [
        ("Ann Example", 0.0, None, "Good morning, all."),
        ("Bob", None, None, "Hi."),
        ("Ann Example", 72.0, None, "So."),
    ]
    assert dict(transcript.properties) == {"duration": "150.000", "title": "Weekly - Transcript"}
    assert codes(transcript) == [
        "SPEAKER-TEXT", "SPEAKER-TEXT-FOOTER", "SPEAKER-TEXT-FOOTER", "SPEAKER-TEXT-HEAD",
    ]  # fmt: skip


PROSE = [
    "Note: this is prose.\n\nIt goes on.\n\nWarning: it has colons.\n\nThat is all.\n",
    "We met at 9:30.\n\nAt 10:15 we left.\n\nThe end came at 11:00\n",
    "A talk\nDate: today\nSubject: none\n",
]
LIST = "Colours\n\nRed: a\n\nBlue: b\n\nGreen: c\n\nPink: d\n\nGrey: e\n"


@pytest.mark.parametrize("text", PROSE)
def test_prose_stays_text(read_text: ReadText, text: str) -> None:
    with pytest.raises(FormatError, match="expected turns in most paragraphs"):
        read_text(text, "speaker-text")
    source = BytesIO(text.encode())
    source.name = "talk.txt"
    assert formats.detect(source) == "txt"


@pytest.mark.parametrize(
    "text", ["Title: A talk\nDate: today\nSubject: none\n", "Anna: hello\n", LIST]
)
def test_few_turns_are_read_only_where_the_format_is_named(read_text: ReadText, text: str) -> None:
    assert [s.speaker for s in read_text(text, "speaker-text")] == re.findall(
        r"(?m)^\w+(?=:)", text
    )
    source = BytesIO(text.encode())
    source.name = "talk.txt"
    assert formats.detect(source) == "txt"


SAID_IN_PROSE = "\n\n".join(
    f"{prose}\n\n{said}"
    for prose, said in zip(
        (
            "You write a talk between two friends about what the listeners have sent in.",
            "Each of them has a view of her own, and neither gives in at once.",
            "The talk goes on like this until the end of the hour.",
            "Nobody sums it up, and nobody says who is right.",
            "When the music begins, both of them stop at once.",
        ),
        (
            "Reminder: wait for the water to fall.",
            "Write: do not wait until the spring.",
            "Tone: then who will pay for the boats?",
            "Length: nobody has asked for them.",
            "Reminder: the hour is over.",
        ),
        strict=True,
    )
)


def test_what_a_remark_advises_is_read_where_most_lines_are_prose(read_text: ReadText) -> None:
    source = BytesIO(SAID_IN_PROSE.encode())
    source.name = "talk.txt"
    asked = formats.read(source)
    assert (asked.format, "SPEAKER-TEXT?" in codes(asked)) == ("txt", True)
    transcript = read_text(SAID_IN_PROSE, "speaker-text")
    assert [s.speaker for s in transcript] == ["Reminder", "Write", "Tone", "Length", "Reminder"]
    assert {"SPEAKER-TEXT-DOUBT", "SPEAKER-TEXT-HEAD"} <= {*codes(transcript)}


def test_two_turns_with_times_are_read_where_the_format_is_named(read_text: ReadText) -> None:
    text = "Ann  0:03\nhello\n\nBob  0:07\nhi\n"
    back = [(s.speaker, s.start, s.words) for s in read_text(text, "speaker-text")]
    assert back == [("Ann", 3.0, ("hello",)), ("Bob", 7.0, ("hi",))]
    source = BytesIO(text.encode())
    source.name = "talk.txt"
    assert formats.detect(source) == "txt"


TALK = (
    Segment.of("talk", ["hello:", "*you*"], speaker="anne", start=0.5, end=2.25),
    Segment.of("talk", ["他说：好"], speaker="张", start=90_000.5),
    Segment.of("talk", [], speaker="Ann Example", start=90_001, end=90_002),
    Segment.of("talk", ["he", "stopped", "transcription"], speaker="anne"),
)


@pytest.mark.parametrize(
    ("name", "stamps", "expected"),
    [
        (
            "speaker-text",
            True,
            "[00:00:00.500 - 00:00:02.250] anne: hello: *you*\n[25:00:00.500] 张: 他说：好\n"
            "[25:00:01.000 - 25:00:02.000] Ann Example:\nanne: he stopped transcription\n",
        ),
        (
            "speaker-text",
            False,
            "anne: hello: *you*\n张: 他说：好\nAnn Example:\nanne: he stopped transcription\n",
        ),
        (
            "markdown",
            True,
            "[00:00:00.500 - 00:00:02.250] **anne:** hello: *you*\n\n"
            "[25:00:00.500] **张:** 他说：好\n\n[25:00:01.000 - 25:00:02.000] **Ann Example:**\n\n"
            "**anne:** he stopped transcription\n",
        ),
        (
            "markdown",
            False,
            "**anne:** hello: *you*\n\n**张:** 他说：好\n\n**Ann Example:**\n\n"
            "**anne:** he stopped transcription\n",
        ),
    ],
)
def test_turns_are_written_and_read_back(
    read_text: ReadText, name: str, stamps: bool, expected: str
) -> None:
    output = BytesIO()
    losses = formats.write(Transcript(TALK, source="talk"), output, name, stamps=stamps)
    assert output.getvalue().decode() == expected
    times = [] if stamps else ["segment times: 3 (--stamps writes the times)"]
    assert [str(loss) for loss in losses] == times
    back = read_text(expected, name)
    assert [(s.speaker, s.words) for s in back] == [(s.speaker, s.words) for s in TALK]
    known = [(s.start, s.end) if stamps else (None, None) for s in TALK]
    assert [(s.start, s.end) for s in back] == known
    for segment in TALK[:3]:
        single = BytesIO()
        formats.write(Transcript([segment], source="talk"), single, name, stamps=stamps)
        (again,) = read_text(single.getvalue().decode(), name)
        assert (again.speaker, again.words) == (segment.speaker, segment.words)


def test_words_that_are_tags_are_counted_as_they_are_not_read_back(read_text: ReadText) -> None:
    words = ("<p", 'id="a">one<br/>two</p>', "<p>three</p>")
    output = BytesIO()
    turn = Segment.of("talk", words, speaker="anne", start=0.5, end=2.25)
    (loss,) = formats.write(Transcript([turn], source="talk"), output, "speaker-text", stamps=True)
    assert (loss.what, loss.rule) == ("words", "tags in texts are not read back as words")
    (again,) = read_text(output.getvalue().decode(), "speaker-text")
    assert (again.speaker, again.words) == (turn.speaker, ("one<br/>two", "<p>three"))


@pytest.mark.parametrize("name", ["<b>Ann</b>", "<b>Ann:</b>"])
def test_tags_around_the_names_of_timed_turns_are_left_out(name: str, read_text: ReadText) -> None:
    text = f"[0:01] {name}: one<br/>\n[0:02] {name}: two<br/>\n"
    transcript = read_text(text, "speaker-text")
    assert said(transcript) == [("Ann", 1, None, "one"), ("Ann", 2, None, "two")]
    assert "SPEAKER-TEXT-TAGS" in codes(transcript)


def test_names_that_cannot_be_written_are_reported(read_text: ReadText) -> None:
    speakers = ("0", "Dr: Who", "and", "because http://x", None)
    segments = [Segment.of("talk", ["hi"], speaker=name, start=1, end=2) for name in speakers]
    output = BytesIO()
    losses = formats.write(Transcript(segments, source="talk"), output, "speaker-text", stamps=True)
    assert [str(loss) for loss in losses] == [
        "names of speakers: 2 (changed, so that the names are read back from the file)",
        "speakers invented: 1 (created from recording and channel)",
    ]
    back = read_text(output.getvalue().decode(), "speaker-text")
    assert [s.speaker for s in back] == ["0", "Dr_ Who", "and", "because http_//x", "talk-1"]
    output = BytesIO()
    losses = formats.write(Transcript(segments[:4], source="talk"), output, "speaker-text")
    assert [str(loss) for loss in losses] == [
        "segment times: 4 (--stamps writes the times)",
        "names of speakers: 2 (changed, so that the names are read back from the file)",
        'speakers: 1 (written as "Speaker", because their names could not be read back)',
    ]
    assert output.getvalue().decode().splitlines()[0] == "Speaker 0: hi"
    back = read_text(output.getvalue().decode(), "speaker-text")
    assert [s.speaker for s in back] == ["Speaker 0", "Dr_ Who", "and", "Speaker"]


@pytest.mark.parametrize("name", ["speaker-text", "markdown"])
def test_a_name_of_two_lines_is_written_in_one(name: str, read_text: ReadText) -> None:
    segments = [Segment.of("talk", ["hi"], speaker="a\nb", start=1, end=2)]
    output = BytesIO()
    losses = formats.write(Transcript(segments, source="talk"), output, name, stamps=True)
    assert [loss.what for loss in losses] == ["names of speakers"]
    assert [s.speaker for s in read_text(output.getvalue().decode(), name)] == ["a b"]


@pytest.mark.parametrize("name", ["speaker-text", "markdown"])
@pytest.mark.parametrize("stamps", [False, True])
def test_odd_turns_are_read_back(name: str, stamps: bool, read_text: ReadText) -> None:
    segments = [
        Segment.of("talk", ["so", "a\xa0b", "\xa0"], speaker="x" * 300, start=1, end=2),
        Segment.of("talk", ["hi"], speaker="'", start=2, end=3),
        Segment.of("talk", ["-x"], speaker="Ann"),
    ]
    output = BytesIO()
    losses = formats.write(Transcript(segments, source="talk"), output, name, stamps=stamps)
    assert {"names of speakers", "words with blanks"} <= {loss.what for loss in losses}
    back = read_text(output.getvalue().decode(), name)
    assert [s.words for s in back] == [("so", "a\xa0b"), ("hi",), ("-x",)]
    assert [s.speaker for s in back][:1] == [f"Speaker {'x' * 40}"]
    assert [s.start for s in back] == ([1, 2, None] if stamps else [None] * 3)


@pytest.mark.parametrize(("stamps", "lost"), [(False, 4), (True, 0)])
def test_texts_that_begin_with_a_time_are_reported(
    stamps: bool, lost: int, read_text: ReadText
) -> None:
    talk = [
        Segment.of("talk", [f"(0:00:0{n}):", "hi"], speaker="Ann" if n % 2 else "Ben", start=n, end=n + 1)
        for n in range(4)
    ]  # fmt: skip
    output = BytesIO()
    losses = formats.write(Transcript(talk, source="talk"), output, "markdown", stamps=stamps)
    counts = {loss.what: loss.count for loss in losses}
    assert counts.get("lines that look like times", 0) == lost
    back = read_text(output.getvalue().decode(), "markdown")
    assert [s.words for s in back] == [s.words[1:] if lost else s.words for s in talk]


def test_plain_text_says_what_it_swallows(read_text: ReadText) -> None:
    prose = "".join(f"prose {n}\n\n" for n in range(9))
    (note,) = read_text("Ann  0:03\nhello\n\n" * 3 + prose, "txt").diagnostics
    assert str(note) == (
        remark_line(SPEAKER_TEXT_LIKELY, heads=3, paragraphs=12, pattern="{speaker} {start}")
    )
    assert read_text(PROSE[1], "txt").diagnostics == ()


def test_times_that_go_back_are_told(read_text: ReadText) -> None:
    text = "".join(f"Ann  0:{n:02d}\na\n\n" for n in (1, 2, 9, 3, 4, 9, 5, 6))
    transcript = read_text(text, "speaker-text")
    assert [(d.severity, d.code) for d in transcript.diagnostics][1:] == [("warning", "TIME-BACK")]


def test_the_three_lines_of_teams(read_text: ReadText) -> None:
    body = paragraph("Talk") + "".join(
        paragraph(f"{times}\n{text}")
        for times, text in (
            ("0:0:0.0 --> 0:0:1.510", "Ann\nGood morning."),
            ("0:0:2.90 --> 0:0:2.360", "Bob\nHi.\nAll."),
            ("0:0:1.5 --> 0:0:3.0", "Ann"),
        )
    )
    transcript = read_text(archive(docx(body)), "docx")
    assert said(transcript) == [
        ("Ann", 0.0, 1.51, "Good morning."),
        ("Bob", 2.09, 2.36, "Hi. All."),
        ("Ann", 1.005, 3.0, ""),
    ]
    assert codes(transcript) == ["SPEAKER-TEXT-HEAD", "TURN-EMPTY"]


@pytest.mark.parametrize("is_one_paragraph", [True, False])
def test_cues_of_subrip_are_read(read_text: ReadText, is_one_paragraph: bool) -> None:
    lines = ("1", "00:00:01,500 --> 00:00:02,250", "Good", "morning.", "", "2",
             "01:00:03,000 --> 01:00:04,000", "Hi.")  # fmt: skip
    texts = ["\n".join(lines)] if is_one_paragraph else lines
    transcript = read_text(archive(docx("".join(map(paragraph, texts)))), "docx")
    assert said(transcript) == [(None, 1.5, 2.25, "Good morning."), (None, 3603.0, 3604.0, "Hi.")]
    assert codes(transcript) == []


def test_what_is_tracked_controlled_or_in_tables_is_read(read_text: ReadText) -> None:
    def run(text: str) -> str:
        return f"<w:r><w:t>{text}</w:t></w:r>"

    body = (
        f"<w:p>{run('Ann   0:01')}<w:r><w:br/></w:r>{run('good ')}<w:ins>{run('new ')}</w:ins>"
        f"<w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:sdt><w:sdtContent>{run('day')}"
        f"</w:sdtContent></w:sdt></w:p>{paragraph('Bob   0:02')}{paragraph('hi')}"
        f"{paragraph('Ann   0:03') + paragraph('well')}"
    )
    transcript = read_text(archive(docx(body)), "docx")
    assert [(s.speaker, s.words) for s in transcript] == [
        ("Ann", ("good", "new", "day")), ("Bob", ("hi",)), ("Ann", ("well",)),
    ]  # fmt: skip
    assert str(transcript.diagnostics[-1]) == (remark_line(DOCX_TRACKED, inserted=1, deleted=1))
    rows = "".join(
        "<w:tr>" + "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in cells) + "</w:tr>"
        for cells in (("00:01", "Ann", "a b"), ("00:02", "Bob", "c"), ("00:03", "Ann", "d"))
    )
    strict = docx(f"<w:tbl>{rows}</w:tbl>").replace(
        "http://schemas.openxmlformats.org", "urn:strict"
    )
    assert said(read_text(archive(strict), "docx")) == [
        ("Ann", 1.0, None, "a b"), ("Bob", 2.0, None, "c"), ("Ann", 3.0, None, "d"),
    ]  # fmt: skip


def table(*rows: str) -> str:
    """A table whose rows have bars between their cells."""
    cells = ("".join(f"<w:tc>{paragraph(c)}</w:tc>" for c in row.split("|")) for row in rows)
    return "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in cells) + "</w:tbl>"


ABOVE = (
    paragraph("Amazon Transcribe Audio Source")
    + table("Job Name|a.wav", "Audio Duration|3m 2.89s")
    + paragraph("")
    + table("Speaker|Turn Time|Detected Text", "Agent|0:00:11.4|I lost")
    + paragraph("Call Transcription")
)
BELOW = paragraph("") + table("Confidence|Count|Percentage", "98% - 100%|400|86.58%") * 9


def test_the_table_of_amazon_transcribe_has_hundredths(read_text: ReadText) -> None:
    rows = (
        "Start|Dur.|Speaker||Transcription",
        "0:00:00.4|5.0s|Agent||Good day.",
        "0:00:05.0|[CATEGORY] Greeting",
        "0:00:05.31|4.1s|spk_1|(0.98)|[INTERRUPTION] Uh [ISSUE] my card [PII] [ACTION]",
        "1:00:10.2|0.0s|Agent||[Topic 2] Oh. Guardrail sexual (32%) violence_or_threat (33%)",
    )
    transcript = read_text(archive(docx(ABOVE + table(*rows) + BELOW)), "docx")
    assert said(transcript) == [
        ("Agent", 0.04, 5.04, "Good day."),
        ("spk_1", 5.31, 9.41, "Uh my card [PII]"),
        ("Agent", 3610.02, 3610.02, "Oh."),
    ]
    assert [str(d) for d in transcript.diagnostics] == [
        remark_line(DOCX_MARKS, marks=5, categories=1),
        remark_line(BRACKETS_LEFT, count=1, text="[PII]"),
    ]
    short = [row.replace("||", "|") for row in rows if "[CAT" not in row and "(0.98)" not in row]
    assert len(read_text(archive(docx(ABOVE + table(*short) + BELOW)), "docx")) == 2


def test_the_table_of_tscribe(read_text: ReadText) -> None:
    table_of_confidence = table("Confidence|Count|Percentage", *["90% - 97%|3|30%"] * 11)
    rows = table("Time|Speaker|Content", "0:00:03|spk_0| Is this on?", "0:00:05|spk_1| Yep.")
    text = archive(
        docx(paragraph("Transcription of a") + table_of_confidence + paragraph("") + rows)
    )
    assert said(read_text(text, "docx")) == [
        ("spk_0", 3.0, None, "Is this on?"), ("spk_1", 5.0, None, "Yep."),
    ]  # fmt: skip
    assert read_text(text, "docx", close_gaps=True)[0].end == 5.0
    untimed = archive(docx(table("Time|Speaker|Content", "|| All of it.")))
    assert said(read_text(untimed, "docx")) == [(None, None, None, "All of it.")]


@each_case(
    "row", ["0:00:75.4|5.0s|Agent||a", "soon|5.0s|Agent||a", "0:00:01.4|5s|Agent||a",
            "0:00:01.4|5.0s|Agent|a", "|5.0s|Agent||a"],
)  # fmt: skip
def test_a_bad_row_costs_itself(read_text: ReadText, row: str) -> None:
    rows = ("Start|Dur.|Speaker||Transcription", row, "0:00:05.31|4.1s|spk_1||b")
    data = archive(docx(table(*rows)))
    with pytest.raises(FormatError, match="expected a row of 5 cells that begins with a time"):
        read_text(data, "docx")
    transcript = read_text(data, "docx", tolerance="lenient")
    assert (said(transcript), codes(transcript)) == ([("spk_1", 5.31, 9.41, "b")], ["DOCX-ROW"])


@each_case(
    ("data", "message"),
    [
        (archive("", "xl/workbook.xml"), "found a workbook of Excel: name its format, xlsx"),
        (archive("", "x"), "found another one"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "found an old .doc, or one with a password"),
        (archive("<w:x/>"), "expected"),
        (archive(docx(paragraph("a")))[:60], "found damage"),
        (archive(docx(" " * (1 << 25))), "expands beyond what a transcript does"),
        (b"hello", "found damage"),
        (archive('<!DOCTYPE d [<!ENTITY a "b">]><document>&a;</document>'), "expected XML without"),
    ],
)
def test_what_is_no_transcript_is_refused(read_text: ReadText, data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_text(data, "docx")


def test_a_document_without_turns_is_one_text(read_text: ReadText) -> None:
    transcript = read_text(archive(docx(paragraph("So it was.") + paragraph("And so on."))), "docx")
    assert said(transcript) == [(None, None, None, "So it was. And so on.")]
    assert codes(transcript) == ["DOCX-PROSE"]


WHISPERX = "".join(
    f"{n}\n00:00:0{n},000 --> 00:00:0{n},900\n[SPEAKER_0{n % 2}]: well [sic]: {n}\n\n"
    for n in range(1, 6)
)


@pytest.mark.parametrize("name", ["srt", "vtt"])
def test_names_in_brackets_before_the_texts_of_whisperx(read_text: ReadText, name: str) -> None:
    text = WHISPERX if name == "srt" else f"WEBVTT\n\n{WHISPERX.replace(',', '.')}"
    transcript = read_text(text, name)
    assert {s.speaker for s in transcript} == {"SPEAKER_00", "SPEAKER_01"}
    assert transcript[0].words == ("well", "[sic]:", "1")
    assert codes(transcript) == ["SPEAKER-NAMES", "CUE-SIGNS"]  # of "[sic]"


def test_a_few_brackets_are_words(read_text: ReadText) -> None:
    assert read_text(WHISPERX.replace("[SPEAKER_01]: ", ""), "srt")[1].words[0] == "[SPEAKER_00]:"


def test_text_of_whisperx(read_text: ReadText) -> None:
    text = "[SPEAKER_00]: hello there\n[SPEAKER_01]: yes\n[SPEAKER_00]: no\n"
    transcript = read_text(text, "speaker-text")
    assert [(s.speaker, s.words) for s in transcript][:2] == [
        ("SPEAKER_00", ("hello", "there")), ("SPEAKER_01", ("yes",)),
    ]  # fmt: skip


def test_a_document_of_blanks_is_not_held_in_memory(read_text: ReadText) -> None:
    data = archive(docx(" " * (1 << 26)))
    tracemalloc.start()
    with pytest.raises(FormatError, match="expands beyond what a transcript does"):
        read_text(data, "docx")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 26


def test_a_name_without_time_among_prose_is_text(read_text: ReadText) -> None:
    turns = "".join(f"[0:{n:02d}] {'AB'[n % 2]}nn: hello\n" for n in range(10, 30))
    back = read_text(turns + "Note: a pause\nand more of it\n", "speaker-text")
    assert {s.speaker for s in back} == {"Ann", "Bnn"}
    assert list(back)[-1].words == ("hello", "Note:", "a", "pause", "and", "more", "of", "it")
