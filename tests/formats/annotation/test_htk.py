"""htk and mlf: fields and quotes, units, words over phones, alternatives, many utterances."""

from io import StringIO
from pathlib import Path

import pytest

import formats
from formats import LossError, OptionError, Segment, SyntaxFormatError, Token, Transcript
from formats.annotation import htk, messages, mlf
from formats.annotation.messages import (
    HTK_AUX,
    HTK_NBEST,
    HTK_PHONES,
    HTK_UNIT_LIKELY,
    HTK_WORD,
    MLF_END,
    MLF_FOLDER,
    MLF_PATTERN,
)
from formats.detection.spec import Sniff
from formats.io.messages import COMMENT
from tests.each_case import each_case
from tests.formats.checks import message_of, message_text, remark_line
from tests.formats.conftest import ReadText, WriteFile
from tests.tables import table_of

ALIGNED = """0 3000000 sil -120.5 SENT-START
3000000 4000000 hh -10.5 hello -52.5
4000000 5000000 ax -20.25
5000000 7500000 l -21.75
7500000 8000000 sp -1
8000000 9000000 w -9 world -9
"""


def remarks(transcript: Transcript, severity: str = "warning") -> list[str]:
    return [str(d) for d in transcript.diagnostics if d.severity == severity]


def written(name: str, *segments: Segment, **options: object) -> tuple[list[str], list[str]]:
    output = StringIO()
    transcript = Transcript(segments, source="rec")
    losses = formats.write(transcript, output, name, **options)  # type: ignore[arg-type]
    return output.getvalue().splitlines(), [str(loss) for loss in losses]


def test_labels(read_text: ReadText) -> None:
    text = "0 5000000 sil\n5000000 7500000 hello -123.5 ; said\n7500000 -1 'it\\'s'\n"
    transcript = read_text(text, "htk")
    spoken, pause = transcript
    assert spoken.tokens == (
        Token("hello", 500_000_000, 750_000_000, -123.5), Token("it's", 750_000_000, None),
    )  # fmt: skip
    assert (spoken.recording, spoken.utterance) == ("rec", "rec")
    assert (pause.kind, pause.words, pause.start, pause.end) == ("event", ("sil",), 0.0, 0.5)
    assert transcript.properties == (("confidence_scale", "log"),)
    assert remarks(transcript, "note") == [remark_line(COMMENT, 2)]


def test_names_without_times(read_text: ReadText) -> None:
    spoken, pause = read_text("hello\nsp\nworld\n", "htk")
    assert (spoken.words, spoken.starts, pause.start) == (("hello", "world"), None, None)
    assert written("htk", spoken, pause) == (
        ["hello", "world", "sp"], ["utterance ids: 2", "places of pauses without times: 1"],
    )  # fmt: skip


def test_words_over_phones(read_text: ReadText) -> None:
    transcript = read_text(ALIGNED, "htk")
    spoken = transcript[0]
    assert spoken.tokens == (
        Token("hello", 300_000_000, 750_000_000, -52.5),
        Token("world", 800_000_000, 900_000_000, -9.0),
    )
    assert [s.words for s in transcript][1:] == [("sil",), ("sp",)]
    assert remarks(transcript, "note") == [remark_line(HTK_PHONES, 1)]
    phones = read_text(ALIGNED, "htk", htk_level="names")
    assert phones[0].words == ("hh", "ax", "l", "w")
    assert remarks(phones, "note") == [remark_line(HTK_AUX, 1)]


def test_alternatives(read_text: ReadText) -> None:
    text = "0 5000000 hello\n///\n0 2000000 yellow\n2000000 5000000 sil\n///\nhalo\n"
    transcript = read_text(text, "htk")
    (spoken,) = transcript
    assert spoken.nbest == ((None, ("yellow",)), (None, ("halo",)))
    assert remarks(transcript, "note") == [remark_line(HTK_NBEST, 1)]
    assert written("htk", spoken)[0] == ["0 5000000 hello", "///", "yellow", "///", "halo"]


def test_octal_bytes_and_quotes(read_text: ReadText) -> None:
    (spoken,) = read_text('na\\303\\257ve\n"new york"\n"5"\na\\\\b\n', "htk")
    assert spoken.words == ("naïve", "new york", "5", "a\\b")
    plain = Segment.of("rec", ["naïve", "5", 'q"', "a\\b", ".", "///"])
    lines, _ = written("htk", plain)
    assert lines == ["naïve", '"5"', 'q\\"', "a\\\\b", '"."', '"///"']
    assert read_text("\n".join(lines), "htk")[0].words == plain.words
    lines, _ = written("htk", plain, htk_octal=True)
    assert lines[0] == "na\\303\\257ve"


