"""CHAT: lines that go on, time pairs, what the text says, and what is remarked in it."""

from io import BytesIO

import pytest

import formats
from formats import OptionError, SyntaxFormatError, Transcript, UnknownFormatError
from formats.annotation.chat_text import clean
from formats.annotation.messages import (
    CHAT_COLON,
    CHAT_COLON_END,
    CHAT_DEPENDENT,
    CHAT_END,
    CHAT_HEADER,
    CHAT_NOT_KEPT,
    CHAT_SPEAKER,
    CHAT_TAB,
    CHAT_TAB_END,
    CHAT_TIMES,
    CHAT_WOR,
    CHAT_WOR_WORDS,
)
from tests.each_case import each_case
from tests.formats.checks import remark_line, remarks
from tests.formats.conftest import ReadText
from tests.tables import table_of

BULLET = "\x15"


def document(*lines: str) -> str:
    head = "@UTF8\n@Begin\n@Participants:\tANN Anne Adult, BOB Bob Adult\n"
    return head + "\n".join(lines) + "\n@End\n"


def test_lines_go_on_and_pairs_give_times(read_text: ReadText) -> None:
    text = document(
        "@Languages:\teng, deu", "@Media:\tmonday, audio",
        f"*ANN:\thello\n\tthere , you . {BULLET}500_2250{BULLET}", "%mor:\tx|y", "*BOB:\tyes !",
        "@Comment:\tnothing",
    )  # fmt: skip
    transcript = read_text(text, "chat")
    assert [(s.recording, s.speaker, s.start, s.end, s.words, s.line) for s in transcript] == [
        ("monday", "ANN", 0.5, 2.25, ("hello", "there", "you"), 6),
        ("monday", "BOB", None, None, ("yes",), 9),
    ]
    assert transcript[0].displays == (None, "there,", "you.")
    assert dict(transcript.properties) == {"language": "eng, deu"}
    assert remarks(transcript) == [
        remark_line(CHAT_DEPENDENT, 8, name="mor"),
        remark_line(CHAT_NOT_KEPT, 10, name="Comment"),
    ]


@each_case(("text", "words", "kinds"), table_of(__file__, "text"))
def test_text(text: str, words: str, kinds: list[str | None] | None) -> None:
    found = clean(text).words
    assert " ".join(word.text for word in found) == words
    if kinds is not None:
        assert [word.kind for word in found] == kinds


def test_targets_and_retraces(read_text: ReadText) -> None:
    text = document("*ANN:\t<I wan> [//] I gonna [: going to] go .")
    assert read_text(text, "chat")[0].words == ("I", "wan", "I", "gonna", "go")
    assert read_text(text, "chat", chat_replacements="target")[0].words == (
        "I", "wan", "I", "going", "to", "go",
    )  # fmt: skip
    assert read_text(text, "chat", chat_retraces="drop")[0].words == ("I", "gonna", "go")
    raw = read_text(text, "chat", chat_text="raw")[0].words
    assert " ".join(raw) == "<I wan> [//] I gonna [: going to] go ."
    with pytest.raises(OptionError):
        read_text(text, "chat", chat_text="chat-9")


def test_sounds_and_asides_are_segments_of_their_own(read_text: ReadText) -> None:
    text = document(f"*ANN:\tand &=imit:dog then &*BOB:mhm so . {BULLET}0_900{BULLET}")
    assert [(s.kind, s.speaker, s.words, s.end) for s in read_text(text, "chat")] == [
        ("segment", "ANN", ("and", "then", "so"), 0.9),
        ("event", "ANN", ("imit", "dog"), 0.9),
        ("segment", "BOB", ("mhm",), 0.9),
    ]


def test_wor_lines_give_times_to_words(read_text: ReadText) -> None:
    text = document(
        f"*ANN:\thello &-um you . {BULLET}500_2250{BULLET}",
        f"%wor:\thello {BULLET}500_700{BULLET} um {BULLET}700_900{BULLET} you .",
        f"*BOB:\tone two . {BULLET}3000_4000{BULLET}",
        f"%wor:\tone {BULLET}3000_3200{BULLET} and {BULLET}3200_3300{BULLET} two {BULLET}3300_4000{BULLET} .",
    )
    transcript = read_text(text, "chat")
    assert transcript[0].words == ("hello", "um", "you")
    assert transcript[0].starts == (0.5, 0.7, None)
    assert transcript[0].kinds == (None, "fp", None)
    assert transcript[1].words == ("one", "and", "two")
    assert transcript[1].ends == (3.2, 3.3, 4.0)
    assert transcript[1].get("text") == "one two"
    assert remarks(transcript) == [remark_line(CHAT_WOR_WORDS, 6, timed=3, words=2)]


