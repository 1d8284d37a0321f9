"""stm: fields, labels, ignored segments, refusals, writing."""

from io import StringIO

import pytest

import formats
from formats import Definition, LossError, OptionError, Segment, Transcript
from formats.nist.messages import OPTIONAL_WORD, STM_LABEL, STM_NO_TIME
from tests.each_case import each_case
from tests.formats.checks import message_of, message_text, remark_line
from tests.formats.conftest import ReadText
from tests.tables import table_of

SAMPLE = """;; LABEL "F" "Female" "female talkers"
;; LABEL "M" "Male" "male talkers"
rec1 1 spk1 0.500 2.250 <F> hello { um / uh / @ } world
rec1 1 spk2 2.250 3.900 <M> how (are) you
rec1 1 gap 3.900 5.000 <F> IGNORE_TIME_SEGMENT_IN_SCORING
"""


def written(*segments: Segment, **options: object) -> str:
    output = StringIO()
    formats.write(Transcript(segments), output, "stm", **options)  # type: ignore[arg-type]
    return output.getvalue()


def turn(*words: str, **changes: object) -> Segment:
    segment = Segment.of("rec1", words, channel="1", speaker="anne", start=0.5, end=1.5)
    return segment.replace(line=9, **changes)


def test_sample(read_text: ReadText) -> None:
    transcript = read_text(SAMPLE, "stm")
    assert transcript.definitions == (
        Definition("LABEL", "F", "Female", "female talkers"),
        Definition("LABEL", "M", "Male", "male talkers"),
    )
    first, second, third = transcript
    assert repr(first) == (
        "<Segment rec1 channel=1 speaker=spk1 0.5..2.25 <F>: 'hello' ('um' / 'uh' / @) 'world'>"
    )
    assert second.optional == (False, True, False)
    assert (second.labels, second.kind, second.line) == (("M",), "segment", 4)
    assert third.kind == "ignored"
    assert written(*transcript) == "".join(SAMPLE.splitlines(keepends=True)[2:])


@each_case(("text", "speaker", "kind"), table_of(__file__, "kinds"))
def test_kinds(read_text: ReadText, text: str, speaker: str, kind: str) -> None:
    assert read_text(f"f 1 {speaker} 0 1 {text}\n", "stm")[0].kind == kind


def test_blanks_and_odd_characters(read_text: ReadText) -> None:
    (segment,) = read_text(" f\t1  s\xa0x .5 1.\t\ta\vb\u3000c \n", "stm")
    assert (segment.recording, segment.speaker) == ("f", "s\xa0x")
    assert (segment.start, segment.end) == (0.5, 1.0)
    assert segment.words == ("a", "b\u3000c")


@each_case(("field", "mode", "labels", "words"), table_of(__file__, "label_field"))
def test_label_field(
    read_text: ReadText, field: str, mode: str, labels: tuple[str, ...], words: tuple[str, ...]
) -> None:
    segment = read_text(f"f 1 s 0 1 plain\nf 1 s 1 2 {field} a\n", "stm", label_field=mode)[1]
    assert (segment.labels, segment.words) == (labels, words)


def test_a_doubtful_label_draws_a_warning_with_both_readings(read_text: ReadText) -> None:
    transcript = read_text("f 1 s 0 1 plain\nf 1 s 1 2 <unk> a\n", "stm")
    assert [str(d) for d in transcript.diagnostics] == [remark_line(STM_LABEL, 2, 11, text="<unk>")]


def test_a_field_that_every_record_has_is_labels(read_text: ReadText) -> None:
    transcript = read_text("f 1 s 0 1 <o> a\nf 1 s 1 2 <x>\n", "stm")
    assert [s.labels for s in transcript] == [("o",), ("x",)]


def test_unknown_label_field(read_text: ReadText) -> None:
    with pytest.raises(OptionError, match="expected label_field out of auto, sclite, never"):
        read_text("", "stm", label_field="maybe")


def test_disorder_is_kept_and_draws_warnings(read_text: ReadText) -> None:
    transcript = read_text("f 1 s 2 3 a\nf 1 s 1 2 b\nf 1 s 0 1 c\nf 2 s 0 1 d\n", "stm")
    assert [s.words[0] for s in transcript] == ["a", "b", "c", "d"]
    assert [(d.code, d.line) for d in transcript.diagnostics] == [
        ("STM-ORDER", 2),
        ("STM-ORDER", 3),
    ]
    assert [line[-1] for line in written(*transcript).split("\n")[:-1]] == ["c", "b", "a", "d"]


def test_writing_sorts_by_bytes_and_time(read_text: ReadText) -> None:
    segments = [turn(name, recording=name) for name in ("b", "é", "a", "B", "z", "a")]
    assert [line.split()[0] for line in written(*segments).splitlines()] == [
        "B", "a", "a", "b", "z", "é",
    ]  # fmt: skip


def test_a_first_word_like_labels_gets_an_explicit_field(read_text: ReadText) -> None:
    segments = (turn("<unk>", "a"), turn("b", start_ns=2 * 10**9, end_ns=3 * 10**9))
    text = written(*segments)
    assert text == ("rec1 1 anne 0.500 1.500 <> <unk> a\nrec1 1 anne 2.000 3.000 b\n")
    assert read_text(text, "stm").segments == segments
    assert read_text(text, "stm", label_field="sclite").segments == segments


