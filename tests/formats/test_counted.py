"""What a writer moves, runs together or cannot name is counted, and nothing else is."""

from io import BytesIO
from typing import Any

import pytest

import formats
from formats import FormatError, Segment, Transcript
from tests.each_case import each_case
from tests.tables import table_of

ANNE = Segment.of("rec", ["a", "b"], speaker="anne", start=0, end=1)
BOB = Segment.of("rec", ["c"], speaker="bob", start=1, end=2)
LATER = Segment.of("rec", ["d"], speaker="anne", start=2, end=3)
TURN = Segment.of("rec", ["a"], channel="1", speaker="anne", start=0, end=2, starts=[0], ends=[1])
INNER = TURN.replace(words=("b",), start_ns=10**9, starts_ns=(10**9,), ends_ns=(2 * 10**9,))
LOOSE = TURN.replace(start_ns=None, end_ns=None, starts_ns=(5 * 10**9,), ends_ns=(6 * 10**9,))
EVENT = Segment.of("rec", ["x", "y"], start=0, end=2, starts=[0, 1], ends=[1, 2], kind="event")
KEYWORD = Segment.of("rec", ["k"], channel="1", start=0, end=3, starts=[1], ends=[2], confidences=[0.5])  # fmt: skip
QUERY = Segment.of("rec", ["q"], channel="A", start=0, end=1, kind="query")

CASES: dict[str, tuple[str, tuple[Segment, ...], list[str]]] = {
    "speakers who take turns stand tier by tier in textgrid": (
        "textgrid", (ANNE, BOB, LATER), ["order of segments: 2 (sorted by tier and start)"],
    ),
    "and in eaf": ("eaf", (ANNE, BOB, LATER), ["order of segments: 2 (sorted by tier and start)"]),
    "tier by tier nothing moves": ("textgrid", (ANNE, LATER, BOB), []),
    "nor in eaf": ("eaf", (ANNE, LATER, BOB), []),
    "words of an event would be others than its name": (
        "eaf", (EVENT,), ["word times: 2 (the format does not store them for events)"],
    ),
    "a speaker without a name is none": (
        "eaf", (ANNE.replace(speaker=""),), ["speakers: 1 (an empty name counts as no name)"],
    ),
    "words without a turn run together in rttm": (
        "rttm", (LOOSE, LOOSE.replace(words=("b",))),
        [
            "segments made from words: 2 (cut at pauses over 0.5 s)",
            "segment boundaries: 2 (each word is read back in the turn at its time)",
        ],
    ),
    "words of overlapping turns are dealt by their time": (
        "rttm", (TURN, INNER.replace(starts_ns=(0,), ends_ns=(10**9,))),
        ["segment boundaries: 2 (each word is read back in the turn at its time)"],
    ),
    "turns that hold their words stay": ("rttm", (TURN, INNER), []),
    "words out of time are sorted": (
        "rttm", (TURN.replace(words=("b", "a"), starts_ns=(10**9, 0), ends_ns=(2 * 10**9, 10**9)),),
        ["order of words: 2 (sorted by start)"],
    ),
    "a keyword of two words is two detections": (
        "kwslist",
        (KEYWORD.replace(words=("k", "l"), start_ns=None, end_ns=None, starts_ns=(0, 1), ends_ns=(10**9, 10**9 + 1), confidences=(0.5, 0.5)),),
        ["segment boundaries: 1 (each word is written as a detection)", "decimals of times: 2 (rounded to 3 decimals)"],
    ),
    "a detection has the times of its word": (
        "kwslist", (KEYWORD,), ["segment times: 1 (the word times are written)"],
    ),
    "a search that found nothing has no place": (
        "kwslist", (QUERY,), ["channels: 1 (the format does not store them for queries)", "segment times: 1 (the format does not store them for queries)"],
    ),
    "an utterance in two places is put together": (
        "mlf",
        tuple(Segment.of(name, ["w"], utterance=name) for name in ("u1", "u2", "u1")),
        ["segment boundaries: 1", "order of segments: 2 (sorted by utterance)"],
    ),
    "names that are empty are none in a table": (
        "csv", (ANNE.replace(channel="", speaker="", utterance=""),),
        [f"{what}: 1 (an empty name counts as no name)" for what in ("utterance ids", "channels", "speakers")],
    ),
    "a full table is silent": (
        "tsv", (ANNE.replace(channel="1", utterance="u"),), [],
    ),
    "a mark among words makes a region of a segment": (
        "stm", (BOB.replace(channel="1", words=("ignore_time_segment_in_scoring",)),),
        ["ignored regions: 1 (read back as ignored regions because of a word)"],
    ),
    "segments without times run together in ctm": (
        "ctm", (LOOSE.replace(speaker=None), LOOSE.replace(speaker=None, words=("b",))),
        ["segment boundaries: 1 (words without times are read back as one text for each channel)"],
    ),
    "an end without a begin has no member in nemo": (
        "nemo", (LATER.replace(start_ns=None),),
        ["segment times: 1 (an end without a begin)"],
    ),
    "a stretch without words that rounding makes a point": (
        "audacity", (BOB.replace(words=(), speaker=None, end_ns=10**9 + 1),),
        ["empty segments: 1 (read back as points)", "decimals of times: 1 (rounded to 6 decimals)"],
    ),
    "a name of blanks alone is none": (
        "vtt", (ANNE.replace(speaker="\r"),),
        ["blanks of speakers' names: 1 (several blanks are written as one)", "speakers: 1 (an empty name counts as no name)"],
    ),
    "a name that ends in hyphens makes no arrow": ("vtt", (ANNE.replace(speaker="--"),), []),
}  # fmt: skip


