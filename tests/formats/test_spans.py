"""The rule for times: every reader is given an end before its begin, and what is no time at all."""

import re
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

import formats
from formats import FormatError, LossError, Segment, Transcript
from formats.schema.model import are_times_in_order, fault_of_span, fault_of_times
from formats.subtitles.messages import CUE_TIMES
from tests.each_case import each_case
from tests.formats.case import Case
from tests.formats.checks import message_of, remarks
from tests.formats.conftest import ReadText
from tests.formats.test_contract import TEXTS, read

PLACES = 8
"""Times of a sample that are replaced, each by all bad texts."""
BEFORE, BEHIND = re.compile(r"[\w.:,-]"), re.compile(r"\w|[.:]\d")
CLOCKS = ("{0:02d}:{1:02d}:", "{0:d}:{1:02d}:", "{2:02d}:", "{2:d}:")


def spellings(time: int) -> Iterator[str]:
    """How formats may write a time in nanoseconds."""
    for decimals in range(8):
        text = f"{time / 1e9:.{decimals}f}"
        if round(float(text) * 10**9) == time:
            yield text
    for unit in (10**6, 10**3, 100):
        if time % unit == 0:
            yield str(time // unit)
    minutes, rest = divmod(time, 60 * 10**9)
    for clock in CLOCKS:
        for decimals in (0, 1, 2, 3):
            seconds = f"{rest / 1e9:0{decimals + 3 if decimals else 2}.{decimals}f}"
            if round(float(seconds) * 10**9) == rest:
                text = clock.format(minutes // 60, minutes % 60, minutes) + seconds
                yield from (text, text.replace(".", ","))


def times_of(segment: Segment) -> Iterator[int | None]:
    """The times of a segment and of its words."""
    yield from (segment.start_ns, segment.end_ns)
    for token in segment.all_tokens():
        yield from (token.start_ns, token.end_ns)


def places_of(text: str, sample: str) -> Iterator[tuple[int, int]]:
    """Find the places of a text in a sample where it is no part of a longer number or word."""
    begin = sample.find(text)
    while begin >= 0:
        end = begin + len(text)
        if not BEFORE.match(sample[max(0, begin - 1) : begin]) and not BEHIND.match(sample, end):
            yield begin, end
        begin = sample.find(text, begin + 1)


def bad_copies(case: Case, transcript: Transcript) -> Iterator[str]:
    """The sample with a time that is below zero, no number, or in another order."""
    times = {time for segment in transcript for time in times_of(segment) if time}
    places = sorted(
        {
            place
            for text in {text for time in times for text in spellings(time)} - {"0"}
            for place in places_of(text, case.sample)
        }
    )
    for begin, end in places[:: len(places) // PLACES + 1]:
        text = case.sample[begin:end]
        early, late = re.sub(r"\d", "0", text), re.sub(r"[1-9]", "9", text).replace(":9", ":5")
        for bad in (early, late, f"-{text}", "NaN", "Infinity", "x"):
            yield case.sample[:begin] + bad + case.sample[end:]


@pytest.mark.share(3)
@pytest.mark.parametrize("part", range(3))
@each_case("case", TEXTS, ids=lambda case: case.name)
def test_no_reader_gives_times_that_are_none(case: Case, part: int) -> None:
    good = read(case.sample.encode(), case)
    usual = Counter(remarks(good))
    for text in islice(bad_copies(case, good), part, None, 3):
        try:
            transcript = read(text.encode(), case, "lenient")
        except FormatError:
            continue
        assert not [fault for fault in map(fault_of_times, transcript) if fault], text
        if sum(s.word_count for s in transcript) < sum(s.word_count for s in good):
            assert Counter(remarks(transcript)) - usual, text


BAD_TIMES = [(2, 1), ("NaN", 3), (1, "Infinity"), (-1, 2), ('"x"', 1)]
ROWS = {
    "csv": ("start,end,text\n", "{0},{1},b\n"),
    "tsv": ("start\tend\ttext\n", "{0}\t{1}\tb\n"),
    "jsonl": ("", '{{"recording": "r", "start": {0}, "end": {1}, "text": "b"}}\n'),
    "nemo": ("", '{{"audio_filepath": "r", "offset": {0}, "duration": {1}, "text": "b"}}\n'),
    "seglst": ("[", '{{"session_id": "r", "words": "b", "start_time": {0}, "end_time": {1}}},\n'),
    "ctm": ("", "r 1 {0} {1} b\n"),
    "stm": ("", "r 1 s {0} {1} b\n"),
    "rttm": ("", "SPEAKER r 1 {0} {1} <NA> <NA> s <NA> <NA>\n"),
    "audacity": ("", "{0}\t{1}\tb\n"),
    "whisper": ('{{"segments": [', '{{"start": {0}, "end": {1}, "text": "b"}},\n'),
}
LENGTHS = ("ctm", "nemo", "rttm")
"""Formats that write a length instead of an end, which is bad below zero."""
LAYOUTS = ("csv", "tsv", "jsonl")
"""Formats of layouts of people's own, in which an end before its start alone is dropped."""


@each_case("name", ROWS)
@each_case("times", BAD_TIMES)
def test_a_bad_time_costs_its_record_and_names_the_line(
    name: str, times: tuple[object, object], read_text: ReadText
) -> None:
    head, row = ROWS[name]
    if name in (*LENGTHS, *LAYOUTS) and times == (2, 1):
        times = (2, -2)
    rows = [row.format(0, 1), row.format(*times), row.format(4, 4)]
    text = head.replace("{{", "{") + "".join(rows)
    text = text.rstrip(",\n") + {"seglst": "]", "whisper": "]}"}.get(name, "") + "\n"
    line = rows[0].count("\n") + head.count("\n") + 1
    with pytest.raises(FormatError):
        read_text(text, name)
    transcript = read_text(text, name, tolerance="lenient")
    words = [word for segment in transcript for word in segment.words]
    assert words == (["b", "b"] if name != "rttm" else [])
    errors = [d for d in transcript.diagnostics if d.severity == "error"]
    assert [error.line for error in errors] == [line]


def test_a_word_that_ends_before_it_begins_costs_its_segment(read_text: ReadText) -> None:
    row = '{"recording": "r", "words": [{"word": "a", "start": %d, "end": %d}]}\n'
    text = row % (0, 1) + row % (2, 1)
    assert message_of(formats.SyntaxFormatError, lambda: read_text(text, "jsonl")).startswith(
        "<stream>:2"
    )
    assert len(read_text(text, "jsonl", tolerance="lenient")) == 1


def test_captions_in_frames_that_go_back_keep_their_text(read_text: ReadText) -> None:
    load, show = "9420 9420 c8e9", "942f 942f"
    text = f"Scenarist_SCC V1.0\n\n00:00:05:00\t{load} {show}\n\n00:00:01:00\t942c 942c\n"
    transcript = read_text(text, "scc")
    assert [(s.words, s.start, s.end) for s in transcript] == [(("Hi",), None, None)]
    assert transcript[0].get("times") is not None
    assert CUE_TIMES in [remark.value.entry for remark in transcript.diagnostics]


@pytest.mark.parametrize("name", ["csv", "jsonl", "seglst"])
def test_a_segment_that_ends_before_it_begins_is_not_written(name: str) -> None:
    segment = Segment.of("r", ["a"], start=2, end=1, speaker="s")
    with pytest.raises(LossError, match="expected times in order"):
        formats.write(Transcript([segment]), BytesIO(), name)


COLUMN = st.lists(st.none() | st.integers(-2, 2**63 - 1), min_size=3, max_size=3).map(tuple)


@given(st.none() | COLUMN, st.none() | COLUMN)
def test_columns_are_checked_as_single_times_are(
    starts: tuple[int | None, ...] | None, ends: tuple[int | None, ...] | None
) -> None:
    nothing = (None, None, None)
    expected = not any(map(fault_of_span, starts or nothing, ends or nothing))
    assert are_times_in_order(starts, ends) == expected
    with patch("formats.schema.model._compiled_check", None):
        assert are_times_in_order(starts, ends) == expected
