from random import Random
from typing import Any

import numpy as np
import pytest

from formats.keywords.model import Excerpt
from scoring.tasks.kws.audio import BINARY, EXACT, Audio
from scoring.tasks.kws.parameters import F4DE, SOUND, KeywordSearchError, SearchRules


def seconds(*excerpts: tuple[str, str, float, float, str], rules: SearchRules = F4DE) -> float:
    return Audio([Excerpt(*excerpt) for excerpt in excerpts], rules).duration()


@pytest.mark.parametrize("rules", [F4DE, SOUND], ids=["f4de", "sound"])
def test_channels_of_a_file_count_once(rules: SearchRules) -> None:
    two = [("call", channel, 0.0, 300.0, "cts") for channel in "12"]
    assert seconds(*two, rules=rules) == 300
    assert seconds(*((*e[:4], "splitcts") for e in two), rules=rules) == 150
    assert seconds(("a", "1", 0.0, 10.0, "cts"), ("b", "1", 0.0, 10.0, "cts"), rules=rules) == 20
    overlapping = [("a", "1", 0.0, 100.0, "cts"), ("a", "1", 50.0, 70.0, "cts")]
    assert seconds(*overlapping, rules=rules) == 120


def test_nested_excerpts() -> None:
    nested = [("a", "1", 0.0, 100.0, "cts"), ("a", "1", 10.0, 10.0, "splitcts")]
    assert seconds(*nested, rules=F4DE) == 15
    assert seconds(*nested, rules=SOUND) == 95
    assert Audio([Excerpt(*excerpt) for excerpt in nested], SOUND).nested == 1


def test_binary_noise_at_the_end_of_an_excerpt() -> None:
    excerpt = Excerpt("a", "1", 0.0, 0.3)
    begin, duration = 0.1, 0.2
    for rules, inside in ((F4DE, -1), (SOUND, 0)):
        audio = Audio([excerpt], rules)
        clock = audio.clock
        begins = np.array([clock.time(begin)])
        ends = begins + clock.time(duration)
        assert audio.holding(np.array([0]), begins, ends).tolist() == [inside]


def test_some_of_the_audio_only() -> None:
    excerpts = [Excerpt("A.sph", c, 0.0, 10.0) for c in "12"] + [Excerpt("b.sph", "1", 0.0, 5.0)]
    audio = Audio(excerpts, SOUND, ["a/1", "b/.*"])
    assert list(audio.places) == [("A", "1"), ("b", "1")]
    assert (audio.left_out, audio.duration()) == (1, 15)
    # one expression that fits nothing in the original
    assert Audio(excerpts, SOUND, ["a/1,b/1"]).duration() == 15
    assert Audio(excerpts, SOUND, ["a/[1,2]", "b{1,2}/1"]).duration() == 15
    assert Audio(excerpts, SOUND, [r"a/1\,b"]).duration() == 0


def test_a_pattern_that_is_none() -> None:
    with pytest.raises(KeywordSearchError, match=r"expected a regular expression, found '\('"):
        Audio([Excerpt("a", "1", 0.0, 1.0)], SOUND, ["("])


def test_types_restrict_the_duration() -> None:
    audio = Audio(
        [Excerpt("a", "1", 0.0, 10.0, "cts"), Excerpt("b", "1", 0.0, 5.0, "bnews")], SOUND
    )
    assert [audio.duration(types) for types in (["BNEWS"], ["c.*"], ["bn"], None)] == [5, 10, 0, 15]


def test_many_excerpts_are_found_as_few_are() -> None:
    excerpts = [Excerpt("a", "1", 2.0 * n, 1.0 + n % 2) for n in range(100)]
    excerpts.insert(30, Excerpt("a", "1", 11.0, 90.0))  # over several others
    audio = Audio(excerpts[::-1], SOUND)
    clock = audio.clock
    begins: Any = np.arange(0, 210, 0.25)
    for length in (0.0, 0.5, 1.0, 1.5, 2.0):
        expected = [
            next(
                (
                    index
                    for index, e in enumerate(excerpts[::-1])
                    if e.begin <= begin and begin + length <= e.begin + e.duration
                ),
                -1,
            )
            for begin in begins.tolist()
        ]
        ticks = clock.times(begins)
        places = np.zeros(len(begins), dtype=np.int64)
        ends = ticks + clock.time(length)
        assert audio.holding(places, ticks, ends).tolist() == expected


def test_many_times_are_rounded_as_single_ones() -> None:
    rng = Random(1)
    for clock in (EXACT, BINARY):
        for largest in (1, 1000, 1e8, 1e12):
            digits = rng.randint(3, 6)  # with five, halves of a ten-thousandth
            begins, durations = (
                [round(rng.uniform(-0.1, 1) * largest, digits) for _ in range(500)]
                for _ in range(2)
            )
            ends = clock.ends(np.array(begins), np.array(durations)).tolist()
            assert ends == list(map(clock.end, begins, durations))
            starts = list(map(clock.time, begins))
            gaps = clock.gaps(np.array(ends), np.array(starts)).tolist()
            assert gaps == list(map(clock.gap, ends, starts))
