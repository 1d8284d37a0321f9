"""Utterances of a trn, and words of a ctm, in the segments of a second file."""

from pathlib import Path

import pytest

import formats
from formats import FormatError
from formats.nist.messages import CTM_OUTSIDE
from tests.remarks import fields_of

TRN = "hello there (sw1_A-000000-000200)\ngood bye (sw1_B-000200-000400)\n"
STM = "sw1 A sw1_A 0.00 2.00 hello there\nsw1 B sw1_B 2.00 4.00 good bye\n"
CTM = "rec1 1 0.10 0.30 hello 0.9\nrec1 1 1.45 0.20 world\nrec1 1 3.00 0.40 again\nrec1 1 9.0 1.0 bye\n"


def files(folder: Path, **texts: str) -> list[Path]:
    paths = [folder / name.replace("_", ".", 1) for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text(text, "utf-8")
    return paths


@pytest.mark.parametrize(
    "beside",
    [
        {"seg_stm": STM},
        {"segments": "sw1_B-000200-000400 sw1 2 4\nsw1_A-000000-000200 sw1 0 2\n"},
        {"times_jsonl": '{"id": "sw1_A-000000-000200", "recording": "sw1", "start": 0, "end": 2, "text": "x"}\n'
                        '{"id": "sw1_B-000200-000400", "recording": "sw1", "start": 2, "end": 4, "text": "y"}\n'},
    ],
    ids=["stm", "Kaldi", "manifest"],
)  # fmt: skip
def test_utterances_get_the_times_of_segments(tmp_path: Path, beside: dict[str, str]) -> None:
    trn, other = files(tmp_path, seg_trn=TRN, **beside)
    first, second = formats.read(trn, segments=str(other))
    assert (first.recording, first.start, first.end) == ("sw1", 0.0, 2.0)
    assert (second.words, second.speaker, second.start) == (("good", "bye"), "sw1_B", 2.0)


@pytest.mark.parametrize(
    ("stm", "message"),
    [
        ("sw1 A sw1_A 0.00 2.00 hello\n", "expected as many utterances as .*, 1, or their ids, found 2"),
        (STM.replace("sw1", "xy"), 'expected an id that names "xy" or "xy_A", .* found "sw1_A-'),
    ],
)  # fmt: skip
def test_segments_of_something_else_are_an_error(tmp_path: Path, stm: str, message: str) -> None:
    trn, other = files(tmp_path, seg_trn=TRN, seg_stm=stm)
    with pytest.raises(FormatError, match=message):
        formats.read(trn, segments=str(other))


def test_an_utterance_without_a_segment_has_no_times(tmp_path: Path) -> None:
    trn, other = files(tmp_path, seg_trn=TRN, segments="sw1_A-000000-000200 sw1 0 2\n")
    transcript = formats.read(trn, segments=str(other))
    assert [segment.start for segment in transcript] == [0.0, None]
    assert [d.code for d in transcript.diagnostics] == ["TRN-NO-SEGMENT"]


def test_words_are_cut_by_the_segments_of_an_stm(tmp_path: Path) -> None:
    stm = "rec1 1 anne 0.0 4.0 x\nrec1 1 bob 1.0 2.0 y\nrec1 1 cora 5.0 6.0 z\n"
    ctm, other = files(tmp_path, a_ctm=CTM, c_stm=stm)
    transcript = formats.read(ctm, segments=str(other))
    assert [(s.speaker, s.words, s.start) for s in transcript] == [
        (None, ("bye",), None),
        ("anne", ("hello", "again"), 0.0),
        ("bob", ("world",), 1.0),
    ]
    assert fields_of(transcript.diagnostics, CTM_OUTSIDE) == [{"words": 1, "path": str(other)}]
    assert transcript[1].confidences == (0.9, None)


def test_the_only_channel_of_a_recording_needs_no_name(tmp_path: Path) -> None:
    ctm, other = files(tmp_path, a_ctm=CTM, c_stm="rec1 A anne 0.0 20.0 x\n")
    [segment] = formats.read(ctm, segments=str(other))
    assert (segment.speaker, segment.channel, len(segment.words)) == ("anne", "A", 4)
