"""ctm of Kaldi: utterances put where they are; words that are no speech; missing confidences."""

from io import StringIO

import pytest

import formats
from formats import OptionError, Segment, SyntaxFormatError, Transcript
from formats.io.messages import UNICODE_SPACE
from formats.nist.messages import CTM_BEYOND_SEGMENT, CTM_RELATIVE, CTM_SHORT, OVERLAP_SEGMENT
from tests.formats.checks import message_of, message_text, remark_line
from tests.formats.conftest import ReadText, WriteFile

CTM = "utt1 1 0.25 0.5 hello 0.9\nutt1 1 * * <ALT_BEGIN>\nutt1 1 1.0 0.5 um\nutt1 1 * * <ALT>\n"
CTM += "utt1 1 * * <ALT_END>\nutt2 1 0.00 0.5 world\n"


def warnings(transcript: Transcript) -> list[str]:
    return [str(d) for d in transcript.diagnostics if d.severity == "warning"]


def test_utterances_are_put_in_their_places(write_file: WriteFile) -> None:
    write_file("segments", "utt1 rec1 10.0 12.0\nutt2 rec1 3.5 -1 A\n")
    first, second = formats.read(write_file("hyp.ctm", CTM), segments="segments")
    assert (first.recording, first.channel, first.utterance) == ("rec1", "1", "utt1")
    assert (first.start, first.end, first.starts, first.ends) == (10.0, 12.0, (10.25,), (10.75,))
    assert repr(first.tokens[1]) == "Alternation('um' / @)"
    assert next(first.tokens[1].tokens()).start == 11.0  # type: ignore[union-attr]
    assert (second.channel, second.start, second.end, second.starts) == ("A", 3.5, None, (3.5,))
    output = StringIO()
    formats.write(formats.read("hyp.ctm", segments="segments"), output, "ctm")
    assert output.getvalue().splitlines()[0] == "rec1 1 10.250 0.500 hello 0.9"


def test_an_utterance_without_a_place(write_file: WriteFile) -> None:
    write_file("segments", "utt1 rec1 10.0 12.0\n")
    write_file("hyp.ctm", CTM)
    assert (
        message_of(SyntaxFormatError, lambda: formats.read("hyp.ctm", segments="segments"))
        == 'hyp.ctm:6:1: expected an utterance of segments, found "utt2"'
    )
    lenient = formats.read("hyp.ctm", segments="segments", tolerance="lenient")
    assert [s.utterance for s in lenient] == ["utt1"]


def test_words_behind_their_utterance(write_file: WriteFile) -> None:
    write_file("segments", "utt1 rec1 10.0 10.5\nutt2 rec1 0 9\n")
    transcript = formats.read(write_file("hyp.ctm", CTM), segments="segments")
    assert warnings(transcript) == [
        remark_line(CTM_BEYOND_SEGMENT, 1, file="hyp.ctm", recording="utt1", seconds=1.0)
    ]


def test_a_table_beside_a_ctm_is_a_hint(write_file: WriteFile) -> None:
    write_file("segments", "utt1 rec1 10.0 12.0\nutt2 rec1 3.5 -1\n")
    assert warnings(formats.read(write_file("hyp.ctm", CTM))) == [
        ("hyp.ctm: warning: " + message_text(CTM_RELATIVE, path="segments") + " [CTM-RELATIVE?]")
    ]
    write_file("segments", "utt1 rec1 10.0 12.0\n")
    assert warnings(formats.read("hyp.ctm")) == []


def test_many_short_recordings_are_a_hint(read_text: ReadText) -> None:
    transcript = read_text("".join(f"utt{n} 1 0.5 1 hello\n" for n in range(30)), "ctm")
    assert [str(d) for d in transcript.diagnostics] == [remark_line(CTM_SHORT, recordings=30)]


def test_words_that_are_no_speech(read_text: ReadText) -> None:
    text = "a 1 0 1 <eps>\na 1 1 1 x\na 1 2 1 SIL 0.5\na 1 3 1 sil\na 1 4 1 SIL 0.5 lex\n"
    (segment,) = read_text(text, "ctm")
    assert segment.kinds == ("non-lex", None, "non-lex", None, None)
    assert [label.kind for label in segment.word_labels()][:2] == ["nonspeech", "word"]
    assert read_text(text, "ctm", nonspeech="")[0].kinds is None
    assert read_text(text, "ctm", nonspeech="sil")[0].kinds == (None, None, None, "non-lex", None)


def test_the_scale_of_confidences(read_text: ReadText) -> None:
    assert read_text("a 1 0 1 x 0.5\n", "ctm").properties == ()
    assert read_text("a 1 0 1 x -6.763\n", "ctm").properties == (("confidence_scale", "unknown"),)


@pytest.mark.parametrize(
    ("missing", "lines", "losses"),
    [
        ("NA", ["a 1 0.000 0.500 x 0.5", "a 1 1.000 0.500 y NA"], []),
        ("0.01", ["a 1 0.000 0.500 x 0.5", "a 1 1.000 0.500 y 0.01"], []),
        ("drop", ["a 1 0.000 0.500 x", "a 1 1.000 0.500 y"], ["confidences: 1 (1 word has no confidence)"]),
    ],
)  # fmt: skip
def test_missing_confidences(missing: str, lines: list[str], losses: list[str]) -> None:
    segment = Segment.of(
        "a", ["x", "y"], channel="1", starts=[0, 1], ends=[0.5, 1.5], confidences=[0.5, None]
    )
    output = StringIO()
    lost = formats.write(Transcript([segment]), output, "ctm", conf_missing=missing)
    assert (output.getvalue().splitlines(), [str(loss) for loss in lost]) == (lines, losses)
    whole = segment.replace(confidences=(0.5, 1.0))
    formats.write(Transcript([whole]), output, "ctm", conf_missing=missing)
    assert output.getvalue().endswith("y 1.0\n")


def test_an_unknown_way_to_write_a_missing_confidence() -> None:
    assert (
        message_of(
            OptionError, lambda: formats.write(Transcript(), StringIO(), "ctm", conf_missing="none")
        )
        == 'expected conf_missing NA, drop or a number, found "none"'
    )


def test_overlapping_segments_of_an_stm(read_text: ReadText) -> None:
    transcript = read_text("r 1 s 0 2 a\nr 1 t 1 3 b\nr 2 t 1 3 b\nr 2 t 3 4 b\n", "stm")
    assert [str(d) for d in transcript.diagnostics] == [remark_line(OVERLAP_SEGMENT, 2)]


def test_blanks_beyond_ascii_are_noted(read_text: ReadText) -> None:
    transcript = read_text("wörld a\u3000b\xa0c (s-1)\n", "trn")
    assert transcript[0].words == ("wörld", "a\u3000b\xa0c")
    assert [str(d) for d in transcript.diagnostics] == [
        remark_line(UNICODE_SPACE, 1, 8, character=12288)
    ]


def test_trn_sorted_by_id(read_text: ReadText) -> None:
    output = StringIO()
    formats.write(read_text("a (s-2)\nb (s-10)\n", "trn"), output, "trn", sort="id")
    assert output.getvalue() == "b (s-10)\na (s-2)\n"
