"""trn: ids, speakers, markup, refusals, writing."""

from io import StringIO
from pathlib import Path

import pytest

import formats
from formats import Definition, LossError, Segment, SyntaxFormatError, Transcript
from formats.detection.spec import Sniff
from formats.nist import trn
from formats.nist.messages import NULL_WORD, TRN_DUPLICATE, TRN_SPEAKER, TRN_TRAILING
from formats.nist.trn import ID_TYPES, speaker_of
from scoring import wer
from tests.each_case import each_case
from tests.formats.checks import message_of, message_text, remark_line
from tests.formats.conftest import ReadText
from tests.tables import table_of

SAMPLE = """hello { um / uh / @ } world (spk1-0001)
i am a (farmer) (spk1-0002)
(spk2-0001)
"""


def written(*segments: Segment, **options: object) -> str:
    output = StringIO()
    formats.write(Transcript(segments), output, "trn", **options)  # type: ignore[arg-type]
    return output.getvalue()


def test_sample(read_text: ReadText) -> None:
    first, second, third = read_text(SAMPLE, "trn")
    assert (first.utterance, first.speaker, first.words) == (
        "spk1-0001", "spk1", ("hello", "world"),
    )  # fmt: skip
    assert repr(first.alternations) == "((1, Alternation('um' / 'uh' / @)),)"
    assert second.words == ("i", "am", "a", "farmer")
    assert second.optional == (False, False, False, True)
    assert (third.words, third.line) == ((), 3)


@each_case(("utterance", "id_type", "speaker"), table_of(__file__, "speaker_of"))
def test_speaker_of(utterance: str, id_type: str, speaker: str | None) -> None:
    assert speaker_of(utterance, id_type) == speaker


@each_case("id_type", ID_TYPES)
def test_every_id_type_reads_and_writes(read_text: ReadText, id_type: str) -> None:
    transcript = read_text("a (anne-1)\nb (bob-1)\n", "trn", id_type=id_type)
    expected = {"wsj": "ann", "atis": "ann", "sp": "anne-1"}.get(id_type, "anne")
    assert transcript[0].speaker == expected
    assert written(*transcript, id_type=id_type) == "a (anne-1)\nb (bob-1)\n"


def test_an_id_that_names_no_speaker(read_text: ReadText) -> None:
    transcript = read_text("a (abc)\n", "trn")
    assert transcript[0].speaker == "abc"
    assert [str(d) for d in transcript.diagnostics] == [
        remark_line(TRN_SPEAKER, 1, 4, utterance="abc")
    ]


@each_case(("line", "utterance", "words"), table_of(__file__, "where_the_id_is"))
def test_where_the_id_is(
    read_text: ReadText, line: str, utterance: str, words: tuple[str, ...]
) -> None:
    (segment,) = read_text(line, "trn")
    assert (segment.utterance, segment.words) == (utterance, words)


def test_the_same_line_again_is_read_once_and_noted(read_text: ReadText) -> None:
    transcript = read_text("a b (s-1)\na b  (s-1)\n", "trn")
    assert len(transcript) == 1
    assert [str(d) for d in transcript.diagnostics] == [remark_line(TRN_DUPLICATE, 2, first=1)]


def test_what_was_read_in_bulk_is_known_to_what_comes_after(read_text: ReadText) -> None:
    many = "".join(f"word (s-{n})\n" for n in range(2000))
    text = f"{many}word (s-7)\n{{ a / b }} (s-x)\nword (s-x)\n"
    transcript = read_text(text, "trn", tolerance="lenient")
    ids = [segment.utterance for segment in transcript]
    assert ids == [*(f"s-{n}" for n in range(2000)), "s-x"]
    assert [(one.code, one.line) for one in transcript.diagnostics] == [
        ("TRN-DUPLICATE", 2001), ("TRN-SYNTAX", 2003),
    ]  # fmt: skip
    assert transcript.diagnostics[0].value.fields == {"first": 8}
    assert "which line 2002 has" in transcript.diagnostics[1].message


def test_blanks_after_a_line_of_two_ids(read_text: ReadText) -> None:
    (segment,) = read_text("(a-1)(b-1)\n  \n", "trn")
    assert (segment.words, segment.utterance) == (("a-1",), "b-1")


def test_text_after_the_id_draws_a_warning(read_text: ReadText) -> None:
    transcript = read_text("a (s-1) junk\n", "trn")
    assert [str(d) for d in transcript.diagnostics] == [
        remark_line(TRN_TRAILING, 1, 8, text="junk")
    ]
    with pytest.raises(
        SyntaxFormatError, match=("1:8: " + message_text(TRN_TRAILING, text="junk"))
    ):
        read_text("a (s-1) junk\n", "trn", tolerance="strict")


