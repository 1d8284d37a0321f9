"""ctm: columns, alternations, order, refusals."""

from pathlib import Path

import pytest

from formats import NULL, Alternation, OptionError, Token, Transcript
from formats.nist.messages import CTM_NO_CONFIDENCE, CTM_ORDER, CTM_SPLIT, RTTM_MERGED
from tests.each_case import each_case
from tests.formats.case import sample
from tests.formats.checks import remark_line, remarks
from tests.formats.conftest import ReadText
from tests.tables import table_of

SAMPLE = sample("ctm-sample.txt")


def codes(transcript: Transcript) -> list[tuple[str, int | None]]:
    return [(d.code, d.line) for d in transcript.diagnostics if d.code != "COMMENT"]


def test_sample(read_text: ReadText) -> None:
    first, second = read_text(SAMPLE, "ctm")
    um, uh = Token("um", 11 * 10**8, 13 * 10**8), Token("uh", 11 * 10**8, 13 * 10**8)
    assert first.tokens == (
        Token("hello", 500_000_000, 750_000_000, 0.98),
        Token("world", 750_000_000, 1_050_000_000, 0.87),
        Alternation([[um], [uh]]),
    )
    assert (first.recording, first.channel, first.speaker, first.line) == ("rec1", "1", None, 2)
    assert second.tokens == (Token("good-", 14 * 10**8, 17 * 10**8, 0.4, "frag"),)
    assert second.speaker == "spk1"


def test_channels_and_recordings(read_text: ReadText) -> None:
    text = "a 1 0 1 x\na 2 0 1 y\na 1 1 1 z\nb 1 0 1 w\n"
    assert [(s.recording, s.channel, s.words) for s in read_text(text, "ctm")] == [
        ("a", "1", ("x", "z")),
        ("a", "2", ("y",)),
        ("b", "1", ("w",)),
    ]


def test_unsorted_words_are_sorted_with_warnings(read_text: ReadText) -> None:
    transcript = read_text("a 1 2 1 x\na 1 1 1 y\na 1 0 1 z\nb 1 3 1 v\nb 1 0 1 w\n", "ctm")
    assert [s.words for s in transcript] == [("z", "y", "x"), ("w", "v")]
    assert remarks(transcript) == [remark_line(CTM_ORDER, line) for line in (2, 3, 5)]


def test_an_alternation_moves_as_one(read_text: ReadText) -> None:
    text = (
        "a 1 3 1 x\na 1 * * <alt_begin>\na 1 1 1 b\na 1 2 1 c\na 1 * * <Alt>\n"
        "a 1 * * <ALT_END>\na 1 0 1 y\n"
    )
    transcript = read_text(text, "ctm")
    assert repr(transcript[0]) == "<Segment a channel=1: 'y' ('b' 'c' / @) 'x'>"
    assert codes(transcript) == [("CTM-ORDER", 2), ("CTM-ORDER", 7)]


def test_a_recording_in_two_places_is_told(read_text: ReadText) -> None:
    transcript = read_text("a 1 0 1 x\nb 1 0 1 y\na 1 1 1 z\n", "ctm")
    assert [s.words for s in transcript] == [("x",), ("y",), ("z",)]
    assert [str(d) for d in transcript.diagnostics] == [remark_line(CTM_SPLIT, 3, recording="a")]


@pytest.mark.parametrize("missing", ["NA", "na", "<NA>", "-"])
def test_missing_confidences(read_text: ReadText, missing: str) -> None:
    (segment,) = read_text(f"a 1 0 1 x {missing}\na 1 1 1 y 0.5\na 1 2 1 z\n", "ctm")
    assert segment.confidences == (None, 0.5, None)
    assert read_text(f"a 1 0 1 x {missing}\n", "ctm")[0].confidences is None


@pytest.mark.parametrize(
    ("text", "value"), [("1", 1.0), (".5", 0.5), ("-6.763", -6.763), ("1e-05", 1e-5)]
)
def test_confidences(read_text: ReadText, text: str, value: float) -> None:
    transcript = read_text(f"a 1 0 1 x {text}\n", "ctm")
    assert transcript[0].confidences == (value,)
    expected = [] if 0 <= value <= 1 else [("CTM-CONFIDENCE", 1)]
    assert codes(transcript) == expected


