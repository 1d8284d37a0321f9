"""Readings of amounts by their shape, against those that are read for each amount."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from random import Random

import pytest

from scoring.text.spoken.alike import ALIKE, AlikeDigits
from scoring.text.spoken.names import NumberNames, names_of
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


@pytest.mark.share(2)
@pytest.mark.parametrize("lang", ["en", "de", "fr", "ru", "hu", "ja"])
def test_a_shape_gives_the_readings_of_each_small_amount(lang: str) -> None:
    finder, random = finder_of(lang, ()), Random(f"small shapes of {lang}")
    for writing, followers in product(("{}", "${}", "{}%", "{}年", "{}-й"), FOLLOWERS):
        for number in random.sample(range(100, 1_000), 6):
            place = "", (writing.format(number), *followers), False
            assert finder.place(*place) == finder.read(place), place


@pytest.mark.share(2)
@pytest.mark.parametrize("lang", ["en", "de", "fr", "ru", "hi", "zh", "ko", "he"])
def test_a_shape_gives_the_readings_of_each_amount(lang: str) -> None:
    finder, signs = finder_of(lang, ()), table_of(lang).groups
    random = Random(f"shapes of {lang}")
    for _ in range(120):
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


def names_in_lists(names: NumberNames, digits: str) -> str:
    """All names of an amount that its readings may have, a line each."""
    number = int(digits)
    lists = names.cardinals(number), names.digits(digits), names.groups(digits), names.years(number)
    return "\n".join(name for texts in lists for name in (*texts, "-"))


AMOUNTS = (*range(100, 1_000), *range(10_000, 1_000_000))


def of_each_arrangement(digits_alike: str) -> list[int]:
    """An amount of each arrangement of digits: those that are alike appear in their order."""
    others = set("0123456789").difference(digits_alike)
    texts = sorted(set("123456789") & {*others, digits_alike[0]})
    amounts: list[int] = []
    for length in range(2, 7):
        texts = [
            text + digit
            for text in texts
            for digit in sorted({*others, *text, *new_digit(text, digits_alike)})
        ]
        amounts += map(int, texts if length in (3, 5, 6) else ())
    return amounts


def new_digit(text: str, digits_alike: str) -> str:
    """The first digit that is alike and not in a text; empty if all are."""
    return next((digit for digit in digits_alike if digit not in text), "")


def different_names(lang: str, numbers: Iterable[int]) -> list[str]:
    """Return the numbers whose names are not those of their models with other words.

    Each number has other digits than the given number, in the same arrangement.
    """
    names, random = names_of(lang), Random(f"digits of {lang}")
    digits_alike = ALIKE[lang]
    alike = AlikeDigits(names, digits_alike)
    found: list[str] = []
    for arrangement in {alike.model_of(str(number)).number for number in numbers}:
        others = "".join(random.sample(digits_alike, len(digits_alike)))
        digits = arrangement.translate(str.maketrans(digits_alike, others))
        model = alike.model_of(digits)
        assert model.number == arrangement
        template = alike.template_of(names_in_lists(names, arrangement))
        if template.fill(alike.words_of(model.own)) != names_in_lists(names, digits):
            found.append(digits)
    return found


@pytest.mark.share(2)
@pytest.mark.parametrize("lang", ALIKE)
def test_names_of_digits_that_are_alike_differ_in_their_words(lang: str) -> None:
    assert different_names(lang, Random(5).sample(AMOUNTS, 200)) == []


@pytest.mark.release
@pytest.mark.parametrize("lang", ALIKE)
def test_names_of_all_arrangements_of_digits_differ_in_their_words(lang: str) -> None:
    amounts, alike = of_each_arrangement(ALIKE[lang]), AlikeDigits(names_of(lang), ALIKE[lang])
    drawn = map(str, Random(7).sample(AMOUNTS, 20_000))
    assert {alike.model_of(digits).number for digits in drawn} <= set(map(str, amounts))
    # six digits are two groups of three, of which each is in other arrangements, too
    tried = [amount for amount in amounts if amount < 100_000]
    tried += [amount for amount in amounts if amount >= 100_000][list(ALIKE).index(lang) % 3 :: 3]
    assert different_names(lang, tried) == []


def test_rows_of_a_user_may_treat_digits_differently() -> None:
    rows = (("respell", "cardinal", "seven", "sieben"), ("name", "611098", "many"))
    finder = FormFinder("en", frozenset({"cardinal", "digits"}), "", rows)
    for number in (234_567, 234_568, 345_678, 456_789, 611_098, 723_456, 834_567, 945_678):
        place = "", (str(number), INERT), False
        assert finder.place(*place) == finder.read(place), place