def test_lenient_reading_skips_and_counts(read_text: ReadText) -> None:
    transcript = read_text("a\nb (s-1)\n{ (s-2)\n", "trn", tolerance="lenient")
    assert [s.words for s in transcript] == [("b",)]
    assert [d.severity for d in transcript.diagnostics] == ["error", "error"]


def test_without_alternations(read_text: ReadText) -> None:
    transcript = read_text("{ktb }x (s-1)\n", "trn", alternations=False)
    assert transcript[0].words == ("{ktb", "}x")
    assert written(*transcript, alternations=False) == "{ktb }x (s-1)\n"
    with pytest.raises(LossError):
        written(*transcript)


def test_a_first_word_like_a_comment_mark_is_written_behind_a_blank(read_text: ReadText) -> None:
    for word in (";;", "**bold", ";x"):
        segment = Segment.of("rec", [word], utterance="s-1", speaker="s")
        text = written(segment)
        assert text == f" {word} (s-1)\n"
        assert read_text(text, "trn").segments == (segment,)


@pytest.mark.parametrize(
    ("segment", "message"),
    [
        (Segment.of("r", ["a"], utterance="s(1)", line=3),
         '3: expected an utterance id without parentheses and line ends, found "s(1)"'),
        (Segment.of("r", ["a"], utterance=" ", line=3), "3: expected an utterance id, found none"),
        (Segment.of("r", ["@"], utterance="s-1", line=3),
         f"3: {message_text(NULL_WORD)}"),
    ],
)  # fmt: skip
def test_what_cannot_be_written(segment: Segment, message: str) -> None:
    assert message_of(LossError, lambda: written(segment)) == message


def test_ids_are_not_written_twice() -> None:
    segment = Segment.of("r", ["a"], utterance="s-1", line=2)
    with pytest.raises(LossError, match='2: expected a unique utterance id, found "s-1"'):
        written(segment, segment)


def test_a_speaker_that_the_id_does_not_name_is_a_loss() -> None:
    output = StringIO()
    segment = Segment.of("r", ["a"], utterance="s-1", speaker="anne")
    (recording, speaker) = formats.write(Transcript([segment]), output, "trn")
    assert (recording.what, str(speaker)) == (
        "recordings", "speakers: 1 (the id names another speaker)",
    )  # fmt: skip


def test_definitions_are_kept(read_text: ReadText) -> None:
    text = ';; CATEGORY "0" "a" "b"\na (s-1)\n;; LABEL "o" "t" "d"\nb (s-2)\n;; LABEL "x" "" ""\n'
    transcript = read_text(text, "trn")
    assert transcript.definitions[2] == Definition("LABEL", "x", "", "")
    output = StringIO()
    formats.write(transcript, output, "trn")
    assert read_text(output.getvalue(), "trn") == transcript.__class__(
        transcript.segments, transcript.definitions, (), "<stream>", "trn"
    )


def test_labels_in_parentheses_that_repeat_are_no_ids() -> None:
    lines = [f"a{n}.wav,hello,Greetings (formal)" for n in range(9)]
    assert trn.sniff(lines) is Sniff.MAYBE
    assert trn.sniff([f"hello (a-{n})" for n in range(9)]) is Sniff.SURE


def test_marks_of_sentences_around_all_texts_are_no_words(read_text: ReadText) -> None:
    text = "<s> so it { was / is } </s> (ann-1)\n<s> </s>\t(ann-2)\n  <s> well </s>  (ann-3)\n"
    transcript = read_text(text, "trn")
    assert [segment.words for segment in transcript][1:] == [(), ("well",)]
    assert transcript[0].words[:2] == ("so", "it")
    assert {d.code for d in transcript.diagnostics} == {"TRN-SENTENCES"}
    assert read_text(text, "trn", markup=False)[2].words == ("<s>", "well", "</s>")
    others = "<s> so </s> (ann-1)\n<s> (ann-2)\n"
    assert read_text(others, "trn")[0].words == ("<s>", "so", "</s>")


def test_marks_of_sentences_do_not_count_as_errors(tmp_path: Path) -> None:
    reference, hypothesis = tmp_path / "ref.transcription", tmp_path / "hyp.trn"
    reference.write_text("<s> so it was </s> (ann-1)\n<s> well </s> (ann-2)\n", "utf-8")
    hypothesis.write_text("so it is (ann-1)\nwell (ann-2)\n", "utf-8")
    assert wer(reference, hypothesis).corpus_rate == 1 / 4
