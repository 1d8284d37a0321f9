"""Segments as columns, and transcripts."""

import copy
import pickle

import pytest

from formats import Alternation, Definition, Diagnostic, Segment, Token, Transcript
from formats.schema.messages import Entry, Message
from tests.each_case import each_case

CHOICE = Alternation([[Token("um")], []])


def timed() -> Segment:
    return Segment.of(
        "rec1",
        ["hello", "world"],
        channel="1",
        speaker="anne",
        start=0.5,
        end=2.25,
        labels=["F"],
        starts=[0.5, 1.0],
        ends=[0.9, 1.34],
        confidences=[0.5, None],
        kinds=[None, "frag"],
        optional=[False, True],
        alternations=[(1, CHOICE)],
        line=7,
    )


def test_times_are_nanoseconds_inside_and_doubles_outside() -> None:
    segment = Segment.of("r", ["a"], start=0.1, end=12.34, starts=[0.1], ends=[0.3])
    assert (segment.start_ns, segment.end_ns) == (100_000_000, 12_340_000_000)
    assert segment.end == 12.34
    assert f"{segment.end}" == "12.34"
    assert segment.starts == (0.1,)
    assert segment.duration == 12.24


def test_tokens_are_made_in_the_order_of_speech() -> None:
    assert timed().tokens == (
        Token("hello", 500_000_000, 900_000_000, 0.5),
        CHOICE,
        Token("world", 1_000_000_000, 1_340_000_000, None, "frag", True),
    )
    assert [t.text for t in timed().all_tokens()] == ["hello", "um", "world"]
    assert timed().word_count == 3


def test_from_items_is_the_inverse_of_items() -> None:
    assert timed().with_items(timed().items()) == timed()


def test_from_items_leaves_out_columns_that_say_nothing() -> None:
    segment = Segment.from_items("r", [Token("a"), CHOICE, Token("b")])
    assert segment.starts_ns is None
    assert segment.confidences is None
    assert segment.optional is None
    assert segment.alternations == ((1, CHOICE),)


def test_equality_is_by_full_value_except_the_line() -> None:
    assert timed() == timed().replace(line=8)
    assert hash(timed()) == hash(timed().replace(line=8))
    for name, value in {
        "recording": "x", "channel": "x", "speaker": None, "start_ns": 1, "labels": (),
        "words": ("hello", "word"), "confidences": None, "alternations": (), "kind": "gap",
    }.items():  # fmt: skip
        assert timed() != timed().replace(**{name: value}), name


def test_segments_pickle_and_copy() -> None:
    back = pickle.loads(pickle.dumps(timed()))
    assert back == timed()
    assert back.line == 7
    assert copy.deepcopy(timed()) == timed()


def test_segments_are_immutable() -> None:
    with pytest.raises(AttributeError, match="immutable type"):
        timed().speaker = "x"  # type: ignore[misc]


@each_case(
    ("changes", "message"),
    [
        ({"starts": [0.5]}, "2 words but 1 starts"),
        ({"confidences": [0.5] * 3}, "2 words but 3 confidences"),
        ({"alternations": [(3, CHOICE)]}, "alternation at position 3 of 2 words"),
        ({"alternations": [(-1, CHOICE)]}, "not in the order"),
        ({"alternations": [(2, CHOICE), (1, CHOICE)]}, "not in the order"),
        ({"kind": "noise"}, "kind of segment is one of"),
        ({"start": float("nan")}, "NaN"),
    ],
)
def test_columns_have_to_fit(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Segment.of("r", ["a", "b"], **changes)  # type: ignore[arg-type]


def test_a_recording_has_a_name() -> None:
    with pytest.raises(ValueError, match="its name cannot be empty"):
        Segment.of("", [])


def test_replace_refuses_unknown_names() -> None:
    with pytest.raises(TypeError, match="unexpected argument 'start'"):
        timed().replace(start=1.0)


def test_is_timed() -> None:
    words = Segment.of("r", ["a"], starts=[0.0], ends=[1.0])
    assert words.is_timed
    assert not words.replace(alternations=((0, CHOICE),)).is_timed
    assert not Segment.of("r", ["a"]).is_timed
    assert not Segment.of("r", ["a"], starts=[None], ends=[1.0]).is_timed
    assert Segment.of("r", []).is_timed


def test_reprs_help() -> None:
    assert repr(timed()) == (
        "<Segment rec1 channel=1 speaker=anne 0.5..2.25 <F>: 'hello' ('um' / @) 'world'>"
    )
    many = Segment.of("r", [str(n) for n in range(100)], kind="ignored")
    assert repr(many) == "<Segment r (ignored): '0' '1' '2' '3' '4' '5' '6' '7' … (100 words)>"
    assert repr(Transcript([timed()], source="a.stm", format="stm")) == (
        "<Transcript of a.stm (stm): 1 segments, 3 words>"
    )


def test_labels() -> None:
    label = timed().label()
    assert (label.value, label.start, label.end, label.kind) == (
        "hello um world", 0.5, 2.25, "segment",
    )  # fmt: skip
    words = list(timed().word_labels())
    assert [(w.value, w.start, w.confidence, w.type) for w in words] == [
        ("hello", 0.5, 0.5, None),
        ("um", None, None, None),
        ("world", 1.0, None, "frag"),
    ]
    assert {w.speaker for w in words} == {"anne"}
    noise = Segment.of("r", ["x"], kinds=["non-lex"])
    assert [w.kind for w in noise.word_labels()] == ["nonspeech"]


def test_transcript_is_a_sequence_with_full_equality() -> None:
    definition = Definition("LABEL", "F", "Female", "x")
    note = Diagnostic(Message(Entry("A", "note", "b")))
    transcript = Transcript([timed(), timed()], [definition], [note], "a", "stm")
    assert len(transcript) == 2
    assert transcript[0] == timed()
    assert transcript[0:1] == (timed(),)
    assert list(transcript) == [timed(), timed()]
    assert transcript.word_count == 6
    assert len(list(transcript.word_labels())) == 6
    assert pickle.loads(pickle.dumps(transcript)) == transcript
    assert transcript != Transcript([timed(), timed()], [], [note], "a", "stm")
