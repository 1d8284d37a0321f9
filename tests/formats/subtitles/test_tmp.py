"""TMP: lines with a begin in seconds."""

from io import StringIO

import pytest

import formats
from formats import Segment
from tests.formats import checks
from tests.formats.conftest import ReadText


def written(name: str, *segments: Segment, **options: object) -> str:
    return checks.written(name, *segments, **options)[0]


def test_cues_last_to_the_next_line(read_text: ReadText) -> None:
    read = read_text("0:00:01:hello|<i>big</i> world\n00:00:03:\n00:00:05:c:\\new {x}\n", "tmp")
    first, second = read
    assert (first.words, first.start, first.end) == (("hello", "big", "world"), 1.0, 3.0)
    assert first.get("lines") == "hello\nbig world"
    assert first.get("raw") == "hello|<i>big</i> world"
    assert (second.words, second.start, second.end) == (("c:\\new", "{x}"), 5.0, None)
    assert [d.code for d in read.diagnostics] == ["CUE-OPEN"]


@pytest.mark.parametrize("line", ["hello", "00:61:00:a", "00:00:01,5:a", "[1][2]a"])
def test_other_lines_are_refused_or_skipped(line: str, read_text: ReadText) -> None:
    with pytest.raises(formats.SyntaxFormatError) as caught:
        read_text(f"00:00:01:a\n{line}\n00:00:02:b\n", "tmp")
    assert str(caught.value).startswith("<stream>:2:1: expected hours:minutes:seconds:text")
    lenient = read_text(f"00:00:01:a\n{line}\n00:00:02:b\n", "tmp", tolerance="lenient")
    assert [s.words for s in lenient] == [("a",), ("b",)]


def test_times_are_rounded_to_seconds_and_counted() -> None:
    first = Segment.of("rec", ["a"], start=1.5, end=3)
    second = Segment.of("rec", ["b"], start=3, end=4)
    assert written("tmp", first, second) == "00:00:02:a\n00:00:03:b\n00:00:04:\n"


def test_what_tmp_cannot_hold_is_refused() -> None:
    with pytest.raises(formats.LossError, match="times below 100 hours, found 360000 s"):
        written("tmp", Segment.of("rec", ["a"], start=0, end=360_000))
    marked = Segment.of("rec", ["<b>|"], start=0, end=1)
    with pytest.raises(formats.LossError, match="words without"):
        written("tmp", marked)
    assert written("tmp", marked, escape_markup=True) == "00:00:00:＜b>｜\n00:00:01:\n"


def test_it_is_detected() -> None:
    text = "00:00:01:hello\n00:00:03:\n00:00:05:you\n"
    assert formats.detect(StringIO(text)) == "tmp"
