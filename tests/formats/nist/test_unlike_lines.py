"""Lines of a plain text that are unlike its other lines: a note shows the first of each kind."""

from __future__ import annotations

from formats.nist.messages import TXT_UNLIKE
from formats.nist.unlike_lines import unlike_lines
from tests.each_case import each_case
from tests.formats.checks import codes
from tests.formats.conftest import ReadText
from tests.remarks import said

SAID = [
    "So it was, and nobody knew why the bridge was closed.",
    "They told me that on Monday it would be open again.",
    "And we went home by the river, all of us.",
    "Well, that was the whole story of the bridge.",
]
SUNG = ["so it was and so on", "down by the river", "nobody knows", "we went home"]


@each_case(
    ("lines", "kind", "first", "count"),
    [
        ([*SAID, "The second day", *SAID], "titles", "The second day", 1),
        (
            ["Read for LibriVox by Ann Ex", *SUNG, *SUNG, "End of talk."],
            "notices",
            "Read for LibriVox by Ann Ex",
            2,
        ),
        (
            ["Speech given by Ann Ex in Bern", *SUNG, *SUNG],
            "notices",
            "Speech given by Ann Ex in Bern",
            1,
        ),
        (["Ann in Bern, May 3 1972", "", *SUNG, *SUNG], "dated", "Ann in Bern, May 3 1972", 1),
        (["Проповедь 2014 года", "", *SUNG, *SUNG], "dated", "Проповедь 2014 года", 1),
        ([*SUNG, "02_the_bridge", *SUNG], "numbered", "02_the_bridge", 1),
        ([*SAID, "Interlude", *SAID, "Day three", *SAID], "titles", "Interlude", 2),
        (["Кто строил мост", "", *(f"{x}\n" for x in SAID)], "titles", "Кто строил мост", 1),
        ([*SUNG, "RADIO BERN", *SUNG], "capitals", "RADIO BERN", 1),
        ([*SUNG, *SUNG, "+41 31 555 01 99"], "signs", "+41 31 555 01 99", 1),
        (
            [*SUNG, *SUNG, "Write to ann@bern.example today"],
            "signs",
            "Write to ann@bern.example today",
            1,
        ),
        ([*SUNG, *SUNG, "так это было"], "script", "так это было", 1),
        (["так это было и так", "у реки"] * 5 + ["Text cut here"], "script", "Text cut here", 1),
        (
            [*SUNG, "", *SUNG, "", *SUNG, "", "", "", "typed by ann", "bern"],
            "apart",
            "typed by ann",
            2,
        ),
        (["a river", "", "", "", *SUNG, "", *SUNG, *SUNG], "apart", "a river", 1),
    ],
)
def test_lines_that_are_unlike_the_others(
    lines: list[str], kind: str, first: str, count: int
) -> None:
    lines = [row for line in lines for row in line.split("\n")]
    assert [(x.kind, x.text, x.count) for x in unlike_lines(lines)] == [(kind, first, count)]


@each_case(
    "lines",
    [
        SAID * 3,
        SUNG * 3,
        [*SUNG, "", *SUNG, "", *SUNG],
        [*SAID, "(Applause)", *SAID, "[Music]"],  # another remark counts them
        [*SAID, "and so I went on,", "because I had to:", *SAID, "We -"],  # they go on
        ["так это было", "Love is all", "у реки", "дома"] * 3,  # a song in two scripts
        ["そうです", "橋"] * 6,
        ["So it was in 1999, on the 2nd of May."] * 6,
        [*SUNG, "yeah, yeah, yeah......", *SUNG],
        ["SO IT WAS", "AND SO ON", "DOWN BY THE RIVER"] * 3,
    ],
)  # fmt: skip
def test_lines_that_are_alike(lines: list[str]) -> None:
    assert unlike_lines(lines) == []


def test_a_note_shows_the_first_line(read_text: ReadText) -> None:
    read = read_text("\n\n".join([*SAID, "The second day", *SAID]), "txt")
    fields = {"count": 1, "total": 9, "text": "The second day"}
    assert said(read.diagnostics) == [(TXT_UNLIKE["titles"].key, fields)]
    assert len(read.segments[0].tokens) == 3 + len(" ".join([*SAID, *SAID]).split())


def test_lines_that_another_remark_shows_are_not_shown_again(read_text: ReadText) -> None:
    read = read_text("\n\n".join([*SAID, "ACT I", *SAID, "ACT II", *SAID]), "txt")
    assert codes(read) == ["TXT-RULES"]


def test_the_first_line_of_a_song_that_is_sung_again_is_no_title(read_text: ReadText) -> None:
    song = "\n".join(["La la la", "", *SUNG, "La la la", *SUNG])
    assert "TXT-HEAD" not in codes(read_text(song, "txt"))


def test_remarks_on_a_text_in_another_encoding(read_text: ReadText) -> None:
    """The first lines are known although they are not UTF-8."""
    text = "\n\n".join(["Es war schön, und niemand wußte, warum die Brücke fehlt."] * 8)
    data = f"{text}\n\nDer zweite Tag".encode("cp1252")
    assert "TXT-UNLIKE" in codes(read_text(data, "txt", encoding="auto"))


@each_case(
    "lines",
    [
        ["In 1972 it was so.", "", *SUNG, *SUNG],
        ["In 1972 we went", "by the river", "", *SUNG, *SUNG],
        [*SUNG, "at the end of the speech of ann we went home and nobody knew", *SUNG],
        [*SUNG, "3-2-1-go", *SUNG],
    ],
)
def test_years_and_ends_in_sentences_are_no_titles(lines: list[str]) -> None:
    kinds = {unlike.kind for unlike in unlike_lines(lines)}
    assert kinds.isdisjoint(("notices", "dated", "numbered"))