@pytest.mark.parametrize(
    ("unit", "text", "end"),
    [
        ("ticks", "0 7500001 a\n", 0.7500001),
        ("frames:10ms", "0 75 a\n", 0.75),
        ("seconds", "0 0.75 a\n", 0.75),
        ("seconds", "0 1 a\n", 1.0),
    ],
)
def test_units(read_text: ReadText, unit: str, text: str, end: float) -> None:
    assert read_text(text, "htk", htk_unit=unit)[0].ends == (end,)


def test_a_unit_that_is_none(read_text: ReadText) -> None:
    for unit in ("days", "frames:0ms", "frames:x"):
        with pytest.raises(OptionError) as caught:
            read_text("a\n", "htk", htk_unit=unit)
        expected = f'expected htk_unit auto, ticks, seconds or frames:10ms, found "{unit}"'
        assert str(caught.value) == expected


def test_times_in_frames_are_suspected(read_text: ReadText) -> None:
    assert remarks(read_text("0 50 a\n50 75 b\n", "htk")) == [
        remark_line(HTK_UNIT_LIKELY, 1, labels=2, seconds=7.5e-06)
    ]


def test_a_name_with_a_blank_is_suspected(read_text: ReadText) -> None:
    transcript = read_text("0 50000000 new york\n", "htk")
    assert remarks(transcript) == [remark_line(HTK_WORD, 1, 16, name="york")]
    assert transcript[0].words == ("york",)
    assert remarks(read_text("0 50000000 hh hello\n", "htk", htk_level="words")) == []


Told = str | tuple[str, str, str]


def told(message: Told) -> str:
    """A message of a table: its text, or its place with an entry and the text that it quotes."""
    if isinstance(message, str):
        return message
    place, name, text = message
    return place + message_text(getattr(messages, name), text=text)


@each_case(
    ("text", "message"),
    table_of(__file__, "refusals"),
)  # fmt: skip
def test_refusals(read_text: ReadText, text: str, message: Told) -> None:
    assert (
        message_of(SyntaxFormatError, lambda: read_text(text, "htk", htk_unit="ticks"))
        == f"<stream>:1:{told(message)}"
    )
    lenient = read_text(f"{text}\n0 500000000 last\n", "htk", htk_unit="ticks", tolerance="lenient")
    assert lenient[0].words == ("last",)
    assert [d.code for d in lenient.diagnostics] == ["HTK-SYNTAX"]


def test_rounding_and_losses() -> None:
    segment = Segment.of("rec", ["a"], starts=[0.00000004], ends=[0.5], labels=["x"])
    event = Segment.of("rec", ["laugh"], start=1, end=2, kind="event")
    assert written("htk", segment, event) == (
        ["0 5000000 a"],
        ["labels: 1", "decimals of times: 1 (rounded to 7 decimals)", "events: 1 (dropped)"],
    )


@pytest.mark.parametrize(
    ("segment", "message"),
    [
        (Segment.of("rec", ["SIL"], line=2),
         'expected a word that the format can hold, found "SIL", which would be read as a pause'),
        (Segment.of("rec", ["a"], starts=[2], ends=[1], line=2),
         'expected times in order for the word "a", found 2.0 to 1.0'),
    ],
)  # fmt: skip
def test_what_cannot_be_written(segment: Segment, message: str) -> None:
    assert message_of(LossError, lambda: written("htk", segment)) == f"rec:2: {message}"


MLF = '#!MLF!#\n"*/u1.lab"\n0 5000000 hello\n.\n"dir/u2.rec"\nworld\n.\n'


def test_many_utterances(read_text: ReadText) -> None:
    transcript = read_text(MLF, "mlf")
    assert [(s.recording, s.utterance, s.words, s.line) for s in transcript] == [
        ("u1", "u1", ("hello",), 3), ("u2", "u2", ("world",), 6),
    ]  # fmt: skip


def test_an_unfinished_utterance_and_redirections(read_text: ReadText) -> None:
    transcript = read_text('#!MLF!#\n"*/a.lab" -> "/data"\n"*/*.lab"\nhello\n', "mlf")
    assert [str(d) for d in transcript.diagnostics] == [
        remark_line(MLF_FOLDER, 2, pattern='"*/a.lab"'),
        remark_line(MLF_PATTERN, 3, pattern="*/*.lab"),
        remark_line(MLF_END, 3),
    ]
    assert [s.words for s in transcript] == [("hello",)]


@each_case(
    ("text", "message"),
    table_of(__file__, "refusals_of_mlf"),
)  # fmt: skip
def test_refusals_of_mlf(read_text: ReadText, text: str, message: Told) -> None:
    assert (
        message_of(SyntaxFormatError, lambda: read_text(text, "mlf", htk_unit="ticks"))
        == f"<stream>:{told(message)}"
    )
    lenient = read_text(
        f'{text}"*/last.lab"\nend\n.\n', "mlf", htk_unit="ticks", tolerance="lenient"
    )
    assert [s.words for s in lenient][-1] == ("end",)
    assert [d.code for d in lenient.diagnostics] == ["MLF-SYNTAX"]