def test_types(read_text: ReadText) -> None:
    transcript = read_text("a 1 0 1 x NA lex\na 1 1 1 y NA FP\na 1 2 1 z NA laugh\n", "ctm")
    assert transcript[0].kinds == (None, "FP", "laugh")
    assert codes(transcript) == [
        ("CTM-NO-CONFIDENCE", 1), ("CTM-NO-CONFIDENCE", 2), ("CTM-NO-CONFIDENCE", 3),
        ("CTM-TYPE", 3),
    ]  # fmt: skip
    assert str(transcript.diagnostics[0]) == (remark_line(CTM_NO_CONFIDENCE, 1, 11, text="NA"))


def test_optional_and_null_words(read_text: ReadText) -> None:
    transcript = read_text("a 1 0 1 (um)\na 1 1 1 @\na 1 2 1 {x/y}\n", "ctm")
    assert transcript[0].tokens == (
        Token("um", 0, 10**9, optional=True),
        NULL,
        Token("{x/y}", 2 * 10**9, 3 * 10**9),
    )
    assert codes(transcript) == [("CTM-NULL", 2)]


@each_case(("branches", "expected"), table_of(__file__, "alternations"))
def test_alternations(read_text: ReadText, branches: list[str], expected: str) -> None:
    words = ["<ALT_BEGIN>", *branches, "<ALT_END>"]
    transcript = read_text("".join(f"a 1 0 1 {word}\n" for word in words), "ctm")
    assert repr(transcript[0]) == f"<Segment a channel=1: {expected}>"
    assert codes(transcript) == ([] if branches else [("CTM-EMPTY-ALT", 2)])


def test_overlap_is_noted(read_text: ReadText) -> None:
    assert codes(read_text("a 1 0 1 x\na 1 0.5 1 y\na 1 1.5 1 z\n", "ctm")) == [("OVERLAP", 2)]
    assert codes(read_text("a 1 0.1 0.2 x\na 1 0.3 1 y\n", "ctm")) == []


def test_end_times_in_the_place_of_durations_are_suspected(read_text: ReadText) -> None:
    text = "".join(f"a 1 {n}.1 {n + 1}.0 w\n" for n in range(6))
    assert ("CTM-END-NOT-DUR?", 1) in codes(read_text(text, "ctm"))


def test_who_speaks_is_told_by_an_rttm(tmp_path: Path, read_text: ReadText) -> None:
    table = tmp_path / "who.rttm"
    turns = "0 2 amy", "1.5 1 bob", "1.75 0.05 eve", "20 5 <NA>"
    table.write_text(
        "".join(
            f"SPEAKER rec1 1 {begin} {length} <NA> <NA> {name} <NA> <NA>\n"
            for begin, length, name in map(str.split, turns)
        )
    )
    said = [(0.5, "a"), (0.8, "b"), (1.5, "c"), (1.7, "d"), (2.0, "e"), (2.25, "f"), (21, "g")]
    text = "".join(f"rec1 1 {begin} 0.25 {word}\n" for begin, word in said)
    text += "rec1 2 0.5 0.25 h NA lex amy\nrec1 2 0.5 0.25 i\n"
    transcript = read_text(text, "ctm", speakers=str(table))
    assert [(s.speaker, s.words, s.start, s.end) for s in transcript] == [
        ("amy", ("a", "b"), 0.5, 1.05),
        ("amy", ("c", "d"), 1.5, 1.95),
        ("bob", ("e", "f"), 2.0, 2.5),
        (None, ("g",), 21.0, 21.25),
        (None, ("h", "i"), 0.5, 0.75),
    ]
    [warning] = [d for d in transcript.diagnostics if d.code == "CTM-NOBODY"]
    assert (warning.line, warning.value.fields["words"]) == (7, 3)


def test_overlapping_turns_of_a_speaker_are_one(tmp_path: Path, read_text: ReadText) -> None:
    """The option of rttm to merge them is none of ctm, so that no message may name it."""
    table = tmp_path / "who.rttm"
    turns = (0, 2, "amy"), (1, 9, "bob"), (1.5, 8, "amy")
    table.write_text(
        "".join(f"SPEAKER rec1 1 {a} {b} <NA> <NA> {name} <NA> <NA>\n" for a, b, name in turns)
    )
    transcript = read_text("rec1 1 5 0.25 a\n", "ctm", speakers=str(table))
    # whose turn began first
    assert [segment.speaker for segment in transcript] == ["amy"]
    [warning] = [d for d in transcript.diagnostics if d.code == "RTTM-OVERLAP"]
    assert (warning.value.entry, warning.line) == (RTTM_MERGED, 3)
    assert not warning.value.advice


def test_speakers_and_utterances_are_not_put_in_places_at_once(read_text: ReadText) -> None:
    with pytest.raises(OptionError, match="segments or speakers"):
        read_text(SAMPLE, "ctm", speakers="a.rttm", segments="segments")