@each_case(
    ("line", "message"),
    [
        ("*ANN:hello .", '<stream>:4:6: expected a tab after *ANN:, found "hello ."'),
        ("*ANN a: hello .", '<stream>:4:8: expected a tab after *ANN a:, found " hello ."'),
        ("*ANN hello .", "<stream>:4:13: expected a colon after *ANN, found none"),
        ("hello .",
         '<stream>:4:1: expected a line that begins with *, %, @ or a tab, found "hello ."'),
        ("*ANN:\thello . \\x15500_900\\x15",
         '<stream>:4: expected time pairs between two characters U+0015, found "\\x15500_900"'),
        ("*ANN:\thello . 500_900",
         '<stream>:4: expected time pairs between two characters U+0015, found "500_900"'),
        (f"*ANN:\thello . {BULLET}900_500{BULLET}",
         '<stream>:4: expected a time pair start_end in milliseconds, in order, found "900_500"'),
        (f"*ANN:\thello . {BULLET}0.5_0.9{BULLET}",
         '<stream>:4: expected a time pair start_end in milliseconds, in order, found "0.5_0.9"'),
    ],
)  # fmt: skip
def test_refusals(read_text: ReadText, line: str, message: str) -> None:
    with pytest.raises(SyntaxFormatError) as caught:
        read_text(document(line), "chat")
    assert str(caught.value) == message
    lenient = read_text(document(line, "*BOB:\tyes ."), "chat", tolerance="lenient")
    assert [s.words for s in lenient] == [("yes",)]
    assert lenient.diagnostics[0].message == f"record skipped: {caught.value.message}"


def test_missing_headers_and_strangers_are_remarked(read_text: ReadText) -> None:
    text = "@Begin\n@Participants:\tANN Adult\n*CHI:\tyes .\n*CHI:\tno .\n"
    assert remarks(read_text(text, "chat")) == [
        remark_line(CHAT_HEADER, 1, found="@Begin"),
        remark_line(CHAT_SPEAKER, 3, speaker="CHI"),
        remark_line(CHAT_END),
    ]


def test_what_is_not_kept_is_told(read_text: ReadText) -> None:
    text = document(
        "@Comment:\tnoise", f"%wor:\tyes {BULLET}1_2{BULLET} .", "*BOB:\tno .", "%mor:\tn"
    )
    transcript = read_text(text, "chat")
    assert [s.words for s in transcript] == [("no",)]
    assert remarks(transcript) == [
        remark_line(CHAT_NOT_KEPT, 4, name="Comment"),
        remark_line(CHAT_WOR, 5),
        remark_line(CHAT_DEPENDENT, 7, name="mor"),
    ]


def test_several_pairs_span_the_line(read_text: ReadText) -> None:
    text = document(f"*ANN:\ta . {BULLET}100_500{BULLET} b . {BULLET}500_900{BULLET}")
    transcript = read_text(text, "chat")
    assert (transcript[0].start, transcript[0].end) == (0.1, 0.9)
    assert remarks(transcript) == [remark_line(CHAT_TIMES, 4, pairs=2)]


def test_long_runs_of_marks_take_linear_time(read_text: ReadText) -> None:
    for mark in ("<", "[", "(", "&", "+", "[x 9] ", "<a ", "0_", "\\x15"):
        transcript = read_text(document("*ANN:\ta " + mark * (20_000 // len(mark))), "chat")
        assert transcript[0].words[0] == "a"


def test_it_is_not_written() -> None:
    with pytest.raises(UnknownFormatError):
        formats.write(Transcript(), "-", "chat")


@each_case("line", ["@Date:", "%add:   MOT", "%mor", "%com: laughs", "*ANN:"])
def test_a_line_in_which_nothing_is_said_is_a_warning_and_refuses_no_file(
    read_text: ReadText, line: str
) -> None:
    transcript = read_text(f"@UTF8\n@Begin\n*ANN:\thello .\n{line}\n*ANN:\tyou .\n@End\n", "chat")
    assert [word for segment in transcript for word in segment.words] == ["hello", "you"]
    assert [d.code for d in transcript.diagnostics if d.severity == "warning"] == ["CHAT-LINE"]


def test_blanks_for_the_tab_are_read_with_a_warning(read_text: ReadText) -> None:
    text = "@UTF8\n@Begin\n*ANN:   hello there .\n%pho: x\n*BEN:\tyou .\n@End\n"
    transcript = read_text(text, "chat")
    assert [(s.speaker, s.words) for s in transcript] == [
        ("ANN", ("hello", "there")),
        ("BEN", ("you",)),
    ]
    assert remarks(transcript)[0] == (remark_line(CHAT_TAB, 3, name="*ANN", text="   hello t"))


@pytest.mark.parametrize(
    ("line", "remark"),
    [
        ("%com", remark_line(CHAT_COLON_END, 5, name="%com")),
        ("%com\todd", remark_line(CHAT_COLON, 5, name="%com", text="odd")),
        ("%com:", remark_line(CHAT_TAB_END, 5, name="%com")),
        ("%com:odd", remark_line(CHAT_TAB, 5, name="%com", text="odd")),
    ],
)
def test_a_line_without_colon_or_tab_is_a_warning(line: str, remark: str) -> None:
    text = f"@UTF8\n@Begin\n@Participants:\tANN Child\n*ANN:\thello .\n{line}\n@End\n"
    assert remark in remarks(formats.read(BytesIO(text.encode()), "chat"))
