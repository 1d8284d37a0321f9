"""The quick ways that readers and writers take agree with the careful ones, on anything."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats import Segment
from formats.clock import parse_clock
from formats.json.record import nanoseconds as json_time
from formats.source import open_source
from formats.subtitles.cues import Cue, Run
from formats.subtitles.reading import segments_of
from formats.subtitles.vtt_text import _Reader as VttReader
from formats.subtitles.vtt_text import cut_text
from formats.times import parse_time

DIGITS = st.text("0123456789", max_size=12)


def exact(text: str) -> int:
    return int((Decimal(text) * 10**9).to_integral_value(ROUND_HALF_EVEN))


@given(DIGITS.filter(bool), DIGITS)
def test_decimal_seconds(whole: str, fraction: str) -> None:
    text = f"{whole}.{fraction}"
    if Decimal(text) < 9 * 10**9:
        assert parse_time(text) == exact(text)
        assert json_time(text) == exact(text)


@pytest.mark.parametrize("text", ["٣.٣", "1.٣", "²", "1.²", "1_0", " 1", "+1", "1e3", ".", "", "-"])
def test_no_decimal_seconds(text: str) -> None:
    with pytest.raises(ValueError, match="a number"):
        json_time(text)
    with pytest.raises(ValueError, match="not a decimal number"):
        parse_time(text)


@given(
    st.integers(0, 99),
    st.integers(0, 99),
    st.integers(0, 99),
    st.sampled_from(["", ".5", ".25", ",250", ".1234"]),
)
def test_clock_times(hours: int, minutes: int, seconds: int, fraction: str) -> None:
    text = f"{hours:02d}:{minutes:02d}:{seconds:02d}{fraction}"
    if minutes > 59 or seconds > 59:
        with pytest.raises(ValueError, match="below 60"):
            parse_clock(text)
        return
    total = (hours * 60 + minutes) * 60 + seconds
    assert parse_clock(text) == total * 10**9 + exact("0" + fraction.replace(",", "."))
    with pytest.raises(ValueError, match="not a time"):
        parse_clock(text + "x")


def voiced(text: str) -> list[Segment]:
    """The segments of a text of WebVTT, its tags taken one by one."""
    reader = VttReader(0, 10**9)
    begin, _, rest = text.partition(">")
    reader.tag("", "v", "", begin[2:])
    said, closing, _ = rest.partition("</v>")
    if said:
        reader.text(said)
    if closing:
        reader.tag("/", "v", "", "")
    return cues_of(reader.finished())


def cues_of(runs: tuple[Run, ...]) -> list[Segment]:
    source = open_source(StringIO(""), recording="rec")
    return list(segments_of(source, iter([Cue(0, 10**9, runs, 1)])))


@given(st.text("ab .\n\t", max_size=6), st.text("ab\n \xa0\u3000", max_size=8), st.booleans())
def test_one_voice(name: str, said: str, closed: bool) -> None:
    text = f"<v {name}>{said}{'</v>' * closed}"
    assert cues_of(cut_text(text, 0, 10**9).runs) == voiced(text)


@given(st.integers(0, 2**49), st.sampled_from([1, 1000, 10_000_000]), st.integers(0, 9))
def test_doubles_are_times_to_the_nanosecond(whole: int, unit: int, decimals: int) -> None:
    text = f"{Decimal(whole) / 10**decimals:f}"
    if Decimal(text) * 10**9 / unit < 9 * 10**18:
        expected = (Decimal(text) * 10**9 / unit).to_integral_value(ROUND_HALF_EVEN)
        assert json_time(float(text), unit) == int(expected)