def test_undeclared_labels_are_written_so_that_they_read_back(read_text: ReadText) -> None:
    segments = (
        turn("a", labels=("F",)),
        turn("b", start_ns=2 * 10**9, end_ns=3 * 10**9),
        turn(start_ns=3 * 10**9, end_ns=4 * 10**9),
    )
    text = written(*segments)
    assert text.splitlines()[1:] == ["rec1 1 anne 2.000 3.000 <> b", "rec1 1 anne 3.000 4.000 <>"]
    assert read_text(text, "stm").segments == segments


@pytest.mark.parametrize(
    ("segment", "message"),
    [
        (turn("a", recording=";;x"),
         '9: expected a recording whose name does not begin like a comment, found ";;x"'),
        (turn("a", labels=("x y",)),
         '9: expected a label without blanks, <, > and commas, found "x y"'),
        (turn("(x)"), f"9: {message_text(OPTIONAL_WORD, word='(x)')}"),
    ],
)  # fmt: skip
def test_what_cannot_be_written(segment: Segment, message: str) -> None:
    assert message_of(LossError, lambda: written(segment)) == message


def test_precision() -> None:
    output = StringIO()
    segment = turn("a", start_ns=500_500_000, end_ns=1_234_567_800)
    (loss,) = formats.write(Transcript([segment]), output, "stm")
    assert output.getvalue() == "rec1 1 anne 0.500 1.235 a\n"
    assert str(loss) == "decimals of times: 2 (rounded to 3 decimals)"
    assert written(segment, precision=7) == "rec1 1 anne 0.5005000 1.2345678 a\n"


@pytest.mark.parametrize("words", [(), ("a", "door")])
def test_a_region_ignored_elsewhere_stays_ignored(words: tuple[str, ...]) -> None:
    region = Segment.of("rec1", words, channel="1", start=1, end=2, kind="ignored")
    out = StringIO()
    losses = formats.write(Transcript([region]), out, "stm")
    assert out.getvalue() == "rec1 1 rec1-1 1.000 2.000 IGNORE_TIME_SEGMENT_IN_SCORING\n"
    [again] = formats.read(StringIO(out.getvalue()), "stm")
    assert again.kind == "ignored"
    lost = ["words: 2 (ignored regions are written without their words)"] if words else []
    assert [str(loss) for loss in losses if loss.what == "words"] == lost


def test_a_segment_that_ends_where_it_begins_is_read_written_and_warned_of(
    read_text: ReadText,
) -> None:
    read = read_text("f 1 s 1 1.0 a b\nf 1 s 2 3\n", "stm")
    assert [(s.start, s.end, s.words) for s in read] == [(1.0, 1.0, ("a", "b")), (2.0, 3.0, ())]
    assert [str(d) for d in read.diagnostics] == [remark_line(STM_NO_TIME, 1, 9, begin="1")]
    output = StringIO()
    assert formats.write(read, output, "stm", precision=1) == ()
    assert output.getvalue() == "f 1 s 1.0 1.0 a b\nf 1 s 2.0 3.0\n"
    assert formats.detect(StringIO("f 1 s 0 0 a\n")) == "stm"


def test_a_segment_that_rounding_leaves_without_length_is_written_and_counted() -> None:
    output = StringIO()
    losses = formats.write(formats.Transcript([turn("a", end_ns=500_400_000)]), output, "stm")
    assert [str(loss) for loss in losses] == ["decimals of times: 1 (rounded to 3 decimals)"]
    assert output.getvalue().endswith(" 0.500 0.500 a\n")


TEDLIUM = (
    "t 1 t 16.08 28.40 <F0_M> last {NOISE} { um / uh } it 's a(2) <sil> {SMACK} (t-0001-F0_M-S1)\n"
    "t 1 inter_segment_gap 28.40 29 <o,f0,male> ignore_time_segment_in_scoring\n"
)


def test_habits_of_tedlium_are_read_when_asked_for(read_text: ReadText) -> None:
    said, noise, smack, gap = read_text(TEDLIUM, "stm", tedlium=True)
    assert (said.words, said.utterance) == (("last", "it", "'s", "a"), "t-0001-F0_M-S1")
    assert (said.labels, len(said.alternations), said.optional) == (("o", "f0", "male"), 1, None)
    assert [(s.kind, s.words, s.start) for s in (noise, smack)] == [
        ("event", ("NOISE",), 16.08), ("event", ("SMACK",), 16.08),
    ]  # fmt: skip
    assert (gap.kind, gap.labels) == ("ignored", ("o", "f0", "male"))


def test_without_that_one_word_in_braces_is_a_word_with_a_note(read_text: ReadText) -> None:
    transcript = read_text(TEDLIUM, "stm")
    assert [d.code for d in transcript.diagnostics] == ["STM-ONE-BRANCH"]
    assert transcript[0].label().value == "last NOISE um it 's a(2) <sil> SMACK t-0001-F0_M-S1"
    assert read_text("t 1 t 0 1 { um / UH } {uh}\n", "stm").diagnostics == ()
