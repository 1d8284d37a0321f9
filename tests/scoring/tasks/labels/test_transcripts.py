"""Labels out of files."""

import io
from pathlib import Path

import pytest

import formats
from formats import FormatError, Segment, Transcript
from scoring.tasks.labels.transcripts import TranscriptError, outcome_of_transcript, read_durations
from scoring.tasks.messages import SEVERAL_TIERS
from tests.each_case import each_case
from tests.remarks import pattern_of, said
from tests.tables import table_of


def read(text: str, name: str) -> Transcript:
    return formats.read(io.StringIO(text), name)


def test_words_with_times_are_labels() -> None:
    outcome = outcome_of_transcript(read("rec 1 0.5 0.25 bell\nrec 2 3 1 bark\n", "ctm"))
    assert {
        name: [(label.value, label.start, label.end) for label in labels]
        for name, labels in outcome.label_lists.items()
    } == {"rec/1": [("bell", 0.5, 0.75)], "rec/2": [("bark", 3.0, 4.0)]}


def test_segments_with_times_are_labels() -> None:
    transcript = read("rec 1 anne 0 1.5 good day\nrec 1 bob 1.5 2\nrec 1 bob 2 3 hello\n", "stm")
    outcome = outcome_of_transcript(transcript)
    assert [label.value for label in outcome.label_lists["rec/1"]] == ["good day", "hello"]
    assert said(outcome.remarks) == [("WITHOUT-TEXT", {"path": "<stream>", "segments": 1})]
    speakers = outcome_of_transcript(transcript, unit="speakers")
    assert [label.value for label in speakers.label_lists["rec/1"]] == ["anne", "bob", "bob"]


def test_ignored_stretches_are_known() -> None:
    text = "rec 1 anne 0 1 a\nrec 1 bob 1 2 IGNORE_TIME_SEGMENT_IN_SCORING\n"
    outcome = outcome_of_transcript(read(text, "stm"))
    assert outcome.ignored == {"rec/1": ((1.0, 2.0),)}
    assert [label.value for label in outcome.label_lists["rec/1"]] == ["a"]


def test_tiers() -> None:
    segments = [
        Segment.of("rec", ["a"], start=0, end=1, tier="words"),
        Segment.of("rec", ["x"], start=0, end=1, tier="phones"),
    ]
    assert outcome_of_transcript(Transcript(segments), tier="phones").all_values == {"x"}
    with pytest.raises(
        TranscriptError,
        match=pattern_of(SEVERAL_TIERS, names=["words", "phones"]),
    ):
        outcome_of_transcript(Transcript(segments, source="talk.TextGrid"))
    with pytest.raises(
        TranscriptError, match=r"talk\.TextGrid: expected a tier 'tones', found 'wor"
    ):
        outcome_of_transcript(Transcript(segments, source="talk.TextGrid"), tier="tones")


def test_regions_and_queries_are_no_labels() -> None:
    segments = [
        Segment.of("rec", start=0, end=9, kind="scored"),
        Segment.of("rec", ["bell"], start=1, end=2, kind="event"),
        Segment.of("rec", ["bell"], kind="query"),
    ]
    assert len(outcome_of_transcript(Transcript(segments)).label_lists["rec"]) == 1


def test_durations_of_the_transcript_count() -> None:
    segments = Transcript(
        [Segment.of("rec", ["a"], start=0, end=1)], properties={"duration": "7.5"}
    )
    assert outcome_of_transcript(segments).utterance_durations == {"rec": 7.5}


@pytest.mark.parametrize(
    ("segments", "unit", "message"),
    [
        ([Segment.of("rec", ["a"], line=3)], "auto", "talk.x:3: every label needs its start and end, and 'a' has none"),
        (
            [Segment.of("rec", ["a"], starts=[1], ends=[2]), Segment.of("rec", ["b"], line=4)],
            "auto",
            "talk.x:4: some words have times, but the words of",
        ),
        (
            [Segment.of("rec", ["a"], starts=[2], ends=[1], line=5)],
            "words",
            "talk.x:5: expected an end not before the start, found 2 to 1 s of 'a'",
        ),
        ([Segment.of("rec", ["a"], start=1, end=2, line=6)], "speakers", "talk.x:6: expected a speaker of every segment, found none"),
    ],
)  # fmt: skip
def test_refusals_say_where(segments: list[Segment], unit: str, message: str) -> None:
    with pytest.raises(TranscriptError, match=message):
        outcome_of_transcript(Transcript(segments, source="talk.x"), unit=unit)


def test_no_such_unit() -> None:
    with pytest.raises(ValueError, match="unit: expected one of auto, words, segments, speakers"):
        outcome_of_transcript(Transcript(), unit="turns")


def test_durations_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "utt2dur"
    path.write_text("u1 2.5\n\nu2\t4\n")
    assert read_durations(path) == {"u1": 2.5, "u2": 4}


@each_case(("text", "message"), table_of(__file__, "bad_durations_say_where"))
def test_bad_durations_say_where(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "utt2dur"
    path.write_text(text)
    with pytest.raises(FormatError, match=message):
        read_durations(path)