@each_case("name", CASES)
def test_what_comes_back_otherwise_is_counted(name: str) -> None:
    target, segments, expected = CASES[name]
    output = BytesIO()
    options: dict[str, Any] = {"rttm_words": True} if target == "rttm" else {}
    losses = formats.write(Transcript(segments, source="rec"), output, target, **options)
    assert [str(loss) for loss in losses] == expected
    found = formats.read(BytesIO(output.getvalue()), target, recording="rec")
    if not expected:
        assert [(s.speaker, s.words) for s in found] == [(s.speaker, s.words) for s in segments]


@pytest.mark.parametrize(
    ("target", "segment", "options", "expected"),
    [
        ("ctm", TURN.replace(kinds=("two words",)), {"all_columns": True}, "a word type without"),
        ("commonvoice", BOB.replace(utterance="\u2028"), {}, "a unique utterance id"),
        ("whisper", KEYWORD.replace(words=("",)), {}, "an empty word"),
        ("mlf", Segment.of("rec", ["\ud800"]), {"htk_octal": True}, "half a character"),
    ],
)
def test_what_would_be_refused_when_read_is_refused_when_written(
    target: str, segment: Segment, options: dict[str, Any], expected: str
) -> None:
    with pytest.raises(FormatError, match=expected):
        formats.write(Transcript([segment], source="rec"), BytesIO(), target, **options)


def test_the_order_of_rttm_is_that_of_its_records_not_of_its_speakers() -> None:
    nobody = TURN.replace(channel="0", speaker=None)
    output = BytesIO()
    transcript = Transcript([nobody, TURN], source="rec")
    assert not formats.write(transcript, output, "rttm", rttm_words=True, speaker_info=True)
    assert output.getvalue().startswith(b"SPKR-INFO rec 1 ")
    found = formats.read(BytesIO(output.getvalue()), "rttm")
    assert [segment.channel for segment in found] == ["0", "1"]


def test_words_and_events_of_audacity_by_words_are_one_run_of_words() -> None:
    segments = (ANNE.replace(speaker=None, starts_ns=(0, 1), ends_ns=(1, 2)), EVENT)
    output = BytesIO()
    losses = formats.write(Transcript(segments, source="rec"), output, "audacity", level="word")
    counted = {loss.what: loss.count for loss in losses if loss.what != "decimals of times"}
    assert counted == {"segment times": 2, "segment boundaries": 1, "events": 1}
    [found] = formats.read(BytesIO(output.getvalue()), "audacity", level="word")
    assert found.words == ("a", "b", "x", "y")


@pytest.mark.parametrize(
    ("name", "text"), table_of(__file__, "a_sum_of_times_beyond_64_bits_is_an_error")
)
def test_a_sum_of_times_beyond_64_bits_is_an_error(name: str, text: str) -> None:
    with pytest.raises(FormatError, match="an end of at most 292 years"):
        formats.read(BytesIO(text.encode()), name)
