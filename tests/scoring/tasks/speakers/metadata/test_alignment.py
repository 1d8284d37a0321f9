"""The alignment of words by type, and what follows from it for times and metadata."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.tasks.speakers.md_eval_records import TimedRecord
from scoring.tasks.speakers.metadata.alignment import (
    EndlessAlignmentError,
    Neighbours,
    PathSearch,
)
from scoring.tasks.speakers.metadata.details import aligned_pairs
from scoring.tasks.speakers.metadata.events import Zones, words_between
from scoring.tasks.speakers.metadata.words import (
    TimeMap,
    WordPlaces,
    align_words,
    is_error,
    lone_score,
    mark_words,
    pair_score,
)
from tests.each_case import each_case

SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20)), min_size=1, max_size=12)


def record(
    kind: str,
    begin: float,
    end: float,
    text: str = "<na>",
    subtype: str = "lex",
    speaker: str = "a",
) -> TimedRecord:
    middle = (begin + end) / 2
    return TimedRecord(kind, begin, end, middle, text, end - begin, subtype, speaker, f"{begin}")


def word_of(text: str) -> TimedRecord:
    spelling, subtype = text.split()
    return word(spelling, subtype)


def word(text: str, subtype: str, begin: float = 0, speaker: str = "a") -> TimedRecord:
    return record("LEXEME", begin, begin + 0.5, text, subtype, speaker)


@each_case(
    ("spoken", "heard", "score"),
    [
        ("you lex", "you lex", 0),
        ("you propernoun", "you lex", 0),  # all of these are lexical
        ("you lex", "me lex", -1),
        ("um fp", "uh fp", 0),  # filled pauses are alike
        ("um fp", "um lex", -1),
        ("beca- frag", "be- frag", 0),
        ("beca- frag", "because lex", 0),
        ("because lex", "-cause frag", 0),
        ("because lex", "- frag", -2),
        ("because lex", "0- frag", -1),
        ("because lex", "b.c- frag", 0),  # a fragment is a pattern
        ("because lex", "b(- frag", -1),
        ("x un-lex", "y un-lex", -0.1),
        ("a-b un-lex", "y un-lex", -0.2),
        ("x un-lex", "x un-lex", 0),
        ("oui for-lex", "oui un-lex", -1),
        ("a-b lex", "c lex", -2),
        ("mm-hmm lex", "c lex", -1),
    ],
)
def test_a_pair_has_a_score_by_type_and_spelling(spoken: str, heard: str, score: float) -> None:
    left, right = word_of(spoken), word_of(heard)
    assert pair_score(left, right, 1.0) == pytest.approx(score)
    assert is_error(left, right, 1.0) == (score < -0.5)


def test_common_metadata_prefer_a_pair() -> None:
    left, right = word("you", "lex"), word("you", "lex")
    for kind, subtypes in (("SU", ("question", "question")), ("EDIT", ("restart", "other"))):
        for one, subtype in zip((left, right), subtypes, strict=True):
            mark_words([record(kind, 0, 0.5, subtype=subtype)], [one])
    assert pair_score(left, right, 1.0) == pytest.approx(0.03)


def test_words_farther_than_the_gap_are_no_pair() -> None:
    left, right = word("you", "lex"), word("you", "lex", 1.5)
    assert pair_score(left, right, 1.0) is None
    assert pair_score(left, right, 1.25) == 0
    assert is_error(left, right, 1.0)


def test_a_word_alone_costs_less_if_it_is_not_lexical() -> None:
    scores = [lone_score(word_of(text)) for text in ("you lex", "a-b lex", "um fp", "a-b fp")]
    assert scores == pytest.approx([-1, -2, -0.2, -0.4])
    assert is_error(word("you", "lex"), None, 1.0)
    assert not is_error(None, word("um", "fp"), 1.0)


def test_the_alignment_decides_by_type() -> None:
    """A filled pause goes to the filled pause, not to the equal spelling next to it."""
    spoken = [word("so", "fp", 0.0), word("so", "lex", 0.6)]
    heard = [word("so", "lex", 0.1), word("um", "fp", 0.2), word("so", "lex", 0.8)]
    align_words(spoken, heard, 1.0, 10.0, per_speaker=False)
    assert [one.partner for one in spoken] == [heard[1], heard[2]]
    assert heard[0].partner is None


def test_with_each_speaker_the_last_one_keeps_a_word() -> None:
    spoken = [word("so", "lex", 0.0, "a"), word("so", "lex", 0.1, "b")]
    heard = [word("so", "lex", 0.0, "x"), word("no", "lex", 0.1, "x")]
    align_words(spoken, heard, 1.0, 10.0, per_speaker=True)
    assert [one.partner for one in spoken] == [heard[0], heard[0]]
    assert heard[0].partner is spoken[1]
    pairs = [tuple(pair) for pair in aligned_pairs(spoken, heard)]
    # the second word comes too late for its partner
    assert pairs == [
        (spoken[0], heard[0], False, False),
        (None, heard[1], False, False),
        (spoken[1], None, True, False),
    ]


def test_times_follow_the_aligned_words() -> None:
    spoken = [word("so", "lex", 10.0), word("no", "lex", 12.0)]
    heard = [word("so", "lex", 0.0), word("x", "lex", 0.7), word("no", "lex", 1.0)]
    assert TimeMap(heard).moved(7.0) == 7.0  # no word is aligned
    for left, right in ((spoken[0], heard[0]), (spoken[1], heard[2])):
        left.partner, right.partner = right, left
    times = TimeMap(heard)
    assert [times.moved(time) for time in (-1.0, 0.0, 0.25, 0.5)] == [9.0, 10.0, 10.25, 10.5]
    # half of the way between two words is half of the way between their partners
    assert times.moved(0.75) == 11.25
    assert [times.moved(time) for time in (1.0, 1.25, 1.5, 4.0)] == [12.0, 12.25, 12.5, 15.0]
    # the begin of a word of the reference is printed as it is written
    assert times.anchored(1.0) == (12.0, "12.0")
    assert times.anchored(0.5) == (10.5, None)


@pytest.mark.parametrize("margin", [0.0, -1.0])
def test_a_margin_that_no_path_is_within_is_an_error(margin: float) -> None:
    spoken, heard = [word("a", "lex"), word("b", "lex", 9)], [word("a", "lex")]
    with pytest.raises(EndlessAlignmentError, match="expected a margin"):
        align_words(spoken, heard, 1.0, margin, per_speaker=False)


def test_a_path_worse_than_the_margin_is_pruned() -> None:
    """The good pair at the end needs a path that is the worst for a while."""

    def matches(place: int) -> Iterator[tuple[int, float]]:
        yield from {0: [(1, 4.0)], 1: [(1, 1.0)], 2: [(1, 9.0)]}[place]

    pairs = []
    for margin in (1.0, 20.0):
        alignment = PathSearch(3, [0.0, 0.0], lambda place: 0.0, matches, margin)
        alignment.extend(range(3))
        pairs.append(alignment.pairs(2))
    # without the path that aligned nothing, the last place has nothing to begin with
    assert pairs == [[(0, 1)], [(2, 1)]]


@given(SPANS, st.integers(0, 60), st.integers(0, 20), st.integers(0, 9))
def test_no_near_span_is_missed(
    spans: list[tuple[int, int]], begin: int, length: int, distance: int
) -> None:
    ends = [(start, start + size) for start, size in spans]
    near = Neighbours(ends).near(begin, begin + length, distance)
    for place, (start, end) in enumerate(ends):
        if min(end, begin + length) - max(start, begin) + distance >= 0:
            assert place in near


@given(st.lists(st.integers(0, 9), max_size=8), st.integers(-1, 10), st.integers(-1, 10))
def test_words_are_found_by_their_middles(middles: list[int], begin: int, end: int) -> None:
    words = [record("LEXEME", middle, middle) for middle in sorted(middles)]
    first, last = WordPlaces(words).within(begin, end)
    within = [place for place, one in enumerate(words) if begin <= one.middle <= end]
    assert [*range(first, last + 1)] == within


def test_no_zones_are_no_limit() -> None:
    zones = Zones([(1.0, 2.0), (3.0, 4.0)])
    assert [zones.has_time(time) for time in (0.9, 1.0, 2.0, 2.5, 4.1)] == [
        *(False, True, True, False, False)
    ]
    assert zones.holds(record("SU", 3.0 - 1e-9, 4.0))
    assert not zones.holds(record("SU", 2.0, 3.5))
    assert Zones(None).has_time(9.0)
    assert Zones(None).holds(record("SU", 7, 9))
    assert not Zones([]).has_time(1.0)


def test_borders_are_off_by_the_scored_words_between() -> None:
    words = [word("a", "lex", begin) for begin in range(5)]
    words[2].is_scoreable = False
    assert words_between("END", 0, 4, words) == 3
    assert words_between("END", 4, 0, words) == -3
    assert words_between("BEG", 0, 3, words) == 2
    assert words_between("BEG", 3, 9, words) == 2
    assert words_between("BEG", 3, 3, words) == 0
