"""Places get fewer readings where the other side has one of them: the result is the same."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from scoring import score as road
from scoring import wer
from scoring.model.counts import SCLITE_COSTS
from scoring.text.facing import SaidReadings
from scoring.text.spoken.places import finder_of
from scoring.text.spoken_forms import SpokenForms
from scoring.text.utterances import Facing, normalize_utterances
from tests.each_case import each_case

FORMS = {
    "en": ("$5", "12", "1,234", "20%", "Dr.", "3 km", "May 5", "1999", "5th", "$2.50", "60-70"),
    "de": ("5", "12 km", "20 %", "3,5 kg", "1999", "2. Mai", "Dr.", "345.678", "14:30"),
    "fr": ("5", "12 km", "20 %", "3,5 kg", "1999", "2 mai", "12 €", "345 678"),
    "es": ("5", "12 km", "20 %", "3,5 kg", "1999", "2 de mayo", "12 €", "Sr.", "14:30"),
    "pl": ("5", "12 km", "20%", "3,5 kg", "1999", "2 maja", "12 zł", "345 678", "14:30"),
    "ru": ("5", "12 км", "20%", "3,5 кг", "1999", "2 мая", "12 руб.", "345 678"),
}
MORE_WORDS = tuple(f"{first}{last}" for first in ("ba", "do", "ku") for last in ("mi", "so", "te"))
WORDS = ("a", "b", "c", "five", "six", "the", "dollars", "percent", "and", "twenty", "eins")


def pair(drawn: Random, lang: str) -> tuple[str, str]:
    """Return two texts, one with written forms where the other has readings, and errors."""
    finder = finder_of(lang, ())
    left: list[str] = []
    right: list[str] = []
    errors = drawn.choice((0.03, 0.2))
    for _ in range(drawn.randint(1, 9)):
        said = [drawn.choice(drawn.choice((WORDS, MORE_WORDS)))]
        written = said
        if drawn.random() < 0.35:
            written = drawn.choice(FORMS[lang]).split()
            if drawn.random() < 0.2:
                written[-1] += drawn.choice(",.?")
            place = next(iter(finder.places(written)), None)
            readings = () if place is None else place.readings[: drawn.choice((1, 3, 100))]
            said = drawn.choice(readings or (" ".join(written),)).split()
        left += written
        right += [
            word if drawn.random() > errors else drawn.choice((*WORDS, word.upper() + ","))
            for word in said
            if drawn.random() > errors
        ]
        right += drawn.choices(WORDS, k=1) if drawn.random() < errors / 2 else []
    sides = " ".join(left), " ".join(right)
    return sides if drawn.random() < 0.7 else (sides[1], sides[0])


def seen(pairs: list[tuple[str, str]], **options: Any) -> tuple[object, ...]:
    """Return all that is known of a result."""
    sides = ({str(row): sides[side] for row, sides in enumerate(pairs)} for side in (0, 1))
    rates = wer(next(sides), next(sides), **options)
    aligned = rates.aligned
    words = list(map(tuple, aligned.references)), list(map(tuple, aligned.hypotheses))
    rows = *words, bytes(aligned.edits), list(map(tuple, aligned.counts))
    return rows, rates.forgiven_by_row, rates.rules.signature()


def paths_of(pairs: list[tuple[str, str]], step: SpokenForms) -> int:
    """Return the number of references whose path is decided before any alignment."""
    sides = [[tuple(pair[side].split()) for pair in pairs] for side in (0, 1)]
    facing = Facing(sides[1], frozenset(), SCLITE_COSTS)
    normalized = normalize_utterances(sides[0], {}, [step], facing=facing)
    assert normalized.settled.keys().isdisjoint(normalized.special)
    return len(normalized.settled)


def check(seed: int, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare results with and without all readings."""
    drawn, settled = Random(seed), 0
    for lang in FORMS:
        pairs = [pair(drawn, lang) for _ in range(number)]
        step = SpokenForms(lang=lang)
        settled += paths_of(pairs, step)
        cases: tuple[dict[str, Any], ...] = (
            {"normalize": [step]},
            {"normalize": [step, "lowercase", "punctuation"]},
            {"normalize": [step, "plain"], "profile": "jiwer"},
            {"normalize": [step], "unit": "char"},
        )
        for options in cases:
            short = seen(pairs, **options)
            with monkeypatch.context() as patch:
                patch.setattr(road, "_facing", lambda *_: (None, None))
                assert seen(pairs, **options) == short, (lang, options)
    assert settled > number / 2


@pytest.mark.filterwarnings("ignore")
def test_the_result_is_that_of_all_readings(monkeypatch: pytest.MonkeyPatch) -> None:
    check(1, 25, monkeypatch)


@pytest.mark.release
@pytest.mark.filterwarnings("ignore")
def test_the_result_is_that_of_all_readings_in_many_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    check(2, 100, monkeypatch)


@each_case(
    ("written", "heard", "kept"),
    [
        ("$5 x", "five dollars x", ("five dollars",)),
        ("$5 x", "five dollars y", None),  # one error costs as much as the equal words
        ("$5 x a b", "five dollars x b b", ("five dollars",)),
        ("x $5 a b", "five dollars b b", None),
        ("$5 a b c", "five dollars a b x", ("five dollars",)),
        ("$5 dollars x", "five dollars x", None),  # another reading is better
        ("b a $5", "x a five dollars", ("five dollars",)),
        ("x $5 a 7 b", "x five dollars a seven b", ("five dollars",)),
        ("$5 7", "five dollars seven", None),  # the border between the two is open
    ],
)
def test_readings_are_kept_unless_another_one_is_worse(
    written: str, heard: str, kept: tuple[str, ...] | None
) -> None:
    words = tuple(written.split())
    places = list(finder_of("en", ()).places(words))
    found = SaidReadings(SCLITE_COSTS, None).chosen(words, places, tuple(heard.split()))
    assert found[0].readings == (kept or places[0].readings)
