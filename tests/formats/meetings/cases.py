"""Transcripts of meetings for the contract suite."""

import io
import zipfile

from hypothesis import strategies as st

from formats import Segment
from tests.formats.case import MILLISECONDS, ODD_WORD, WORDS, Case
from tests.formats.subtitles.cases import clock

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def archive(document: str, name: str = "word/document.xml") -> bytes:
    """A zip archive with one part, which does not change with the clock."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(name), document, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def docx(body: str) -> str:
    return f"<w:document {W}><w:body>{body}</w:body></w:document>"


def in_rtf(text: str) -> str:
    """The text in units of UTF-16, as RTF writes them."""
    units = memoryview(text.encode("utf-16-le")).cast("H")
    return "".join(f"\\u{unit - (unit >> 15 << 16)}?" for unit in units)


def paragraph(text: str) -> str:
    """A paragraph; LF is a break."""
    runs = "<w:br/>".join(f'<w:t xml:space="preserve">{line}</w:t>' for line in text.split("\n"))
    return f"<w:p><w:r>{runs}</w:r></w:p>"


CASES = [
    Case(
        "docx",
        docx(
            paragraph("Weekly-20260615-Meeting Transcript")
            + paragraph("\nAnn Example   0:03\nhello wörld")
            + paragraph("\nBob   0:07\nHi.\nShall we start?")
            + paragraph("\nAnn Example   1:00:02\nYes.")
        ),
        [("hello", "wörld"), ("Hi.", "Shall", "we", "start?"), ("Yes.",)],
        line=lambda n: paragraph(f"\nAnn {n % 9}   {clock(n, '', 1)}\nhello number {n}"),
        before=f"<w:document {W}><w:body>", after="</w:body></w:document>",
        pack=archive, odd_word=ODD_WORD.replace("\x1c", ""), odd_word_read=ODD_WORD.replace("\x1c", ""),
    ),
    Case(
        "rtf",
        r"{\rtf1\ansi\ansicpg1252\deff0 Ann Example: hello w\'f6rld #00:00:03-0#\par" "\n\\par\n"
        r"Bob: Hi. {\deleted not said }Shall we start? \u-10179?\u-8704? #00:00:07-5#\par" "\n\\par\n"
        r"Ann Example: Yes. #01:00:02-1#\par" "\n}",
        [("hello", "wörld"), ("Hi.", "Shall", "we", "start?", "😀"), ("Yes.",)],
        odd_word=in_rtf(ODD_WORD), odd_word_read=ODD_WORD,
    ),
    Case(
        "podcast-html",
        "<cite>Ann:</cite>\n<time>0:03</time>\n<p>hello wörld</p>\n<cite>Bob:</cite>\n<time>0:07</time>\n"
        "<p>Hi.</p>\n<p>It&#39;s time.</p>\n",
        [("hello", "wörld"), ("Hi.", "It's", "time.")],
        line=lambda n: f"<cite>Ann:</cite><time>{clock(n, '', 1)}</time><p>hello {n}</p>\n",
    ),
    Case(
        "html",
        '<html>\n<body>\n<div><time>0:03</time> <b class="from_name">Ann</b>\n<p class="text">hello wörld</p></div>\n'
        '<div><time>0:07</time> <b class="from_name">Bob</b>\n<p class="text">It&#39;s time.</p></div>\n</body></html>\n',
        [("hello", "wörld"), ("It's", "time.")],
        line=lambda n: f'<div><time>{clock(n, "", 1)}</time><b class="author">Ann</b><p class="text">hello {n}</p></div>\n',
        before="<html><body>", after="</body></html>",
    ),
    Case(
        "speaker-text",
        "Ann Example  0:03  \nhello wörld\n\nBob  0:07  \nHi. Shall we start?\n\n"
        "Ann Example  1:00:02  \nYes.\n\nTranscribed by https://otter.ai\n",
        [("hello", "wörld"), ("Hi.", "Shall", "we", "start?"), ("Yes.",)],
        line=lambda n: f"Ann {n % 9}  {clock(n, '', 1)}  \nhello number {n}\n\n",
        rewritten="[00:00:03.000] Ann Example: hello wörld\n[00:00:07.000] Bob: Hi. Shall we start?\n"
        "[01:00:02.000] Ann Example: Yes.\n",
        write_options={"stamps": True},
    ),
    Case(
        "markdown",
        "**Ann Example** (0:03): hello wörld\n\n**Bob** (0:07): Hi. Shall we start?\n\n"
        "**Ann Example** (1:00:02): Yes.\n",
        [("hello", "wörld"), ("Hi.", "Shall", "we", "start?"), ("Yes.",)],
        line=lambda n: f"**Ann {n % 9}** ({clock(n, '', 1)}): hello number {n}\n\n",
        rewritten="[00:00:03.000] **Ann Example:** hello wörld\n\n"
        "[00:00:07.000] **Bob:** Hi. Shall we start?\n\n[01:00:02.000] **Ann Example:** Yes.\n",
        write_options={"stamps": True},
    ),
]  # fmt: skip

SPEAKERS = st.sampled_from(
    ("Ann Example", "Bob", "anne", "SPEAKER_00", "Спикер №1", "说话人1", "s1-a")
)


@st.composite
def turns(draw: st.DrawFn) -> list[Segment]:
    """Turns with and without end, from one on."""
    segments = []
    for _ in range(draw(st.integers(1, 6))):
        start = draw(MILLISECONDS)
        length = draw(st.none() | MILLISECONDS)
        segments.append(
            Segment.of(
                "rec",
                draw(st.lists(SPOKEN, max_size=4)),
                speaker=draw(SPEAKERS),
                start_ns=start,
                end_ns=None if length is None else start + length,
            )
        )
    return segments


SPOKEN = WORDS.filter(lambda word: word.isprintable() and not word.isspace())
STRATEGIES: dict[str, st.SearchStrategy[list[Segment]]] = {
    "speaker-text": turns(),
    "markdown": turns(),
}