def test_writing_utterances(read_text: ReadText) -> None:
    turns = [
        Segment.of("talk", ["hello"], speaker="s", utterance="s-1", starts=[0], ends=[1]),
        Segment.of("rec1", ["b"], starts=[2], ends=[3]),
        Segment.of("rec1", ["a"], starts=[1], ends=[2]),
    ]
    turns[1] = turns[1].replace(start_ns=2 * 10**9, end_ns=3 * 10**9)
    lines, losses = written("mlf", *turns)
    assert lines == [
        "#!MLF!#", '"*/s-1.lab"', "0 10000000 hello", ".", '"*/rec1.lab"', "10000000 20000000 a",
        "20000000 30000000 b", ".",
    ]  # fmt: skip
    assert sorted(losses) == [
        "order of words: 2 (sorted by start)",
        "recordings: 1 (the utterance id is kept)",
        "segment boundaries: 1",
        "segment times: 2",
        "segments made from words: 1 (cut at pauses over 0.5 s)",
        "speakers: 1",
    ]


def test_names_that_files_cannot_have() -> None:
    assert (
        message_of(
            LossError, lambda: written("mlf", Segment.of("r", ["a"], utterance="a/b", line=3))
        )
        == 'rec:3: expected a name that a file can have, found "a/b"'
    )
    assert (
        message_of(
            LossError,
            lambda: written(
                "mlf", Segment.of("r", ["a"], utterance="u"), Segment.of("q", ["a"], utterance="u")
            ),
        )
        == 'rec: expected one recording for the utterance "u", found "r" and "q"'
    )


def test_suffix_and_content(write_file: WriteFile) -> None:
    assert formats.detect(write_file("a.lab", "hello\n")) == "htk"
    assert formats.detect(write_file("a.rec", "0 5000000 hello\n")) == "htk"
    assert formats.detect(write_file("a", MLF)) == "mlf"
    assert htk.sniff(["0 5000000 hello"]) is Sniff.MAYBE
    assert htk.sniff(["0 50 hello"]) is Sniff.NO
    assert htk.sniff([]) is Sniff.NO
    assert mlf.sniff(["", "#!MLF!#"]) is Sniff.SURE
    assert mlf.sniff(["a", "#!MLF!#"]) is Sniff.NO


@pytest.mark.parametrize("text", ["0.0 1.5 a\n1.5 2.0 b\n", "0 1.5 a\n1.5 2 b\n"])
def test_times_with_points_are_seconds(read_text: ReadText, text: str) -> None:
    transcript = read_text(text, "htk")
    assert (transcript[0].words, transcript[0].ends) == (("a", "b"), (1.5, 2.0))
    assert "HTK-UNIT" in [d.code for d in transcript.diagnostics]
    in_master = read_text(f'#!MLF!#\n"*/x.lab"\n{text}.\n', "mlf")
    assert in_master[0].ends == (1.5, 2.0)


def test_plain_text_in_a_file_of_labels_is_read_as_text(write_file: WriteFile) -> None:
    transcript = formats.read(write_file("talk.lab", "she said it twice, on a Monday\n"))
    assert (transcript.format, len(transcript), transcript.word_count) == ("txt", 1, 7)
    assert [d.code for d in transcript.diagnostics] == ["FORMAT-SUFFIX"]
    for labels in ("sil\nhello\n", "0 5 a b c\n", "0.5 1.5 a\n", "'a b' -1.5 c\n", "a -12.5 b\n"):
        assert formats.detect(write_file("talk.lab", labels)) == "htk"


def test_joined_files_and_folders_of_windows(read_text: ReadText) -> None:
    text = '#!MLF!#\n"*\\\\a\\b.lab"\nwell\n.\n#!MLF!#\n"*\\one.lab"\nso\n.\n'
    transcript = read_text(text, "mlf")
    assert [(s.utterance, s.words) for s in transcript] == [("b", ("well",)), ("one", ("so",))]
    assert not transcript.diagnostics


def test_labels_of_one_word_in_seconds_are_no_turns(tmp_path: Path) -> None:
    path = tmp_path / "song.lab"
    path.write_text("0.25 0.75 B:min\n0.75 1.5 G:maj\n1.5 2.0 B:min\n", "utf-8")
    transcript = formats.read(path)
    assert transcript.format == "htk"
    assert transcript[0].words == ("B:min", "G:maj", "B:min")
    assert transcript[0].starts == (0.25, 0.75, 1.5)


def test_whole_ticks_with_tabs_are_no_labels_of_audacity(tmp_path: Path) -> None:
    path = tmp_path / "say.lab"
    path.write_text("00000000\t04500000\tsil\n04500000\t09000000\tso\n", "utf-8")
    transcript = formats.read(path)
    assert transcript.format == "htk"
    assert [(s.words, s.starts, s.ends) for s in transcript if s.kind == "segment"] == [
        (("so",), (0.45,), (0.9,))
    ]
    assert not transcript.diagnostics
