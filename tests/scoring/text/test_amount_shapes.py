"""Readings of amounts by their shape, against those that are read for each amount."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from scoring.text.spoken.places import INERT, FormFinder, finder_of
from scoring.text.spoken.shapes import PlaceText
from scoring.text.spoken.table import table_of

WRITINGS = (
    "{}", "${}", "{}%", "{}.", "({})", "-{}", "A{}", "{}-A", "{}th", "{},", "€{},",
)  # fmt: skip
FOLLOWERS = ((), (INERT,), ("km", INERT), ("million", "km", INERT), ("May", INERT))


def drawn_place(random: Random, signs: str) -> PlaceText:
    """A place with a large amount, of few shapes and many numbers."""
    drawn = random.randrange(10_000, 1_000_000), random.randrange(10, 1000) * 1000 + 11
    number = f"{random.choice(drawn):,}".replace(",", random.choice(["", signs[:1]]))
    word = random.choice(WRITINGS).format(number)
    return random.choice(["", "a"]), (word, *random.choice(FOLLOWERS)), False


@pytest.mark.parametrize("lang", ["en", "de", "fr", "ru", "hu", "ja"])
def test_a_shape_gives_the_readings_of_each_small_amount(lang: str) -> None:
    finder, random = finder_of(lang, ()), Random(f"small shapes of {lang}")
    for writing, followers in product(("{}", "${}", "{}%", "{}年", "{}-й"), FOLLOWERS):
        for number in random.sample(range(100, 1_000), 12):
            place = "", (writing.format(number), *followers), False
            assert finder.place(*place) == finder.read(place), place


@pytest.mark.parametrize("lang", ["en", "de", "fr", "ru", "hi", "zh", "ko", "he"])
def test_a_shape_gives_the_readings_of_each_amount(lang: str) -> None:
    finder, signs = finder_of(lang, ()), table_of(lang).groups
    random = Random(f"shapes of {lang}")
    for _ in range(300):
        place = drawn_place(random, signs)
        assert finder.place(*place) == finder.read(place), place


def test_few_amounts_of_a_shape_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[PlaceText] = []
    read = FormFinder.read

    def noted(finder: FormFinder, place: PlaceText, *names: object) -> object:
        reads.append(place)
        return read(finder, place, *names)  # type: ignore[arg-type]

    monkeypatch.setattr(FormFinder, "read", noted)
    finder = FormFinder("en", frozenset({"cardinal", "digits"}))
    numbers = [number for number in range(123_456, 987_654, 1_001) if len(set(str(number))) == 6]
    small = [number for number in range(123, 988) if len(set(str(number))) == 3]
    for drawn in (numbers, small):
        reads.clear()
        assert all(finder.place("", (str(number), INERT), False) for number in drawn)
        assert len(reads) < len(drawn) / 4
