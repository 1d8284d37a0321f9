"""Taking parts of a transcript."""

import pytest

from formats import Alternation, OptionError, Segment, Token
from formats.schema.selection import Selection
from tests.each_case import each_case
from tests.tables import table_of

WORDS = Segment.of("r", ["a", "b", "c"], starts=[0, 1, 2], ends=[1, 2, 3], start=0, end=3)


@each_case(
    ("begin", "end", "words", "start", "stop"), table_of(__file__, "words_whose_middle_lies_inside")
)
def test_words_whose_middle_lies_inside(
    begin: float | None, end: float | None, words: tuple[str, ...], start: float, stop: float
) -> None:
    chosen = Selection(begin=begin, end=end)
    (taken,) = chosen.of([WORDS])
    assert (taken.words, taken.start, taken.end) == (words, start, stop)
    assert (chosen.segments_left, chosen.words_left) == (0, 3 - len(words))


def test_nothing_inside() -> None:
    chosen = Selection(begin=9)
    assert list(chosen.of([WORDS, Segment.of("r", ["x"]), Segment.of("r", ["y"], start=8)])) == []
    assert (chosen.segments_left, chosen.words_left) == (3, 5)


def test_segments_without_word_times_are_taken_whole() -> None:
    segment = Segment.of("r", ["x", "y"], start=8, end=10)
    assert list(Selection(begin=9, end=10).of([segment])) == [segment]
    assert list(Selection(end=9).of([segment])) == []
    assert list(Selection(begin=9).of([segment.replace(end_ns=None)])) == []


def test_alternations_are_taken_by_their_middle() -> None:
    choice = Alternation([[Token("x", 10**9, 2 * 10**9)], []])
    segment = Segment.from_items("r", [Token("a", 0, 10**9), choice])
    (taken,) = Selection(begin=1).of([segment])
    assert (taken.words, taken.alternations) == ((), ((0, choice),))


@pytest.mark.parametrize("name", ["recording", "channel", "speaker", "tier"])
def test_names(name: str) -> None:
    wanted = Segment.of("r", ["a"]).replace(**{name: "x"})
    other = Segment.of("r", ["b"]).replace(**{name: "y"})
    chosen = Selection(**{f"{name}s": ["x", "z"]})  # type: ignore[arg-type]
    assert list(chosen.of([wanted, other, Segment.of("r")])) == [wanted]
    assert chosen.segments_left == 2


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 1e30])
def test_what_is_no_time_is_refused(value: float) -> None:
    for name in ("begin", "end"):
        with pytest.raises(OptionError) as caught:
            Selection(**{name: value})  # type: ignore[arg-type]
        assert str(caught.value) == f"expected {name} in seconds, found {value}"


def test_an_empty_stretch_is_refused() -> None:
    with pytest.raises(
        OptionError, match=r"expected an end after the begin of 2 s, found an end of 1 s"
    ):
        Selection(begin=2, end=1)
