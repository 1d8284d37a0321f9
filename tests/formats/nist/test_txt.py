"""txt and txt-lines: words only, no markup."""

from io import StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import formats
from formats import LossError, Segment, Transcript
from formats.detection.spec import Sniff
from formats.io.source import open_source
from formats.nist.txt import SPEC
from tests.each_case import each_case
from tests.formats.checks import message_of
from tests.formats.conftest import ReadText

SAMPLE = "hello um world\n\nhow { are } @ you\n"


def test_txt_is_one_utterance(read_text: ReadText) -> None:
    (segment,) = read_text(SAMPLE, "txt")
    assert " ".join(segment.words) == "hello um world how { are } @ you"
    assert (segment.recording, segment.utterance, segment.speaker) == ("rec", None, None)


def test_txt_lines_is_one_utterance_per_line(read_text: ReadText) -> None:
    transcript = read_text(SAMPLE, "txt-lines")
    assert [s.utterance for s in transcript] == ["000001", "000002", "000003"]
    assert [len(s.words) for s in transcript] == [3, 0, 6]


def test_no_comments(read_text: ReadText) -> None:
    assert read_text(";; a\n", "txt")[0].words == (";;", "a")


def test_empty_file(read_text: ReadText) -> None:
    transcript = read_text("", "txt")
    assert len(transcript) == 0
    assert [d.code for d in transcript.diagnostics] == ["EMPTY"]


def test_writing_names_every_loss(read_text: ReadText) -> None:
    transcript = read_text("a { b / c } (d) (s-1)\n(s-2)\ne (s-3)\n", "trn")
    output = StringIO()
    losses = formats.write(transcript, output, "txt")
    assert output.getvalue() == "a b d\ne\n"
    assert [str(loss) for loss in losses] == [
        "recordings: 1",
        "speakers: 2",
        "utterance ids: 2",
        "optional marks: 1 (the words are kept)",
        "alternations: 1 (only the first branch is written)",
        "empty segments: 1 (dropped)",
        "segment boundaries: 1",
    ]


def test_words_that_no_text_can_hold() -> None:
    assert message_of(
        LossError,
        lambda: formats.write(Transcript([Segment.of("r", [""], line=2)]), StringIO(), "txt"),
    ) == ("2: expected a word that the format can hold, found an empty word")


def test_never_sure() -> None:
    assert SPEC.sniff(["a b"]) is Sniff.NO


def test_a_table_is_no_text_without_a_word(read_text: ReadText) -> None:
    row = "141\tann\teng\tWhy not?\n"
    table = read_text(row + "\n" + row, "txt")
    assert len(table[0].words) == 10
    assert [(one.severity, one.code) for one in table.diagnostics] == [("warning", "TXT-TABLE")]
    for text in (row, row + "end\n", "u1\tone two\nu2\tthree\n"):
        assert read_text(text, "txt").diagnostics == ()


WORDS = (
    *("so", "it's", "a", "I", "Q", "labels", "entries", "Unicode", "chronological", "http", "A."),
    *("Note", "title", "File", "is", "longer", "Transcribed", "by", "abc", "null", "None", "'"),
    *("well-known", "Mr.", "Speaker", "speaker", "Host", "one", "Guest", "Chorus", "NO", "STYLE"),
    *("why?", "stop!", "Oh,", "...", "-", "--", "uh-", "Agenda", "Attendees", "Monday", "true"),
    *("Page", "Interview", "Minutes", "laughter", "END", "The", "said", "Subtitles", "rock'n'roll"),
)


@settings(max_examples=60)
@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=6), min_size=1, max_size=2))
def test_nothing_is_asked_or_said_of_two_lines_of_words(lines: list[list[str]]) -> None:
    text = "\n".join(map(" ".join, lines)) + "\n"

    def read_as(has_words_only: bool) -> object:
        source = open_source(StringIO(text))
        source.name = "a.txt"
        source.has_words_only = lambda: has_words_only  # type: ignore[method-assign]
        transcript = formats.read(source)
        return transcript.format, transcript.segments, transcript.diagnostics

    if open_source(StringIO(text)).has_words_only():
        assert read_as(True) == read_as(False)


@each_case(
    "text",
    [
        *("so\nit\nwas\n", "so 1\n", "Speaker A\nso it was\n", "sö\n", "so\tit\n", "", "'"),
        *("WEBVTT so\n", "so\n\n", "so: it\n", "[so]\n", "Verse\nChorus\n", "Act III\n"),
    ],
)
def test_more_is_asked_and_said_of_other_texts(text: str) -> None:
    assert not open_source(StringIO(text)).has_words_only()


@pytest.mark.parametrize(
    "text", ["so it was", "So it was.\nMr. Bell's well-known, too!\n", "it's ... uh-\nno\n"]
)
def test_nothing_is_asked_of_words(text: str) -> None:
    assert open_source(StringIO(text)).has_words_only()
