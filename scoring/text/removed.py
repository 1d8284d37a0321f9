"""Counts of letters and marks that a step removes, by script."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache

from formats.schema.messages import Message
from scoring.text.unicode_forms import is_letter_or_mark

# Unicode's names of the scripts of languages that are written today, and those of shared marks.
_NAMES = """
    Latin Greek Cyrillic Armenian Hebrew Arabic Syriac Thaana Devanagari Bengali Gurmukhi
    Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian Hangul
    Ethiopic Cherokee Canadian_Aboriginal Khmer Mongolian Hiragana Katakana Bopomofo Han Yi
    Tifinagh Nko Vai Javanese Balinese Sundanese Cham Meetei_Mayek Ol_Chiki Lepcha Limbu New_Tai_Lue
    Tai_Le Tai_Tham Tai_Viet Adlam Chakma Osage Inherited Common
"""
SCRIPTS = tuple(_NAMES.split())
OTHER = "other scripts"
CharacterKind = tuple[str, str]
# Scripts that texts of a script are also written in.
_BESIDE = {"Han": ("Hiragana", "Katakana", "Bopomofo"), "Hangul": ("Han",)}
FEWEST_LETTERS = 10
"""Smallest number of letters for which a text is checked."""
LEAST_SHARE = 0.1


@cache
def _tests() -> tuple[tuple[str, Callable[[str], object]], ...]:
    try:
        import regex
    except ImportError:  # in the page and the pure wheel: a letter's name begins with its script
        return tuple((name.replace("_", " "), _named(name.upper())) for name in SCRIPTS)
    return tuple(
        (name.replace("_", " "), regex.compile(rf"\p{{Script={name}}}").match) for name in SCRIPTS
    )


def _named(script: str) -> Callable[[str], object]:
    """Return a function that tests whether the Unicode name of a character begins with a script."""
    start = "CJK" if script == "HAN" else script.replace("_", " ")
    return lambda character: unicodedata.name(character, "").startswith(start)


@cache
def script_of(character: str) -> str:
    """Return the script of a character (Unicode's property)."""
    return next((name for name, is_of in _tests() if is_of(character)), OTHER)


def letters_and_marks(text: str) -> Counter[CharacterKind]:
    """Return the numbers of letters and of marks by script in a text (in NFD)."""
    numbers: Counter[CharacterKind] = Counter()
    for character, number in Counter(unicodedata.normalize("NFD", text)).items():
        if is_letter_or_mark(character):
            marks = unicodedata.category(character)[0] == "M"
            numbers[script_of(character), "marks" if marks else "letters"] += number
    return numbers


def script_instead(expected: str, letters: Mapping[CharacterKind, int]) -> str:
    """Return the most frequent script if hardly any letter is of the script `expected`.

    Otherwise return an empty text.

    >>> script_instead("Cyrillic", letters_and_marks("all of it is English"))
    'Latin'
    """
    numbers: Counter[str] = Counter()
    for (script, kind), number in letters.items():
        if kind == "letters" and script not in ("Common", "Inherited"):
            numbers[script] += number
    known = sum(numbers[script] for script in (expected, *_BESIDE.get(expected, ())))
    if numbers.total() < FEWEST_LETTERS or known >= LEAST_SHARE * numbers.total():
        return ""
    return numbers.most_common(1)[0][0]


def removed(
    before: Mapping[CharacterKind, int], after: Mapping[CharacterKind, int]
) -> dict[CharacterKind, int]:
    """Return the decreases of counts, largest first; counts that did not decrease are omitted."""
    lost = {kind: number - after.get(kind, 0) for kind, number in before.items()}
    return dict(sorted(((k, n) for k, n in lost.items() if n > 0), key=lambda item: -item[1]))


def removed_kinds(lost: Mapping[CharacterKind, int]) -> list[Message]:
    """Return a message for each kind of removed characters."""
    from scoring.text.messages import REMOVED

    return [
        Message(REMOVED[kind], {"number": number, "script": script})
        for (script, kind), number in lost.items()
    ]
