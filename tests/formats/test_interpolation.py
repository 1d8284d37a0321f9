"""Inventing word times."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats import NULL, Alternation, ConversionError, Segment, Token
from formats.schema.interpolation import interpolate_times


def test_words_share_the_segment() -> None:
    segment = Segment.of("f", ["a", "bbb"], start=1.0, end=2.0)
    assert interpolate_times(segment)[0].starts == (1.0, 1.5)
    timed, count = interpolate_times(segment, by_characters=True)
    assert (timed.starts, timed.ends, count) == ((1.0, 1.25), (1.25, 2.0), 2)


def test_given_times_are_kept() -> None:
    segment = Segment.of(
        "f", ["a", "b", "c", "d"], start=0.0, end=10.0,
        starts=[None, 2.0, None, None], ends=[None, 4.0, None, None],
    )  # fmt: skip
    timed, count = interpolate_times(segment)
    assert timed.starts == (0.0, 2.0, 4.0, 7.0)
    assert timed.ends == (2.0, 4.0, 7.0, 10.0)
    assert count == 3


def test_an_alternation_takes_as_much_as_its_longest_branch() -> None:
    choice = Alternation([[Token("b"), Token("c")], [Token("d")], []])
    segment = Segment.from_items("f", [Token("a"), choice, NULL], start_ns=0, end_ns=3 * 10**9)
    timed, count = interpolate_times(segment)
    (_, alternation), _ = timed.alternations
    assert [(t.text, t.start, t.end) for t in alternation.tokens()] == [
        ("b", 1.0, 2.0), ("c", 2.0, 3.0), ("d", 1.0, 3.0),
    ]  # fmt: skip
    assert count == 4


@pytest.mark.parametrize(
    "segment",
    [
        Segment.of("f", ["a"], line=3),
        Segment.of("f", ["a"], start=1.0, line=3),
        Segment.of(
            "f", ["a", "b"], start=3.0, end=4.0, starts=[None, 1.0], ends=[None, 2.0], line=3
        ),
    ],
)
def test_no_stretch_of_time(segment: Segment) -> None:
    with pytest.raises(ConversionError, match=r"^x\.stm:3: word times cannot be invented"):
        interpolate_times(segment, path="x.stm")


@given(st.lists(st.text(min_size=1, max_size=9), min_size=1), st.integers(0, 10**12), st.booleans())
def test_invented_words_fill_the_segment_without_gaps(
    words: list[str], length: int, by_characters: bool
) -> None:
    segment = Segment.of("f", words, start=1.0, end=1.0).replace(end_ns=10**9 + length)
    timed, count = interpolate_times(segment, by_characters=by_characters)
    assert timed.starts_ns is not None
    assert timed.ends_ns is not None
    assert timed.starts_ns == (10**9, *timed.ends_ns[:-1])
    assert timed.ends_ns[-1] == 10**9 + length
    assert list(timed.ends_ns) == sorted(t for t in timed.ends_ns if t is not None)
    assert count == len(words)
